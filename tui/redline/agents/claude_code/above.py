"""What lies above the last compaction of a branch, kept while the file only grows below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from redline.agents.claude_code.node import Boundary, Mark, Node, Type
from redline.model import PastCompaction


@dataclass(slots=True)
class Above:
    """The segments above the compaction `stop`, and what tells that they are still the same.

    `settled` is how often records were replaced by later ones when it was made, `replies` and
    `records` are the ids of its replies and of their records, on which something may hang that
    comes later, `missing` names that were looked for in vain. `history` and `seen` are its records,
    each once. `past` are the compactions above `stop`, and `messages` how many came before it; they
    are worked out when they are wanted.
    """

    stop: Node
    settled: int
    segments: list[list[Node]]
    stops: list[Node]
    replies: frozenset[str]
    records: frozenset[str]
    missing: frozenset[str]
    history: list[Node] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    past: tuple[PastCompaction, ...] | None = None
    messages: int = 0

    def holds(self, nodes: Sequence[Node], by_uuid: Mapping[str, Node], settled: int) -> bool:
        """Whether nothing below `stop` reaches above it."""
        if self.settled != settled or by_uuid.get(self.stop.uuid) is not self.stop:
            return False
        return not any(
            node.uuid in self.missing
            or (node.type is Type.ASSISTANT and node.api_id in self.replies)
            or (node.marks & Mark.RESULTS and node.parent in self.records)
            for node in nodes[self.stop.place + 1 :]
        )


def above(
    segments: list[list[Node]],
    stops: list[Node],
    nodes: Sequence[Node],
    by_uuid: Mapping[str, Node],
    boundaries: Iterable[Boundary],
    settled: int,
) -> Above | None:
    """What lies above the last of `stops`; None where something below reaches above it.

    No parent in `segments` may name nothing: where the climb went on there depends on all records.
    """
    history: list[Node] = []
    seen: set[str] = set()
    for segment in segments:
        for node in segment:
            if node.uuid not in seen:
                seen.add(node.uuid)
                history.append(node)
    replies = frozenset(node.api_id for node in history if node.api_id)
    last = stops[-1].place
    records = {node.uuid for node in nodes[: last + 1] if node.api_id in replies}
    named = {
        name
        for boundary in boundaries
        for name in (
            *boundary.preserved,
            boundary.head,
            boundary.tail,
            boundary.anchor,
            boundary.logical_parent,
        )
        if name
    }
    missing = frozenset(name for name in named if name not in by_uuid)
    found = Above(
        stops[-1], settled, segments, stops, replies, frozenset(records), missing, history, seen
    )
    return found if found.holds(nodes, by_uuid, settled) else None
