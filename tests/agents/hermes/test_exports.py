"""What Hermes writes to files opens as the sessions that they hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.hermes.reader import open_session
from redline.agents.hermes.scanning import scan
from redline.agents.opening import open_session as open_any
from redline.agents.opening import recognise
from redline.errors import RedlineError
from redline.model import Agent, DamageKind, Kind, Session

from .made_up import ALONE, call

_ROW: dict[str, Any] = {"source": "cli", "started_at": 1_780_000_000.0, "model": "m", "title": None}


def _said(role: str, content: object, **more: object) -> dict[str, object]:
    return {"role": role, "content": content, **more}


def _turn(number: int) -> list[dict[str, object]]:
    return [
        _said("user", f"prompt {number}", id=10 * number + 1),
        _said("assistant", "", id=10 * number + 2, tool_calls=[call("terminal", f"c{number}")]),
        _said("tool", "out", id=10 * number + 3, tool_call_id=f"c{number}", tool_name="terminal"),
    ]


def _write(path: Path, *records: object, indent: int | None = None) -> Path:
    path.write_text("".join(json.dumps(record, indent=indent) + "\n" for record in records))
    return path


def _prompts(session: Session) -> list[str]:
    return [session.text(part) for m in session.context for part in m.prompts]


def test_an_export_holds_several_sessions_each_by_its_id(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "out.jsonl",
        {**_ROW, "id": "one", "messages": _turn(1), "system_prompt": "You are Hermes."},
        {**_ROW, "id": "two", "messages": _turn(2)},
        {**_ROW, "id": "sub", "source": "subagent", "parent_session_id": "one",
         "messages": _turn(3)},
    )  # fmt: skip
    assert [info.id for info in scan(path)] == ["one", "two"]
    with pytest.raises(RedlineError, match="holds 2 sessions"):
        recognise(path)
    session = open_any(recognise(path, "one"))
    assert _prompts(session) == ["prompt 1"]
    assert [message.id for message in session.context] == ["11", "12", "13"]
    assert session.system is not None
    assert session.text(session.system.parts[0]) == "You are Hermes."
    assert [sub.id for sub in session.subagents] == ["sub"]
    assert _prompts(open_any(recognise(path, "sub"))) == ["prompt 3"]


def test_a_lineage_is_one_session_with_its_segments_before_it(tmp_path: Path) -> None:
    first = {**_ROW, "id": "a", "messages": _turn(1), "end_reason": "compression"}
    last = {**_ROW, "id": "b", "messages": [_said("assistant", ALONE, id=30), *_turn(4)]}
    whole = {**last, "segments": [first, last], "lineage_session_ids": ["a", "b"]}
    beside = {**_ROW, "id": "c", "parent_session_id": "b", "messages": _turn(5)}
    path = _write(tmp_path / "out.jsonl", whole, beside)
    session = open_session(path, id="b")
    assert [info.id for info in scan(path)] == ["b", "c"]
    assert _prompts(session) == ["prompt 4"]
    assert len(list(session.source.history())) == 7
    assert session.compactions[0].messages_before == 3
    assert session.damage == ()


def test_an_export_says_that_archived_rows_are_missing(tmp_path: Path) -> None:
    messages = [_said("user", ALONE, id=1), *_turn(4)]
    path = _write(tmp_path / "out.jsonl", {**_ROW, "id": "a", "messages": messages})
    session = open_session(path, id="a")
    assert [finding.kind for finding in session.damage] == [DamageKind.MISSING]
    with pytest.raises(RedlineError, match="not in this session"):
        open_session(path, id="a", before=1)


def test_a_snapshot_is_one_document(tmp_path: Path) -> None:
    snapshot = {
        "session_id": "20260529_090000_d4e5f6",
        "model": "m",
        "session_start": "2026-05-29T09:00:00",
        "last_updated": "2026-05-29T10:30:00",
        "messages": [_said("user", "hi"), _said("assistant", "hello")],
    }
    path = _write(tmp_path / "session_x.json", snapshot, indent=2)
    (info,) = scan(path)
    assert info.agent is Agent.HERMES
    assert info.updated is not None
    assert info.updated.isoformat() == "2026-05-29T10:30:00+00:00"
    assert [m.head for m in open_session(path, id=info.id).context] == ["hi", "hello"]


def test_an_old_transcript_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "20250101_1.jsonl"
    lines = [
        {"role": "session_meta", "tools": [], "model": "m", "platform": "cli"},
        _said("user", "hi", timestamp="2026-01-01T10:00:00"),
        _said("assistant", "hello"),
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"role": "us')
    session = open_session(path, id="20250101_1")
    assert [message.head for message in session.context] == ["hi", "hello"]
    assert session.context[0].parts[0].origin.record == 2
    assert session.info.model == "m"
    assert [finding.kind for finding in session.damage] == [DamageKind.TORN_TAIL]


def test_a_trajectory_is_taken_apart_into_calls_and_results(tmp_path: Path) -> None:
    calls = "".join(
        f'<tool_call>\n{{"name": "terminal", "arguments": {{"command": "{name}"}}}}\n</tool_call>\n'
        for name in ("ls", "pwd")
    )
    results = "\n".join(
        f'<tool_response>\n{{"tool_call_id": "c{n}", "name": "terminal", "content": {body}}}\n'
        "</tool_response>"
        for n, body in ((1, '"a.py"'), (2, '{"exit_code": 0}'))
    )
    turns = [
        {"from": "system", "value": "You may call functions."},
        {"from": "human", "value": "look"},
        {"from": "gpt", "value": f"<think>\nwhere?\n</think>\nLooking.\n{calls}"},
        {"from": "tool", "value": results},
        {"from": "gpt", "value": "<think>\n</think>\nDone."},
    ]
    path = _write(tmp_path / "samples.jsonl", *[{"conversations": turns, "model": "m"}] * 2)
    assert [info.id for info in scan(path)] == ["samples.1", "samples.2"]
    session = open_session(path, id="samples.2")
    parts = [(part.type.value, part.call_id, session.text(part))
             for message in session.context for part in message.parts]  # fmt: skip
    assert parts == [
        ("text", None, "look"),
        ("thinking", None, "where?"),
        ("text", None, "Looking."),
        ("tool_call", "c1", '{"command": "ls"}'),
        ("tool_call", "c2", '{"command": "pwd"}'),
        ("tool_result", "c1", "a.py"),
        ("tool_result", "c2", '{"exit_code": 0}'),
        ("text", None, "Done."),
    ]
    assert session.counts.tool_pairs == 2
    assert session.context[0].parts[0].kind is Kind.PROMPT


@pytest.mark.parametrize(
    "record",
    [
        {"model": "m", "messages": [_said("user", "hi")]},
        {"id": "x", "messages": [_said("user", "hi")]},
        {"id": "chatcmpl-1", "started_at": 5, "choices": []},
        {"conversations": [{"role": "user", "content": "hi"}]},
        {"type": "session", "id": "p", "started_at": "2026", "version": 3},
        _said("user", "the word session_meta in quotes"),
        {"conversations": 7, "session_start": 3, "session_id": "x", "messages": {}},
    ],
)
def test_files_of_others_are_not_taken(tmp_path: Path, record: object) -> None:
    assert scan(_write(tmp_path / "x.jsonl", record)) == ()


@pytest.mark.real
def test_the_real_exports_say_what_the_database_says(real_sessions: Path) -> None:
    folder = real_sessions / "hermes"
    exported = scan(folder / "export_sessions.jsonl")
    assert [info.id for info in exported] == [info.id for info in scan(folder / "state.db")]
    for info in exported:
        first = open_session(folder / "export_sessions.jsonl", id=info.id)
        second = open_session(folder / "state.db", id=info.id)
        assert list(first.source.resume()) == list(second.source.resume())
        assert [m.id for m in first.context] == [m.id for m in second.context]
    for name, count in (("session_snapshot.json", 40), ("trajectory_samples.jsonl", 40)):
        (info,) = scan(folder / name)
        assert len(open_session(folder / name, id=info.id).context) == count
