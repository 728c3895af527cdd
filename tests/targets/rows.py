"""A deed on rows of a database, as small as one can be: it stands in for an agent's own."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from redline.errors import RedlineError
from redline.files import Step, changed_meanwhile
from redline.model import SessionInfo
from redline.targets.deed import Ask, Side, State

Row = tuple[int, str, int]
trace: list[Callable[[str], None]] = []  # called before every statement
pages: list[int] = []  # how many pages a database may have, where the disk is to be full


@dataclass(frozen=True)
class Rows:
    """Retires the rows `before` and puts `after` behind them."""

    kind: ClassVar[str] = "rows"
    info: SessionInfo
    before: tuple[Row, ...]
    after: tuple[Row, ...]

    def dump(self) -> dict[str, Any]:
        return {"before": self.before, "after": self.after}

    def state(self) -> State:
        if not self.info.path.exists():
            return State.OTHER
        with self._open() as database:
            return self._state(database)

    def original(self, scratch: Path) -> Path:
        copy = scratch / "copy.db"
        with self._open() as database, contextlib.closing(sqlite3.connect(copy)) as to:
            database.backup(to)
        return copy

    def do(self, ask: Ask, step: Step) -> None:
        self._turn(self.before, self.after, ask, step)

    def undo(self, ask: Ask, step: Step) -> None:
        self._turn(self.after, self.before, ask, step)

    def shown(self, side: Side) -> bytes | None:
        if side == "now":
            with self._open() as database:
                rows = rows_of(database)
        else:
            rows = self.before if side == "before" else self.after
        return "".join(f"{number} {text} {active}\n" for number, text, active in rows).encode()

    def _turn(
        self, expected: tuple[Row, ...], wanted: tuple[Row, ...], ask: Ask, step: Step
    ) -> None:
        with self._open() as database:
            try:
                database.execute("BEGIN IMMEDIATE")
                if rows_of(database) != expected:
                    raise changed_meanwhile(self.info.path)
                ask()
                step("rows")
                database.execute("DELETE FROM rows")
                database.executemany("INSERT INTO rows VALUES (?, ?, ?)", wanted)
                step("commit")
                database.execute("COMMIT")
            except sqlite3.Error as error:
                raise RedlineError(
                    f"cannot write {self.info.path}: {error}", "make room, then try again"
                ) from error
        step("done")

    def _state(self, database: sqlite3.Connection) -> State:
        rows = rows_of(database)
        if rows == self.before:
            return State.BEFORE
        return State.AFTER if rows == self.after else State.OTHER

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            uri = f"file:{self.info.path}?mode=rw"
            database = sqlite3.connect(uri, uri=True, isolation_level=None)
        except sqlite3.Error as error:
            raise RedlineError(f"cannot open {self.info.path}: {error}", "") from error
        with contextlib.closing(database):
            if pages:
                database.execute(f"PRAGMA max_page_count = {pages[-1]}")
            if trace:
                database.set_trace_callback(trace[-1])
            yield database


def rows_of(database: sqlite3.Connection) -> tuple[Row, ...]:
    return tuple(database.execute("SELECT * FROM rows ORDER BY id"))


def make(path: Path) -> None:
    """A database with three rows."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("CREATE TABLE rows (id INTEGER, text TEXT, active INTEGER)")
        database.executemany("INSERT INTO rows VALUES (?, ?, 1)", [(1, "a"), (2, "b"), (3, "c")])


def content(path: Path) -> bytes:
    """The rows of a database, for people and tests."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        return repr(rows_of(database)).encode()


def deed(info: SessionInfo) -> Rows:
    """The deed of compacting the rows that are there now."""
    with contextlib.closing(sqlite3.connect(info.path)) as database:
        before = rows_of(database)
    retired = tuple((number, text, 0) for number, text, _ in before)
    return Rows(info, before, (*retired, (len(before) + 1, "summary " * 600, 1)))


def load(info: SessionInfo, data: Mapping[str, Any]) -> Rows:
    before, after = (
        tuple((row[0], row[1], row[2]) for row in data[s]) for s in ("before", "after")
    )
    return Rows(info, before, after)
