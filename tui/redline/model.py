"""What every floor speaks about: sessions, messages and their parts.

Plain frozen values; nothing here reads a file. A body (the text of a part) stays on disk and is
fetched through the session's `source` when it is wanted, so that a session costs the memory of
its skeleton only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable


class Agent(StrEnum):
    """A program that writes sessions; `MESSAGES` is a plain list of messages, of no agent."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    PI = "pi"
    HERMES = "hermes"
    MESSAGES = "messages"


class Role(StrEnum):
    """Who a message is from, as the API sees it. Tool results come from the user."""

    USER = "user"
    ASSISTANT = "assistant"
    DEVELOPER = "developer"
    SYSTEM = "system"


class PartType(StrEnum):
    """The form of a part. `OPAQUE` is what only the provider can read."""

    TEXT = "text"
    THINKING = "thinking"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    IMAGE = "image"
    OPAQUE = "opaque"


class Kind(StrEnum):
    """What a part is for. Only `PROMPT` is a human's own words."""

    PROMPT = "prompt"
    REPLY = "reply"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    INJECTED = "injected"
    SUMMARY = "summary"
    NOTICE = "notice"


class PartState(StrEnum):
    """Whether the model still gets the whole body; an agent may have cleared it before."""

    LIVE = "live"
    CLEARED = "cleared"


Pointer = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the body of a part lies.

    `record` counts from 1 (line of a file; id of a database row), glued records of one line share
    it. `start` and `end` are the byte span of the record in the file, both 0 for a database row.
    `pointer` leads to the body inside the decoded record; `span` narrows it to characters
    [from, to) where one string holds several parts (a summary merged into a message that stays).
    """

    path: Path
    record: int
    start: int = 0
    end: int = 0
    pointer: Pointer = ()
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One block of a message.

    `chars` is the length of the body in characters (of an image: 0). `call_id` ties a call to its
    results; an image inside a tool result is a part of its own with that `call_id`. `wire` is the
    agent's own word for the block (`tool_use`, `function_call`, ...). `pixels` is (width, height)
    of an image where known. `error` marks a result the agent flagged as failed. `index` is the
    place of the part in its message.
    """

    type: PartType
    kind: Kind
    origin: Origin
    chars: int
    wire: str
    index: int = 0
    call_id: str | None = None
    tool: str | None = None
    error: bool = False
    state: PartState = PartState.LIVE
    pixels: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one API reply as billed. `None` where the record says nothing usable.

    `cache_write_1h` is the part of `cache_write` that stays for an hour, where that is told.
    """

    input: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None
    output: int | None = None
    cache_write_1h: int | None = None

    @property
    def billed(self) -> int | None:
        """The input side: what the model was sent, in tokens."""
        known = [n for n in (self.input, self.cache_read, self.cache_write) if n is not None]
        return sum(known) if known and sum(known) > 0 else None


@dataclass(frozen=True, slots=True)
class Billed:
    """One request that was paid for, wherever in a session it was made: on a branch that was left,
    or to write a summary.

    `key` is the same in every copy of it. `aside` says that a subagent made it, `requests` how many
    there are where the agent keeps their sum only (0: unknown). `dollars` is what the agent itself
    took it to cost, None where it does not say.
    """

    key: str
    model: str | None
    usage: Usage
    aside: bool = False
    requests: int = 1
    dollars: float | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """What the API sees as one: all records of one reply are one message.

    `id` is the agent's own id of the first record, or `line:N` where it has none. `usage` is of the
    whole reply, and absent where it was billed before the last compaction (a preserved message)
    or by no real request. `stop` is the agent's own stop reason. `head` is its first line
    for lists (at most 200 characters, raw), so that a list needs no body. `seam` is true where the
    chain was healed just before this message: the agent's own loader does not see what is above.
    """

    id: str
    role: Role
    parts: tuple[Part, ...]
    time: datetime | None = None
    usage: Usage | None = None
    model: str | None = None
    api_id: str | None = None
    stop: str | None = None
    head: str = ""
    seam: bool = False

    @property
    def prompts(self) -> tuple[Part, ...]:
        """The parts that are a human's own words."""
        return tuple(part for part in self.parts if part.kind is Kind.PROMPT)


class CompactionKind(StrEnum):
    """How much an agent's own compaction took: all, all but preserved messages, tool results."""

    FULL = "full"
    PARTIAL = "partial"
    MICRO = "micro"


@dataclass(frozen=True, slots=True)
class PastCompaction:
    """A boundary in the history, in the order of the live branch.

    Tokens: `tokens_before` and `reported_after` as the agent wrote them, `tokens_after` the first
    billed input after the boundary. `summary` is the message that holds the summary's text, if it
    can be read; `messages_before` counts the live branch above the boundary. `preserved` are ids of
    messages kept word for word, `cleared` the call ids whose results were taken out (micro).
    `sealed` is what only the provider can read of it: an encrypted summary.
    """

    id: str
    kind: CompactionKind
    record: int
    trigger: str | None = None
    time: datetime | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None
    reported_after: int | None = None
    messages_before: int = 0
    summary: Message | None = None
    preserved: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()
    sealed: Part | None = None


@dataclass(frozen=True, slots=True)
class Gauge:
    """What the agent itself makes of its window: what it shows, and what it acts upon.

    `percent_left` is the agent's own figure on its screen. `active` is its hidden count in tokens,
    which it compares with `trigger`, where it compacts; None where nothing tells them.
    """

    percent_left: int | None = None
    active: int | None = None
    trigger: int | None = None

    @property
    def until(self) -> int | None:
        """Tokens until the agent compacts; 0 where it will do so now."""
        if self.active is None or self.trigger is None:
            return None
        return max(0, self.trigger - self.active)


class DamageKind(StrEnum):
    """What can be wrong with a record. None of it is fatal."""

    UNREADABLE = "unreadable"  # no JSON, half-written, torn
    GLUED = "glued"  # several records on one line
    NOT_AN_OBJECT = "not_an_object"
    UNKNOWN = "unknown"  # a record type nobody knows; kept, not understood
    WRONG_TYPE = "wrong_type"  # a field is not what the format says
    DUPLICATE = "duplicate"  # an id used twice; the last one wins
    DANGLING = "dangling"  # a parent that names nothing
    CYCLE = "cycle"
    ORPHAN = "orphan"  # a result without its call
    ENCODING = "encoding"  # bytes that are not UTF-8, lone surrogates
    TORN_TAIL = "torn_tail"  # the last line is half-written
    MISSING = "missing"  # something referred to is not there (first kept entry, subagent, header)


@dataclass(frozen=True, slots=True)
class Damage:
    """One finding. `record` counts from 1; `detail` says in a few words what was expected."""

    record: int
    kind: DamageKind
    detail: str


@dataclass(frozen=True, slots=True)
class Subagent:
    """A subagent's session by reference; `call_id` is the call that started it, where known."""

    id: str
    path: Path
    kind: str | None = None
    description: str | None = None
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class SideBranch:
    """A branch off the live one: it leaves after message `fork` and ends in the record `leaf`.

    `answered` is false for a draft that was recalled before it got a reply.
    """

    leaf: str
    fork: str | None
    records: int
    answered: bool
    head: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """Figures of the whole file.

    `records` are parsed lines or rows; `messages`, `prompts` and `turns` those of the live branch,
    also before compactions; `tool_pairs` calls with their result anywhere in the session's own
    records; `unknown` records of a type nobody knows.
    """

    records: int = 0
    messages: int = 0
    prompts: int = 0
    turns: int = 0
    tool_pairs: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """One block as the agent's own loader would send it on resume, in order.

    `text` follows `commands.md`: a call's input as JSON with sorted keys, a result's texts joined
    by newlines. `role` and `type` are the agent's own words, `id` the tool call's id.
    """

    role: str
    type: str
    id: str | None
    text: str
    message: str
    record: int


class SessionSource(Protocol):
    """Fetches what a session leaves on disk. Opens the file for each need and keeps no handle."""

    def text(self, part: Part) -> str:
        """The whole body of `part`. A call gives its input as JSON with sorted keys (or the
        arguments string the agent stores), a result its texts joined by newlines, an image "".

        Raises RedlineError where the file has changed under the session.
        """
        ...

    def value(self, part: Part) -> object:
        """The decoded body of `part`: a call's input as dict, otherwise what JSON holds."""
        ...

    def history(self) -> Iterator[Message]:
        """Every message of the live branch in order, also those before compactions."""
        ...

    def resume(self) -> Iterator[Block]:
        """What the agent's own loader would send if it resumed this session."""
        ...


@runtime_checkable
class PromptSource(Protocol):
    """A source that finds a person's words without reading everything else."""

    def prompts(self) -> Iterator[Message]:
        """The messages of `history` that hold a prompt."""
        ...


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """What a list shows of a session without opening it. `project` is its working directory.

    `live` says that an agent has it open now, `live_by` what tells so (its registry, its lock, a
    recent change). `size` is in bytes, of a session that is a part of a file those of its texts.
    """

    agent: Agent
    id: str
    path: Path
    project: str | None = None
    title: str = ""
    model: str | None = None
    started: datetime | None = None
    updated: datetime | None = None
    size: int = 0
    live: bool = False
    live_by: str = ""
    first_prompt: str = ""
    last_prompt: str = ""
    billed: int | None = None  # input tokens of the last real request, where the scan saw it
    parent: str | None = None  # id or path of the session this one copies (fork, clone)


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation, opened.

    `context` are the messages the model would be sent now by a process that is still running: the
    live branch after the last compaction, summary first. `resume_messages` counts what the
    agent's own loader would find of them and `resume_lost` those it would not. `leaf` is the id
    of the last record of the live branch. `window` is the model's limit in tokens where the
    session itself states it; `threshold` likewise. `gauge` holds the agent's own figures.
    `system` is the system prompt, where the session holds it; it is no message of the context.
    `delegated` is the session of a subagent: its prompts were written by another agent, and none
    of them is a person's. `asked_leaf` and `before` say that this is another view than the live
    one: of the branch that ends there, or as it was just before the compaction of that number.
    """

    info: SessionInfo
    context: tuple[Message, ...]
    source: SessionSource
    compactions: tuple[PastCompaction, ...] = ()
    side_branches: tuple[SideBranch, ...] = ()
    subagents: tuple[Subagent, ...] = ()
    damage: tuple[Damage, ...] = ()
    counts: Counts = field(default_factory=Counts)
    leaf: str | None = None
    window: int | None = None
    threshold: int | None = None
    gauge: Gauge | None = None
    version: str | None = None
    resume_messages: int = 0
    resume_lost: int = 0
    asked_leaf: str | None = None
    before: int | None = None
    system: Message | None = None
    delegated: bool = False

    @property
    def being_written(self) -> int | None:
        """The record of a half-written last line, while an agent has the session open."""
        torn = (found.record for found in self.damage if found.kind is DamageKind.TORN_TAIL)
        return next(torn, None) if self.info.live else None

    @property
    def lasting_damage(self) -> tuple[Damage, ...]:
        """The damage but for what a line that is just being written would be without its end."""
        if (record := self.being_written) is None:
            return self.damage
        unended = (DamageKind.TORN_TAIL, DamageKind.ENCODING)
        return tuple(one for one in self.damage if one.record != record or one.kind not in unended)

    def text(self, part: Part) -> str:
        """The whole body of `part`; see `SessionSource.text`."""
        return self.source.text(part)

    def prompts(self) -> Iterator[Message]:
        """The messages of the history that hold a prompt."""
        if isinstance(self.source, PromptSource):
            return self.source.prompts()
        return (message for message in self.source.history() if message.prompts)
