"""What happens to messages that leave the context."""

from __future__ import annotations

from collections.abc import Mapping

from redline.agents.pi.fields import BASH
from redline.compaction.outline import Outline
from redline.compaction.plan import Action
from redline.compaction.remembered import Remembered
from redline.ledger.rule import Ledger
from redline.model import Kind

_ACTIONS: Mapping[Kind, Action] = {
    Kind.PROMPT: Action.QUOTE,
    Kind.INJECTED: Action.DROP,
    Kind.NOTICE: Action.DROP,
}
_REASONS: Mapping[Kind, str] = {
    Kind.PROMPT: "your words",
    Kind.SUMMARY: "the agent's previous summary",
    Kind.TOOL_RESULT: "old result",
    Kind.INJECTED: "put in by the agent",
    Kind.NOTICE: "a notice",
}
RULE = "your words, an active rule"


def retell(
    outline: Outline, ledger: Ledger, *, before: str = "before the cut"
) -> tuple[list[Action], list[str]]:
    """Action and reason for every message, as if it left: the user's words are quoted, what the
    agent put in is dropped, everything else (commands the user ran in pi too) is summarised."""
    actions, reasons = _retold(outline, ledger, before)
    return [*actions], [*reasons]


def _retell(outline: Outline, ledger: Ledger, before: str) -> tuple[list[Action], list[str]]:
    actions = [_ACTIONS.get(kind, Action.SUMMARISE) for kind in outline.purpose]
    reasons = [_REASONS.get(kind, before) for kind in outline.purpose]
    for i, action in enumerate(actions):
        if action is Action.DROP and any(part.wire == BASH for part in outline.messages[i].parts):
            actions[i], reasons[i] = Action.SUMMARISE, "a command you ran"
    for rule in ledger.active:
        index = outline.index.get(rule.message or "")
        if index is not None and actions[index] is Action.QUOTE:
            reasons[index] = RULE
    return actions, reasons


_retold = Remembered(_retell)
