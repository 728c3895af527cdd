"""Messages of the model from items of a Codex history."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from redline.agents.bodies import call_text, texts
from redline.agents.codex.item import CALLS, COMPACTIONS, INTER_AGENT, MESSAGE, OUTPUTS, Item
from redline.agents.codex.item import REASONING as REASONING_TYPE
from redline.agents.codex.kinds import is_injected, text_kinds, texts_of
from redline.agents.heads import call_line, calls_line, head_line
from redline.agents.image_size import image_size
from redline.agents.records import decode
from redline.agents.times import read_time
from redline.model import Kind, Message, Part, PartType, Pointer, Role

_HEADER = 400  # characters of a result in which Codex tells how a command ended
_ENDED = re.compile(r"\A\s*Exit code:?\s*(-?\d+)|^Process exited with code (-?\d+)", re.M)
_IN_JSON = re.compile(r'"exit_code":\s*(-?\d{1,5})\b')
# How results start that say that a call came to nothing (0.42 to 0.171).
_FAILED = (
    "apply_patch verification failed",
    "failed to parse function arguments",
    "failed in sandbox",
    "execution error",
    "unsupported call:",
    "unsupported custom tool call:",
    "tool call error:",
    "exec_command failed",
)

Span = tuple[int, int]

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "developer": Role.DEVELOPER}


def failed(output: object) -> bool:
    """Whether a result says that the command failed or the call could not be run."""
    text = output if isinstance(output, str) else texts(output)
    if text.startswith('{"'):
        ends = text[-_HEADER:], text[:_HEADER]
        ended = _IN_JSON.search(ends[0]) or _IN_JSON.search(ends[1])
        return ended is not None and int(ended[1]) != 0
    head = text[:_HEADER]
    if head.lstrip().startswith(_FAILED):
        return True
    if (found := _ENDED.search(head.partition("\nOutput:")[0])) is None:
        return False
    return int(found[1] or found[2]) != 0


def tool_name(item: Mapping[str, Any], kind: str) -> str | None:
    """A tool's name; a tool of an MCP server has the server's before it."""
    if kind == "local_shell_call":
        return "local_shell"
    if kind == "tool_search_call":
        return "tool_search"
    name, namespace = item.get("name"), item.get("namespace")
    if not isinstance(name, str):
        return None
    if isinstance(namespace, str) and namespace:
        return f"{namespace.rstrip('_')}__{name}"
    return name


class _Parts:
    """Collects the parts of one message."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.head = ""
        self.calls: list[str] = []
        self.thought = ""

    def add(
        self,
        item: Item,
        type: PartType,  # noqa: A002 - the model's own word
        kind: Kind,
        pointer: Pointer,
        body: str,
        wire: str,
        *,
        span: tuple[int, int] | None = None,
        **fields: Any,
    ) -> None:
        if span is not None:
            body = body[slice(*span)]
        chars = 0 if type is PartType.IMAGE else len(body)
        place = item.origin(pointer, span)
        self.parts.append(Part(type, kind, place, chars, wire, index=len(self.parts), **fields))
        telling = type is PartType.TEXT and kind is not Kind.TOOL_CALL
        if (not self.head or (kind is Kind.PROMPT and span)) and (
            telling or type is PartType.TOOL_RESULT
        ):
            self.head = head_line(body)
        elif type is PartType.THINKING and not self.thought:
            self.thought = head_line(body)

    def take(self, item: Item) -> None:
        value, kind = item.value, item.type
        if kind == MESSAGE:
            self.message(item, value.get("content"))
        elif kind == REASONING_TYPE:
            self.reasoning(item, value)
        elif kind in CALLS:
            self.call(item, value, CALLS[kind])
        elif kind in OUTPUTS:
            self.output(item, value.get(OUTPUTS[kind]), OUTPUTS[kind])
        elif kind in COMPACTIONS:
            self.sealed(item, value, Kind.SUMMARY)
        elif kind == "web_search_call":
            action = value.get("action")
            body = call_text(action) if action is not None else ""
            named = "web_search"
            self.add(item, PartType.TEXT, Kind.TOOL_CALL, ("action",), body, kind, tool=named)
            self.calls.append(call_line(named, action))
        elif kind == "image_generation_call":
            pixels = image_size({"data": value.get("result")})
            self.add(item, PartType.IMAGE, Kind.REPLY, ("result",), "", kind, pixels=pixels)
        elif kind == INTER_AGENT:
            if isinstance(text := value.get("content"), str) and text:
                self.add(item, PartType.TEXT, Kind.INJECTED, ("content",), text, "agent_message")
            self.sealed(item, value, Kind.INJECTED, "agent_message")
        else:
            self.agent(item, value.get("content"))

    def message(self, item: Item, content: object) -> None:
        blocks = content if isinstance(content, list) else []
        kinds = content_kinds(item.role if item.spoken else "", blocks)
        if item.summary:
            kinds = [[(Kind.SUMMARY, None)] if pieces else [] for pieces in kinds]
        for at, (block, pieces) in enumerate(zip(blocks, kinds, strict=True)):
            if not pieces:
                continue
            wire = block.get("type")
            wire = wire if isinstance(wire, str) else "input_text"
            if wire == "input_image":
                self.image(item, block, ("content", at), pieces[0][0])
            elif isinstance(text := block.get("text"), str):
                for kind, span in pieces:
                    pointer = ("content", at, "text")
                    self.add(item, PartType.TEXT, kind, pointer, text, wire, span=span)
            elif isinstance(url := block.get("audio_url"), str):
                pointer = ("content", at, "audio_url")
                self.add(item, PartType.OPAQUE, pieces[0][0], pointer, url, wire)

    def image(
        self, item: Item, block: Mapping[str, Any], pointer: Pointer, kind: Kind, **fields: Any
    ) -> None:
        url = block.get("image_url")
        data = url.partition(",")[2] if isinstance(url, str) and url[:5] == "data:" else None
        pixels = image_size({"data": data})
        self.add(item, PartType.IMAGE, kind, pointer, "", "input_image", pixels=pixels, **fields)

    def reasoning(self, item: Item, value: Mapping[str, Any]) -> None:
        for field in ("summary", "content"):
            blocks = value.get(field)
            for at, block in enumerate(blocks if isinstance(blocks, list) else ()):
                if isinstance(block, dict) and isinstance(text := block.get("text"), str):
                    pointer = (field, at, "text")
                    self.add(item, PartType.THINKING, Kind.REPLY, pointer, text, item.type)
        self.sealed(item, value, Kind.REPLY)

    def sealed(
        self, item: Item, value: Mapping[str, Any], kind: Kind, wire: str | None = None
    ) -> None:
        body = value.get("encrypted_content")
        if isinstance(body, str) and body:
            named = wire or item.type
            self.add(item, PartType.OPAQUE, kind, ("encrypted_content",), body, named)

    def call(self, item: Item, value: Mapping[str, Any], field: str) -> None:
        body, name = value.get(field), tool_name(value, item.type)
        self.add(
            item,
            PartType.TOOL_CALL,
            Kind.TOOL_CALL,
            (field,),
            "" if body is None else call_text(body),
            item.type,
            call_id=item.call_id,
            tool=name,
        )
        self.calls.append(call_line(name, decoded(body)))

    def output(self, item: Item, output: object, field: str) -> None:
        call = item.call_id
        body = output if isinstance(output, str) else texts(output)
        if call is None:  # put in by a host, it answers no call (since 2026-08)
            pointer: Pointer = (field,)
            self.add(item, PartType.TEXT, Kind.INJECTED, pointer, body, item.type)
            return
        self.add(
            item,
            PartType.TOOL_RESULT,
            Kind.TOOL_RESULT,
            (field,),
            body,
            item.type,
            call_id=call,
            error=failed(output),
        )
        for at, block in enumerate(output if isinstance(output, list) else ()):
            if isinstance(block, dict) and block.get("type") == "input_image":
                self.image(item, block, (field, at), Kind.TOOL_RESULT, call_id=call)

    def agent(self, item: Item, content: object) -> None:
        """A message of another agent."""
        for at, block in enumerate(content if isinstance(content, list) else ()):
            if not isinstance(block, dict):
                continue
            if isinstance(text := block.get("text"), str):
                pointer = ("content", at, "text")
                self.add(item, PartType.TEXT, Kind.INJECTED, pointer, text, item.type)
            elif isinstance(body := block.get("encrypted_content"), str):
                pointer = ("content", at, "encrypted_content")
                self.add(item, PartType.OPAQUE, Kind.INJECTED, pointer, body, item.type)


def content_kinds(role: str, blocks: Sequence[Any]) -> list[list[tuple[Kind, Span | None]]]:
    """The kinds of the blocks of a message, in pieces with their spans where a text is several.

    A picture is of the kind of what it came with: a prompt, unless all of that is injected. What
    is neither text, picture nor sound has no pieces.
    """
    texts = texts_of({"content": blocks})
    spans = iter(text_kinds(role, texts))
    other = Kind.REPLY if role == "assistant" else Kind.INJECTED
    if role == "user" and not any(map(is_injected, texts)):
        other = Kind.PROMPT
    kinds: list[list[tuple[Kind, Span | None]]] = []
    for block in blocks:
        if isinstance(block, dict) and isinstance(block.get("text"), str):
            told = next(spans)
            pieces = [(kind, (at, end)) for kind, at, end in told]
            kinds.append([(told[0][0], None)] if len(told) == 1 else [*pieces])
        else:
            held = isinstance(block, dict) and (
                block.get("type") == "input_image" or isinstance(block.get("audio_url"), str)
            )
            kinds.append([(other, None)] if held else [])
    return kinds


def decoded(body: object) -> object:
    """A call's input: what its string of JSON holds, or the string itself where it is none."""
    if not isinstance(body, str) or body[:1] not in ("{", "["):
        return body
    try:
        return decode(body.encode("utf-8", "replace"))
    except ValueError:
        return body


def role_of(item: Item) -> Role:
    if item.answered:
        return Role.ASSISTANT
    return _ROLES.get(item.role, Role.SYSTEM) if item.type == MESSAGE else Role.USER


def message_of(items: Sequence[Item]) -> Message:
    """The message that `items` are: one item, or all items of a reply."""
    first = items[0]
    built = _Parts()
    for item in items:
        built.take(item)
    reply = first.reply
    return Message(
        id=first.ident if reply is None else reply.ident,
        role=role_of(first),
        parts=tuple(built.parts),
        time=read_time(first.told),
        usage=reply.usage if reply else None,
        model=reply.model if reply else None,
        head=built.head or calls_line(built.calls) or built.thought,
    )
