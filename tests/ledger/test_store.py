"""What a person decides on rules outlives detection, growth and runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from redline.database import Database
from redline.errors import RedlineError
from redline.ledger import resolving
from redline.ledger.remark import remarks
from redline.ledger.resolving import Resolved
from redline.ledger.restating import Restated
from redline.ledger.rule import RuleFamily, RuleState, Scope
from redline.ledger.store import LedgerStore
from tests.ledger.conftest import ACTIVE, FIRST, LIFTED, MOVED, PORT, PROPOSED, states
from tests.sessions_in_memory import Draft, session, user


def test_loading_writes_nothing(store: LedgerStore, path: Path) -> None:
    assert states(store.load(session(*FIRST))) == [PROPOSED, PROPOSED]
    assert not path.exists()


def test_a_confirmed_rule_is_active_in_the_next_run(store: LedgerStore, path: Path) -> None:
    given = session(*FIRST)
    first, _second = store.load(given).rules
    assert states(store.confirm(given, [first.id])) == [ACTIVE, PROPOSED]
    assert states(LedgerStore(Database(path)).load(given)) == [ACTIVE, PROPOSED]
    assert store.load(given).active[0].text == "Never touch src/legacy."


def test_decisions_stay_while_the_session_grows(store: LedgerStore) -> None:
    given = session(*FIRST)
    first, second = store.load(given).rules
    store.confirm(given, [first.id])
    store.dismiss(given, [second.id])
    grown = session(*FIRST, user("ok"), user("Never push to main."))
    assert states(store.load(grown)) == [ACTIVE, RuleState.DISMISSED, PROPOSED]


def test_an_edited_rule_keeps_its_id_its_state_and_its_source(store: LedgerStore) -> None:
    given = session(*FIRST)
    first = store.load(given).rules[0]
    store.confirm(given, [first.id])
    changed = store.edit(given, first.id, "Never  touch\nsrc/legacy or src/old").rules[0]
    assert (changed.id, changed.text) == (first.id, "Never touch src/legacy or src/old")
    assert (changed.state, changed.edited, changed.message) == (ACTIVE, True, first.message)
    assert store.edit(given, store.load(given).rules[1].id, "x y").rules[1].state is PROPOSED


def test_a_rule_added_by_hand_is_active_and_has_no_message(store: LedgerStore) -> None:
    given = session(*FIRST)
    added = store.add(given, "Only use the standard library.").rules[-1]
    assert (added.state, added.message, added.family) == (ACTIVE, None, RuleFamily.ONLY)
    assert store.load(given).rules[-1] == added
    assert len(store.add(given, "only use the standard library").rules) == 3
    assert store.dismiss(given, [added.id]).rules[-1].state is RuleState.DISMISSED
    assert store.add(given, "Whatever it is").rules[-1].family is RuleFamily.REQUIRE


def test_adding_a_rule_in_the_words_of_a_proposal_confirms_it(store: LedgerStore) -> None:
    given = session(*FIRST)
    assert states(store.add(given, "never touch src/legacy")) == [ACTIVE, PROPOSED]


def test_a_confirmed_rule_is_not_lost_where_detection_finds_it_no_more(store: LedgerStore) -> None:
    given = session(*FIRST)
    first = store.load(given).rules[0]
    store.confirm(given, [first.id])
    ledger = store.load(session(user("hello")))
    assert [(rule.text, rule.state, rule.message) for rule in ledger.rules] == [
        ("Never touch src/legacy.", ACTIVE, "m1")
    ]


def test_a_decision_follows_its_sentence_to_a_message_with_another_id(store: LedgerStore) -> None:
    given = session(user("Never touch src/legacy.", id="line:2"))
    first = store.load(given).rules[0]
    store.confirm(given, [first.id])
    (moved,) = store.load(session(user("Never touch src/legacy.", id="f00dcafe"))).rules
    assert (moved.id, moved.state, moved.message) == (first.id, ACTIVE, "f00dcafe")


def test_no_words_end_a_confirmed_rule_but_those_that_name_it_are_shown_until_it_is_kept(
    store: LedgerStore,
) -> None:
    given = session(*FIRST)
    first = store.load(given).rules[0]
    store.confirm(given, [first.id])
    grown = session(*FIRST, LIFTED)
    marked = store.load(grown).rules[0]
    assert (marked.state, marked.by, marked.may_be_lifted) == (ACTIVE, None, "u9")
    assert remarks(marked) == ("message u9 may lift it: revoke it, or confirm it to keep it",)
    kept = store.confirm(grown, [first.id]).rules[0]
    assert (kept.state, kept.may_be_lifted) == (ACTIVE, None)
    assert store.load(session(*FIRST, LIFTED, user("go on"))).rules[0] == kept
    again = session(*FIRST, LIFTED, user("Yes, src/legacy can be changed now.", id="u12"))
    assert (store.load(again).rules[0].state, store.load(again).rules[0].may_be_lifted) == (
        ACTIVE,
        "u12",
    )
    revoked = store.revoke(again, [first.id]).rules[0]
    assert (revoked.state, revoked.may_be_lifted) == (RuleState.REVOKED, None)
    assert store.load(again).rules[0].state is RuleState.REVOKED


@pytest.mark.parametrize(
    ("rule", "other"),
    [
        ("Never touch src/legacy.", "You can touch src/legacy/README.md from now on."),
        ("Log files must stay below 20 MB.", "We can let trace files grow to 50 MB now."),
        ("Log files must stay below 20 MB.", "Trace files must stay below 50 MB."),
    ],
)
def test_words_about_something_else_do_not_even_mark_a_confirmed_rule(
    store: LedgerStore, rule: str, other: str
) -> None:
    store.confirm(session(user(rule)), [store.load(session(user(rule))).rules[0].id])
    found = store.load(session(user(rule), user(other)))
    assert (found.rules[0].state, found.rules[0].may_be_lifted) == (ACTIVE, None)
    assert not any(one.replaces for one in found.rules)


def test_another_wording_does_not_clear_what_may_lift_a_rule(store: LedgerStore) -> None:
    given = session(*FIRST)
    first = store.load(given).rules[0]
    store.confirm(given, [first.id])
    grown = session(*FIRST, LIFTED)
    assert store.edit(grown, first.id, "Never ever").rules[0].may_be_lifted == "u9"


def test_no_secret_of_a_rule_is_shown_or_stored_however_it_came_in(
    store: LedgerStore, path: Path
) -> None:
    given = session(user("Always use password=hunter2hunter2 for staging."))
    (rule,) = store.load(given).rules
    store.confirm(given, [rule.id])
    store.edit(given, rule.id, "Use password=hunter2hunter3 for staging.")
    added = store.add(given, "Never print password=hunter2hunter4").rules[-1]
    ledger = store.supersede(given, added.id, "Never log password=hunter2hunter5")
    assert all("[redacted: password]" in one.text for one in ledger.rules)
    stored = b"".join(one.read_bytes() for one in path.parent.iterdir())
    assert b"password=[redacted: password]" in stored
    assert b"hunter2" not in stored


def test_what_an_older_redline_stored_with_a_secret_is_read_without_it_and_still_decides(
    store: LedgerStore, path: Path
) -> None:
    given = session(user("Always use password=hunter2hunter2 for staging.", id="line:1"))
    (rule,) = store.load(given).rules
    store.confirm(given, [rule.id])
    connection = sqlite3.connect(path)
    clear = "Always use password=hunter2hunter2 for staging."
    connection.execute("UPDATE rules SET text = ?, said = ?, edited = 1", (clear, clear))
    connection.commit()
    connection.close()
    moved = session(user(clear, id="f00dcafe"))
    (read,) = store.load(moved).rules
    assert (read.id, read.state, "hunter2" in read.text) == (rule.id, ACTIVE, False)


def test_a_confirmed_rule_is_superseded_only_by_a_confirmed_one(store: LedgerStore) -> None:
    drafts: tuple[Draft, ...] = (user("Never use pnpm."), user("Always use pnpm."))
    given = session(*drafts)
    old, new = store.load(given).rules
    assert states(store.load(given)) == [RuleState.SUPERSEDED, PROPOSED]
    assert states(store.confirm(session(drafts[0]), [old.id])) == [ACTIVE]
    assert states(store.load(given)) == [ACTIVE, PROPOSED]
    after = store.confirm(given, [new.id])
    assert states(after) == [RuleState.SUPERSEDED, ACTIVE]
    assert after.rules[0].by == new.id
    assert states(store.confirm(given, [old.id])) == [ACTIVE, ACTIVE]


def test_a_dismissed_rule_supersedes_nothing(store: LedgerStore) -> None:
    given = session(user("Never use pnpm."), user("Always use pnpm."))
    new = store.load(given).rules[1]
    assert states(store.dismiss(given, [new.id])) == [PROPOSED, RuleState.DISMISSED]


def test_a_revoked_rule_stays_in_the_ledger(store: LedgerStore) -> None:
    given = session(*FIRST)
    first = store.load(given).rules[0]
    ledger = store.revoke(given, [first.id])
    assert states(ledger) == [RuleState.REVOKED, PROPOSED]
    assert states(store.confirm(given, [first.id])) == [ACTIVE, PROPOSED]


def test_the_start_of_an_id_is_enough_where_it_names_one_rule(store: LedgerStore) -> None:
    given = session(*FIRST)
    first = store.load(given).rules[0]
    assert store.confirm(given, [first.id[:6]]).active == (store.load(given).rules[0],)
    with pytest.raises(RedlineError, match="2 rules"):
        store.confirm(given, ["r"])


@pytest.mark.parametrize("name", ["r0000000", "", "x"])
def test_an_unknown_id_is_refused_and_nothing_is_stored(
    store: LedgerStore, path: Path, name: str
) -> None:
    given = session(*FIRST)
    first = store.load(given).rules[0]
    with pytest.raises(RedlineError, match="no rule"):
        store.confirm(given, [first.id, name])
    assert not path.exists()


def test_a_rule_without_words_is_refused(store: LedgerStore) -> None:
    with pytest.raises(RedlineError):
        store.add(session(*FIRST), " \n")
    with pytest.raises(RedlineError):
        store.edit(session(*FIRST), store.load(session(*FIRST)).rules[0].id, "")


def test_sessions_of_different_projects_do_not_share_decisions(store: LedgerStore) -> None:
    one = session(*FIRST, id="one", project="/home/dev/shop")
    for other in ("/home/dev/site", "/home/dev", "/home/dev/shop/web", None, "shop"):
        two = session(*FIRST, id="two", project=other)
        store.confirm(one, [store.load(one).rules[0].id])
        assert states(store.load(two)) == [PROPOSED, PROPOSED]


def test_a_proposed_rule_said_again_with_another_value_replaces_the_older_and_says_so(
    store: LedgerStore,
) -> None:
    old, new = store.load(session(PORT, MOVED)).rules
    assert (old.state, old.by, old.changed) == (RuleState.SUPERSEDED, new.id, "port 5432 -> 5433")
    assert (new.state, new.replaces) == (PROPOSED, None)
    assert states(store.dismiss(session(PORT, MOVED), [new.id])) == [PROPOSED, RuleState.DISMISSED]


def test_a_confirmed_rule_is_replaced_once_the_newer_is_confirmed(store: LedgerStore) -> None:
    given = session(PORT, MOVED)
    old = store.confirm(session(PORT), [store.load(session(PORT)).rules[0].id]).rules[0]
    first, second = store.load(given).rules
    assert (first.state, second.state, second.replaces) == (ACTIVE, PROPOSED, old.id)
    assert second.changed == "port 5432 -> 5433"
    after = store.confirm(given, [second.id])
    assert states(after) == [RuleState.SUPERSEDED, ACTIVE]
    assert (after.rules[0].by, after.rules[0].changed) == (second.id, "port 5432 -> 5433")
    assert states(store.load(given)) == states(after)
    assert states(store.confirm(given, [old.id])) == [ACTIVE, ACTIVE]


def test_both_stay_and_the_newer_is_marked_where_it_is_not_sure_that_they_are_one(
    store: LedgerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsure = {1: Resolved(0, Restated("5432", "5433", sure=False))}
    monkeypatch.setattr(resolving, "resolved", lambda *_, **__: unsure)
    old, new = store.load(session(PORT, MOVED)).rules
    assert (old.state, new.state, new.may_replace) == (PROPOSED, PROPOSED, old.id)
    assert store.confirm(session(PORT, MOVED), [new.id]).rules[0].state is PROPOSED


def test_a_rule_added_by_hand_takes_the_place_of_what_it_says_anew(store: LedgerStore) -> None:
    given = session(PORT)
    store.confirm(given, [store.load(given).rules[0].id])
    ledger = store.add(given, "The staging database must use port 5433 now.")
    assert states(ledger) == [RuleState.SUPERSEDED, ACTIVE]
    assert ledger.rules[0].by == ledger.rules[1].id


def test_a_rule_is_superseded_by_hand_by_another_or_by_new_words(store: LedgerStore) -> None:
    given = session(*FIRST)
    first, second = store.load(given).rules
    after = store.supersede(given, first.id, second.id)
    assert [(rule.state, rule.by) for rule in after.rules] == [
        (RuleState.SUPERSEDED, second.id),
        (ACTIVE, None),
    ]
    third = store.supersede(given, second.id, "Never edit src at all").rules[-1]
    assert (third.state, third.text, third.message) == (ACTIVE, "Never edit src at all", None)
    assert store.load(given).rules[1].by == third.id
    with pytest.raises(RedlineError, match="itself"):
        store.supersede(given, first.id, first.id[:7])
    with pytest.raises(RedlineError, match="no rule 'r00000000'"):
        store.supersede(given, first.id, "r00000000")


def test_what_a_dismissed_rule_had_replaced_waits_for_a_decision_again(store: LedgerStore) -> None:
    given = session(*FIRST)
    first, second = store.load(given).rules
    store.supersede(given, first.id, second.id)
    assert states(store.dismiss(given, [second.id])) == [PROPOSED, RuleState.DISMISSED]


def test_the_scope_is_changed_by_hand_and_stays(store: LedgerStore) -> None:
    given = session(*FIRST)
    first, second = store.load(given).rules
    after = store.rescope(given, [first.id, second.id], Scope.SESSION)
    assert [(rule.scope, rule.state) for rule in after.rules] == [(Scope.SESSION, PROPOSED)] * 2
    assert store.confirm(given, [first.id]).rules[0].scope is Scope.SESSION
    assert store.load(given).rules[0].scope is Scope.SESSION


def test_hidden_and_control_characters_never_come_into_a_rule(store: LedgerStore) -> None:
    given = session(*FIRST)
    rule = store.add(given, "Never \x1b[31mpush\u200b to\U000e0041\u202e main\x00\r\n now").rules[
        -1
    ]
    assert rule.text == "Never push to main now"
    assert store.edit(given, rule.id, "Never\u200b push").rules[-1].text == "Never push"
    with pytest.raises(RedlineError, match="words"):
        store.add(given, "\u200b\x07")


# -- the last step taken back ----------------------------------------------------------------------


def test_every_step_is_taken_back_and_the_ledger_is_as_it_was(store: LedgerStore) -> None:
    given = session(*FIRST)
    first, second = store.load(given).rules
    steps: tuple[Callable[[], object], ...] = (
        lambda: store.confirm(given, [first.id, second.id]),
        lambda: store.edit(given, first.id, "Never touch src"),
        lambda: store.rescope(given, [first.id], Scope.SESSION),
        lambda: store.add(given, "Be brief"),
        lambda: store.supersede(given, first.id, "Be quick"),
        lambda: store.dismiss(given, [second.id]),
        lambda: store.revoke(given, [second.id]),
        lambda: store.confirm(given, [second.id]),
    )
    ledgers = []
    for step in steps:
        ledgers.append(store.load(given))
        step()
    for ledger in reversed(ledgers):
        assert store.undo(given).ledger == ledger == store.load(given)
    with pytest.raises(RedlineError, match="nothing to take back") as error:
        store.undo(given)
    assert error.value.status == 1


def test_undo_says_what_it_took_back(store: LedgerStore) -> None:
    given = session(*FIRST)
    first = store.load(given).rules[0]
    store.confirm(given, [first.id])
    taken = store.undo(given)
    assert (taken.verb, taken.rules) == ("confirm", (first.id,))


def test_a_step_that_changes_nothing_is_none(store: LedgerStore) -> None:
    given = session(*FIRST)
    first = store.load(given).rules[0]
    store.confirm(given, [first.id])
    store.confirm(given, [first.id])
    store.undo(given)
    assert states(store.load(given)) == [PROPOSED, PROPOSED]


def test_nothing_is_made_where_there_is_nothing_to_take_back(
    store: LedgerStore, path: Path
) -> None:
    with pytest.raises(RedlineError):
        store.undo(session(*FIRST))
    assert not path.exists()
