"""The files of instructions that an agent takes in when it starts in a folder, in its order."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from redline.model import Agent

LARGEST = 4_194_304  # bytes of a file that is read; Claude Code (2.1.197) leaves larger ones out


@dataclass(frozen=True, slots=True)
class Instructions:
    """One file: `size` in bytes, `why` it is read, what the agent takes of it (`text`), and the
    byte from which on it leaves out the rest or shortens it (None: read whole; 0: nothing is read).
    `only_with` are the files together with which alone it is read: not on start."""

    path: Path
    size: int
    why: str
    text: str = field(default="", repr=False)
    cut_at: int | None = None
    only_with: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shelf:
    """The files of the machine, some of them as they would be: `written` by their real paths."""

    written: Mapping[Path, bytes] = field(default_factory=dict)

    def read(self, path: Path) -> bytes | None:
        """The content of a plain file; None where there is none, or none that can be read."""
        try:
            real = Path(os.path.realpath(path))
            if real in self.written:
                return self.written[real]
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
                return None
            return path.read_bytes()
        except (OSError, ValueError):
            return None

    def below(self, folder: Path) -> Iterator[Path]:
        """What lies in `folder`, as the system lists it, then what would be written there."""
        names = []
        with contextlib.suppress(OSError, ValueError):
            names = os.listdir(folder)
        real = Path(os.path.realpath(folder))
        names += [path.name for path in self.written if path.parent == real]
        for name in dict.fromkeys(names):
            yield folder / name


def instruction_files(
    agent: Agent,
    project: Path,
    environment: Mapping[str, str] | None = None,
    shelf: Shelf | None = None,
) -> tuple[Instructions, ...]:
    """What `agent` reads on start in the folder `project`, in the order it is sent. Files that are
    empty or cannot be read are left out, as the agents do. Nothing for other agents."""
    from redline.agents.claude_code.instructions import instructions as claude_code
    from redline.agents.codex.instructions import instructions as codex
    from redline.agents.hermes.instructions import instructions as hermes
    from redline.agents.pi.instructions import instructions as pi

    match agent:
        case Agent.CLAUDE_CODE:
            return claude_code(project, environment, shelf or Shelf())
        case Agent.CODEX:
            return codex(project, environment, shelf or Shelf())
        case Agent.PI:
            return pi(project, environment, shelf or Shelf())
        case Agent.HERMES:
            return hermes(project, environment, shelf or Shelf())
        case _:
            return ()


def upwards(folder: Path, top: Path | None = None) -> list[Path]:
    """The folders from `top` (without it the file system's root) down to `folder`."""
    way = []
    for one in (folder, *folder.parents):
        way.append(one)
        if one == top:
            break
    return way[::-1]


def repository(folder: Path, markers: tuple[str, ...] = (".git",)) -> Path | None:
    """The nearest folder, from `folder` up, that holds one of `markers`."""
    for one in (folder, *folder.parents):
        if any(os.path.exists(one / marker) for marker in markers):
            return one
    return None


def main_repository(worktree: Path, shelf: Shelf) -> Path | None:
    """The folder of the main repository that `worktree` belongs to, where it lies inside of it; by
    the `.git` file of a worktree, which leads to `.git/worktrees/NAME`."""
    link = shelf.read(worktree / ".git") if os.path.isfile(worktree / ".git") else None
    if link is None:
        return None
    named = link.decode("utf-8", "replace").removeprefix("gitdir:").strip()
    if "\0" in named:
        return None
    parts = Path(os.path.normpath(worktree / named))
    if parts.parent.name != "worktrees" or parts.parent.parent.name != ".git":
        return None
    main = parts.parent.parent.parent
    return main if worktree != main and worktree.is_relative_to(main) else None
