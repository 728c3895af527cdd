"""A context as Hermes holds one: a list of messages in the OpenAI form, each of one role.

A message of another agent becomes as many as it takes: every tool result is one of its own. What
an agent put into a user's message and nobody typed gets the role `developer`, for Hermes takes
every user message for a request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from redline.agents.hermes.rows import decoded
from redline.agents.hermes.source import HermesSource
from redline.agents.hermes.wire import cleaned
from redline.compaction.outline import answers
from redline.model import Kind, Message, Part, PartType, Role, Session, SessionSource

SUMMARY_MARK = "_compressed_summary"
TOOL, USER, ASSISTANT, SYSTEM, DEVELOPER = "tool", "user", "assistant", "system", "developer"
IMAGES = ("image_url", "input_image", "image")
_ROLES = {Role.SYSTEM: SYSTEM, Role.DEVELOPER: DEVELOPER, Role.ASSISTANT: ASSISTANT}
_TYPED = (Kind.PROMPT, Kind.SUMMARY)
_TEXTS = ("tool_call_id", "tool_name", "api_content", "display_kind")
_REASONING = (
    "reasoning", "reasoning_content", "reasoning_details", "codex_reasoning_items",
    "codex_message_items",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Given:
    """One message of Hermes, with the places of the parts it is made of."""

    places: tuple[int, ...]
    body: Mapping[str, Any]


def given(session: Session, message: Message) -> Iterator[Given]:
    """The messages that Hermes would hold for `message`, in order. Reads their bodies."""
    source = session.source
    row = _row_number(source, message)
    if row is not None and isinstance(source, HermesSource):
        values = source.row(row)
        if isinstance(values.get("role"), str):
            yield _whole(message, values)
            return
    if message.role is Role.ASSISTANT:
        yield from _spoken(source, message)
    else:
        yield from _heard(source, message)


def given_each(session: Session, messages: Sequence[Message]) -> Iterator[Iterator[Given]]:
    """The same of many messages, one after the other. Rows of Hermes are read many at a time."""
    source = session.source
    numbers = [row for message in messages if (row := _row_number(source, message)) is not None]
    read = source.rows(numbers) if isinstance(source, HermesSource) else iter(())
    ahead = next(read, None)
    for message in messages:
        row = _row_number(source, message)
        if ahead is not None and ahead[0] == row:
            values, ahead = ahead[1], next(read, None)
            if isinstance(values.get("role"), str):
                yield iter((_whole(message, values),))
                continue
        yield given(session, message)


def _row_number(source: SessionSource, message: Message) -> int | None:
    """The row of Hermes that a message is, None where it is none."""
    known = isinstance(source, HermesSource) and message.parts
    return message.parts[0].origin.record if known else None


def _whole(message: Message, values: Mapping[str, Any]) -> Given:
    return Given(tuple(range(len(message.parts))), _stored(values))


def _stored(values: Mapping[str, Any]) -> dict[str, Any]:
    """A row as Hermes loads it (`SessionDB._rows_to_conversation`, 0.19 and 0.22)."""
    role = values["role"]
    content = cleaned(role, decoded("content", values.get("content")))
    body: dict[str, Any] = {"role": role, "content": content}
    for name in _TEXTS:
        found = decoded("", values.get(name))
        if isinstance(found, str) and found:
            body[name] = found
    calls = decoded("tool_calls", values.get("tool_calls"))
    if isinstance(calls, list):
        body["tool_calls"] = calls
    if role == ASSISTANT:
        for name in _REASONING:
            found = decoded(name, values.get(name))
            if found:
                body[name] = found
    if values.get(SUMMARY_MARK) == 1:
        body[SUMMARY_MARK] = True
    return body


def _spoken(source: SessionSource, message: Message) -> Iterator[Given]:
    """A reply of another agent: its text, its calls, and what it thought."""
    texts, thoughts, sealed, calls = [], [], [], []
    results: list[int] = []
    for at, part in enumerate(message.parts):
        match part.type:
            case PartType.THINKING:
                thoughts.append(source.text(part))
            case PartType.OPAQUE:
                sealed.append({"type": "reasoning", "encrypted_content": source.text(part)})
            case PartType.TOOL_CALL:
                calls.append(_call(source, part))
            case PartType.TOOL_RESULT:
                results.append(at)
            case _ if not _inside_result(part):
                texts.append(part)
    body = {"role": ASSISTANT, "content": _content(source, texts)}
    if calls:
        body["tool_calls"] = calls
    if thoughts:
        body["reasoning"] = "\n".join(thoughts)
    if sealed:
        body["codex_reasoning_items"] = sealed
    own = [at for at, part in enumerate(message.parts) if not answers(part)]
    if own or not message.parts:
        yield Given(tuple(own), body)
    yield from _answers_of(source, message, results)


def _heard(source: SessionSource, message: Message) -> Iterator[Given]:
    """A message of another role: its results, and what stands beside them."""
    for form, run in groupby(enumerate(message.parts), key=lambda item: _form(item[1])):
        places = [at for at, _ in run]
        if form == TOOL:
            yield from _answers_of(source, message, places)
        else:
            yield _said(source, message, places)
    if not message.parts:
        yield Given((), {"role": _ROLES.get(message.role, USER), "content": ""})


def _form(part: Part) -> str:
    """What of a message belongs together."""
    if answers(part):
        return TOOL
    return SUMMARY_MARK if part.kind is Kind.SUMMARY else USER


def _said(source: SessionSource, message: Message, places: Sequence[int]) -> Given:
    parts = [message.parts[at] for at in places]
    content = _content(source, parts)
    role = _ROLES.get(message.role, USER)
    if role == USER and not any(part.kind in _TYPED for part in parts):
        role = DEVELOPER
    body: dict[str, Any] = {"role": role, "content": content}
    if any(part.kind is Kind.SUMMARY for part in parts):
        body[SUMMARY_MARK] = True
    return Given(tuple(places), body)


def _answers_of(source: SessionSource, message: Message, places: Sequence[int]) -> Iterator[Given]:
    """The results among the parts at `places`, each with the images in it."""
    runs: list[list[int]] = []
    for at in places:
        part = message.parts[at]
        above = message.parts[runs[-1][0]] if runs else None
        if part.type is PartType.IMAGE and above is not None and above.call_id == part.call_id:
            runs[-1].append(at)
        else:
            runs.append([at])
    for run in runs:
        parts = [message.parts[at] for at in run]
        body: dict[str, Any] = {
            "role": TOOL,
            "content": _content(source, parts),
            "tool_call_id": parts[0].call_id or "",
        }
        if parts[0].tool:
            body["tool_name"] = parts[0].tool
        yield Given(tuple(run), body)


def _content(source: SessionSource, parts: Sequence[Part]) -> str | list[dict[str, Any]]:
    """The texts of `parts` in one, or as blocks where there are images among them."""
    texts = [(part, "" if part.type is PartType.IMAGE else source.text(part)) for part in parts]
    if not any(part.type is PartType.IMAGE for part in parts):
        return "\n".join(text for _, text in texts)
    return [
        {"type": "image_url", "image_url": {"url": ""}}
        if part.type is PartType.IMAGE
        else {"type": "text", "text": text}
        for part, text in texts
    ]


def _call(source: SessionSource, part: Part) -> dict[str, Any]:
    function = {"name": part.tool or "unknown", "arguments": source.text(part)}
    return {"id": part.call_id or "", "type": "function", "function": function}


def _inside_result(part: Part) -> bool:
    return part.type is PartType.IMAGE and part.call_id is not None
