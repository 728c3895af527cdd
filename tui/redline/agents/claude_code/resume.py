"""What Claude Code itself would send if it resumed a session file.

Its own rules, without healing: the chain ends where a parent names nothing. What it words anew
on every start (reminders, lists of skills and agents, renderings of attachments) is left out.
The rules were found by running 2.1.197 on real files and variants of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from redline.agents.bodies import call_text
from redline.agents.claude_code.attachments import body_pointer
from redline.agents.claude_code.chain import (
    SiblingIndex,
    below,
    choose_leaf,
    climb,
    last_boundary,
    relinked,
    with_siblings,
)
from redline.agents.claude_code.node import Mark, Node, Type, text
from redline.agents.claude_code.skeleton import Skeleton
from redline.model import Block

# Models that 2.1.197 goes on with; a session of any other goes on with its default.
_KNOWN_MODELS = frozenset(
    [
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
    ]
)
_DEFAULT_MODEL = "claude-opus-4-8"
NO_REFERENCES = "[Tool references removed - tool search not enabled]"


@dataclass(slots=True)
class _Entry:
    """The blocks of one record, or of all records of one reply."""

    role: str
    node: Node
    blocks: list[dict[str, Any]] = field(default_factory=list)
    places: list[Node] = field(default_factory=list)
    model: str | None = None


def loader_nodes(skeleton: Skeleton, leaf: str | None = None) -> list[Node]:
    """The records that the loader finds, after the last compaction on its branch."""
    parents = relinked(skeleton, last_boundary(skeleton))
    end = skeleton.by_uuid.get(leaf) if leaf else choose_leaf(skeleton, parents, heal=False)
    if end is None:
        return []
    nodes = climb(skeleton, end, parents, heal=False).nodes
    nodes = [node for node in nodes if not node.marks & Mark.NAMELESS]
    index = SiblingIndex.of(skeleton, nameless=False)
    nodes = with_siblings(nodes, index) + below(skeleton, end, parents)
    return after_boundary(nodes)


def after_boundary(nodes: list[Node]) -> list[Node]:
    """What comes behind the last full or partial compaction among `nodes`."""
    for place in range(len(nodes) - 1, -1, -1):
        if nodes[place].marks & Mark.BOUNDARY:
            return nodes[place + 1 :]
    return nodes


def resume_blocks(
    nodes: list[Node], record_of: Callable[[Node], dict[str, Any]]
) -> Iterator[Block]:
    """The blocks that the agent sends for `nodes`, in order."""
    entries = [entry for node in nodes if (entry := _entry(node, record_of(node))) is not None]
    entries = _own_thinking(_answered(entries))
    entries = _without_lone_thinking(entries)
    entries = [entry for entry in entries if not _blank(entry)]
    for entry in _grouped(entries):
        for block, node in zip(entry.blocks, entry.places, strict=True):
            yield _block(entry.role, block, node)


def _entry(node: Node, record: dict[str, Any]) -> _Entry | None:
    if not node.marks & Mark.SENT:
        return None
    role = "assistant" if node.type is Type.ASSISTANT else "user"
    match node.type:
        case Type.USER | Type.ASSISTANT:
            content = record["message"]["content"]
        case Type.SYSTEM:
            content = record.get("content")
        case _:
            content = _attached_image(record)
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if not isinstance(content, list):
        return None
    blocks = [block for block in content if isinstance(block, dict) and text(block.get("type"))]
    if not blocks:
        return None
    message = record.get("message")
    model = text(message.get("model")) if isinstance(message, dict) else None
    return _Entry(role, node, blocks, [node] * len(blocks), model)


def _attached_image(record: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The image of a restored file; texts of attachments are worded anew by the agent."""
    attachment = record.get("attachment")
    pointer = body_pointer(attachment)
    if not isinstance(attachment, dict) or pointer is None:
        return None
    content = attachment.get("content")
    if isinstance(content, dict) and content.get("type") == "image":
        return [{"type": "image", "source": content.get("file")}]
    return None


def _ids(entry: _Entry, kind: str, key: str) -> list[str]:
    return [
        block[key]
        for block in entry.blocks
        if block["type"] == kind and isinstance(block.get(key), str)
    ]


def _answered(entries: list[_Entry]) -> list[_Entry]:
    """Without the records whose calls all lack a result."""
    results = {ident for entry in entries for ident in _ids(entry, "tool_result", "tool_use_id")}
    kept = []
    for entry in entries:
        calls = _ids(entry, "tool_use", "id") if entry.role == "assistant" else []
        if not calls or any(call in results for call in calls):
            kept.append(entry)
    return kept


def _own_thinking(entries: list[_Entry]) -> list[_Entry]:
    """Thinking is sent to the model that thought it only: the one the session goes on with."""
    models = [
        entry.model
        for entry in entries
        if entry.role == "assistant" and entry.model and not entry.node.marks & Mark.SYNTHETIC
    ]
    model = models[-1] if models and models[-1] in _KNOWN_MODELS else _DEFAULT_MODEL
    kept = []
    for entry in entries:
        if entry.role == "assistant" and entry.model != model:
            pairs = [
                (block, node)
                for block, node in zip(entry.blocks, entry.places, strict=True)
                if not _is_thinking(block)
            ]
            if not pairs:
                continue
            entry.blocks = [block for block, _ in pairs]
            entry.places = [node for _, node in pairs]
        kept.append(entry)
    return kept


def _is_thinking(block: dict[str, Any]) -> bool:
    return block["type"] in ("thinking", "redacted_thinking")


def _without_lone_thinking(entries: list[_Entry]) -> list[_Entry]:
    """Without replies of which nothing but thinking is left."""
    said = {
        entry.node.api_id
        for entry in entries
        if entry.role == "assistant" and entry.node.api_id and not _only_thinking(entry)
    }
    return [
        entry
        for entry in entries
        if entry.role != "assistant" or not _only_thinking(entry) or entry.node.api_id in said
    ]


def _only_thinking(entry: _Entry) -> bool:
    return all(_is_thinking(block) for block in entry.blocks)


def _blank(entry: _Entry) -> bool:
    """Whether a reply's record holds nothing but white space."""
    return entry.role == "assistant" and all(
        block["type"] == "text" and not str(block.get("text") or "").strip()
        for block in entry.blocks
    )


def _grouped(entries: list[_Entry]) -> list[_Entry]:
    """Records of one reply together, in the place of the first one."""
    grouped: list[_Entry] = []
    for entry in entries:
        if entry.role == "assistant" and entry.node.api_id:
            former = _same_reply(grouped, entry.node.api_id)
            if former is not None:
                former.blocks += entry.blocks
                former.places += entry.places
                continue
        grouped.append(entry)
    return grouped


def _same_reply(grouped: list[_Entry], api_id: str) -> _Entry | None:
    """An earlier record of the reply `api_id`, with nothing but replies and results between."""
    for entry in reversed(grouped):
        if entry.role == "assistant":
            if entry.node.api_id == api_id:
                return entry
        elif not entry.node.marks & Mark.RESULTS:
            return None
    return None


def _block(role: str, block: dict[str, Any], node: Node) -> Block:
    kind = block["type"]
    ident = text(block.get("id")) or text(block.get("tool_use_id"))
    match kind:
        case "text" | "thinking":
            body = block.get(kind)
            body = body if isinstance(body, str) else ""
        case "tool_use" | "server_tool_use":
            body = call_text(block.get("input"))
        case "tool_result":
            body = _result_text(block.get("content"))
        case "image" | "redacted_thinking":
            body = ""
        case _:
            body = json.dumps(block, sort_keys=True, ensure_ascii=False)
    return Block(role, kind, ident, body, node.uuid, node.number)


def _result_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    items = [item for item in content if not _is_reference(item)]
    if not items and content:
        return NO_REFERENCES
    return "\n".join(_item_text(item) for item in items)


def _is_reference(item: Any) -> bool:
    return isinstance(item, dict) and item.get("type") == "tool_reference"


def _item_text(item: Any) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, dict):
        return text(item.get("text")) or json.dumps(item, sort_keys=True)
    return ""
