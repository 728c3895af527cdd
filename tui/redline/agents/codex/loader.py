"""What Codex's own loader reads of a rollout (0.171): a record that it cannot parse it passes over.

A running process has what it wrote; only files that other programs wrote or changed differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from redline.agents.codex.head import is_ordinal
from redline.agents.codex.item import MESSAGE

_TEXTS = ("input_text", "output_text")
_Value = Mapping[str, Any]


def loads(record: _Value, kind: object, payload: object) -> bool:
    """Whether the loader reads the record; `kind` and `payload` are its own."""
    if not isinstance(record.get("timestamp"), str) or not isinstance(payload, dict):
        return False
    if not is_ordinal(record.get("ordinal")):
        return False
    if kind == "response_item":
        return loads_item(payload)
    if kind != "compacted":
        return True
    history = payload.get("replacement_history")
    if not isinstance(payload.get("message"), str):
        return False
    return history is None or (isinstance(history, list) and all(map(loads_item, history)))


def loads_item(value: object) -> bool:
    """Whether the loader reads an item; one of an unknown type it reads as such."""
    if not isinstance(value, dict) or not isinstance(kind := value.get("type"), str):
        return False
    check = _CHECKS.get(kind)
    return check is None or check(value)


def _strings(*names: str) -> Callable[[_Value], bool]:
    return lambda value: all(isinstance(value.get(name), str) for name in names)


def _blocks(content: object) -> bool:
    return isinstance(content, list) and all(map(_block, content))


def _block(block: object) -> bool:
    if not isinstance(block, dict):
        return False
    kind = block.get("type")
    if kind in _TEXTS:
        return isinstance(block.get("text"), str)
    if kind == "input_image":
        return isinstance(block.get("image_url"), str)
    return kind == "input_audio" and isinstance(block.get("audio_url"), str)


def _message(value: _Value) -> bool:
    return isinstance(value.get("role"), str) and _blocks(value.get("content"))


def _reasoning(value: _Value) -> bool:
    summary, content = value.get("summary"), value.get("content")
    told = isinstance(summary, list) and all(_said(block, ("summary_text",)) for block in summary)
    raw = content is None or (
        isinstance(content, list)
        and all(_said(block, ("reasoning_text", "text")) for block in content)
    )
    return told and raw and isinstance(value.get("encrypted_content"), str | None)


def _said(block: object, kinds: tuple[str, ...]) -> bool:
    return (
        isinstance(block, dict)
        and block.get("type") in kinds
        and isinstance(block.get("text"), str)
    )


def _output(value: _Value) -> bool:
    return isinstance(value.get("output"), str | list)


_CHECKS: Mapping[str, Callable[[_Value], bool]] = {
    MESSAGE: _message,
    "reasoning": _reasoning,
    "function_call": _strings("name", "arguments", "call_id"),
    "custom_tool_call": _strings("name", "input", "call_id"),
    "function_call_output": _output,
    "custom_tool_call_output": _output,
    "compaction": _strings("encrypted_content"),
    "compaction_summary": _strings("encrypted_content"),
}
