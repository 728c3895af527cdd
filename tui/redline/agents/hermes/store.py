"""Reads a Hermes database without leaving a trace: no write, no lock file, no checkpoint.

Each query opens the database and closes it again, so that no read transaction outlives it. A
database in WAL mode is read together with its `-wal`. Its `-shm` is only ever read; where there is
none, SQLite makes the index it needs of the `-wal` in memory (no locks, exclusive mode), which is
right because a process that has the database open keeps a `-shm`.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from redline.agents.finder import file_stamp
from redline.agents.hermes.handles import head, read_apart
from redline.errors import RedlineError

DATABASE = "state.db"
HEADER = b"SQLite format 3\0"
_WAL = 2  # the read version in byte 19 of the header
BUSY_SECONDS = 1.0
_TRIES = 4  # of a query under which the files changed
_PAUSE = 0.05  # seconds between them
_ROWS = 400  # of one query
BATCH_BYTES = 4_000_000  # of texts of one query, so that one batch stays small
_LONG = frozenset(
    {"content", "api_content", "tool_calls", "reasoning", "reasoning_content",
     "reasoning_details", "codex_reasoning_items", "codex_message_items"}
)  # fmt: skip
_NO_LOCKS = "win32-none" if os.name == "nt" else "unix-none"
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_HINTS = {
    sqlite3.SQLITE_BUSY: "another program is writing to it; try again",
    sqlite3.SQLITE_LOCKED: "another program is writing to it; try again",
    sqlite3.SQLITE_CORRUPT: "it is damaged; hermes repairs it, or restore a backup of it",
    sqlite3.SQLITE_NOTADB: "it is damaged; hermes repairs it, or restore a backup of it",
    sqlite3.SQLITE_READONLY: "a write was interrupted; open it once with hermes, which mends it",
}

Values = dict[str, Any]


def is_database(path: Path) -> bool:
    """Whether `path` starts as an SQLite database does."""
    try:
        return head(path, len(HEADER)) == HEADER
    except (OSError, ValueError):
        return False


def stamp(path: Path) -> str:
    """Changes whenever the file, or what is still to be written into it, may have changed."""
    return database_stamp(path) if is_database(path) else file_stamp(path)


def database_stamp(path: Path) -> str:
    """Changes whenever the database or its `-wal` may have changed; "" where it is not there."""
    stamp = file_stamp(path)
    return f"{stamp}+{file_stamp(_beside(path, '-wal'))}" if stamp else ""


def _beside(path: Path, ending: str) -> Path:
    """SQLite's own file beside the database, whichever link leads to it."""
    return Path(os.path.realpath(path) + ending)


class Store:
    """One database. Any thread may call. Raises RedlineError where it cannot be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._columns: dict[str, tuple[str, ...]] = {}

    def columns(self, table: str) -> tuple[str, ...]:
        """The columns of `table` as they are in this database, () where it has none."""
        if table not in self._columns:
            found = self.fetch(f"PRAGMA table_info({table})")
            self._columns[table] = tuple(str(row["name"]) for row in found)
        return self._columns[table]

    def fetch(self, query: str, parameters: Sequence[object] = ()) -> list[Values]:
        """All rows of a query whose answer is small, as dicts."""
        return self._run(query, parameters, None)[0]

    def messages(
        self, ids: Sequence[int], columns: Sequence[str] | None = None
    ) -> Iterator[Values]:
        """The rows of `messages` with these ids, in the order of the ids, a few at a time. A row
        that is gone is left out."""
        named = ", ".join(f'"{name}"' for name in columns or self.columns("messages"))
        at = 0
        while at < len(ids):
            chunk = ids[at : at + _ROWS]
            marks = ",".join("?" * len(chunk))
            # CROSS JOIN keeps the order of the ids, so that a batch that grew too large can stop.
            listed = ", ".join(f"({mark})" for mark in marks.split(","))
            query = (
                f"WITH wanted(n) AS (VALUES {listed})"
                f" SELECT {named}, wanted.n AS wanted_id FROM wanted"
                " CROSS JOIN messages ON messages.id = wanted.n"
            )
            rows, whole = self._run(query, chunk, BATCH_BYTES)
            last = int(rows[-1]["wanted_id"]) if rows else None
            at = at + len(chunk) if whole or last is None else ids.index(last, at) + 1
            for row in rows:
                del row["wanted_id"]
                yield row

    def _run(
        self, query: str, parameters: Sequence[object], most: int | None
    ) -> tuple[list[Values], bool]:
        """The rows of a query up to `most` bytes, and whether they are all. A failure under which
        the files changed (a checkpoint, a database that was replaced) is tried again."""
        for tries in range(_TRIES):
            before = database_stamp(self.path)
            try:
                return self._once(query, parameters, most)
            except sqlite3.Error as error:
                moved = database_stamp(self.path) != before
                code = _code(error)
                if tries + 1 == _TRIES or not (moved or code == sqlite3.SQLITE_CANTOPEN):
                    raise self._trouble(error) from error
                time.sleep(_PAUSE)
        raise AssertionError("unreachable")

    def _once(
        self, query: str, parameters: Sequence[object], most: int | None
    ) -> tuple[list[Values], bool]:
        with self._opened() as connection:
            cursor = connection.execute(query, parameters)
            names = [column[0] for column in cursor.description or ()]
            weighed = [at for at, name in enumerate(names) if name in _LONG]
            rows, size = [], 0
            for values in cursor:
                rows.append(dict(zip(names, values, strict=True)))
                if most is not None:
                    size += sum(len(values[at]) for at in weighed if _has_length(values[at]))
                    if size > most:
                        return rows, False
            return rows, True

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """The database, open for a while, to read much of it. Raises RedlineError where it cannot
        be read."""
        try:
            with self._opened() as connection:
                yield connection
        except sqlite3.Error as error:
            raise self._trouble(error) from error

    def copy(self, target: Path) -> None:
        """Makes `target` a copy of the whole database as it is now, also of what is still in its
        `-wal`. Raises RedlineError where it cannot be read, or there is no room for it."""
        try:
            room = shutil.disk_usage(target.parent).free
            if room < os.stat(self.path).st_size:
                raise RedlineError(
                    f"no room for a copy of {self.path} in {target.parent}", "free some space"
                )
        except OSError as error:
            raise RedlineError(f"cannot read {self.path}: {error.strerror}") from error
        with self.read() as source, closing(sqlite3.connect(target)) as made:
            source.backup(made)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            start = head(self.path, len(HEADER) + 4)
        except OSError as error:
            raise RedlineError(f"cannot read {self.path}: {error.strerror}") from error
        if not start.startswith(HEADER):
            raise RedlineError(f"{self.path} is damaged: it is no SQLite database")
        wal = start[19:20] == bytes([_WAL])
        alone = wal and not os.access(_beside(self.path, "-shm"), os.R_OK)
        with (
            read_apart(self.path) if alone else nullcontext(),
            closing(self._open(wal=wal, alone=alone)) as connection,
        ):
            yield connection

    def _open(self, *, wal: bool, alone: bool) -> sqlite3.Connection:
        address = self.path.absolute().as_uri() + "?mode=ro"
        if wal:
            address += f"&vfs={_NO_LOCKS}" if alone else "&readonly_shm=1"
        connection = sqlite3.connect(
            address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.text_factory = _text
        if alone:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        return connection

    def _trouble(self, error: sqlite3.Error) -> RedlineError:
        code = _code(error)
        if code in _LOCKED:
            return RedlineError(f"{self.path} is locked", _HINTS[code])
        said = "is damaged" if code in _DAMAGED else "cannot be read"
        return RedlineError(f"{self.path} {said}: {error}", _HINTS.get(code, ""))


def _has_length(value: object) -> bool:
    return isinstance(value, str | bytes)


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code, 0 where Python raised the error itself."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def escaped(raw: bytes) -> str:
    """A stored text; what is no UTF-8 in it stays what it is (`surrogateescape`)."""
    return raw.decode("utf-8", "surrogateescape")


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def problem(path: Path) -> str:
    """Why nothing can be read of the database at `path`, "" where it can, or is none of Hermes."""
    store = Store(path)
    try:
        if not is_database(path):
            written = path.name == DATABASE and path.is_file() and path.stat().st_size > 0
            return "is damaged: it is no SQLite database" if written else ""
        if _needs(store):
            store.fetch("SELECT count(*) AS n FROM sessions")
    except RedlineError as error:
        return error.message.removeprefix(f"{path} ")
    except OSError:
        return ""  # gone, or out of reach: that is told otherwise
    return ""


def _needs(store: Store) -> bool:
    return {"id"} <= set(store.columns("sessions")) and {
        "id", "session_id", "role", "content"
    } <= set(store.columns("messages"))  # fmt: skip


def hermes_store(path: Path) -> Store | None:
    """The store at `path`, None where it is no database of Hermes. Raises RedlineError where it is
    a database that cannot be read."""
    if not is_database(path):
        return None
    store = Store(path)
    return store if _needs(store) else None


def text(values: Mapping[str, Any], name: str) -> str | None:
    """The text in a column, None where it is missing, empty or of another type."""
    value = values.get(name)
    return value if isinstance(value, str) and value else None
