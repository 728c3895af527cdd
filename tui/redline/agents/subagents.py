"""Where a subagent's own session lies."""

from __future__ import annotations

from dataclasses import replace

from redline.model import Agent, Session, SessionInfo, Subagent


def info_of(session: Session, subagent: Subagent) -> tuple[SessionInfo, str | None]:
    """What opens the session of `subagent`, and the leaf where it lies in the file of `session`."""
    info = session.info
    title = subagent.description or subagent.kind or subagent.id
    if subagent.path == info.path and info.agent is not Agent.HERMES:
        return info, subagent.id
    fresh = SessionInfo(agent=info.agent, id=subagent.id, path=subagent.path)
    return replace(fresh, project=info.project, title=title), None
