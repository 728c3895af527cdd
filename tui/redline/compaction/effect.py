"""What a plan does to the window: tokens, the bar afterwards, and the three layers.

Made to be quick: what does not depend on the plan is kept in columns, one a category.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

from redline.compaction.layers import LAYER_WORDS, LayerName, layers_of, memory_items
from redline.compaction.outline import Place
from redline.compaction.plan import (
    PLACEHOLDER_TOKENS,
    SHORTENED_TOKENS,
    STAYING,
    Action,
    Plan,
    PlanTokens,
    clearable,
)
from redline.compaction.remembered import Remembered
from redline.context.window import Category, Window, category_of
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger

_CHARACTERS_A_TOKEN = 4  # for the short lines of the memory, an estimate


@dataclass(frozen=True, slots=True)
class Layer:
    """One of the three places a context goes to. `count` are messages (of the memory: items),
    `tokens` what they weigh now."""

    name: str
    count: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Columns:
    """Tokens of each message by category: whole, and what clearing it takes out."""

    whole: Mapping[Category, Sequence[int]]
    cleared: Mapping[Category, Sequence[int]]


def _columns(window: Window) -> _Columns:
    size = len(window.tokens)
    whole: dict[Category, list[int]] = {}
    cleared: dict[Category, list[int]] = {}
    for i, (message, tokens) in enumerate(zip(window.session.context, window.parts, strict=True)):
        for part, weight in zip(message.parts, tokens, strict=True):
            category = category_of(part)
            if category not in whole:
                whole[category], cleared[category] = [0] * size, [0] * size
            whole[category][i] += weight
            if clearable(part):
                cleared[category][i] += weight - weight_after(Action.CLEAR, weight)
    return _Columns(whole, cleared)


_columns_of = Remembered(_columns)


def plan_tokens(plan: Plan, window: Window) -> PlanTokens:
    """What the plan keeps, clears and takes out, in calibrated tokens."""
    kept, cleared = _kept(plan, window)
    total = sum(kept.values())
    return PlanTokens(
        before=window.used,
        kept=total,
        cleared=cleared,
        summarised=window.used - total - cleared,
        after_without_summary=total,
        overhead=window.overhead,
    )


def after(plan: Plan, window: Window, summary_tokens: int) -> Mapping[Category, int]:
    """The categories of the next window, with a summary of `summary_tokens` tokens where the plan
    puts one into the context (`fresh` starts from it all the same)."""
    kept = dict(_kept(plan, window)[0])
    kept[Category.SUMMARY] += max(0, summary_tokens) if _tells(plan) else 0
    return kept


def _tells(plan: Plan) -> bool:
    """Whether anything is retold or quoted: only then there is a summary."""
    return (
        plan.summary_at is not None
        or Action.SUMMARISE in plan.actions
        or Action.QUOTE in plan.actions
    )


def estimate_kept(plan: Plan, window: Window) -> int:
    """What stays by the strategy's own estimate: of a message that is cleared or shortened, the
    share that is left of it."""
    single = {i for i, _ in (*plan.parts, *plan.stand_ins, *plan.left)}
    total = 0
    for i in plan.staying:
        if plan.actions[i] is Action.KEEP and i not in single:
            total += plan.estimates[i]
            continue
        weights = window.parts[i]
        left = sum(
            _left(plan, (i, j), plan.action_of(i, j), weight) for j, weight in enumerate(weights)
        )
        total += round(plan.estimates[i] * left / max(1, sum(weights)))
    return total


def weight_after(action: Action, tokens: int) -> int:
    """What a part of `tokens` tokens weighs in the next window."""
    match action:
        case Action.KEEP:
            return tokens
        case Action.CLEAR:
            return min(tokens, PLACEHOLDER_TOKENS)
        case Action.SHORTEN:
            return min(tokens, SHORTENED_TOKENS)
        case _:
            return 0


def _left(plan: Plan, place: Place, action: Action, tokens: int) -> int:
    """What one part weighs in the next window."""
    if action is Action.CLEAR and place in plan.stand_ins:
        return min(tokens, -(-len(plan.stand_ins[place]) // _CHARACTERS_A_TOKEN))
    if action is Action.SHORTEN and place in plan.left:
        return min(tokens, plan.left[place])
    return weight_after(action, tokens)


def _weigh(plan: Plan, window: Window) -> tuple[Mapping[Category, int], int]:
    """Tokens that stay by category, the system overhead among them, and those cleared."""
    columns = _columns_of(window)
    # looked at part by part
    single = {i for i, _ in (*plan.parts, *plan.stand_ins, *plan.left)}
    if Action.SHORTEN in plan.actions:
        single.update(i for i, action in enumerate(plan.actions) if action is Action.SHORTEN)
    staying = [action in STAYING for action in plan.actions]
    clearing = [action is Action.CLEAR for action in plan.actions]
    for i in single:
        staying[i] = clearing[i] = False
    kept = dict.fromkeys(Category, 0)
    kept[Category.SYSTEM] = window.overhead
    cleared = 0
    for category, column in columns.whole.items():
        kept[category] += sum(compress(column, staying))
    if Action.CLEAR in plan.actions:
        for category, column in columns.cleared.items():
            saved = sum(compress(column, clearing))
            kept[category] -= saved
            cleared += saved
    for i in single:
        parts = plan.outline.messages[i].parts
        for j, (part, tokens) in enumerate(zip(parts, window.parts[i], strict=True)):
            action = plan.action_of(i, j)
            if action in STAYING:
                left = _left(plan, (i, j), action, tokens)
                kept[category_of(part)] += left
                cleared += tokens - left
    return kept, cleared


_kept = Remembered(_weigh)


def layers(
    plan: Plan, window: Window, facts: Facts | None = None, ledger: Ledger | None = None
) -> tuple[Layer, ...]:
    """The short-term buffer (what stays word for word), the working summary (what the handoff
    retells and quotes) and the long-term memory (rules, decisions and anchors that go to files and
    the bank; empty without `facts` and `ledger`)."""
    tokens = plan_tokens(plan, window)
    found = layers_of(plan)
    told = [layer is LayerName.SUMMARY for layer in found]
    memory = [text for text, _ in memory_items(facts, ledger)]
    return (
        Layer(
            LAYER_WORDS[LayerName.BUFFER],
            found.count(LayerName.BUFFER),
            tokens.kept - tokens.overhead,
        ),
        Layer(LAYER_WORDS[LayerName.SUMMARY], sum(told), sum(compress(window.tokens, told))),
        Layer(
            LAYER_WORDS[LayerName.MEMORY],
            len(memory),
            sum(map(len, memory)) // _CHARACTERS_A_TOKEN,
        ),
    )
