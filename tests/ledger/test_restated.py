"""Which rule takes the place of which, and what is said to have changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from redline.ledger import resolving
from redline.ledger.detect import detect
from redline.ledger.restated import changed, difference, with_restatements
from redline.ledger.rule import Elsewhere, Rule, RuleFamily, RuleState
from redline.ledger.sketch import Sketch
from tests.sessions_in_memory import session, user

ACTIVE, PROPOSED, SUPERSEDED = RuleState.ACTIVE, RuleState.PROPOSED, RuleState.SUPERSEDED
PORT = "Always use port 5432 for the staging database."
MOVED = "The staging database must use port 5433 now."
AGAIN = "The staging database must use port 5434 now."
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def rule(name: str, text: str, state: RuleState = PROPOSED, **more: Any) -> Rule:
    return Rule(name, text, RuleFamily.REQUIRE, state, message="m", **more)


def told(*rules: Rule) -> list[tuple[RuleState, str | None, str | None]]:
    return [(one.state, one.by, one.replaces) for one in with_restatements(rules, {})]


@pytest.mark.parametrize(
    ("older", "newer", "said"),
    [
        (PORT, MOVED, "port 5432 -> 5433"),
        ("Keep lines under 80 columns", "Keep lines under 100 columns", "under 80 -> 100"),
        ("Never use pnpm.", "Always use pnpm.", "Never -> Always"),
        ("Use npm", "Use npm", ""),
        ("Use npm", "use NPM!", ""),
        ("Use npm and be brief", "Use npm", "npm and be brief -> nothing"),
        ("一行不超过 80 列", "一行不超过 100 列", "过 80 -> 100"),
        ("Be brief", "Do whatever you like with all of the files that lie in the folder", ""),
    ],
)
def test_what_changed_is_said_short_or_not_at_all(older: str, newer: str, said: str) -> None:
    assert difference(older, newer) == said


def test_a_change_of_nothing_but_the_end_is_told() -> None:
    assert changed("Use npm", "Use npm in docs") == "npm nothing -> in docs"


def test_proposed_words_replace_proposed_ones_one_after_the_other() -> None:
    assert told(rule("a", PORT), rule("b", MOVED), rule("c", AGAIN)) == [
        (SUPERSEDED, "b", None),
        (SUPERSEDED, "c", None),
        (PROPOSED, None, None),
    ]


def test_a_confirmed_rule_waits_for_the_newest_words_to_be_confirmed() -> None:
    assert told(rule("a", PORT, ACTIVE), rule("b", MOVED), rule("c", AGAIN)) == [
        (ACTIVE, None, None),
        (SUPERSEDED, "c", "a"),
        (PROPOSED, None, "a"),
    ]


def test_a_confirmed_rule_replaces_older_words_that_only_wait() -> None:
    assert told(rule("a", PORT), rule("b", MOVED, ACTIVE)) == [
        (SUPERSEDED, "b", None),
        (ACTIVE, None, None),
    ]


def test_where_two_may_be_meant_neither_is_replaced_and_the_newer_is_marked() -> None:
    billing, login = "The timeout of billing is 30s", "The timeout of login is 20s"
    rules = rule("a", billing), rule("b", login), rule("c", "Bump the timeout to 45s")
    made = with_restatements(rules, {})
    assert [one.state for one in made] == [PROPOSED, PROPOSED, PROPOSED]
    assert made[2].may_replace in ("a", "b")


def test_two_that_were_confirmed_both_stay() -> None:
    rules = rule("a", PORT, ACTIVE), rule("b", MOVED, ACTIVE)
    assert with_restatements(rules, {}) == list(rules)


@pytest.mark.parametrize("state", [RuleState.REVOKED, RuleState.DISMISSED, SUPERSEDED])
def test_what_has_ended_replaces_nothing_and_is_replaced_by_nothing(state: RuleState) -> None:
    for rules in (
        (rule("a", PORT, state), rule("b", MOVED)),
        (rule("a", PORT), rule("b", MOVED, state)),
    ):
        assert with_restatements(rules, {}) == list(rules)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Never touch src/legacy.", "Never touch src/vendor."),
        ("Use port 5432 for the staging database.", "Use port 5432 for the test database."),
        ("Ask Maria before you deploy.", "Ask Tom before you delete."),
        ("不要修改 src/legacy。", "不要修改 src/vendor。"),
    ],
)
def test_two_that_differ_in_what_they_are_about_both_stay(first: str, second: str) -> None:
    for state in (PROPOSED, ACTIVE):
        made = with_restatements((rule("a", first, state), rule("b", second)), {})
        assert [one.state for one in made] == [state, PROPOSED]
        assert made[1].replaces is None


def test_detection_alone_gives_the_newest_words() -> None:
    old, new = detect(session(user(PORT), user(MOVED))).rules
    assert (old.state, old.by, old.changed) == (SUPERSEDED, new.id, "port 5432 -> 5433")
    assert new.state is PROPOSED


def test_the_order_stays_and_nothing_is_lost() -> None:
    rules = [rule(f"r{n}", text) for n, text in enumerate((PORT, "Be brief", MOVED, "Use tabs"))]
    made = with_restatements(rules, {})
    assert [one.id for one in made] == [one.id for one in rules]
    assert [one.text for one in made] == [one.text for one in rules]


def test_a_rule_of_another_session_is_newer_where_it_was_said_later() -> None:
    there = Elsewhere("pi", "other")
    older = rule("a", PORT, time=NOON)
    newer = rule("x", MOVED, ACTIVE, origin=there, time=NOON.replace(hour=13))
    held, own = with_restatements((newer, older), {})
    assert (held.state, own.state, own.by) == (ACTIVE, SUPERSEDED, "x")
    earlier = replace(newer, time=NOON.replace(hour=11))
    held, own = with_restatements((earlier, older), {})
    assert (held.state, own.state, own.replaces) == (ACTIVE, PROPOSED, "x")


def test_a_rule_that_asks_the_opposite_of_a_confirmed_one_is_to_replace_it() -> None:
    rules = rule("a", "Never use pnpm.", ACTIVE), rule("b", "Always use pnpm.")
    assert with_restatements(rules, {"a": "b"})[1].replaces == "a"


def test_a_thousand_rules_are_compared_in_a_bounded_way() -> None:
    rules = [rule(f"r{n}", f"Never touch the file src/a{n}.py") for n in range(1000)]
    assert with_restatements(rules, {}) == rules


def test_the_work_grows_with_the_number_of_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    def counting(older: Sketch, newer: Sketch) -> None:
        compared.append(newer.text)
        assert older.text != newer.text

    monkeypatch.setattr(resolving, "update", counting)
    with_restatements([rule(f"r{n}", f"Never touch src/a{n}.py") for n in range(300)], {})
    assert max(Counter(compared).values()) <= 8


def test_a_rule_is_compared_with_the_one_that_differs_least_however_many_came_between() -> None:
    between = [rule(f"r{n}", f"Never touch the staging file src/a{n}.py") for n in range(200)]
    first, *_, last = with_restatements((rule("a", PORT), *between, rule("b", MOVED)), {})
    assert (first.state, first.by, last.state) == (SUPERSEDED, "b", PROPOSED)
