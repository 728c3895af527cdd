"""What a session_meta says of its thread: its id, its parent, whether it is a subagent's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Thread:
    """`parent` is the id of the thread that this one copies, continues or works for.

    `subagent` is the kind of a subagent (its role, or Codex's word for it), None of a thread that
    a person began. `label` is what Codex calls the agent.
    """

    id: str | None
    parent: str | None = None
    subagent: str | None = None
    label: str | None = None

    @property
    def is_child(self) -> bool:
        """Whether it hangs from its parent rather than standing in a list of its own."""
        return self.subagent is not None and self.parent is not None


def thread_of(meta: Mapping[str, Any]) -> Thread:
    """The thread of a session_meta's payload, whatever stands in it."""
    source = meta.get("source")
    told = source.get("subagent") if isinstance(source, dict) else None
    spawned = told.get("thread_spawn") if isinstance(told, dict) else None
    spawn: Mapping[str, Any] = spawned if isinstance(spawned, dict) else {}
    other = told.get("other") if isinstance(told, dict) else told
    is_subagent = told is not None or meta.get("thread_source") == "subagent"
    worked_for = _text(meta.get("parent_thread_id")) or _text(spawn.get("parent_thread_id"))
    forked = _text(meta.get("forked_from_id"))
    role = _first(meta.get("agent_role"), meta.get("agent_type"), spawn.get("agent_role"), other)
    return Thread(
        _text(meta.get("id")),
        (worked_for or forked) if is_subagent else (forked or worked_for),
        (role or "subagent") if is_subagent else None,
        _first(meta.get("agent_nickname"), spawn.get("agent_nickname")),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _first(*values: object) -> str | None:
    return next((text for value in values if (text := _text(value))), None)
