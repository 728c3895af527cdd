"""Walks a rollout: to its end, or to the place that a view of it ends at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from redline.agents.codex.item import Item
from redline.agents.codex.parts import message_of
from redline.agents.codex.rollout import Rollout, Unwanted
from redline.agents.codex.silent import is_unwanted
from redline.agents.codex.tally import TakenBack
from redline.agents.codex.walk import Walk
from redline.agents.records import Record
from redline.model import Damage, Message

Until = Callable[[Walk, Path, Record], bool]


def _never(_walk: Walk, _path: Path, _record: Record) -> bool:
    return False


def located(rollout: Rollout, damage: list[Damage], walk: Walk) -> Iterator[tuple[Path, Record]]:
    """The records that `walk` wants, in order; the others are counted."""
    return rollout.located(damage, unwanted_by(walk))


def unwanted_by(walk: Walk) -> Unwanted:
    """What `walk` passes over without decoding it: counted, and nothing more."""

    def unwanted(kind: str, inner: str, _size: int) -> bool:
        passed_over = is_unwanted(kind, inner)
        walk.tally.records += passed_over
        return passed_over

    return unwanted


def walk_to(
    rollout: Rollout,
    damage: list[Damage],
    *,
    stop: int | None = None,
    until: Until = _never,
    strict: bool = False,
) -> Walk:
    """The walk over the first `stop` records, or up to the one that `until` is true after.

    Where a rollback undoes a compaction the records are walked once more without it. Raises
    RedlineError where the file cannot be read.
    """
    undone: frozenset[int] = frozenset()
    while True:
        walk = Walk(rollout.path, undone, strict=strict)
        found: list[Damage] = []
        for path, record in located(rollout, found, walk):
            if stop is not None and walk.sequence >= stop:
                break
            walk.take(path, record)
            if walk.again or until(walk, path, record):
                break
        if not walk.again:
            walk.settle()
            damage += found
            return walk
        undone = walk.again


def grouped(items: Iterable[Item]) -> list[list[Item]]:
    """The items of each message: all of a reply together, at the place of its first."""
    groups: list[list[Item]] = []
    replies: dict[int, list[Item]] = {}
    for item in items:
        if item.reply is None:
            groups.append([item])
            continue
        known = replies.get(id(item.reply))
        if known is None:
            replies[id(item.reply)] = known = []
            groups.append(known)
        known.append(item)
    return groups


@dataclass(frozen=True, slots=True)
class Branch:
    """What tells the records of a live branch from the others; see `Walk`.

    `gone` is what rollbacks took, `stop` the number of records that the view is of.
    """

    undone: frozenset[int]
    gone: tuple[TakenBack, ...]
    stop: int
    put_in: frozenset[str]

    @classmethod
    def of(cls, walk: Walk, gone: Sequence[TakenBack]) -> Branch:
        return cls(walk.undone, tuple(gone), walk.sequence, frozenset(walk.put_in))


def history(rollout: Rollout, branch: Branch) -> Iterator[Message]:
    """Every message of the live branch, each once: what a compaction kept is
    told where it was said, what it brought where it stands."""
    walk = Walk(rollout.path, branch.undone, put_in=branch.put_in)
    dead = sorted((taken.first, taken.last) for taken in branch.gone)
    at = 0
    for path, record in located(rollout, [], walk):
        following = walk.sequence + 1
        if following > branch.stop:
            break
        while at < len(dead) and dead[at][1] < following:
            at += 1
        if at < len(dead) and dead[at][0] <= following:
            walk.skip(record)
            continue
        window, compactions = walk.window, len(walk.compactions)
        walk.take(path, record)
        if len(walk.compactions) > compactions:
            yield from _own(window)
    yield from _own(walk.window)


def _own(window: Sequence[Item]) -> Iterator[Message]:
    for items in grouped(window):
        own = [item for item in items if not item.copied]
        if own:
            yield message_of(own)
