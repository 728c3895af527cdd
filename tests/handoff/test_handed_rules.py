"""Confirmed rules that a handoff lacks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from redline.facts.fact import Facts
from redline.handoff.handed_rules import is_handoff, with_rules
from redline.handoff.handoff import Constraint, Handoff
from redline.handoff.markdown import parse, render
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState

TEXTS = ("Never touch src/legacy", "Use Decimal\nfor money", "- [ ] ask # before `pushing`")


def ledger(*states: RuleState) -> Ledger:
    given = states or (RuleState.ACTIVE,) * len(TEXTS)
    told = zip(TEXTS, given, strict=True)
    rules = (Rule(text, text, RuleFamily.PROHIBIT, state) for text, state in told)
    return Ledger(tuple(rules))


def held(text: str) -> list[tuple[str, bool]]:
    return [(rule.text, rule.confirmed) for rule in parse(text).constraints]


@pytest.mark.parametrize("text", ["", "# Notes\n\nmine\n", render(Handoff(goal="Round"))])
def test_every_confirmed_rule_stands_in_it_once_and_the_rest_of_it_stays(text: str) -> None:
    found = with_rules(text, ledger(), Facts())
    assert found.missing == TEXTS
    assert held(found.text) == [(rule, True) for rule in TEXTS]
    assert ("mine" in found.text) == ("mine" in text)
    assert parse(found.text).goal == parse(text).goal
    assert with_rules(found.text, ledger(), Facts()).missing == ()
    assert with_rules(found.text, ledger(), Facts()).text == found.text


def test_one_that_stood_there_unconfirmed_is_confirmed() -> None:
    old = Handoff(constraints=tuple(Constraint(text) for text in TEXTS))
    found = with_rules(render(old), ledger(), Facts())
    assert held(found.text) == [(rule, True) for rule in TEXTS]


def test_what_nobody_confirmed_is_not_put_in() -> None:
    states = (RuleState.PROPOSED, RuleState.ACTIVE, RuleState.DISMISSED)
    assert with_rules("", ledger(*states), Facts()).missing == TEXTS[1:2]


def test_a_handoff_is_known_by_its_sections() -> None:
    assert is_handoff("## Goal\n\nRound the totals\n")
    assert is_handoff(render(Handoff(done=("a",), brief=True)))
    assert not is_handoff(render(Handoff()))
    assert not is_handoff(render(replace(Handoff(), extra={"milk": 2})))
    assert not is_handoff("# A list\n\n## Shopping\n\n- milk\n")
