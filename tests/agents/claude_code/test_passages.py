"""The texts of Claude Code's sessions that can be searched for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from redline.agents.opening import recognise
from redline.model import Kind
from tests.agents.claude_code.writing import (
    attachment,
    call,
    image,
    progress,
    record,
    reply,
    result,
    summary,
    text,
    thinking,
    user,
    write,
)
from tests.agents.passages_of import missing, passages_of, reads_on


def told(folder: Path, *records: Any) -> list[tuple[Kind, str]]:
    path = write(folder, [user("u0", None, "First"), *records])
    return [(one.kind, one.text) for one in passages_of(recognise(path))][1:]


def test_every_kind_of_text_can_be_found(tmp_path: Path) -> None:
    assert told(
        tmp_path,
        reply("a1", "u0", "m1", text("Said"), call("c1", "Bash", command='echo "a\\b"\nls')),
        user("u1", "a1", [result("c1", [text("one"), "two", None, image()]), text("typed")]),
        user("u2", "u1", "<system-reminder>mind</system-reminder>\ndo it"),
        summary("s1", "u2", "So far."),
        attachment("x1", "s1", type="queued_command", prompt="quick", commandMode="prompt"),
        record("y1", "x1", "system", subtype="local_command", content="<x>out</x>"),
    ) == [
        (Kind.REPLY, "Said"),
        (Kind.TOOL_CALL, 'command: echo "a\\b"\nls'),
        (Kind.TOOL_RESULT, "one\ntwo"),
        (Kind.PROMPT, "typed"),
        (Kind.INJECTED, "<system-reminder>mind</system-reminder>"),
        (Kind.PROMPT, "\ndo it"),
        (Kind.SUMMARY, "This session is being continued from a previous conversation.\nSo far."),
        (Kind.PROMPT, "quick"),
        (Kind.INJECTED, "<x>out</x>"),
    ]


def test_thinking_and_what_only_the_provider_can_read_has_no_text(tmp_path: Path) -> None:
    sealed = {"type": "redacted_thinking", "data": "x"}
    assert (
        told(tmp_path, reply("a1", "u0", "m1", thinking("hm"), sealed), progress("p", "a1")) == []
    )


@pytest.mark.parametrize(
    "content", [None, 3, [], [None, 3, {}, {"type": 1}, {"type": "text", "text": 3}], {"a": 1}, " "]
)
def test_fields_of_the_wrong_type_cost_themselves(tmp_path: Path, content: Any) -> None:
    assert told(tmp_path, user("u1", "u0", content), reply("a1", "u1", "m1")) == []
    assert told(tmp_path, {**user("u1", "u0", ""), "message": content}) == []


def test_a_notice_can_be_found_as_injected(tmp_path: Path) -> None:
    (found,) = told(tmp_path, user("u1", "u0", "[Request interrupted by user]"))
    assert found[0] is Kind.INJECTED


def test_places_are_those_of_the_lines(tmp_path: Path) -> None:
    path = write(tmp_path, [user("u0", None, "Ünï"), b"{torn", user("u1", "u0", "two"), b"[]"])
    lines = path.read_bytes().split(b"\n")
    first, second = passages_of(recognise(path))
    assert (first.record, first.start, first.end) == (1, 0, len(lines[0]))
    start = len(lines[0]) + len(lines[1]) + 2
    assert (second.record, second.start, second.end) == (3, start, start + len(lines[2]))
    assert reads_on(path)


def test_a_file_that_is_gone_has_no_texts(tmp_path: Path) -> None:
    path = write(tmp_path, [user("u0", None, "one")])
    info = recognise(path)
    path.unlink()
    assert passages_of(info) == []


@pytest.mark.real
def test_everything_in_a_real_history_can_be_found(real_sessions: Path) -> None:
    files = sorted((real_sessions / "claude_code").rglob("*.jsonl"), key=lambda p: p.stat().st_size)
    for path in files[:-3]:
        assert missing(path) == [], path
        assert reads_on(path), path
