"""One transaction on a Hermes database, with the locks that Hermes itself keeps (0.19 to 0.22).

`compression_locks` says who is compacting a session; a row whose time is over counts for nothing.
The lock is taken, and given back, in the very transaction that it guards: nobody else ever sees it,
and nothing is left of it after a crash.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from redline.agents.hermes.handles import kept_open
from redline.agents.hermes.store import escaped
from redline.errors import RedlineError
from redline.files import UNCHANGED

BUSY_SECONDS = 5.0
LOCK_SECONDS = 300.0  # what Hermes itself takes it for
_LOCKS = "compression_locks"
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_HINTS = {
    sqlite3.SQLITE_FULL: "free some space, then try again",
    sqlite3.SQLITE_IOERR: "the disk may be full or gone: see to it, then try again",
    sqlite3.SQLITE_READONLY: "make the file and its folder writable",
    sqlite3.SQLITE_CANTOPEN: "make the file and its folder writable",
    sqlite3.SQLITE_CORRUPT: "it is damaged; hermes repairs it, or restore a backup of it",
    sqlite3.SQLITE_NOTADB: "it is damaged; hermes repairs it, or restore a backup of it",
}


@contextmanager
def transaction(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that alone may write, in a transaction: all that is done with it is on the disk
    when this comes back, or none of it where anything was raised.

    Texts are read with what is no UTF-8 escaped (`surrogateescape`), so that they can be compared.
    Raises RedlineError where it cannot be written.
    """
    writable(path)
    try:
        with kept_open(path), closing(opened(path)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
    except sqlite3.Error as error:
        raise _trouble(path, error) from error


def mend(path: Path) -> None:
    """Takes back what a crash left half written, which SQLite does itself when it may write."""
    if os.path.exists(f"{os.path.realpath(path)}-journal"):
        with transaction(path):
            pass


def writable(path: Path) -> None:
    """Raises RedlineError where the file may not be written to, before it is opened for that."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise RedlineError(f"cannot write {path}: {error.strerror}; {UNCHANGED}") from error
    if not stat.S_ISREG(mode):
        raise RedlineError(f"{path} is not a plain file", "name a plain file")
    folder = os.path.dirname(os.path.realpath(path))
    if not mode & 0o222 or not os.access(path, os.W_OK) or not os.access(folder, os.W_OK):
        raise RedlineError(
            f"{path} is read-only; {UNCHANGED}", "make the file and its folder writable"
        )


@contextmanager
def locked(connection: sqlite3.Connection, session: str) -> Iterator[None]:
    """Holds Hermes' lock of compacting `session`. Raises RedlineError where somebody has it."""
    if not columns(connection, _LOCKS):  # of before it had any
        yield
        return
    now, holder = time.time(), f"pid={os.getpid()}:redline"
    of_session = f"FROM {_LOCKS} WHERE session_id = ?"
    connection.execute(f"DELETE {of_session} AND expires_at < ?", (session, now))
    if found := connection.execute(f"SELECT holder {of_session}", (session,)).fetchone():
        raise RedlineError(
            f"Hermes is compacting session {session} ({found[0]}); {UNCHANGED}",
            "wait for it to end, then try again",
            status=1,
        )
    connection.execute(
        f"INSERT INTO {_LOCKS} (session_id, holder, acquired_at, expires_at) VALUES (?, ?, ?, ?)",
        (session, holder, now, now + LOCK_SECONDS),
    )
    yield
    connection.execute(f"DELETE {of_session} AND holder = ?", (session, holder))


def columns(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """The columns of `table` as they are in this database, () where it has none."""
    return tuple(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))


def opened(path: Path) -> sqlite3.Connection:
    """The database, open to be written to; its texts come as they are stored."""
    address = path.absolute().as_uri() + "?mode=rw"
    connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    connection.text_factory = escaped
    return connection


def _trouble(path: Path, error: sqlite3.Error) -> RedlineError:
    code = int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
    if code in _BUSY:
        return RedlineError(
            f"another program has been writing to {path} for {BUSY_SECONDS:g} seconds; {UNCHANGED}",
            "try again",
            status=1,
        )
    said = "the disk is full" if code == sqlite3.SQLITE_FULL else str(error)
    return RedlineError(f"cannot write {path}: {said}; {UNCHANGED}", _HINTS.get(code, ""))
