"""Rows as Hermes writes them: where the handoff goes, and what is left of a row."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from redline.agents.hermes.encoding import (
    CLEARED,
    NewRow,
    Piece,
    edited,
    handoff,
    next_title,
    placed,
    session_id,
    unmarked,
    with_handoff,
)
from redline.agents.hermes.messages import message_of
from redline.agents.hermes.rows import row_of
from redline.agents.hermes.summaries import BELOW, END, PRIOR, is_summary
from redline.model import Kind, PartState


def _row(**columns: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "active": 1, "compacted": 0, **columns}


@pytest.mark.parametrize(
    ("above", "below", "asked", "role", "merged"),
    [
        (None, "assistant", True, "user", False),
        (None, "user", True, "user", True),
        (None, None, False, "user", False),
        ("user", "assistant", True, "assistant", True),
        ("user", "user", True, "assistant", False),
        ("user", None, True, "assistant", False),
        ("assistant", "assistant", True, "user", False),
        ("assistant", "user", True, "user", True),
        ("tool", "user", True, "assistant", False),
        ("tool", "assistant", True, "user", False),
        ("assistant", None, True, "user", False),
    ],
)
def test_the_role_of_a_handoff_comes_twice_on_neither_side(
    above: str | None, below: str | None, asked: bool, role: str, merged: bool
) -> None:
    assert placed(above, below, asked=asked) == (role, merged)


def test_a_handoff_reads_as_a_summary_alone_and_in_front_of_a_request(tmp_path: Any) -> None:
    stored = {**_row(role="user", content="Then mend it", api_content="sent"), "id": 3}
    both = with_handoff(NewRow(3), stored, "## Goal\nRounding")
    assert both is not None
    assert both.columns["api_content"] is None
    message = message_of(tmp_path, row_of({**stored, **both.columns}, 3, []))
    assert [part.kind for part in message.parts] == [Kind.SUMMARY, Kind.PROMPT]
    assert is_summary(handoff("## Goal"))


def test_a_summary_that_quotes_the_marks_of_one_stays_whole() -> None:
    text = unmarked(f"It wrote {PRIOR}, {BELOW} and {END}")
    told = handoff(text)
    assert told.count(END) == 1
    assert PRIOR not in told
    assert BELOW not in told


@pytest.mark.parametrize(
    "columns",
    [
        {"role": "user", "content": handoff("older")},
        {"role": "user", "content": "\n\nindented"},
        {"role": "assistant", "content": "a", "codex_message_items": '[{"type": "message"}]'},
        {"role": "assistant", "content": "a", "reasoning": "A thought comes before it."},
    ],
)
def test_a_row_that_could_not_be_told_from_the_handoff_is_left_alone(
    columns: dict[str, Any],
) -> None:
    assert with_handoff(NewRow(1), _row(**columns), "The summary") is None


def test_what_stays_word_for_word_changes_no_column() -> None:
    stored = _row(content="Yes.", reasoning="Well.")
    assert edited(stored, [Piece(("reasoning",)), Piece(("content",))]) == {}


def test_a_cleared_result_reads_as_cleared(tmp_path: Any) -> None:
    stored = _row(role="tool", content="4 passed", tool_call_id="c1", tool_name="terminal")
    found = {**stored, **edited(stored, [Piece(("content",), None, CLEARED)])}
    (part,) = message_of(tmp_path, row_of(found, 1, [])).parts
    assert part.state is PartState.CLEARED


def test_one_of_two_calls_goes_and_what_was_sent_of_it_too() -> None:
    calls = [{"id": "a", "function": {}}, {"id": "b", "function": {}}]
    stored = _row(content="Both", tool_calls=json.dumps(calls), codex_message_items="[1]")
    pieces = [
        Piece(("content",)),
        Piece(("tool_calls", 0, "function", "arguments"), stays=False),
        Piece(("tool_calls", 1, "function", "arguments")),
    ]
    found = edited(stored, pieces)
    assert json.loads(found["tool_calls"]) == calls[1:]
    assert found["codex_message_items"] is None
    assert "content" not in found


def test_a_thought_goes_from_every_column_but_what_is_sealed_stays() -> None:
    details = [{"type": "reasoning.text", "text": "Well."}, {"data": "c2VhbGVk"}]
    stored = _row(reasoning="Well.", reasoning_content="", reasoning_details=json.dumps(details))
    pieces = [Piece(("reasoning",), stays=False), Piece(("reasoning_details", 1, "data"))]
    found = edited(stored, pieces)
    assert found["reasoning"] is found["reasoning_content"] is None
    assert json.loads(found["reasoning_details"]) == details[1:]


def test_a_picture_goes_from_a_result_of_several_kinds() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    inside = [{"type": "text", "text": "a window"}, picture]
    stored = _row(
        role="tool", content="\0json:" + json.dumps({"_multimodal": 1, "content": inside})
    )
    gone = [Piece(("content", "content")), Piece(("content", "content", 1), None, "")]
    told = json.loads(edited(stored, gone)["content"].removeprefix("\0json:"))
    assert told == {"_multimodal": 1, "content": inside[:1]}
    cleared = [
        Piece(("content", "content"), None, CLEARED),
        Piece(("content", "content", 1), None, ""),
    ]
    assert edited(stored, cleared)["content"] == CLEARED


def test_titles_are_numbered_as_hermes_does_it() -> None:
    assert next_title("Import", ["Import"]) == "Import #2"
    assert (
        next_title("Import #2", ["Import", "Import #2", "Import #11", "Important"]) == "Import #12"
    )
    assert next_title("a.b (c) #1", ["a.b (c) #1"]) == "a.b (c) #2"


def test_an_id_tells_when_it_was_made_here() -> None:
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert session_id(now, "0000-abcdef") == f"{now.astimezone():%Y%m%d_%H%M%S}_abcdef"
