"""Which records are the conversation: the climb from a leaf by parents.

Two readings of one file. The *loader's* goes on above a parent that names nothing, or that leads
back into the chain, only where a record lies within seconds. The *healed* one then goes on with the
nearest earlier record of the main chain, because a process that was still running had it all; the
place is a seam.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from redline.agents.claude_code.gaps import nearest_in_time
from redline.agents.claude_code.node import Boundary, Mark, Node, Type
from redline.agents.claude_code.skeleton import Skeleton

TALK = (Type.USER, Type.ASSISTANT)


@dataclass(slots=True)
class Chain:
    """Records in order, root first. `seams` are the uuids just below a healed gap; it is `whole`
    where no record's parent had to be looked for."""

    nodes: list[Node] = field(default_factory=list)
    seams: set[str] = field(default_factory=set)
    whole: bool = True


def preserved_uuids(skeleton: Skeleton, boundary: Boundary) -> tuple[str, ...]:
    """The records that a partial compaction kept, in order; those that are in the file.

    () where the preserved segment cannot be walked from its tail to its head.
    """
    if boundary.preserved:
        return tuple(uuid for uuid in boundary.preserved if uuid in skeleton.by_uuid)
    if not (boundary.head and boundary.tail):
        return ()
    found: list[str] = []
    seen: set[str] = set()
    at: str | None = boundary.tail
    while at and at in skeleton.by_uuid and at not in seen:
        seen.add(at)
        found.append(at)
        if at == boundary.head:
            return tuple(reversed(found))
        at = skeleton.by_uuid[at].parent
    return ()


def relinked(skeleton: Skeleton, boundary: Boundary | None, *, heal: bool) -> dict[str, str]:
    """New parents that put the preserved records of `boundary` behind its anchor.

    The loader does so only where every one of them is in the file; then it forgets all other
    records before `boundary`, and what hangs on one of those comes behind the preserved ones.
    """
    if boundary is None:
        return {}
    kept = preserved_uuids(skeleton, boundary)
    if not heal and boundary.preserved and len(kept) < len(boundary.preserved):
        return {}
    anchor = boundary.anchor or boundary.uuid
    if not kept or anchor not in skeleton.by_uuid:
        return {}
    parents = {
        node.uuid: kept[-1]
        for node in skeleton.nodes
        if node.parent == anchor and node.uuid != anchor
    }
    if not heal:
        parents |= _behind_forgotten(skeleton, boundary, kept)
    previous = anchor
    for uuid in kept:
        parents[uuid] = previous
        previous = uuid
    return parents


def _behind_forgotten(
    skeleton: Skeleton, boundary: Boundary, kept: tuple[str, ...]
) -> dict[str, str]:
    place = skeleton.by_uuid[boundary.uuid].place
    later = [node for node in skeleton.nodes[place + 1 :] if node.parent not in kept]
    parents = {node.uuid: skeleton.by_uuid.get(node.parent or "") for node in later}
    return {uuid: kept[-1] for uuid, parent in parents.items() if parent and parent.place < place}


def last_boundary(skeleton: Skeleton) -> Boundary | None:
    """The last full or partial compaction of the file."""
    for node in reversed(skeleton.nodes):
        if node.marks & Mark.BOUNDARY:
            return skeleton.boundaries[node.uuid]
    return None


def climb(
    skeleton: Skeleton,
    leaf: Node,
    parents: Mapping[str, str],
    *,
    heal: bool,
) -> Chain:
    """The records from the root or a boundary down to `leaf`."""
    chain = Chain()
    seen: set[str] = set()
    solid = at = leaf
    while True:
        seen.add(at.uuid)
        chain.nodes.append(at)
        if at.type is not Type.PROGRESS:
            solid = at
        name = parents.get(at.uuid, at.parent)
        parent = skeleton.by_uuid.get(name) if name else None
        if name is None:
            loose = bool(heal and at.marks & Mark.LOOSE)
            above = _before(skeleton, at, seen) if loose else None
            chain.whole = chain.whole and not loose
        elif parent is not None and parent.uuid not in seen and (heal or parent.loaded):
            above = parent
        else:
            chain.whole = False
            near = nearest_in_time(skeleton, solid, seen)
            above = _before(skeleton, at, seen) if heal else near
            if above is not None and near is None:
                chain.seams.add(solid.uuid)
        if above is None:
            break
        at = above
    chain.nodes.reverse()
    return chain


def _before(skeleton: Skeleton, node: Node, seen: Collection[str]) -> Node | None:
    """The nearest earlier record of the main chain in file order."""
    for place in range(node.place - 1, -1, -1):
        candidate = skeleton.nodes[place]
        if not candidate.sidechain and candidate.uuid not in seen:
            return candidate
    return None


def with_siblings(
    nodes: list[Node], index: SiblingIndex, *, heal: bool, start: int = 0
) -> list[Node]:
    """`nodes` and what parallel tool calls left beside them, from place `start` of the file on.

    Other records of the same reply, and the results that hang on them, come behind the last record
    of that reply. The loader sorts what it adds by time; healed, the order of the file holds.
    """
    inside = {node.uuid for node in nodes}
    last: dict[str, str] = {}
    for node in nodes:
        if node.type is Type.ASSISTANT and node.api_id:
            last[node.api_id] = node.uuid
    added: dict[str, list[Node]] = {}
    for api_id, anchor in last.items():
        replies = [node for node in index.replies.get(api_id, []) if node.place >= start]
        extra = [node for node in replies if node.uuid not in inside]
        extra += [
            result
            for reply in replies
            for result in index.results.get(reply.uuid, [])
            if result.place >= start and result.uuid not in inside
        ]
        if extra:
            extra.sort(key=lambda node: node.place)
            if not heal:
                extra.sort(key=lambda node: -math.inf if node.time is None else node.time)
            added[anchor] = extra
            inside.update(node.uuid for node in extra)
    if not added:
        return nodes
    merged: list[Node] = []
    for node in nodes:
        merged.append(node)
        merged += added.get(node.uuid, ())
    return merged


@dataclass(slots=True)
class SiblingIndex:
    """Records of one reply by its id, and results by the record that called them."""

    replies: dict[str, list[Node]] = field(default_factory=dict)
    results: dict[str, list[Node]] = field(default_factory=dict)

    @classmethod
    def of(cls, skeleton: Skeleton, *, heal: bool, start: int = 0) -> SiblingIndex:
        """Those from place `start` of the file on."""
        index = cls()
        for node in skeleton.nodes[start:]:
            if node.sidechain or not (heal or node.loaded):
                continue
            if node.type is Type.ASSISTANT and node.api_id:
                index.replies.setdefault(node.api_id, []).append(node)
            elif node.marks & Mark.RESULTS and node.parent:
                index.results.setdefault(node.parent, []).append(node)
        return index


def tail(skeleton: Skeleton, *, heal: bool) -> Node | None:
    """The last record of the main chain in file order; progress is passed through, never an end."""
    for node in reversed(skeleton.nodes):
        if node.sidechain or node.type is Type.PROGRESS:
            continue
        if heal or node.loaded:
            return node
    return None


def is_above(
    skeleton: Skeleton, upper: Node, lower: Node, parents: Mapping[str, str], *, heal: bool
) -> bool:
    """Whether `upper` is a proper ancestor of `lower`; the loader does not bridge gaps here."""
    if upper.uuid == lower.uuid:
        return False
    if heal:
        chain = climb(skeleton, lower, parents, heal=True)
        return any(node.uuid == upper.uuid for node in chain.nodes)
    seen: set[str] = set()
    at: Node | None = lower
    while at is not None and at.uuid not in seen:
        seen.add(at.uuid)
        name = parents.get(at.uuid, at.parent)
        at = skeleton.by_uuid.get(name) if name else None
    return upper.uuid in seen


def choose_leaf(skeleton: Skeleton, parents: Mapping[str, str], *, heal: bool) -> Node | None:
    """The record that the conversation ends in; None for a file without any.

    The last `last-prompt` that no boundary follows names it, unless the file goes on below it, or
    messages were preserved and it names nothing that was said last on its branch.
    A pinned hint without a leaf is a conversation that was taken back to its very start.
    """
    end = tail(skeleton, heal=heal)
    if end is None or not skeleton.hints:
        return end
    hint = skeleton.hints[-1]
    boundary = last_boundary(skeleton)
    if boundary is not None and skeleton.by_uuid[boundary.uuid].place >= hint.place:
        return end
    if hint.leaf is None:
        return None if end.place < hint.place else end
    leaf = skeleton.by_uuid.get(hint.leaf)
    if leaf is None or leaf.sidechain:
        return end
    if hint.explicit:
        return leaf
    if parents and not _is_said_last(skeleton, leaf, parents):
        return end
    return end if is_above(skeleton, leaf, end, parents, heal=heal) else leaf


def _is_said_last(skeleton: Skeleton, leaf: Node, parents: Mapping[str, str]) -> bool:
    """Whether `leaf` is something said, and nothing that was said hangs on it."""
    names: set[str | None] = {leaf.uuid}
    for node in skeleton.nodes[leaf.place + 1 :]:
        if not node.sidechain and parents.get(node.uuid, node.parent) in names:
            if node.type in TALK:
                return False
            names.add(node.uuid)
    return leaf.type in TALK


def below(skeleton: Skeleton, leaf: Node, parents: Mapping[str, str], *, heal: bool) -> list[Node]:
    """What hangs on `leaf` without a turn of its own: system records and attachments, in order."""
    found: list[Node] = []
    names = {leaf.uuid}
    for node in skeleton.nodes[leaf.place + 1 :]:
        if node.sidechain or node.uuid in names or not (heal or node.loaded):
            continue
        parent = parents.get(node.uuid, node.parent)
        if parent in names and node.type not in TALK:
            names.add(node.uuid)
            found.append(node)
    return found
