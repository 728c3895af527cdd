"""How a session's context grew and shrank: what was billed, request by request."""

from __future__ import annotations

from dataclasses import dataclass

from redline.model import CompactionKind, Session


@dataclass(frozen=True, slots=True)
class Course:
    """`billed` are the input tokens of each reply of the live branch, in order. `drops` are the
    places in it that a compaction lies before; micro compactions, which take tool results only, are
    none."""

    billed: tuple[int, ...]
    drops: tuple[int, ...]


def course(session: Session) -> Course:
    """The course of `session`, empty where its records bill nothing. Reads its whole history: slow
    where it is long."""
    billed: list[int] = []
    places: list[int] = []
    for place, message in enumerate(session.source.history()):
        tokens = message.usage.billed if message.usage is not None else None
        if tokens is not None:
            billed.append(tokens)
            places.append(place)
    drops = [
        sum(1 for place in places if place < compaction.messages_before)
        for compaction in session.compactions
        if compaction.kind is not CompactionKind.MICRO
    ]
    return Course(tuple(billed), tuple(drop for drop in drops if 0 < drop < len(billed)))
