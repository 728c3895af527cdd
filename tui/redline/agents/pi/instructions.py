"""The files of instructions that pi reads on start (checked with 1.6.0).

Of its own folder and of each folder from the root down the first that is there. Older versions do
not know AGENTS.override.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from redline.agents.instructions import (
    Instructions,
    Shelf,
    main_repository,
    repository,
    upwards,
)
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
    worktree = repository(project)
    main = main_repository(worktree, shelf) if worktree is not None else None
    if worktree is None or main is None:
        return None
    name = next((one for one in NAMES if shelf.read(worktree / one) is not None), None)
    return main / name if name is not None else None
