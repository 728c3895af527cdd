"""`scored`: what matters most stays word for word wherever it stands, and the last turns do.

A message scores 0.4 for a rule or a decision, 0.3 for an error chain (the failed call, its retries
and what solved it), 0.2 for a diff or a signature, 0.1 for a pin. Above 0.5 it stays; a pin always
does. A call and its results score together. Of the last turns 10 stay where they fit the budget,
and 5 at least. Weights, threshold and turns are settings.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from redline.compaction.cuts import turn_cuts
from redline.compaction.drafting import Proposal, finish
from redline.compaction.earlier import bring_up_to_date
from redline.compaction.outline import Outline
from redline.compaction.pinning import pinned_cut
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.scoring import WEIGHTS, features, score_of, words_of
from redline.compaction.strategies.retelling import retell
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger
from redline.model import Role

SCORE = 0.5  # above it a message stays
TURNS = 10  # of the last ones stay where they fit the budget
LEAST_TURNS = 5
TAIL_TOKENS = 20_000
_SMALL_WINDOW = 5  # the budget is at most 1/5 of the model's window


class Scored:
    """Keeps by what a message holds rather than by where it stands."""

    name = "scored"
    about = "keeps rules, error chains and diffs by their score, and the last turns"

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
        """The plan. Settings it used: `tail_tokens`, `turns`, `score` and `weight_rule`,
        `weight_error`, `weight_change`, `weight_pin`. `details`: `messages_by_score`, how many
        stay before the tail because of their score."""
        budget = tail_budget(window) if settings.tail_tokens is None else settings.tail_tokens
        turns = TURNS if settings.turns is None else settings.turns
        least = SCORE if settings.score is None else settings.score
        weights = {**WEIGHTS, **(settings.weights or {})}
        actions, reasons = retell(outline, ledger)
        warnings: list[str] = []
        first = pinned_cut(outline, pins, warnings)
        if first is None:
            first = _first_kept(window.tokens, outline, turns, budget, warnings)
        if first is None:
            first = len(actions)
        found = features(outline, facts, ledger, pins)
        scores = {each: score_of(each, weights) for each in set(found)}
        high = {each for each, score in scores.items() if score > least}
        by_score = 0
        for i, each in enumerate(found[:first]):
            if outline.messages[i].role is Role.SYSTEM:
                actions[i], reasons[i] = Action.KEEP, "system prompt"
            elif each in high:
                actions[i], reasons[i] = Action.KEEP, "kept for its score"
                by_score += 1
        kept = len(actions) - first
        actions[first:], reasons[first:] = [Action.KEEP] * kept, ["in the last turns"] * kept
        proposal = Proposal(
            actions,
            reasons,
            window.tokens,
            first_kept=first if first < len(actions) else None,
            warnings=warnings,
            details={"messages_by_score": by_score},
        )
        bring_up_to_date(proposal, window, outline)
        used: dict[str, int | float | str | bool] = {
            "tail_tokens": budget,
            "turns": turns,
            "score": least,
            **{f"weight_{name}": weight for name, weight in weights.items()},
        }
        plan = finish(
            proposal,
            strategy=self.name,
            settings=used,
            outline=outline,
            pins=pins,
            window=window,
        )
        return replace(plan, reasons=_with_scores(plan.reasons, found, scores))


def _with_scores(
    reasons: Sequence[str], found: Sequence[int], scores: Mapping[int, float]
) -> tuple[str, ...]:
    """Each reason with the score and what made it."""
    ends = {
        each: f"; score {score:g}" + (f": {words_of(each)}" if each else "")
        for each, score in scores.items()
    }
    known: dict[tuple[str, int], str] = {}
    told = []
    for key in zip(reasons, found, strict=True):
        if key not in known:
            known[key] = key[0] + ends[key[1]]
        told.append(known[key])
    return tuple(told)


def tail_budget(window: Window) -> int:
    """The default budget of the last turns, in calibrated tokens."""
    return TAIL_TOKENS if window.limit is None else min(TAIL_TOKENS, window.limit // _SMALL_WINDOW)


def _first_kept(
    tokens: Sequence[int], outline: Outline, turns: int, budget: int, warnings: list[str]
) -> int | None:
    """The index the last turns start at: as many as fit, 5 at least.

    A context that has no more than those 5 and is over the budget is cut between two calls, by the
    budget: otherwise a single long turn could never be compacted.
    """
    if not outline.cuts:
        return None
    below = list(accumulate(reversed(tokens), initial=0))[::-1]
    starts = turn_cuts(outline)
    least = min(turns, LEAST_TURNS)
    if starts and (below[starts[0]] <= budget or len(starts) > least):
        fitting = len(starts) - bisect_left(starts, -budget, key=lambda i: -below[i])
        count = min(max(min(fitting, turns), least), len(starts))
        if count > fitting:
            warnings.append(
                f"the budget of {budget:,} tokens cannot be kept: "
                f"the last {count} turns weigh {below[starts[-count]]:,}"
            )
        return starts[-count] if count else len(tokens)
    fits = bisect_left(outline.cuts, -budget, key=lambda i: -below[i])
    first = outline.cuts[min(fits, len(outline.cuts) - 1)]
    if starts:
        said = "turn weighs" if len(starts) == 1 else f"{len(starts)} turns weigh"
        warnings.append(
            f"the only {said} {below[starts[0]]:,} tokens, more than the budget of {budget:,}: "
            "the tail starts inside a turn"
        )
    if below[first] > budget:
        warnings.append(
            f"the budget of {budget:,} tokens cannot be kept: "
            f"the shortest tail there can be weighs {below[first]:,}"
        )
    return first


STRATEGY = Scored()
