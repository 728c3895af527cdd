"""What a person decides on rules outlives detection, growth and runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.database import Database
from redline.errors import RedlineError
from redline.ledger.rule import Ledger, RuleFamily, RuleState
from redline.ledger.store import LedgerStore
from tests.sessions_in_memory import Draft, session, user

ACTIVE, PROPOSED = RuleState.ACTIVE, RuleState.PROPOSED


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "redline.sqlite"


@pytest.fixture
def store(path: Path) -> LedgerStore:
    return LedgerStore(Database(path))


FIRST = (user("Never touch src/legacy."), user("Always run the linter before you commit."))
LIFTED = user("You can edit src/legacy now.", id="u9")


def states(ledger: Ledger) -> list[RuleState]:
    return [rule.state for rule in ledger.rules]


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


def test_later_words_revoke_a_confirmed_rule_and_confirming_it_again_holds(
    store: LedgerStore,
) -> None:
    given = session(*FIRST)
    first = store.load(given).rules[0]
    store.confirm(given, [first.id])
    grown = session(*FIRST, LIFTED)
    revoked = store.load(grown).rules[0]
    assert (revoked.state, revoked.by) == (RuleState.REVOKED, "u9")
    assert store.confirm(grown, [first.id]).rules[0].state is ACTIVE
    assert store.load(session(*FIRST, LIFTED, user("go on"))).rules[0].state is ACTIVE
    again = session(*FIRST, LIFTED, user("Yes, src/legacy can be changed now.", id="u12"))
    assert (store.load(again).rules[0].state, store.load(again).rules[0].by) == (
        RuleState.REVOKED,
        "u12",
    )


def test_another_wording_does_not_bring_a_revoked_rule_back(store: LedgerStore) -> None:
    given = session(*FIRST)
    first = store.load(given).rules[0]
    store.confirm(given, [first.id])
    grown = session(*FIRST, LIFTED)
    assert store.edit(grown, first.id, "Never ever").rules[0].state is RuleState.REVOKED


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
