"""Whether a pi that runs may have a session open.

pi leaves no mark of its own: it keeps no file open, writes no lock, and goes on from what it has in
memory. But it calls its process `pi` (so that its arguments cannot be read), and tells the commands
that it runs where its session is (1.6.0). Started with `--session` it stays in the folder where it
was started, which need not be the session's.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from redline.agents.liveness import SINCE
from redline.agents.pi.finding import find
from redline.agents.processes import PROCESSES, started_at
from redline.model import SessionInfo

RUNNING = "a running pi"
_NAMES = (b"pi", b"pi-rpc")
_TOLD = b"PI_SESSION_FILE="
_UNSURE = 2.0  # seconds between the clock of processes and that of files
_LONGEST_HEAD = 1 << 16  # bytes


def live(
    infos: Sequence[SessionInfo],
    environment: Mapping[str, str] | None = None,
    processes: Path | None = None,
) -> Mapping[str, str]:
    """The ids of `infos` that a running pi may have open, each with what tells it.

    It has those whose file one of its commands was told, and the newest ones of the folder it runs
    in, as many as run there: asked about one alone, that one, and also one that was written since
    a pi elsewhere was started which has written no session of its own folder. Where the system
    tells of no processes nothing is found.
    """
    processes = processes or PROCESSES
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
    if not found and len(infos) == 1:
        elsewhere = _that_may_have_written(infos[0], environment, processes)
        if elsewhere is not None:
            found[infos[0].id] = f"{SINCE}a pi was started in {elsewhere}"
    return found


def folders_of_running(processes: Path | None = None) -> tuple[str, ...]:
    """The working folder of each pi that runs."""
    return tuple(folder for _process, folder in _running(processes or PROCESSES))


def _running(processes: Path) -> Iterator[tuple[int, str]]:
    """The number of each pi that runs, and its working folder."""
    for process in _processes(processes):
        try:
            if (process / "comm").read_bytes().strip() in _NAMES:
                yield int(process.name), os.readlink(process / "cwd")
        except OSError:  # it has ended, or is another user's
            continue


def _that_may_have_written(
    info: SessionInfo, environment: Mapping[str, str] | None, processes: Path
) -> str | None:
    """The folder of a pi since whose start `info` was written, and no session of that folder."""
    for process, folder in _running(processes):
        since = started_at(process, processes)
        if since is None or _changed(info) < since - _UNSURE:
            continue
        if not any(
            os.path.realpath(project) == folder
            for path in find(environment)
            if _written(path) >= since - _UNSURE and (project := _project(path))
        ):
            return folder
    return None


def _project(path: Path) -> str:
    """The working folder that a session file names, "" where it names none."""
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline(_LONGEST_HEAD))
    except (OSError, ValueError, RecursionError):
        return ""
    named = head.get("cwd") if isinstance(head, dict) else None
    return named if isinstance(named, str) and "\0" not in named else ""


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
    return _written(info.path)


def _written(path: Path) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
