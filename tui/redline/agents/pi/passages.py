"""The texts of a session that can be searched for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from redline.agents.bodies import call_words, texts
from redline.agents.finder import Passage
from redline.agents.pi.entries import (
    BRANCH_SUMMARY,
    COMPACTION,
    CONTEXT_EDIT,
    CUSTOM_MESSAGE,
    MESSAGE,
    is_entry,
)
from redline.agents.pi.fields import time_of
from redline.agents.pi.messages import BASH, bash_text
from redline.agents.pi.prompts import split
from redline.agents.records import read_on
from redline.errors import RedlineError
from redline.model import Kind, SessionInfo


def passages(info: SessionInfo, start: int = 0) -> Iterator[Passage]:
    """The texts of a session, on every branch, from byte `start` of its file on. What cannot be
    read is left out."""
    try:
        for record in read_on(info.path, [], start, is_record=is_entry):
            time = None
            for kind, text in _texts(record.value):
                if not isinstance(text, str) or not text or text.isspace():
                    continue
                time = time or time_of(record.value)
                yield Passage(record.number, record.start, record.end, kind, time, text)
    except RedlineError:
        return


def _texts(value: Mapping[str, Any]) -> Iterator[tuple[Kind, Any]]:
    """The texts of an entry with their kinds, as its message has them."""
    match value.get("type"):
        case kind if kind in (COMPACTION, BRANCH_SUMMARY):
            yield Kind.SUMMARY, value.get("summary")
        case kind if kind == CUSTOM_MESSAGE:
            yield from _all(value.get("content"), Kind.INJECTED)
        case kind if kind == CONTEXT_EDIT:
            replacement = value.get("replacement")
            if isinstance(replacement, dict):
                yield from _all(replacement.get("content"), Kind.INJECTED)
        case kind if kind == MESSAGE and isinstance(value.get("message"), dict):
            yield from _of_message(value["message"])


def _of_message(message: Mapping[str, Any]) -> Iterator[tuple[Kind, Any]]:
    content = message.get("content")
    match message.get("role"):
        case "user":
            for _, text in _all(content, Kind.PROMPT):
                injected, typed = split(text)
                for kind, span in ((Kind.INJECTED, injected), (Kind.PROMPT, typed)):
                    if span is not None:
                        yield kind, text[slice(*span)]
        case "assistant":
            yield from _all(content, Kind.REPLY)
            for block in content if isinstance(content, list) else ():
                if isinstance(block, dict) and block.get("type") == "toolCall":
                    yield Kind.TOOL_CALL, call_words(block.get("arguments"))
        case "toolResult":
            yield Kind.TOOL_RESULT, texts(content)
        case "custom" | "hookMessage":
            yield from _all(content, Kind.INJECTED)
        case "branchSummary" | "compactionSummary":
            yield Kind.SUMMARY, message.get("summary")
        case role if role == BASH:
            yield Kind.INJECTED, bash_text(message)


def _all(content: object, kind: Kind) -> Iterator[tuple[Kind, str]]:
    """Every text of a content field as `kind`."""
    if isinstance(content, str):
        yield kind, content
    for block in content if isinstance(content, list) else ():
        match block:
            case {"type": "text", "text": str(text)}:
                yield kind, text
