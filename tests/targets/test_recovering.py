"""What a crash cut short is finished by the next command, and only where nothing else is lost."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.places import Places, places
from redline.targets.commit import commit
from redline.targets.receipts import Receipts
from redline.targets.recovering import recover
from redline.targets.target import Change
from tests.targets.crashing import ACTS, Case, usual
from tests.targets.disk import Disk, killed, tree

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)
NAMES = ("a", "b", "c")


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


def dies(home: Places, folder: Path, at: str) -> str:
    """A commit of three files that dies at a step; the id of its receipt."""
    changes = []
    for name in NAMES:
        (folder / name).write_bytes(b"old")
        changes.append(Change("t", name, b"new", b"old", folder / name, folder / name))
    child = os.fork()
    if child == 0:
        try:
            end = lambda step: os._exit(9) if step == at else None  # noqa: E731
            commit(changes, session="s1", places=home, now=NOW, step=end)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    return Receipts(home).list()[0].id


def held(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in NAMES if (folder / name).exists()}


def test_a_commit_that_died_between_two_files_goes_back_and_says_so_once(
    tmp_path: Path, home: Places
) -> None:
    name = dies(home, tmp_path, "file 1: replace")
    assert held(tmp_path) == {"a": b"new", "b": b"old", "c": b"old"}
    (done,) = recover(home, NOW)
    assert held(tmp_path) == dict.fromkeys(NAMES, b"old")
    assert done.result is not None
    assert "all is as before it again" in done.told
    assert f"redline undo {done.result.receipt}" in done.told
    assert recover(home, NOW) == ()
    assert set(os.listdir(tmp_path)) == {*NAMES, "home"}
    assert Receipts(home).get(name).undone == NOW
    assert Receipts(home).undo(done.result.receipt, NOW).complete
    assert held(tmp_path) == dict.fromkeys(NAMES, b"new")


def test_a_commit_of_which_all_was_written_is_done(tmp_path: Path, home: Places) -> None:
    name = dies(home, tmp_path, "finish")
    (done,) = recover(home, NOW)
    assert "all of it was written" in done.told
    assert held(tmp_path) == dict.fromkeys(NAMES, b"new")
    assert [(receipt.id, receipt.state) for receipt in Receipts(home).list()] == [(name, "done")]
    assert Receipts(home).undo(now=NOW).complete
    assert held(tmp_path) == dict.fromkeys(NAMES, b"old")


@pytest.mark.parametrize("change", ["other", "removed", "link"])
def test_nothing_is_touched_where_a_file_was_changed_since(
    tmp_path: Path, home: Places, change: str
) -> None:
    name = dies(home, tmp_path, "file 2: replace")
    path = tmp_path / "c"
    match change:
        case "other":
            path.write_bytes(b"mine")
        case "removed":
            path.unlink()
        case _:
            path.rename(tmp_path / "moved")
            path.symlink_to("moved")
    before = held(tmp_path)
    listed = Receipts(home).list()
    for _ in range(2):  # and it is told again
        (left,) = recover(home, NOW)
        assert left.result is None
        assert str(path) in left.told
        assert f"redline undo {name}" in left.told
    assert held(tmp_path) == before
    assert Receipts(home).list() == listed
    Receipts(home).undo(name, NOW)
    assert recover(home, NOW) == ()


def test_nothing_is_touched_where_a_copy_is_damaged(tmp_path: Path, home: Places) -> None:
    name = dies(home, tmp_path, "file 2: replace")
    (home.receipts / name / "1.before.zst").write_bytes(b"")
    before = held(tmp_path)
    (left,) = recover(home, NOW)
    assert "damaged" in left.told
    assert held(tmp_path) == before


def test_a_commit_finishes_first_what_another_left(tmp_path: Path, home: Places) -> None:
    dies(home, tmp_path, "file 1: replace")
    stale = Change("t", "a", b"newer", b"new", tmp_path / "a", tmp_path / "a")
    with pytest.raises(RedlineError, match="changed since the preview"):
        commit([stale], session="s1", places=home, now=NOW)
    assert held(tmp_path) == dict.fromkeys(NAMES, b"old")
    other = Change("t", "o", b"newer", None, tmp_path / "o", tmp_path / "o")
    commit([other], session="s1", places=home, now=NOW)
    assert Receipts(home).cut_short() == ()


def test_a_commit_that_is_being_written_is_left_to_its_process(
    tmp_path: Path, home: Places
) -> None:
    changes = [Change("t", name, b"new", None, tmp_path / name, tmp_path / name) for name in NAMES]
    seen = []

    def step(name: str) -> None:
        if name == "file 1: replace":
            seen.append(recover(home, NOW))

    commit(changes, session="s1", places=home, now=NOW, step=step)
    assert seen == [()]
    assert held(tmp_path) == dict.fromkeys(NAMES, b"new")


def test_two_processes_that_find_it_at_once_finish_it_once(tmp_path: Path, home: Places) -> None:
    dies(home, tmp_path, "file 1: replace")
    ready, go = os.pipe()
    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            os.close(go)
            os.read(ready, 1)  # until all are let go
            left = [one.why for one in recover(home, NOW) if one.why]
            os._exit(len(left))
        children.append(child)
    os.close(go)
    os.close(ready)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    assert held(tmp_path) == dict.fromkeys(NAMES, b"old")
    assert len([r for r in Receipts(home).list() if r.undoes]) == 1


@pytest.mark.parametrize("act", ACTS)
def test_a_recovery_that_dies_is_finished_by_the_next(root: Path, act: str) -> None:
    case = Case(root, usual, act)
    assert case.kill(case.points() * 3 // 4)
    assert Receipts(case.world.home).cut()
    left = tree(root)
    at = 0
    while True:
        at += 4
        case.begin(left)
        child = os.fork()
        if child == 0:
            disk = Disk(at, killed)
            with disk.below():
                recover(case.world.home, NOW, step=disk.step)
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
            break
        recover(case.world.home, NOW)
        assert Receipts(case.world.home).cut_short() == ()
        assert case.world.content() == (case.start if act == "commit" else case.goal)
    assert at > 50
