"""Any row of steps over the sessions of a project: each does what it says, and all go back."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from redline.database import Database
from redline.errors import RedlineError
from redline.ledger.rule import Ledger, RuleState, Scope
from redline.ledger.store import LedgerStore
from redline.model import Session
from tests.sessions_in_memory import session, user

LATER = datetime(2026, 3, 1, tzinfo=UTC)
SESSIONS = (
    session(
        user("Never touch src/legacy. Always use port 5432 for the staging database."),
        user("Never use pnpm."),
        id="a",
    ),
    session(
        user("Never touch src/legacy."),
        user("The staging database must use port 5433 now."),
        user("Always use pnpm.", time=LATER),
        id="b",
    ),
    session(user("hello"), user("You can edit src/legacy now.", time=LATER), id="c"),
)
WORDS = ("Be brief", "Never touch src", "Use port 5434 for the staging database.")
DECIDED = {
    "confirm": RuleState.ACTIVE,
    "dismiss": RuleState.DISMISSED,
    "revoke": RuleState.REVOKED,
}
Step = tuple[str, int, int, int]
steps = st.lists(
    st.tuples(
        st.sampled_from((*DECIDED, "edit", "add", "supersede", "scope")),
        st.integers(0, len(SESSIONS) - 1),
        st.integers(0, 9),
        st.integers(0, 9),
    ),
    max_size=9,
)


def done(store: LedgerStore, step: Step) -> None:
    """Carries a step out, and holds it against what it promises."""
    verb, where, which, other = step
    given = SESSIONS[where]
    ids = [rule.id for rule in store.load(given).rules]
    words = WORDS[other % len(WORDS)]
    if verb == "add":
        assert any(rule.text == words for rule in store.add(given, words).active)
    elif not ids:
        return
    else:
        name = ids[which % len(ids)]
        if verb in DECIDED:
            ledger: Ledger = getattr(store, verb)(given, [name])
            rule = ledger.named(name)
            assert rule is not None
            assert rule.state is DECIDED[verb]
        elif verb == "edit":
            store.edit(given, name, words)
        elif verb == "scope":
            store.rescope(given, [name], list(Scope)[other % 2])
        else:
            with suppress(RedlineError):  # by itself
                store.supersede(given, name, (*ids, words)[other % (len(ids) + 1)])


def undone(store: LedgerStore, given: Session) -> bool:
    """Whether a step was taken back; there may be none, or one of another session comes first."""
    try:
        store.undo(given)
    except RedlineError:
        return False
    return True


@given(steps)
@settings(max_examples=15, deadline=None)
def test_every_step_does_what_it_says_and_all_of_them_go_back(taken: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = LedgerStore(Database(Path(folder) / "redline.sqlite"))
        before = [store.load(given) for given in SESSIONS]
        for step in taken:
            done(store, step)
            for given in SESSIONS:
                rules = store.load(given).rules
                assert len({rule.id for rule in rules}) == len(rules)
        while [given for given in SESSIONS if undone(store, given)]:
            pass
        assert [store.load(given) for given in SESSIONS] == before
