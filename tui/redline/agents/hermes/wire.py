"""What Hermes gives the model of a session that it resumes: `SessionDB`'s own rules, 0.19.0.

The text that was sent stands for the text that is shown where they differ (`api_content`). The
system prompt is sent before it and is not listed, nor is reasoning, which only some providers get.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from redline.agents.bodies import call_text, texts
from redline.agents.hermes.messages import result_text
from redline.agents.hermes.rows import Call, Row
from redline.model import Block

_INSIDE = re.compile(r"<\s*memory-context\s*>[\s\S]*?</\s*memory-context\s*>", re.I)
_NOTE = re.compile(
    r"\[System note:\s*The following is recalled memory context,\s*NOT new user input\.\s*"
    r"Treat as (?:informational background data|authoritative reference data[^\]]*)\.\]\s*",
    re.I,
)
_FENCE = re.compile(r"</?\s*memory-context\s*>", re.I)
_REVIEWS = (
    "Review the conversation above and update the skill library",
    "Review the conversation above and consider saving to memory",
)
_CANDIDATES = ("verification_required", "verify_hook_continue")


@dataclass(slots=True)
class Sent:
    """One message as it is sent, made of `rows`, the first of which names it."""

    row: Row
    content: Any
    calls: tuple[Call, ...]
    sent: str | None
    rows: list[Row] = field(default_factory=list)

    @property
    def interim(self) -> bool:
        """A step of an unfinished reply of the Responses API, which is never merged."""
        return self.row.items or self.row.stop == "incomplete"


def load(rows: Iterable[Row]) -> list[Sent]:
    """The messages of the active rows of a session, mended as Hermes mends them."""
    messages = _without_reviews([_sent(row) for row in rows])
    return _merge_prompts(_drop_strays(_merge_replies(messages)))


def _sent(row: Row) -> Sent:
    return Sent(row, cleaned(row.role, row.content), row.calls, row.sent, [row])


def cleaned(role: str, content: Any) -> Any:
    """The content of a row as Hermes holds it: without recalled memory, nor blanks around it."""
    if role in ("user", "assistant") and isinstance(content, str):
        return _FENCE.sub("", _NOTE.sub("", _INSIDE.sub("", content))).strip()
    return content


def _without_reviews(messages: list[Sent]) -> list[Sent]:
    """Without the prompts of background reviews that older builds wrote, and their replies."""
    kept: list[Sent] = []
    answered = True
    for message in messages:
        role, content = message.row.role, message.content
        is_text = isinstance(content, str)
        if role in ("user", "system") and is_text and content.lstrip().startswith(_REVIEWS):
            answered = False
        elif answered or role != "assistant":
            answered = True
            kept.append(message)
        else:
            answered = True
    return kept


def _merge_replies(messages: list[Sent]) -> list[Sent]:
    merged: list[Sent] = []
    for message in messages:
        above = merged[-1] if merged else None
        replies = above is not None and above.row.role == message.row.role == "assistant"
        if above is None or not replies or message.interim or above.interim:
            merged.append(message)
        elif above.row.stop in _CANDIDATES:
            merged[-1] = message
        else:
            above.calls += message.calls
            above.rows += message.rows
            if isinstance(above.content, str) and isinstance(message.content, str):
                said = (above.content.strip(), message.content.strip())
                above.content = "\n".join(text for text in said if text)
            elif not above.content and message.content is not None:
                above.content = message.content
    return merged


def _drop_strays(messages: list[Sent]) -> list[Sent]:
    """Without results that follow no call of theirs, and second results of a call."""
    kept: list[Sent] = []
    known: dict[str, frozenset[str]] = {}
    for message in messages:
        role = message.row.role
        if role == "assistant":
            known = {name: call.names for call in message.calls for name in call.names}
        elif role == "user":
            known = {}
        if role == "tool":
            if message.row.call_id not in known:
                continue
            del known[message.row.call_id]
        kept.append(message)
    return kept


def _merge_prompts(messages: list[Sent]) -> list[Sent]:
    merged: list[Sent] = []
    for message in messages:
        above = merged[-1] if merged else None
        both = above is not None and above.row.role == message.row.role == "user"
        if above is None or not both:
            merged.append(message)
        elif isinstance(above.content, str) and isinstance(message.content, str):
            said = (above.content, message.content)
            above.content = "\n\n".join(text for text in said if text)
            above.sent = None
            above.rows += message.rows
        else:
            merged.append(message)
    return merged


def blocks(messages: Iterable[Sent]) -> Iterator[Block]:
    """The blocks of the messages in order."""
    for message in messages:
        row = message.row
        content = message.sent or message.content

        def block(type: str, text: str, call: str | None = None, of: Row = row) -> Block:  # noqa: A002
            return Block(of.role, type, call, text, of.id, of.number)

        if row.role == "tool":
            yield block("tool", result_text(row), row.call_id)
            continue
        if isinstance(content, str):
            if content:
                yield block("text", content)
        else:
            for item in content if isinstance(content, list) else [content] if content else ():
                kind = item.get("type") if isinstance(item, dict) else "text"
                yield block(kind if isinstance(kind, str) else "text", texts(item))
        for call in message.calls:
            arguments = {} if call.arguments is None else call.arguments
            yield block("function", call_text(arguments), call.id)
