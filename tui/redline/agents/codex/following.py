"""Opens a grown rollout again: what was appended is read on from where the walk stopped."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from redline.agents.codex.item import Item
from redline.agents.codex.names import present
from redline.agents.codex.packed import SUFFIX
from redline.agents.codex.parts import message_of
from redline.agents.codex.rollout import Rollout, by_line, is_record
from redline.agents.codex.view import grouped, unwanted_by
from redline.agents.codex.walk import Reached, Walk
from redline.agents.finder import file_stamp
from redline.agents.reached import mark_before
from redline.agents.records import records_in
from redline.errors import RedlineError
from redline.model import Damage, DamageKind, Message, Usage


class Messages:
    """Builds messages and keeps them: one whose items are as they were is the same object."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[list[Item], Usage | None, tuple[bool, ...], Message]] = {}

    def of(self, items: Iterable[Item]) -> tuple[Message, ...]:
        """The messages of a window, in order; only these are kept on."""
        kept = {}
        for group in grouped(items):
            first = group[0]
            usage = first.reply.usage if first.reply else None
            kinds = tuple(item.spoken and not item.summary for item in group)
            known = self._kept.get(id(first))
            if known is None or known[:3] != (group, usage, kinds):
                known = (group, usage, kinds, message_of(group))
            kept[id(first)] = known
        self._kept = kept
        return tuple(message for _items, _usage, _kinds, message in kept.values())


class Reading:
    """A rollout as far as it was read: what it takes to go on from there.

    `stamp` is the file's before it was read. `messages` keeps those that were built.
    """

    def __init__(self, rollout: Rollout, walk: Walk, damage: list[Damage], stamp: str) -> None:
        self.rollout = rollout
        self.walk = walk
        self.damage = damage
        self.stamp = stamp
        self.messages = Messages()
        self._reached = walk.reached
        self._mark = _mark(rollout.path, walk.reached)

    def changed(self) -> bool:
        """Whether the file may have changed since it was read."""
        path = self.rollout.path
        return present(path) != path or file_stamp(path) != self.stamp

    def go_on(self) -> bool:
        """Takes what was appended; false where the file did not just grow. Raises RedlineError
        where it cannot be read."""
        path, reached = self.rollout.path, self._reached
        if reached is None or not self._mark or present(path) != path:
            return False
        if any(found.kind is DamageKind.TORN_TAIL for found in self.damage):
            return False
        self.stamp = file_stamp(path)
        self.walk.tally.records = reached.records
        self.damage = [found for found in self.damage if found.record <= reached.number]
        try:
            with path.open("rb") as file:
                if mark_before(file, reached.end) != self._mark:
                    return False
                file.seek(reached.end)
                rest = file.readline()
                if rest.strip() or not self._take(file, reached, len(rest)):
                    return False  # the last line went on, or a compaction was undone
        except OSError as error:
            raise RedlineError(f"cannot read {path}: {error.strerror}") from error
        self.walk.settle()
        self._reached = self.walk.reached
        self._mark = _mark(path, self._reached)
        return True

    def _take(self, file: BinaryIO, reached: Reached, rest: int) -> bool:
        for record in records_in(
            file,
            self.damage,
            is_record=is_record,
            passes_over=by_line(unwanted_by(self.walk)),
            start=reached.end + rest,
            number=reached.number,
        ):
            self.walk.take(self.rollout.path, record)
            if self.walk.again:
                return False
        return True


def _mark(path: Path, reached: Reached | None) -> str:
    """What tells the start of the file from another's, "" where it cannot be gone on with."""
    if path.name.endswith(SUFFIX) or reached is None or reached.path != path:
        return ""
    try:
        with path.open("rb") as file:
            return mark_before(file, reached.end)
    except OSError:
        return ""
