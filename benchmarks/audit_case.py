"""One case of the audit's benchmark, and how it is judged."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.sessions_in_memory import session, user

from redline.facts.fact import Facts
from redline.handoff.audit import AuditClass, Verdict
from redline.handoff.auditing import audit
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState

FAITHFUL = "faithful"
_EMPTY = session(user("hi"))


@dataclass(frozen=True, slots=True)
class Case:
    """`text` is the thing asked for, `summary` what became of it by the `operator`."""

    operator: str
    language: str
    cls: AuditClass
    text: str
    summary: str
    ledger: Ledger = field(default_factory=Ledger)
    facts: Facts = field(default_factory=Facts)

    @property
    def faithful(self) -> bool:
        """Whether it stands in the summary word for word."""
        return self.operator == FAITHFUL

    def verdict(self) -> Verdict:
        """What the audit says."""
        found = audit(_EMPTY, None, self.summary, self.ledger, self.facts)
        return next(
            item.verdict for item in found.items if item.cls is self.cls and item.text == self.text
        )


def rule_case(operator: str, language: str, text: str, summary: str, *, older: str = "") -> Case:
    """A case of an active rule, which may have replaced an `older` one."""
    rules = [Rule("r2", text, RuleFamily.REQUIRE, RuleState.ACTIVE)]
    if older:
        rules.insert(0, Rule("r1", older, RuleFamily.REQUIRE, RuleState.SUPERSEDED, by="r2"))
    return Case(operator, language, AuditClass.RULE, text, summary, Ledger(tuple(rules)))
