"""A file of records that is only appended to: only what came after the last reading is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, Generic, Protocol, Self, TypeVar

from redline.agents.reached import Reached, mark_before
from redline.agents.records import Record, records_in
from redline.errors import RedlineError
from redline.model import Damage

State = tuple[int, int, bytes]


class Taken(Protocol):
    """What a reader makes of records, and what was wrong with them."""

    damage: list[Damage]

    def take(self, record: Record) -> bool:
        """Takes in the next record; False where all that follows says nothing."""
        ...

    def settle(self) -> None:
        """No more records for now; more may be taken in later."""
        ...

    def copied(self) -> Self:
        """The same, to be gone on with apart from this one."""
        ...


T = TypeVar("T", bound=Taken)


class Growing(Generic[T]):
    """The file at `path` as far as it was read, whole lines only. `lock` is held while it is used.

    `begin` gives what nothing was taken into yet. A line that has no end is read every time, apart
    from what is kept, until it has one. `times` counts how often the file was begun anew.
    """

    def __init__(
        self, path: Path, begin: Callable[[], T], is_record: Callable[[dict[str, Any]], bool]
    ) -> None:
        self.path = path
        self.lock = Lock()
        self.times = 0
        self._begin = begin
        self._is_record = is_record
        self._reached = Reached()
        self._taken: T | None = None

    def begin(self, begin: Callable[[], T]) -> None:
        """The file is read from its start next time, into what `begin` gives."""
        self._begin = begin
        self._taken = None

    def now(self) -> tuple[T, State]:
        """What the file holds now, and a state that is another one whenever the file is.

        What is given is good until the next call. Where the file does not start any more as it was
        read, it is read anew. Raises RedlineError where it cannot be read.
        """
        try:
            with self.path.open("rb") as file:
                if self._taken is None or not self._reached.holds(file):
                    self.times += 1
                    self._reached = Reached()
                    self._taken = self._begin()
                taken, rest = self._go_on(file, self._taken)
        except OSError as error:
            raise RedlineError(f"cannot read {self.path}: {error.strerror}") from error
        mark = blake2b(rest).digest() if rest else b""
        return taken, (self.times, self._reached.end, mark)

    def _go_on(self, file: BinaryIO, whole: T) -> tuple[T, bytes]:
        """What all of `file` gives, and what stands behind its last whole line."""
        reached = self._reached
        records = records_in(file, whole.damage, is_record=self._is_record, reached=reached)
        if not _take_all(whole, records):
            self._taken = None
            return whole, b""
        reached.mark = mark_before(file, reached.end)
        file.seek(reached.end)
        rest = file.read()
        if not rest:
            return whole, rest
        with_rest = whole.copied()
        records = records_in(
            BytesIO(rest),
            with_rest.damage,
            is_record=self._is_record,
            start=reached.end,
            number=reached.number,
        )
        _take_all(with_rest, records)
        return with_rest, rest


def _take_all(taken: Taken, records: Iterator[Record]) -> bool:
    whole = all(taken.take(record) for record in records)
    taken.settle()
    return whole
