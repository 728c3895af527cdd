"""What is done to a Hermes database: all or nothing, while nobody holds it, and back again."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from redline.agents.hermes import writing
from redline.errors import RedlineError
from redline.files import no_step
from redline.places import Places, places
from redline.targets import deed as deeds
from redline.targets.commit import commit
from redline.targets.deed import State
from redline.targets.native.forms import draft_of
from redline.targets.native.native import NativeSession
from redline.targets.receipts import Receipts
from redline.targets.target import Change
from redline.targets.undoing import Outcome
from tests.agents.hermes.made_up import SESSION, folder_bytes
from tests.targets.native.hermes_made import (
    database,
    environment,
    everything,
    published,
    run,
    said,
    task,
)
from tests.targets.native.making import NOW

BOTH = pytest.mark.parametrize("in_place", [False, True])


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "redline")})


def test_the_copy_in_the_receipt_is_the_whole_database(tmp_path: Path, home: Places) -> None:
    import zstandard

    path = database(tmp_path / "state.db", wal=True)
    keeper = sqlite3.connect(path)
    keeper.execute("SELECT count(*) FROM messages").fetchall()
    said(path, "This stands in the -wal only")
    before = everything(path)
    _, receipt = published(task(path, in_place=True), home)
    copy = tmp_path / "copy.db"
    with (home.receipts / receipt / "0.before.zst").open("rb") as packed, copy.open("wb") as plain:
        zstandard.ZstdDecompressor().copy_stream(packed, plain)
    assert everything(copy) == before
    keeper.close()


def test_a_session_that_went_on_since_is_left_and_what_came_is_told(
    tmp_path: Path, home: Places
) -> None:
    for in_place in (False, True):
        folder = tmp_path / str(in_place)
        folder.mkdir()
        path = database(folder / "state.db")
        draft, receipt = published(task(path, in_place=in_place), home)
        said(path, "One thing more", session=draft.id)
        before = everything(path)
        (file,) = Receipts(home).undo(receipt, NOW, environment=environment(path)).files
        assert file.outcome is Outcome.REFUSED
        assert "+user: One thing more" in file.since
        assert everything(path) == before


def test_what_another_session_says_meanwhile_hinders_nothing(tmp_path: Path, home: Places) -> None:
    path = database(tmp_path / "state.db")
    before = everything(path)
    _, receipt = published(task(path, in_place=True), home)
    said(path, "Elsewhere", session="other")
    assert Receipts(home).undo(receipt, NOW, environment=environment(path)).complete
    assert everything(path)["messages"][:-1] == before["messages"]


@BOTH
def test_a_row_that_changed_since_the_preview_stops_it(
    tmp_path: Path, home: Places, in_place: bool
) -> None:
    path = database(tmp_path / "state.db")
    target = NativeSession(task(path, in_place=in_place))
    change = target.preview()
    run(path, "UPDATE messages SET content = 'other words' WHERE id = 20")
    before = everything(path)
    with pytest.raises(RedlineError, match="has changed since the preview"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert everything(path) == before
    assert Receipts(home).list() == ()


def test_a_message_after_the_preview_stops_it_in_place_and_is_told_beside(
    tmp_path: Path, home: Places
) -> None:
    path = database(tmp_path / "state.db")
    inside, beside = (NativeSession(task(path, in_place=where)) for where in (True, False))
    change = inside.preview()
    said(path, "One thing more")
    with pytest.raises(RedlineError, match="has changed since the preview"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert any("1 message came after it" in warning for warning in beside.preview().warnings)
    commit((beside.preview(),), session=SESSION, places=home, now=NOW, environment={})


def _locked(path: Path) -> None:
    run(
        path,
        "INSERT INTO compression_locks VALUES (?, 'pid=1:tid=1', ?, ?)",
        SESSION,
        time.time(),
        time.time() + 300,
    )


def _leased(path: Path) -> None:
    run(
        path,
        "INSERT INTO session_turn_leases VALUES (?, 'pid=1', ?, ?)",
        SESSION,
        time.time(),
        time.time() + 300,
    )


def _beating(path: Path) -> None:
    run(
        path,
        "INSERT INTO gateway_heartbeats VALUES ('work@host:7', 7, 1, ?, 'work', 'host')",
        time.time() - 60,
    )


REFUSALS = [
    (_locked, "locked"),
    (_leased, "in a turn of it"),
    (_beating, "a gateway of Hermes is running: work@host:7"),
]


@pytest.mark.parametrize(("hold", "reason"), REFUSALS)
def test_in_its_place_nothing_is_done_while_somebody_may_hold_it(
    tmp_path: Path, home: Places, hold: Callable[[Path], None], reason: str
) -> None:
    folder = tmp_path / "hermes"
    folder.mkdir()
    path = database(folder / "state.db", schema=31)
    change = NativeSession(task(path, in_place=True)).preview()
    hold(path)
    before = folder_bytes(folder)
    with pytest.raises(RedlineError, match=reason) as caught:
        commit((change,), session=SESSION, places=home, now=datetime.now(UTC), environment={})
    assert "new session beside it" in caught.value.hint
    with pytest.raises(RedlineError, match=reason):
        NativeSession(replace(task(path, in_place=True), now=datetime.now(UTC))).preview()
    assert folder_bytes(folder) == before
    assert Receipts(home).list() == ()


def test_a_session_that_spoke_just_now_is_not_compacted_in_its_place(tmp_path: Path) -> None:
    path = database(tmp_path / "state.db")
    said(path, "One thing more", time=time.time() - 5)
    with pytest.raises(RedlineError, match="changed in the last two minutes"):
        NativeSession(replace(task(path, in_place=True), now=datetime.now(UTC))).preview()
    run(path, "UPDATE sessions SET ended_at = ?", time.time())
    NativeSession(replace(task(path, in_place=True), now=datetime.now(UTC))).preview()


_HOLDS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT count(*) FROM messages").fetchall()
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no /proc here")
def test_in_its_place_nothing_is_done_while_a_process_has_the_database_open(
    tmp_path: Path, home: Places
) -> None:
    folder = tmp_path / "hermes"
    folder.mkdir()
    path = database(folder / "state.db", wal=True)
    change = NativeSession(task(path, in_place=True)).preview()
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDS, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        before = folder_bytes(folder)
        with pytest.raises(RedlineError, match=f"process {process.pid} .* has its database open"):
            commit((change,), session=SESSION, places=home, now=NOW, environment={})
        assert folder_bytes(folder) == before
        beside = NativeSession(task(path, in_place=False)).preview()
        assert commit((beside,), session=SESSION, places=home, now=NOW, environment={}).id
        process.communicate("")


def test_beside_a_session_that_is_compacted_just_now_nothing_is_written(
    tmp_path: Path, home: Places
) -> None:
    path = database(tmp_path / "state.db")
    change = NativeSession(task(path, in_place=False)).preview()
    _locked(path)
    before = everything(path)
    with pytest.raises(RedlineError, match="Hermes is compacting session"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert everything(path) == before


def test_a_lock_that_ran_out_counts_for_nothing_and_none_is_left(
    tmp_path: Path, home: Places
) -> None:
    path = database(tmp_path / "state.db")
    run(path, "INSERT INTO compression_locks VALUES (?, 'pid=1', 1, 2)", SESSION)
    published(task(path, in_place=True), home)
    assert run(path, "SELECT * FROM compression_locks") == []


@BOTH
def test_a_database_that_another_writes_to_is_left_as_it_is(
    tmp_path: Path, home: Places, in_place: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "BUSY_SECONDS", 0.01)
    path = database(tmp_path / "state.db")
    change = NativeSession(task(path, in_place=in_place)).preview()
    with writing.transaction(path), pytest.raises(RedlineError, match="another program"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert Receipts(home).list() == ()


@BOTH
def test_a_full_disk_leaves_it_as_it_was(
    tmp_path: Path, home: Places, in_place: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = database(tmp_path / "state.db")
    change = NativeSession(task(path, in_place=in_place)).preview()
    opened = writing.opened

    def full(where: Path) -> Any:
        connection = opened(where)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(writing, "opened", full)
    before = path.read_bytes()
    with pytest.raises(RedlineError, match="the disk is full; nothing was changed"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert path.read_bytes() == before
    assert Receipts(home).list() == ()


@BOTH
def test_a_read_only_database_is_refused(tmp_path: Path, home: Places, in_place: bool) -> None:
    path = database(tmp_path / "state.db")
    change = NativeSession(task(path, in_place=in_place)).preview()
    path.chmod(0o444)
    before = path.read_bytes()
    with pytest.raises(RedlineError, match="read-only"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert path.read_bytes() == before


def _killed(change: Change, home: Places, at: int, *, statements: bool) -> bool:
    """Whether a commit that dies at a step, or before a statement, was killed."""
    child = os.fork()
    if not child:
        try:
            reached = 0

            def count(_what: str) -> None:
                nonlocal reached
                reached += 1
                if reached == at:
                    os._exit(9)

            opened = writing.opened

            def traced(path: Path) -> Any:
                connection = opened(path)
                connection.set_trace_callback(count)
                return connection

            if statements:
                writing.opened = traced
            step = no_step if statements else count
            commit((change,), session=SESSION, places=home, now=NOW, environment={}, step=step)
            os._exit(0)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 9)
    return code == 9


@BOTH
@pytest.mark.parametrize(("wal", "statements"), [(False, False), (False, True), (True, True)])
def test_a_process_that_dies_leaves_either_and_undo_works(
    tmp_path: Path, home: Places, in_place: bool, wal: bool, statements: bool
) -> None:
    source = database(tmp_path / "source.db", wal=wal)
    before = everything(source)
    path = tmp_path / "state.db"
    shutil.copyfile(source, path)
    change = NativeSession(task(path, in_place=in_place)).preview()
    points, states = 0, set()
    while True:
        points += 4 if statements else 1
        for ending in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        shutil.rmtree(home.receipts, ignore_errors=True)
        shutil.copyfile(source, path)
        if not _killed(change, home, points, statements=statements):
            break
        receipts = Receipts(home).list()
        if receipts:
            result = Receipts(home).undo(receipts[0].id, NOW, environment=environment(path))
            states.add(result.files[0].outcome)
            assert result.complete
        assert everything(path) == before
    assert points > (6 if not statements else 30)
    assert Outcome.AS_BEFORE in states
    assert statements or Outcome.RESTORED in states


@BOTH
def test_what_a_receipt_holds_makes_the_same_deed_again(tmp_path: Path, in_place: bool) -> None:
    path = database(tmp_path / "state.db", schema=31)
    deed = NativeSession(task(path, in_place=in_place)).preview().deed
    assert deed is not None
    again = deeds.load(deeds.dump(deed))
    assert again.state() is State.BEFORE
    assert again.dump() == deed.dump()
    assert again.shown("after") == deed.shown("after")


def test_flags_that_an_undo_could_not_bring_back_are_left_alone(tmp_path: Path) -> None:
    path = database(tmp_path / "state.db")
    run(path, "UPDATE messages SET compacted = 'no' WHERE id = 3")
    with pytest.raises(RedlineError, match="no numbers"):
        draft_of(task(path, in_place=True))
    draft_of(task(path, in_place=False))
