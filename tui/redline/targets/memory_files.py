"""Which file a block goes to when CLAUDE.md and AGENTS.md are one and the same to an agent.

Claude Code imports `@path` in CLAUDE.md outside code (2.1.197), so what stands in an imported file
is in its context already. A block in both would be there twice.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from redline.errors import RedlineError
from redline.files import read_if_there, real_path
from redline.targets.block import BOM, find, outside_fences
from redline.targets.originals import spare_original

_IMPORT = re.compile(rb"(?:^|\s)@((?:[^\s\\]|\\ )+)")
_SPAN = re.compile(rb"(`+)[^`]+\1(?!`)")
_DEPTH = 5  # Claude Code follows no more


@dataclass(frozen=True, slots=True)
class Place:
    """The file to write, what it holds (None: not there), and what a person should know."""

    named: Path
    path: Path
    before: bytes | None
    notes: tuple[str, ...] = ()


def place_for(named: Path, block: str) -> Place:
    """Where the block for `named` goes: there, behind its links, or in the file it imports.

    It is the imported file where `named` does nothing but import it, where that file holds the
    block already, or where it is the AGENTS.md beside it; but a block that stands in `named`
    itself is updated in its place. Raises RedlineError for links that lead nowhere.
    """
    notes: list[str] = []
    asked = named
    seen: set[Path] = set()
    while True:
        path = real_path(named)
        if os.path.islink(named) or path.name != named.name:
            notes.append(f"{named} is a link: {path} is written")
        before = read_if_there(path)
        if before is None and os.path.islink(named):
            raise RedlineError(
                f"{named} is a link to {path}, which is not there",
                f"create {path}, or remove the link",
            )
        spare_original(path)
        seen.add(path)
        imported = _instead(path, before, block) if _imports_count(named) else None
        if imported is None or real_path(imported) in seen or len(seen) > _DEPTH:
            return Place(asked, path, before, (*notes, *_twice(path, block)))
        notes.append(f"{named} imports {imported.name}: the rules go there, once")
        named = imported


def _imports_count(path: Path) -> bool:
    return path.name.upper().startswith("CLAUDE")


def _instead(path: Path, data: bytes | None, block: str) -> Path | None:
    """The file that `data` imports and the block belongs to."""
    if data is None:
        return None
    try:
        if find(data, block).spans:
            return None
    except RedlineError as error:
        raise in_file(error, path) from error
    found = [path.parent / name for name in imports(data)]
    there = [file for file in found if os.path.isfile(file)]
    for file in there:
        if file.name == "AGENTS.md" or _holds(read_if_there(file) or b"", block):
            return file
    return there[0] if len(there) == 1 and _only_imports(data) else None


def imports(data: bytes) -> Iterator[str]:
    """The relative paths that a CLAUDE.md imports from its own project, in order."""
    for line in outside_fences(data):
        for found in _IMPORT.findall(_SPAN.sub(b"`", line)):
            name = found.decode(errors="replace").replace("\\ ", " ").partition("#")[0]
            if name and not name.startswith(("/", "~")) and "\0" not in name:
                yield name


def _only_imports(data: bytes) -> bool:
    lines = [line.strip() for line in data.removeprefix(BOM).splitlines() if line.strip()]
    return bool(lines) and all(re.fullmatch(rb"@\S+", line) for line in lines)


def in_file(error: RedlineError, path: Path) -> RedlineError:
    """`error` with the name of the file it is about."""
    return RedlineError(f"{path}: {error.message}", error.hint, status=error.status)


def _holds(data: bytes, block: str) -> bool:
    """Whether a file that is not the one to write holds the block; if it is broken, it does not."""
    try:
        return bool(find(data, block).spans)
    except RedlineError:
        return False


def _twice(path: Path, block: str) -> tuple[str, ...]:
    """A warning where a CLAUDE.md beside `path` imports it and holds the block as well."""
    above = path.with_name("CLAUDE.md")
    if real_path(above) == path or not os.path.isfile(above):
        return ()
    data = read_if_there(above) or b""
    if not _holds(data, block):
        return ()
    if not any(Path(os.path.realpath(path.parent / name)) == path for name in imports(data)):
        return ()
    return (f"{above} imports this file and holds the rules as well: Claude Code reads them twice",)
