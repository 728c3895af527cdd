"""What search says of the samples, and doctor of where it looks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_a_search_finds_what_an_agent_said(run: Run) -> None:
    answer = run("search", "ROUNDING", "--json")
    assert answer.status == 0
    assert answer.json["complete"]
    for hit in answer.json["hits"]:
        (start, end), *_ = hit["spans"]
        assert hit["snippet"][start:end].lower() == "rounding"
        assert Path(hit["session"]["path"]).exists()
        assert hit["record"] > 0


def test_hits_name_messages_that_can_be_opened(run: Run) -> None:
    hits = run("search", "the", "--role", "user", "--limit", "999", "--json").json["hits"]
    path = hits[0]["session"]["path"]
    blocks = run("show", path, "--json").json["blocks"]
    records = {hit["record"] for hit in hits if hit["session"]["path"] == path}
    assert records & {block["record"] for block in blocks}  # others are before a compaction


def test_a_search_can_be_narrowed(run: Run, scratch: Path) -> None:
    agents = {
        hit["session"]["agent"]
        for hit in run("search", "the", "--agent", "pi", "--limit", "999", "--json").json["hits"]
    }
    assert agents == {"pi"}
    folder = str(scratch / "projects/site")
    found = run("search", "the", "--project", folder, "--limit", "999", "--json").json["hits"]
    assert found
    assert all(hit["session"]["project"].endswith("/site") for hit in found)
    assert run("search", "the", "--since", "2999-01-01").status == 1
    kinds = {hit["kind"] for hit in run("search", "the", "--role", "tool", "--json").json["hits"]}
    assert kinds == {"tool_result"}


def test_hits_stand_under_their_session(run: Run) -> None:
    answer = run("search", "rounding")
    head, hit, *_ = answer.out.splitlines()
    assert "claude-code" in head
    assert hit.startswith("  ")
    assert "ounding" in hit
    assert "place" in answer.err


def test_a_limit_that_cuts_is_told(run: Run) -> None:
    answer = run("search", "the", "--limit", "2")
    assert "there are more" in answer.err
    assert run("search", "the", "--limit", "2", "--json").json["complete"] is False


def test_what_is_nowhere_ends_with_1(run: Run) -> None:
    answer = run("search", "no_such_word_anywhere")
    assert (answer.status, answer.out) == (1, "")
    assert "found nowhere" in answer.err
    assert run("search", "no_such_word_anywhere", "--json").json["hits"] == []


@pytest.mark.parametrize(
    "words", ['"', "*", "NEAR(", "don't", "C++", "a/b", "  ", "é", "x" * 9_999]
)
def test_nothing_that_is_typed_is_a_fault(run: Run, words: str) -> None:
    assert run("search", words).status in (0, 1)


def test_words_that_look_like_options_are_searched_for(run: Run) -> None:
    from redline.cli.typed import search_words

    typed = ["search", "--json", "-x", "a", "--limit=3", "--role", "user", "b"]
    assert search_words(typed) == [
        *("search", "--json", "--limit=3", "--role", "user"),
        *("--", "-x", "a", "b"),
    ]
    assert search_words(["search", "--", "-x", "--json"]) == ["search", "--", "-x", "--json"]
    assert search_words(["search", "--role"]) == ["search", "--role"]
    assert run("search", "-x", "rounding", "--json").status == 1
    assert run("search").status == 2
    assert run("search", "--help").status == 0


def test_a_time_that_is_none_is_told(run: Run) -> None:
    answer = run("search", "x", "--since", "soon")
    assert answer.status == 2
    assert "'soon' is no time" in answer.err


def test_what_a_session_says_never_acts_on_the_terminal(run: Run) -> None:
    from tests.agents.claude_code.writing import SESSION_ID, user, write

    sessions = run("sessions", "--agent", "claude-code", "--json").json["sessions"]
    folder = Path(sessions[0]["path"]).parent
    write(folder, [user("u1", None, "\x1b]0;owned\x07 needle [red]")], f"{SESSION_ID}.jsonl")
    out = run("search", "needle").out
    assert "\x1b" not in out
    assert "[red]" in out


def test_without_a_place_for_the_index_a_search_still_finds(run: Run) -> None:
    import os

    home = Path(os.environ["REDLINE_HOME"])
    home.mkdir(parents=True, exist_ok=True)
    cache = home / "cache"
    if cache.exists():
        cache.rename(home / "old")
    cache.write_text("a file in its place")
    answer = run("search", "rounding")
    assert answer.status == 0
    assert "only in memory" in answer.err
    assert run("sessions").status == 0


def test_doctor_says_where_it_looked_and_how_the_index_stands(run: Run) -> None:
    run("search", "rounding")
    report = run("doctor", "--json").json
    names = {variable["name"] for variable in report["variables"]}
    assert names >= {"CLAUDE_CONFIG_DIR", "CODEX_HOME", "PI_CODING_AGENT_DIR", "HERMES_HOME"}
    assert {looked["agent"] for looked in report["looked"]} >= {"claude-code", "codex", "pi"}
    index = report["index"]
    assert index["sessions"] == index["read"] == sum(report["sessions"].values())
    assert index["bytes"] > 0
    assert index["problem"] == ""
    said = run("doctor").out
    assert "CODEX_HOME: not set" in said
    assert "not there" in said


@pytest.mark.parametrize("words", [("search", "rounding"), ("sessions",)])
def test_what_could_not_be_read_is_told_to_programs_too(
    run: Run, scratch: Path, words: tuple[str, ...]
) -> None:
    whole = run(*words, "--json").json
    assert (whole["complete"], whole["unreadable"]) == (True, [])
    folder = Path(os.environ["HOME"]) / ".codex" / "sessions"
    folder.parent.mkdir(exist_ok=True)
    folder.write_text("no folder")
    answer = run(*words, "--json")
    (told,) = answer.json["unreadable"]
    assert not answer.json["complete"]
    assert told["path"] == str(folder)
    assert "cannot be read" in told["reason"]
    assert f"{told['path']}: {told['reason']}" in answer.err
    assert run(*words, "--agent", "pi", "--json").json["complete"], "it is none of pi's"


def test_a_limit_below_1_is_wrong_use(run: Run) -> None:
    for wrong in ("-5", "0", str(10**19)):
        answer = run("search", "rounding", "--limit", wrong)
        assert (answer.status, answer.out) == (2, "")
        assert "a number from 1" in answer.err
    assert run("search", "rounding").status == 0
