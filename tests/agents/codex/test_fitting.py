"""What Codex's loader takes of an item: every one that is written has to be of that kind."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.agents.codex.fitting import fitting
from redline.agents.codex.item import INTER_AGENT, KNOWN
from redline.agents.codex.loader import loads_item

JSON = dict[str, Any]


def fit(**value: Any) -> JSON | None:
    return fitting(value["type"], value)


@pytest.mark.parametrize(
    "item",
    [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        {"type": "message", "role": "assistant", "content": [], "phase": "commentary"},
        {"type": "reasoning", "summary": [], "encrypted_content": "gA"},
        {"type": "function_call", "name": "x", "namespace": "y", "arguments": "{", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": "said"},
        {"type": "function_call_output", "name": "clock", "output": "late"},
        {"type": "custom_tool_call", "name": "x", "input": "y", "call_id": "c"},
        {
            "type": "local_shell_call",
            "status": "completed",
            "action": {"type": "exec", "command": []},
        },
        {"type": "web_search_call", "status": "completed", "action": {"type": "other", "x": 1}},
        {"type": "tool_search_call", "execution": "server", "call_id": "c", "arguments": [1.5]},
        {"type": "tool_search_output", "status": "x", "execution": "client", "tools": [5]},
        {"type": "image_generation_call", "status": "completed", "result": "iVBO"},
        {"type": "agent_message", "author": "a", "recipient": "b", "content": []},
        {"type": "compaction", "encrypted_content": "gA"},
        {"type": "context_compaction"},
    ],
)
def test_an_item_that_is_taken_stays_as_it_is_but_for_what_names_it(item: JSON) -> None:
    named = {"id": "x_1", "internal_chat_message_metadata_passthrough": {"turn_id": "t"}}
    assert fitting(item["type"], item) == item
    assert fitting(item["type"], item | named) == item


def test_what_is_missing_is_put_in() -> None:
    assert fit(type="reasoning", encrypted_content="gA") == {
        "type": "reasoning",
        "summary": [],
        "encrypted_content": "gA",
    }
    made = fit(type="function_call", arguments={"b": 1, "a": 2}, call_id="c")
    assert made == {
        "type": "function_call",
        "name": "unknown",
        "call_id": "c",
        "arguments": '{"a": 2, "b": 1}',
    }
    assert fit(type="message", role="user", content=[{"text": "hi"}]) == {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "hi"}],
    }
    made = fit(type="image_generation_call", result="iVBO", revised_prompt=5)
    assert made == {"type": "image_generation_call", "status": "completed", "result": "iVBO"}


def test_results_of_other_shapes_are_told_as_blocks() -> None:
    blocks = ["a", {"type": "output_text", "text": "b"}, {"content": "c"}, 5, {"x": 1}]
    made = fit(type="function_call_output", call_id="c", output=blocks)
    assert made is not None
    assert [one["text"] for one in made["output"]] == ["a", "b", "c"]
    made = fit(type="custom_tool_call_output", output={"content": "said"})
    assert made == {"type": "function_call_output", "output": "said"}


def test_a_command_and_a_search_of_another_shape_are_told_in_other_words() -> None:
    made = fit(type="local_shell_call", call_id="c", action={"cmd": "ls"})
    assert made is not None
    assert (made["type"], made["name"], made["arguments"]) == (
        "function_call",
        "local_shell",
        '{"cmd": "ls"}',
    )
    made = fit(type="web_search_call", action={"type": "open_page", "url": 5})
    assert made is not None
    assert (made["type"], made["role"]) == ("message", "assistant")


@pytest.mark.parametrize(
    "item",
    [
        {"type": "message", "role": 5, "content": []},
        {"type": "message", "role": "user", "content": [{"type": "input_image", "image_url": 5}]},
        {"type": "function_call", "name": "x", "arguments": "{}"},
        {"type": "function_call", "name": "x", "arguments": 5, "call_id": "c"},
        {"type": "compaction"},
        {"type": "image_generation_call", "result": None},
        {"type": "tool_search_output", "tools": "x"},
        {"type": "tool_search_call", "arguments": {"n": float("inf")}},
        {"type": "tool_search_call", "arguments": {"n": 10**30}},
        {"type": "local_shell_call", "action": {"cmd": "ls"}},
        {"type": "ghost_snapshot"},
    ],
)
def test_what_has_no_form_that_is_taken_is_none(item: JSON) -> None:
    assert fitting(item["type"], item) is None


def test_what_is_too_deep_for_the_loader_is_none() -> None:
    deep: Any = 1
    for _ in range(120):
        deep = [deep]
    assert fit(type="tool_search_call", arguments=deep) is None
    assert (
        fit(
            type="tool_search_call",
            arguments=deep[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0],
        )
        is not None
    )


def test_a_message_between_agents_is_told_as_the_model_is_given_it() -> None:
    sent = {"type": "x", "author": "a", "recipient": "b", "content": "", "trigger_turn": True}
    made = fitting(INTER_AGENT, {**sent, "encrypted_content": "gA"})
    assert made is not None
    assert made["content"][0]["text"].startswith("Message Type: NEW_TASK")
    assert made["content"][1] == {"type": "encrypted_content", "encrypted_content": "gA"}
    assert fitting(INTER_AGENT, sent) == {
        "type": "agent_message",
        "author": "a",
        "recipient": "b",
        "content": [],
    }


_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", "x", "exec", "search", "input_text", "input_image", "data:x", "high"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "image_url", "command", "query", "content", "detail"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
_FIELDS = (
    "role",
    "content",
    "phase",
    "status",
    "summary",
    "encrypted_content",
    "name",
    "namespace",
    "arguments",
    "input",
    "call_id",
    "output",
    "action",
    "execution",
    "tools",
    "result",
    "author",
    "recipient",
    "id",
)


@given(
    kind=st.sampled_from(sorted({*KNOWN, INTER_AGENT})),
    value=st.dictionaries(st.sampled_from(_FIELDS), _values),
)
def test_whatever_is_in_an_item_what_is_made_of_it_is_taken_and_stays_so(
    kind: str, value: JSON
) -> None:
    made = fitting(kind, value)
    if made is not None:
        assert loads_item(made)
        assert fitting(made["type"], made) == made
