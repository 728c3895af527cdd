"""Whether an agent has a session open: by the agent's own marks, else by recent change."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from redline.model import Agent, SessionInfo

SEVERAL = (Agent.HERMES, Agent.MESSAGES)  # agents whose files hold several sessions
_NEVER = datetime.min.replace(tzinfo=UTC)
BY_CHANGE = "a recent change"  # what is said where nothing but that speaks for it
SINCE = "a change since "  # how it begins where a change since something else does
RECENT = timedelta(minutes=2)  # a session that changed since then counts as live where no mark is


def mark_live(
    infos: Sequence[SessionInfo],
    environment: Mapping[str, str] | None = None,
    now: datetime | None = None,
) -> list[SessionInfo]:
    """`infos` with `live` and `live_by` as they are now; `now` stands for the clock (UTC)."""
    from redline.agents.discover import finder_of

    moment = datetime.now(UTC) if now is None else now
    by_agent: dict[Agent, list[SessionInfo]] = {}
    for info in infos:
        by_agent.setdefault(info.agent, []).append(info)
    marks = {
        agent: finder.live(those, environment)
        for agent, those in by_agent.items()
        if (finder := finder_of(agent)) is not None
    }
    return [_marked(info, marks.get(info.agent, {}), moment) for info in infos]


def is_by_change(mark: str) -> bool:
    """Whether nothing but when the session was written speaks for the mark."""
    return mark == BY_CHANGE or mark.startswith(SINCE)


def _marked(info: SessionInfo, marks: Mapping[str, str], now: datetime) -> SessionInfo:
    told = marks.get(info.id)
    if told and not os.path.exists(info.path):
        told = ""  # the agent may run on, but what is listed here is not there any more
    if told is None:
        # A clock that is ahead by more (a file of another machine) tells nothing.
        recent = -RECENT < now - _changed(info) < RECENT
        told = BY_CHANGE if recent else ""
    return replace(info, live=bool(told), live_by=told)


def _changed(info: SessionInfo) -> datetime:
    """When the session was written to; of one of several in a file, its last message."""
    if info.agent in SEVERAL:
        return info.updated or _NEVER
    try:
        return datetime.fromtimestamp(info.path.stat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return _NEVER
