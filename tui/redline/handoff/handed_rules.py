"""The confirmed rules in a handoff that a person hands in, as every writer puts them there."""

from __future__ import annotations

from dataclasses import dataclass, replace

from redline.facts.fact import Facts
from redline.handoff.handoff import Constraint, Handoff
from redline.handoff.left_out import rules_left_out
from redline.handoff.markdown import parse, render
from redline.ledger.rule import Ledger, RuleState
from redline.redaction import redact


@dataclass(frozen=True, slots=True)
class WithRules:
    """`text` is the handoff with the rules in `missing` put in: the confirmed ones that it did not
    have, in the ledger's order, secrets taken out."""

    text: str
    missing: tuple[str, ...]


def with_rules(text: str, ledger: Ledger, facts: Facts) -> WithRules:
    """The handoff `text` (Markdown) with every confirmed rule of `ledger`. One that stands there
    unconfirmed is confirmed; one in other words stays beside it: which is meant is the person's to
    say. The text is given back as it is where it has them all."""
    handoff = parse(text)
    binding = tuple(rule for rule in handoff.constraints if rule.confirmed)
    confirmed = {redact(rule.text).text for rule in ledger.live if rule.state is RuleState.ACTIVE}
    left = rules_left_out(replace(handoff, constraints=binding), ledger, facts)
    missing = tuple(dict.fromkeys(rule for rule in left if rule in confirmed))
    if not missing:
        return WithRules(text, ())
    rest = tuple(rule for rule in handoff.constraints if rule.text not in missing)
    put_in = tuple(Constraint(rule, confirmed=True) for rule in missing)
    return WithRules(render(replace(handoff, constraints=(*put_in, *rest))), missing)


def is_handoff(text: str) -> bool:
    """Whether `text` (Markdown) has any section of a handoff."""
    said = parse(text)
    blank = replace(said, version=Handoff().version, brief=False, notes=(), extra={}, sources={})
    return blank != Handoff()
