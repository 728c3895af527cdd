"""The skeleton of one conversation record: what its place in the chain needs, and no body."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from redline.agents.records import Record
from redline.model import CompactionKind

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Type(StrEnum):
    """Records that are linked by uuid and parentUuid."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    ATTACHMENT = "attachment"
    PROGRESS = "progress"


class Mark:
    """What a record is beside its type: bits of `Node.marks`. Plain numbers, because an IntFlag is
    thirty times as slow and every record is asked; the common ones first, because numbers up to 256
    take no memory."""

    NONE = 0
    SENT = 1  # the model gets something of it
    RESULTS = 2  # a user record that carries tool results
    CALLS = 4  # an assistant record that holds a tool call
    SIDECHAIN = 8  # of a subagent
    ASIDE = 16  # it says that it is of a subagent, also where the whole file is one's
    META = 32
    SYNTHETIC = 64  # made by the program, not by a model
    LOOSE = 128  # it says nothing of a parent
    SUMMARY = 256
    API_ERROR = 512  # shown to the person, never sent
    BOUNDARY = 1024  # a compaction, full or partial
    MICRO = 2048  # a compaction of tool results only
    NAMELESS = 4096  # it has no uuid; the agent's loader leaves it out
    RECOVERED = 8192  # from a line that the agent's loader cannot read


_SIZE_BITS = 32
_NUMBER_BITS = 32


@dataclass(slots=True)
class Node:
    """One record of the chain. There are very many of them, so that each is kept small.

    `place` is its rank in the file (of the first record with this uuid), `span` packs its line, its
    first byte and its size, of the last record with this uuid: see `span_of`. `time` is in seconds
    since 1970, UTC. `prompts` counts its parts of that kind, `billed` is the input side of its
    usage in tokens.
    """

    place: int
    span: int
    type: Type
    uuid: str
    parent: str | None
    marks: int
    time: float | None = None
    api_id: str | None = None
    prompts: int = 0
    billed: int | None = None

    @property
    def number(self) -> int:
        """Its line, from 1."""
        return self.span & (1 << _NUMBER_BITS) - 1

    @property
    def start(self) -> int:
        """Its first byte."""
        return self.span >> _NUMBER_BITS + _SIZE_BITS

    @property
    def end(self) -> int:
        """The byte behind its last one."""
        return self.start + (self.span >> _NUMBER_BITS & (1 << _SIZE_BITS) - 1)

    @property
    def when(self) -> datetime | None:
        """Its time, aware, UTC."""
        return None if self.time is None else EPOCH + timedelta(seconds=self.time)

    @property
    def sidechain(self) -> bool:
        return bool(self.marks & Mark.SIDECHAIN)

    @property
    def loaded(self) -> bool:
        """Whether the agent's own loader takes the record in."""
        return not self.marks & (Mark.NAMELESS | Mark.RECOVERED)


def span_of(record: Record) -> int:
    """Where a record lies, packed into one number: three would take twice as much memory."""
    size = min(record.end - record.start, (1 << _SIZE_BITS) - 1)
    return (record.start << _SIZE_BITS | size) << _NUMBER_BITS | record.number


@dataclass(frozen=True, slots=True)
class Boundary:
    """What a compaction boundary says. `head` and `tail` are the preserved segment's ends."""

    uuid: str
    kind: CompactionKind
    logical_parent: str | None = None
    trigger: str | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None
    anchor: str | None = None
    preserved: tuple[str, ...] = ()
    head: str | None = None
    tail: str | None = None
    cleared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeafHint:
    """A `last-prompt` record: the leaf that the program noted, and whether it is pinned."""

    leaf: str | None
    explicit: bool
    place: int  # how many chain records came before it


def text(value: Any) -> str | None:
    """`value` where it is a text that says something."""
    return value if isinstance(value, str) and value else None


def names(value: Any) -> tuple[str, ...]:
    """The texts of a list, () where it is none."""
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()
