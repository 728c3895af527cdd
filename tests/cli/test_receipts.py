"""What `redline receipts` and `redline undo` say of commits that were made."""

from __future__ import annotations

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
    answer = run("receipts", "prune")
    assert f"receipt {made.id} stays: it is the newest of a file" in answer.err
    assert "0 receipts, freed 0 bytes" in answer.err
    for name, before in (("AGENTS.md", b"# Mine\nuse blanks\n"), ("handoff.md", b"# Handoff\n")):
        _commit([Change("t", name, b"newer", before, tmp_path / name)], 1)
    dry = run("receipts", "prune", "--older", "30d", "--dry-run", "--json").json
    assert (dry["pruned"], dry["dry_run"]) == ([made.id], True)
    assert run("receipts", "prune", "--keep", "3", "--json").json["pruned"] == []
    done = run("receipts", "prune", "--json").json
    assert (done["pruned"], done["freed"]) == ([made.id], dry["freed"])
    assert done["freed"] > 0
    assert len(run("receipts", "--json").json["receipts"]) == 2
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


def test_doctor_names_a_commit_that_a_crash_cut_short(run: Run, made: Receipt) -> None:
    def receipts() -> dict[str, Any]:
        checks = run("doctor", "--json").json["checks"]
        return next(check for check in checks if check["name"] == "receipts")

    assert receipts()["ok"]
    manifest = places().receipts / made.id / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"done"', '"writing"'))
    assert not receipts()["ok"]
    assert f"redline undo {made.id}" in receipts()["detail"]
    assert f"`redline undo {made.id}` takes it back" in run("receipts").out
    run("undo", made.id)
    assert receipts()["ok"]
