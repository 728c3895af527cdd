"""Originals: the files of agents' sessions. No target may be one, whatever it is called."""

from __future__ import annotations

import os
from pathlib import Path

from redline.errors import RedlineError

# What agents write records and rows to; also of agents that have no reader yet.
_ENDINGS = (".jsonl", ".db", ".sqlite")


def spare_original(path: Path) -> None:
    """Raises RedlineError where the file at `path` is, or may be, a session of an agent."""
    from redline.agents.opening import recognise

    if not os.path.isfile(path):
        return
    try:
        what = f"a session of {recognise(path).agent.value}"
    except RedlineError:
        if path.suffix.lower() not in _ENDINGS:
            return
        what = f"a {path.suffix} file, which may hold sessions"
    raise RedlineError(
        f"{path} is {what}: redline never writes to those", "choose another name for the file"
    )
