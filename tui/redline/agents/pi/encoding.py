"""Entries as pi 1.6.0 writes them: what its loader needs of a session, and of a compaction.

A header first, then entries on one chain of parents. Its loader checks nothing: a first kept entry
that is not there keeps nothing, and a usage that is left in a reply counts as the size of the
context.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from redline.agents.pi.entries import COMPACTION, CURRENT_VERSION, CUSTOM_MESSAGE, HEADER, MESSAGE
from redline.agents.pieces import Piece

Record = dict[str, Any]

CLEARED = "[Old tool result cleared]"  # pi clears nothing by itself and has no words for it
SHORTENED_COMMAND = "redline.command"  # the custom type of a command whose output was cut
_NO_COST = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}
_NO_USAGE = {
    "input": 0,
    "output": 0,
    "cacheRead": 0,
    "cacheWrite": 0,
    "totalTokens": 0,
    "cost": _NO_COST,
}


@dataclass(frozen=True, slots=True)
class Link:
    """What places an entry in its session: its own id, and the one before it."""

    id: str
    parent: str | None


def iso(moment: datetime) -> str:
    """`moment` as entries have it."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def millis(moment: datetime) -> int:
    """`moment` as messages have it."""
    return int(moment.timestamp() * 1000)


def file_name(id: str, now: datetime) -> str:  # noqa: A002
    """The name of a session's file."""
    return f"{iso(now).replace(':', '-').replace('.', '-')}_{id}.jsonl"


def header(id: str, now: datetime, folder: str, parent: str) -> Record:  # noqa: A002
    """The first line of a session that was made from the one in the file `parent`."""
    return {
        "type": HEADER,
        "version": CURRENT_VERSION,
        "id": id,
        "timestamp": iso(now),
        "cwd": folder,
        "parentSession": parent,
    }


def compaction(
    link: Link,
    now: datetime,
    text: str,
    *,
    first_kept: str | None,
    tokens_before: int,
    details: Mapping[str, Any] | None,
    system: Record | None,
) -> Record:
    """A compaction with the summary `text`, before which the entries from `first_kept` on are kept
    (None: none of them).

    It is told as pi's own (no `fromHook`), so that its next one goes on with the lists of files in
    `details`. `system` is the system message as it holds, see `replayed`.
    """
    found: Record = {
        "type": COMPACTION,
        "id": link.id,
        "parentId": link.parent,
        "timestamp": iso(now),
        "summary": text,
        "firstKeptEntryId": link.id if first_kept is None else first_kept,
        "tokensBefore": tokens_before,
    }
    if details is not None:
        found["details"] = dict(details)
    if system is not None:
        found["systemMessage"] = {**system, "timestamp": millis(now)}
    return found


def told(link: Link, now: datetime, text: str, tokens_before: int) -> Record:
    """A summary that stands among the messages: pi puts a compaction's only before all others."""
    message = {"role": "compactionSummary", "summary": text, "tokensBefore": tokens_before}
    return entry(MESSAGE, link, now, message={**message, "timestamp": millis(now)})


def entry(type: str, link: Link, now: datetime, **fields: Any) -> Record:  # noqa: A002
    """An entry with `fields`."""
    return {
        "type": type,
        "id": link.id,
        "parentId": link.parent,
        "timestamp": iso(now),
        **fields,
    }


def moved(value: Mapping[str, Any], link: Link, now: datetime) -> Record:
    """The entry `value` in another session, billed to nobody."""
    found = {key: inside for key, inside in value.items() if key != "usage"}
    found |= {"id": link.id, "parentId": link.parent}
    if not isinstance(found.get("timestamp"), str):
        found["timestamp"] = iso(now)
    message = value.get("message")
    if not isinstance(message, dict):
        return found
    message = dict(message)
    if message.get("role") == "hookMessage":
        message["role"] = "custom"
    if "usage" in message:
        if message.get("role") == "assistant":
            message["usage"] = _NO_USAGE
        else:
            del message["usage"]
    return {**found, "message": message}


def retained(value: Mapping[str, Any], link: Link, now: datetime, system: Record | None) -> Record:
    """The compaction `value` in another session, where all that stays stands behind it."""
    found = moved(value, link, now)
    found.pop("firstKeptEntryIndex", None)
    found["firstKeptEntryId"] = link.id
    if system is not None:
        found["systemMessage"] = {**system, "timestamp": millis(now)}
    return found


def edited(value: Mapping[str, Any], edit: Mapping[str, Any]) -> Record:
    """The entry `value` as the edit of it in the entry `edit` leaves it."""
    replacement = edit.get("replacement")
    content = replacement.get("content") if isinstance(replacement, dict) else None
    message = value.get("message")
    role = message.get("role") if isinstance(message, dict) else None
    if isinstance(content, str) and role in ("assistant", "toolResult"):
        content = [{"type": "text", "text": content}]
    return _with_content(value, content)


def with_pieces(value: Record, pieces: Sequence[Piece], *, result: bool) -> Record:
    """The entry `value` with nothing but `pieces` in its content; of a tool result where `result`.

    What pi keeps of a result for its screen goes where something of it is cleared or shortened.
    """
    holder = value if value.get("type") == CUSTOM_MESSAGE else value["message"]
    content = _left_of(holder.get("content"), pieces, result=result)
    found = _with_content(value, content)
    if result and any(piece.body is not None for piece in pieces):
        found["message"].pop("details", None)
    return found


def _with_content(value: Mapping[str, Any], content: Any) -> Record:
    if value.get("type") == CUSTOM_MESSAGE:
        return {**value, "content": content}
    return {**value, "message": {**value["message"], "content": content}}


def fit(value: Record) -> Record:
    """The entry `value` without what pi falls over: content that is neither text nor blocks, blocks
    that are none, and texts that are none. Replies and results hold blocks."""
    holder = value if value.get("type") == CUSTOM_MESSAGE else value.get("message")
    if not isinstance(holder, dict) or ("content" not in holder and holder is not value):
        return value
    content = holder.get("content")
    if isinstance(content, str):
        if holder.get("role") not in ("assistant", "toolResult"):
            return value
        content = [{"type": "text", "text": content}]
    blocks = content if isinstance(content, list) else []
    fitting = [fit for block in blocks if isinstance(block, dict) for fit in _fitting(block)]
    return value if fitting == holder.get("content") else _with_content(value, fitting)


def _fitting(block: Record) -> list[Record]:
    body = {"text": "text", "thinking": "thinking", "toolCall": "name"}.get(str(block.get("type")))
    if body is None or isinstance(block.get(body), str):
        return [block]
    return [] if body == "text" else [{**block, body: ""}]


def command_told(value: Mapping[str, Any], text: str) -> Record:
    """The command that a person ran in the entry `value`, told by `text`."""
    found = {key: inside for key, inside in value.items() if key != "message"}
    told = {"customType": SHORTENED_COMMAND, "content": text, "display": True}
    return {**found, "type": CUSTOM_MESSAGE, **told}


def with_summary(value: Mapping[str, Any], text: str) -> Record:
    """The entry `value`, which tells a summary, telling `text`."""
    if value.get("type") == MESSAGE:
        return {**value, "message": {**value["message"], "summary": text}}
    return {**value, "summary": text}


def _left_of(content: Any, pieces: Sequence[Piece], *, result: bool) -> list[Any]:
    """`content`, a text or blocks, with nothing but `pieces` in it. A result is one piece with its
    images beside it."""
    blocks = content if isinstance(content, list) else []
    if result:
        return _result(content, blocks, pieces)
    if isinstance(content, str):
        return [_text(content, piece) for piece in pieces]
    return [
        found
        for place, block in enumerate(blocks)
        for piece in pieces
        if piece.pointer[:1] == (place,)
        for found in _block(block, piece)
    ]


def _result(content: Any, blocks: Sequence[Any], pieces: Sequence[Piece]) -> list[Any]:
    body = next((piece.body for piece in pieces if not piece.pointer), None)
    images = {piece.pointer[0] for piece in pieces if piece.pointer and piece.body is None}
    kept = [
        block
        for place, block in enumerate(blocks)
        if place in images or (body is None and not _is_image(block))
    ]
    if body is None:
        return [{"type": "text", "text": content}] if isinstance(content, str) else kept
    return [{"type": "text", "text": body}, *kept]


def _is_image(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "image"


def _block(block: Any, piece: Piece) -> list[Any]:
    """What stays of a block of which `piece` is a part."""
    if piece.body == "":
        return []
    if piece.body is None and piece.span is None:
        return [block]
    if block.get("type") == "text":
        return [_text(block["text"], piece)]
    return [_text("", piece)]  # in the place of an image


def _text(text: str, piece: Piece) -> Record:
    cut = text[slice(*piece.span)] if piece.span else text
    return {"type": "text", "text": cut if piece.body is None else piece.body}


def replayed(messages: Iterable[Mapping[str, Any]]) -> Record | None:
    """System messages, each a change of those before it, as one; None where there are none."""
    texts: list[str] = []
    sections: dict[str, Any] = {}
    tools: dict[Any, Any] = {}
    found: Record | None = None
    for message in messages:
        found = found or {"role": "system", "timestamp": message.get("timestamp") or 0}
        text = _plain(message.get("content"))
        if text:
            texts.append(text)
        changed = message.get("sections")
        sections |= changed if isinstance(changed, dict) else {}
        for tool in _named(message.get("toolsRemoved")):
            tools.pop(tool["name"], None)
        for tool in _named(message.get("toolsAdded")):
            tools[tool["name"]] = tool
    if found is None:
        return None
    found["content"] = "\n\n".join(texts)
    if holding := {name: body for name, body in sections.items() if body is not None}:
        found["sections"] = holding
    if tools:
        found["toolsAdded"] = list(tools.values())
    return found


def _plain(content: Any) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(
        block["text"]
        for block in blocks
        if isinstance(block, dict) and isinstance(block.get("text"), str)
    )


def _named(tools: Any) -> list[Record]:
    return [
        tool
        for tool in (tools if isinstance(tools, list) else ())
        if isinstance(tool, dict) and isinstance(tool.get("name"), str)
    ]
