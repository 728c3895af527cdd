"""A response that was recorded as the stream it came in."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.model import Usage
from tests.agents.messages.bodies import (
    JSON,
    anthropic,
    anthropic_response,
    chat,
    chat_response,
    chunk,
    events,
    opened,
    piece,
    responses,
    responses_response,
    said,
    text,
)

CALLED = {"type": "tool_use", "id": "t9", "name": "Bash", "input": {}}
OF_ANTHROPIC = events(
    {"type": "message_start", "message": anthropic_response() | {"content": []}},
    {"type": "content_block_start", "index": 0, "content_block": text("")},
    piece(0, type="text_delta", text="Fix"),
    piece(0, type="text_delta", text="ed."),
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": CALLED},
    piece(1, type="input_json_delta", partial_json='{"command":'),
    piece(1, type="input_json_delta", partial_json=' "ls"}'),
    {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use"},
        "usage": {"output_tokens": 70},
    },
    {"type": "message_stop"},
)
OF_CHAT = events(
    chunk(content="Fix"),
    chunk(content="ed."),
    chunk(tool_calls=[{"index": 0, "id": "c9", "function": {"name": "ls", "arguments": ""}}]),
    chunk(tool_calls=[{"index": 0, "function": {"arguments": "{}"}}]),
    chunk() | {"choices": [], "usage": chat_response()["usage"]},
)
OF_RESPONSES = events(
    {"type": "response.created", "response": {"output": []}},
    {"type": "response.completed", "response": responses_response()},
)


@pytest.mark.parametrize(
    ("body", "stream", "texts", "usage"),
    [
        (anthropic(), OF_ANTHROPIC, ["Fixed.", '{"command": "ls"}'], Usage(3, 9000, 20, 70)),
        (chat(), OF_CHAT, ["Fixed.", "{}"], Usage(200, 800, None, 5)),
        (responses(), OF_RESPONSES, ["Fixed."], Usage(200, 800, None, 5)),
    ],
    ids=["anthropic", "chat", "responses"],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_response_that_was_streamed_is_put_together(
    tmp_path: Path, body: JSON, stream: str, texts: list[str], usage: Usage, line_end: str
) -> None:
    raw = stream.replace("\n", line_end)
    session = opened(tmp_path, {"request": {"body": body}, "response": {"body_raw": raw}})
    last = session.context[-1]
    assert [session.text(part) for part in last.parts if part.chars] == texts
    assert last.usage == usage


def test_a_stream_that_was_cut_gives_what_had_come(tmp_path: Path) -> None:
    for stream in (OF_ANTHROPIC, OF_CHAT, OF_RESPONSES):
        for size in range(0, len(stream), 97):
            session = opened(tmp_path, {"request": anthropic(), "response": stream[:size]})
            assert said(session)[0] == "You are an agent."
            assert len(session.context) >= 4
