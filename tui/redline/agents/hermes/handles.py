"""File handles of a database while this process writes to it.

A process that closes any handle of a file gives up every lock that it has on the file (POSIX),
those of SQLite among them: reading a database's first bytes in one thread would leave the
transaction of another without its locks. So while one is written to, its handles stay open.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_WAIT = 10.0  # seconds for readers that SQLite itself does not know of


@dataclass(slots=True)
class _Kept:
    """A database that is written to: by how many, and the handles to be closed after the last."""

    writers: int = 0
    handles: list[int] = field(default_factory=list)


_turn = threading.Condition()
_kept: dict[str, _Kept] = {}  # by real path
_apart: dict[str, int] = {}  # by real path: readers without locks


def head(path: Path, size: int) -> bytes:
    """The first `size` bytes of the file at `path`. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        return os.read(handle, size)
    finally:
        with _turn:
            kept = _kept.get(os.path.realpath(path))
            if kept is None:
                os.close(handle)
            else:
                kept.handles.append(handle)


@contextmanager
def read_apart(path: Path) -> Iterator[None]:
    """Held while a database is read with no locks: then SQLite does not look after its handles."""
    real = os.path.realpath(path)
    with _turn:
        _turn.wait_for(lambda: real not in _kept, _WAIT)
        _apart[real] = _apart.get(real, 0) + 1
    try:
        yield
    finally:
        with _turn:
            _apart[real] -= 1
            if not _apart[real]:
                del _apart[real]
            _turn.notify_all()


@contextmanager
def kept_open(path: Path) -> Iterator[None]:
    """Held while a database is written to: no handle of it is closed, but by SQLite itself."""
    real = os.path.realpath(path)
    with _turn:
        kept = _kept.setdefault(real, _Kept())
        kept.writers += 1
        _turn.wait_for(lambda: real not in _apart, _WAIT)
    try:
        yield
    finally:
        with _turn:
            kept.writers -= 1
            if not kept.writers:
                del _kept[real]
                for handle in kept.handles:
                    os.close(handle)
                _turn.notify_all()
