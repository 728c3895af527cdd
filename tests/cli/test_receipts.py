"""What `redline receipts` and `redline undo` say of commits that were made."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from redline.places import places
from redline.targets.commit import commit
from redline.targets.receipt import Receipt
from redline.targets.target import Change
from tests.cli.conftest import Run


@pytest.fixture
def made(run: Run, tmp_path: Path) -> Receipt:
    """A commit of two files, forty days ago."""
    del run  # its scratch folder is where the receipts are
    (tmp_path / "AGENTS.md").write_bytes(b"# Mine\nuse tabs\n")
    changes = [
        Change(
            "rules", "a", b"# Mine\nuse blanks\n", b"# Mine\nuse tabs\n", tmp_path / "AGENTS.md"
        ),
        Change("handoff", "h", b"# Handoff\n", None, tmp_path / "handoff.md"),
    ]
    return _commit(changes, 40)


def _commit(changes: list[Change], days: int) -> Receipt:
    then = datetime.now(UTC) - timedelta(days=days)
    return commit(changes, session="s1", places=places(), now=then)


def test_the_list_names_the_way_back(run: Run, made: Receipt) -> None:
    answer = run("receipts", "--json")
    (receipt,) = answer.json["receipts"]
    assert receipt["undo"] == f"redline undo {made.id}"
    assert [file["kind"] for file in receipt["written"]] == ["file", "file"]
    assert run("receipts").out.startswith(made.id)
    assert run("receipts", "list").out == run("receipts").out


def test_a_receipt_shows_what_it_changed_and_what_is_there_now(
    run: Run, made: Receipt, tmp_path: Path
) -> None:
    (tmp_path / "handoff.md").write_bytes(b"edited\n")
    said = run("receipts", "show", made.id).out
    assert "-use tabs" in said
    assert "+use blanks" in said
    assert "now as written" in said
    assert "now changed since" in said
    files = run("receipts", "show", made.id[:15], "--json").json["files"]
    assert [(file["number"], file["now"]) for file in files] == [
        (1, "as written"),
        (2, "changed since"),
    ]


@pytest.mark.parametrize("name", ["1", "AGENTS.md"])
def test_an_original_is_given_as_it_was(run: Run, made: Receipt, tmp_path: Path, name: str) -> None:
    (tmp_path / "AGENTS.md").unlink()
    assert run("receipts", "show", made.id, name).out == "# Mine\nuse tabs\n"
    assert run("receipts", "show", made.id, name, "--written").out == "# Mine\nuse blanks\n"
    answer = run("receipts", "show", made.id, "handoff.md")
    assert (answer.status, "was not there before" in answer.err) == (1, True)
    answer = run("receipts", "show", made.id, "other.md")
    assert (answer.status, "2 handoff.md" in answer.err) == (2, True)
    assert run("receipts", "show").status == 2


def test_what_was_written_over_is_found(run: Run, made: Receipt) -> None:
    answer = run("receipts", "search", "USE", "tabs")
    assert answer.status == 0
    assert f"{made.id} 1." in answer.out
    assert "was there" in answer.out
    (hit,) = run("receipts", "search", "blanks", "--json").json["hits"]
    assert (hit["side"], hit["line"], hit["text"]) == ("after", 2, "use blanks")
    assert run("receipts", "search", "nowhere said").status == 1
    assert run("receipts", "search").status == 2


def test_pruning_says_what_it_frees_and_what_stays(run: Run, made: Receipt, tmp_path: Path) -> None:
    answer = run("receipts", "prune", "--dry-run")
    stays = f"an undo of it brings {tmp_path / 'AGENTS.md'} back as it was"
    assert f"receipt {made.id} stays: {stays}" in answer.err
    assert "0 receipts would go, 0 bytes" in answer.err
    for name, before in (("AGENTS.md", b"# Mine\nuse blanks\n"), ("handoff.md", b"# Handoff\n")):
        _commit([Change("t", name, b"newer", before, tmp_path / name)], 1)
    dry = run("receipts", "prune", "--older", "30d", "--dry-run", "--json").json
    assert (dry["pruned"], dry["dry_run"]) == ([made.id], True)
    assert run("receipts", "prune", "--keep", "3", "--json").json["pruned"] == []
    done = run("receipts", "prune", "--json").json
    assert (done["pruned"], done["freed"]) == ([made.id], dry["freed"])
    assert done["freed"] > 0
    assert len(run("receipts", "--json").json["receipts"]) == 2
    assert "2 younger receipts stay" in run("receipts", "prune", "--dry-run").err
    assert run("receipts", "prune", "--older", "soon").status == 2


def test_an_undo_that_is_refused_shows_before_written_and_now(
    run: Run, made: Receipt, tmp_path: Path
) -> None:
    (tmp_path / "AGENTS.md").write_bytes(b"# Mine\nuse both\n")
    answer = run("undo", made.id)
    assert answer.status == 1
    assert "-use blanks" in answer.out
    assert "+use both" in answer.out
    assert "+use tabs" in answer.out
    (tmp_path / "handoff.md").write_bytes(b"# Handoff\n")
    refused, removed = run("undo", made.id, "--json").json["files"]
    assert "+use both" in refused["since"]
    assert "+use tabs" in refused["back"]
    assert removed["outcome"] == "removed"


def test_a_name_cannot_speak_to_the_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2Jb"
    receipt = _commit([Change("t", "l", b"\x1b[2Jneedle", None, path)], 0)
    for words in (
        ("receipts",),
        ("receipts", "show", receipt.id),
        ("receipts", "search", "needle"),
        ("undo", receipt.id),
    ):
        answer = run(*words)
        assert answer.status == 0
        assert "\x1b" not in answer.out + answer.err


def cut_short(made: Receipt) -> None:
    """Lets the commit look as one that died before its last file was renamed."""
    folder = places().receipts / made.id
    manifest = folder / "manifest.json"
    (folder / "manifest.done.json").write_bytes(manifest.read_bytes())
    manifest.write_text(manifest.read_text().replace('"done"', '"writing"'))
    made.written[-1].path.unlink()


def test_doctor_names_a_commit_that_a_crash_cut_short_and_a_listing_finishes_it(
    run: Run, made: Receipt, tmp_path: Path
) -> None:
    def receipts() -> dict[str, Any]:
        checks = run("doctor", "--json").json["checks"]
        return next(check for check in checks if check["name"] == "receipts")

    assert receipts()["ok"]
    cut_short(made)
    assert not receipts()["ok"]
    assert "`redline receipts` finishes it" in receipts()["detail"]
    answer = run("receipts")
    assert "all is as before it again" in answer.err
    assert (tmp_path / "AGENTS.md").read_bytes() == b"# Mine\nuse tabs\n"
    assert receipts()["ok"]
    assert run("receipts").err == ""


def test_what_was_changed_since_a_crash_is_named_and_left_until_it_is_undone(
    run: Run, made: Receipt, tmp_path: Path
) -> None:
    cut_short(made)
    (tmp_path / "handoff.md").write_bytes(b"mine")
    for _ in range(2):
        answer = run("receipts")
        assert f"{tmp_path / 'handoff.md'} was changed since: all is left as it is" in answer.err
    assert f"`redline undo {made.id}` takes it back" in answer.out
    assert run("undo", made.id).status == 1
    assert (tmp_path / "AGENTS.md").read_bytes() == b"# Mine\nuse tabs\n"
    assert run("receipts").err == ""


@pytest.mark.parametrize("words", [("undo",), ("undo", "ID")])
def test_an_undo_after_a_crash_takes_back_what_was_cut_short(
    run: Run, made: Receipt, tmp_path: Path, words: tuple[str, ...]
) -> None:
    cut_short(made)
    answer = run(*(made.id if word == "ID" else word for word in words))
    assert answer.status == 0
    assert f"restored   {tmp_path / 'AGENTS.md'}" in answer.out
    assert (tmp_path / "AGENTS.md").read_bytes() == b"# Mine\nuse tabs\n"
    assert run("undo").status == 1  # that was the last thing done


def test_an_undo_says_in_a_line_what_came_of_it_and_the_way_on(
    run: Run, made: Receipt, tmp_path: Path
) -> None:
    answer = run("undo")
    assert answer.out.splitlines() == [
        f"restored   {tmp_path / 'AGENTS.md'}",
        f"removed    {tmp_path / 'handoff.md'}",
    ]
    before, said = answer.err.splitlines()
    assert before.startswith(f"redline: undoing {made.id}: {tmp_path / 'AGENTS.md'}, ")
    assert said.startswith("redline: commit taken back; `redline undo ")
    again = run("undo")
    assert (again.status, again.out) == (1, "")
    assert f"commit {made.id} was taken back already" in again.err
    assert again.err.count("taken back") == 1
    undo = said.split("`")[1].split()[-1]
    assert "commit written again" in run("undo", undo).err
    assert "commit taken back" in run("undo").err  # what was written again is a commit again


def _commit_of(project: Path, name: str, content: bytes = b"1") -> Receipt:
    project.mkdir(exist_ok=True)
    change = Change("handoff", "h", content, None, project / name)
    now = datetime.now(UTC)
    return commit([change], session="s1", project=str(project), places=places(), now=now)


def test_a_damaged_receipt_that_is_the_newest_stops_an_undo_without_a_name(
    run: Run, made: Receipt, tmp_path: Path
) -> None:
    bad = _commit([Change("t", "l", b"1", None, tmp_path / "new")], 0)
    (places().receipts / bad.id / "manifest.json").write_bytes(b"{")
    answer = run("undo")
    assert (answer.status, answer.out) == (2, "")
    assert f"receipt {bad.id} is damaged" in answer.err
    assert "by its id" in answer.err
    assert (tmp_path / "AGENTS.md").read_bytes() == b"# Mine\nuse blanks\n"
    assert run("undo", made.id).status == 0
    checks = run("doctor", "--json").json["checks"]
    (told,) = [check for check in checks if check["name"] == "receipts"]
    assert not told["ok"]
    assert bad.id in told["detail"]


def test_an_undo_without_a_name_takes_back_what_was_written_again_last(
    run: Run, tmp_path: Path
) -> None:
    here = Path.cwd()
    first, second = _commit_of(here, "first.md"), _commit_of(here, "second.md")
    undo = run("undo", first.id, "--json").json["receipt"]
    again = run("undo", undo, "--json").json["receipt"]
    assert run("undo", "--json").json["undone"] == again
    assert not (here / "first.md").exists()
    assert (here / "second.md").exists()
    assert f"`redline undo {second.id}`" not in run("undo").err  # the last thing done was an undo


def test_an_undo_without_a_name_takes_back_no_commit_of_another_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = _commit_of(tmp_path / "mine", "a.md")
    other = _commit_of(tmp_path / "other", "b.md")
    (tmp_path / "mine" / "below").mkdir()
    for folder in (tmp_path / "mine", tmp_path / "mine" / "below", tmp_path):
        monkeypatch.chdir(folder)
        answer = run("undo")
        assert (answer.status, answer.out) == (1, "")
        assert f"the newest commit, {other.id}, is of {tmp_path / 'other'}" in answer.err
        assert f"`redline undo {other.id}`" in answer.err
        assert (f"`redline undo {mine.id}`" in answer.err) == (folder != tmp_path)
    assert (tmp_path / "other" / "b.md").exists()
    monkeypatch.chdir(tmp_path / "other")
    assert f"of {tmp_path / 'other'}: " in run("undo").err
    assert not (tmp_path / "other" / "b.md").exists()


def test_after_an_undo_in_part_the_rest_is_taken_back_by_name(
    run: Run, made: Receipt, tmp_path: Path
) -> None:
    (tmp_path / "handoff.md").write_bytes(b"mine\n")
    assert "1 of 2 files taken back" in run("undo").err
    answer = run("undo")
    assert f"commit {made.id} was taken back in part" in answer.err
    (tmp_path / "handoff.md").write_bytes(b"# Handoff\n")
    assert f"`redline undo {made.id}` tries the rest" in answer.err
    assert run("undo", made.id).status == 0
    assert not (tmp_path / "handoff.md").exists()


def test_a_file_that_stays_is_named_once_with_what_came_since(
    run: Run, made: Receipt, tmp_path: Path
) -> None:
    (tmp_path / "handoff.md").write_bytes(b"# Handoff\n--- mine\n")
    (tmp_path / "AGENTS.md").unlink()
    answer = run("undo")
    assert answer.out.splitlines() == [
        f"left       {tmp_path / 'AGENTS.md'}: it was removed since",
        f"left       {tmp_path / 'handoff.md'}: it has changed since",
        "  since it was written:",
        "    @@ -1,1 +1,2 @@",
        "     # Handoff",
        "    +--- mine",
        "  to be as before: it would go",
    ]
    said = answer.err.splitlines()[-1]
    assert said.startswith(f"redline: nothing taken back; `redline receipts show {made.id}")


def test_a_writing_command_finishes_first_what_a_crash_left(
    run: Run, made: Receipt, tmp_path: Path
) -> None:
    cut_short(made)
    said = run("handoff", "last", "--dry-run").err
    assert "a crash" not in said
    assert "all is as before it again" in run("handoff", "last").err
    assert (tmp_path / "AGENTS.md").read_bytes() == b"# Mine\nuse tabs\n"


def test_doctor_names_the_folders_that_a_crash_left_and_what_sweeps_them(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    def scratch() -> dict[str, Any]:
        checks = run("doctor", "--json").json["checks"]
        return next(check for check in checks if check["name"] == "scratch")

    assert scratch()["ok"]
    (temporary / "redline-draft-1-abcdefgh").mkdir(mode=0o700)
    assert scratch()["ok"]
    assert str(temporary / "redline-draft-1-abcdefgh") in scratch()["detail"]
    assert "sweeps it" in scratch()["detail"]
    (temporary / "redline-edit-1-abcdefgh").mkdir(mode=0o700)
    assert not scratch()["ok"]
    assert "a text that was being edited" in scratch()["detail"]
