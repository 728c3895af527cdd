"""`redline`, the default: a tail by budget, the user's words quoted, the rest retold.

The summary stands first. The tail starts where a turn starts if one fits, otherwise between two
calls. Large results in the tail are cleared except the last few: masking old tool output costs
nothing and loses the least (Complexity Trap, arXiv 2508.21433). In the budget such a result counts
as `clear_from` tokens, so that one big file does not push the conversation out of the tail.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from itertools import accumulate

from redline.compaction.cuts import turn_cuts
from redline.compaction.drafting import Proposal, finish
from redline.compaction.earlier import bring_up_to_date
from redline.compaction.old_results import OldResults, old_results
from redline.compaction.outline import Outline, Place
from redline.compaction.pinning import pinned_cut
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.remembered import Remembered
from redline.compaction.strategies.retelling import retell
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger
from redline.model import Role

TAIL_TOKENS = 20_000
KEEP_RESULTS = 5
CLEAR_FROM = 2_000
_TURN_FITS = 4  # a turn's start is taken where its tail fills at least 1/4 of the budget
_SMALL_WINDOW = 5  # the tail takes at most 1/5 of the model's window
_SMALL_CONTEXT = 3  # and 1/3 of what the messages weigh, so that there is something to gain


class Redline:
    """The strategy of this program."""

    name = "redline"
    about = "keeps a tail word for word, quotes your words, retells the rest"

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
        """The plan. Settings it used: `tail_tokens`, `keep_results`, `clear_from`."""
        del facts
        budget = tail_budget(window) if settings.tail_tokens is None else settings.tail_tokens
        keep = KEEP_RESULTS if settings.keep_results is None else settings.keep_results
        least = CLEAR_FROM if settings.clear_from is None else settings.clear_from
        actions, reasons = retell(outline, ledger)
        warnings: list[str] = []
        cleared = old_results(window, keep, least)
        first = pinned_cut(outline, pins, warnings)
        if first is None:
            first = _first_kept(window, outline, cleared, budget, least)
            warnings += _too_large(window, first, cleared, budget, pins)
        if first is None:
            first = len(actions)
        for i in _system_prompts(outline):
            if i < first:
                actions[i], reasons[i] = Action.KEEP, "system prompt"
        kept = len(actions) - first
        actions[first:], reasons[first:] = [Action.KEEP] * kept, ["in the tail"] * kept
        parts: dict[Place, Action] = {}
        for i, old in cleared.items():
            if i >= first:
                reasons[i] = "old result in the tail"
                if old.all_of_it:
                    actions[i] = Action.CLEAR
                else:
                    parts.update(dict.fromkeys(((i, j) for j in old.places), Action.CLEAR))
        proposal = Proposal(
            actions,
            reasons,
            window.tokens,
            parts,
            first_kept=first if first < len(actions) else None,
            warnings=warnings,
        )
        bring_up_to_date(proposal, window, outline)
        used = {"tail_tokens": budget, "keep_results": keep, "clear_from": least}
        return finish(
            proposal,
            strategy=self.name,
            settings=used,
            outline=outline,
            pins=pins,
            window=window,
        )


def _find_system_prompts(outline: Outline) -> tuple[int, ...]:
    return tuple(i for i, m in enumerate(outline.messages) if m.role is Role.SYSTEM)


_system_prompts = Remembered(_find_system_prompts)


def _too_large(
    window: Window, first: int | None, cleared: Mapping[int, OldResults], budget: int, pins: Pins
) -> list[str]:
    """A warning where the shortest tail there can be weighs far more than its budget, but for what
    a person decided on."""
    if first is None:
        return []
    context = window.session.context
    weights = [
        0 if context[i].id in pins.actions else weight - (cleared[i].tokens if i in cleared else 0)
        for i, weight in enumerate(window.tokens[first:], first)
    ]
    if 2 * sum(weights) <= 3 * budget:
        return []
    most = max(weights)
    return [
        f"the tail is larger than its {budget} tokens: message {first + weights.index(most)} alone "
        f"has {most}"
    ]


def tail_budget(window: Window) -> int:
    """The default budget of the tail, in calibrated tokens."""
    budget = min(TAIL_TOKENS, sum(window.tokens) // _SMALL_CONTEXT)
    return budget if window.limit is None else min(budget, window.limit // _SMALL_WINDOW)


def _first_kept(
    window: Window, outline: Outline, cleared: Mapping[int, OldResults], budget: int, least: int
) -> int | None:
    """The index the tail starts at: the longest one within `budget`, at the start of a turn where
    that fills enough of it; at least the last message that can stand alone.

    Where one big pair would leave the tail nearly empty it may go half over the budget.
    """
    cuts = outline.cuts
    if not cuts:
        return None
    weights = list(window.tokens)
    for i, old in cleared.items():
        weights[i] -= old.tokens - least * len(old.places)
    below = list(accumulate(reversed(weights), initial=0))[::-1]  # below[i]: what i and after weigh
    fitting = bisect_left(below, -budget, key=lambda weight: -weight)
    at = min(bisect_left(cuts, fitting), len(cuts) - 1)
    if at and 2 * below[cuts[at]] < budget and 2 * below[cuts[at - 1]] <= 3 * budget:
        at -= 1
    first = cuts[at]
    turns = turn_cuts(outline)
    turn_at = bisect_left(turns, first)
    if turn_at < len(turns):
        turn = turns[turn_at]
        if below[turn] * _TURN_FITS >= min(budget, below[first]):
            return turn
    if turn_at and below[first] > budget:  # over it anyway: the turn's start, if that costs little
        turn = turns[turn_at - 1]
        if (below[turn] - below[first]) * _TURN_FITS <= budget:
            return turn
    return first


STRATEGY = Redline()
