"""Builds messages from records: one API reply of many records is one message."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from redline.agents.bodies import call_text, texts
from redline.agents.claude_code.attachments import body_pointer, human_prompt
from redline.agents.claude_code.kept import Kept
from redline.agents.claude_code.kinds import picture_kind, record_kind, spans
from redline.agents.claude_code.node import Mark, Node, Type, text
from redline.agents.claude_code.usage import later, read_usage
from redline.agents.heads import call_line, calls_line, head_line
from redline.agents.image_size import image_size
from redline.agents.times import read_time as read_time
from redline.model import (
    Kind,
    Message,
    Origin,
    Part,
    PartState,
    PartType,
    Pointer,
    Role,
    Usage,
)

_CONTENT: Pointer = ("message", "content")


class _Parts:
    """Collects the parts of one message over its records."""

    def __init__(self, path: Path, cleared: Collection[str]) -> None:
        self.path = path
        self.cleared = cleared
        self.parts: list[Part] = []
        self.head = ""
        self.calls: list[str] = []
        self.tools: dict[str, str] = {}

    def add(
        self,
        node: Node,
        type_: PartType,
        kind: Kind,
        wire: str,
        pointer: Pointer,
        body: str,
        *,
        span: tuple[int, int] | None = None,
        call_id: str | None = None,
        tool: str | None = None,
        error: bool = False,
        pixels: tuple[int, int] | None = None,
    ) -> None:
        if not self.head and type_ in (PartType.TEXT, PartType.TOOL_RESULT):
            self.head = head_line(body[slice(*span)] if span else body)
        cleared = type_ is PartType.TOOL_RESULT and call_id in self.cleared
        self.parts.append(
            Part(
                type=type_,
                kind=kind,
                origin=Origin(self.path, node.number, node.start, node.end, pointer, span),
                chars=span[1] - span[0] if span else len(body),
                wire=wire,
                index=len(self.parts),
                call_id=call_id,
                tool=tool,
                error=error,
                state=PartState.CLEARED if cleared else PartState.LIVE,
                pixels=pixels,
            )
        )

    def text(self, node: Node, kind: Kind, wire: str, pointer: Pointer, body: str) -> None:
        """One text block; a text with reminders in it becomes several parts."""
        pieces = spans(body, kind)
        for piece, start, end in pieces:
            span = None if len(pieces) == 1 and (start, end) == (0, len(body)) else (start, end)
            self.add(node, PartType.TEXT, piece, wire, pointer, body, span=span)


def build(
    nodes: list[Node],
    record_of: Callable[[Node], dict[str, Any]],
    path: Path,
    *,
    seams: Collection[str] = (),
    cleared: Collection[str] = (),
    stale: Collection[str] = (),
    kept: Kept | None = None,
) -> Iterator[Message]:
    """The messages of `nodes` in order.

    Records of one reply are one message at the place of its first record; results come after it.
    `cleared` are call ids whose results the agent took out, `stale` uuids of records that were
    billed before the last compaction. A message that `kept` still has is not read again.
    """
    pending: dict[str, list[Node]] = {}
    for node in nodes:
        if node.type is Type.ASSISTANT and node.api_id and node.marks & Mark.SENT:
            pending.setdefault(node.api_id, []).append(node)
    seam = False
    tools: dict[str, str] = {}
    for node in nodes:
        seam = seam or node.uuid in seams
        if not node.marks & Mark.SENT:
            continue
        group = [node]
        if node.type is Type.ASSISTANT and node.api_id:
            group = pending.pop(node.api_id, [])
            if not group:
                continue
        message = None
        if kept is not None:
            message = kept.message(group, seam=seam, cleared=cleared, stale=stale, tools=tools)
        if message is None:
            message = _message(group, record_of, path, seam, cleared, stale, tools)
            if message is not None and kept is not None:
                kept.add(message, group, seam=seam, stale=stale)
        if message is not None:
            yield message
            seam = False


def _message(
    group: list[Node],
    record_of: Callable[[Node], dict[str, Any]],
    path: Path,
    seam: bool,
    cleared: Collection[str],
    stale: Collection[str],
    tools: dict[str, str],
) -> Message | None:
    parts = _Parts(path, cleared)
    parts.tools = tools
    first = group[0]
    usage: Usage | None = None
    model = stop = None
    for node in group:
        record = record_of(node)
        match node.type:
            case Type.USER:
                _user_parts(parts, node, record)
            case Type.ASSISTANT:
                _reply_parts(parts, node, record)
                body = record["message"]
                model = text(body.get("model")) or model
                stop = text(body.get("stop_reason")) or stop
                if not node.marks & Mark.SYNTHETIC and node.uuid not in stale:
                    usage = later(usage, read_usage(body.get("usage")))
            case Type.ATTACHMENT:
                _attachment_parts(parts, node, record)
            case _:
                body_text = texts(record.get("content"))
                parts.text(node, Kind.INJECTED, "local_command", ("content",), body_text)
    if not parts.parts:
        return None
    return Message(
        id=first.uuid,
        role=Role.ASSISTANT if first.type is Type.ASSISTANT else Role.USER,
        parts=tuple(parts.parts),
        time=first.when,
        usage=usage,
        model=model,
        api_id=first.api_id,
        stop=stop,
        head=parts.head or calls_line(parts.calls),
        seam=seam,
    )


def _user_parts(parts: _Parts, node: Node, record: dict[str, Any]) -> None:
    content = record["message"]["content"]
    kind = record_kind(record)
    if isinstance(content, str):
        if content:
            parts.text(node, kind, "text", _CONTENT, content)
        return
    for index, block in enumerate(content):
        pointer: Pointer = (*_CONTENT, index)
        if isinstance(block, str):
            parts.text(node, kind, "text", pointer, block)
        elif isinstance(block, dict):
            picture = picture_kind(record, content)
            _user_block(parts, node, block, pointer, kind, picture)


def _user_block(
    parts: _Parts, node: Node, block: dict[str, Any], pointer: Pointer, kind: Kind, picture: Kind
) -> None:
    wire = text(block.get("type")) or ""
    match wire:
        case "text" if isinstance(block.get("text"), str):
            parts.text(node, kind, wire, (*pointer, "text"), block["text"])
        case "image":
            pixels = image_size(block.get("source"))
            parts.add(node, PartType.IMAGE, picture, wire, pointer, "", pixels=pixels)
        case "tool_result":
            _result(parts, node, block, pointer)
        case "":
            pass
        case _:
            body = texts(block.get("content")) or texts(block.get("text"))
            of_file = picture if wire == "document" else kind
            parts.add(node, PartType.OPAQUE, of_file, wire, pointer, body)


def _result(parts: _Parts, node: Node, block: dict[str, Any], pointer: Pointer) -> None:
    call = text(block.get("tool_use_id"))
    content = block.get("content")
    tool = parts.tools.get(call) if call else None
    parts.add(
        node,
        PartType.TOOL_RESULT,
        Kind.TOOL_RESULT,
        "tool_result",
        (*pointer, "content"),
        texts(content),
        call_id=call,
        tool=tool,
        error=block.get("is_error") is True,
    )
    if not isinstance(content, list):
        return
    for index, item in enumerate(content):
        if isinstance(item, dict) and item.get("type") == "image":
            parts.add(
                node,
                PartType.IMAGE,
                Kind.TOOL_RESULT,
                "image",
                (*pointer, "content", index),
                "",
                call_id=call,
                tool=tool,
                pixels=image_size(item.get("source")),
            )


def _reply_parts(parts: _Parts, node: Node, record: dict[str, Any]) -> None:
    content = record["message"]["content"]
    if isinstance(content, str):
        parts.add(node, PartType.TEXT, Kind.REPLY, "text", _CONTENT, content)
        return
    for index, block in enumerate(content):
        pointer: Pointer = (*_CONTENT, index)
        if isinstance(block, str):
            parts.add(node, PartType.TEXT, Kind.REPLY, "text", pointer, block)
        elif isinstance(block, dict):
            _reply_block(parts, node, block, pointer)


def _reply_block(parts: _Parts, node: Node, block: dict[str, Any], pointer: Pointer) -> None:
    wire = text(block.get("type")) or ""
    match wire:
        case "text":
            body = texts(block.get("text"))
            parts.add(node, PartType.TEXT, Kind.REPLY, wire, (*pointer, "text"), body)
        case "thinking":
            body = texts(block.get("thinking"))
            parts.add(node, PartType.THINKING, Kind.REPLY, wire, (*pointer, "thinking"), body)
        case "tool_use" | "server_tool_use":
            call, tool = text(block.get("id")), text(block.get("name"))
            if call and tool:
                parts.tools[call] = tool
            parts.calls.append(call_line(tool, block.get("input")))
            parts.add(
                node,
                PartType.TOOL_CALL,
                Kind.TOOL_CALL,
                wire,
                (*pointer, "input"),
                call_text(block.get("input")),
                call_id=call,
                tool=tool,
            )
        case "":
            pass
        case "redacted_thinking":
            sealed = texts(block.get("data"))
            parts.add(node, PartType.OPAQUE, Kind.REPLY, wire, (*pointer, "data"), sealed)
        case _ if wire.endswith("_tool_result"):  # of a tool that ran at the provider
            _provider_result(parts, node, block, pointer, wire)
        case _:
            parts.add(node, PartType.OPAQUE, Kind.REPLY, wire, pointer, "")


def _provider_result(
    parts: _Parts, node: Node, block: dict[str, Any], pointer: Pointer, wire: str
) -> None:
    call = text(block.get("tool_use_id"))
    parts.add(
        node,
        PartType.TOOL_RESULT,
        Kind.TOOL_RESULT,
        wire,
        (*pointer, "content"),
        texts(block.get("content")),
        call_id=call,
        tool=parts.tools.get(call) if call else None,
    )


def _attachment_parts(parts: _Parts, node: Node, record: dict[str, Any]) -> None:
    attachment = record.get("attachment")
    pointer = body_pointer(attachment)
    if pointer is None or not isinstance(attachment, dict):
        return
    kind = Kind.PROMPT if human_prompt(attachment) else Kind.INJECTED
    body: Any = record
    for step in pointer:
        body = body[step]
    wire = f"attachment/{attachment['type']}"
    if isinstance(body, dict) and body.get("type") == "image":
        pixels = image_size(body.get("source") or body.get("file"))
        parts.add(node, PartType.IMAGE, Kind.INJECTED, wire, pointer, "", pixels=pixels)
        return
    joined = texts(body)
    if joined:
        parts.text(node, kind, wire, pointer, joined)
