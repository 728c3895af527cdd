"""A tiny adapter from made-up Codex rollouts to the model: proof that the types can hold them.

The rules are those of Codex 0.171 in short: a reply is every model item up to the next token
count, and a compaction puts its `replacement_history` in the place of everything before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from redline.agents.bodies import FileBodies
from redline.agents.records import Record, read_records
from redline.model import (
    Agent,
    Block,
    CompactionKind,
    Damage,
    Kind,
    Message,
    Origin,
    Part,
    PartType,
    PastCompaction,
    Pointer,
    Role,
    Session,
    SessionInfo,
    Usage,
)

_INJECTED = ("# AGENTS.md instructions", "<environment_context>", "<permissions instructions>")
_IDE = "## My request for Codex:\n"
_SUMMARY = "Another language model started to solve this problem"
_CALLS = {"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action"}


class RolloutSource:
    """Bodies of a rollout: a call's arguments are a JSON string, its value the object in it."""

    def __init__(self, live: tuple[Message, ...], before: tuple[Message, ...]) -> None:
        self._live = live
        self._before = before
        self._bodies = FileBodies()

    def text(self, part: Part) -> str:
        return self._bodies.text(part)

    def value(self, part: Part) -> object:
        found = self._bodies.value(part)
        if part.wire == "function_call" and isinstance(found, str):
            return json.loads(found)
        return found

    def history(self) -> Iterator[Message]:
        yield from (*self._before, *self._live)

    def resume(self) -> Iterator[Block]:
        for message in self._live:
            for part in message.parts:
                text, record = self.text(part), part.origin.record
                yield Block(message.role.value, part.wire, part.call_id, text, message.id, record)


def _spans(text: str, role: str) -> list[tuple[Kind, tuple[int, int] | None]]:
    if role == "assistant":
        return [(Kind.REPLY, None)]
    if role == "developer" or text.lstrip().startswith(_INJECTED):
        return [(Kind.INJECTED, None)]
    if text.startswith(_SUMMARY):
        return [(Kind.SUMMARY, None)]
    if _IDE in text:
        at = text.index(_IDE) + len(_IDE)
        return [(Kind.INJECTED, (0, at)), (Kind.PROMPT, (at, len(text)))]
    return [(Kind.PROMPT, None)]


def _parts(item: Mapping[str, Any], origin: Origin, first: int) -> list[Part]:
    """The parts of one Responses API item; `origin` leads to the item itself."""
    found: list[Part] = []

    def add(
        type: PartType,  # noqa: A002
        kind: Kind,
        pointer: Pointer,
        body: str,
        span: tuple[int, int] | None = None,
        **fields: Any,
    ) -> None:
        place = Origin(
            origin.path, origin.record, origin.start, origin.end, origin.pointer + pointer, span
        )
        chars = len(body[slice(*span)] if span else body)
        index = first + len(found)
        found.append(Part(type, kind, place, chars, item["type"], index, **fields))

    call = item.get("call_id")
    match item["type"]:
        case "message":
            for at, block in enumerate(item["content"]):
                if block["type"] == "input_image":
                    add(PartType.IMAGE, Kind.INJECTED, ("content", at), "")
                    continue
                for kind, span in _spans(block["text"], item["role"]):
                    add(PartType.TEXT, kind, ("content", at, "text"), block["text"], span)
        case "reasoning" | "compaction":
            kind = Kind.SUMMARY if item["type"] == "compaction" else Kind.REPLY
            body = item["encrypted_content"]
            add(PartType.OPAQUE, kind, ("encrypted_content",), body)
        case "function_call_output" | "custom_tool_call_output":
            output = item["output"]
            blocks = output if isinstance(output, list) else [{"text": output}]
            body = "\n".join(b["text"] for b in blocks if "text" in b)
            add(PartType.TOOL_RESULT, Kind.TOOL_RESULT, ("output",), body, call_id=call)
            for at, block in enumerate(blocks):
                if block.get("type") == "input_image":
                    pointer = ("output", at)
                    add(PartType.IMAGE, Kind.TOOL_RESULT, pointer, "", call_id=call)
        case call_type:
            key = _CALLS[call_type]
            name = item.get("name")
            add(PartType.TOOL_CALL, Kind.TOOL_CALL, (key,), item[key], call_id=call, tool=name)
    return found


def _role(item: Mapping[str, Any]) -> Role:
    if item["type"] == "message":
        return Role(item["role"])
    is_output = item["type"].endswith("_output") or item["type"] == "compaction"
    return Role.USER if is_output else Role.ASSISTANT


class _Walk:
    """Takes the records in order; replies grow until their token count comes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.messages: list[Message] = []
        self.before: list[Message] = []
        self.compactions: list[PastCompaction] = []
        self.reply: int | None = None  # index of the reply that is still open
        self.window: int | None = None

    def take(self, record: Record) -> None:
        kind, payload = record.value["type"], record.value["payload"]
        if kind == "response_item":
            self.item(payload, record, ("payload",))
        elif kind == "compacted":
            self.compact(payload, record)
        elif payload.get("type") == "token_count" and payload.get("info"):
            self.count(payload["info"])

    def item(self, item: Mapping[str, Any], record: Record, pointer: Pointer) -> None:
        origin = Origin(self.path, record.number, record.start, record.end, pointer)
        role = _role(item)
        if role is Role.ASSISTANT and self.reply is not None:
            grown = self.messages[self.reply]
            parts = (*grown.parts, *_parts(item, origin, len(grown.parts)))
            self.messages[self.reply] = _with(grown, parts, grown.usage)
            return
        name = item.get("id") or ":".join(
            str(step) for step in ("line", record.number, *pointer[2:])
        )
        if role is Role.ASSISTANT:
            self.reply = len(self.messages)
        self.messages.append(Message(name, role, tuple(_parts(item, origin, 0))))

    def count(self, info: Mapping[str, Any]) -> None:
        self.window = info["model_context_window"]
        last = info["last_token_usage"]
        if self.reply is not None and last["input_tokens"]:
            cached = last["cached_input_tokens"]
            usage = Usage(last["input_tokens"] - cached, cached, None, last["output_tokens"])
            answered = self.messages[self.reply]
            self.messages[self.reply] = _with(answered, answered.parts, usage)
        self.reply = None

    def compact(self, payload: Mapping[str, Any], record: Record) -> None:
        self.before += self.messages
        self.messages, self.reply = [], None
        for at, item in enumerate(payload["replacement_history"]):
            self.item(item, record, ("payload", "replacement_history", at))
            self.reply = None
        readable = [m for m in self.messages if any(_is_readable_summary(p) for p in m.parts)]
        self.compactions.append(
            PastCompaction(
                payload.get("window_id") or f"line:{record.number}",
                CompactionKind.PARTIAL,
                record.number,
                messages_before=len(self.before),
                summary=readable[-1] if readable else None,
                preserved=tuple(m.id for m in self.messages if m.prompts),
            )
        )


def _is_readable_summary(part: Part) -> bool:
    return part.kind is Kind.SUMMARY and part.type is PartType.TEXT


def _with(message: Message, parts: tuple[Part, ...], usage: Usage | None) -> Message:
    return Message(message.id, message.role, parts, message.time, usage)


def open_rollout(path: Path) -> Session:
    damage: list[Damage] = []
    walk = _Walk(path)
    for record in read_records(path, damage):
        walk.take(record)
    context = tuple(walk.messages)
    limit = walk.window
    return Session(
        SessionInfo(Agent.CODEX, "thread", path),
        context,
        RolloutSource(context, tuple(walk.before)),
        compactions=tuple(walk.compactions),
        damage=tuple(damage),
        window=limit,
        threshold=limit * 100 // 95 * 9 // 10 if limit else None,
    )
