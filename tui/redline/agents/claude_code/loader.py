"""Which records the agent's own loader finds in a session file.

A gap of more than seconds ends its chain. Found by running 2.1.197 on real files and on variants
of them.
"""

from __future__ import annotations

from redline.agents.claude_code.chain import (
    TALK,
    SiblingIndex,
    below,
    choose_leaf,
    climb,
    last_boundary,
    relinked,
    with_siblings,
)
from redline.agents.claude_code.node import Mark, Node
from redline.agents.claude_code.skeleton import Skeleton


def loader_nodes(skeleton: Skeleton, leaf: str | None = None) -> list[Node]:
    """The records that the loader finds, after the last compaction on its branch.

    `leaf` is the record that the branch ends in, by default the one that the loader chooses.
    """
    boundary = last_boundary(skeleton)
    parents = relinked(skeleton, boundary, heal=False)
    end = skeleton.by_uuid.get(leaf) if leaf else choose_leaf(skeleton, parents, heal=False)
    if end is None:
        return []
    nodes = climb(skeleton, end, parents, heal=False).nodes
    if leaf is None and not any(node.type in TALK for node in nodes):
        end = _last_said(skeleton) or end
        nodes = climb(skeleton, end, parents, heal=False).nodes
    nodes = [node for node in nodes if node.loaded]
    above = next((node.place for node in reversed(nodes) if node.marks & Mark.BOUNDARY), 0)
    index = SiblingIndex.of(skeleton, heal=False, start=above)
    nodes = with_siblings(nodes, index, heal=False) + below(skeleton, end, parents, heal=False)
    return _after_boundary(nodes)


def _last_said(skeleton: Skeleton) -> Node | None:
    """What the loader ends in where nobody says anything above the last record."""
    for node in reversed(skeleton.nodes):
        if node.type in TALK and node.loaded and not node.sidechain:
            return node
    return None


def _after_boundary(nodes: list[Node]) -> list[Node]:
    """What comes behind the last full or partial compaction among `nodes`."""
    for place in range(len(nodes) - 1, -1, -1):
        if nodes[place].marks & Mark.BOUNDARY:
            return nodes[place + 1 :]
    return nodes
