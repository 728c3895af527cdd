"""Folds away the records far above the end of a long file: what is told of them without keeping
them.

A compaction ends what a running process holds, and in a file that is whole nothing below reaches
above the compaction before it. So when a compaction comes, what lies above the one before is
counted and let go, and a long file opens in the memory of its end. All of that rests on the chain
being plain; where it is not, or where a later name turns out to be one that was let go, the file is
`spoilt` for it and is read again as a whole.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import Self

from redline.agents.claude_code.branch import Branch, branch_to
from redline.agents.claude_code.compactions import after_stop, counts_as_message
from redline.agents.claude_code.kept import Kept
from redline.agents.claude_code.node import Boundary, Mark, Node
from redline.agents.claude_code.skeleton import Skeleton
from redline.agents.claude_code.source import record_reader
from redline.model import PastCompaction

FOLDED_FROM = 64_000_000  # bytes; of a shorter file everything is kept
_ODD = Mark.ASIDE | Mark.SIDECHAIN | Mark.NAMELESS | Mark.RECOVERED | Mark.MICRO | Mark.LOOSE


@dataclass(slots=True)
class Folding:
    """What is told of the records that were let go.

    `prompts` are those that hold a person's words, `parts` counts these as `Counts.prompts` does.
    `past` are the compactions among them, `started` is their first time. `names` are the hashes of
    the ids that they bear, `absent` of those that were looked for among them in vain.
    """

    prompts: list[Node] = field(default_factory=list)
    past: list[PastCompaction] = field(default_factory=list)
    messages: int = 0
    parts: int = 0
    pairs: int = 0
    started: datetime | None = None
    folded: bool = False
    spoilt: bool = False
    names: array[int] = field(default_factory=lambda: array("q"))
    absent: set[int] = field(default_factory=set)
    _checked: int = 0

    def copied(self) -> Self:
        """The same, to be gone on with apart from this one."""
        return replace(
            self,
            prompts=list(self.prompts),
            past=list(self.past),
            names=self.names[:],
            absent=set(self.absent),
        )

    def fold(self, skeleton: Skeleton) -> None:
        """Lets go of what lies above the compaction before the last record, which is one."""
        stops = [node for node in skeleton.nodes[:-1] if node.marks & Mark.BOUNDARY]
        if stops[int(self.folded) :] and not self.spoilt:
            self._fold(skeleton, stops[-1])

    def _fold(self, skeleton: Skeleton, stop: Node) -> None:
        part = Skeleton(skeleton.path, boundaries=skeleton.boundaries)
        part.nodes = skeleton.nodes[: stop.place + 1]
        part.by_uuid = {node.uuid: node for node in part.nodes}
        twice = len(skeleton.by_uuid) < len(skeleton.nodes)
        if twice or skeleton.legacy_titles or not self._is_plain(part):
            self.spoilt = True
            return
        branch = branch_to(part, stop, {})
        if not self._holds_all(branch, part):
            self.spoilt = True
            return
        segment = branch.segments[-2]
        self._take(skeleton, branch.stops[0] if self.folded else None, segment)
        gone = part.nodes[:-1]
        self.started = self.started or next((node.when for node in gone if node.when), None)
        for node in gone:
            del skeleton.by_uuid[node.uuid]
            skeleton.boundaries.pop(node.uuid, None)
        skeleton.nodes = skeleton.nodes[stop.place :]
        skeleton.hints = [replace(each, place=each.place - stop.place) for each in skeleton.hints]
        skeleton.hints = skeleton.hints[-1:]
        for place, node in enumerate(skeleton.nodes):
            node.place = place
        skeleton.above = None
        self.folded = True

    def _is_plain(self, part: Skeleton) -> bool:
        """Whether every record but the first hangs on one of them, or is the compaction."""
        first, last = part.nodes[0], part.nodes[-1]
        stops = (first, last) if self.folded else (last,)
        if any(node.marks & _ODD for node in part.nodes):
            return False
        if any(_reaches(part.boundaries[stop.uuid]) for stop in stops):
            return False
        for node in part.nodes:
            if node.parent is None:
                if node is not first and node is not last:
                    return False
            elif node.parent not in part.by_uuid:
                return False
        logical = part.boundaries[last.uuid].logical_parent
        if logical and logical not in part.by_uuid:
            self.absent.add(hash(logical))
        return True

    def _holds_all(self, branch: Branch, part: Skeleton) -> bool:
        """Whether the branch is all there is."""
        if branch.seams or len(branch.stops) != 1 + self.folded:
            return False
        return len(branch.history()) + len(branch.stops) == len(part.nodes)

    def _take(self, skeleton: Skeleton, stop: Node | None, segment: list[Node]) -> None:
        if stop is not None:
            with record_reader(skeleton.path) as record_of:
                self.past.append(
                    after_stop(
                        skeleton, stop, segment, self.messages, record_of, skeleton.path, Kept()
                    )
                )
            self.names.append(hash(stop.uuid))
        replies: set[str] = set()
        self.messages += sum(counts_as_message(node, replies) for node in segment)
        said = [node for node in segment if node.prompts]
        self.prompts += said
        self.parts += sum(node.prompts for node in said)
        closed = skeleton.calls.keys() & skeleton.results.keys()
        for call in closed:
            del skeleton.calls[call], skeleton.results[call]
        self.pairs += len(closed)
        bear = chain((node.uuid for node in segment), replies_of(segment), closed)
        self.names.extend(map(hash, bear))
        skeleton.requests.forget(node.api_id or node.uuid for node in segment)

    def check(self, skeleton: Skeleton) -> None:
        """Whether what was let go is still apart from all that came after it."""
        if not self.folded or self.spoilt:
            return
        kept = [*skeleton.by_uuid, *replies_of(skeleton.nodes), *skeleton.calls, *skeleton.results]
        names = self.absent | set(map(hash, kept))
        hint = skeleton.hints[-1].leaf if skeleton.hints else None
        sought = [hint, *(node.parent for node in skeleton.nodes)]
        for boundary in skeleton.boundaries.values():
            if boundary.uuid == skeleton.nodes[0].uuid:
                continue  # looked at when what is above it was folded away
            sought += [*boundary.preserved, boundary.head, boundary.tail, boundary.anchor]
            if boundary.logical_parent and boundary.logical_parent not in skeleton.by_uuid:
                names.add(hash(boundary.logical_parent))
        loose = any(
            node.marks & Mark.LOOSE or (node.parent is None and not node.marks & Mark.BOUNDARY)
            for node in skeleton.nodes
        )
        lost = any(name is not None and name not in skeleton.by_uuid for name in sought)
        if len(self.names) > self._checked:
            self.spoilt = len(set(self.names)) < len(self.names)
            self._checked = len(self.names)
        self.spoilt = self.spoilt or loose or lost or not names.isdisjoint(self.names)


def replies_of(nodes: Iterable[Node]) -> Iterator[str]:
    """The ids of the replies among `nodes`, each once."""
    yield from dict.fromkeys(node.api_id for node in nodes if node.api_id)


def _reaches(boundary: Boundary) -> bool:
    """Whether a compaction kept or cleared something above it."""
    return bool(boundary.preserved or boundary.head or boundary.tail or boundary.cleared)
