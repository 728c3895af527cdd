"""What a person decided about sessions, in one SQLite file: rules, pins, drafts of handoffs.

Nothing is made before something is written; a file that is missing reads as empty. A damaged file
is moved aside and named in `notices`; a file of a newer redline is refused and left as it is.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from redline.errors import RedlineError
from redline.stored import SessionKey, StoredDraft, StoredPins

BUSY_SECONDS = 5.0
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_HINTS = {
    sqlite3.SQLITE_FULL: "free some space, then try again",
    sqlite3.SQLITE_IOERR: "the disk may be full or gone: see to it, then try again",
    sqlite3.SQLITE_READONLY: "make the file and its folder writable, or set REDLINE_HOME",
    sqlite3.SQLITE_CANTOPEN: "make the file and its folder writable, or set REDLINE_HOME",
}
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

# One entry a schema version. An entry that was released is never changed, only followed.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE rules (
            agent TEXT NOT NULL, session TEXT NOT NULL, id TEXT NOT NULL,
            place INTEGER NOT NULL, text TEXT NOT NULL, said TEXT NOT NULL, family TEXT NOT NULL,
            state TEXT NOT NULL, scope TEXT NOT NULL, message TEXT, time TEXT,
            objects TEXT NOT NULL, by TEXT, edited INTEGER NOT NULL,
            PRIMARY KEY (agent, session, id))""",
        """CREATE TABLE pins (
            agent TEXT NOT NULL, session TEXT NOT NULL, message TEXT NOT NULL,
            part INTEGER NOT NULL, action TEXT NOT NULL,
            PRIMARY KEY (agent, session, message, part))""",
        """CREATE TABLE cuts (
            agent TEXT NOT NULL, session TEXT NOT NULL, message TEXT NOT NULL,
            PRIMARY KEY (agent, session))""",
        """CREATE TABLE drafts (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            agent TEXT NOT NULL, session TEXT NOT NULL, message TEXT NOT NULL,
            text TEXT NOT NULL, written TEXT NOT NULL, focus TEXT NOT NULL, time TEXT NOT NULL,
            UNIQUE (agent, session, message))""",
    ),
    (
        "ALTER TABLE rules ADD COLUMN project TEXT",
        "ALTER TABLE rules ADD COLUMN successor TEXT",
        "ALTER TABLE rules ADD COLUMN ended TEXT",
        "ALTER TABLE rules ADD COLUMN origin TEXT",
        "CREATE INDEX rules_of_project ON rules (project)",
        """CREATE TABLE rule_changes (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            agent TEXT NOT NULL, session TEXT NOT NULL, verb TEXT NOT NULL, time TEXT NOT NULL,
            undone TEXT)""",
        """CREATE TABLE changed_rules (
            change INTEGER NOT NULL REFERENCES rule_changes (number),
            agent TEXT NOT NULL, session TEXT NOT NULL, id TEXT NOT NULL,
            before TEXT, after TEXT,
            PRIMARY KEY (change, agent, session, id))""",
        "CREATE INDEX changes_of_rule ON changed_rules (id)",
    ),
)
VERSION = len(MIGRATIONS)
_WHOLE_MESSAGE = -1


class Database:
    """One SQLite file. Each operation opens it, so that any thread may call.

    `tell` is called with each notice as it comes up.
    """

    def __init__(self, path: Path, *, tell: Callable[[str], object] | None = None) -> None:
        self.path = path
        self._tell = tell
        self._notices: list[str] = []
        self._checked = False
        self._inode = 0
        self._lock = threading.Lock()

    @property
    def notices(self) -> tuple[str, ...]:
        """What a person should know of the file, once each: that it was damaged and moved."""
        return tuple(self._notices)

    def pins(self, key: SessionKey) -> StoredPins:
        """What a person overrode in the plan of a session."""
        owner = (key.agent, key.session)
        cuts = self.read("SELECT message FROM cuts WHERE agent = ? AND session = ?", owner)
        rows = self.read(
            "SELECT message, part, action FROM pins WHERE agent = ? AND session = ? ORDER BY rowid",
            owner,
        )
        actions: dict[str, str] = {}
        parts: dict[tuple[str, int], str] = {}
        for message, part, action in rows:
            if part == str(_WHOLE_MESSAGE):
                actions[message or ""] = action or ""
            else:
                parts[message or "", int(part or 0)] = action or ""
        return StoredPins(cuts[0][0] if cuts else None, actions, parts)

    def save_pins(self, key: SessionKey, pins: StoredPins) -> None:
        """Store `pins` in the place of the session's earlier ones."""
        with self.writing() as connection:
            owner = bound(key.agent, key.session)
            connection.execute("DELETE FROM cuts WHERE agent = ? AND session = ?", owner)
            connection.execute("DELETE FROM pins WHERE agent = ? AND session = ?", owner)
            if pins.cut is not None:
                connection.execute("INSERT INTO cuts VALUES (?, ?, ?)", (*owner, *bound(pins.cut)))
            whole = [(message, _WHOLE_MESSAGE, act) for message, act in pins.actions.items()]
            single = [(message, part, act) for (message, part), act in pins.parts.items()]
            connection.executemany(
                "INSERT INTO pins VALUES (?, ?, ?, ?, ?)",
                [
                    (*owner, *bound(message), part, *bound(action))
                    for message, part, action in whole + single
                ],
            )

    def draft(self, key: SessionKey) -> StoredDraft | None:
        """The draft that was saved last, None where there is none."""
        return next(iter(self.drafts(key)), None)

    def drafts(self, key: SessionKey) -> tuple[StoredDraft, ...]:
        """Every draft of a session, one for each message it was made at, newest first."""
        rows = self.read(
            "SELECT text, written, focus, message, time FROM drafts"
            " WHERE agent = ? AND session = ? ORDER BY number DESC",
            (key.agent, key.session),
        )
        return tuple(StoredDraft(*(column or "" for column in row)) for row in rows)

    def save_draft(self, key: SessionKey, draft: StoredDraft) -> None:
        """Store `draft`; it replaces only one that was made at the same message."""
        with self.writing() as connection:
            owner = bound(key.agent, key.session, draft.message)
            connection.execute(
                "DELETE FROM drafts WHERE agent = ? AND session = ? AND message = ?", owner
            )
            connection.execute(
                "INSERT INTO drafts (agent, session, message, text, written, focus, time)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*owner, *bound(draft.text, draft.written, draft.focus, draft.time)),
            )

    def read(self, query: str, parameters: tuple[str, ...]) -> list[tuple[str | None, ...]]:
        """The rows that `query` gives, as text; none where there is no file yet."""
        with self._lock:
            if not self._there():
                return []
            try:
                with closing(self._prepared()) as connection:
                    rows = connection.execute(query, bound(*parameters)).fetchall()
            except sqlite3.Error as error:
                self._failed(error)
                return []
            except OSError as error:
                raise RedlineError(f"cannot read {self.path}: {error.strerror}") from error
        return [tuple(text_of(column) for column in row) for row in rows]

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection inside one transaction: all of it is stored, or nothing."""
        with self._lock:
            try:
                with closing(self._ready()) as connection:
                    connection.execute("BEGIN IMMEDIATE")
                    try:
                        yield connection
                    except BaseException:
                        connection.execute("ROLLBACK")
                        raise
                    connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._failed(error)
                raise RedlineError(
                    f"nothing was stored: {self.path} was damaged", "do it again"
                ) from error
            except OSError as error:
                raise RedlineError(f"cannot write {self.path}: {error.strerror}") from error

    def _ready(self) -> sqlite3.Connection:
        """A connection to write with; a damaged file is moved aside and a new one made."""
        self._make()
        try:
            return self._prepared()
        except sqlite3.Error as error:
            self._failed(error)
        self._make()
        return self._prepared()

    def _prepared(self) -> sqlite3.Connection:
        connection = self._open()
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _there(self) -> bool:
        try:
            return self.path.stat().st_size > 0
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise RedlineError(f"cannot read {self.path}: {error.strerror}") from error

    def _make(self) -> None:
        """Create the file for this user only, with its folders."""
        missing: list[Path] = []
        folder = self.path.parent
        while not folder.exists():
            missing.append(folder)
            folder = folder.parent
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
        if not self.path.exists():
            # SQLite gives its own files beside it the mode of this one.
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))

    def _open(self) -> sqlite3.Connection:
        self._refuse_newer(self._header_version())  # before SQLite touches a byte of it
        self._inode = self.path.stat().st_ino
        address = f"file:{quote(str(self.path.absolute()))}"
        try:
            connection = sqlite3.connect(
                f"{address}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None
            )
            connection.execute("PRAGMA schema_version")
        except sqlite3.OperationalError as error:
            log = self.path.with_name(self.path.name + "-wal")
            if _code(error) != sqlite3.SQLITE_CANTOPEN or log.exists() or not self._readable():
                raise
            # In a folder that cannot be written SQLite finds no place for its own files.
            return sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True, isolation_level=None)
        return connection

    def _readable(self) -> bool:
        return os.access(self.path, os.R_OK)

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Check the file once, and bring its schema up to date."""
        if not self._checked:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()
            if found is None or found[0] != "ok":
                error = sqlite3.DatabaseError("the check of the file failed")
                error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
                raise error
            self._checked = True
        if _version(connection) < VERSION:
            self._migrate(connection)
        self._refuse_newer(_version(connection))

    def _refuse_newer(self, version: int) -> None:
        if version > VERSION:
            raise RedlineError(
                f"{self.path} was written by a newer redline"
                f" (schema {version}, this one knows {VERSION})",
                "update redline, or set REDLINE_HOME to another folder",
            )

    def _header_version(self) -> int:
        """The schema version in the file's own header (bytes 60 to 64), 0 where it is no SQLite."""
        with self.path.open("rb") as file:
            header = file.read(64)
        return int.from_bytes(header[60:64], "big") if header.startswith(b"SQLite format") else 0

    def _migrate(self, connection: sqlite3.Connection) -> None:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if _code(error) not in _BUSY:  # whoever holds the file sets it
                raise
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statements in MIGRATIONS[_version(connection) :]:
                for statement in statements:
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {max(VERSION, _version(connection))}")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")

    def _failed(self, error: sqlite3.Error) -> None:
        """Move a damaged file aside; anything else is raised as what a person can act on."""
        code = _code(error)
        if code in _BUSY:
            raise RedlineError(
                f"{self.path} is busy: another program is writing to it", "try again"
            ) from error
        if code not in _DAMAGED:
            raise RedlineError(f"cannot use {self.path}: {error}", _HINTS.get(code, "")) from error
        if not self.path.exists() or self.path.stat().st_ino != self._inode:
            return  # another redline has moved it already
        aside = self._aside()
        try:
            self.path.rename(aside)
            for ending in ("-wal", "-shm"):
                beside = self.path.with_name(self.path.name + ending)
                if beside.exists():
                    beside.rename(aside.with_name(aside.name + ending))
        except OSError as failure:
            raise RedlineError(
                f"{self.path} is damaged and cannot be moved: {failure.strerror}",
                "move it away yourself; redline then starts with an empty one",
            ) from error
        self._checked = False
        notice = (
            f"{self.path} was damaged. It is kept as {aside.name}; rules, pins and drafts start"
            " empty."
        )
        self._notices.append(notice)
        if self._tell is not None:
            self._tell(notice)

    def _aside(self) -> Path:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        return aside


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _code(error: sqlite3.Error) -> int:
    """The primary result code of SQLite."""
    return int(getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def bound(*values: str | None) -> tuple[str | bytes | None, ...]:
    """`values` as SQLite takes them; text with lone surrogates goes in as bytes."""
    bound: list[str | bytes | None] = []
    for value in values:
        try:
            if value is not None:
                value.encode()
            bound.append(value)
        except UnicodeEncodeError:
            bound.append(value.encode("utf-8", "surrogatepass") if value else value)
    return tuple(bound)


def text_of(column: object) -> str | None:
    """A column as text, with the surrogates that `bound` put away."""
    if column is None:
        return None
    if isinstance(column, bytes):
        return column.decode("utf-8", "surrogatepass")
    return str(column)
