"""The three layers of a context after a plan, and which of them each message goes to.

What stays is the short-term buffer, what is retold or quoted the working summary. The long-term
memory holds rules, decisions and anchors: it takes them out of any message, wherever that goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from redline.compaction.outline import Outline
from redline.compaction.plan import STAYING, Action, Plan
from redline.compaction.remembered import Remembered
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger


class LayerName(StrEnum):
    """Where a message goes; GONE is nowhere."""

    BUFFER = "buffer"
    SUMMARY = "summary"
    MEMORY = "memory"
    GONE = "gone"


LAYER_WORDS = {
    LayerName.BUFFER: "short-term buffer",
    LayerName.SUMMARY: "working summary",
    LayerName.MEMORY: "long-term memory",
    LayerName.GONE: "gone",
}
_TOLD = frozenset((Action.SUMMARISE, Action.QUOTE))


def layer_of(plan: Plan, index: int, memory: frozenset[int] = frozenset()) -> LayerName:
    """Where message `index` goes: the buffer where anything of it stays, the summary where anything
    is retold or quoted, the memory where only that keeps something of it (`memory`: indexes of the
    messages it takes something from, see `remembered`), else it is gone."""
    action = plan.actions[index]
    found = {action}
    if plan.parts:
        parts = range(len(plan.outline.messages[index].parts))
        found = {plan.action_of(index, part) for part in parts} or found
    if not STAYING.isdisjoint(found):
        return LayerName.BUFFER
    if not _TOLD.isdisjoint(found):
        return LayerName.SUMMARY
    return LayerName.MEMORY if index in memory else LayerName.GONE


def layers_of(plan: Plan, memory: frozenset[int] = frozenset()) -> tuple[LayerName, ...]:
    """`layer_of` of every message."""
    turned = {index for index, _ in plan.parts}
    return tuple(
        layer_of(plan, i, memory)
        if i in turned or (action is Action.DROP and i in memory)
        else _LAYER[action]
        for i, action in enumerate(plan.actions)
    )


_LAYER = {
    action: LayerName.BUFFER
    if action in STAYING
    else LayerName.SUMMARY
    if action in _TOLD
    else LayerName.GONE
    for action in Action
}


def memory_items(
    facts: Facts | None, ledger: Ledger | None
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the long-term memory takes, each with the messages it comes from: the rules in force,
    decisions, git commits, changed files, issues and URLs."""
    for rule in ledger.active if ledger else ():
        yield rule.text, (rule.message,) if rule.message else ()
    if facts is None:
        return
    for decision in facts.decisions:
        yield decision.text, (decision.message,)
    for commit in facts.commits:
        yield f"{commit.sha} {commit.subject}", (commit.message,)
    for file in facts.changed:
        yield file.path, (file.first, file.message) if file.first else (file.message,)
    for reference in (*facts.references, *facts.urls):
        yield reference.text, (reference.message,)


def _remember(outline: Outline, facts: Facts, ledger: Ledger) -> frozenset[int]:
    named = {name for _, messages in memory_items(facts, ledger) for name in messages}
    index = outline.index
    return frozenset(index[name] for name in named if name in index)


remembered = Remembered(_remember)
"""`remembered(outline, facts, ledger)`: the indexes of the messages of which something goes to the
long-term memory."""
