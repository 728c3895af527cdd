"""The table of contents of a session: its whole live history by turn, and what hangs on it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import datetime

from redline.model import PastCompaction, Session, SideBranch, Subagent

# A `place` is the index of a message in the history, from 0.


@dataclass(frozen=True, slots=True)
class Turn:
    """A prompt and everything up to the next. `number` counts from 1, `head` is the prompt's first
    line (raw, at most 200 characters). `tokens` is what the model was sent last in it: `billed`, or
    an estimate from characters. `sent` says that its prompt is in the context."""

    number: int
    place: int
    message: str
    head: str
    time: datetime | None
    messages: int
    calls: int
    errors: int
    tokens: int
    billed: bool
    sent: bool


@dataclass(frozen=True, slots=True)
class Kept:
    """A message that a compaction kept word for word. `prompt` says that a human wrote it."""

    place: int
    message: str
    head: str
    prompt: bool


@dataclass(frozen=True, slots=True)
class Boundary:
    """A past compaction: `number` counts from 1, `place` is that of the first message after it,
    `turn` the number of the turn it came in or after (0: before the first)."""

    number: int
    past: PastCompaction
    place: int
    turn: int
    kept: tuple[Kept, ...] = ()

    @property
    def prompts_kept(self) -> int:
        return sum(kept.prompt for kept in self.kept)


@dataclass(frozen=True, slots=True)
class FailedResult:
    """A result that tells of an error: by its flag, its exit status, or the lines it prints. `line`
    is the first of them, "" where none stands out; `call` is the command or the tool."""

    place: int
    turn: int
    message: str
    call_id: str | None
    call: str
    line: str
    time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Fork:
    """A side branch; it leaves after the message at `place`, None where that is not known."""

    branch: SideBranch
    place: int | None
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Started:
    """A subagent; `place` is that of the message that started it, None where it is not known."""

    subagent: Subagent
    place: int | None
    turn: int = 0


@dataclass(frozen=True, slots=True)
class BranchSummary:
    """What pi wrote down of a branch when it was left."""

    place: int
    turn: int
    message: str
    head: str


@dataclass(frozen=True, slots=True)
class Contents:
    """What a session holds, in the order of its live branch.

    `messages` counts the history; `spans` are the stretches [from, to) of it that are in the
    context. Everything else was sent once, and is not sent any more.
    """

    messages: int = 0
    spans: tuple[tuple[int, int], ...] = ()
    turns: tuple[Turn, ...] = ()
    compactions: tuple[Boundary, ...] = ()
    errors: tuple[FailedResult, ...] = ()
    branches: tuple[Fork, ...] = ()
    subagents: tuple[Started, ...] = ()
    summaries: tuple[BranchSummary, ...] = ()

    def in_context(self, place: int) -> bool:
        """Whether the message at `place` would be sent now."""
        at = bisect_right(self.spans, (place, self.messages + 1)) - 1
        return at >= 0 and place < self.spans[at][1]

    def turn_at(self, place: int) -> Turn | None:
        """The turn that the message at `place` belongs to."""
        at = bisect_right(self.turns, place, key=lambda turn: turn.place) - 1
        return self.turns[at] if at >= 0 else None

    @property
    def sent(self) -> int:
        """How many messages of the history are in the context."""
        return sum(end - start for start, end in self.spans)


def contents(session: Session) -> Contents:
    """The contents of `session`, in one pass over its history.

    Holds a few hundred bytes a turn, a compaction and an error, and nothing of a message, so that
    it fits in memory however large the file is. Raises RedlineError where the file has changed
    since the session was opened.
    """
    from redline.facts.listing import Listing

    listing = Listing(session)
    for message in session.source.history():
        listing.take(message)
    return listing.so_far()
