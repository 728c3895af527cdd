"""Where the loader's chain goes on above a gap: at the record nearest in time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection

from redline.agents.claude_code.node import Node, Type
from redline.agents.claude_code.skeleton import Skeleton

# How far back Claude Code 2.1.197 looks, in seconds. A longer gap ends its chain.
REACH = 5.0


def _clock(skeleton: Skeleton) -> list[tuple[float, int]]:
    """(time, -place) of the records that a chain can go on with, sorted; made once."""
    if skeleton.clock is None:
        skeleton.clock = sorted(
            (node.time, -node.place)
            for node in skeleton.nodes
            if node.type is not Type.PROGRESS and not node.sidechain and node.time is not None
        )
    return skeleton.clock


def nearest_in_time(skeleton: Skeleton, node: Node, seen: Collection[str]) -> Node | None:
    """The latest record at most five seconds before `node`, of several the first in the file."""
    moment = node.time
    if moment is None:
        return None
    clock = _clock(skeleton)
    for at in range(bisect_right(clock, (moment, 1)) - 1, -1, -1):
        seconds, place = clock[at]
        if moment - seconds > REACH:
            return None
        candidate = skeleton.nodes[-place]
        if candidate.uuid not in seen and candidate.loaded:
            return candidate
    return None
