"""One item of the history that Codex sends, with its place on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redline.model import Origin, Pointer, Usage

MESSAGE = "message"
REASONING = "reasoning"
INTER_AGENT = "inter_agent_communication"
COMPACTIONS = frozenset({"compaction", "compaction_summary", "context_compaction"})
CALLS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "tool_search_call": "arguments",
}
OUTPUTS = {
    "function_call_output": "output",
    "custom_tool_call_output": "output",
    "tool_search_output": "tools",
}
# What one answer of the model is made of (beside its messages).
_ANSWERED = frozenset({REASONING, "web_search_call", "image_generation_call", *CALLS})
KNOWN = frozenset({MESSAGE, "agent_message", *COMPACTIONS, *OUTPUTS, *_ANSWERED})
# Never sent again: snapshots for undo (2025-10 to 2026-04), and what Codex itself keeps out.
DROPPED = frozenset({"ghost_snapshot", "compaction_trigger", "additional_tools", "other"})


@dataclass(slots=True)
class Reply:
    """One answer of the model: all items of it are one message. `usage` is as billed."""

    ident: str
    usage: Usage | None = None
    model: str | None = None


@dataclass(slots=True, eq=False)
class Item:
    """An item of the history. `value` is the Responses item, `type` what it is.

    `number`, `start` and `end` are those of its record, `pointer` leads to it inside the record;
    `body` leads to the one text of an item that the record does not hold in this form. `sequence`
    numbers the records of the whole history. `copied` is an item that a compaction retained: its
    place is that of the original where it is word for word the same. `told` is the time of the
    record as written. `spoken` is false for a message of the user's role that Codex's own events
    do not tell of, though they tell of others: it was put in.
    """

    type: str
    value: Mapping[str, Any]
    path: Path
    number: int
    start: int
    end: int
    pointer: Pointer
    ident: str
    sequence: int
    told: object = None
    reply: Reply | None = None
    body: Pointer | None = None
    boundary: bool = False
    copied: bool = False
    summary: bool = False
    spoken: bool = True

    @property
    def role(self) -> str:
        role = self.value.get("role")
        return role if self.type == MESSAGE and isinstance(role, str) else ""

    @property
    def answered(self) -> bool:
        """Whether the model itself wrote it."""
        return self.role == "assistant" or self.type in _ANSWERED

    @property
    def call_id(self) -> str | None:
        ident = self.value.get("call_id")
        return ident if isinstance(ident, str) and ident else None

    def origin(self, pointer: Pointer, span: tuple[int, int] | None = None) -> Origin:
        """The place of a body inside the item."""
        whole = self.body if self.body is not None else self.pointer + pointer
        return Origin(self.path, self.number, self.start, self.end, whole, span)
