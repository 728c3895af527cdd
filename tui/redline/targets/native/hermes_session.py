"""A new session in a Hermes database, beside the one it is made from, and the way back.

Nothing that is there is changed: its rows are copies of rows, or of none, in one transaction. It is
a branch of the other (`_branched_from`), so that both are listed, and each is resumed by its id.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from redline.agents.hermes.encoding import NewRow
from redline.agents.hermes.excerpt import excerpt
from redline.agents.hermes.inserting import digest, insert, insert_session, recount, told
from redline.agents.hermes.store import Store, escaped
from redline.agents.hermes.writing import columns, locked, mend, transaction
from redline.files import Step, changed_meanwhile
from redline.model import SessionInfo
from redline.targets.deed import Ask, Side, State
from redline.targets.native.hermes_rows import dumped, loaded, shown_rows


@dataclass(frozen=True, slots=True)
class HermesSession:
    """Puts the session `info` there, of the session `source`: `rows`, and `values` of its own row.

    `names` are the columns by whose `digest` its rows are known again, "" before it was tried out.
    """

    kind: ClassVar[str] = "hermes_session"
    info: SessionInfo
    source: str
    rows: tuple[NewRow, ...]
    values: Mapping[str, Any]
    names: tuple[str, ...] = ()
    digest: str = ""

    def dump(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "rows": dumped(self.rows),
            "values": dict(self.values),
            "names": self.names,
            "digest": self.digest,
        }

    def state(self) -> State:
        mend(self.info.path)
        with Store(self.info.path).read() as connection:
            connection.text_factory = escaped
            return self._state(connection)

    def original(self, scratch: Path) -> Path:
        return excerpt(Store(self.info.path), (self.source,), self._copied, scratch)

    def do(self, ask: Ask, step: Step) -> None:
        ask()
        step("begin")
        with transaction(self.info.path) as connection:
            if self._state(connection) is not State.BEFORE:
                raise changed_meanwhile(self.info.path)
            with locked(connection, self.source):
                step("rows")
                self.put(connection)
                if self._state(connection) is not State.AFTER:  # a row that it copies has changed
                    raise changed_meanwhile(self.info.path)
            step("commit")
        step("done")

    def undo(self, ask: Ask, step: Step) -> None:
        ask()
        step("begin")
        with transaction(self.info.path) as connection:
            if self._state(connection) is not State.AFTER:
                raise changed_meanwhile(self.info.path)
            with locked(connection, self.info.id):
                ask()
                step("rows")
                connection.execute("DELETE FROM messages WHERE session_id = ?", (self.info.id,))
                connection.execute("DELETE FROM sessions WHERE id = ?", (self.info.id,))
            step("commit")
        step("done")

    def shown(self, side: Side) -> bytes | None:
        if side == "before":
            return b""
        if side == "after":
            return shown_rows(Store(self.info.path), self.rows)
        return shown_rows(Store(self.info.path), self.info.id)

    def tried(self, folder: Path) -> tuple[HermesSession, Path]:
        """This done to a small copy in the folder `folder`, whose file is given; and this, so that
        its rows are known again."""
        path = self.original(folder)
        with transaction(path) as connection:
            self.put(connection)
            names = told(connection)
            return replace(self, names=names, digest=self._digest(connection, names)), path

    def put(self, connection: sqlite3.Connection) -> None:
        """Puts the rows there."""
        insert_session(connection, self.info.id, self.source, self.values)
        insert(connection, self.info.id, self.rows, fresh=True)
        recount(connection, self.info.id)

    @property
    def _copied(self) -> tuple[int, ...]:
        return tuple(row.of for row in self.rows if row.of is not None)

    def _digest(self, connection: sqlite3.Connection, names: tuple[str, ...]) -> str:
        return digest(connection, self.info.id, 0, names)[1]

    def _state(self, connection: sqlite3.Connection) -> State:
        """AFTER only as long as nobody went on with it, nor made a branch of it."""
        there = self._there(connection, "sessions", "id")
        rows = self._there(connection, "messages", "session_id")
        if not there and not rows:
            return State.BEFORE
        branched = self._there(connection, "sessions", "parent_session_id")
        same = there and self._digest(connection, self.names) == self.digest
        return State.AFTER if same and not branched else State.OTHER

    def _there(self, connection: sqlite3.Connection, table: str, column: str) -> bool:
        if column not in columns(connection, table):
            return False
        query = f"SELECT 1 FROM {table} WHERE {column} = ? LIMIT 1"
        return connection.execute(query, (self.info.id,)).fetchone() is not None


def load(info: SessionInfo, data: Mapping[str, Any]) -> HermesSession:
    """The deed that `dump` gave `data` for."""
    return HermesSession(
        info,
        data["source"],
        loaded(data["rows"]),
        data["values"],
        tuple(data["names"]),
        data["digest"],
    )
