"""What a process has locked stays locked, whatever else it reads meanwhile."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from redline.agents.hermes.scanning import scan
from redline.agents.hermes.store import Store, is_database, stamp
from redline.agents.hermes.writing import transaction
from redline.errors import RedlineError
from tests.agents.hermes.made_up import Made

_WRITES = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    connection.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    print(error)
"""


def _another_writes(path: Path) -> str:
    """What another process gets that wants to write."""
    done = subprocess.run(
        [sys.executable, "-c", _WRITES, str(path)], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("wal", [False, True])
def test_reading_beside_a_transaction_gives_up_none_of_its_locks(tmp_path: Path, wal: bool) -> None:
    made = Made(tmp_path / "state.db", wal=wal)
    made.session()
    made.turns(2)
    path = made.close()
    with transaction(path) as connection:
        connection.execute("UPDATE messages SET content = 'other'")
        assert is_database(path)
        assert stamp(path)
        assert scan(path)
        assert Store(path).fetch("SELECT count(*) AS n FROM messages") == [{"n": 8}]
        assert _another_writes(path) == "database is locked"
    assert _another_writes(path) == ""


def test_what_was_raised_inside_leaves_all_as_it_was(tmp_path: Path) -> None:
    made = Made(tmp_path / "state.db")
    made.session()
    made.turns(1)
    path = made.close()
    before = path.read_bytes()
    with pytest.raises(RedlineError, match="no such table"), transaction(path) as connection:
        connection.execute("DELETE FROM messages").connection.execute("SELECT 1 FROM missing")
    assert path.read_bytes() == before
    with closing(sqlite3.connect(path)) as reader:
        assert reader.execute("SELECT count(*) FROM messages").fetchone() == (4,)
