"""Whether a pi that runs may have a session open.

pi leaves no mark of its own: it keeps no file open, writes no lock, and goes on from what it has in
memory. But it calls its process `pi` (so that its arguments cannot be read), and tells the commands
that it runs where its session is (1.6.0).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from redline.agents.processes import PROCESSES
from redline.model import SessionInfo

RUNNING = "a running pi"
_NAMES = (b"pi", b"pi-rpc")
_TOLD = b"PI_SESSION_FILE="


def live(
    infos: Sequence[SessionInfo],
    environment: Mapping[str, str] | None = None,  # noqa: ARG001
    processes: Path = PROCESSES,
) -> Mapping[str, str]:
    """The ids of `infos` that a running pi may have open, each with what tells it.

    It has those whose file one of its commands was told, and the newest ones of the folder it runs
    in, as many as run there: asked about one alone, that one. Where the system tells of no
    processes nothing is found.
    """
    folders = folders_of_running(processes)
    if not folders:
        return {}
    told = set(_told(processes))
    left = Counter(folders)
    found = {}
    for info in sorted(infos, key=_changed, reverse=True):
        folder = os.path.realpath(info.project) if info.project else ""
        if left[folder] > 0:
            left[folder] -= 1
        elif os.path.realpath(info.path) not in told:
            continue
        found[info.id] = RUNNING
    return found


def folders_of_running(processes: Path = PROCESSES) -> tuple[str, ...]:
    """The working folder of each pi that runs."""
    found = []
    for process in _processes(processes):
        try:
            if (process / "comm").read_bytes().strip() in _NAMES:
                found.append(os.readlink(process / "cwd"))
        except OSError:  # it has ended, or is another user's
            continue
    return tuple(found)


def _told(processes: Path) -> Iterator[str]:
    """The session files that commands of pi's were told."""
    for process in _processes(processes):
        try:
            environment = (process / "environ").read_bytes()
        except OSError:
            continue
        for variable in environment.split(b"\0"):
            if variable.startswith(_TOLD):
                yield os.path.realpath(os.fsdecode(variable.removeprefix(_TOLD)))


def _processes(processes: Path) -> Iterator[Path]:
    try:
        with os.scandir(processes) as entries:
            names = [entry.name for entry in entries if entry.name.isdecimal()]
    except OSError:
        return
    yield from (processes / name for name in names)


def _changed(info: SessionInfo) -> float:
    try:
        return os.stat(info.path).st_mtime
    except OSError:
        return 0.0
