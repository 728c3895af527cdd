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

from redline.agents.claude_code.instructions import DEPTH
from redline.agents.claude_code.instructions import imports as imported
from redline.errors import RedlineError
from redline.fences import BOM
from redline.files import read_if_there, real_path
from redline.targets.block import find
from redline.targets.originals import spare_original

_ABOVE = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "../CLAUDE.md")


@dataclass(frozen=True, slots=True)
class Place:
    """The file to write, what it holds (None: not there), and what a person should know."""

    named: Path
    path: Path
    before: bytes | None
    notes: tuple[str, ...] = ()
    twice: bool = False  # whether a file that imports it holds the block as well


def place_for(named: Path, block: str, *, shared: bool = True) -> Place:
    """Where the block for `named` goes: there, behind its links, or in the file it imports.

    It is the imported file where `named` does nothing but import it, where that file holds the
    block already, or where it is an AGENTS.md; but a block that stands in `named` itself is updated
    in its place. What is not `shared` with other agents goes to an imported file only where it
    stands there already. Raises RedlineError for links that lead nowhere.
    """
    notes: list[str] = []
    asked = named
    seen: set[Path] = set()
    while True:
        path = real_path(named)
        refuse_git(named, path)
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
        other = _instead(path, before, block, shared) if _imports_count(named) else None
        if other is None or real_path(other) in seen or len(seen) > DEPTH:
            twice = _twice(path, block)
            notes += [*_linked(path), *twice]
            return Place(asked, path, before, tuple(notes), bool(twice))
        notes.append(f"{named} imports {other.name}: it goes there, once")
        named = other


def refuse_git(*paths: Path) -> None:
    """Raises RedlineError where one of `paths` lies in a repository's own folder."""
    for path in paths:
        if any(part.lower() == ".git" for part in path.parts):
            raise RedlineError(
                f"{path} is git's own, no file of instructions", "name another file with --to"
            )


def _imports_count(path: Path) -> bool:
    return path.name.upper().startswith("CLAUDE")


def _instead(path: Path, data: bytes | None, block: str, shared: bool) -> Path | None:
    """The file that `data` imports, perhaps through others, and that the block belongs to."""
    if data is None:
        return None
    try:
        if find(data, block).spans:
            return None
    except RedlineError as error:
        name_file(error, path)
        raise
    folder = path.parent.parent if path.parent.name == ".claude" else path.parent
    for file, content in _reached(path, data):
        inside = file.name == "AGENTS.md" and real_path(file).is_relative_to(folder)
        if (shared and inside) or _holds(content, block):
            return file
    if not shared:
        return None
    direct = _beside(path, data)
    for file in direct:  # one that is not there yet, and is read as soon as it is
        if file.name == "AGENTS.md" and not os.path.lexists(file) and file.parent.is_dir():
            return file
    direct = [file for file in direct if os.path.isfile(file)]
    return direct[0] if len(direct) == 1 and _only_imports(data) else None


def _reached(path: Path, data: bytes) -> Iterator[tuple[Path, bytes]]:
    """The files that `data` imports, and those that they import, with what they hold."""
    seen = {path}
    waiting = [(file, 1) for file in _beside(path, data)]
    while waiting:
        named, depth = waiting.pop(0)
        try:
            real = real_path(named)
            content = read_if_there(real) if real not in seen else None
        except RedlineError:
            continue
        seen.add(real)
        if content is None:
            continue
        yield named, content
        if depth + 1 < DEPTH:
            waiting += [(file, depth + 1) for file in _beside(real, content)]


def _beside(path: Path, data: bytes) -> list[Path]:
    return [path.parent / name for name in imports(data)]


def imports(data: bytes) -> Iterator[str]:
    """The relative paths that a CLAUDE.md imports from its own project, in order."""
    return (name for name in imported(data) if not name.startswith(("/", "~")))


def _only_imports(data: bytes) -> bool:
    lines = [line.strip() for line in data.removeprefix(BOM).splitlines() if line.strip()]
    return bool(lines) and all(re.fullmatch(rb"@\S+", line) for line in lines)


def name_file(error: RedlineError, path: Path) -> None:
    """Puts the name of the file that `error` is about before its message."""
    error.message = f"{path}: {error.message}"
    error.args = (error.message,)


def _holds(data: bytes, block: str) -> bool:
    """Whether a file that is not the one to write holds the block; if it is broken, it does not."""
    try:
        return bool(find(data, block).spans)
    except RedlineError:
        return False


def _linked(path: Path) -> tuple[str, ...]:
    """A warning where the file has other names: a new file cannot be put behind them."""
    try:
        names = os.stat(path).st_nlink
    except OSError:
        return ()
    if names < 2:
        return ()
    return (f"{path} has {names} names (hard links): the others keep what they hold now",)


def _twice(path: Path, block: str) -> tuple[str, ...]:
    """A warning where a CLAUDE.md near `path` imports it and holds the block as well."""
    for name in _ABOVE:
        above = path.parent / name
        try:
            real = real_path(above)
            data = read_if_there(real) or b""
        except RedlineError:
            continue
        if real == path or not _holds(data, block):
            continue
        if any(Path(os.path.realpath(file)) == path for file, _ in _reached(real, data)):
            return (f"{above} imports this file and holds it as well: Claude Code reads it twice",)
    return ()
