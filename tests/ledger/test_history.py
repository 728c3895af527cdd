"""What happened to a rule, when, and whose words or hand did it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from redline.database import Database
from redline.errors import RedlineError
from redline.ledger.rule import RuleState, Scope
from redline.ledger.store import LedgerStore
from redline.model import Session
from redline.stored import SessionKey
from tests.sessions_in_memory import START, session, user

ACTIVE, PROPOSED = RuleState.ACTIVE, RuleState.PROPOSED
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
GIVEN = session(user("Never touch src/legacy.", id="said"))
Told = list[tuple[str, RuleState | None, str | None]]


def ticking() -> Callable[[], datetime]:
    """A clock that is asked once a step, and goes on a minute each time."""
    asked = iter(range(1000))
    return lambda: NOW + timedelta(minutes=next(asked))


@pytest.fixture
def store(tmp_path: Path) -> LedgerStore:
    return LedgerStore(Database(tmp_path / "redline.sqlite"), ticking())


def told(store: LedgerStore, of: Session, name: str) -> Told:
    return [(event.what, event.state, event.message) for event in store.history(of, name)]


def test_a_proposed_rule_was_said_by_a_message_at_its_time(store: LedgerStore) -> None:
    rule = store.load(GIVEN).rules[0]
    (event,) = store.history(GIVEN, rule.id)
    assert (event.what, event.state, event.message) == ("said", PROPOSED, "said")
    assert (event.time, event.by_hand) == (START + timedelta(minutes=1), False)
    assert event.session == SessionKey("claude-code", "session-1")


def test_every_step_by_hand_is_told_with_its_time_and_what_it_changed(store: LedgerStore) -> None:
    name = store.load(GIVEN).rules[0].id
    store.confirm(GIVEN, [name])
    store.edit(GIVEN, name, "Never touch src")
    store.rescope(GIVEN, [name], Scope.SESSION)
    store.undo(GIVEN)
    store.supersede(GIVEN, name, "Leave src alone")
    events = store.history(GIVEN, name)
    assert [(event.what, event.state, event.detail) for event in events[1:5]] == [
        ("confirm", ACTIVE, ""),
        ("edit", ACTIVE, "before: Never touch src/legacy."),
        ("scope", ACTIVE, "project -> session"),
        ("undo", ACTIVE, "of scope"),
    ]
    newer = store.load(GIVEN).rules[1].id
    assert (events[5].what, events[5].state) == ("supersede", RuleState.SUPERSEDED)
    assert events[5].detail == f"by {newer}"
    assert [event.time for event in events[1:]] == [NOW + timedelta(minutes=n) for n in range(5)]
    assert all(event.by_hand for event in events[1:])
    assert told(store, GIVEN, newer) == [("supersede", ACTIVE, None)]


def test_words_that_may_lift_a_confirmed_rule_are_told_with_their_message(
    store: LedgerStore,
) -> None:
    name = store.load(GIVEN).rules[0].id
    store.confirm(GIVEN, [name])
    later = NOW + timedelta(seconds=30)
    lifted = session(
        user("Never touch src/legacy.", id="said"),
        user("You can edit src/legacy now.", id="lift", time=later),
    )
    assert told(store, lifted, name) == [
        ("said", PROPOSED, "said"),
        ("confirm", ACTIVE, None),
        ("may lift", ACTIVE, "lift"),
    ]
    store.revoke(lifted, [name])
    assert told(store, lifted, name)[2:] == [
        ("may lift", ACTIVE, "lift"),
        ("revoke", RuleState.REVOKED, None),
    ]


def test_words_that_end_a_rule_nobody_decided_about_are_told(store: LedgerStore) -> None:
    lifted = session(
        user("Never touch src/legacy.", id="said"), user("You can edit src/legacy now.", id="lift")
    )
    name = store.load(lifted).rules[0].id
    assert told(store, lifted, name)[1:] == [("lifted", RuleState.REVOKED, "lift")]


def test_newer_words_that_replaced_a_rule_are_told_with_their_message(store: LedgerStore) -> None:
    both = session(user("Never use pnpm.", id="one"), user("Always use pnpm.", id="two"))
    old, new = store.load(both).rules
    event = store.history(both, old.id)[-1]
    assert (event.what, event.state, event.message) == ("superseded", old.state, "two")
    assert event.detail == f"by {new.id}: Always use pnpm."
    assert event.time == START + timedelta(minutes=2)


def test_a_rule_of_another_session_tells_where_it_was_said_and_decided(store: LedgerStore) -> None:
    other = session(user("hello"), id="two")
    name = store.load(GIVEN).rules[0].id
    store.confirm(GIVEN, [name])
    store.dismiss(other, [name])
    store.confirm(other, [name])
    events = store.history(other, name)
    one, two = SessionKey("claude-code", "session-1"), SessionKey("claude-code", "two")
    assert [(event.what, event.session, event.detail) for event in events] == [
        ("said", one, ""),
        ("confirm", one, ""),
        ("dismiss", two, "for this session only"),
        ("confirm", two, "holds as in its own session"),
    ]


def test_a_rule_by_hand_begins_with_the_step_that_added_it(store: LedgerStore) -> None:
    name = store.add(GIVEN, "Be brief").rules[-1].id
    assert told(store, GIVEN, name) == [("add", ACTIVE, None)]
    store.undo(GIVEN)
    with pytest.raises(RedlineError, match="no rule"):
        store.history(GIVEN, name)
    store.add(GIVEN, "Be brief")
    assert told(store, GIVEN, name) == [
        ("add", ACTIVE, None),
        ("undo", None, None),
        ("add", ACTIVE, None),
    ]


def test_a_state_of_a_newer_redline_is_no_error(store: LedgerStore, tmp_path: Path) -> None:
    import sqlite3

    name = store.add(GIVEN, "Be brief").rules[-1].id
    connection = sqlite3.connect(tmp_path / "redline.sqlite")
    connection.execute("UPDATE changed_rules SET after = replace(after, 'active', 'asleep')")
    connection.execute("UPDATE rule_changes SET time = 'yesterday'")
    connection.commit()
    connection.close()
    (event,) = store.history(GIVEN, name)
    assert (event.state, event.time) == (None, None)
