from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from redline.places import Places, places
from redline.targets import journal
from redline.targets.commit import commit, locks
from redline.targets.pruning import prune
from redline.targets.receipt import Receipt
from redline.targets.receipts import Receipts
from redline.targets.target import Change
from tests.targets.crashing import Case, usual

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


def write(home: Places, path: Path, after: bytes, days_ago: int = 0) -> Receipt:
    before = path.read_bytes() if path.exists() else None
    change = Change("test", path.name, after, before, path, path)
    return commit([change], session="s1", places=home, now=NOW - days_ago * DAY)


def ids(home: Places) -> list[str]:
    return [receipt.id for receipt in Receipts(home).list()]


def test_old_receipts_go_and_say_what_that_frees(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "file"
    made = [write(home, path, b"%d" % days, days) for days in (90, 60, 20, 1)]
    wanted = prune(home, before=NOW - 30 * DAY, dry_run=True)
    assert [receipt.id for receipt in wanted.receipts] == [made[1].id, made[0].id]
    assert len(ids(home)) == 4
    taken = sum(
        path.stat().st_size for one in made[:2] for path in (home.receipts / one.id).iterdir()
    )
    done = prune(home, before=NOW - 30 * DAY)
    assert (done.receipts, done.freed) == (wanted.receipts, taken)
    assert ids(home) == [made[3].id, made[2].id]
    assert Receipts(home).undo(now=NOW).complete
    assert path.read_bytes() == b"20"


def test_the_newest_of_a_file_stays_whatever_its_age_while_it_keeps_what_was_there(
    tmp_path: Path, home: Places
) -> None:
    path = tmp_path / "two"
    path.write_bytes(b"mine")
    write(home, path, b"x", 300)
    two = write(home, path, b"y", 200)
    done = prune(home)
    assert len(done.receipts) == 1
    assert ids(home) == [two.id]
    assert done.kept == ((two, f"an undo of it brings {path} back as it was"),)


def test_a_receipt_that_only_made_new_files_goes_by_its_age(tmp_path: Path, home: Places) -> None:
    old = write(home, tmp_path / "handoff", b"x", 40)
    young = write(home, tmp_path / "session", b"x", 4)
    done = prune(home, before=NOW - 30 * DAY)
    assert [receipt.id for receipt in done.receipts] == [old.id]
    assert (ids(home), done.kept, done.younger) == ([young.id], (), 1)
    assert (tmp_path / "handoff").read_bytes() == b"x"


def test_what_a_file_held_stays_also_where_it_was_removed_and_made_anew(
    tmp_path: Path, home: Places
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"mine")
    first = write(home, path, b"x", 50)
    path.unlink()
    write(home, path, b"y", 40)
    prune(home)
    assert ids(home) == [first.id]


def test_what_an_undo_took_away_is_kept_by_the_undo(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "handoff"
    made = write(home, path, b"x", 40)
    undo = Receipts(home).undo(made.id, NOW - 39 * DAY)
    assert undo.receipt
    prune(home)
    assert ids(home) == [undo.receipt]
    assert Receipts(home).undo(undo.receipt, NOW).complete
    assert path.read_bytes() == b"x"


def test_the_newest_are_kept_by_number(tmp_path: Path, home: Places) -> None:
    made = [write(home, tmp_path / "file", b"%d" % n, 9 - n) for n in range(6)]
    prune(home, keep=3)
    assert ids(home) == [receipt.id for receipt in made[:2:-1]]
    prune(home, keep=3, before=NOW - 365 * DAY)
    assert len(ids(home)) == 3


def test_what_is_being_written_was_cut_short_or_is_damaged_stays(
    tmp_path: Path, home: Places, root: Path
) -> None:
    case = Case(root, usual, "commit")
    for _ in case.killed():
        listed = Receipts(case.world.home).list()
        if listed:
            assert listed[0].state == "cut short"
            assert prune(case.world.home).receipts == ()
            assert Receipts(case.world.home).list() == listed
            break
    damaged = write(home, tmp_path / "file", b"1", 40)
    (home.receipts / damaged.id / "manifest.json").write_bytes(b"{")
    write(home, tmp_path / "file", b"2", 30)
    newest = write(home, tmp_path / "file", b"3", 20)
    with journal.begin(home.receipts, locks(home), NOW) as opened:
        opened.publish(Receipt(opened.id, NOW, "s", None, (), state="writing"))
        states = [receipt.state for receipt in Receipts(home).list()]
        assert states == ["writing", "done", "done", "damaged"]
        prune(home)
        assert ids(home) == [opened.id, newest.id, damaged.id]
    assert Receipts(home).list()[0].state == "cut short"


def test_an_undo_stays_with_the_commit_it_took_back(tmp_path: Path, home: Places) -> None:
    changes = [
        Change("test", name, b"new", None, tmp_path / name, tmp_path / name) for name in ("a", "b")
    ]
    first = commit(changes, session="s1", places=home, now=NOW - 9 * DAY)
    (tmp_path / "b").unlink()  # by hand
    undo = Receipts(home).undo(first.id, NOW - 8 * DAY)
    write(home, tmp_path / "a", b"mine")
    prune(home)
    left = {receipt.id: receipt for receipt in Receipts(home).list()}
    assert undo.receipt is None or (first.id in left) <= (undo.receipt in left)
    assert all(receipt.undone for receipt in left.values() if receipt.id == first.id)


def test_what_dead_commits_left_is_swept(tmp_path: Path, home: Places, root: Path) -> None:
    write(home, tmp_path / "file", b"1")
    for name in (".new-20260807-120000-000009", ".gone-20260807-120000-000008"):
        (home.receipts / name).mkdir()
        (home.receipts / name / "0.before.zst").write_bytes(b"x")
    prune(home, dry_run=True)
    assert len(list(home.receipts.iterdir())) == 3
    prune(home, keep=1)
    assert len(list(home.receipts.iterdir())) == 1
