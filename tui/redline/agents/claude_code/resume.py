"""What Claude Code itself would send of the records that its loader found.

What it words anew on every start (reminders, lists of skills and agents, renderings of attachments,
stand-ins for results that are missing) is left out. The rules were found by running 2.1.197 on real
files and on variants of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from redline.agents.bodies import call_text
from redline.agents.claude_code.node import Mark, Node, Type, text
from redline.model import Block

# Models that 2.1.197 goes on with; a session of any other goes on with its default.
_KNOWN_MODELS = frozenset(
    {
        "claude-3-5-sonnet-20241022",
        "claude-sonnet-4-5-20250929",
        "claude-haiku-4-5-20251001",
        "claude-opus-4-5-20251101",
        "claude-opus-4-6",
        "claude-sonnet-4-6",
        "claude-opus-4-7",
        "claude-opus-4-8",
        "claude-sonnet-5",
        "claude-fable-5",
    }
)
_DEFAULT_MODEL = "claude-opus-4-8"
NO_REFERENCES = "[Tool references removed - tool search not enabled]"

_Value = dict[str, Any]


@dataclass(slots=True)
class _Entry:
    """Blocks with the records they are from: of one record first, of one API message later."""

    role: str
    blocks: list[tuple[_Value, Node]] = field(default_factory=list)
    api_id: str | None = None
    model: str | None = None
    results: bool = False
    synthetic: bool = False
    attached: bool = False

    def values(self, kind: str) -> Iterator[_Value]:
        return (block for block, _ in self.blocks if block["type"] == kind)


def resume_blocks(nodes: list[Node], record_of: Callable[[Node], _Value]) -> Iterator[Block]:
    """The blocks that the agent sends for `nodes`, in order."""
    entries: list[_Entry] = []
    for node in nodes:
        entry = _entry(node, record_of(node))
        if entry is not None:
            place = _above_prompt(entries) if node.type is Type.ATTACHMENT else len(entries)
            entries.insert(place, entry)
    entries = _own_thinking(_answered(entries))
    entries = _without_lone_thinking(entries)
    entries = [entry for entry in entries if not _is_blank(entry)]
    for message in _paired(_joined(_replies(entries))):
        for block, node in message.blocks:
            yield _block(message.role, block, node)


def _entry(node: Node, record: _Value) -> _Entry | None:
    """What is sent of one record, None where that is nothing."""
    if not node.marks & Mark.SENT:
        return None
    match node.type:
        case Type.USER | Type.ASSISTANT:
            content = record["message"]["content"]
        case Type.SYSTEM:
            content = record.get("content")
        case _:
            content = _attached_image(record)
    items = [content] if isinstance(content, str) else content
    if not isinstance(items, list):
        return None
    blocks: list[tuple[_Value, Node]] = []
    for item in items:
        block = {"type": "text", "text": item} if isinstance(item, str) else item
        if isinstance(block, dict) and text(block.get("type")):
            blocks.append((block, node))
    reply = node.type is Type.ASSISTANT
    if not reply:
        blocks = [(block, node) for block, node in blocks if not _is_blank_text(block)]
    if not blocks:
        return None
    message = record.get("message")
    return _Entry(
        role="assistant" if reply else "user",
        blocks=blocks,
        api_id=node.api_id if reply else None,
        model=text(message.get("model")) if reply and isinstance(message, dict) else None,
        results=bool(node.marks & Mark.RESULTS),
        synthetic=bool(node.marks & Mark.SYNTHETIC),
        attached=node.type is Type.ATTACHMENT,
    )


def _above_prompt(entries: list[_Entry]) -> int:
    """Where an attached image goes: above the texts of the user that it came with."""
    place = len(entries)
    while place and entries[place - 1].role == "user" and not entries[place - 1].results:
        place -= 1
    while place < len(entries) and entries[place].attached:
        place += 1
    return place


def _attached_image(record: _Value) -> list[_Value] | None:
    """The image of a restored file; texts of attachments are worded anew by the agent."""
    attachment = record.get("attachment")
    content = attachment.get("content") if isinstance(attachment, dict) else None
    if isinstance(content, dict) and content.get("type") == "image":
        return [{"type": "image", "source": content.get("file")}]
    return None


def _is_blank_text(block: _Value) -> bool:
    return block["type"] == "text" and not str(block.get("text") or "").strip()


def _is_blank(entry: _Entry) -> bool:
    """Whether a reply's record holds nothing but white space."""
    return entry.role == "assistant" and all(_is_blank_text(block) for block, _ in entry.blocks)


def _is_thinking(block: _Value) -> bool:
    return block["type"] in ("thinking", "redacted_thinking")


def _answered(entries: list[_Entry]) -> list[_Entry]:
    """Without the records whose calls all lack a result."""
    results = {
        text(block.get("tool_use_id")) for entry in entries for block in entry.values("tool_result")
    }
    kept = []
    for entry in entries:
        calls = [text(block.get("id")) for block in entry.values("tool_use")]
        if entry.role == "user" or not calls or any(call in results for call in calls):
            kept.append(entry)
    return kept


def _own_thinking(entries: list[_Entry]) -> list[_Entry]:
    """Thinking is sent to the model that thought it only: the one the session goes on with."""
    models = [entry.model for entry in entries if entry.model and not entry.synthetic]
    model = models[-1] if models and models[-1] in _KNOWN_MODELS else _DEFAULT_MODEL
    for entry in entries:
        if entry.role == "assistant" and entry.model != model:
            entry.blocks = [pair for pair in entry.blocks if not _is_thinking(pair[0])]
    return [entry for entry in entries if entry.blocks]


def _without_lone_thinking(entries: list[_Entry]) -> list[_Entry]:
    """Without replies of which nothing but thinking is left."""

    def only_thinking(entry: _Entry) -> bool:
        return entry.role == "assistant" and all(_is_thinking(block) for block, _ in entry.blocks)

    said = {
        entry.api_id
        for entry in entries
        if entry.api_id and not only_thinking(entry) and not _is_blank(entry)
    }
    return [entry for entry in entries if not only_thinking(entry) or entry.api_id in said]


def _replies(entries: list[_Entry]) -> list[_Entry]:
    """Records of one reply together, in the place of the first one."""
    found: list[_Entry] = []
    for entry in entries:
        former = _same_reply(found, entry.api_id) if entry.api_id else None
        if former is not None:
            former.blocks += entry.blocks
        else:
            found.append(entry)
    for entry in found:
        if entry.role == "assistant":
            entry.blocks = _calls_last(entry.blocks)
    return found


def _calls_last(blocks: list[tuple[_Value, Node]]) -> list[tuple[_Value, Node]]:
    """Calls behind what was said, as far as that puts no two thoughts side by side."""
    said: list[tuple[_Value, Node]] = []
    calls: list[tuple[_Value, Node]] = []
    for place, pair in enumerate(blocks):
        if pair[0]["type"] == "tool_use":
            calls.append(pair)
        elif calls and said and _is_thinking(pair[0]) and _is_thinking(said[-1][0]):
            return said + calls + blocks[place:]
        else:
            said.append(pair)
    return said + calls


def _same_reply(found: list[_Entry], api_id: str) -> _Entry | None:
    """An earlier record of the reply `api_id`, with nothing but replies and results between."""
    for entry in reversed(found):
        if entry.role == "assistant":
            if entry.api_id == api_id:
                return entry
        elif not entry.results:
            return None
    return None


def _joined(entries: list[_Entry]) -> list[_Entry]:
    """Neighbouring records of the user as one message, results first."""
    found: list[_Entry] = []
    for entry in entries:
        if entry.role == "user" and found and found[-1].role == "user":
            found[-1].blocks += entry.blocks
        else:
            found.append(entry)
    for entry in found:
        if entry.role == "user":
            entry.blocks.sort(key=lambda pair: pair[0]["type"] != "tool_result")
    return found


def _paired(messages: list[_Entry]) -> list[_Entry]:
    """Each call once, and of the results those that answer the message just before."""
    called: set[str | None] = set()
    open_calls: set[str | None] = set()
    for message in messages:
        kept = []
        if message.role == "assistant":
            open_calls = set()
            for block, node in message.blocks:
                if block["type"] == "tool_use":
                    call = text(block.get("id"))
                    if call in called:
                        continue
                    called.add(call)
                    open_calls.add(call)
                kept.append((block, node))
        else:
            for block, node in message.blocks:
                if block["type"] == "tool_result":
                    call = text(block.get("tool_use_id"))
                    if call not in open_calls:
                        continue
                    open_calls.discard(call)
                kept.append((block, node))
            open_calls = set()
        message.blocks = kept
    return messages


def _block(role: str, block: _Value, node: Node) -> Block:
    kind = block["type"]
    match kind:
        case "text" | "thinking":
            value = block.get(kind)
            body = value if isinstance(value, str) else ""
        case "tool_use":
            body = call_text(block.get("input"))
        case "tool_result":
            body = _result_text(block.get("content"), failed=block.get("is_error") is True)
        case "image" | "redacted_thinking":
            body = ""
        case _:
            body = json.dumps(block, sort_keys=True)
    ident = text(block.get("id")) or text(block.get("tool_use_id"))
    return Block(role, kind, ident, body, node.uuid, node.number)


def _result_text(content: Any, *, failed: bool) -> str:
    """A result's texts joined by newlines, other items as JSON; of a failed one texts only."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    items = [item for item in content if not _is_reference(item)]
    if content and not items:
        return NO_REFERENCES
    texts = []
    for item in items:
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, dict):
            said = text(item.get("text"))
            if said or not failed:
                texts.append(said or json.dumps(item, sort_keys=True))
    return "\n".join(texts)


def _is_reference(item: Any) -> bool:
    return isinstance(item, dict) and item.get("type") == "tool_reference"
