"""Puts together the response that a stream of server-sent events carried.

The three dialects: Anthropic's Messages (`message_start` …), chat completions (chunks with deltas)
and Responses, whose last event holds the whole response.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from redline.agents.records import decode

_DELTAS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}


def assembled(stream: str) -> dict[str, Any] | None:
    """The response that the text of a stream carried, None where it carried none."""
    message: dict[str, Any] | None = None
    chat: dict[str, Any] | None = None
    for event in _events(stream):
        kind = event.get("type")
        response = event.get("response")
        if kind == "message_start" and isinstance(event.get("message"), dict):
            message = {**event["message"], "content": []}
        elif message is not None and isinstance(kind, str):
            _take(message, kind, event)
        elif kind in ("response.completed", "response.incomplete") and isinstance(response, dict):
            return response
        elif event.get("object") == "chat.completion.chunk":
            chat = chat or {"choices": [{"message": {"role": "assistant", "content": ""}}]}
            _take_chunk(chat, event)
    if message is not None:
        for block in message["content"]:
            _close(block)
    return message or chat


def _events(stream: str) -> Iterator[dict[str, Any]]:
    """The objects of the `data:` lines."""
    for line in stream.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if not line.startswith("data:"):
            continue
        try:
            value = decode(line[5:].strip().encode("utf-8", "surrogatepass"))
        except ValueError:
            continue  # `[DONE]`, or a line that was cut
        if isinstance(value, dict):
            yield value


def _take(message: dict[str, Any], kind: str, event: dict[str, Any]) -> None:
    content: list[dict[str, Any]] = message["content"]
    block, delta = event.get("content_block"), event.get("delta")
    if kind == "content_block_start" and isinstance(block, dict):
        content.append(dict(block))
    elif kind == "content_block_delta" and isinstance(delta, dict) and content:
        key = _DELTAS.get(str(delta.get("type")))
        if key and isinstance(delta.get(key), str):
            so_far = content[-1].get(key)
            content[-1][key] = (so_far if isinstance(so_far, str) else "") + delta[key]
    elif kind == "message_delta":
        usage, more = message.get("usage"), event.get("usage")
        if isinstance(more, dict):
            message["usage"] = {**usage, **more} if isinstance(usage, dict) else more
        if isinstance(delta, dict):
            message.update({key: value for key, value in delta.items() if value is not None})


def _close(block: dict[str, Any]) -> None:
    """The input of a call, which came as pieces of JSON."""
    pieces = block.pop("partial_json", None)
    if isinstance(pieces, str) and pieces:
        try:
            block["input"] = decode(pieces.encode("utf-8", "surrogatepass"))
        except ValueError:
            block["input"] = pieces


def _take_chunk(chat: dict[str, Any], chunk: dict[str, Any]) -> None:
    for key in ("id", "model", "usage"):
        chat[key] = chunk.get(key) or chat.get(key)
    choices = chunk.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict):
        return
    choice = chat["choices"][0]
    choice["finish_reason"] = first.get("finish_reason") or choice.get("finish_reason")
    delta, message = first.get("delta"), choice["message"]
    if not isinstance(delta, dict):
        return
    for key in ("content", "reasoning_content", "reasoning", "refusal"):
        if isinstance(delta.get(key), str):
            message[key] = (message.get(key) or "") + delta[key]
    calls = delta.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            _take_call(message.setdefault("tool_calls", []), call)


def _take_call(calls: list[dict[str, Any]], piece: dict[str, Any]) -> None:
    """One piece of a tool call: the first has its id and name, the others its arguments."""
    at = piece.get("index")
    at = at if isinstance(at, int) and 0 <= at < len(calls) else len(calls)
    if at == len(calls):
        calls.append({"type": "function", "function": {"name": "", "arguments": ""}})
    call, function = calls[at], piece.get("function")
    if isinstance(piece.get("id"), str):
        call["id"] = piece["id"]
    for key in ("name", "arguments"):
        if isinstance(function, dict) and isinstance(function.get(key), str):
            call["function"][key] += function[key]
