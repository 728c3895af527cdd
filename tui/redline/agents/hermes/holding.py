"""Who may hold a session of Hermes in memory, beside what `finding.live` knows.

Hermes 0.19 marks nothing while it waits for a prompt, and its gateway keeps the sessions of all
chats: whoever has the database open may go on from what it has in memory.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from redline.agents.hermes.store import Store
from redline.agents.processes import PROCESSES

HEARTBEAT = 180.0  # seconds; 0.22's gateway writes one a minute
_TABLE = "gateway_heartbeats"
_OWN = "redline"  # another one, which only reads it for a moment
_SECONDS = 10.0  # for the system's own list of open files
_ENDINGS = ("", "-wal", "-shm", "-journal")


def holder(path: Path, now: float, *, patient: bool = True, processes: Path = PROCESSES) -> str:
    """What may have a session of the database at `path` in memory, "" where nothing is known to.

    Where the system does not tell who has a file open (no /proc; no lsof, which is asked only if
    `patient`, for it takes a second) the heartbeats of gateways speak alone. `now` is in seconds
    since 1970. Raises RedlineError where it cannot be read.
    """
    store = Store(path)
    if {"last_heartbeat", "backend_id"} <= set(store.columns(_TABLE)):
        query = f"SELECT backend_id FROM {_TABLE} WHERE last_heartbeat > ? LIMIT 1"
        for row in store.fetch(query, (now - HEARTBEAT,)):
            return f"a gateway of Hermes is running: {row['backend_id']}"
    real = os.path.realpath(path)
    found = ""
    if processes.is_dir():
        found = _opened_by(real, processes)
    elif patient:
        found = _listed(real)
    return f"{found} has its database open" if found else ""


def _opened_by(real: str, processes: Path) -> str:
    wanted = {real + ending for ending in _ENDINGS}
    for process in os.listdir(processes):
        if not process.isdecimal() or int(process) == os.getpid():
            continue
        try:
            handles = os.scandir(processes / process / "fd")
        except OSError:  # ended meanwhile, or another user's
            continue
        with handles:
            for handle in handles:
                if (
                    _leads_to(handle.path) in wanted
                    and (name := _name(processes / process)) != _OWN
                ):
                    return f"process {process} ({name})"
    return ""


def _leads_to(handle: str) -> str:
    try:
        return os.readlink(handle).removesuffix(" (deleted)")
    except OSError:
        return ""


def _name(process: Path) -> str:
    try:
        return (process / "comm").read_text("utf-8", "replace").strip()
    except OSError:
        return "?"


def _listed(real: str) -> str:
    """The same by `lsof`, where there is one."""
    program = shutil.which("lsof")
    if program is None:
        return ""
    files = [real + ending for ending in _ENDINGS if os.path.exists(real + ending)]
    try:
        told = subprocess.run(
            [program, "-t", "--", *files],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    others = [line for line in told.split() if line.isdecimal() and int(line) != os.getpid()]
    return f"process {others[0]}" if others else ""
