"""Which records and items Codex's own loader reads."""

from __future__ import annotations

import pytest

from redline.agents.codex.loader import loads, loads_item
from tests.agents.codex.files import JSON

TEXT = {"type": "input_text", "text": "x"}
SAID = {"type": "message", "role": "user", "content": [TEXT]}
TIME = "2026-06-25T10:00:00.000Z"


@pytest.mark.parametrize(
    "item",
    [
        SAID,
        {**SAID, "content": []},
        {**SAID, "content": [{"type": "input_image", "image_url": "data:"}]},
        {**SAID, "content": [{"type": "input_audio", "audio_url": "data:"}]},
        {"type": "reasoning", "summary": []},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "x"}], "content": []},
        {"type": "function_call", "name": "f", "arguments": "{}", "call_id": "c"},
        {"type": "custom_tool_call", "name": "f", "input": "", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": []},
        {"type": "compaction", "encrypted_content": "gA"},
        {"type": "from_the_future"},
    ],
)
def test_an_item_is_read(item: JSON) -> None:
    assert loads_item(item)
    assert loads({"timestamp": TIME}, "response_item", item)


@pytest.mark.parametrize(
    "item",
    [
        None,
        [],
        {},
        {"type": 5},
        {**SAID, "role": None},
        {**SAID, "content": "x"},
        {**SAID, "content": ["x"]},
        {**SAID, "content": [{"type": "input_text", "text": 5}]},
        {**SAID, "content": [{"type": "input_image", "text": "x"}]},
        {**SAID, "content": [{"type": "input_audio", "image_url": "x"}]},
        {**SAID, "content": [{"type": "text", "text": "x"}]},
        {"type": "reasoning"},
        {"type": "reasoning", "summary": [TEXT]},
        {"type": "reasoning", "summary": [], "content": "x"},
        {"type": "reasoning", "summary": [], "encrypted_content": 5},
        {"type": "function_call", "name": "f", "arguments": {}, "call_id": "c"},
        {"type": "custom_tool_call", "name": "f", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c"},
        {"type": "compaction"},
    ],
)
def test_an_item_is_passed_over(item: JSON | None) -> None:
    assert not loads_item(item)
    assert not loads({"timestamp": TIME}, "response_item", item)


def test_a_compaction_is_read_only_with_all_of_its_history() -> None:
    record = {"timestamp": TIME}
    assert loads(record, "compacted", {"message": ""})
    assert loads(record, "compacted", {"message": "", "replacement_history": [SAID]})
    assert not loads(record, "compacted", {"message": "", "replacement_history": [SAID, {}]})
    assert not loads(record, "compacted", {"message": "", "replacement_history": {}})
    assert not loads(record, "compacted", {"replacement_history": [SAID]})


def test_a_record_of_another_kind_needs_its_time_and_its_number_only() -> None:
    assert loads({"timestamp": TIME}, "event_msg", {})
    assert loads({"timestamp": TIME, "ordinal": 7}, "event_msg", {})
    assert not loads({"timestamp": TIME, "ordinal": "7"}, "event_msg", {})
    assert not loads({"timestamp": 5}, "event_msg", {})
    assert not loads({"timestamp": TIME}, "event_msg", [])
