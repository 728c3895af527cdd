"""A database is read whole and left as it was, whoever writes to it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from redline.agents.discover import discover
from redline.agents.hermes.finder import HERMES
from redline.agents.hermes.reader import open_session
from redline.agents.hermes.store import Store, database_stamp, hermes_store
from redline.agents.opening import open_session as open_any
from redline.errors import RedlineError

from .made_up import SESSION, Made, folder_bytes

_WRITER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for line in sys.stdin:
    print(connection.execute(line).fetchall(), flush=True)
"""


class Writer:
    """A process of its own that has the database open, as Hermes has."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, statement: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(statement + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture
def written(tmp_path: Path) -> Iterator[tuple[Path, Writer]]:
    """A database in WAL mode that another process has open."""
    made = Made(tmp_path / "state.db", wal=True)
    made.session(title="Rounding")
    made.turns(3)
    path = made.close()
    writer = Writer(path)
    writer.run(_insert("what is only in the -wal"))
    yield path, writer
    writer.close()


def _insert(text: str) -> str:
    return (
        "INSERT INTO messages (session_id, role, content, timestamp)"
        f" VALUES ('{SESSION}', 'user', '{text}', 1)"
    )


def _heads(path: Path) -> list[str]:
    return [message.head for message in open_session(path, id=SESSION).context]


def test_what_is_only_in_the_wal_is_read(written: tuple[Path, Writer]) -> None:
    path, _ = written
    assert _heads(path)[-1] == "what is only in the -wal"


def test_nothing_is_changed_while_a_writer_is_in_a_transaction(
    written: tuple[Path, Writer],
) -> None:
    path, writer = written
    writer.run("BEGIN IMMEDIATE")
    writer.run(_insert("not committed"))
    before = folder_bytes(path.parent)
    assert set(before) == {"state.db", "state.db-wal", "state.db-shm"}
    assert "not committed" not in _heads(path)
    infos = HERMES.scan(path)
    list(HERMES.passages(infos[0], 0))
    HERMES.mark(infos[0], 10)
    HERMES.live(infos, None)
    assert folder_bytes(path.parent) == before
    writer.run("COMMIT")
    assert _heads(path)[-1] == "not committed"


def test_a_writer_is_never_held_up(written: tuple[Path, Writer]) -> None:
    path, writer = written
    rows = Store(path).messages(range(1, 5))
    next(rows)
    assert writer.run("PRAGMA wal_checkpoint(TRUNCATE)").startswith("[(0,")


def test_a_stamp_changes_with_the_wal(written: tuple[Path, Writer]) -> None:
    path, writer = written
    before = database_stamp(path)
    writer.run(_insert("more"))
    assert database_stamp(path) != before


@pytest.mark.parametrize("beside", [("-wal",), ("-wal", "-shm"), ()])
def test_a_copy_is_read_with_what_lies_beside_it_and_left_as_it_is(
    written: tuple[Path, Writer], tmp_path_factory: pytest.TempPathFactory, beside: tuple[str, ...]
) -> None:
    path, _ = written
    folder = tmp_path_factory.mktemp("copy")
    for ending in ("", *beside):
        shutil.copy(f"{path}{ending}", folder)
    before = folder_bytes(folder)
    folder.chmod(0o555)
    try:
        heads = _heads(folder / "state.db")
    finally:
        folder.chmod(0o755)
    assert (heads[-1] == "what is only in the -wal") is ("-wal" in beside)
    assert folder_bytes(folder) == before


def test_a_closed_database_gets_no_files_beside_it(tmp_path: Path) -> None:
    made = Made(tmp_path / "state.db", wal=True)
    made.session()
    made.turns(1)
    path = made.close()
    before = folder_bytes(tmp_path)
    assert set(before) == {"state.db"}
    assert len(_heads(path)) == 4
    assert folder_bytes(tmp_path) == before


def test_a_link_leads_to_the_wal_of_the_real_database(
    written: tuple[Path, Writer], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path, _ = written
    link = tmp_path_factory.mktemp("link") / "state.db"
    link.symlink_to(path)
    assert _heads(link)[-1] == "what is only in the -wal"
    assert [entry.name for entry in link.parent.iterdir()] == ["state.db"]


def test_a_lock_is_waited_for_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("redline.agents.hermes.store.BUSY_SECONDS", 0.01)
    made = Made(tmp_path / "state.db")
    made.session()
    made.run("BEGIN EXCLUSIVE")
    with pytest.raises(RedlineError, match="is locked") as raised:
        open_session(made.path, id=SESSION)
    assert "try again" in raised.value.hint
    made.close()


def test_a_database_that_cannot_be_opened_is_tried_again_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Made(tmp_path / "state.db")
    made.session()
    store, tries = Store(made.close()), list[float]()

    def refused(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    monkeypatch.setattr(sqlite3, "connect", refused)
    monkeypatch.setattr("redline.agents.hermes.store.time.sleep", tries.append)
    with pytest.raises(RedlineError, match="unable to open"):
        store.fetch("SELECT id FROM sessions")
    assert len(tries) == 3


def _damaged(path: Path) -> dict[str, bytes]:
    whole = path.read_bytes()
    zeroed = bytearray(whole)
    zeroed[4096:] = bytes(len(whole) - 4096)
    return {
        "truncated": whole[: len(whole) // 2],
        "zeroed": bytes(zeroed),
        "only a header": whole[:100],
        "no database": b"once there was a database here",
    }


@pytest.mark.parametrize("kind", ["truncated", "zeroed", "only a header", "no database"])
def test_damage_is_told_with_the_file_and_other_agents_are_listed(
    tmp_path: Path, kind: str
) -> None:
    home = tmp_path / ".hermes"
    home.mkdir()
    made = Made(home / "state.db")
    made.session()
    made.turns(200)
    path = made.close()
    damaged = _damaged(path)[kind]
    path.write_bytes(damaged)
    other = tmp_path / ".pi" / "agent" / "sessions" / "x.jsonl"
    other.parent.mkdir(parents=True)
    other.write_text(
        '{"type":"session","version":3,"id":"p1","timestamp":"2026-01-01T00:00:00Z"}\n'
    )
    with pytest.raises(RedlineError, match=r"state\.db"):
        open_any(path)
    found = discover({"HOME": str(tmp_path)})
    assert [info.id for info in found.sessions] == ["p1"]
    assert any(looked.path == path and looked.problem for looked in found.looked)
    assert path.read_bytes() == damaged


def test_a_database_of_something_else_is_no_session(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, text)")
    connection.close()
    assert hermes_store(path) is None
    assert HERMES.scan(path) == ()
    with pytest.raises(RedlineError, match="no session of an agent"):
        open_any(path)


def test_large_rows_come_in_small_batches_in_the_order_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("redline.agents.hermes.store.BATCH_BYTES", 1_000)
    made = Made(tmp_path / "state.db")
    made.session()
    ids = [made.row("user", "x" * 400) for _ in range(20)]
    made.run("DELETE FROM messages WHERE id = ?", ids[7])
    found = Store(made.close()).messages([*reversed(ids)], ("id",))
    assert [row["id"] for row in found] == [n for n in reversed(ids) if n != ids[7]]


def test_bytes_that_are_no_text_are_read(tmp_path: Path) -> None:
    made = Made(tmp_path / "state.db")
    made.session()
    made.run(
        "INSERT INTO messages (session_id, role, content, timestamp)"
        " VALUES (?, 'user', CAST(x'6f6bff00' AS TEXT), 1)",
        SESSION,
    )
    session = open_session(made.close(), id=SESSION)
    assert session.text(session.context[0].parts[0]) == "ok\ufffd\0"
