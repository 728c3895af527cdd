"""The rules of a project in its several sessions, and two redlines that decide at once."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from redline.database import Database
from redline.ledger.rule import Elsewhere, RuleState, Scope
from redline.ledger.store import LedgerStore
from redline.model import Agent
from tests.ledger.conftest import ACTIVE, FIRST, LIFTED, MOVED, PORT, PROPOSED, states
from tests.sessions_in_memory import session, user

OTHER = session(user("hello"), id="two")


def test_a_confirmed_rule_of_the_project_holds_in_its_other_sessions(store: LedgerStore) -> None:
    one = session(*FIRST)
    first = store.load(one).rules[0]
    store.confirm(one, [first.id])
    (held,) = store.load(OTHER).rules
    assert (held.id, held.text, held.state) == (first.id, first.text, ACTIVE)
    assert (held.message, held.origin) == (None, Elsewhere("claude-code", "session-1", "m1"))
    assert store.load(session(user("hello"), id="three", agent=Agent.PI)).active == (held,)


def test_a_rule_of_a_session_only_holds_in_no_other(store: LedgerStore) -> None:
    one = session(*FIRST)
    first = store.load(one).rules[0]
    store.confirm(one, [first.id])
    store.rescope(one, [first.id], Scope.SESSION)
    assert store.load(OTHER).rules == ()


def test_what_waits_for_a_decision_or_has_ended_holds_in_no_other_session(
    store: LedgerStore,
) -> None:
    one = session(*FIRST)
    first, second = store.load(one).rules
    store.edit(one, first.id, "Never ever")
    store.revoke(one, [second.id])
    assert store.load(OTHER).rules == ()


def test_a_rule_said_in_both_sessions_is_one(store: LedgerStore) -> None:
    one, two = session(*FIRST), session(*FIRST, id="two")
    first = store.load(one).rules[0]
    store.confirm(one, [first.id])
    held, own = store.load(two).rules
    assert (held.id, held.state, own.state) == (first.id, ACTIVE, PROPOSED)
    assert own.text == FIRST[1].pieces[0].body


def test_a_session_that_decided_about_the_same_words_keeps_its_decision(store: LedgerStore) -> None:
    one, two = session(*FIRST), session(*FIRST, id="two")
    mine = store.load(two).rules[0]
    store.dismiss(two, [mine.id])
    store.confirm(one, [store.load(one).rules[0].id])
    assert [(rule.id, rule.state) for rule in store.load(two).rules][:1] == [
        (mine.id, RuleState.DISMISSED)
    ]
    assert len(store.load(two).rules) == 2


def test_a_rule_of_another_session_is_dismissed_here_only_and_comes_back(
    store: LedgerStore,
) -> None:
    one = session(*FIRST)
    first = store.load(one).rules[0]
    store.confirm(one, [first.id])
    assert states(store.dismiss(OTHER, [first.id])) == [RuleState.DISMISSED]
    assert store.load(one).rules[0].state is ACTIVE
    assert states(store.confirm(OTHER, [first.id])) == [ACTIVE]
    store.dismiss(OTHER, [first.id])
    store.revoke(one, [first.id])
    assert store.load(OTHER).rules == ()


def test_other_steps_on_a_rule_of_another_session_are_made_where_it_lies(
    store: LedgerStore,
) -> None:
    one = session(*FIRST)
    first = store.load(one).rules[0]
    store.confirm(one, [first.id])
    store.edit(OTHER, first.id, "Never touch src")
    assert (store.load(one).rules[0].text, store.load(one).rules[0].message) == (
        "Never touch src",
        "m1",
    )
    assert store.undo(OTHER).ledger.rules[0].text == first.text
    store.revoke(OTHER, [first.id])
    assert states(store.load(one))[0] is RuleState.REVOKED
    assert store.undo(one).verb == "revoke"
    assert states(store.load(OTHER)) == [ACTIVE]


def test_words_of_a_session_may_lift_a_rule_of_another_for_that_session_only(
    store: LedgerStore,
) -> None:
    one = session(*FIRST)
    first = store.load(one).rules[0]
    store.confirm(one, [first.id])
    later = datetime(2026, 2, 1, tzinfo=UTC)
    two = session(user("You can edit src/legacy now.", id="u9", time=later), id="two")
    (held,) = store.load(two).rules
    assert (held.state, held.may_be_lifted) == (ACTIVE, "u9")
    assert store.load(one).rules[0].may_be_lifted is None
    assert store.confirm(two, [first.id]).rules[0].may_be_lifted is None
    assert store.load(two).rules[0].state is ACTIVE


def test_words_said_before_a_rule_do_not_lift_it(store: LedgerStore) -> None:
    one = session(*FIRST)
    store.confirm(one, [store.load(one).rules[0].id])
    before = datetime(2025, 2, 1, tzinfo=UTC)
    two = session(user("You can edit src/legacy now.", id="u9", time=before), id="two")
    assert states(store.load(two)) == [ACTIVE]


def test_a_rule_that_its_own_session_may_have_lifted_holds_elsewhere_until_it_is_revoked(
    store: LedgerStore,
) -> None:
    one = session(*FIRST)
    store.confirm(one, [store.load(one).rules[0].id])
    grown = session(*FIRST, LIFTED)
    assert store.load(grown).rules[0].may_be_lifted == "u9"
    assert states(store.load(OTHER)) == [ACTIVE]
    store.revoke(grown, [store.load(grown).rules[0].id])
    assert store.load(OTHER).rules == ()


def test_newer_words_replace_a_rule_of_another_session_once_they_are_confirmed(
    store: LedgerStore,
) -> None:
    one = session(PORT)
    old = store.load(one).rules[0]
    store.confirm(one, [old.id])
    later = datetime(2026, 2, 1, tzinfo=UTC)
    two = session(replace(MOVED, time=later), id="two")
    held, new = store.load(two).rules
    assert (held.id, new.replaces, new.changed) == (old.id, old.id, "port 5432 -> 5433")
    after = store.confirm(two, [new.id])
    assert [(rule.id, rule.state) for rule in after.rules] == [
        (old.id, RuleState.SUPERSEDED),
        (new.id, ACTIVE),
    ]
    assert store.load(one).rules[-1].state is RuleState.SUPERSEDED
    assert [rule.id for rule in store.load(OTHER_THIRD).rules] == [new.id]


OTHER_THIRD = session(user("hello"), id="three")


def test_a_replacement_for_one_session_leaves_the_rule_of_the_project(store: LedgerStore) -> None:
    one = session(PORT)
    old = store.load(one).rules[0]
    store.confirm(one, [old.id])
    new = store.supersede(OTHER, old.id, "For this session use port 5433").rules[-1]
    assert new.scope is Scope.SESSION
    assert states(store.load(OTHER)) == [RuleState.SUPERSEDED, ACTIVE]
    assert states(store.load(one)) == states(store.load(OTHER_THIRD)) == [ACTIVE]


# -- two at once -----------------------------------------------------------------------------------


def test_two_redlines_at_once_lose_no_step(path: Path) -> None:
    drafts = [user(f"Never touch the file src/a{number}.py.") for number in range(16)]
    given = session(*drafts)
    names = [rule.id for rule in LedgerStore(Database(path)).load(given).rules]
    stores = [LedgerStore(Database(path)) for _ in range(4)]

    def work(number: int) -> None:
        store, name = stores[number % 4], names[number]
        store.confirm(given, [name])
        store.edit(given, name, f"Never touch a{number}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rules = LedgerStore(Database(path)).load(given).rules
    assert [(rule.state, rule.text) for rule in rules] == [
        (ACTIVE, f"Never touch a{number}") for number in range(16)
    ]


def test_a_step_sees_what_another_redline_stored_after_it_was_shown(path: Path) -> None:
    one, two = LedgerStore(Database(path)), LedgerStore(Database(path))
    given = session(*FIRST)
    first = one.load(given).rules[0]
    one.edit(given, first.id, "Never touch src")
    assert two.confirm(given, [first.id]).rules[0].text == "Never touch src"
    one.rescope(given, [first.id], Scope.SESSION)
    rule = two.load(given).rules[0]
    assert (rule.text, rule.state, rule.scope) == ("Never touch src", ACTIVE, Scope.SESSION)
