"""A store of decisions in a scratch folder, and what it is tried on."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.database import Database
from redline.ledger.rule import Ledger, RuleState
from redline.ledger.store import LedgerStore
from tests.sessions_in_memory import user

ACTIVE, PROPOSED = RuleState.ACTIVE, RuleState.PROPOSED


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "redline.sqlite"


@pytest.fixture
def store(path: Path) -> LedgerStore:
    return LedgerStore(Database(path))


FIRST = (user("Never touch src/legacy."), user("Always run the linter before you commit."))
LIFTED = user("You can edit src/legacy now.", id="u9")
PORT = user("Always use port 5432 for the staging database.", id="p1")
MOVED = user("The staging database must use port 5433 now.", id="p2")


def states(ledger: Ledger) -> list[RuleState]:
    return [rule.state for rule in ledger.rules]
