"""`clear`: old tool results give way to a placeholder, all else stays; no summary, no model.

Masking old tool output halves the cost of a run and loses nothing measurable (Complexity Trap,
arXiv 2508.21433), so it is often enough. A result with an error that nothing later solved stays.
"""

from __future__ import annotations

from redline.compaction.drafting import Proposal, finish
from redline.compaction.effect import weight_after
from redline.compaction.old_results import old_results
from redline.compaction.outline import Outline, Place
from redline.compaction.pinning import pinned_cut
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger

KEEP_RESULTS = 5  # the last ones, which the agent is still at work with
CLEAR_FROM = 300  # tokens; what is smaller frees next to nothing, and often holds an anchor
_OPEN = "its error is still open"
NOTHING = "frees nothing live: there is no old tool result that is large enough"


class Clear:
    """Clears old tool results, as agents do between their compactions."""

    name = "clear"
    about = "clears old tool results only: no summary, free"

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
        """The plan. Settings it used: `keep_results`, `clear_from`. A pinned cut keeps every result
        after it, whatever `keep_results` says. `details`: `results_cleared` and `tokens_freed`,
        a person's pins aside."""
        del ledger
        keep = KEEP_RESULTS if settings.keep_results is None else settings.keep_results
        least = CLEAR_FROM if settings.clear_from is None else settings.clear_from
        warnings: list[str] = []
        first = pinned_cut(outline, pins, warnings)
        size = len(outline.messages)
        actions, reasons = [Action.KEEP] * size, ["no old tool result"] * size
        parts: dict[Place, Action] = {}
        wanted = {fact.call_id for fact in facts.open_errors if fact.call_id is not None}
        count = freed = 0
        for i, old in old_results(window, keep if first is None else 0, least).items():
            if first is not None and i >= first:
                continue
            body = outline.messages[i].parts
            cleared = [j for j in old.places if body[j].call_id not in wanted]
            if len(cleared) == len(old.places) and old.all_of_it:
                actions[i] = Action.CLEAR
            else:
                parts.update(((i, j), Action.CLEAR) for j in cleared)
            reasons[i] = "old result" if cleared else _OPEN
            count += len(cleared)
            tokens = (window.parts[i][j] for j in cleared)
            freed += sum(each - weight_after(Action.CLEAR, each) for each in tokens)
        by_hand = Action.CLEAR in pins.actions.values() or Action.CLEAR in pins.parts.values()
        if not freed and not by_hand:
            warnings.append(NOTHING)
        proposal = Proposal(
            actions,
            reasons,
            window.tokens,
            parts,
            first,
            summary=False,
            warnings=warnings,
            details={"results_cleared": count, "tokens_freed": freed},
        )
        used = {"keep_results": keep, "clear_from": least}
        return finish(
            proposal,
            strategy=self.name,
            settings=used,
            outline=outline,
            pins=pins,
            window=window,
        )


STRATEGY = Clear()
