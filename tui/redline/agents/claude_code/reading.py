"""A session file as far as it was read, so that only what was appended is read next time."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from redline.agents.claude_code.kept import Kept
from redline.agents.claude_code.skeleton import Skeleton, is_record, settle, take
from redline.agents.reached import Reached, mark_before
from redline.agents.records import records_in
from redline.errors import RedlineError

State = tuple[int, int, bytes]


@dataclass(slots=True)
class Reading:
    """What was read of the file at `path`, whole lines only. Its lock is held while it is used.

    `kept` are the messages that were built of it. `times` counts how often it was begun anew.
    """

    path: Path
    lock: Lock = field(default_factory=Lock)
    kept: Kept = field(default_factory=Kept)
    times: int = 0
    _reached: Reached = field(default_factory=Reached)
    _whole: Skeleton | None = None

    def now(self) -> tuple[Skeleton, State]:
        """The skeleton of the file as it is now, and a state that is another one whenever the file
        is. The skeleton is good until the next call. Of a subagent's file it is its own chain.

        Raises RedlineError where the file cannot be read. A record that is wrong costs itself only.
        """
        try:
            with self.path.open("rb") as file:
                if self._whole is None or not self._reached.holds(file):
                    self._begin(as_subagent=False)
                skeleton, rest = self._go_on(file)
                if skeleton.aside != skeleton.as_subagent:
                    self._begin(as_subagent=skeleton.aside)
                    skeleton, rest = self._go_on(file)
        except OSError as error:
            raise RedlineError(f"cannot read {self.path}: {error.strerror}") from error
        mark = blake2b(rest).digest() if rest else b""
        return skeleton, (self.times, self._reached.end, mark)

    def _begin(self, *, as_subagent: bool) -> None:
        self.times += 1
        self.kept = Kept()
        self._reached = Reached()
        self._whole = Skeleton(self.path, as_subagent=as_subagent)

    def _go_on(self, file: BinaryIO) -> tuple[Skeleton, bytes]:
        """The skeleton of all of `file`, and what stands behind its last whole line."""
        whole, reached = self._whole, self._reached
        assert whole is not None
        for record in records_in(file, whole.damage, is_record=is_record, reached=reached):
            take(whole, record)
        settle(whole)
        reached.mark = mark_before(file, reached.end)
        file.seek(reached.end)
        rest = file.read()
        if not rest:
            return whole, rest
        with_rest = whole.copied()
        for record in records_in(
            BytesIO(rest),
            with_rest.damage,
            is_record=is_record,
            start=reached.end,
            number=reached.number,
        ):
            take(with_rest, record)
        settle(with_rest)
        return with_rest, rest
