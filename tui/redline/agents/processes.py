"""Whether a process that an agent noted down is still the one that runs."""

from __future__ import annotations

import os
from pathlib import Path

PROCESSES = Path("/proc")
_START = 19  # the field of its start, counted behind the name, which may hold blanks


def runs(process: int, start: object = None, processes: Path = PROCESSES) -> bool:
    """Whether the process with this number runs; where that cannot be asked, no.

    `start` is when it was started as the system counts it (Linux: ticks since the machine's start,
    as a text), where that was noted down: a number is given to another process later.
    """
    if os.name != "posix" or process <= 0:
        return False
    try:
        os.kill(process, 0)
    except PermissionError:
        pass
    except (OSError, OverflowError):
        return False
    if not isinstance(start, str) or not start.isdecimal():
        return True
    known = _started(process, processes)
    return known is None or known == start


def started_at(process: int, processes: Path = PROCESSES) -> float | None:
    """When a process was started, in seconds since 1970, give or take one; None where that cannot
    be told."""
    ticks = _started(process, processes)
    try:
        lines = (processes / "stat").read_text("utf-8", "replace").splitlines()
        booted = next(line.split()[1] for line in lines if line.startswith("btime "))
        return int(booted) + int(ticks or "") / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def _started(process: int, processes: Path) -> str | None:
    """When a process was started, None where that cannot be told."""
    try:
        text = (processes / str(process) / "stat").read_text("utf-8", "replace")
        return text.rpartition(")")[2].split()[_START]
    except (OSError, IndexError):
        return None
