"""What a commit, its undo and the undo of that refuse: every kind of target, nothing half done."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.targets.commit import commit
from redline.targets.receipts import Receipts
from redline.targets.undoing import Outcome
from tests.targets import rows
from tests.targets.crashing import (
    ACTS,
    COMMIT,
    NOW,
    REDO,
    UNDO,
    Case,
    Make,
    World,
    block,
    database,
    everything,
    line,
    native,
    new_file,
    replaced_file,
)
from tests.targets.disk import CHANGES, NEEDS_ROOM, Disk, Tree, broken, no_room

SINGLE = [new_file, replaced_file, block, line, database, native]
CHANGED = [replaced_file, block, line, database]  # files that are there before


def stays(case: Case, disk: Disk) -> RedlineError | None:
    """Runs it on a disk, and gives the error; then all is as it was, else all is done."""
    case.begin()
    listed = Receipts(case.world.home).list()
    found = None
    try:
        case.run(disk)
    except RedlineError as error:
        found = error
    if found is None:
        assert _files(case.world.content()) == _files(case.goal)  # an empty folder may be left
        return None
    assert case.world.content() == case.start
    assert Receipts(case.world.home).list() == listed
    assert found.hint
    return found


def _files(tree: Tree) -> Tree:
    return {name: data for name, data in tree.items() if data is not None}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("make", [replaced_file, line, database, everything])
def test_a_disk_that_is_full_from_any_write_on_changes_nothing(
    root: Path, make: Make, act: str
) -> None:
    case = Case(root, make, act)
    at, refused = 1, 0
    while True:
        disk = Disk(at, no_room, counted=NEEDS_ROOM, lasting=True)
        error = stays(case, disk)
        if disk.points < at:
            break
        if error is not None:
            assert "the disk is full" in error.message
            refused += 1
        at += 1
    assert refused > 10


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("make", [line, everything])
def test_any_change_of_a_file_that_fails_once_changes_nothing(
    root: Path, make: Make, act: str
) -> None:
    case = Case(root, make, act)
    at, refused = 1, 0
    while True:
        disk = Disk(at, broken, counted=CHANGES - {"step"})
        refused += stays(case, disk) is not None
        if disk.points < at:
            break
        at += 1
    assert refused > 10


def test_a_database_without_room_for_its_rows_changes_nothing(root: Path) -> None:
    case = Case(root, database, COMMIT)
    case.begin()
    rows.pages[:] = [2]
    try:
        error = stays(case, Disk())
    finally:
        rows.pages.clear()
    assert error is not None
    assert "full" in error.message


@pytest.mark.parametrize("make", CHANGED)
def test_a_file_that_is_gone_since_the_preview_is_not_made_again(root: Path, make: Make) -> None:
    case = Case(root, make, COMMIT)
    case.begin()
    path = case.changes[0].path
    assert path is not None
    path.unlink()
    with pytest.raises(RedlineError, match="removed since the preview"):
        case.run(Disk())
    assert case.world.content() == {}
    assert Receipts(case.world.home).list() == ()


@pytest.mark.parametrize("make", CHANGED)
def test_a_file_that_changed_since_the_preview_is_not_written(root: Path, make: Make) -> None:
    case = Case(root, make, COMMIT)
    case.begin()
    change(case, by_hand=b"{by hand}\n")
    now = case.world.content()
    if make is block:  # the rest of the file is told from the block, and kept
        case.run(Disk())
        assert b"{by hand}\n" in (case.world.work / "AGENTS.md").read_bytes()
        return
    with pytest.raises(RedlineError, match="changed since the preview"):
        case.run(Disk())
    assert case.world.content() == now
    assert Receipts(case.world.home).list() == ()


@pytest.mark.parametrize("make", [new_file, native])
def test_a_file_that_is_there_since_the_preview_is_not_written_over(root: Path, make: Make) -> None:
    case = Case(root, make, COMMIT)
    path = target(case)
    case.begin()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"mine")
    with pytest.raises(RedlineError, match="changed since the preview"):
        case.run(Disk())
    assert path.read_bytes() == b"mine"
    assert Receipts(case.world.home).list() == ()


@pytest.mark.parametrize("act", [UNDO, REDO])
@pytest.mark.parametrize("make", SINGLE)
def test_what_has_changed_since_stays_and_shows_before_written_and_now(
    root: Path, make: Make, act: str
) -> None:
    if act == REDO and make in (new_file, native):
        pytest.skip("what was taken away is not there to be changed")
    case = Case(root, make, act)
    case.begin()
    if make is block:
        path = target(case)
        path.write_bytes(path.read_bytes().replace(b"Never push", b"Always push") + b"\n")
    else:
        change(case, by_hand=b"{by hand}\n")
    now = case.world.content()
    listed = Receipts(case.world.home).list()
    result = Receipts(case.world.home).undo(case.named, NOW)
    if make is block and act == REDO:  # no block, so none that was changed
        assert result.complete
        return
    (file,) = result.files
    assert file.outcome is Outcome.REFUSED
    assert file.detail
    edited = "Always" if make is block else "by hand"
    assert any(line.startswith("+") and edited in line for line in file.since)
    assert any(line.startswith("-") and edited in line for line in file.back)
    assert case.world.content() == now
    assert (result.receipt, Receipts(case.world.home).list()) == (None, listed)


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("make", SINGLE)
def test_a_folder_that_has_become_a_link_is_not_followed(root: Path, make: Make, act: str) -> None:
    case = Case(root, make, act)
    case.begin()
    work, real = case.world.work, case.world.root / "elsewhere"
    work.rename(real)
    work.symlink_to(real, target_is_directory=True)
    now = case.world.content()
    if act == COMMIT:
        with pytest.raises(RedlineError, match="a link has come into its path"):
            case.run(Disk())
        assert Receipts(case.world.home).list() == ()
    else:
        result = Receipts(case.world.home).undo(case.named, NOW)
        assert [file.outcome for file in result.files] == [Outcome.REFUSED]
        assert "a link has come" in result.files[0].detail
    assert case.world.content() == now


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("make", SINGLE)
def test_what_may_not_be_written_is_refused(root: Path, make: Make, act: str) -> None:
    case = Case(root, make, act)
    case.begin()
    listed = Receipts(case.world.home).list()

    def refused() -> bool:
        try:
            case.run(Disk())
        except RedlineError as error:
            return "permission" in error.message or "read" in error.message
        return False

    assert as_anybody(case.world, refused)
    assert case.world.content() == case.start
    assert Receipts(case.world.home).list() == listed


@pytest.mark.parametrize("make", SINGLE)
def test_of_two_writers_at_once_one_is_refused(root: Path, make: Make) -> None:
    for _ in range(3):
        case = Case(root, make, COMMIT)
        case.begin()
        begin, go = os.pipe()
        children = [writer(case, begin, go) for _ in range(2)]
        os.close(begin)
        os.close(go)
        ended = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        assert case.world.content() == case.goal
        (receipt,) = Receipts(case.world.home).list()
        assert receipt.state == "done"
        assert sorted(ended) in ([0, 3], [0, 4])  # the second finds it done, or changed


def writer(case: Case, begin: int, go: int) -> int:
    """A process that writes what `case` does as soon as the pipe from `go` to `begin` is closed; it
    ends with 0 for written, 3 for nothing to write, 4 for refused."""
    child = os.fork()
    if child:
        return child
    try:
        os.close(go)
        os.read(begin, 1)
        made = commit(case.changes, session="s1", places=case.world.home, now=NOW)
        os._exit(0 if made.id else 3)
    except RedlineError as error:
        os._exit(4 if "changed since" in error.message else 5)
    finally:
        os._exit(6)


def target(case: Case) -> Path:
    path = case.changes[0].path
    assert path is not None
    return path


def change(case: Case, by_hand: bytes) -> None:
    """Changes the file of a case as a person or an agent would."""
    path = target(case)
    if path.suffix == ".db":
        with contextlib.closing(sqlite3.connect(path)) as database_, database_:
            database_.execute("INSERT INTO rows VALUES (9, 'by hand', 1)")
        return
    with path.open("ab") as file:
        file.write(by_hand)


def as_anybody(world: World, ask: Callable[[], bool]) -> bool:
    """What `ask` gives to a user who may read the project, but not write there."""
    for path in (world.work, *world.work.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    home = world.root / "home"
    home.mkdir(exist_ok=True)
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                for path in (home, *home.rglob("*")):
                    os.chown(path, 65534, 65534)
                world.root.parent.chmod(0o755)
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            os._exit(0 if ask() else 1)
        finally:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
