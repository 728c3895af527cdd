"""The resume view against what Codex 0.171.0 itself sent."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.codex.reader import open_session
from redline.model import Session
from tests.agents.codex.files import JSON, item, line, meta, said, write
from tests.agents.codex.rolling import (
    call,
    compacted,
    image,
    message,
    opened,
    output,
    sealed,
    user,
)

Key = tuple[str, str, str | None, str]
_GIVEN = "go on"  # the prompt that the golden files were made with, which they leave out


def digest(text: str) -> str:
    return hashlib.sha1(text.rstrip().encode("utf-8", "replace")).hexdigest()


def sent(session: Session) -> list[tuple[str, str]]:
    return [(block.type, block.text) for block in session.source.resume()]


@pytest.mark.real
def test_the_resume_view_is_what_codex_sends(real_sessions: Path) -> None:
    folder = real_sessions / "codex"
    goldens = sorted(folder.glob("golden-resume-*.json"))
    assert goldens
    for golden in goldens:
        answer = json.loads(golden.read_text("utf-8"))
        blocks: list[tuple[Key, bool]] = [
            ((b["role"], b["type"], b["id"], b["sha1"]), b["added"]) for b in answer["blocks"]
        ]
        held = [key for key, added in blocks if not added]
        made_up = {key for key, added in blocks if added} - set(held)
        session = open_session(folder / answer["file"])
        ours = [
            (block.role, block.type, block.id, digest(block.text))
            for block in session.source.resume()
            if (block.role, block.text) != ("user", _GIVEN)
        ]
        assert [key for key in ours if key not in made_up] == held, golden.name
        assert session.resume_lost == 0


def test_it_opens_with_the_base_instructions(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", meta(base_instructions={"text": "You are"}), user("hi"))
    assert sent(open_session(path)) == [("input_text", "You are"), ("input_text", "hi")]


def test_what_answers_no_call_is_left_out_and_what_codex_makes_up_is_not_listed(
    tmp_path: Path,
) -> None:
    session = opened(
        tmp_path,
        output("c0"),
        call("c1"),
        item("custom_tool_call_output", call_id="c1", output="another kind of call"),
        call("c2"),
        output("c2", "x"),
    )
    assert [(b.type, b.id) for b in session.source.resume()] == [
        ("function_call", "c1"),
        ("function_call", "c2"),
        ("function_call_output", "c2"),
    ]


def test_items_without_a_text_are_told_as_they_are_sent(tmp_path: Path) -> None:
    metadata = {"internal_chat_message_metadata_passthrough": {"turn_id": "t"}}
    session = opened(
        tmp_path,
        sealed(4, id="rs_1", **metadata),
        item("reasoning", id="bad", summary=[], content=None, encrypted_content=None),
        item("compaction_summary", encrypted_content="gC"),
        user(image("QUJD")),
    )
    assert sent(session) == [
        ("reasoning", "gggg"),
        (
            "reasoning",
            '{"content": null, "encrypted_content": null, "summary": [], "type": "reasoning"}',
        ),
        ("compaction", "gC"),
        (
            "input_image",
            '{"image_url": "data:image/png;base64,QUJD", "type": "input_image"}',
        ),
    ]


def test_a_long_result_is_shortened_in_the_middle_but_for_one_that_was_replaced(
    tmp_path: Path,
) -> None:
    long = "x" * 20_000
    several: list[JSON] = [
        {"type": "input_text", "text": "a" * 11_000},
        {"type": "input_text", "text": "b" * 2_000},
        {"type": "input_text", "text": "c"},
    ]
    session = opened(tmp_path, call("c1"), output("c1", long), call("c2"), output("c2", several))
    told = [text for kind, text in sent(session) if kind == "function_call_output"]
    assert told[0] == f"{'x' * 6_000}…8000 chars truncated…{'x' * 6_000}"
    assert told[1].split("\n") == [
        "a" * 11_000,
        f"{'b' * 500}…1000 chars truncated…{'b' * 500}",
        "[omitted 1 text items ...]",
    ]
    held: list[JSON] = [
        {"type": "function_call", "name": "f", "arguments": "{}", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": long},
    ]
    kept = opened(tmp_path, compacted("", held))
    assert ("function_call_output", long) in sent(kept)


def test_messages_between_agents_are_told_in_the_form_of_the_model(tmp_path: Path) -> None:
    between = {"author": "/root", "recipient": "/a", "content": "", "trigger_turn": True}
    session = opened(
        tmp_path, line("inter_agent_communication", {**between, "encrypted_content": "gX"})
    )
    ((kind, text),) = sent(session)
    assert (kind, json.loads(text)["content"]) == (
        "agent_message",
        [
            {
                "type": "input_text",
                "text": "Message Type: NEW_TASK\nTask name: /a\nSender: /root\nPayload:\n",
            },
            {"type": "encrypted_content", "encrypted_content": "gX"},
        ],
    )


# What the loader of 0.171 passes over, though it is easy to read.
UNREAD: list[JSON] = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]},
    item("message", role="user", content=[{"type": "input_text", "text": "x"}, {"type": "new"}]),
    item("function_call", name="f", arguments={"a": 1}, call_id="c"),
    item("reasoning", encrypted_content="g"),
    {**said("user", "x"), "timestamp": None},
]


@pytest.mark.parametrize("record", UNREAD)
def test_what_the_loader_cannot_read_is_in_the_context_and_said_to_be_lost(
    record: dict[str, Any], tmp_path: Path
) -> None:
    session = opened(tmp_path, user("one"), record, said("assistant", "A"))
    assert [text for _kind, text in sent(session)] == ["one", "A"]
    assert sum(len(m.parts) for m in session.context) > 2
    assert session.resume_messages == 2


def test_a_replacement_with_one_item_that_it_cannot_read_is_lost_whole(tmp_path: Path) -> None:
    held = [message("user", "one"), {"type": "function_call", "call_id": "c"}]
    session = opened(tmp_path, user("one"), said("assistant", "A"), compacted("", held))
    assert [text for _kind, text in sent(session)] == ["one", "A"]
