"""A session in a Hermes database compacted in its place, and the way back (formats/hermes.md, 7).

As Hermes does it itself: what stood there is flagged, what goes on is written once more behind it.
What is summarised, or stays with less than it said, is archived (`compacted`) and still found by a
search; originals of rows that go on as they are get neither flag, so that nothing is found twice.
Nothing is deleted. Only a session that nobody has in memory is changed so.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from redline.agents.hermes.encoding import NewRow
from redline.agents.hermes.excerpt import excerpt
from redline.agents.hermes.holding import holder
from redline.agents.hermes.inserting import digest, insert, recount, told
from redline.agents.hermes.store import DATABASE, Store, escaped
from redline.agents.hermes.writing import columns, locked, mend, transaction, writable
from redline.errors import RedlineError
from redline.files import UNCHANGED, Step, changed_meanwhile
from redline.model import SessionInfo
from redline.targets.deed import Ask, Side, State
from redline.targets.native.hermes_rows import dumped, loaded, shown_rows

Flags = tuple[int, Any, Any]  # the number of a row, its `active` and its `compacted`
_COUNTS = ("message_count", "tool_call_count")


@dataclass(frozen=True, slots=True)
class HermesInPlace:
    """Puts `rows` behind the row `last` of the session `info`, whose rows have the flags `before`
    (its whole history), and gives those in `archived` and `carried` other ones.

    `orders` are the places of those rows in Hermes' own view (31) and `counted` what the session's
    row counts, so that an undo leaves both as they were. `names` are the columns by whose `digest`
    the new rows are known again.
    """

    kind: ClassVar[str] = "hermes_in_place"
    info: SessionInfo
    rows: tuple[NewRow, ...]
    before: tuple[Flags, ...]
    archived: frozenset[int]
    carried: frozenset[int]
    orders: Mapping[int, Any]
    counted: Mapping[str, Any]
    names: tuple[str, ...] = ()
    digest: str = ""

    @property
    def last(self) -> int:
        return self.before[-1][0]

    def dump(self) -> dict[str, Any]:
        return {
            "rows": dumped(self.rows),
            "before": self.before,
            "archived": sorted(self.archived),
            "carried": sorted(self.carried),
            "orders": list(self.orders.items()),
            "counted": dict(self.counted),
            "names": self.names,
            "digest": self.digest,
        }

    def state(self) -> State:
        mend(self.info.path)
        with Store(self.info.path).read() as connection:
            connection.text_factory = escaped
            return self._state(connection)

    def original(self, scratch: Path) -> Path:
        copy = scratch / DATABASE
        Store(self.info.path).copy(copy)
        return copy

    def do(self, ask: Ask, step: Step) -> None:
        self._turn(State.BEFORE, ask, step)

    def undo(self, ask: Ask, step: Step) -> None:
        self._turn(State.AFTER, ask, step)

    def shown(self, side: Side) -> bytes | None:
        store = Store(self.info.path)
        if side == "after":
            return shown_rows(store, self.rows)
        if side == "before":
            active = (NewRow(number) for number, active, _ in self.before if active == 1)
            return shown_rows(store, tuple(active))
        return shown_rows(store, self.info.id)

    def free(self, *, patient: bool = True) -> None:
        """Raises RedlineError where anybody may have the session in memory; see `holder`."""
        if found := holder(self.info.path, time.time(), patient=patient):
            raise RedlineError(
                f"Hermes session {self.info.id} may be in use: {found}; {UNCHANGED}",
                "close it and try again, or write a new session beside it (without --in-place)",
                status=1,
            )

    def tried(self, folder: Path) -> tuple[HermesInPlace, Path]:
        """This done to a small copy in the folder `folder`, whose file is given; and this, so that
        its rows are known again."""
        flagged = self.archived | self.carried
        path = excerpt(Store(self.info.path), (self.info.id,), flagged, folder)
        with transaction(path) as connection:
            self._put(connection)
            names = told(connection)
            found = digest(connection, self.info.id, self.last, names)[1]
            return replace(self, names=names, digest=found), path

    def _turn(self, expected: State, ask: Ask, step: Step) -> None:
        path = self.info.path
        writable(path)
        self.free()
        ask()
        step("begin")
        with transaction(path) as connection:
            if self._state(connection) is not expected:
                raise changed_meanwhile(path)
            with locked(connection, self.info.id):
                self.free(patient=False)
                ask()
                step("rows")
                if expected is State.BEFORE:
                    self._put(connection)
                else:
                    self._take_back(connection)
                reached = State.AFTER if expected is State.BEFORE else State.BEFORE
                if self._state(connection) is not reached:  # a row that it copies has changed
                    raise changed_meanwhile(path)
            step("commit")
        step("done")

    def _put(self, connection: sqlite3.Connection) -> None:
        _flag(connection, ((number, 0, 1) for number in sorted(self.archived)))
        _flag(connection, ((number, 0, 0) for number in sorted(self.carried)))
        insert(connection, self.info.id, self.rows, fresh=False)
        recount(connection, self.info.id)

    def _take_back(self, connection: sqlite3.Connection) -> None:
        connection.execute(
            "DELETE FROM messages WHERE session_id = ? AND id > ?", (self.info.id, self.last)
        )
        flagged = self.archived | self.carried
        _flag(connection, (flags for flags in self.before if flags[0] in flagged))
        if "display_order" in columns(connection, "messages"):
            connection.executemany(
                "UPDATE messages SET display_order = ? WHERE id = ?",
                [(order, number) for number, order in self.orders.items()],
            )
        for name, count in self.counted.items():
            connection.execute(
                f"UPDATE sessions SET {name} = ? WHERE id = ?", (count, self.info.id)
            )

    def _state(self, connection: sqlite3.Connection) -> State:
        """By the flags of the rows that were there, and by what stands behind them."""
        found = flags_of(connection, self.info.id)
        old = tuple(flags for flags in found if flags[0] <= self.last)
        if len(old) == len(found):
            return State.BEFORE if old == self.before else State.OTHER
        after = tuple(self._after(flags) for flags in self.before)
        count, now = digest(connection, self.info.id, self.last, self.names)
        same = old == after and count == len(self.rows) and now == self.digest
        return State.AFTER if same else State.OTHER

    def _after(self, flags: Flags) -> Flags:
        number = flags[0]
        if number in self.archived:
            return number, 0, 1
        return (number, 0, 0) if number in self.carried else flags


def flags_of(connection: sqlite3.Connection, session: str) -> tuple[Flags, ...]:
    """The flags of all rows of `session`, in order."""
    query = "SELECT id, active, compacted FROM messages WHERE session_id = ? ORDER BY id"
    return tuple((row[0], row[1], row[2]) for row in connection.execute(query, (session,)))


def in_place(
    info: SessionInfo, rows: tuple[NewRow, ...], archived: Iterable[int], carried: Iterable[int]
) -> HermesInPlace:
    """The deed on the session as it is now. Raises RedlineError where it cannot be read."""
    archived, carried = frozenset(archived), frozenset(carried)
    with Store(info.path).read() as connection:
        before = flags_of(connection, info.id)
        orders: dict[int, Any] = {}
        if "display_order" in columns(connection, "messages"):
            query = "SELECT id, display_order FROM messages WHERE session_id = ?"
            orders = dict(connection.execute(query, (info.id,)).fetchall())
        counted = _counted(connection, info.id)
    stored = [*(value for flags in before for value in flags), *orders.values(), *counted.values()]
    if not before or not all(value is None or isinstance(value, int) for value in stored):
        raise RedlineError(
            f"the flags or counts of session {info.id} are no numbers, which an undo could not "
            "bring back",
            "leave out --in-place: a new session is written beside it",
        )
    return HermesInPlace(info, rows, before, archived, carried, orders, counted)


def _counted(connection: sqlite3.Connection, session: str) -> dict[str, Any]:
    """What the row of `session` counts."""
    names = [name for name in _COUNTS if name in columns(connection, "sessions")]
    query = f"SELECT {', '.join(['id', *names])} FROM sessions WHERE id = ?"
    values = connection.execute(query, (session,)).fetchone()
    return dict(zip(names, values[1:], strict=True)) if values else {}


def _flag(connection: sqlite3.Connection, flags: Iterable[Flags]) -> None:
    statement = "UPDATE messages SET active = ?, compacted = ? WHERE id = ?"
    connection.executemany(statement, [(active, gone, number) for number, active, gone in flags])


def load(info: SessionInfo, data: Mapping[str, Any]) -> HermesInPlace:
    """The deed that `dump` gave `data` for."""
    return HermesInPlace(
        info,
        loaded(data["rows"]),
        tuple((row[0], row[1], row[2]) for row in data["before"]),
        frozenset(data["archived"]),
        frozenset(data["carried"]),
        dict(data["orders"]),
        data["counted"],
        tuple(data["names"]),
        data["digest"],
    )
