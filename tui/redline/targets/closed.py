"""Whether a session may be changed in its place: only while no agent has it open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from redline.agents.live_words import live_reason
from redline.agents.liveness import is_by_change, mark_live
from redline.errors import RedlineError
from redline.files import UNCHANGED
from redline.model import SessionInfo


def closed(
    path: Path,
    info: SessionInfo,
    *,
    environment: Mapping[str, str] | None = None,
    now: datetime | None = None,
    recent: bool = True,
) -> None:
    """Returns where no agent has the session `info` in `path` open; asked last before a write.

    An agent that runs goes on from what it has in memory: what is written below its feet is lost,
    or breaks its session. `recent` counts a recent change as open too; it is False where the file
    is just what redline itself wrote. `environment` and `now` stand for the process's own and the
    clock. Raises RedlineError with the reason and the ways that work.
    """
    (marked,) = mark_live([replace(info, path=path)], environment, now)
    if not marked.live or (not recent and is_by_change(marked.live_by)):
        return
    raise RedlineError(
        f"{info.agent.value} session {info.id} is open, or may be: {live_reason(marked.live_by)}; "
        f"{UNCHANGED}",
        "close it and try again, write a new session beside it, or start afresh from a handoff "
        "file",
        status=1,
    )
