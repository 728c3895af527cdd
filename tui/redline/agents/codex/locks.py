"""Which threads a running Codex has open for writing, by its lock files.

`thread-writer-locks/<thread id>.lock` is locked by the process that writes the thread (flock), and
taken away when that ends in order (0.171). On Linux the kernel's list of locks tells who holds one,
so that none is taken; elsewhere a shared lock is tried and given back at once.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from redline.agents.codex.finding import home
from redline.agents.codex.names import home_of
from redline.model import SessionInfo

_FOLDER = "thread-writer-locks"
LOCKS = Path("/proc/locks")
# 1: FLOCK  ADVISORY  WRITE 11163 fe:00:2777501 0 EOF
_LINE = re.compile(
    r"^\d+: +(?:FLOCK|OFDLCK|POSIX) +\S+ +WRITE +(-?\d+) +([0-9a-f]+):([0-9a-f]+):(\d+) ",
    re.MULTILINE,
)
_Held = Mapping[int, Sequence[tuple[int, int]]]


def live(
    infos: Sequence[SessionInfo], environment: Mapping[str, str] | None = None
) -> Mapping[str, str]:
    """Of `infos` those whose lock file is there: "lock" where it is held, "" where it is not."""
    folders = dict.fromkeys([home(environment), *(home_of(info.path) for info in infos)])
    wanted = {info.id for info in infos}
    files = {
        thread: path
        for folder in folders
        if folder is not None
        for thread, path in _lock_files(folder / _FOLDER)
        if thread in wanted
    }
    if not files:
        return {}
    held = held_locks(LOCKS) if sys.platform == "linux" else None
    found = {}
    for thread, path in files.items():
        is_held = _try(path) if held is None else _is_held(path, held)
        if is_held is not None:
            found[thread] = "lock" if is_held else ""
    return found


def _lock_files(folder: Path) -> list[tuple[str, Path]]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return []
    return [(name.removesuffix(".lock"), folder / name) for name in names if name.endswith(".lock")]


def held_locks(listing: Path) -> _Held | None:
    """The locks of this machine: (device, process) by inode. None where it does not list them."""
    try:
        text = listing.read_text("ascii", "replace")
    except OSError:
        return None
    found: dict[int, list[tuple[int, int]]] = {}
    for process, major, minor, inode in _LINE.findall(text):
        device = os.makedev(int(major, 16), int(minor, 16))
        found.setdefault(int(inode), []).append((device, int(process)))
    return found


def _is_held(path: Path, held: _Held) -> bool | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return any(
        device == status.st_dev or _has_open(process, status)
        for device, process in held.get(status.st_ino, ())
    )


def _has_open(process: int, status: os.stat_result) -> bool:
    """Whether the process has that file open: some file systems (btrfs, overlays) tell the kernel's
    list another device than they tell a program."""
    try:
        with os.scandir(f"/proc/{process}/fd") as entries:
            return any(_same(entry.path, status) for entry in entries)
    except OSError:
        return False


def _same(path: str, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(path), status)
    except OSError:
        return False


def _try(path: Path) -> bool | None:
    """Whether the lock is held, by trying it; None where that cannot be told."""
    try:
        import fcntl
    except ImportError:
        return None
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            fcntl.flock(file, fcntl.LOCK_UN)
    except BlockingIOError:
        return True
    except OSError:
        return None
    return False
