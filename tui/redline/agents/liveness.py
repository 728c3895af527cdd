"""Whether an agent has a session open: by the agent's own marks, else by recent change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from redline.model import Agent, SessionInfo

RECENT = timedelta(minutes=2)  # a session that changed since then counts as live where no mark is


def mark_live(
    infos: Sequence[SessionInfo],
    environment: Mapping[str, str] | None = None,
    now: datetime | None = None,
) -> list[SessionInfo]:
    """`infos` with `live` and `live_by` as they are now; `now` stands for the clock (UTC)."""
    from redline.agents.discover import finders

    moment = datetime.now(UTC) if now is None else now
    by_agent: dict[Agent, list[SessionInfo]] = {}
    for info in infos:
        by_agent.setdefault(info.agent, []).append(info)
    marks = {
        finder.agent: finder.live(by_agent[finder.agent], environment)
        for finder in finders()
        if finder.agent in by_agent
    }
    return [_marked(info, marks.get(info.agent, {}), moment) for info in infos]


def _marked(info: SessionInfo, marks: Mapping[str, str], now: datetime) -> SessionInfo:
    told = marks.get(info.id)
    if told is None:
        recent = _changed(info) > now - RECENT
        told = "a recent change" if recent else ""
    return replace(info, live=bool(told), live_by=told)


def _changed(info: SessionInfo) -> datetime:
    try:
        return datetime.fromtimestamp(info.path.stat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return datetime.min.replace(tzinfo=UTC)
