"""The texts of pi's sessions that can be searched for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.opening import recognise
from redline.model import Kind
from tests.agents.passages_of import missing, passages_of, reads_on


def told(folder: Path, *entries: dict[str, Any]) -> list[tuple[Kind, str]]:
    header = {"type": "session", "version": 3, "id": "s1", "cwd": "/w", "timestamp": "2026-01-01"}
    lines = [header]
    for number, entry in enumerate(entries):
        parent = f"e{number - 1}" if number else None
        lines.append({"id": f"e{number}", "parentId": parent, "timestamp": "2026-01-01", **entry})
    path = folder / "s1.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert reads_on(path)
    return [(one.kind, one.text) for one in passages_of(recognise(path))]


def message(role: str, content: Any = None, **fields: Any) -> dict[str, Any]:
    return {"type": "message", "message": {"role": role, "content": content, **fields}}


def test_every_kind_of_text_can_be_found(tmp_path: Path) -> None:
    call = {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": 'echo "x"'}}
    said = {"type": "text", "text": "Said"}
    thought = {"type": "thinking", "thinking": "hm"}
    assert told(
        tmp_path,
        message("user", '<file name="a">\nbody\n</file>\ndo it'),
        message("assistant", [thought, said, call]),
        message("toolResult", [{"type": "text", "text": "x"}], toolCallId="c1"),
        message("bashExecution", command="ls", output="a.py", exitCode=0),
        {"type": "custom_message", "content": "from an extension"},
        {"type": "branch_summary", "summary": "another way"},
        {"type": "context_edit", "replacement": {"content": "cleared"}},
        {"type": "compaction", "summary": "So far."},
        {"type": "model_change", "modelId": "x"},
    ) == [
        (Kind.INJECTED, '<file name="a">\nbody\n</file>\n'),
        (Kind.PROMPT, "do it"),
        (Kind.REPLY, "Said"),
        (Kind.TOOL_CALL, 'command: echo "x"'),
        (Kind.TOOL_RESULT, "x"),
        (Kind.INJECTED, "Ran `ls`\n```\na.py\n```"),
        (Kind.INJECTED, "from an extension"),
        (Kind.SUMMARY, "another way"),
        (Kind.INJECTED, "cleared"),
        (Kind.SUMMARY, "So far."),
    ]


@pytest.mark.parametrize("content", [None, 3, [], [None, 3, {}, {"type": "text"}], {"a": 1}, " "])
@pytest.mark.parametrize("role", ["user", "assistant", "toolResult", "custom", None, 3, []])
def test_fields_of_the_wrong_type_cost_themselves(tmp_path: Path, content: Any, role: Any) -> None:
    assert told(tmp_path, message(role, content), {"type": "message", "message": content}) == []
    assert told(tmp_path, {"type": "compaction", "summary": content}) == []


@pytest.mark.real
def test_everything_in_a_real_history_can_be_found(real_sessions: Path) -> None:
    for path in sorted((real_sessions / "pi").glob("*.jsonl")):
        assert missing(path) == [], path
        assert reads_on(path), path
