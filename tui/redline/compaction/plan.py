"""A plan: one action for every message of the context, and what the next window then holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from redline.compaction.outline import Outline


class Action(StrEnum):
    """What happens to a message or part.

    KEEP, CLEAR and SHORTEN leave it in the next window (word for word; a result's body replaced by
    a placeholder in its place; its middle taken out). QUOTE, SUMMARISE and DROP take it out: its
    prompts stand word for word in the handoff; it is retold there; it is gone.
    """

    KEEP = "keep"
    CLEAR = "clear"
    SHORTEN = "shorten"
    QUOTE = "quote"
    SUMMARISE = "summarise"
    DROP = "drop"

    @property
    def stays(self) -> bool:
        return self in (Action.KEEP, Action.CLEAR, Action.SHORTEN)


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the tail starts: the index of its first message, and whether that is inside a turn."""

    message: str
    index: int
    splits_turn: bool


@dataclass(frozen=True, slots=True)
class Pins:
    """What a person overrides: the cut (id of the first kept message), actions by message id, and
    actions of single parts by (message id, place of the part)."""

    cut: str | None = None
    actions: Mapping[str, Action] = field(default_factory=dict)
    parts: Mapping[tuple[str, int], Action] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlanTokens:
    """Calibrated tokens: of the context before, of what stays (clearing counted), of what clearing
    takes out, of what is summarised, quoted or dropped. `after_without_summary` includes the system
    overhead."""

    before: int
    kept: int
    cleared: int
    summarised: int
    after_without_summary: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Exactly one action a message, columns aligned with `outline.messages`.

    `parts` overrides single parts by (message index, part index). `summary_at` is the place of the
    summary among the resulting messages, None where the strategy writes none into the context.
    `estimates[i]` is the strategy's own estimate (its agent's), in tokens. Construction checks the
    invariants of `architecture.md` and raises ValueError where they do not hold.
    """

    strategy: str
    settings: Mapping[str, int | float | str | bool]
    outline: Outline
    actions: tuple[Action, ...]
    reasons: tuple[str, ...]
    estimates: tuple[int, ...]
    parts: Mapping[tuple[int, int], Action] = field(default_factory=dict)
    pinned: frozenset[int] = frozenset()
    summary_at: int | None = 0
    cut: Cut | None = None
    warnings: tuple[str, ...] = ()

    def action_of(self, message: int, part: int) -> Action:
        return self.parts.get((message, part), self.actions[message])
