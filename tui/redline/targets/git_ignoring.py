"""A file kept out of git: by a line in the repository's own list of what is ignored.

`.git/info/exclude` is nobody's but this clone's: no file of the project changes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.errors import RedlineError
from redline.files import read_if_there, real_path
from redline.targets.git_program import Git, GitTrouble
from redline.targets.target import Change

_SPECIAL = re.compile(r"[\\*?\[]| +$")


@dataclass(frozen=True, slots=True)
class Standing:
    """How git sees the file at `path` in the repository at `root`. `exclude` is the repository's
    own list of what is ignored."""

    path: Path
    root: Path
    tracked: bool
    ignored: bool
    exclude: Path


def standing(path: Path, environment: Mapping[str, str]) -> Standing | None:
    """How git sees the file at `path` (resolved; it need not be there); None where it lies in no
    repository, or git does not say."""
    folder = path.parent
    while not folder.is_dir():
        folder = folder.parent
    git = Git(folder, environment)
    try:
        root = git.ask("rev-parse", "--show-toplevel")
        common = git.ask("rev-parse", "--git-common-dir")
        exclude = git.ask("rev-parse", "--git-path", "info/exclude")
        if not root or not common or not exclude:
            return None
        name = os.path.relpath(path, folder)
        literal = "--literal-pathspecs"
        tracked = git.ask(literal, "ls-files", "--error-unmatch", "--", name) is not None
        ignored = git.ask("check-ignore", "--quiet", "--no-index", "--", name) is not None
    except GitTrouble:
        return None
    place = real_path(folder / exclude.removesuffix("\n"))
    if not place.is_relative_to(real_path(folder / common.removesuffix("\n"))):
        return None  # a link that leads out of the repository: nothing is written there
    return Standing(path, Path(root.removesuffix("\n")), tracked, ignored, place)


class IgnoreLine:
    """A line in the repository's own list, so that git does not take the file in."""

    def __init__(self, found: Standing) -> None:
        self.name = "gitignore"
        self._found = found

    def preview(self) -> Change:
        """The list with the line. Raises RedlineError where no line can name the file."""
        line = self._line()

        def with_line(before: bytes | None) -> bytes:
            data = before or b""
            if line in data.splitlines():
                return data
            end = b"\r\n" if b"\r\n" in data else b"\n"
            gap = end if data and not data.endswith((b"\n", b"\r")) else b""
            return data + gap + line + end

        before = read_if_there(self._found.exclude)
        return Change(
            target=self.name,
            label="git's list of what is ignored here",
            after=with_line(before),
            before=before,
            path=self._found.exclude,
            named=self._found.exclude,
            folders=True,
            again=with_line,
        )

    def _line(self) -> bytes:
        name = self._found.path.relative_to(real_path(self._found.root)).as_posix()
        if "\n" in name or "\r" in name:
            raise RedlineError(f"no line of git's list can name {name!r}", "choose another name")
        return os.fsencode("/" + _SPECIAL.sub(lambda found: _escaped(found.group()), name))


def _escaped(text: str) -> str:
    return "".join(f"\\{character}" for character in text)
