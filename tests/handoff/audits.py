"""Audits of made-up handoffs."""

from __future__ import annotations

from redline.compaction.outline import outline
from redline.compaction.plan import Action, Plan
from redline.facts.fact import (
    Facts,
)
from redline.handoff.audit import Audit, AuditClass, AuditItem
from redline.handoff.auditing import audit
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState
from redline.model import Session
from tests.sessions_in_memory import (
    session,
    user,
)

EMPTY = session(user("hi"))


def rule(text: str, state: RuleState = RuleState.ACTIVE, message: str | None = None) -> Rule:
    return Rule(f"r-{text[:8]}", text, RuleFamily.PROHIBIT, state, message=message)


def rule_item(text: str, handoff: str, *others: str) -> AuditItem:
    ledger = Ledger((rule(text), *(rule(other) for other in others)))
    found = audit(EMPTY, None, handoff, ledger, Facts())
    return next(item for item in found.items if item.text == text)


def only(found: Audit, cls: AuditClass) -> AuditItem:
    (item,) = [item for item in found.items if item.cls is cls]
    return item


def plan_of(opened: Session, actions: list[Action]) -> Plan:
    size = len(actions)
    return Plan("test", {}, outline(opened.context), tuple(actions), ("",) * size, (0,) * size)
