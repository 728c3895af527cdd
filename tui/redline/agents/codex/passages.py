"""The texts of a rollout that can be searched for.

Each text once: those of the history's items and of the summaries, not the copies that Codex's
events and compactions hold. A fork's own file only; what it continues is searched in its own place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from redline.agents.bodies import call_words, texts
from redline.agents.codex.document import is_document
from redline.agents.codex.finding import thread_names
from redline.agents.codex.item import CALLS, INTER_AGENT, MESSAGE, OUTPUTS
from redline.agents.codex.kinds import text_kinds, texts_of
from redline.agents.codex.names import home_of, present, read_name
from redline.agents.codex.packed import SUFFIX
from redline.agents.codex.peek import whole
from redline.agents.codex.rollout import open_text, read_lines
from redline.agents.finder import Passage, file_mark, file_stamp
from redline.agents.reached import mark_before
from redline.agents.times import read_time
from redline.errors import RedlineError
from redline.model import Kind, SessionInfo

# Records without a text of their own, told from their first bytes as Codex writes them.
_SILENT = re.compile(
    rb'\{"timestamp":"[^"\\]{0,40}",(?:"ordinal":\d{1,20},)?"type":"'
    rb"(?:event_msg|turn_context|world_state|token_usage_record|session_meta|retained_context"
    rb'|response_item","payload":\{"type":"(?:reasoning|ghost_snapshot|compaction))"'
)

_Text = tuple[Kind, str]


def passages(info: SessionInfo, start: int = 0) -> Iterator[Passage]:
    """The texts of a session from byte `start` of its plain text on. What cannot be read is left
    out."""
    try:
        for record in read_lines(present(info.path), [], _is_silent, start):
            value = record.value
            found = _texts(value)
            if found:
                time = read_time(value.get("timestamp"))
                for kind, text in found:
                    yield Passage(record.number, record.start, record.end, kind, time, text)
    except RedlineError:
        return


def stamp(path: Path) -> str:
    """Changes with the file, and with the name that the user gave the thread."""
    found = file_stamp(present(path))
    name, home = read_name(path.name), home_of(path)
    if not found or name is None or home is None:
        return found
    return f"{found}:{thread_names(home).get(name.thread, '')}"


def mark(info: SessionInfo, start: int) -> str:
    """What lies before `start` in the plain text, so that packing a file changes no mark."""
    path = present(info.path)
    if not path.name.endswith(SUFFIX) and not is_document(path):
        return file_mark(replace(info, path=path), start)
    try:
        with open_text(path) as (text, _problem):
            return mark_before(text, start)
    except OSError:
        return ""


def _is_silent(line: bytes) -> bool:
    return _SILENT.match(line) is not None and whole(line)


def _texts(value: Mapping[str, Any]) -> list[_Text]:
    """The texts of a record with their kinds, those that say nothing left out."""
    kind, payload = value.get("type"), value.get("payload")
    if not isinstance(payload, dict):
        return _item(value, kind)
    if kind == "response_item":
        return _item(payload, payload.get("type"))
    if kind == "compacted":
        return _summary(payload)
    if kind == INTER_AGENT:
        return _said((Kind.INJECTED, payload.get("content")))
    return []


def _item(item: Mapping[str, Any], kind: object) -> list[_Text]:
    if kind == MESSAGE:
        return _message(item)
    if not isinstance(kind, str):
        return []
    if kind in CALLS:
        body = item.get(CALLS[kind])
        return _said((Kind.TOOL_CALL, call_words(body) if body is not None else ""))
    if kind in OUTPUTS:
        body = item.get(OUTPUTS[kind])
        answers = isinstance(item.get("call_id"), str) and item["call_id"]
        return _said((Kind.TOOL_RESULT if answers else Kind.INJECTED, texts(body)))
    if kind == "web_search_call" and item.get("action") is not None:
        return _said((Kind.TOOL_CALL, call_words(item["action"])))
    if kind == "agent_message":
        return _said(*((Kind.INJECTED, text) for text in texts_of(item)))
    return []


def _message(item: Mapping[str, Any]) -> list[_Text]:
    role, bodies = item.get("role"), texts_of(item)
    kinds = text_kinds(role if isinstance(role, str) else "", bodies)
    return _said(
        *(
            (kind, body[start:end])
            for body, spans in zip(bodies, kinds, strict=True)
            for kind, start, end in spans
        )
    )


def _summary(payload: Mapping[str, Any]) -> list[_Text]:
    """The summary of a compaction: its message, or, where that is empty, what stands for it in the
    replacement. The other items there are copies."""
    if found := _said((Kind.SUMMARY, payload.get("message"))):
        return found
    items = payload.get("replacement_history")
    return [
        told
        for item in (items if isinstance(items, list) else ())
        if isinstance(item, dict) and item.get("type") == MESSAGE and item.get("role") == "user"
        for told in _message(item)
        if told[0] is Kind.SUMMARY
    ]


def _said(*told: tuple[Kind, object]) -> list[_Text]:
    return [
        (Kind.INJECTED if kind is Kind.NOTICE else kind, text)
        for kind, text in told
        if isinstance(text, str) and text and not text.isspace()
    ]
