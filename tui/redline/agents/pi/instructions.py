"""The files of instructions that pi reads on start (checked with 1.6.0).

Of its own folder and of each folder from the root down the first that is there. Older versions do
not know AGENTS.override.md.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from redline.agents.instructions import Instructions, Shelf, upwards
from redline.agents.pi.finding import agent_folder

NAMES = ("AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD")


def instructions(
    project: Path, environment: Mapping[str, str] | None, shelf: Shelf
) -> tuple[Instructions, ...]:
    """The files for the folder `project`, in order."""
    own = agent_folder(environment)
    folders = [(own, "yours, everywhere")] if own is not None else []
    folders += [(one, "project" if one == project else f"of {one}") for one in upwards(project)]
    hidden = _copied(project, shelf)
    found: dict[Path, Instructions] = {}
    for folder, why in folders:
        for name in NAMES:
            data = shelf.read(folder / name)
            if data is None:
                continue
            if folder / name != hidden:
                text = data.decode("utf-8-sig", "replace")
                found.setdefault(folder / name, Instructions(folder / name, len(data), why, text))
            break
    return tuple(one for one in found.values() if one.text.strip())


def _copied(project: Path, shelf: Shelf) -> Path | None:
    """The main repository's file that a worktree inside of it has its own copy of: not read."""
    for folder in (project, *project.parents):
        link = folder / ".git"
        if os.path.isdir(link):
            return None
        if os.path.isfile(link):
            main = _main_repository(folder, shelf.read(link) or b"")
            name = next((n for n in NAMES if shelf.read(folder / n) is not None), None)
            inside = main is not None and folder.is_relative_to(main) and folder != main
            return main / name if main is not None and name is not None and inside else None
    return None


def _main_repository(worktree: Path, link: bytes) -> Path | None:
    """The folder whose `.git/worktrees/NAME` a worktree's `.git` file leads to."""
    named = link.decode("utf-8", "replace").removeprefix("gitdir:").strip()
    parts = Path(os.path.normpath(worktree / named))
    if parts.parent.name != "worktrees" or parts.parent.parent.name != ".git":
        return None
    return parts.parent.parent.parent
