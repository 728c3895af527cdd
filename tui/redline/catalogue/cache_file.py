"""The catalogue's SQLite file: made when it is missing, thrown away when it is damaged or old.

It is a cache: whatever is wrong with it, the sessions are still there to be read again. Where it
cannot be written, or a newer redline made it, the same is kept in memory for this run.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import apsw

from redline.errors import RedlineError
from redline.files import make_folders

VERSION = 3  # another number, another schema: the file is made anew
BUSY_MILLISECONDS = 5_000
_PAGE = 32_768  # bytes; whole blocks of the index fit a page, so that a lost one is noticed
_APPLICATION = 0x7265646C  # "redl"

_SCHEMA = """
CREATE TABLE files (
    id INTEGER PRIMARY KEY, agent TEXT NOT NULL, path BLOB NOT NULL, stamp TEXT NOT NULL,
    UNIQUE (agent, path));
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, name TEXT NOT NULL, info TEXT NOT NULL,
    updated INTEGER NOT NULL, aside INTEGER NOT NULL, read TEXT NOT NULL, problem TEXT NOT NULL,
    last INTEGER NOT NULL, mark TEXT NOT NULL,
    UNIQUE (file, name));
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, first INTEGER NOT NULL,
    kinds INTEGER NOT NULL, latest INTEGER);
CREATE INDEX chunks_of ON chunks (session, id);
CREATE TABLE bodies (
    chunk INTEGER PRIMARY KEY, text BLOB NOT NULL, places BLOB NOT NULL, simple INTEGER NOT NULL);
CREATE TABLE looked (agent TEXT NOT NULL, path BLOB NOT NULL, found INTEGER, problem TEXT NOT NULL);
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (
    text, tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1,
    detail = none);
CREATE VIRTUAL TABLE runs USING fts5vocab (words, row);
CREATE VIRTUAL TABLE runs_in USING fts5vocab (words, instance);
INSERT INTO words (words, rank) VALUES ('automerge', 16);
INSERT INTO words (words, rank) VALUES ('hashsize', 1500000);
"""

_DAMAGED = (apsw.CorruptError, apsw.NotADBError)
_REFUSED = (
    apsw.FullError,
    apsw.ReadOnlyError,
    apsw.CantOpenError,
    apsw.PermissionsError,
    apsw.IOError,
    apsw.BusyError,
    OSError,
    RedlineError,
)


class Damaged(Exception):
    """The file is not what it was written as."""


class Unusable(Exception):
    """The file cannot be used as it is; the text says why."""


class CacheFile:
    """The file at `path`, or what stands for it in memory. Any thread may call.

    `problem` says why it is in memory, "" while it is not.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        self.damaged = False
        self._memory: apsw.Connection | None = None
        self._address = ""
        self._threads = threading.local()

    @property
    def in_memory(self) -> bool:
        return self._memory is not None

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection | None]:
        """A connection that sees one state of the file; None where there is nothing to read.

        What turns out damaged is noted in `damaged`, and Damaged is raised.
        """
        with self._noticing():
            connection = self._reader()
            if connection is None or connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                with contextlib.suppress(apsw.Error):
                    connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """A connection to write with; the file is made or made anew before, where it must be.

        Raises Damaged as `reading`, and Unusable where the file cannot be written.
        """
        if self._memory is not None:
            yield self._memory
            return
        with self._noticing():
            try:
                connection = self._writer()
            except _REFUSED as error:
                raise Unusable(reason(error)) from error
            try:
                yield connection
            except _REFUSED as error:
                raise Unusable(reason(error)) from error
            finally:
                connection.close()

    def go_to_memory(self, problem: str) -> None:
        """From now on all is kept in memory, from the start, because of `problem`."""
        self.problem, self.damaged = problem, False
        self._address = f"file:/redline-{uuid4().hex}?vfs=memdb"
        self._memory = _connect(self._address, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
        _make(self._memory)

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        try:
            yield
        except _DAMAGED as error:
            self.damaged = True
            raise Damaged(str(error)) from error
        except apsw.SQLError as error:
            if "no such" not in str(error):
                raise
            self.damaged = True  # it says that it is of this version, but it is not
            raise Damaged(str(error)) from error

    # -- reading -------------------------------------------------------------------------------

    def _reader(self) -> apsw.Connection | None:
        """This thread's connection, None where there is no file of this version."""
        if self.damaged:
            return None
        if self._memory is not None:
            place: object = self._address
        else:
            try:
                status = self.path.stat()
            except OSError:
                return None
            if not status.st_size:
                return None
            place = (status.st_dev, status.st_ino)
        known: apsw.Connection | None = getattr(self._threads, "connection", None)
        if known is not None and self._threads.place == place:
            return known
        connection = self._open_to_read()
        if connection is None or _version(connection) != VERSION:
            return None
        self._threads.connection, self._threads.place = connection, place
        return connection

    def _open_to_read(self) -> apsw.Connection | None:
        if self._memory is not None:
            return _connect(self._address, apsw.SQLITE_OPEN_READWRITE)
        address = f"file:{quote(os.fsencode(self.path.absolute()))}"
        try:
            connection = _connect(address, apsw.SQLITE_OPEN_READWRITE)
            _version(connection)
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.IOError):
            log = self.path.with_name(self.path.name + "-wal")
            if not os.access(self.path, os.R_OK) or log.exists():
                return None
            # In a folder that cannot be written SQLite finds no place for its own files.
            with contextlib.suppress(apsw.CantOpenError, apsw.IOError):
                return _connect(f"{address}?immutable=1", apsw.SQLITE_OPEN_READONLY)
            return None
        return connection

    # -- writing -------------------------------------------------------------------------------

    def _writer(self) -> apsw.Connection:
        make_folders(self.path.parent)
        if self.damaged:
            self._throw_away()
        try:
            return self._prepared()
        except _Old:
            self._throw_away()
            return self._prepared()

    def _prepared(self) -> apsw.Connection:
        if not self.path.exists():
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
        address = f"file:{quote(os.fsencode(self.path.absolute()))}"
        connection = _connect(address, apsw.SQLITE_OPEN_READWRITE)
        try:
            found = _version(connection)
            if found > VERSION:
                raise Unusable("a newer redline made it")
            if found != VERSION:
                if connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() != (0,):
                    raise _Old("an older redline made it")
                _make(connection)
            # Told now rather than in the middle of the work.
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        except BaseException:
            connection.close()
            raise
        return connection

    def _throw_away(self) -> None:
        """Removes the file with what SQLite keeps beside it."""
        for ending in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                self.path.with_name(self.path.name + ending).unlink()
        self.damaged = False
        self._threads = threading.local()


class _Old(Exception):
    """The file has the schema of an older version."""


def reason(error: Exception) -> str:
    """Why a file could not be used, in a few words."""
    match error:
        case apsw.FullError():
            return "the disk is full"
        case apsw.ReadOnlyError():
            return "it cannot be written"
        case apsw.CantOpenError() | apsw.PermissionsError():
            return "it cannot be opened"
        case RedlineError():
            return error.message
        case OSError():
            return error.strerror or str(error)
        case _:
            return str(error)


def _connect(address: str, flags: int) -> apsw.Connection:
    connection = apsw.Connection(address, flags=flags | apsw.SQLITE_OPEN_URI)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    return connection


def _version(connection: apsw.Connection) -> int:
    row: Any = connection.execute("PRAGMA user_version").fetchone()
    return int(row[0])


def _make(connection: apsw.Connection) -> None:
    connection.execute(f"PRAGMA page_size = {_PAGE}")
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(_SCHEMA)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode = WAL")
