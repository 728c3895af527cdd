"""A message while its parts are collected."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from redline.agents.heads import calls_line, head_line
from redline.agents.messages.kinds import pieces
from redline.model import Kind, Message, Origin, Part, PartType, Pointer, Role, Usage


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item lies: its record (see `Origin`) and the way to it in there."""

    path: Path
    record: int
    start: int
    end: int
    pointer: Pointer = ()

    def at(self, *steps: str | int) -> Place:
        return Place(self.path, self.record, self.start, self.end, (*self.pointer, *steps))


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of a reply beside its words."""

    usage: Usage | None = None
    model: str | None = None
    stop: str | None = None
    api_id: str | None = None
    time: datetime | None = None


@dataclass(slots=True)
class Draft:
    """`word` is the role in the body's own words."""

    id: str
    role: Role
    word: str
    time: datetime | None = None
    answer: Answer = Answer()
    parts: list[Part] = field(default_factory=list)
    head: str = ""
    calls: list[str] = field(default_factory=list)

    def add(
        self,
        type: PartType,  # noqa: A002 - the model's own word
        kind: Kind,
        wire: str,
        place: Place,
        body: str = "",
        *,
        span: tuple[int, int] | None = None,
        **fields: Any,
    ) -> None:
        """A part whose body lies at `place`."""
        body = body[slice(*span)] if span else body
        origin = Origin(place.path, place.record, place.start, place.end, place.pointer, span)
        self.parts.append(
            Part(type, kind, origin, len(body), wire, index=len(self.parts), **fields)
        )
        if not self.head and type in (PartType.TEXT, PartType.TOOL_RESULT):
            self.head = head_line(body)

    def text(self, kind: Kind, wire: str, place: Place, body: str) -> None:
        """A text; a human's may become several parts, by who wrote them."""
        if kind is not Kind.PROMPT:
            self.add(PartType.TEXT, kind, wire, place, body)
            return
        found = pieces(body)
        for piece, start, end in found:
            whole = len(found) == 1 and (start, end) == (0, len(body))
            if piece is Kind.PROMPT and any(part.kind is not Kind.PROMPT for part in self.parts):
                self.head = ""  # a list shows what was typed, not the reminder before it
            span = None if whole else (start, end)
            self.add(PartType.TEXT, piece, wire, place, body, span=span)

    def finished(self) -> Message:
        answer = self.answer
        return Message(
            id=self.id,
            role=self.role,
            parts=tuple(self.parts),
            time=self.time or answer.time,
            usage=answer.usage,
            model=answer.model,
            api_id=answer.api_id,
            stop=answer.stop,
            head=self.head or calls_line(self.calls),
        )
