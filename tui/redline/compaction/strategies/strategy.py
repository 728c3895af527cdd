"""What a strategy is: a pure function from a window to a plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from redline.compaction.outline import Outline
from redline.compaction.plan import Pins, Plan
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger


@dataclass(frozen=True, slots=True)
class StrategySettings:
    """What a person can set; None takes the strategy's own default.

    `tail_tokens` is the budget of the tail, in the strategy's own tokens (`redline`: calibrated,
    `pi`: characters / 4). `keep_results` is how many of the last tool results stay whole and
    `clear_from` the calibrated tokens from which an older result in the tail is cleared
    (`redline`).
    """

    tail_tokens: int | None = None
    keep_results: int | None = None
    clear_from: int | None = None


class Strategy(Protocol):
    """One way to compact. `about` says in a line what it does."""

    @property
    def name(self) -> str: ...

    @property
    def about(self) -> str: ...

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
