"""How the sessions of a Hermes database hang together.

A session that Hermes compacted under a new id ended by `compression`; its child goes on with it.
Other children are branches (`/branch`) and subagents. The rules are those of Hermes 0.19 and 0.22.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from redline.agents.hermes.rows import decoded, seconds
from redline.agents.hermes.store import text

_COMPRESSION = "compression"
_SUBAGENT = "subagent"
_TOOL = "tool"


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A row of `sessions`, without its system prompt. Times are seconds since 1970."""

    id: str
    source: str = ""
    model: str | None = None
    parent: str | None = None
    started: float | None = None
    ended: float | None = None
    end_reason: str | None = None
    title: str | None = None
    project: str | None = None
    branched_from: str | None = None
    delegate_from: str | None = None

    @property
    def subagent(self) -> bool:
        """Whether another session's call started it."""
        return self.delegate_from is not None or self.source == _SUBAGENT


def session_row(values: Mapping[str, Any]) -> SessionRow | None:
    """The row that `values` are, None where it has no id."""
    name = text(values, "id") or text(values, "session_id")
    if name is None:
        return None
    config = decoded("tool_calls", values.get("model_config"))
    config = config if isinstance(config, dict) else {}
    parent = text(values, "parent_session_id")
    return SessionRow(
        name,
        text(values, "source") or text(values, "platform") or "",
        text(values, "model"),
        parent if parent != name else None,
        seconds(values.get("started_at")),
        seconds(values.get("ended_at")),
        text(values, "end_reason"),
        text(values, "title"),
        text(values, "cwd") or text(values, "git_repo_root"),
        text(config, "_branched_from"),
        text(config, "_delegate_from"),
    )


class Lineage:
    """The sessions of one database. `newest` tells when the last message of each was written."""

    def __init__(
        self, sessions: Iterable[SessionRow], newest: Mapping[str, float] | None = None
    ) -> None:
        self.sessions = {session.id: session for session in sessions}
        self._newest = newest or {}
        self._children: dict[str, list[SessionRow]] = {}
        for session in self.sessions.values():
            for parent in dict.fromkeys((session.parent, session.delegate_from)):
                if parent is not None:
                    self._children.setdefault(parent, []).append(session)

    def continues(self, session: SessionRow) -> SessionRow | None:
        """The session that `session` goes on with after a compaction, None where it is no such."""
        parent = self.sessions.get(session.parent or "")
        if parent is None or parent.end_reason != _COMPRESSION:
            return None
        aside = session.subagent or session.branched_from or session.source == _TOOL
        return None if aside else parent

    def ancestors(self, session: SessionRow) -> tuple[SessionRow, ...]:
        """The sessions that `session` is the end of, the first one first, itself last."""
        chain, seen = [session], {session.id}
        while (parent := self.continues(chain[0])) is not None and parent.id not in seen:
            seen.add(parent.id)
            chain.insert(0, parent)
        return tuple(chain)

    def next_of(self, session: SessionRow) -> SessionRow | None:
        """The session that goes on with `session` after a compaction: of several the one that was
        compacted itself, then one that has not ended, then the one with the newest message."""
        after = [c for c in self._children.get(session.id, ()) if self.continues(c) is session]
        return max(after, key=self._order, default=None)

    def _order(self, child: SessionRow) -> tuple[int, float, float, str]:
        rank = 2 if child.end_reason == _COMPRESSION else 1 if child.ended is None else 0
        started = child.started or 0.0
        return rank, self._newest.get(child.id, started), started, child.id

    def listed(self) -> tuple[SessionRow, ...]:
        """The sessions that are conversations: no subagents, and none that another goes on with."""
        alone = (s for s in self.sessions.values() if not s.subagent)
        return tuple(s for s in alone if self.next_of(s) is None or self._in_a_ring(s))

    def _in_a_ring(self, session: SessionRow) -> bool:
        """Whether the chain of sessions comes back to `session`: then none of it is the last."""
        seen, at = {session.id}, self.next_of(session)
        while at is not None and at.id not in seen:
            seen.add(at.id)
            at = self.next_of(at)
        return at is not None and at.id == session.id

    def subagents(self, session: SessionRow) -> tuple[SessionRow, ...]:
        """The sessions that calls in `session` started, in the order of their start."""
        children = [child for child in self._children.get(session.id, ()) if child.subagent]
        return tuple(sorted(children, key=lambda child: (child.started or 0.0, child.id)))

    def copied(self, session: SessionRow) -> str | None:
        """The id of the session that `session` is a branch of."""
        if session.branched_from:
            return session.branched_from
        if session.parent is None or session.subagent or self.continues(session) is not None:
            return None
        return session.parent
