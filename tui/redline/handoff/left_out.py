"""Which rules a handoff has no room for."""

from __future__ import annotations

from redline.facts.fact import Facts
from redline.handoff.condensing import tight
from redline.handoff.handoff import Handoff
from redline.handoff.spoken import apart, bare, spoken
from redline.ledger.rule import Ledger, RuleState
from redline.redaction import redact


def rules_left_out(handoff: Handoff, ledger: Ledger, facts: Facts) -> tuple[str, ...]:
    """The live rules of `ledger` that `handoff` does not hold, in order, secrets taken out. A rule
    that nobody confirmed and that a later sentence took the place of is not missed."""
    live = [(redact(rule.text).text, rule.state is RuleState.ACTIVE) for rule in ledger.live]
    there = {form for rule in handoff.constraints for form in _forms(apart(rule.text)[0])}
    missed = [(text, binds) for text, binds in live if there.isdisjoint(_forms(text))]
    if all(binds for _, binds in missed):
        return tuple(text for text, _ in missed)
    said = spoken(facts.prompts, None, [text for text, _ in live])
    gone = {one.text for one in said if one.replaced}
    older = {bare(one.older) for one in said if one.older}
    return tuple(
        text for text, binds in missed if binds or (text not in gone and bare(text) not in older)
    )


def warning(left_out: int) -> str:
    """What a person is told where `left_out` rules had no room."""
    rules = "1 rule is" if left_out == 1 else f"{left_out} rules are"
    return f"{rules} left out: the budget has no room"


def _forms(text: str) -> frozenset[str]:
    """A rule as a handoff may have it: as it was written, and in fewer words."""
    return frozenset(
        {" ".join(text.split()), bare(text), tight(text), bare(" ".join(text.split()))}
    )
