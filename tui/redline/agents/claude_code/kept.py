"""Messages that were built before: those that are as they were are not built again."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from redline.agents.claude_code.node import Node
from redline.model import Message, PartState, PartType

_Key = tuple[tuple[tuple[int, int, bool], ...], bool]


class Kept:
    """Messages by the places of their records, and first lines of records.

    What was not asked for since the last `tidy` is forgotten there.
    """

    def __init__(self) -> None:
        self._messages: dict[_Key, Message] = {}
        self._used: dict[_Key, Message] = {}
        self._heads: dict[int, str] = {}

    def message(
        self,
        group: list[Node],
        *,
        seam: bool,
        cleared: Collection[str],
        stale: Collection[str],
        tools: dict[str, str],
    ) -> Message | None:
        """The message of these records, where it was built before and would be the same now.

        `tools` are the names of the tools by the calls above it; those of its own are added.
        """
        key = _key(group, seam, stale)
        message = self._messages.get(key) or self._used.get(key)
        if message is None or not _holds(message, cleared, tools):
            return None
        self._used[key] = message
        return message

    def add(
        self, message: Message, group: list[Node], *, seam: bool, stale: Collection[str]
    ) -> None:
        """`message` was built of these records."""
        self._used[_key(group, seam, stale)] = message

    def head(self, node: Node, read: Callable[[Node], str]) -> str:
        """The first line of a record, read once."""
        if node.start not in self._heads:
            self._heads[node.start] = read(node)
        return self._heads[node.start]

    def tidy(self) -> None:
        """All messages that are wanted were asked for."""
        self._messages, self._used = self._used, {}


def _key(group: list[Node], seam: bool, stale: Collection[str]) -> _Key:
    return tuple((node.start, node.end, node.uuid in stale) for node in group), seam


def _holds(message: Message, cleared: Collection[str], tools: dict[str, Any]) -> bool:
    """Whether what stands above the message, and what was cleared, still makes it so."""
    for part in message.parts:
        if part.type is PartType.TOOL_CALL:
            if part.call_id and part.tool:
                tools[part.call_id] = part.tool
        elif part.call_id is not None:
            if part.tool != tools.get(part.call_id):
                return False
            if part.type is PartType.TOOL_RESULT and (part.call_id in cleared) != (
                part.state is PartState.CLEARED
            ):
                return False
    return True
