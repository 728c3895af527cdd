"""The window: how much of the model's limit a session uses, and by what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from redline.model import Kind, Part, PartType, Session

if TYPE_CHECKING:
    from redline.context.counting import Counts


class Source(StrEnum):
    """How a number is known. `MEASURED` comes from billed usage."""

    MEASURED = "measured"
    ESTIMATED = "estimated"


class Category(StrEnum):
    """What the bar is split by. Injected text counts as system."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    THINKING = "thinking"
    TOOL = "tool"
    SUMMARY = "summary"


def category_of(part: Part) -> Category:
    """The share of the bar a part counts to."""
    if part.type is PartType.THINKING:
        return Category.THINKING
    match part.kind:
        case Kind.PROMPT:
            return Category.USER
        case Kind.TOOL_CALL | Kind.TOOL_RESULT:
            return Category.TOOL
        case Kind.SUMMARY:
            return Category.SUMMARY
        case Kind.REPLY:
            opaque = part.type is PartType.OPAQUE
            return Category.THINKING if opaque else Category.ASSISTANT
        case Kind.INJECTED | Kind.NOTICE:
            return Category.SYSTEM


@dataclass(frozen=True, slots=True)
class Window:
    """A session's context in tokens.

    `limit` is the model's window, `threshold` where the agent compacts (limit - reserve), each None
    where nothing tells it. `billed` is the input side of the last real request after the last
    compaction, `used` adds that reply and an estimate of what came after: what the next request
    will weigh. `overhead` is the part of the system share no message holds: system prompt, tool
    definitions, memory files. `parts[i][j]` are the calibrated tokens of part j of context message
    i and `tokens[i]` their sum; overhead + sum(tokens) == used == sum(categories). `counts` is what
    it was made of before calibration, for the next window of the same session.
    """

    session: Session
    limit: int | None
    limit_source: str
    threshold: int | None
    threshold_source: str
    billed: int | None
    used: int
    source: Source
    overhead: int
    tokens: tuple[int, ...]
    parts: tuple[tuple[int, ...], ...]
    categories: Mapping[Category, int]
    counts: Counts | None = field(default=None, repr=False, compare=False)

    @property
    def reserve(self) -> int | None:
        """What the agent holds back for itself before it compacts, in tokens."""
        if self.limit is None or self.threshold is None:
            return None
        return max(0, self.limit - self.threshold)

    @property
    def free(self) -> int | None:
        """limit - reserve - used; below zero where the threshold is already passed."""
        if self.limit is None:
            return None
        return self.limit - (self.reserve or 0) - self.used


def unmeasured(session: Session) -> Window:
    """A window that weighs nothing and knows no limit, for what asks for no tokens."""
    parts = tuple((0,) * len(message.parts) for message in session.context)
    return Window(
        session=session,
        limit=None,
        limit_source="",
        threshold=None,
        threshold_source="",
        billed=None,
        used=0,
        source=Source.ESTIMATED,
        overhead=0,
        tokens=(0,) * len(parts),
        parts=parts,
        categories=dict.fromkeys(Category, 0),
    )
