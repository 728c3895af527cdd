"""Training trajectories of Hermes, turned into the rows that they were made of (0.13 to 0.22).

Calls stand as XML in a reply, without ids; the results that follow name them in order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from redline.agents.records import decode

_THINK = re.compile(r"\A\s*<think>(.*?)</think>\n?", re.S)
_PEOPLE = ("human", "user")
_MODELS = ("gpt", "assistant")


def rows_in(conversation: list[Any]) -> Iterator[dict[str, Any]]:
    """The messages of a trajectory in order, the system prompt among them."""
    waiting: list[dict[str, Any]] = []
    for turn in conversation:
        who, said = (turn.get("from"), turn.get("value")) if isinstance(turn, dict) else (None, "")
        text = said if isinstance(said, str) else ""
        if who in _MODELS:
            reply = _reply(text)
            waiting = reply.get("tool_calls", [])
            yield reply
        elif who in ("tool", "observation"):
            yield from _results(text, waiting)
        elif who == "system" or who in _PEOPLE:
            yield {"role": "system" if who == "system" else "user", "content": text}
        else:
            yield {"role": str(who), "content": text}


def _reply(text: str) -> dict[str, Any]:
    thought = _THINK.match(text)
    rest = text[thought.end() :] if thought else text
    calls = []
    said, packed = _apart(rest, "tool_call")
    for body in packed:
        value = _json(body)
        if isinstance(value, dict):
            function = {
                "name": value.get("name"),
                "arguments": json.dumps(value.get("arguments"), ensure_ascii=False),
            }
            calls.append({"type": "function", "function": function})
    row: dict[str, Any] = {"role": "assistant", "content": said}
    if thought and thought[1].strip():
        row["reasoning"] = thought[1].strip()
    if calls:
        row["tool_calls"] = calls
    return row


def _results(text: str, waiting: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    found = [_json(response) for response in _apart(text, "tool_response")[1]] or [text]
    for result in found:
        value = result if isinstance(result, dict) else {"content": result}
        call, content = value.get("tool_call_id"), value.get("content")
        open_calls = [waited for waited in waiting if "id" not in waited]
        if open_calls and isinstance(call, str):
            open_calls[0]["id"] = call
        shown = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
        yield {
            "role": "tool",
            "content": shown,
            "tool_call_id": call,
            "tool_name": value.get("name"),
        }


def _apart(text: str, tag: str) -> tuple[str, list[str]]:
    """What stands outside of the elements called `tag`, and what stands in each of them."""
    opening, closing = f"<{tag}>", f"</{tag}>"
    outside, inside, at = [], [], 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start)
        if end < 0:
            break
        outside.append(text[at:start].rstrip())
        inside.append(text[start + len(opening) : end].strip())
        at = end + len(closing)
    return "".join((*outside, text[at:])).strip(), inside


def _json(text: str) -> Any:
    try:
        return decode(text.encode("utf-8", "replace"))
    except ValueError:
        return text
