"""`redline remember`: the project's memory, merged and taken back."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_a_session_is_remembered_once_and_taken_back(run: Run, shop: str, tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    file.write_text("{'mine': 'stays', 'done': ['by hand',]}")
    before = file.read_bytes()
    answer = run("remember", shop, "--to", str(file))
    assert answer.status == 0, answer.err
    assert answer.out.strip() == str(file)
    assert "is mended" in answer.err
    memory = json.loads(file.read_text())
    assert memory["mine"] == "stays"
    assert memory["done"][0] == "by hand"
    assert memory["goal"]
    assert memory["constraints"]
    again = run("remember", shop, "--to", str(file), "--json")
    assert again.json["receipt"] is None
    assert run("undo").status == 0
    assert file.read_bytes() == before


def test_what_would_change_is_shown_and_nothing_written(
    run: Run, shop: str, tmp_path: Path
) -> None:
    file = tmp_path / "memory.json"
    answer = run("remember", shop, "--to", str(file), "--dry-run")
    assert answer.status == 0, answer.err
    assert '+  "version": "1.0",' in answer.out
    told = run("remember", shop, "--to", str(file), "--dry-run", "--json").json
    assert (told["changed"], told["receipt"]) == (True, None)
    assert '+  "version": "1.0",' in told["difference"]
    assert not file.exists()
    run("remember", shop, "--to", str(file))
    assert "nothing to write" in run("remember", shop, "--to", str(file), "--dry-run").err


def test_a_rule_that_was_taken_back_is_forgotten(run: Run, shop: str, tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    run("rules", shop, "confirm", "--all")
    run("remember", shop, "--to", str(file))
    rules = json.loads(file.read_text())["constraints"]
    assert rules[0]["confirmed"]
    assert rules[0]["id"]
    run("rules", shop, "revoke", rules[0]["id"])
    run("remember", shop, "--to", str(file))
    assert rules[0]["text"] not in [
        rule["text"] for rule in json.loads(file.read_text())["constraints"]
    ]


def test_a_handoff_that_a_person_edited_is_what_is_remembered(
    run: Run, shop: str, tmp_path: Path
) -> None:
    handoff, file = tmp_path / "handoff.md", tmp_path / "memory.json"
    handoff.write_text("# Handoff (schema 1.0)\n\n## Decisions\n\n- Use sqlite\n")
    run("remember", shop, "--handoff", str(handoff), "--to", str(file))
    memory = json.loads(file.read_text())
    assert [item["content"] for item in memory["decisions"]] == ["Use sqlite"]
    assert run("remember", shop, "--handoff", str(tmp_path / "no.md")).status == 2


def test_a_project_that_is_not_here_has_no_memory(run: Run, shop: str) -> None:
    answer = run("remember", shop)
    assert answer.status in (0, 2)
    if answer.status:
        assert "--to" in answer.err


def test_every_refusal_names_the_file_and_what_to_do(run: Run, shop: str, tmp_path: Path) -> None:
    file = tmp_path / "memory.json"
    for content in (
        "[" * 200 + "]" * 200,
        '{"a": 1, ' + ", ".join(['"a": {}'] * 5000) + "}",
        " " * 1_100_000 + "{}",
    ):
        file.write_text(content)
        answer = run("remember", shop, "--to", str(file))
        assert answer.status == 2, content[:20]
        assert str(file) in answer.err
        assert "--to" in answer.err
        assert file.read_text() == content
    binary = tmp_path / "notes.txt"
    binary.write_text("notes")
    answer = run("remember", shop, "--to", str(binary))
    assert (answer.status, str(binary) in answer.err) == (2, True)


def test_gits_own_files_are_no_memory(run: Run, shop: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    answer = run("remember", shop, "--to", str(tmp_path / ".git/memory.json"))
    assert (answer.status, "git's own" in answer.err) == (2, True)
    assert list((tmp_path / ".git").iterdir()) == []
