"""Lists what is wrong with the links of a session file, on every branch."""

from __future__ import annotations

from redline.agents.claude_code.node import Node
from redline.agents.claude_code.skeleton import Skeleton
from redline.model import Damage, DamageKind


def link_damage(skeleton: Skeleton) -> list[Damage]:
    """Parents that name nothing and circles of parents, with their records."""
    found = []
    for node in skeleton.nodes:
        if node.parent is not None and node.parent not in skeleton.by_uuid:
            detail = f"the parent {node.parent[:60]!r} is not in the file"
            found.append(Damage(node.number, DamageKind.DANGLING, detail))
    found += [
        Damage(node.number, DamageKind.CYCLE, "its parents lead back to itself")
        for node in _circles(skeleton)
    ]
    return found


def _circles(skeleton: Skeleton) -> list[Node]:
    """The first record in file order of each circle."""
    state: dict[str, int] = {}  # the walk that met it
    found = []
    for walk, start in enumerate(skeleton.nodes):
        path: list[Node] = []
        at: Node | None = start
        while at is not None and at.uuid not in state:
            state[at.uuid] = walk
            path.append(at)
            at = skeleton.by_uuid.get(at.parent) if at.parent else None
        if at is not None and state[at.uuid] == walk:
            circle = path[path.index(at) :]
            found.append(min(circle, key=lambda node: node.place))
    return found
