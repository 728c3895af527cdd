"""Settings, doctor, the demo, and whatever a command line can be wrong about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_config_shows_where_a_value_comes_from(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDLINE_TAIL_TOKENS", "12k")
    settings = run("config", "show", "--json").json["settings"]
    assert settings["tail_tokens"] == {"value": 12_000, "origin": "$REDLINE_TAIL_TOKENS"}
    assert settings["theme"]["origin"] == "default"


def test_config_edit_starts_from_a_file_that_changes_nothing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.delenv("VISUAL", raising=False)
    assert run("config", "edit").status == 0
    assert Path(run("config", "path").out.strip()).exists()
    assert run("config", "show").status == 0


def test_doctor_says_where_it_looked(run: Run, scratch: Path) -> None:
    answer = run("doctor", "--json")
    assert answer.status == 0
    looked = {entry["path"]: entry for entry in answer.json["looked"]}
    assert any(str(scratch) in path for path in looked)
    assert answer.json["sessions"] == {"claude-code": 3, "pi": 1}
    checks = {check["name"]: check for check in answer.json["checks"]}
    assert checks["tokenizer"] == {"name": "tokenizer", "ok": True, "detail": "o200k_base"}
    assert all(check["ok"] for check in checks.values())


@pytest.mark.parametrize(
    "words", [("inspect",), ("show", "--resume"), ("plan",), ("handoff",), ("audit",), ("promote",)]
)
def test_a_session_that_is_not_there_is_one_clear_line(run: Run, words: tuple[str, ...]) -> None:
    answer = run(words[0], "no-such-session", *words[1:])
    assert answer.status == 2
    assert "no-such-session" in answer.err
    assert "Traceback" not in answer.err
    assert answer.out == ""


@pytest.mark.parametrize(
    "content", [b"", b"\x00\x01\x02" * 50, b"not json\n", b"[1]\n", b"\xef\xbb\xbf", b"{}\n"]
)
def test_a_file_that_is_no_session_is_one_clear_line(
    run: Run, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "odd.jsonl"
    file.write_bytes(content)
    answer = run("inspect", str(file))
    assert answer.status == 2
    assert "odd.jsonl" in answer.err
    assert "Traceback" not in answer.err


def test_a_mistyped_command_is_answered_with_the_right_one(run: Run) -> None:
    answer = run("insepct", "last")
    assert answer.status == 2
    assert "inspect" in answer.err


def test_the_screens_say_that_they_need_a_terminal(run: Run) -> None:
    answer = run()
    assert answer.status == 2
    assert "terminal" in answer.err


def test_the_headless_demo_goes_the_whole_way_and_touches_only_its_folder(
    run: Run, tmp_path: Path
) -> None:
    there = tmp_path / "demo"
    answer = run("demo", "--headless", "--keep", str(there))
    assert answer.status == 0, answer.err
    for step in ("sessions", "window", "cut", "pinned", "rule", "handoff", "wrote", "undone"):
        assert step in answer.out
    assert "CLAUDE.md is as before" in answer.out
    assert str(there) in answer.err


def test_no_session_of_the_demo_counts_as_in_use(run: Run) -> None:
    found = run("sessions", "--json").json
    assert [session["live"] for session in found["sessions"]] == [False] * 4


def test_the_demo_uses_no_folder_that_holds_something(run: Run, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    assert run("demo", "--headless", "--keep", str(tmp_path / "full")).status == 2
    assert (tmp_path / "full" / "mine").read_text() == "mine"


@pytest.mark.parametrize("name", ["x" * 300, "~nobody-at-all/x.md", "no/folder/x.md", "."])
@pytest.mark.parametrize(
    "words", [("handoff", "-o"), ("plan", "-o"), ("promote", "--to"), ("audit", "--handoff")]
)
def test_a_name_no_file_can_have_is_one_clear_line(
    run: Run, shop: str, words: tuple[str, str], name: str
) -> None:
    run("rules", shop, "confirm", "--all")
    answer = run(words[0], shop, words[1], name)
    assert answer.status == 2
    assert answer.err.startswith("redline: ")
    assert answer.out == ""


@pytest.mark.parametrize("editor", ["", " ", "'", "/nowhere/at-all"])
def test_an_editor_that_cannot_be_is_told_and_nothing_is_run(
    run: Run, monkeypatch: pytest.MonkeyPatch, editor: str
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    answer = run("config", "edit")
    assert answer.status == 2
    assert answer.err.startswith(("redline: no editor", "redline: cannot start"))


def test_an_editor_that_fails_is_a_failure_of_the_command(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "false")
    assert run("config", "edit").status == 2


@pytest.mark.parametrize("words", [("audit", "--handoff"), ("plan", "--plan")])
def test_a_device_or_nothing_in_the_place_of_a_file_is_refused(
    run: Run, shop: str, words: tuple[str, str]
) -> None:
    for path in ("/dev/zero", "no-such-file"):
        answer = run(words[0], shop, words[1], path)
        assert answer.status == 2
        assert path in answer.err
