"""Where a rollout's own records begin, after those that it repeats of its parent.

A fork of a legacy thread, and a subagent that was given the context, start with all records of the
parent, written again at once. They are told by the parent's session_meta behind the own one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from redline.agents.codex.names import created
from redline.agents.codex.rollout import read_file
from redline.agents.codex.thread import thread_of
from redline.agents.records import Record
from redline.agents.times import read_time

_TURN_MARKS = frozenset({"task_started", "turn_started"})
_AT_ONCE = timedelta(seconds=1)  # the copy is written without a pause longer than this


def own_start(path: Path) -> int:
    """The place in the plain text where the file's own records begin: 0 where it repeats none.

    What is counted over several sessions (tokens, prompts) counts from there on, so that each
    record counts once. The turns' ids tell the place (since 2026-02 they hold their time), before
    that the first pause in the times. Raises RedlineError where the file cannot be read.
    """
    own: Mapping[str, Any] | None = None
    copied = False
    paused: int | None = None
    before: datetime | None = None
    begun: datetime | None = None
    end = 0
    for record in read_file(path, [], _is_bulk):
        end = record.end
        payload = record.value.get("payload")
        if not isinstance(payload, dict):
            continue
        if record.value.get("type") == "session_meta":
            if own is None:
                own, begun = payload, created(thread_of(payload).id or "")
            else:
                copied = True
        elif own is None:
            return 0
        elif (ordinal := own.get("subagent_history_start_ordinal")) is not None:
            if _is_from(record, ordinal):
                return record.start
            copied = True
        elif not copied:
            return 0
        else:
            turn = _turn(record.value, payload)
            if turn is not None and begun is not None and turn >= begun:
                return record.start
        time = read_time(record.value.get("timestamp"))
        if copied and paused is None and before and time and time - before > _AT_ONCE:
            paused = record.start
        before = time or before
    if not copied:
        return 0
    return paused if paused is not None else end


def _is_bulk(kind: str, inner: str, _size: int) -> bool:
    """Records that tell neither a turn nor, being many, a time that others do not."""
    return kind == "compacted" or inner == "reasoning"


def _is_from(record: Record, ordinal: object) -> bool:
    own = record.value.get("ordinal")
    return type(own) is int and type(ordinal) is int and own >= ordinal


def _turn(value: Mapping[str, Any], payload: Mapping[str, Any]) -> datetime | None:
    """When the turn that this record belongs to was begun, by its id."""
    marks = value.get("type") == "turn_context" or payload.get("type") in _TURN_MARKS
    ident = payload.get("turn_id")
    return created(ident) if marks and isinstance(ident, str) else None
