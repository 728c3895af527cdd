"""Small made-up bodies of requests and responses, in the three dialects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from redline.agents.messages.reader import open_session
from redline.model import Session

JSON = dict[str, Any]
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
    "AABJRU5ErkJggg=="
)
REMINDER = "<system-reminder>\nToday is a Monday.\n</system-reminder>"
USAGE = {
    "input_tokens": 3,
    "cache_read_input_tokens": 9000,
    "cache_creation_input_tokens": 20,
    "output_tokens": 7,
}


def user(content: Any = "Fix the login", **fields: Any) -> JSON:
    return {"role": "user", "content": content, **fields}


def reply(content: Any = "Done.", **fields: Any) -> JSON:
    return {"role": "assistant", "content": content, **fields}


def text(said: str, **fields: Any) -> JSON:
    return {"type": "text", "text": said, **fields}


def anthropic(*more: JSON, **fields: Any) -> JSON:
    """A body of Anthropic's Messages: a reminder, a prompt, two calls and their results."""
    return {
        "model": "claude-opus-4-8",
        "system": [text("You are an agent.", cache_control={"type": "ephemeral"})],
        "tools": [{"name": "Bash", "input_schema": {"type": "object"}}],
        "messages": [
            user([text(REMINDER), text("Fix the login")]),
            reply(
                [
                    {"type": "thinking", "thinking": "Where is it?", "signature": "c2ln"},
                    {"type": "redacted_thinking", "data": "c2VjcmV0"},
                    {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}},
                    {"type": "tool_use", "id": "t2", "name": "Bash", "input": {"command": "w"}},
                ]
            ),
            user(
                [
                    {"type": "tool_result", "tool_use_id": "t1", "content": "login.py"},
                    {
                        "type": "tool_result",
                        "tool_use_id": "t2",
                        "is_error": True,
                        "content": ["a", None, text("b"), picture()],
                    },
                ]
            ),
            *more,
        ],
        **fields,
    }


def picture(data: str = PIXEL) -> JSON:
    source = {"type": "base64", "media_type": "image/png", "data": data}
    return {"type": "image", "source": source}


def anthropic_response(said: str = "Fixed.", **fields: Any) -> JSON:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-4-8",
        "content": [text(said)],
        "stop_reason": "end_turn",
        "usage": USAGE,
        **fields,
    }


def chat(*more: JSON, **fields: Any) -> JSON:
    """A body of chat completions."""
    called = {
        "id": "c1",
        "type": "function",
        "function": {"name": "ls", "arguments": '{"path": 1}'},
    }
    url = {"url": f"data:image/png;base64,{PIXEL}"}
    return {
        "model": "gpt-5",
        "tools": [{"type": "function", "function": {"name": "ls"}}],
        "messages": [
            {"role": "system", "content": "You are an agent."},
            user([text("Fix the login"), {"type": "image_url", "image_url": url}]),
            reply(None, tool_calls=[called], reasoning_content="Where is it?"),
            {"role": "tool", "tool_call_id": "c1", "content": "login.py"},
            *more,
        ],
        **fields,
    }


def chat_response(said: str = "Fixed.") -> JSON:
    usage = {
        "prompt_tokens": 1000,
        "prompt_tokens_details": {"cached_tokens": 800},
        "completion_tokens": 5,
        "total_tokens": 1005,
    }
    choice = {"index": 0, "message": reply(said), "finish_reason": "stop"}
    return {"id": "chat_1", "model": "gpt-5-2025-08-07", "choices": [choice], "usage": usage}


def responses(*more: JSON, **fields: Any) -> JSON:
    """A body of Responses."""
    url = f"data:image/png;base64,{PIXEL}"
    return {
        "model": "gpt-5-codex",
        "instructions": "You are an agent.",
        "input": [
            item("developer", "Be brief."),
            item("user", "<environment_context>x</environment_context>", "Fix the login"),
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "Z" * 1200},
            item("assistant", "I look.", kind="output_text"),
            {"type": "function_call", "call_id": "f1", "name": "ls", "arguments": '{"path": 1}'},
            {
                "type": "function_call_output",
                "call_id": "f1",
                "output": [
                    {"type": "input_text", "text": "login.py"},
                    {"type": "input_image", "image_url": url},
                ],
            },
            *more,
        ],
        **fields,
    }


def item(role: str, *said: str, kind: str = "input_text") -> JSON:
    content = [{"type": kind, "text": one} for one in said]
    return {"type": "message", "role": role, "content": content}


def responses_response(said: str = "Fixed.") -> JSON:
    usage = {
        "input_tokens": 1000,
        "input_tokens_details": {"cached_tokens": 800},
        "output_tokens": 5,
        "total_tokens": 1005,
    }
    output = [{"type": "reasoning", "id": "rs_2", "summary": []}]
    output.append(item("assistant", said, kind="output_text"))
    return {"id": "resp_1", "object": "response", "output": output, "usage": usage}


def chunk(**delta: Any) -> JSON:
    """A piece of a streamed chat completion."""
    return {"object": "chat.completion.chunk", "model": "gpt-5", "choices": [{"delta": delta}]}


def piece(at: int, **delta: Any) -> JSON:
    """A piece of a content block in a stream of Anthropic's Messages."""
    return {"type": "content_block_delta", "index": at, "delta": delta}


def events(*values: JSON) -> str:
    """A stream of server-sent events."""
    pieces = [f"event: {value.get('type')}\ndata: {json.dumps(value)}\n\n" for value in values]
    return "".join(pieces) + "data: [DONE]\n\n"


def write(folder: Path, value: Any, name: str = "body.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(value, indent=1))
    return path


def write_lines(folder: Path, *values: Any, name: str = "log.jsonl") -> Path:
    path = folder / name
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in values]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def opened(folder: Path, value: Any, **options: Any) -> Session:
    return open_session(write(folder, value), **options)


def said(session: Session) -> list[str]:
    """The texts of the parts of the context, in order."""
    return [session.text(part) for message in session.context for part in message.parts]
