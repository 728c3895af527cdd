"""What a strategy is: a pure function from a window to a plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from redline.agents.own import OwnSettings
from redline.compaction.outline import Outline
from redline.compaction.plan import Pins, Plan
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger


@dataclass(frozen=True, slots=True)
class StrategySettings:
    """What a person can set; None takes the agent's own setting, else the strategy's default.

    `tail_tokens` is the budget of the tail, in the strategy's own tokens (`redline`: calibrated,
    `pi`: characters / 4). `keep_results` is how many of the last tool results stay whole and
    `clear_from` the calibrated tokens from which an older result is cleared (`redline`, `clear`).
    `weights` (of `rule`, `error`, `change`, `pin`), `score` (above which a message stays) and
    `turns` (the most of the last ones that stay) are those of `scored`. `own` is what the agents'
    own configurations say.
    """

    tail_tokens: int | None = None
    keep_results: int | None = None
    clear_from: int | None = None
    weights: Mapping[str, float] | None = None
    score: float | None = None
    turns: int | None = None
    own: OwnSettings = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trigger:
    """When an agent compacts by itself, or is asked to.

    `name` is a word or two; `phase` says when it looks ("before a turn", "within a turn", "by
    hand"); `tokens` is where it acts, None where it is off or unknown; `compared` says what it
    compares with that; `source` who told it: a settings file, a variable, the agent's default.
    """

    name: str
    phase: str
    tokens: int | None
    compared: str
    source: str


class Strategy(Protocol):
    """One way to compact. `about` says in a line what it does."""

    @property
    def name(self) -> str: ...

    @property
    def about(self) -> str: ...

    def triggers(self, window: Window, settings: StrategySettings) -> tuple[Trigger, ...]:
        """When the agent it is named after would do this to `window` by itself."""
        ...

    def propose(
        self,
        window: Window,
        outline: Outline,
        facts: Facts,
        ledger: Ledger,
        settings: StrategySettings,
        pins: Pins,
    ) -> Plan:
        """The plan for this context. Raises RedlineError where a pin cannot be honoured."""
        ...
