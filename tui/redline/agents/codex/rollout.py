"""The records of a rollout, with those of the rollouts that it continues.

A fork of a paginated thread (since 2026-08) holds only its own records; its `history_base` names
the rollout that comes before them, by rollout id, and how much of it counts.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from redline.agents.bodies import FileBodies
from redline.agents.codex.document import document_lines, is_document
from redline.agents.codex.names import find_rollout, present
from redline.agents.codex.packed import SUFFIX, PackedPlaces, Unpacked, buffered
from redline.agents.codex.peek import peek
from redline.agents.records import Record, lines_before, records_in
from redline.errors import RedlineError
from redline.model import Damage, DamageKind, Origin

Dialect = Literal["flat", "legacy", "paginated"]
Unwanted = Callable[[str, str, int], bool]

_HEAD_RECORDS = 50  # the file's own session_meta is its first record, unless lines were lost
_LONGEST_CHAIN = 1000
_PEEKED = 2048  # bytes; a shorter line is decoded as fast as it is looked at


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A file of the chain and how much of it counts: up to a byte of its plain text, and records
    with a smaller ordinal."""

    path: Path
    end_byte: int | None = None
    end_ordinal: int | None = None

    def counts(self, record: Record) -> bool:
        if self.end_byte is not None and record.end > self.end_byte:
            return False
        ordinal = record.value.get("ordinal")
        return self.end_ordinal is None or type(ordinal) is not int or ordinal < self.end_ordinal


class RolloutBodies(FileBodies):
    """Bodies of the records of rollouts, packed or not. Places are those of the plain text."""

    def __init__(self) -> None:
        super().__init__()
        self._packed = PackedPlaces()

    @contextmanager
    def held_open(self, path: Path) -> Iterator[None]:
        """The same of a plain rollout; one that is packed is not held."""
        if path.name.endswith(SUFFIX) or is_document(path):
            yield
        else:
            with super().held_open(path):
                yield

    def raw(self, origin: Origin) -> bytes:
        if (held := self.of_held(origin)) is not None:
            return held
        path = present(origin.path)
        if path.name.endswith(SUFFIX):
            return self._packed.read(path, origin.start, origin.end)
        with open_text(path) as (text, _problem):
            text.seek(origin.start)
            return text.read(origin.end - origin.start)


class Rollout:
    """One rollout file.

    `path` is the file that is there now (plain wins over packed), `meta` the payload of its own
    session_meta (of a flat file its header), {} where it has none. Raises RedlineError where the
    file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = present(Path(path))
        self.bodies = RolloutBodies()
        self.meta, self.dialect = head_of(self.path)

    def located(
        self, damage: list[Damage], unwanted: Unwanted | None = None
    ) -> Iterator[tuple[Path, Record]]:
        """Every record in the order of the history, the chain's oldest file first, each with its
        file. `start` and `end` are places in the plain text of that file.

        `unwanted` is asked with a record's type, its payload's type ("" where it is not at once
        seen) and its size in bytes, before it is decoded; a record it names is left out. It is
        not asked of short lines and of those not written as Codex writes them: those are decoded.
        """
        for stretch in self._chain(damage):
            own: list[Damage] = []
            for record in read_file(stretch.path, own, unwanted):
                if not stretch.counts(record):
                    break
                yield stretch.path, record
            if stretch.path != self.path:
                own = [_of_base(found, stretch.path) for found in own]
            damage += own

    def records(self, damage: list[Damage], unwanted: Unwanted | None = None) -> Iterator[Record]:
        """Every record in the order of the history; see `located`."""
        for _path, record in self.located(damage, unwanted):
            yield record

    def value(self, origin: Origin) -> Any:
        """The decoded record of `origin` again. Raises RedlineError where it is not there."""
        return self.bodies.record(origin)

    def _chain(self, damage: list[Damage]) -> list[_Stretch]:
        """The files of the history, oldest first."""
        chain = [_Stretch(self.path)]
        meta = self.meta
        seen = {self.path}
        while isinstance(base := meta.get("history_base"), dict) and len(seen) < _LONGEST_CHAIN:
            name = base.get("thread_id")
            path = find_rollout(name, chain[-1].path) if isinstance(name, str) else None
            if path is None:
                damage.append(_lost(f"the history before it, rollout {name}, is not there"))
                break
            if path in seen:
                damage.append(Damage(1, DamageKind.CYCLE, f"{path.name} comes before itself"))
                break
            try:
                meta, _ = head_of(path)
            except RedlineError as error:
                damage.append(_lost(error.message))
                break
            seen.add(path)
            last = _least(chain[-1].end_ordinal, _whole(base.get("end_ordinal_exclusive")))
            chain.append(_Stretch(path, _whole(base.get("end_byte_offset")), last))
        return chain[::-1]


def _lost(detail: str) -> Damage:
    return Damage(1, DamageKind.MISSING, detail)


def _of_base(found: Damage, path: Path) -> Damage:
    return Damage(found.record, found.kind, f"{path.name}: {found.detail}")


def _whole(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _least(*figures: int | None) -> int | None:
    return min((figure for figure in figures if figure is not None), default=None)


def is_record(value: dict[str, Any]) -> bool:
    """Whether an object is a record of Codex, not one inside a record."""
    if isinstance(value.get("type"), str) and isinstance(value.get("payload"), dict):
        return True
    return "record_type" in value or ("id" in value and "instructions" in value)


@contextmanager
def open_text(path: Path) -> Iterator[tuple[BinaryIO, Callable[[], str]]]:
    """The plain text of the file at `path`, and what tells, at its end, why it is not whole.

    Raises OSError."""
    if is_document(path):
        lines, wrong = document_lines(path)
        yield io.BytesIO(lines), lambda: wrong
        return
    file = path.open("rb")
    if not path.name.endswith(SUFFIX):
        with file:
            yield file, lambda: ""
        return
    unpacked = Unpacked(file)
    with buffered(unpacked) as text:
        yield text, lambda: unpacked.problem


def read_file(
    path: Path, damage: list[Damage], unwanted: Unwanted | None = None
) -> Iterator[Record]:
    """The records of one file, packed or not. Raises RedlineError where it cannot be read."""
    yield from read_lines(path, damage, None if unwanted is None else by_line(unwanted))


def by_line(unwanted: Unwanted) -> Callable[[bytes], bool]:
    """`unwanted` asked of a line; see `Rollout.located`."""

    def passes_over(line: bytes) -> bool:
        if len(line) < _PEEKED:
            return False
        told = peek(line)
        return told is not None and unwanted(*told, len(line))

    return passes_over


def read_lines(
    path: Path,
    damage: list[Damage],
    passes_over: Callable[[bytes], bool] | None = None,
    start: int = 0,
) -> Iterator[Record]:
    """The same from byte `start` of the plain text on, without the lines that `passes_over`
    names."""
    try:
        with open_text(path) as (text, problem):
            number = lines_before(text, start)
            for record in records_in(
                text,
                damage,
                is_record=is_record,
                passes_over=passes_over,
                start=start,
                number=number,
            ):
                number = record.number
                yield record
            if problem():
                damage.append(Damage(number + 1, DamageKind.UNREADABLE, f"the file is {problem()}"))
    except OSError as error:
        raise RedlineError(f"cannot read {path}: {error.strerror}") from error


def head_of(path: Path) -> tuple[dict[str, Any], Dialect]:
    """The payload of the file's own session_meta and its dialect, from its first records. Raises
    RedlineError where it cannot be read."""
    numbered = enveloped = False
    records = read_file(path, [])
    for count, record in enumerate(records):
        value = record.value
        payload = value.get("payload")
        numbered = numbered or type(value.get("ordinal")) is int
        enveloped = enveloped or isinstance(payload, dict)
        if value.get("type") == "session_meta" and isinstance(payload, dict):
            paged = numbered or payload.get("history_mode") == "paginated"
            return payload, "paginated" if paged else "legacy"
        if "type" not in value and "id" in value and "timestamp" in value:
            return value, "flat"
        if count >= _HEAD_RECORDS:
            break
    if not enveloped:
        return {}, "flat"
    return {}, "paginated" if numbered else "legacy"
