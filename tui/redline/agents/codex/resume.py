"""What Codex 0.171 sends when it resumes a rollout, in the form of the Responses API.

It opens with the base instructions where the session holds them. A result without its call is left
out, a long one is shortened in the middle. What Codex makes up itself (its own instructions and
environment, `aborted` for a call without a result) stands in no file and is not listed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from redline.agents.codex.item import INTER_AGENT, MESSAGE, Item
from redline.agents.codex.shortening import RESULT_BYTES, shorten_result
from redline.model import Block

# Which calls an output answers.
_ANSWERS = {
    "function_call_output": ("function_call", "local_shell_call"),
    "custom_tool_call_output": ("custom_tool_call",),
    "tool_search_output": ("tool_search_call",),
}
_UNSENT = ("internal_chat_message_metadata_passthrough", "metadata")
_ID = re.compile(r"[a-z]*_.*", re.S)  # others are no ids to Codex, it leaves them out
_ALIASES = {"compaction_summary": "compaction"}


def resume_blocks(items: Sequence[Item], system: Item | None) -> Iterator[Block]:
    """The blocks of a window, one for each text or image of a message and for each other item."""
    if system is not None:
        yield from _blocks(system)
    called = {(item.type, item.call_id) for item in items}
    for item in items:
        answers = _ANSWERS.get(item.type)
        call = item.call_id
        if answers and call and not any((kind, call) in called for kind in answers):
            continue
        yield from _blocks(item)


def _blocks(item: Item) -> Iterator[Block]:
    named = item.reply.ident if item.reply else item.ident
    if item.type == MESSAGE:
        content = item.value.get("content")
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict):
                text = block.get("text")
                body = text if isinstance(text, str) and text else _json(block)
                wire = block.get("type")
                wire = wire if isinstance(wire, str) else ""
                yield Block(item.role, wire, None, body, named, item.number)
        return
    value = _sent(item)
    wire = str(value["type"])
    yield Block("", wire, item.call_id, _text(value), named, item.number)


def _sent(item: Item) -> Mapping[str, Any]:
    """The item as it is sent."""
    if item.type == INTER_AGENT:
        return agent_message(item.value)
    value = {name: held for name, held in item.value.items() if name not in _UNSENT}
    if not _ID.fullmatch(str(value.get("id", "_"))):
        del value["id"]
    if item.type == "tool_search_output":
        value.setdefault("call_id", None)
    value["type"] = _ALIASES.get(item.type, item.type)
    if item.type.endswith("call_output") and item.pointer[1:2] != ("replacement_history",):
        value["output"] = _shortened(value.get("output"))
    return value


def agent_message(said: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message between agents as the model is given it."""
    sealed = said.get("encrypted_content")
    content: list[dict[str, Any]] = [{"type": "input_text", "text": said.get("content")}]
    if isinstance(sealed, str):
        kind = "NEW_TASK" if said.get("trigger_turn") is True else "MESSAGE"
        head = (
            f"Message Type: {kind}\nTask name: {said.get('recipient')}\n"
            f"Sender: {said.get('author')}\nPayload:\n"
        )
        content = [
            {"type": "input_text", "text": head},
            {"type": "encrypted_content", "encrypted_content": sealed},
        ]
    sender = {"author": said.get("author"), "recipient": said.get("recipient")}
    own = {"id": said["id"]} if isinstance(said.get("id"), str) else {}
    return {"type": "agent_message", **own, **sender, "content": content}


def _shortened(output: object) -> object:
    if isinstance(output, str):
        return shorten_result(output)
    if not isinstance(output, list):
        return output
    texts = [b["text"] for b in output if isinstance(b, dict) and isinstance(b.get("text"), str)]
    if sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) <= RESULT_BYTES:
        return output
    found: list[object] = []
    left, omitted = RESULT_BYTES, 0
    for block in output:
        text = block.get("text") if isinstance(block, dict) else None
        if not isinstance(text, str):
            found.append(block)
        elif left <= 0:
            omitted += 1
        else:
            size = len(text.encode("utf-8", "surrogatepass"))
            found.append({**block, "text": shorten_result(text, left)})
            left = max(0, left - size)
    if omitted:
        found.append({"type": "input_text", "text": f"[omitted {omitted} text items ...]"})
    return found


def _text(value: Mapping[str, Any]) -> str:
    """The text of an item that is no message: its input, its output, what is sealed in it, or else
    the item itself as JSON."""
    for name in ("arguments", "input"):
        if held := value.get(name):
            return held if isinstance(held, str) else json.dumps(held)
    output = value.get("output")
    joined = output if isinstance(output, str) else _joined(output)
    return joined or _string(value.get("encrypted_content")) or _json(value)


def _joined(output: object) -> str:
    blocks: Iterable[object] = output if isinstance(output, list) else ()
    texts = []
    for block in blocks:
        text = block.get("text") if isinstance(block, dict) else block
        texts.append(text if isinstance(text, str) and text else _json(block))
    return "\n".join(texts)


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True)
