"""The live branch of a session: its context, and what lies above each compaction."""

from __future__ import annotations

from dataclasses import dataclass, field

from redline.agents.claude_code.above import Above, above
from redline.agents.claude_code.chain import (
    SiblingIndex,
    below,
    choose_leaf,
    climb,
    last_boundary,
    preserved_uuids,
    relinked,
    with_siblings,
)
from redline.agents.claude_code.node import Boundary, Mark, Node
from redline.agents.claude_code.skeleton import Skeleton


@dataclass(slots=True)
class Branch:
    """`segments` hold the records between compactions, oldest first; the last one is the context.

    `stops[i]` is the boundary between segments i and i+1. `seams` are healed places.
    """

    segments: list[list[Node]] = field(default_factory=list)
    stops: list[Node] = field(default_factory=list)
    seams: set[str] = field(default_factory=set)
    leaf: Node | None = None
    above: Above | None = None  # all but the last segment, where it is known from before

    @property
    def context(self) -> list[Node]:
        return self.segments[-1] if self.segments else []

    def history(self) -> list[Node]:
        """Every record of the branch once, preserved ones at their first place."""
        found = list(self.above.history) if self.above else []
        known = self.above.seen if self.above else frozenset()
        seen: set[str] = set()
        for segment in self.segments[-1:] if self.above else self.segments:
            for node in segment:
                if node.uuid not in known and node.uuid not in seen:
                    seen.add(node.uuid)
                    found.append(node)
        return found

    def uuids(self) -> set[str]:
        """The records of the branch and its boundaries."""
        found = {node.uuid for node in self.history()}
        return found | {node.uuid for node in self.stops}


def live_branch(skeleton: Skeleton, leaf: str | None = None) -> Branch:
    """The branch that ends in `leaf`, by default in the one that the agent would choose."""
    parents = relinked(skeleton, last_boundary(skeleton), heal=True)
    end = skeleton.by_uuid.get(leaf) if leaf else choose_leaf(skeleton, parents, heal=True)
    if end is None:
        return Branch()
    return branch_to(skeleton, end, parents)


def branch_to(skeleton: Skeleton, end: Node, parents: dict[str, str]) -> Branch:
    """The branch down to the record `end`, with what hangs on it."""
    branch = Branch(leaf=end)
    tail = below(skeleton, end, parents, heal=True)
    whole = True
    index: SiblingIndex | None = None
    at: Node | None = end
    stops: set[str] = set()
    while at is not None:
        chain = climb(skeleton, at, parents, heal=True)
        branch.seams |= chain.seams
        boundary_at = _boundary_place(chain.nodes)
        stop = chain.nodes[boundary_at] if boundary_at >= 0 else None
        rest = chain.nodes[boundary_at + 1 :]
        start = stop.place if stop else 0  # what is above a compaction stays out
        if stop is not None and at is end and (known := _known(skeleton, stop)) is not None:
            index = SiblingIndex.of(skeleton, heal=True, start=start)
            context = with_siblings(rest, index, heal=True, start=start) + tail
            branch.segments, branch.stops = [*known.segments, context], list(known.stops)
            branch.above = known
            return branch
        whole = whole and (chain.whole or at is end)
        index = index or SiblingIndex.of(skeleton, heal=True)
        branch.segments.insert(0, with_siblings(rest, index, heal=True, start=start) + tail)
        if stop is None or stop.uuid in stops:
            break
        tail = []
        stops.add(stop.uuid)
        branch.stops.insert(0, stop)
        at = _above(skeleton, stop)
        parents = relinked(skeleton, _boundary_before(skeleton, stop), heal=True)
    else:
        branch.segments.insert(0, [])  # nothing is above the first compaction
    if branch.stops and whole and len(branch.segments) == len(branch.stops) + 1:
        branch.above = skeleton.above = above(
            branch.segments[:-1],
            list(branch.stops),
            skeleton.nodes,
            skeleton.by_uuid,
            skeleton.boundaries.values(),
            skeleton.settled,
        )
    return branch


def _known(skeleton: Skeleton, stop: Node) -> Above | None:
    """What lies above `stop`, where it is known from before and still holds."""
    known = skeleton.above
    if known is None or known.stop is not stop:
        return None
    holds = known.holds(skeleton.nodes, skeleton.by_uuid, skeleton.settled)
    return known if holds else None


def _boundary_place(nodes: list[Node]) -> int:
    for place in range(len(nodes) - 1, -1, -1):
        if nodes[place].marks & Mark.BOUNDARY:
            return place
    return -1


def _boundary_before(skeleton: Skeleton, stop: Node) -> Boundary | None:
    for place in range(stop.place - 1, -1, -1):
        node = skeleton.nodes[place]
        if node.marks & Mark.BOUNDARY:
            return skeleton.boundaries[node.uuid]
    return None


def _above(skeleton: Skeleton, stop: Node) -> Node | None:
    """The last record before a compaction.

    The boundary's logical parent often names nothing on disk; then it is the record before it.
    """
    boundary = skeleton.boundaries[stop.uuid]
    named = skeleton.by_uuid.get(boundary.logical_parent or "")
    if named is not None and named.place < stop.place and not named.sidechain:
        return named
    for place in range(stop.place - 1, -1, -1):
        if not skeleton.nodes[place].sidechain:
            return skeleton.nodes[place]
    return None


def kept_over(skeleton: Skeleton, stop: Node) -> tuple[str, ...]:
    """The records that a compaction kept word for word."""
    return preserved_uuids(skeleton, skeleton.boundaries[stop.uuid])
