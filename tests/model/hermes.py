"""A tiny adapter from made-up rows of a Hermes database to the model.

`Origin.record` is the row's id, `pointer` starts with the column, and there is no byte span. A
column that holds JSON is decoded on the way.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from redline.agents.bodies import call_text, follow, texts
from redline.model import (
    Agent,
    Block,
    CompactionKind,
    Kind,
    Message,
    Origin,
    Part,
    PartState,
    PartType,
    PastCompaction,
    Pointer,
    Role,
    Session,
    SessionInfo,
)

PRIOR = "[PRIOR CONTEXT — for reference only; not a new message]\n"
MERGED = "\n\n[END OF PRIOR CONTEXT — COMPACTION SUMMARY BELOW]\n\n"
ALONE = "[CONTEXT COMPACTION — REFERENCE ONLY]"
DUPLICATE = "[Duplicate tool output"
_JSON = "\0json:"
_JSON_COLUMNS = ("tool_calls", "codex_reasoning_items")


def decoded(column: str, stored: object) -> object:
    """What a column holds: text, or the JSON in it."""
    if isinstance(stored, str) and stored.startswith(_JSON):
        return json.loads(stored[len(_JSON) :])
    if isinstance(stored, str) and column in _JSON_COLUMNS:
        return json.loads(stored)
    return stored


class RowSource:
    """Bodies of rows; the database is opened for each need, read-only."""

    def __init__(self, path: Path, session: str, messages: tuple[Message, ...]) -> None:
        self._path = path
        self._session = session
        self._messages = messages

    def value(self, part: Part) -> object:
        column, *rest = part.origin.pointer
        assert isinstance(column, str)
        with closing(sqlite3.connect(f"file:{part.origin.path}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            query = "SELECT * FROM messages WHERE id = ?"
            row = database.execute(query, (part.origin.record,)).fetchone()
        return follow(decoded(column, row[column]), tuple(rest))

    def text(self, part: Part) -> str:
        if part.type is PartType.IMAGE:
            return ""
        value = self.value(part)
        body = call_text(value) if part.type is PartType.TOOL_CALL else texts(value)
        return body[slice(*part.origin.span)] if part.origin.span else body

    def history(self) -> Iterator[Message]:
        for row in _rows(self._path, self._session, "active = 1 OR compacted = 1"):
            yield message_of(self._path, row)

    def resume(self) -> Iterator[Block]:
        for message in self._messages:
            for part in message.parts:
                yield Block(
                    message.role.value,
                    part.wire,
                    part.call_id,
                    self.text(part),
                    message.id,
                    part.origin.record,
                )


def _rows(path: Path, session: str, which: str) -> list[sqlite3.Row]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        query = f"SELECT * FROM messages WHERE session_id = ? AND ({which}) ORDER BY id"
        return database.execute(query, (session,)).fetchall()


def _spans(text: str, kind: Kind) -> list[tuple[Kind, tuple[int, int] | None]]:
    if text.startswith(PRIOR) and MERGED in text:
        start, end = len(PRIOR), text.index(MERGED)
        return [
            (Kind.INJECTED, (0, start)),
            (kind, (start, end)),
            (Kind.SUMMARY, (end, len(text))),
        ]
    if text.startswith(ALONE):
        return [(Kind.SUMMARY, None)]
    return [(kind, None)]


def message_of(path: Path, row: sqlite3.Row) -> Message:
    parts: list[Part] = []

    def add(
        type: PartType,  # noqa: A002
        kind: Kind,
        pointer: Pointer,
        body: str,
        wire: str,
        span: tuple[int, int] | None = None,
        **fields: Any,
    ) -> None:
        chars = len(body[slice(*span)] if span else body)
        origin = Origin(path, row["id"], 0, 0, pointer, span)
        parts.append(Part(type, kind, origin, chars, wire, len(parts), **fields))

    role, content = row["role"], decoded("content", row["content"])
    if row["reasoning"]:
        add(PartType.THINKING, Kind.REPLY, ("reasoning",), row["reasoning"], "reasoning")
    for at, _ in enumerate(json.loads(row["codex_reasoning_items"] or "[]")):
        pointer: Pointer = ("codex_reasoning_items", at, "encrypted_content")
        body = follow(decoded("codex_reasoning_items", row["codex_reasoning_items"]), pointer[1:])
        add(PartType.OPAQUE, Kind.REPLY, pointer, str(body), "reasoning")
    if role == "tool":
        state = PartState.CLEARED if texts(content).startswith(DUPLICATE) else PartState.LIVE
        call, tool = row["tool_call_id"], row["tool_name"]
        add(
            PartType.TOOL_RESULT,
            Kind.TOOL_RESULT,
            ("content",),
            texts(content),
            "tool",
            call_id=call,
            tool=tool,
            state=state,
        )
    else:
        kind = Kind.PROMPT if role == "user" else Kind.REPLY
        blocks = content if isinstance(content, list) else [content] if content else []
        for at, block in enumerate(blocks):
            place: Pointer = ("content", at) if isinstance(content, list) else ("content",)
            if isinstance(block, dict) and block["type"] == "image_url":
                add(PartType.IMAGE, Kind.INJECTED, place, "", "image_url")
                continue
            if isinstance(block, dict):
                place, block = (*place, "text"), block["text"]
            for found, span in _spans(block, kind):
                add(PartType.TEXT, found, place, block, "content", span)
    for at, call in enumerate(json.loads(row["tool_calls"] or "[]")):
        function = call["function"]
        add(
            PartType.TOOL_CALL,
            Kind.TOOL_CALL,
            ("tool_calls", at, "function", "arguments"),
            function["arguments"],
            "tool_calls",
            call_id=call.get("call_id") or call["id"],
            tool=function["name"],
        )
    time = datetime.fromtimestamp(row["timestamp"], UTC)
    return Message(
        str(row["id"]), Role.ASSISTANT if role == "assistant" else Role.USER, tuple(parts), time
    )


def open_rows(path: Path, session: str) -> Session:
    context = tuple(message_of(path, row) for row in _rows(path, session, "active = 1"))
    archived = _rows(path, session, "compacted = 1")
    carriers = [m for m in context if any(part.kind is Kind.SUMMARY for part in m.parts)]
    compactions = tuple(
        PastCompaction(
            f"row:{message.id}",
            CompactionKind.PARTIAL,
            int(message.id),
            messages_before=len(archived),
            summary=message,
            preserved=tuple(m.id for m in context if m.prompts),
        )
        for message in carriers
    )
    info = SessionInfo(Agent.HERMES, session, path, parent=None)
    return Session(info, context, RowSource(path, session, context), compactions)
