"""Sessions in memory, joined from pieces of others. Nothing of it lies on disk, no original is
changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any

from redline.agents.messages.given import session_of
from redline.model import (
    Block,
    CompactionKind,
    Counts,
    Kind,
    Message,
    Part,
    PartType,
    PastCompaction,
    Session,
    SessionSource,
)

CONTINUED = "This session is being continued from a previous conversation.\n\n"

Piece = tuple[Message, SessionSource]


class Joined:
    """A SessionSource over messages whose bodies come from several sessions. What is of none of
    `pieces` (a system prompt beside them) comes from `rest`."""

    def __init__(self, pieces: Sequence[Piece], rest: SessionSource) -> None:
        self._rest = rest
        self._messages = tuple(message for message, _ in pieces)
        self._sources = {
            part.origin.path: source for message, source in pieces for part in message.parts
        }

    def source_of(self, message: Message) -> SessionSource:
        """Where the bodies of `message` come from."""
        return self._of(message.parts[0]) if message.parts else self._rest

    def _of(self, part: Part) -> SessionSource:
        return self._sources.get(part.origin.path, self._rest)

    def text(self, part: Part) -> str:
        """See `SessionSource.text`."""
        return self._of(part).text(part)

    def value(self, part: Part) -> object:
        """See `SessionSource.value`."""
        return self._of(part).value(part)

    def history(self) -> Iterator[Message]:
        """Every message; there is nothing but the context."""
        return iter(self._messages)

    def resume(self) -> Iterator[Block]:
        """Every part as it would be sent again."""
        for message in self._messages:
            for part in message.parts:
                text = self.text(part)
                role, record = message.role.value, part.origin.record
                yield Block(role, part.wire, part.call_id, text, message.id, record)


def said(items: Sequence[Mapping[str, Any]], name: str) -> list[Piece]:
    """Messages in the form of Anthropic as pieces of a session; `name` makes their ids unique."""
    if not items:
        return []
    made = session_of([{"id": f"{name}.{at}", **item} for at, item in enumerate(items)], id=name)
    return [(message, made.source) for message in made.context]


def summary(text: str, name: str) -> list[Piece]:
    """A handoff as the message that a compacted session begins with."""
    return said([{"role": "user", "content": CONTINUED + text}], name)


def pieces_of(session: Session) -> list[Piece]:
    """The messages of the session's context."""
    source = session.source
    return [
        (message, source.source_of(message) if isinstance(source, Joined) else source)
        for message in session.context
    ]


def joined(pieces: Sequence[Piece], like: Session, name: str) -> Session:
    """A session of `pieces`, otherwise `like` that one. The last summary among them is that of a
    compaction."""
    pieces = [piece for piece in pieces if piece[0].parts]
    messages = tuple(message for message, _ in pieces)
    summaries = [m for m in messages if any(part.kind is Kind.SUMMARY for part in m.parts)]
    past = [
        PastCompaction(f"{name}.compaction", CompactionKind.FULL, 1, summary=message)
        for message in summaries[-1:]
    ]
    calls = {p.call_id for m in messages for p in m.parts if p.type is PartType.TOOL_CALL}
    answered = {p.call_id for m in messages for p in m.parts if p.type is PartType.TOOL_RESULT}
    return replace(
        like,
        info=replace(like.info, id=name, live=False, live_by="", parent=None),
        context=messages,
        source=Joined(pieces, like.source),
        compactions=tuple(past),
        side_branches=(),
        subagents=(),
        damage=(),
        counts=Counts(
            records=len(messages),
            messages=len(messages),
            prompts=sum(len(message.prompts) for message in messages),
            turns=sum(1 for message in messages if message.prompts),
            tool_pairs=len((calls & answered) - {None}),
        ),
        leaf=messages[-1].id if messages else None,
        gauge=None,
        resume_messages=len(messages),
        resume_lost=0,
        asked_leaf=None,
        before=None,
    )


def empty(name: str, project: str, model: str) -> Session:
    """A session that others can be joined like."""
    made = session_of([{"role": "user", "content": "."}], id=name, project=project, model=model)
    return replace(made, info=replace(made.info, path=Path(f"{name}.jsonl"), title=""))


def text_of(session: Session) -> str:
    """Everything that the session's context says, part by part."""
    return "\n".join(session.text(part) for message in session.context for part in message.parts)


def told_by(session: Session) -> str:
    """All that can be known from the session: what is said in it, its name and the times."""
    info = session.info
    times = [m.time.astimezone(UTC) for m in session.context if m.time is not None]
    stamps = " ".join(f"{time:%Y-%m-%dT%H:%M:%SZ %Y-%m-%d %H:%M}" for time in times)
    named = f"{info.path} {info.id} {info.project or ''} {info.title} {info.model or ''}"
    return f"{text_of(session)}\n{named}\n{stamps}"


def characters_of(session: Session) -> int:
    """How many characters the parts of the session's context have."""
    return sum(len(session.text(part)) for message in session.context for part in message.parts)
