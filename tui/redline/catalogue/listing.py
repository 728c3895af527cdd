"""The list of sessions brought up to date: only files that changed are looked into."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw

from redline.agents.discover import FoundFile, Held, Look, look, newest_first
from redline.agents.finder import Environment, Finder, Looked
from redline.agents.times import read_time
from redline.catalogue.chunk import NO_TIME, moment
from redline.catalogue.stored_info import WRONG, read, stored
from redline.model import SessionInfo

Key = tuple[str, bytes]
_NOTED = timedelta(minutes=1)


@dataclass(slots=True)
class Row:
    """A session as the catalogue holds it. `read` tells what of it the index holds whole (see
    `indexing`), "" where it does not; `last` and `mark` where reading can go on."""

    id: int
    info: str
    aside: int = 0
    read: str = ""
    last: int = 0
    mark: str = ""


@dataclass(slots=True)
class KnownFile:
    """A file as the catalogue holds it, with its sessions by name."""

    id: int
    stamp: str
    rows: dict[str, Row] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listing:
    """The sessions as they are now, newest first, and what of the files changed."""

    sessions: tuple[SessionInfo, ...]
    looked: tuple[Looked, ...]
    files: tuple[FoundFile, ...]
    changed: tuple[FoundFile, ...]
    gone: tuple[int, ...]


def known_files(connection: apsw.Connection | None) -> dict[Key, KnownFile]:
    """Every file that the catalogue holds."""
    if connection is None:
        return {}
    files: dict[Key, KnownFile] = {}
    by_id: dict[int, KnownFile] = {}
    for number, agent, path, stamp in connection.execute(
        "SELECT id, agent, path, stamp FROM files"
    ):
        files[agent, path] = by_id[number] = KnownFile(number, stamp)
    for number, file, name, info, aside, told, last, mark in connection.execute(
        "SELECT id, file, name, info, aside, read, last, mark FROM sessions ORDER BY id"
    ):
        if file in by_id:
            by_id[file].rows[name] = Row(number, info, aside, told, last, mark)
    return files


def list_files(
    known: dict[Key, KnownFile], environment: Environment, seen: Callable[[int], object]
) -> Listing:
    """What there is now, beside what the catalogue knows. Raises what `seen` raises."""

    def as_known(finder: Finder, path: Path, stamp: str) -> Held | None:
        file = known.get((finder.agent.value, os.fsencode(path)))
        if file is None or file.stamp != stamp:
            return None
        agent = finder.agent.value
        try:
            shown, aside = (
                tuple(
                    read(row.info, agent, path) for row in file.rows.values() if row.aside == flag
                )
                for flag in (0, 1)
            )
        except WRONG:
            return None
        return Held(shown, aside)

    found: Look = look(environment, as_known, seen, asides=True)
    there = {key_of(file) for file in found.files}
    return Listing(
        newest_first([info for file in found.files for info in file.held.infos]),
        found.looked,
        found.files,
        tuple(file for file in found.files if _changed(file, known.get(key_of(file)))),
        tuple(file.id for key, file in known.items() if key not in there),
    )


def key_of(file: FoundFile) -> Key:
    """What tells a file from all others."""
    return file.finder.agent.value, os.fsencode(file.path)


def _changed(file: FoundFile, known: KnownFile | None) -> bool:
    return known is None or known.stamp != file.stamp or not file.stamp


def _looked(listing: Listing) -> list[tuple[str, bytes, int, str]]:
    return [
        (looked.agent.value, os.fsencode(looked.path), looked.found, looked.problem)
        for looked in listing.looked
    ]


def is_noted(connection: apsw.Connection, listing: Listing, now: datetime) -> bool:
    """Whether the same folders were looked into a moment ago, with the same result."""
    told: Any = connection.execute("SELECT value FROM about WHERE name = 'refreshed'").fetchone()
    rows = connection.execute("SELECT agent, path, found, problem FROM looked ORDER BY rowid")
    if told is None or rows.fetchall() != _looked(listing):
        return False
    noted = read_time(told[0])
    return noted is not None and now - _NOTED < noted <= now


def store_listing(
    connection: apsw.Connection, listing: Listing, known: dict[Key, KnownFile], now: datetime
) -> None:
    """Stores what changed, in one transaction; what is gone leaves with its texts."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number in listing.gone:
            rows: list[Any] = connection.execute(
                "SELECT id FROM sessions WHERE file = ?", (number,)
            ).fetchall()
            for (row,) in rows:
                forget_session(connection, row)
            connection.execute("DELETE FROM files WHERE id = ?", (number,))
        for file in listing.changed:
            _store_file(connection, file, known.get(key_of(file)))
        connection.execute("DELETE FROM looked")
        connection.executemany("INSERT INTO looked VALUES (?, ?, ?, ?)", _looked(listing))
        told = now.astimezone(UTC).isoformat()
        connection.execute("INSERT OR REPLACE INTO about VALUES ('refreshed', ?)", (told,))
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _store_file(connection: apsw.Connection, file: FoundFile, known: KnownFile | None) -> None:
    agent, path = key_of(file)
    rows = {} if known is None else known.rows
    if known is None:
        connection.execute(
            "INSERT INTO files (agent, path, stamp) VALUES (?, ?, ?)", (agent, path, file.stamp)
        )
        number = connection.last_insert_rowid()
    else:
        number = known.id
        connection.execute("UPDATE files SET stamp = ? WHERE id = ?", (file.stamp, number))
    names = {info.id: (info, 1) for info in file.held.asides}
    names |= {info.id: (info, 0) for info in file.held.infos}
    for name, row in rows.items():
        if name not in names:
            forget_session(connection, row.id)
    for name, (info, aside) in names.items():
        told = stored(info)
        updated = NO_TIME if info.updated is None else moment(info.updated)
        if name in rows:
            connection.execute(
                "UPDATE sessions SET info = ?, updated = ?, aside = ? WHERE id = ?",
                (told, updated, aside, rows[name].id),
            )
        else:
            connection.execute(
                "INSERT INTO sessions (file, name, info, updated, aside, read, problem, last, mark)"
                " VALUES (?, ?, ?, ?, ?, '', '', 0, '')",
                (number, name, told, updated, aside),
            )


def forget_texts(connection: apsw.Connection, session: int, start: int | None = None) -> None:
    """Takes the chunks of a session out: all, or those from `start` on (see `Packed.first`)."""
    rows = connection.execute(
        "SELECT id FROM chunks WHERE session = ? AND (? IS NULL OR first >= ?)",
        (session, start, start),
    )
    for row in rows.fetchall():
        connection.execute("DELETE FROM words WHERE rowid = ?", row)
        connection.execute("DELETE FROM bodies WHERE chunk = ?", row)
        connection.execute("DELETE FROM chunks WHERE id = ?", row)


def forget_session(connection: apsw.Connection, session: int) -> None:
    """Takes a session out with its texts."""
    forget_texts(connection, session)
    connection.execute("DELETE FROM sessions WHERE id = ?", (session,))
