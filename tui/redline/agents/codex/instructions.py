"""The files of instructions that Codex reads on start (checked with 0.171.0).

Its own folder's first, then from the repository's root down to the working folder one a folder. A
budget of bytes holds for all but the first: where it ends the file is cut, and those after it are
left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from redline.agents.codex.finding import home
from redline.agents.codex.settings import listed, number, untrusted
from redline.agents.instructions import Instructions, Shelf, repository, upwards

BUDGET = 32_768  # bytes, `project_doc_max_bytes`
_NAMES = ("AGENTS.override.md", "AGENTS.md")


def instructions(
    project: Path, environment: Mapping[str, str] | None, shelf: Shelf
) -> tuple[Instructions, ...]:
    """The files for the folder `project`, in order, also those that the budget cuts."""
    found = list(_own(environment, shelf))
    left = budget(project, environment)
    if left == 0 or untrusted(project, environment):
        return tuple(found)
    wanted = names(project, environment)
    markers = listed(project, environment, "project_root_markers") or (".git",)
    root = repository(project, markers) or project
    for folder in upwards(project, root):
        path, data = _first(folder, wanted, shelf)
        if path is None or not data.strip():
            continue
        where = "project" if folder == project else f"of {folder}"
        cut = left if len(data) > left else None
        text = data[:left].decode("utf-8", "replace")
        found.append(Instructions(path, len(data), where, text, cut_at=cut))
        left = max(left - len(data), 0)
    return tuple(found)


def names(project: Path, environment: Mapping[str, str] | None) -> tuple[str, ...]:
    """The names of the files of a folder; the first that is there is read."""
    return (*_NAMES, *listed(project, environment, "project_doc_fallback_filenames"))


def budget(project: Path, environment: Mapping[str, str] | None) -> int:
    """The bytes that Codex reads of the project's files together."""
    stated = number(project, environment, "project_doc_max_bytes")
    return BUDGET if stated is None else stated


def _own(environment: Mapping[str, str] | None, shelf: Shelf) -> list[Instructions]:
    folder = home(environment)
    for name in _NAMES if folder is not None else ():
        assert folder is not None
        data = shelf.read(folder / name)
        if data is not None and data.strip():
            text = data.decode("utf-8", "replace")
            return [Instructions(folder / name, len(data), "yours, everywhere", text)]
    return []


def _first(folder: Path, wanted: tuple[str, ...], shelf: Shelf) -> tuple[Path | None, bytes]:
    for name in wanted:
        if (data := shelf.read(folder / name)) is not None:
            return folder / name, data
    return None, b""
