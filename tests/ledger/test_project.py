"""The rules of several sessions as those of one project."""

from __future__ import annotations

from dataclasses import replace

from redline.ledger.project import ProjectRules, project_rules
from redline.ledger.rule import Elsewhere, Ledger, Rule, RuleFamily, RuleState
from redline.model import SessionInfo
from tests.sessions_in_memory import session

ACTIVE, PROPOSED = RuleState.ACTIVE, RuleState.PROPOSED


def info(name: str) -> SessionInfo:
    return session(id=name).info


def rule(name: str, text: str, state: RuleState = PROPOSED, origin: str = "") -> Rule:
    there = Elsewhere("claude-code", origin) if origin else None
    return Rule(name, text, RuleFamily.REQUIRE, state, origin=there)


def test_the_same_words_in_the_same_state_are_one_rule_of_several_sessions() -> None:
    (one,) = project_rules(
        [
            (info("a"), Ledger((rule("r1", "Be brief"),))),
            (info("b"), Ledger((rule("r2", "be brief."),))),
        ]
    )
    assert (one.rule.id, one.ids) == ("r1", ("r1", "r2"))
    assert [of.id for of in one.sessions] == ["a", "b"]


def test_another_state_is_another_rule_and_those_to_decide_about_come_first() -> None:
    made = project_rules(
        [
            (info("a"), Ledger((rule("r1", "Be brief", ACTIVE),))),
            (info("b"), Ledger((rule("r2", "Be brief"),))),
        ]
    )
    assert [(one.rule.id, one.rule.state) for one in made] == [("r2", PROPOSED), ("r1", ACTIVE)]


def test_a_rule_that_only_holds_in_a_session_stands_where_it_lies() -> None:
    (one,) = project_rules(
        [
            (info("b"), Ledger((rule("r1", "Be brief", ACTIVE, origin="a"),))),
            (info("a"), Ledger((rule("r1", "Be brief", ACTIVE),))),
        ]
    )
    assert [of.id for of in one.sessions] == ["a"]


def test_a_rule_whose_session_is_gone_stands_where_it_holds() -> None:
    (one,) = project_rules([(info("b"), Ledger((rule("r1", "Be brief", ACTIVE, origin="gone"),)))])
    assert [of.id for of in one.sessions] == ["b"]


def test_a_ledger_that_is_read_again_takes_its_own_place() -> None:
    rules = ProjectRules()
    rules.add(info("a"), Ledger((rule("r1", "Be brief"),)))
    rules.add(info("b"), Ledger((rule("r2", "Be kind"),)))
    rules.add(info("a"), Ledger((rule("r1", "Be very brief"),)))
    assert [one.rule.text for one in rules.rules()] == ["Be very brief", "Be kind"]


def test_a_decision_touches_the_sessions_that_hold_the_rule_or_say_the_same() -> None:
    rules = ProjectRules()
    first = rule("r1", "Be brief")
    rules.add(info("a"), Ledger((first,)))
    rules.add(info("b"), Ledger((rule("r2", "be brief"),)))
    rules.add(info("c"), Ledger((replace(first, text="Be other"),)))
    rules.add(info("d"), Ledger((rule("r4", "Be kind"),)))
    assert [one.id for one in rules.touched([first])] == ["a", "b", "c"]
