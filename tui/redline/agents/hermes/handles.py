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
from pathlib import Path

_WAIT = 10.0  # seconds for readers that SQLite itself does not know of
_turn = threading.Condition()
_kept: dict[str, list[int]] = {}  # by real path: handles to be closed when the writing is over
_apart: dict[str, int] = {}  # by real path: readers without locks


def head(path: Path, size: int) -> bytes:
    """The first `size` bytes of the file at `path`. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        return os.read(handle, size)
    finally:
        with _turn:
            later = _kept.get(os.path.realpath(path))
            if later is None:
                os.close(handle)
            else:
                later.append(handle)


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
    """Held while a database is written to: no handle of it is closed, but by SQLite itself. One
    thread at a time."""
    real = os.path.realpath(path)
    with _turn:
        _turn.wait_for(lambda: real not in _apart and real not in _kept, _WAIT)
        _kept.setdefault(real, [])
    try:
        yield
    finally:
        with _turn:
            for handle in _kept.pop(real, ()):
                os.close(handle)
            _turn.notify_all()
