"""The model holds what Hermes writes."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from redline.model import Kind, PartState, PartType, Role, Session
from tests.model.hermes import ALONE, DUPLICATE, MERGED, PRIOR, open_rows

SCHEMA = """CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT,
 tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL, reasoning TEXT,
 codex_reasoning_items TEXT, active INTEGER DEFAULT 1, compacted INTEGER DEFAULT 0)"""
SUMMARY = "## Goal\nFix rounding"


def database(folder: Path, *rows: dict[str, Any]) -> Session:
    path = folder / "state.db"
    with closing(sqlite3.connect(path)) as made, made:
        made.execute(SCHEMA)
        for row in rows:
            stated = {"session_id": "s1", "timestamp": 1_790_000_000.5} | row
            marks = ", ".join("?" for _ in stated)
            made.execute(
                f"INSERT INTO messages({', '.join(stated)}) VALUES ({marks})",
                tuple(stated.values()),
            )
    return open_rows(path, "s1")


def calls(*named: tuple[str, str, str]) -> str:
    return json.dumps(
        [{"id": i, "function": {"name": name, "arguments": args}} for i, name, args in named]
    )


def test_a_summary_merged_into_a_tail_row_is_three_parts_of_one_string(tmp_path: Path) -> None:
    merged = f"{PRIOR}now run the whole suite{MERGED}{SUMMARY}"
    session = database(
        tmp_path,
        {"id": 1, "role": "user", "content": "fix it", "active": 0, "compacted": 1},
        {"id": 2, "role": "user", "content": "undone", "active": 0},
        {"id": 3, "role": "user", "content": merged},
    )
    (tail,) = session.context
    assert [part.kind for part in tail.parts] == [Kind.INJECTED, Kind.PROMPT, Kind.SUMMARY]
    assert [session.text(part) for part in tail.parts] == [
        PRIOR,
        "now run the whole suite",
        MERGED + SUMMARY,
    ]
    assert sum(part.chars for part in tail.parts) == len(merged)
    assert [session.text(part) for part in tail.prompts] == ["now run the whole suite"]
    assert [m.id for m in session.source.history()] == ["1", "3"]
    (past,) = session.compactions
    assert (past.record, past.preserved, past.messages_before) == (3, ("3",), 1)
    assert past.summary == tail


def test_a_summary_row_of_its_own_stands_after_the_head(tmp_path: Path) -> None:
    session = database(
        tmp_path,
        {"id": 1, "role": "user", "content": "fix it"},
        {"id": 2, "role": "assistant", "content": f"{ALONE} {SUMMARY}"},
        {"id": 3, "role": "user", "content": "next"},
    )
    assert [[p.kind for p in m.parts] for m in session.context] == [
        [Kind.PROMPT],
        [Kind.SUMMARY],
        [Kind.PROMPT],
    ]
    assert session.context[1].role is Role.ASSISTANT


def test_parallel_calls_and_results_with_one_cleared(tmp_path: Path) -> None:
    session = database(
        tmp_path,
        {
            "id": 4,
            "role": "assistant",
            "content": "Looking.",
            "reasoning": "three files",
            "codex_reasoning_items": json.dumps([{"encrypted_content": "gAAAA"}]),
            "tool_calls": calls(
                ("c1", "read_file", '{"path": "a"}'), ("c2", "terminal", "{}"), ("c3", "x", "{}")
            ),
        },
        {"id": 5, "role": "tool", "tool_call_id": "c1", "tool_name": "read_file", "content": "A"},
        {"id": 6, "role": "tool", "tool_call_id": "c2", "content": f"{DUPLICATE} — same]"},
        {"id": 7, "role": "tool", "tool_call_id": "c3", "content": "C"},
    )
    answer, *results = session.context
    assert [part.type for part in answer.parts] == [
        PartType.THINKING,
        PartType.OPAQUE,
        PartType.TEXT,
        PartType.TOOL_CALL,
        PartType.TOOL_CALL,
        PartType.TOOL_CALL,
    ]
    assert [session.text(part) for part in answer.parts][:4] == [
        "three files",
        "gAAAA",
        "Looking.",
        '{"path": "a"}',
    ]
    assert [r.parts[0].state for r in results] == [
        PartState.LIVE,
        PartState.CLEARED,
        PartState.LIVE,
    ]
    assert {part.origin.record for part in answer.parts} == {4}
    assert all((p.origin.start, p.origin.end) == (0, 0) for p in answer.parts)


def test_a_row_of_text_and_image_is_two_parts(tmp_path: Path) -> None:
    blocks = [
        {"type": "text", "text": "价格页"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ]
    content = "\0json:" + json.dumps(blocks, ensure_ascii=False)
    session = database(tmp_path, {"id": 1, "role": "user", "content": content})
    text, image = session.context[0].parts
    assert session.text(text) == "价格页"
    assert (image.type, session.text(image)) == (PartType.IMAGE, "")
    assert session.source.value(image) == blocks[1]
    assert [block.text for block in session.source.resume()] == ["价格页", ""]
