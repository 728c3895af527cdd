"""The past compactions of a branch, from its boundaries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from redline.agents.claude_code.branch import Branch, kept_over
from redline.agents.claude_code.kept import Kept
from redline.agents.claude_code.messages import build
from redline.agents.claude_code.node import Mark, Node, Type
from redline.agents.claude_code.skeleton import Skeleton
from redline.model import Message, PastCompaction


def past_compactions(
    skeleton: Skeleton,
    branch: Branch,
    record_of: Callable[[Node], dict[str, Any]],
    path: Path,
    kept: Kept,
) -> tuple[PastCompaction, ...]:
    """Full, partial and micro compactions in the order of the branch."""
    known = branch.above
    found: list[PastCompaction] = []
    above, first = 0, 0
    seen: set[str] = set()
    if (folded := skeleton.folded) is not None:
        found, above = list(folded.past), folded.messages
    last = len(branch.segments) - 1
    if known is not None and known.past is not None:
        found, above, first, seen = list(known.past), known.messages, last, known.seen
    for index, segment in enumerate(branch.segments[first:], start=first):
        if index == last and known is not None and known.past is None:
            known.past, known.messages = tuple(found), above
        if index:
            stop = branch.stops[index - 1]
            preserved = set(kept_over(skeleton, stop))
            later = [
                node for node in segment if node.uuid not in preserved and node.uuid not in seen
            ]
            found.append(after_stop(skeleton, stop, later, above, record_of, path, kept))
        fresh = [node for node in segment if node.uuid not in seen]
        if index < last:
            seen.update(node.uuid for node in fresh)
        replies: set[str] = set()
        for place, node in enumerate(fresh):
            if node.marks & Mark.MICRO:
                after = _first_billed(fresh[place:])
                found.append(_compaction(skeleton, node, above, None, after))
            elif counts_as_message(node, replies):
                above += 1
    return tuple(found)


def after_stop(
    skeleton: Skeleton,
    stop: Node,
    later: list[Node],
    above: int,
    record_of: Callable[[Node], dict[str, Any]],
    path: Path,
    kept: Kept,
) -> PastCompaction:
    """The compaction `stop`, which `above` messages came before and `later` came after."""
    summary = next((node for node in later if node.marks & Mark.SUMMARY), None)
    message = _summary(summary, record_of, path, kept)
    return _compaction(skeleton, stop, above, message, _first_billed(later))


def counts_as_message(node: Node, replies: set[str]) -> bool:
    """Whether `node` starts a message; `replies` takes in the ids of replies met so far."""
    if not node.marks & Mark.SENT:
        return False
    if node.type is not Type.ASSISTANT or not node.api_id:
        return True
    if node.api_id in replies:
        return False
    replies.add(node.api_id)
    return True


def _summary(
    node: Node | None, record_of: Callable[[Node], dict[str, Any]], path: Path, kept: Kept
) -> Message | None:
    return next(build([node], record_of, path, kept=kept), None) if node else None


def _first_billed(nodes: list[Node]) -> int | None:
    return next((node.billed for node in nodes if node.billed), None)


def _compaction(
    skeleton: Skeleton, node: Node, above: int, summary: Message | None, after: int | None
) -> PastCompaction:
    boundary = skeleton.boundaries[node.uuid]
    preserved = kept_over(skeleton, node) if node.marks & Mark.BOUNDARY else ()
    return PastCompaction(
        id=node.uuid,
        kind=boundary.kind,
        record=node.number,
        trigger=boundary.trigger,
        time=node.when,
        tokens_before=boundary.tokens_before,
        tokens_after=after,
        reported_after=boundary.tokens_after,
        messages_before=above,
        summary=summary,
        preserved=preserved,
        cleared=boundary.cleared,
    )
