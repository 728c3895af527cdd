from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.places import Places, places
from redline.targets.commit import commit
from redline.targets.receipt import Receipt
from redline.targets.receipts import Receipts
from redline.targets.rules_block import RulesBlock
from redline.targets.target import Change
from redline.targets.undoing import Outcome

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


@pytest.fixture
def receipts(home: Places) -> Receipts:
    return Receipts(home)


def write(home: Places, path: Path, after: bytes, mode: int | None = None) -> Receipt:
    before = path.read_bytes() if path.exists() else None
    change = Change("test", path.name, after, before, path, path, mode=mode, folders=True)
    return commit([change], session="s1", places=home, now=NOW)


def write_rules(home: Places, path: Path, *texts: str) -> Receipt:
    rules = [(f"r-{text[0]}", text) for text in texts]
    target = RulesBlock(rules, to=path, redact=lambda text: (text, {}))
    return commit([target.preview()], session="s1", places=home, now=NOW)


def test_undo_brings_back_the_bytes_and_the_mode(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    path = tmp_path / "file.md"
    path.write_bytes(b"old\r\n\xff")
    path.chmod(0o640)
    write(home, path, b"new", mode=0o600)
    result = receipts.undo(now=NOW)
    assert [file.outcome for file in result.files] == [Outcome.RESTORED]
    assert path.read_bytes() == b"old\r\n\xff"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_undo_takes_away_what_was_not_there_before(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    receipt = write(home, tmp_path / "a" / "b" / "file.md", b"new")
    assert receipts.undo(receipt.id, NOW).files[0].outcome is Outcome.REMOVED
    assert not (tmp_path / "a").exists()


def test_a_folder_that_holds_something_else_by_now_stays(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    write(home, tmp_path / "a" / "b" / "file.md", b"new")
    (tmp_path / "a" / "mine").write_bytes(b"")
    receipts.undo(now=NOW)
    assert os.listdir(tmp_path / "a") == ["mine"]


def test_undo_can_be_undone_and_that_again(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    path = tmp_path / "new" / "file.md"
    first = write(home, path, b"new", mode=0o600)
    second = receipts.undo(first.id, NOW).receipt
    assert receipts.get(first.id).undone == NOW
    third = receipts.undo(second, NOW).receipt
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert receipts.get(first.id).undone is None
    receipts.undo(third, NOW)
    assert not path.parent.exists()
    assert receipts.get(first.id).undone == NOW
    with pytest.raises(RedlineError, match="nothing to undo"):
        receipts.undo(now=NOW)


def test_undo_without_a_name_goes_back_one_commit_after_the_other(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    path = tmp_path / "file.md"
    for content in (b"1", b"2", b"3"):
        write(home, path, content)
    for content in (b"2", b"1"):
        receipts.undo(now=NOW)
        assert path.read_bytes() == content
    receipts.undo(now=NOW)
    assert not path.exists()


def test_undo_without_a_name_takes_the_last_thing_done_also_what_was_written_again(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    first = write(home, tmp_path / "a", b"1")
    second = write(home, tmp_path / "b", b"2")
    again = receipts.undo(receipts.undo(first.id, NOW).receipt, NOW)
    assert receipts.latest().id == again.receipt
    receipts.undo(now=NOW)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["b"]
    assert receipts.undo(now=NOW).of == second.id  # what was taken back is passed over
    with pytest.raises(RedlineError, match="nothing to undo"):
        receipts.undo(now=NOW)


def test_a_commit_that_was_taken_back_is_not_taken_back_again(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    receipt = write(home, tmp_path / "file.md", b"new")
    undo = receipts.undo(receipt.id, NOW)
    with pytest.raises(RedlineError, match="taken back already") as caught:
        receipts.undo(receipt.id, NOW)
    assert undo.receipt is not None
    assert undo.receipt in caught.value.hint


def test_a_file_that_changed_since_stays_and_all_three_states_are_shown(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    path = tmp_path / "file.md"
    path.write_bytes(b"before\n")
    write(home, path, b"after\n")
    path.write_bytes(b"mine\n")
    result = receipts.undo(now=NOW)
    assert not result.complete
    assert result.receipt is None
    (file,) = result.files
    assert file.outcome is Outcome.REFUSED
    assert {"-after", "+mine"} <= set(file.since)
    assert {"-mine", "+before"} <= set(file.back)
    assert path.read_bytes() == b"mine\n"
    assert receipts.list()[0].undone is None


def test_a_file_that_was_removed_since_is_not_brought_back(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    path = tmp_path / "file.md"
    path.write_bytes(b"before\n")
    write(home, path, b"after\n")
    path.unlink()
    (file,) = receipts.undo(now=NOW).files
    assert (file.outcome, "removed since" in file.detail) == (Outcome.REFUSED, True)
    assert not path.exists()


def test_one_refused_file_does_not_hold_back_the_others(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    changes = [Change("t", name, b"new", None, tmp_path / name) for name in ("a", "b")]
    receipt = commit(changes, session="s1", places=home, now=NOW)
    (tmp_path / "a").write_bytes(b"mine")
    result = receipts.undo(receipt.id, NOW)
    assert [file.outcome for file in result.files] == [Outcome.REFUSED, Outcome.REMOVED]
    (tmp_path / "a").write_bytes(b"new")
    result = receipts.undo(receipt.id, NOW)
    assert [file.outcome for file in result.files] == [Outcome.REMOVED, Outcome.AS_BEFORE]
    assert result.complete


def test_of_a_file_that_changed_around_it_only_the_block_goes_back(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"# Mine\r\n")
    write_rules(home, path, "first rule")
    with_one = path.read_bytes()
    receipt = write_rules(home, path, "second rule")
    path.write_bytes(b"above\r\n" + path.read_bytes() + b"below\r\n")
    result = receipts.undo(receipt.id, NOW)
    assert result.files[0].outcome is Outcome.BLOCK
    assert path.read_bytes() == b"above\r\n" + with_one + b"below\r\n"
    assert receipts.undo(now=NOW).complete
    assert path.read_bytes() == b"above\r\n# Mine\r\nbelow\r\n"


def test_a_block_that_was_edited_since_stays(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    path = tmp_path / "AGENTS.md"
    write_rules(home, path, "first rule")
    edited = path.read_bytes().replace(b"first", b"best")
    path.write_bytes(edited)
    (file,) = receipts.undo(now=NOW).files
    assert file.outcome is Outcome.REFUSED
    assert "block" in file.detail
    assert path.read_bytes() == edited


def test_a_block_whose_markers_were_broken_is_refused_without_a_crash(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    path = tmp_path / "AGENTS.md"
    write_rules(home, path, "first rule")
    path.write_bytes(path.read_bytes().replace(b"redline:rules:end", b"gone"))
    (file,) = receipts.undo(now=NOW).files
    assert (file.outcome, "marker" in file.detail) == (Outcome.REFUSED, True)


def test_a_link_in_place_of_the_file_is_followed_and_kept(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    (tmp_path / "AGENTS.md").write_bytes(b"# Mine\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    write_rules(home, tmp_path / "CLAUDE.md", "first rule")
    receipts.undo(now=NOW)
    assert (tmp_path / "CLAUDE.md").is_symlink()
    assert (tmp_path / "AGENTS.md").read_bytes() == b"# Mine\n"


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"schema": 99}',
        b'{"schema": 1, "files": 3}',
        b'{"schema":1,"id":"x","time":5,"session":"s","project":null,"state":"done","files":[]}',
    ],
)
def test_a_damaged_receipt_is_listed_and_stops_no_other(
    tmp_path: Path, home: Places, receipts: Receipts, manifest: bytes
) -> None:
    good = write(home, tmp_path / "a", b"1")
    bad = write(home, tmp_path / "b", b"2")
    (home.receipts / bad.id / "manifest.json").write_bytes(manifest)
    (home.receipts / "notes.txt").write_bytes(b"mine")
    listed = receipts.list()
    assert [(receipt.id, receipt.state) for receipt in listed] == [
        (bad.id, "damaged"),
        (good.id, "done"),
    ]
    assert listed[0].detail
    with pytest.raises(RedlineError, match="damaged"):
        receipts.undo(bad.id, NOW)
    with pytest.raises(RedlineError, match=f"{bad.id} is damaged"):  # it is the last thing done
        receipts.undo(now=NOW)
    assert (tmp_path / "a").read_bytes() == b"1"
    assert receipts.undo(good.id, NOW).complete


@pytest.mark.parametrize("damage", ["gone", "cut", "other"])
def test_a_damaged_copy_is_never_written_over_a_file(
    tmp_path: Path, home: Places, receipts: Receipts, damage: str
) -> None:
    path = tmp_path / "file.md"
    path.write_bytes(b"before" * 100)
    receipt = write(home, path, b"after")
    copy = home.receipts / receipt.id / "0.before.zst"
    match damage:
        case "gone":
            copy.unlink()
        case "cut":
            copy.write_bytes(copy.read_bytes()[:10])
        case _:
            copy.write_bytes((copy.parent / "0.after.zst").read_bytes())
    (file,) = receipts.undo(receipt.id, NOW).files
    assert (file.outcome, "damaged" in file.detail) == (Outcome.REFUSED, True)
    assert path.read_bytes() == b"after"


def test_a_receipt_is_found_by_the_start_of_its_id(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    first = write(home, tmp_path / "a", b"1")
    second = write(home, tmp_path / "b", b"2")
    assert receipts.get(second.id) == second
    with pytest.raises(RedlineError, match="2 receipts start with"):
        receipts.get(first.id[:8])
    with pytest.raises(RedlineError, match="no receipt"):
        receipts.get("2031")
    assert Receipts(places({"REDLINE_HOME": str(tmp_path / "none")})).list() == ()


@pytest.mark.parametrize("name", ["tidy", "copy 0", "manifest", "file 0: replace", "finish"])
def test_an_undo_that_died_at_any_step_can_be_done_again(
    tmp_path: Path, home: Places, receipts: Receipts, name: str
) -> None:
    path = tmp_path / "file.md"
    path.write_bytes(b"before")
    receipt = write(home, path, b"after")
    child = os.fork()
    if child == 0:
        try:
            receipts.undo(receipt.id, NOW, step=lambda at: os._exit(9) if at == name else None)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert path.read_bytes() in (b"before", b"after")
    assert receipts.undo(receipt.id, NOW).complete
    assert path.read_bytes() == b"before"
    assert receipts.get(receipt.id).undone == NOW


def test_names_that_are_no_text_come_back_from_the_manifest(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.md")
    receipt = commit(
        [Change("t", "label", b"x", None, path)], session="s\ud83d", places=home, now=NOW
    )
    assert receipts.get(receipt.id) == receipt
    assert receipts.undo(receipt.id, NOW).complete


def test_the_writer_of_a_content_is_known(tmp_path: Path, home: Places, receipts: Receipts) -> None:
    path = tmp_path / "file.md"
    receipt = write(home, path, b"new")
    assert receipts.wrote(path, b"new") == receipt
    assert receipts.wrote(path, b"edited") is None


def test_a_commit_that_died_is_settled_by_an_undo_that_leaves_what_changed_since(
    tmp_path: Path, home: Places, receipts: Receipts
) -> None:
    changes = [Change("t", name, b"new", None, tmp_path / name) for name in ("a", "b")]
    child = os.fork()
    if child == 0:
        try:
            end = "file 1: replace"
            commit(
                changes,
                session="s1",
                places=home,
                now=NOW,
                step=lambda at: os._exit(9) if at == end else None,
            )
        finally:
            os._exit(1)
    os.waitpid(child, 0)
    (died,) = receipts.list()
    assert receipts.cut_short() == (died.id,)
    (tmp_path / "a").write_bytes(b"mine")
    result = receipts.undo(died.id, NOW)
    assert [file.outcome for file in result.files] == [Outcome.REFUSED, Outcome.AS_BEFORE]
    assert receipts.cut_short() == ()
    assert receipts.get(died.id).undone is None
    assert set(os.listdir(tmp_path)) == {"a", "home"}
    (tmp_path / "a").unlink()
    assert receipts.undo(died.id, NOW).complete
