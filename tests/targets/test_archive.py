from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.places import Places, places
from redline.targets.archive import AFTER, BEFORE, Archive
from redline.targets.commit import commit
from redline.targets.receipt import Receipt
from redline.targets.receipts import Receipts
from redline.targets.target import Change
from redline.targets.undoing import Standing
from tests.targets.crashing import Case, World, database, line
from tests.targets.disk import Disk

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


def write(home: Places, path: Path, after: bytes) -> Receipt:
    before = path.read_bytes() if path.exists() else None
    change = Change("test", path.name, after, before, path, path)
    return commit([change], session="s1", places=home, now=NOW)


def test_an_original_that_was_written_over_twice_can_be_opened(
    tmp_path: Path, home: Places
) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"mine\r\n\xff")
    first = write(home, path, b"one")
    second = write(home, path, b"two")
    archive = Archive(home)
    assert archive.open(first, 0) == b"mine\r\n\xff"
    assert archive.open(first, 0, AFTER) == b"one"
    assert archive.open(second, 0, BEFORE) == b"one"
    path.unlink()
    assert archive.open(first, 0) == b"mine\r\n\xff"


def test_a_search_tells_every_line_once_with_its_place(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes("nothing\nÜber Rounding, rounding\n".encode())
    first = write(home, path, b"new")
    write(home, path, b"newer\nROUNDING again")
    Receipts(home).undo(now=NOW)  # keeps the same contents once more
    found = list(Archive(home).search("rounding"))
    assert [(place.line, place.text) for place in found] == [
        (2, "ROUNDING again"),
        (2, "Über Rounding, rounding"),
    ]
    assert (found[1].receipt, found[1].side, found[1].path) == (first, "before", path)
    start, end = found[1].at
    assert found[1].text[start:end] == "Rounding"
    assert [place.line for place in Archive(home).search("über")] == [2]
    assert list(Archive(home).search("rounding", limit=1)) == found[:1]
    assert list(Archive(home).search("rounding", cancelled=lambda: True)) == []


def test_a_damaged_copy_is_told_and_the_others_are_searched(tmp_path: Path, home: Places) -> None:
    for name in ("a", "b", "c"):
        write(home, tmp_path / name, f"{name} needle".encode())
    middle, last = Receipts(home).list()[1:]
    (home.receipts / middle.id / "0.after.zst").write_bytes(b"no")
    (home.receipts / last.id / "manifest.json").unlink()
    told: list[str] = []
    found = list(Archive(home).search("needle", damaged=told.append))
    assert [place.path.name for place in found] == ["c"]
    assert len(told) == 2


def test_of_a_deed_the_whole_file_is_kept_and_what_was_put_there(root: Path) -> None:
    case = Case(root, line, "commit")
    case.begin()
    case.run(Disk())
    (receipt,) = Receipts(case.world.home).list()
    archive = Archive(case.world.home)
    assert archive.open(receipt, 0) == case.before["pi.jsonl"]
    assert archive.open(receipt, 0, AFTER) == b'{"type":"compaction"}\n' * 20
    assert [place.line for place in archive.search("SESSION", limit=3)] == [1, 2, 3]


@pytest.mark.parametrize("make", [line, database])
def test_what_a_deed_has_become_is_told(root: Path, make: object) -> None:
    case = Case(root, line if make is line else database, "commit")
    case.begin()
    case.run(Disk())
    assert _standing(case.world) is Standing.WRITTEN
    Receipts(case.world.home).undo(now=NOW)
    newest, first = Receipts(case.world.home).list()
    receipts = Receipts(case.world.home)
    assert receipts.standing(newest) == (Standing.WRITTEN,)
    assert receipts.standing(first) == (Standing.BEFORE,)
    path = first.written[0].path
    path.unlink()
    assert receipts.standing(first) == (Standing.GONE,)


def _standing(world: World) -> Standing:
    receipts = Receipts(world.home)
    return receipts.standing(receipts.list()[-1])[0]


def test_what_a_file_has_become_is_told(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    receipt = write(home, path, b"new")
    receipts = Receipts(home)
    assert receipts.standing(receipt) == (Standing.WRITTEN,)
    path.write_bytes(b"old")
    assert receipts.standing(receipt) == (Standing.BEFORE,)
    path.write_bytes(b"mine")
    assert receipts.standing(receipt) == (Standing.CHANGED,)
    path.unlink()
    assert receipts.standing(receipt) == (Standing.GONE,)
    path.mkdir()
    assert receipts.standing(receipt) == (Standing.UNREADABLE,)


def test_a_copy_that_is_gone_is_an_error_with_the_file_it_was_of(
    tmp_path: Path, home: Places
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    receipt = write(home, path, b"new")
    (home.receipts / receipt.id / "0.before.zst").unlink()
    with pytest.raises(RedlineError, match="missing or damaged"):
        Archive(home).open(receipt, 0)
