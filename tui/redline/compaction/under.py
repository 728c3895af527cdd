"""Whether a path lies under one that a rule names. By their text only: no link is followed."""

from __future__ import annotations

import posixpath
import re
from fnmatch import fnmatchcase

from redline.ledger.named_paths import TESTS

_TEST_FOLDERS = frozenset(("test", "tests", "__tests__", "spec", "specs", "testing", "e2e"))
_TEST_FILE = re.compile(
    r"(?:test_.+|.+_test|.+[.-](?:test|spec)|.+_spec|conftest)\.[A-Za-z]{1,5}$"
    r"|.+Tests?\.(?:java|kt|cs|swift|php)$"
)
_HOME = re.compile(r"(/(?:home|Users)/[^/]+|/root)(?:/|$)")
_SCRATCH = re.compile(r"(?:/private)?(?:/tmp|/var/tmp|/var/folders|/dev|/proc)(?:/|$)")


class Place:
    """Paths as they are seen from `project`, an absolute path or None where it is unknown."""

    def __init__(self, project: str | None) -> None:
        known = project is not None and project.startswith("/")
        self.project = posixpath.normpath(project) if known and project else None
        home = _HOME.match(self.project or "")
        self._home = home[1] if home else None

    def steps(self, path: str) -> tuple[str, ...]:
        """The steps of `path` from the project, or from the root of all, then the first is "/"."""
        path = path.replace("\\", "/")
        if path.startswith("~") and self._home and path[1:2] in ("", "/"):
            path = self._home + path[1:]
        path = posixpath.normpath(path)
        if self.project is not None:
            whole = posixpath.normpath(posixpath.join(self.project, path))
            if whole == self.project:
                return ()
            if whole.startswith(self.project + "/"):
                return tuple(whole[len(self.project) + 1 :].split("/"))
            path = whole
        if path == ".":
            return ()
        steps = tuple(step for step in path.split("/") if step)
        return ("/", *steps) if path.startswith("/") else steps

    def under(self, path: str, named: str, *, tree: bool = False) -> bool:
        """Whether `path` is what a rule calls `named`, or lies below it; with `tree` also whether
        it lies above."""
        steps = self.steps(path)
        if named == TESTS:
            return is_test(steps)
        wanted, anywhere = _wanted(self, named)
        if not wanted:
            return named.strip("/") in (".", "") and steps[:1] != ("/",)
        if _starts(steps, wanted):
            return True
        if tree and len(steps) < len(wanted) and _starts(wanted, steps):
            return not anywhere and steps[:1] != ("/",)
        if tree and len(steps) <= len(wanted) and not anywhere and _globbed(steps, wanted):
            return True
        loose = anywhere or (self.project is None and steps[:1] == ("/",))
        return loose and any(_starts(steps[i:], wanted) for i in range(1, len(steps)))

    def outside(self, path: str, named: tuple[str, ...]) -> bool:
        """Whether `path` is of the project, and under none of `named`."""
        steps = self.steps(path)
        if not steps or steps[0] in ("/", "~", "..", ".git"):
            return False
        return not any(self.under(path, name) for name in named)


def is_scratch(path: str) -> bool:
    return _SCRATCH.match(path) is not None


def is_test(steps: tuple[str, ...]) -> bool:
    """Whether the path of these steps is that of a test, by the names that are usual for them."""
    if not steps or steps[0] == "/":
        return False
    return not _TEST_FOLDERS.isdisjoint(steps) or bool(_TEST_FILE.match(steps[-1]))


def _wanted(place: Place, named: str) -> tuple[tuple[str, ...], bool]:
    """The steps of what a rule names, and whether it may stand anywhere in the project."""
    name = re.sub(r"(?:/\*{1,2})+$", "", named)
    anywhere = False
    while name.startswith("**/"):
        name, anywhere = name[3:], True
    steps = place.steps(name)
    if steps[:1] == ("/",) and place.project is not None and named.count("/") > 1:
        # "/src/legacy" is often meant from the root of the repository.
        steps = (
            steps if named.startswith(("/etc", "/usr", "/home", "/Users", "/var")) else steps[1:]
        )
    single = "/" not in named  # a file's own name; "src/" is a path, and starts at the project
    return steps, anywhere or single


def _starts(steps: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether `steps` start with `wanted`, in which `*` stands for a part of a step and `**` for
    any number of them."""
    if "**" in wanted:
        at = wanted.index("**")
        head, rest = wanted[:at], wanted[at + 1 :]
        return _starts(steps, head) and any(
            _starts(steps[i:], rest) for i in range(at, len(steps) + 1)
        )
    if len(steps) < len(wanted):
        return False
    return all(_fits(step, want) for step, want in zip(steps, wanted, strict=False))


def _fits(step: str, want: str) -> bool:
    return step == want or ("*" in want and fnmatchcase(step, want))


def _globbed(steps: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether the pattern `steps` of a command takes in what is above `wanted`: `rm -r src/*`."""
    return (
        bool(steps)
        and any("*" in step for step in steps)
        and all(fnmatchcase(want, step) for step, want in zip(steps, wanted, strict=False))
    )
