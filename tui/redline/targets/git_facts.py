"""Where the work stands in git: branch, head, what is not committed, and how far it is from its
upstream."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.redaction import redact
from redline.targets.git_program import TIMEOUT, Git, GitTrouble, has_repository
from redline.text import counted, one_line, printable

_NAMES = 40  # of files that are not committed
_LONGEST = 200  # characters of a name
_DOING = (
    ("MERGE_HEAD", "a merge"),
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("BISECT_LOG", "a bisection"),
)
_SHORT = 12  # characters of a commit's hash


@dataclass(frozen=True, slots=True)
class GitFacts:
    """`branch` is empty on a detached head, `head` while nothing was committed. `ahead` and
    `behind` count commits against `upstream`; None where that is not known. `dirty` has the two
    letters of `git status --short` and the path of each file, from `root` on. `doing` is what was
    begun and not ended ("a merge"). With `trouble` git did not answer, and the rest is empty."""

    root: str = ""
    branch: str = ""
    head: str = ""
    subject: str = ""
    upstream: str = ""
    ahead: int | None = None
    behind: int | None = None
    dirty: tuple[tuple[str, str], ...] = ()
    doing: str = ""
    bare: bool = False
    trouble: str = ""

    def lines(self, *, files: int = _NAMES) -> list[str]:
        """It in a few lines, at most `files` of the files that are not committed."""
        if self.trouble:
            return [f"not known: {self.trouble}"]
        lines = [f"folder: `{_name(self.root)}`{' (bare)' if self.bare else ''}", self._branch()]
        head = f"`{self.head[:_SHORT]}` {self.subject}".rstrip() if self.head else ""
        lines.append(f"head: {head}" if head else "head: nothing is committed yet")
        if self.doing:
            lines.append(f"in the middle of {self.doing}")
        if not self.bare:
            lines += self._dirty(files)
        return lines

    def _branch(self) -> str:
        branch = f"branch: `{_name(self.branch)}`" if self.branch else "branch: none, detached head"
        if not self.upstream:
            return branch
        upstream = f"`{_name(self.upstream)}`"
        if self.ahead is None:
            return f"{branch}, upstream {upstream} is not there"
        return f"{branch}, {self.ahead} ahead of and {self.behind} behind {upstream}"

    def _dirty(self, files: int) -> list[str]:
        if not self.dirty:
            return ["everything is committed"]
        shown = self.dirty[:files]
        left = len(self.dirty) - len(shown)
        colon = ":" if shown else ""
        lines = [f"not committed: {counted(len(self.dirty), 'file')}{colon}"]
        lines += [f"  - {letters.replace(' ', '.')} `{_name(name)}`" for letters, name in shown]
        return [*lines, f"  - and {left} more"] if shown and left else lines

    def as_json(self) -> dict[str, object]:
        """It as the JSON form of a handoff has it."""
        if self.trouble:
            return {"trouble": self.trouble}
        return {
            "folder": printable(self.root),
            "branch": _name(self.branch) or None,
            "head": self.head or None,
            "subject": self.subject,
            "upstream": _name(self.upstream) or None,
            "ahead": self.ahead,
            "behind": self.behind,
            "doing": self.doing or None,
            "dirty": [
                {"status": letters, "path": _name(name)} for letters, name in self.dirty[:_NAMES]
            ],
            "dirty_count": len(self.dirty),
        }


def git_facts(
    folder: str | Path | None, environment: Mapping[str, str], *, timeout: float = TIMEOUT
) -> GitFacts | None:
    """The facts of the repository that `folder` lies in; None where there is no repository or no
    such folder. git has `timeout` seconds for each of a few questions."""
    if not folder or not os.path.isabs(folder) or not os.path.isdir(folder):
        return None
    git = Git(Path(folder), environment, timeout)
    try:
        place = git.ask("rev-parse", "--is-bare-repository", "--absolute-git-dir")
        if place is None:
            return None
        bare, _, git_dir = place.removesuffix("\n").partition("\n")
        return _bare(git, git_dir) if bare == "true" else _facts(git, git_dir)
    except GitTrouble as trouble:
        return GitFacts(trouble=str(trouble)) if has_repository(Path(folder)) else None


def _facts(git: Git, git_dir: str) -> GitFacts | None:
    root = git.ask("rev-parse", "--show-toplevel")
    if root is None:  # inside .git itself
        return None
    told = git.ask(
        "status",
        "--porcelain=v2",
        "--branch",
        "-z",
        "--untracked-files=normal",
        "--ignore-submodules=dirty",  # their own settings are never read
        "--no-renames",
        off=git.filters_off(),
    )
    if told is None:
        raise GitTrouble("git cannot read the repository")
    branch, dirty = _status(told)
    head = branch.get("oid", "")
    head = "" if head == "(initial)" else head
    counts = branch.get("ab", "").split()
    return GitFacts(
        root=root.removesuffix("\n"),
        branch="" if branch.get("head") == "(detached)" else branch.get("head", ""),
        head=head,
        subject=_subject(git) if head else "",
        upstream=branch.get("upstream", ""),
        ahead=int(counts[0]) if len(counts) == 2 else None,
        behind=-int(counts[1]) if len(counts) == 2 else None,
        dirty=dirty,
        doing=next((what for name, what in _DOING if os.path.exists(Path(git_dir, name))), ""),
    )


def _bare(git: Git, git_dir: str) -> GitFacts:
    head = (git.ask("rev-parse", "--verify", "--quiet", "HEAD") or "").strip()
    branch = (git.ask("symbolic-ref", "--quiet", "--short", "HEAD") or "").strip()
    subject = _subject(git) if head else ""
    return GitFacts(root=git_dir, branch=branch, head=head, subject=subject, bare=True)


def _subject(git: Git) -> str:
    """The first line of the head's message, as nobody signed or changed it."""
    stored = git.ask("cat-file", "commit", "HEAD") or ""
    return redact(_name(stored.partition("\n\n")[2].lstrip("\n").partition("\n")[0])).text


def _status(told: str) -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """The branch's lines by name, and the files. Form: git-status(1), porcelain version 2."""
    branch: dict[str, str] = {}
    dirty: list[tuple[str, str]] = []
    for line in told.split("\0"):
        kind, _, rest = line.partition(" ")
        match kind:
            case "#":
                name, _, value = rest.partition(" ")
                branch[name.removeprefix("branch.")] = value
            case "1":
                dirty.append((rest[:2].replace(".", " "), rest.split(" ", 7)[-1]))
            case "u":
                dirty.append((rest[:2], rest.split(" ", 9)[-1]))
            case "?":
                dirty.append(("??", rest))
            case _:
                pass
    return branch, tuple(dirty)


def _name(text: str) -> str:
    return one_line(text, _LONGEST).replace("`", "'")
