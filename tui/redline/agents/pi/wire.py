"""What pi sends when it resumes a session, in the form of the Anthropic API.

Rules of pi 1.6.0: replies that failed or were aborted are not sent, nor blank texts. Which model
resumes is not in the file, so the rules for another model hold: thinking is left out (only the
model that wrote it gets it back) and call ids are made fit for the API. What pi makes up for a
call without a result is not listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from redline.agents.bodies import call_text
from redline.agents.pi.entries import Entry
from redline.agents.pi.fields import failed
from redline.agents.pi.messages import bash_text
from redline.model import Block

SUMMARY_START = (
    "The conversation history before this point was compacted into the following summary:"
    "\n\n<summary>\n"
)
SUMMARY_END = "\n</summary>"
BRANCH_START = (
    "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n"
)
BRANCH_END = "</summary>"
_SURROGATES = re.compile("[\ud800-\udfff]")
_ID_LIMIT = 64

Given = tuple[Entry, Mapping[str, Any], Mapping[str, Any] | None]


def wire_id(call: object) -> str | None:
    """A call's id as the Anthropic API takes it."""
    if not isinstance(call, str):
        return None
    return re.sub(r"[^a-zA-Z0-9_-]", "_", call)[:_ID_LIMIT]


def _clean(text: str) -> str:
    return _SURROGATES.sub("", text)


def _whole(value: Any) -> Any:
    """`value` with the numbers as JavaScript writes them: 1.0 is 1."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return int(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    return value


def resume(given: Iterable[Given]) -> Iterator[Block]:
    """The blocks of entries with their record and the record of their newest edit."""
    renamed: dict[str, str] = {}
    for entry, value, edit in given:
        message = value.get("message")
        message = message if isinstance(message, dict) else {}
        content = value.get("content") if entry.type == "custom_message" else message.get("content")
        if edit is not None and entry.role in ("user", "assistant", "toolResult", "custom"):
            replacement = edit.get("replacement")
            content = replacement.get("content") if isinstance(replacement, dict) else None
        body = value if entry.type != "message" else message
        match entry.role:
            case "user" | "custom":
                yield from _user(entry, content)
            case "assistant":
                yield from _assistant(entry, content, renamed)
            case "toolResult":
                call = message.get("toolCallId")
                call = renamed.get(call, call) if isinstance(call, str) else None
                yield _block(entry, "user", "tool_result", _result(content), call)
            case "bashExecution":
                yield _block(entry, "user", "text", bash_text(message))
            case "branchSummary":
                text = f"{BRANCH_START}{body.get('summary')}{BRANCH_END}"
                yield _block(entry, "user", "text", text)
            case "compactionSummary":
                text = f"{SUMMARY_START}{body.get('summary')}{SUMMARY_END}"
                yield _block(entry, "user", "text", text)


def _block(entry: Entry, role: str, type: str, text: str, id: str | None = None) -> Block:  # noqa: A002
    return Block(role, type, id, _clean(text), entry.id, entry.number)


def _user(entry: Entry, content: object) -> Iterator[Block]:
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for item in content if isinstance(content, list) else ():
        match item:
            case {"type": "text", "text": str(text)} if text.strip():
                yield _block(entry, "user", "text", text)
            case {"type": "image"}:
                yield _block(entry, "user", "image", "")


def _assistant(entry: Entry, content: object, renamed: dict[str, str]) -> Iterator[Block]:
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for item in content if isinstance(content, list) else ():
        match item:
            case {"type": "toolCall", "id": str(call)}:
                renamed[call] = wire_id(call) or call
    if failed(entry.stop):
        return
    for item in content if isinstance(content, list) else ():
        match item:
            case {"type": "text", "text": str(text)} if text.strip():
                yield _block(entry, "assistant", "text", text)
            case {"type": "toolCall"}:
                arguments = item.get("arguments")
                body = call_text(_whole({} if arguments is None else arguments))
                fit = wire_id(item.get("id"))
                yield Block("assistant", "tool_use", fit, body, entry.id, entry.number)


def _result(content: object) -> str:
    if isinstance(content, str):
        return content
    found = []
    for item in content if isinstance(content, list) else ():
        if isinstance(item, dict) and item.get("type") == "text":
            text = item.get("text")
            found.append(text if isinstance(text, str) else "")
    return "\n".join(found)
