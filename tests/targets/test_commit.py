from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.model import Agent, SessionInfo
from redline.places import Places, places
from redline.targets.commit import commit
from redline.targets.receipts import Receipts
from redline.targets.rules_block import RulesBlock
from redline.targets.target import STREAM, Change
from redline.targets.undoing import Outcome

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "项目"
    folder.mkdir()
    return folder


def change(path: Path, after: bytes, *, mode: int | None = None, folders: bool = False) -> Change:
    before = path.read_bytes() if path.exists() else None
    return Change("test", path.name, after, before, path, path, mode=mode, folders=folders)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"folder"
        for path in sorted(folder.rglob("*"))
    }


def three(work: Path) -> list[Change]:
    """A changed file, a new one in new folders, and a block."""
    (work / "changed.md").write_bytes(b"old")
    (work / "AGENTS.md").write_bytes(b"# Mine\n")
    rules = RulesBlock([("r1", "Never push")], to=work / "AGENTS.md", redact=lambda t: (t, {}))
    return [
        change(work / "changed.md", b"new"),
        change(work / "made" / "deep" / "new.md", b"fresh", mode=0o600, folders=True),
        rules.preview(),
    ]


def steps_of(tmp_path: Path) -> list[str]:
    """Every step of a commit of `three`, by name."""
    reached: list[str] = []
    (tmp_path / "probe").mkdir()
    commit(
        three(tmp_path / "probe"),
        session="s1",
        places=places({"REDLINE_HOME": str(tmp_path / "probe-home")}),
        now=NOW,
        step=reached.append,
    )
    return reached


def test_a_receipt_says_what_was_written_for_whom(work: Path, home: Places) -> None:
    info = SessionInfo(Agent.PI, "s1", work / "s1.jsonl", project=str(work))
    receipt = commit(three(work), session=info, places=home, now=NOW)
    assert (receipt.session, receipt.agent, receipt.project) == ("s1", "pi", str(work))
    assert receipt.state == "done"
    assert [file.path.name for file in receipt.written] == ["changed.md", "new.md", "AGENTS.md"]
    assert receipt.written[1].before is None
    assert receipt.written[1].folders == (work / "made", work / "made" / "deep")
    assert Receipts(home).get(receipt.id) == receipt
    assert (work / "made" / "deep" / "new.md").read_bytes() == b"fresh"
    assert stat.S_IMODE((work / "made" / "deep" / "new.md").stat().st_mode) == 0o600


def test_what_is_kept_of_a_commit_is_for_its_owner_only(work: Path, home: Places) -> None:
    receipt = commit(three(work), session="s1", places=home, now=NOW)
    folder = home.receipts / receipt.id
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert Receipts(home).sides(receipt, 0) == (b"old", b"new")
    assert Receipts(home).sides(receipt, 1) == (None, b"fresh")


def test_nothing_to_write_leaves_no_receipt(work: Path, home: Places) -> None:
    (work / "same").write_bytes(b"same")
    stream = Change("stdout", "standard output", b"text", kind=STREAM)
    receipt = commit([change(work / "same", b"same"), stream], session="s1", places=home, now=NOW)
    assert (receipt.state, receipt.id, receipt.written) == ("nothing", "", ())
    assert Receipts(home).list() == ()


def test_a_file_that_changed_since_its_preview_stops_the_whole_commit(
    work: Path, home: Places
) -> None:
    changes = three(work)
    (work / "made").mkdir()
    (work / "changed.md").write_bytes(b"edited by hand")
    before = contents(work)
    with pytest.raises(RedlineError, match="has changed since the preview"):
        commit(changes, session="s1", places=home, now=NOW)
    assert contents(work) == before
    assert Receipts(home).list() == ()


def test_two_changes_of_one_file_are_written_once_or_refused(work: Path, home: Places) -> None:
    receipt = commit(
        [change(work / "a", b"x"), change(work / "a", b"x")], session="s1", places=home, now=NOW
    )
    assert len(receipt.written) == 1
    with pytest.raises(RedlineError, match="different content"):
        commit(
            [change(work / "b", b"x"), change(work / "b", b"y")],
            session="s1",
            places=home,
            now=NOW,
        )
    assert not (work / "b").exists()


def test_a_full_disk_at_any_step_leaves_every_file_as_it_was(tmp_path: Path) -> None:
    for number, name in enumerate(steps_of(tmp_path)):
        work = tmp_path / f"work{number}"
        work.mkdir()
        home = places({"REDLINE_HOME": str(tmp_path / f"home{number}")})

        def step(reached: str, name: str = name) -> None:
            if reached == name:
                raise OSError(errno.ENOSPC, "no space left on device")

        changes = three(work)
        before = contents(work)
        with pytest.raises((RedlineError, OSError)):
            commit(changes, session="s1", places=home, now=NOW, step=step)
        assert contents(work) == before, name
        assert Receipts(home).list() == (), name


@pytest.mark.parametrize("redo", [False, True])
def test_a_commit_that_died_at_any_step_can_be_taken_back(tmp_path: Path, redo: bool) -> None:
    for number, name in enumerate(steps_of(tmp_path)):
        work = tmp_path / f"work{number}"
        work.mkdir()
        home = places({"REDLINE_HOME": str(tmp_path / f"home{number}")})
        changes = three(work)
        before = contents(work)
        die_in_commit(changes, home, name)
        receipts = Receipts(home)
        listed = [receipt for receipt in receipts.list() if receipt.state != "damaged"]
        if not listed:
            assert contents(work) == before, name
            continue
        assert listed[0].state == "cut short"
        result = receipts.undo(listed[0].id, NOW)
        assert result.complete
        assert contents(work) == before, name
        if redo and result.receipt:
            assert receipts.undo(result.receipt, NOW).complete
            assert (work / "changed.md").read_bytes() == b"new"


def die_in_commit(changes: list[Change], home: Places, at: str) -> None:
    child = os.fork()
    if child == 0:
        try:
            commit(
                changes,
                session="s1",
                places=home,
                now=NOW,
                step=lambda reached: os._exit(9) if reached == at else None,
            )
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def test_a_file_that_cannot_be_put_back_is_named_and_can_be_undone(
    work: Path, home: Places
) -> None:
    (work / "one").write_bytes(b"old")
    changes = [change(work / "one", b"new"), change(work / "two", b"new")]

    def step(reached: str) -> None:
        if reached == "file 1: replace":
            (work / "one").chmod(0o444)
            raise OSError(errno.ENOSPC, "no space left on device")

    with pytest.raises(RedlineError, match="could not be put back") as caught:
        commit(changes, session="s1", places=home, now=NOW, step=step)
    (receipt,) = Receipts(home).list()
    assert receipt.state == "cut short"
    assert receipt.id in caught.value.hint
    (work / "one").chmod(0o644)
    result = Receipts(home).undo(receipt.id, NOW)
    assert [file.outcome for file in result.files] == [Outcome.RESTORED, Outcome.AS_BEFORE]
    assert contents(work) == {"one": b"old"}


@pytest.mark.parametrize(
    ("spoil", "match"),
    [
        (lambda work: (work / "b").mkdir(), "is a folder"),
        (lambda work: (work / "b").symlink_to("nowhere"), "a link has come"),
        (lambda work: ((work / "b").write_bytes(b""), (work / "b").chmod(0o400)), "read-only"),
    ],
)
def test_a_second_file_that_cannot_be_written_takes_the_first_back(
    work: Path, home: Places, spoil: Callable[[Path], object], match: str
) -> None:
    (work / "a").write_bytes(b"old")
    spoil(work)
    changes = [
        change(work / "a", b"new"),
        Change("test", "b", b"new", b"" if (work / "b").is_file() else None, work / "b"),
    ]
    with pytest.raises(RedlineError, match=match):
        commit(changes, session="s1", places=home, now=NOW)
    assert (work / "a").read_bytes() == b"old"
    assert Receipts(home).list() == ()


def test_ids_rise_even_when_the_clock_stands_still_or_runs_back(work: Path, home: Places) -> None:
    times = [NOW, NOW, NOW.replace(year=2025), NOW]
    made = [
        commit([change(work / f"{n}", b"x")], session="s1", places=home, now=time).id
        for n, time in enumerate(times)
    ]
    assert made == sorted(set(made))
    assert [receipt.id for receipt in Receipts(home).list()] == made[::-1]


def test_a_state_folder_that_cannot_be_made_is_said_before_anything_is_written(
    work: Path, tmp_path: Path
) -> None:
    (tmp_path / "home").write_bytes(b"a file")
    with pytest.raises(RedlineError, match="a file, not a folder"):
        commit(
            [change(work / "a", b"x")],
            session="s1",
            places=places({"REDLINE_HOME": str(tmp_path / "home")}),
            now=NOW,
        )
    assert contents(work) == {}


def test_what_another_has_written_just_so_meanwhile_is_nothing_to_write(
    home: Places, work: Path
) -> None:
    changes = three(work)
    first = commit(changes, session="s1", places=home, now=NOW)
    again = commit(changes, session="s1", places=home, now=NOW)
    assert first.id
    assert (again.id, again.written) == ("", ())
