"""Messages of the model from entries of a pi session."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from redline.agents.bodies import call_text, texts
from redline.agents.heads import call_line, calls_line, head_line
from redline.agents.image_size import image_size
from redline.agents.pi.entries import Entry
from redline.agents.pi.fields import BASH as BASH
from redline.agents.pi.fields import failed, read_usage, text_of, time_of
from redline.agents.pi.prompts import split
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


def bash_text(message: Mapping[str, Any]) -> str:
    """What the model is told of a command the user ran with `!` (pi 1.6.0)."""
    text = f"Ran `{message.get('command')}`\n"
    output = message.get("output")
    text += f"```\n{output}\n```" if output else "(no output)"
    code = message.get("exitCode")
    if message.get("cancelled"):
        text += "\n\n(command cancelled)"
    elif code is not None and code != 0:
        text += f"\n\nCommand exited with code {code}"
    if message.get("truncated") and message.get("fullOutputPath"):
        text += f"\n\n[Output truncated. Full output: {message['fullOutputPath']}]"
    return text


def origin_of(path: Path, entry: Entry, pointer: Pointer = ()) -> Origin:
    return Origin(path, entry.number, entry.start, entry.end, pointer)


class _Parts:
    """Collects the parts of one message."""

    def __init__(self, path: Path, entry: Entry) -> None:
        self.path = path
        self.entry = entry
        self.parts: list[Part] = []
        self.head = ""
        self.calls: list[str] = []
        self.state = PartState.LIVE

    def add(
        self,
        type: PartType,  # noqa: A002 - the model's own word
        kind: Kind,
        pointer: Pointer,
        body: str,
        wire: str,
        *,
        span: tuple[int, int] | None = None,
        **fields: Any,
    ) -> None:
        origin = origin_of(self.path, self.entry, pointer)
        if span is not None:
            body = body[slice(*span)]
            origin = Origin(origin.path, origin.record, origin.start, origin.end, pointer, span)
        chars = 0 if type is PartType.IMAGE else len(body)
        fields.setdefault("state", self.state)
        self.parts.append(Part(type, kind, origin, chars, wire, index=len(self.parts), **fields))
        if not self.head and type not in (PartType.OPAQUE, PartType.TOOL_CALL, PartType.THINKING):
            self.head = head_line(body)

    def content(self, content: object, pointer: Pointer, kind: Kind) -> None:
        """Texts and images of a field, as `kind`; of a human's message split by who wrote them."""
        if isinstance(content, str):
            self.text(content, pointer, kind)
        for at, block in enumerate(content if isinstance(content, list) else ()):
            match block:
                case {"type": "text", "text": str(text)}:
                    self.text(text, (*pointer, at, "text"), kind)
                case {"type": "image"}:
                    self.image(block, (*pointer, at), kind)

    def image(self, block: object, pointer: Pointer, kind: Kind, **fields: Any) -> None:
        fields["pixels"] = image_size(block)
        self.add(PartType.IMAGE, kind, pointer, "", "image", **fields)

    def text(self, text: str, pointer: Pointer, kind: Kind) -> None:
        if not text.strip():
            return
        if kind is not Kind.PROMPT:
            self.add(PartType.TEXT, kind, pointer, text, "text")
            return
        injected, typed = split(text)
        if injected is None:
            self.add(PartType.TEXT, kind, pointer, text, "text")
            return
        self.add(PartType.TEXT, Kind.INJECTED, pointer, text, "text", span=injected)
        if typed is not None:
            self.head = ""
            self.add(PartType.TEXT, kind, pointer, text, "text", span=typed)

    def reply(self, content: object, pointer: Pointer) -> None:
        if isinstance(content, str):
            self.text(content, pointer, Kind.REPLY)
        for at, block in enumerate(content if isinstance(content, list) else ()):
            place = (*pointer, at)
            match block:
                case {"type": "text", "text": str(text)}:
                    self.text(text, (*place, "text"), Kind.REPLY)
                case {"type": "thinking"}:
                    self.thinking(block, place)
                case {"type": "toolCall"}:
                    name = text_of(block.get("name"))
                    body = call_text(block.get("arguments"))
                    call, pointer_to = text_of(block.get("id")), (*place, "arguments")
                    self.add(
                        PartType.TOOL_CALL,
                        Kind.TOOL_CALL,
                        pointer_to,
                        body,
                        "toolCall",
                        call_id=call,
                        tool=name,
                    )
                    self.calls.append(call_line(name, block.get("arguments")))
                case {"type": "image"}:
                    self.image(block, place, Kind.REPLY)

    def thinking(self, block: Mapping[str, Any], place: Pointer) -> None:
        """Readable thinking, or what only the provider can read of it."""
        text, signature = block.get("thinking"), block.get("thinkingSignature")
        if isinstance(text, str) and text.strip() and not block.get("redacted"):
            self.add(PartType.THINKING, Kind.REPLY, (*place, "thinking"), text, "thinking")
        elif isinstance(signature, str) and signature:
            pointer = (*place, "thinkingSignature")
            self.add(PartType.OPAQUE, Kind.REPLY, pointer, signature, "thinking")

    def result(self, content: object, pointer: Pointer, message: Mapping[str, Any]) -> None:
        call, tool = text_of(message.get("toolCallId")), text_of(message.get("toolName"))
        self.add(
            PartType.TOOL_RESULT,
            Kind.TOOL_RESULT,
            pointer,
            texts(content),
            "toolResult",
            call_id=call,
            tool=tool,
            error=message.get("isError") is True,
        )
        for at, block in enumerate(content if isinstance(content, list) else ()):
            if isinstance(block, dict) and block.get("type") == "image":
                self.image(block, (*pointer, at), Kind.TOOL_RESULT, call_id=call, tool=tool)


def message_of(
    path: Path,
    entry: Entry,
    value: Mapping[str, Any],
    edit: tuple[Entry, Mapping[str, Any]] | None = None,
    *,
    trusted: bool = True,
    seam: bool = False,
) -> Message:
    """The message that `entry`, whose record is `value`, gives the model.

    `edit` is the newest context edit of it. `trusted` is false for a message from before the last
    compaction: its usage measured another context. A reply that ended in an error or was aborted
    stays in the context as pi counts it, but pi never sends it: its parts are `CLEARED`.
    """
    message = value.get("message")
    message = message if isinstance(message, dict) else {}
    content: object = message.get("content")
    pointer: Pointer = ("message", "content")
    parts = _Parts(path, entry)
    if entry.type == "custom_message":
        content, pointer = value.get("content"), ("content",)
    if edit is not None and entry.role in ("user", "assistant", "toolResult", "custom"):
        parts.entry, replacement = edit[0], edit[1].get("replacement")
        content = replacement.get("content") if isinstance(replacement, dict) else None
        pointer = ("replacement", "content")
        if entry.role == "toolResult":
            parts.state = PartState.CLEARED
    if entry.role == "assistant" and failed(entry.stop):
        parts.state = PartState.CLEARED
    role = Role.ASSISTANT if entry.role == "assistant" else Role.USER
    match entry.role:
        case "user":
            parts.content(content, pointer, Kind.PROMPT)
        case "assistant":
            parts.reply(content, pointer)
        case "toolResult":
            parts.result(content, pointer, message)
        case "custom":
            parts.content(content, pointer, Kind.INJECTED)
        case "bashExecution":
            body = bash_text(message)
            parts.add(PartType.TEXT, Kind.INJECTED, ("message",), body, BASH)
        case _:
            pointer = ("summary",) if entry.type != "message" else ("message", "summary")
            summary = (value if entry.type != "message" else message).get("summary")
            if isinstance(summary, str) and summary.strip():
                parts.add(PartType.TEXT, Kind.SUMMARY, pointer, summary, entry.role or "")
    return Message(
        entry.id,
        role,
        tuple(parts.parts),
        time=time_of(value),
        usage=_usage(entry, message) if trusted else None,
        model=text_of(message.get("responseModel")) or entry.model,
        api_id=text_of(message.get("responseId")),
        stop=entry.stop,
        head=parts.head or calls_line(parts.calls),
        seam=seam,
    )


def _usage(entry: Entry, message: Mapping[str, Any]) -> Usage | None:
    """What a reply was billed; None for one that failed or that no request stands behind."""
    return None if entry.billed is None else read_usage(message.get("usage"))
