"""`fresh`: nothing is kept; a new session starts from the handoff file."""

from __future__ import annotations

from redline.compaction.drafting import Proposal, finish
from redline.compaction.earlier import bring_up_to_date
from redline.compaction.outline import Outline
from redline.compaction.pinning import pinned_cut
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.strategies.retelling import retell
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger


class Fresh:
    """Everything is retold in the handoff file, the user's words are quoted there."""

    name = "fresh"
    about = "keeps nothing: a new session starts from the handoff file"

    def triggers(self, window: Window, settings: StrategySettings) -> tuple[Trigger, ...]:
        """None of its own."""
        del window, settings
        return ()

    def propose(
        self,
        window: Window,
        outline: Outline,
        facts: Facts,
        ledger: Ledger,
        settings: StrategySettings,
        pins: Pins,
    ) -> Plan:
        """The plan for a new session. A pinned cut keeps what follows it after all."""
        del facts, settings
        actions, reasons = retell(outline, ledger, before="in the handoff file")
        warnings: list[str] = []
        first = pinned_cut(outline, pins, warnings)
        if first is not None:
            kept = len(actions) - first
            actions[first:], reasons[first:] = [Action.KEEP] * kept, ["in the tail"] * kept
        proposal = Proposal(
            actions, reasons, window.tokens, first_kept=first, summary=False, warnings=warnings
        )
        bring_up_to_date(proposal, window, outline)
        return finish(proposal, strategy=self.name, settings={}, outline=outline, pins=pins)


STRATEGY = Fresh()
