"""The texts of a session that can be searched for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from redline.agents.bodies import call_words, follow, texts
from redline.agents.claude_code.attachments import body_pointer, human_prompt, is_sent
from redline.agents.claude_code.kinds import record_kind, spans
from redline.agents.claude_code.skeleton import is_record
from redline.agents.finder import Passage
from redline.agents.records import read_on
from redline.agents.times import read_time
from redline.errors import RedlineError
from redline.model import Kind, SessionInfo

_Text = tuple[Kind, str]


def passages(info: SessionInfo, start: int = 0) -> Iterator[Passage]:
    """The texts of a session from byte `start` of its file on. What cannot be read is left out."""
    try:
        for record in read_on(info.path, [], start, is_record=is_record):
            value = record.value
            time = None
            for kind, text in _texts(value):
                if not text or text.isspace():
                    continue
                time = time or read_time(value.get("timestamp"))
                told = Kind.INJECTED if kind is Kind.NOTICE else kind
                yield Passage(record.number, record.start, record.end, told, time, text)
    except RedlineError:
        return


def _texts(value: dict[str, Any]) -> Iterator[_Text]:
    """The texts of a record with their kinds, as its message has them."""
    match value.get("type"):
        case "user":
            yield from _said_to(value)
        case "assistant":
            if value.get("isApiErrorMessage") is not True:
                yield from _replied(value)
        case "attachment":
            yield from _attached(value)
        case "system" if value.get("subtype") == "local_command":
            yield Kind.INJECTED, texts(value.get("content"))


def _content(value: dict[str, Any]) -> Any:
    message = value.get("message")
    return message.get("content") if isinstance(message, dict) else None


def _said_to(value: dict[str, Any]) -> Iterator[_Text]:
    content = _content(value)
    kind = record_kind(value)
    for block in content if isinstance(content, list) else [content]:
        body = block
        if isinstance(block, dict):
            if block.get("type") == "tool_result":
                yield Kind.TOOL_RESULT, texts(block.get("content"))
                continue
            body = block.get("text") if block.get("type") == "text" else None
        if isinstance(body, str):
            for piece, start, end in spans(body, kind):
                yield piece, body[start:end]


def _replied(value: dict[str, Any]) -> Iterator[_Text]:
    content = _content(value)
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            yield Kind.REPLY, block
        if not isinstance(block, dict) or not isinstance(wire := block.get("type"), str):
            continue
        if wire == "text":
            yield Kind.REPLY, texts(block.get("text"))
        elif wire in ("tool_use", "server_tool_use"):
            yield Kind.TOOL_CALL, call_words(block.get("input"))
        elif wire.endswith("_tool_result"):
            yield Kind.TOOL_RESULT, texts(block.get("content"))


def _attached(value: dict[str, Any]) -> Iterator[_Text]:
    attachment = value.get("attachment")
    pointer = body_pointer(attachment) if is_sent(attachment) else None
    if pointer is None:
        return
    body = texts(follow(value, pointer))
    kind = Kind.PROMPT if human_prompt(attachment) else Kind.INJECTED
    for piece, start, end in spans(body, kind):
        yield piece, body[start:end]
