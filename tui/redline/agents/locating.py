"""Finds a message by the place of its record, wherever in the session it lies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from redline.errors import RedlineError
from redline.model import Message, Session

Place = tuple[int, int]  # record and start, as in a passage
OpenLeaf = Callable[[str], Session]


@dataclass(frozen=True, slots=True)
class Located:
    """A message that was looked for, in `session`: the one it was looked for in, or the same
    opened on the side branch that holds it. `sent` says that it is in the context there."""

    session: Session
    message: str
    sent: bool


def holds(message: Message, at: Place) -> bool:
    """Whether a part of `message` lies at that place. A database row has no start of its own."""
    record, start = at
    return any(
        part.origin.record == record
        and (part.origin.start == start or (not part.origin.start and not part.origin.end))
        for part in message.parts
    )


def locate(session: Session, at: Place, open_leaf: OpenLeaf) -> Located | None:
    """The message at that place: of the context, else of the history, else of a side branch; None
    where none holds it. Slow: reads the history, and opens branch after branch."""
    if found := _first(session.context, at):
        return Located(session, found, True)
    if found := _first(session.source.history(), at):
        return Located(session, found, False)
    for branch in reversed(session.side_branches):
        try:
            side = open_leaf(branch.leaf)
        except RedlineError:
            continue  # a branch that cannot be opened holds nothing to go to
        if found := _first(side.context, at):
            return Located(side, found, True)
        if found := _first(side.source.history(), at):
            return Located(side, found, False)
    return None


def _first(messages: Iterable[Message], at: Place) -> str | None:
    return next((message.id for message in messages if holds(message, at)), None)
