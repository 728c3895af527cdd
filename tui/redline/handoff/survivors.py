"""What survives a compaction: the handoff's text and the messages that stay, as they stay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from redline.handoff.sections import sections
from redline.handoff.survival import Index, Piece
from redline.handoff.verdicts import Candidates
from redline.model import Kind, Message, Part, PartState, PartType, Session

HANDOFF = "handoff"


@dataclass
class Survivors:
    """What is left. `authority` holds rules and prompts, `said` what can hold the user's words,
    `words` the copied output of tools as well, `rest` the bodies of everything that stays, read
    when something is not found in the first. `kept` are (message, part) of prompts that stay as
    they are."""

    authority: list[Piece]
    said: list[Piece]
    words: list[Piece]
    rest: Callable[[], Iterable[Piece]]
    kept: frozenset[tuple[str, int]] = frozenset()
    readable: bool = True

    @cached_property
    def rules(self) -> Index:
        return Index.of(self.authority)

    @cached_property
    def near_rules(self) -> Candidates:
        return Candidates.of(self.rules)

    @cached_property
    def spoken(self) -> Index:
        return self.text if self.said == self.words else Index.of(self.said)

    @cached_property
    def near_spoken(self) -> Candidates:
        return self.near_text if self.said == self.words else Candidates.of(self.spoken)

    @cached_property
    def text(self) -> Index:
        return Index.of(self.words)

    @cached_property
    def near_text(self) -> Candidates:
        return Candidates.of(self.text)

    @cached_property
    def bodies(self) -> Index:
        return Index.of(self.rest())


def survivors(
    session: Session,
    where: str,
    text: str,
    kept: list[tuple[int, Message]],
    stays: Callable[[int, Part], bool],
    words: Callable[[str], str] = lambda text: text,
) -> Survivors:
    """Of the handoff `text` and of the parts of the (index, message) in `kept` for which `stays`
    says so. Thinking, images and opaque parts say nothing that can be looked up. `where` is what
    the text is called, `words` gives what counts of a prompt."""
    prompts: list[Piece] = []
    places: set[tuple[str, int]] = set()
    others: list[tuple[Message, Part]] = []
    for index, message in kept:
        for part in message.parts:
            if not stays(index, part) or part.state is PartState.CLEARED:
                continue
            if part.type in (PartType.IMAGE, PartType.OPAQUE, PartType.THINKING):
                continue
            if part.kind is Kind.PROMPT:
                places.add((message.id, part.index))
                prompts.append(Piece(message.id, words(session.text(part))))
            else:
                others.append((message, part))
    told = sections(text)
    return Survivors(
        authority=[Piece(where, told.in_force, markdown=True), *prompts],
        said=[Piece(where, told.own, markdown=True), *prompts],
        words=[Piece(where, told.everything, markdown=True), *prompts],
        rest=lambda: (Piece(message.id, _body(session, part)) for message, part in others),
        kept=frozenset(places),
    )


def _body(session: Session, part: Part) -> str:
    """The body of a part; of a call the texts of its input, without the escapes of JSON."""
    if part.type is not PartType.TOOL_CALL:
        return session.text(part)
    value = session.source.value(part)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return str(value)
    return "\n".join(_texts(value))


def _texts(value: object) -> Iterator[str]:
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case dict() as fields:
                waiting += reversed(list(fields.values()))
            case list() as items:
                waiting += reversed(items)
            case other:
                yield str(other)
