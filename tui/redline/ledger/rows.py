"""The rules of all sessions as they are stored, and the journal of what was changed in them.

What an older redline has stored of a rule may hold a secret: it is taken out where it is read.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from redline.database import Database, bound, text_of
from redline.redaction import redact
from redline.stored import SessionKey, StoredChange, StoredRule

Cell = str | None
Held = tuple[SessionKey, StoredRule]
Changes = Mapping[tuple[SessionKey, str], StoredRule | None]

_COLUMNS = tuple(field.name for field in fields(StoredRule))
_NAMES = ", ".join(_COLUMNS)
_OF_SESSION = f"SELECT {_NAMES} FROM rules WHERE agent = ? AND session = ? ORDER BY place, id"
_OF_PROJECT = (
    f"SELECT agent, session, {_NAMES} FROM rules WHERE project = ?1"
    " AND scope = 'project' AND origin IS NULL AND NOT (agent = ?2 AND session = ?3)"
    " AND ((state = 'active' AND ended IS NULL) OR successor IN"
    " (SELECT id FROM rules WHERE agent = ?2 AND session = ?3))"
    " ORDER BY time, agent, session, place, id"
)
_PUT = (
    f"INSERT INTO rules (agent, session, place, {_NAMES})"
    " SELECT ?1, ?2, (SELECT coalesce(max(place), 0) + 1 FROM rules WHERE agent = ?1"
    f" AND session = ?2), {', '.join('?' * len(_COLUMNS))} WHERE true"
    " ON CONFLICT (agent, session, id) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS if name != "id")
)
_LAST = (
    "(SELECT max(t.number) FROM rule_changes AS t JOIN changed_rules AS u ON u.change = t.number"
    " WHERE t.undone IS NULL AND ((t.agent = ?1 AND t.session = ?2)"
    " OR (u.agent = ?1 AND u.session = ?2)))"
)
_STEPS = (
    "SELECT s.number, s.verb, s.time, s.agent, s.session, r.agent, r.session, r.id, r.before,"
    " r.after, s.undone FROM rule_changes AS s JOIN changed_rules AS r ON r.change = s.number"
)


@dataclass(frozen=True, slots=True)
class Rows:
    """What is stored for one session: its own rules, and those that hold from others of its
    project, each under its id."""

    own: Mapping[str, StoredRule]
    elsewhere: Mapping[str, Held]


class RuleRows:
    """Reads and changes the tables of the rules. Any thread may call."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, key: SessionKey, project: str | None = None) -> Rows:
        """What is stored for a session of `project`."""
        read = self._database.read
        own = read(_OF_SESSION, (key.agent, key.session))
        others = read(_OF_PROJECT, (project, key.agent, key.session)) if project else []
        return _rows(own, others)

    def steps(self, id: str) -> tuple[StoredChange, ...]:  # noqa: A002
        """Everything that was done to a rule, in order, wherever it lies."""
        found = self._database.read(f"{_STEPS} WHERE r.id = ? ORDER BY s.number", (id,))
        return tuple(_change(row) for row in found)

    def stepped(self, key: SessionKey) -> bool:
        """Whether there is a step to take back from this session."""
        return self._database.read(f"SELECT {_LAST}", (key.agent, key.session)) not in (
            [],
            [(None,)],
        )

    def note(self, key: SessionKey, rows: Mapping[str, StoredRule]) -> None:
        """Stores what became known of rules without anybody deciding it. A row that was changed
        meanwhile stays as it is."""
        with self._database.writing() as connection:
            now = _rows(_all(connection, _OF_SESSION, key.agent, key.session), []).own
            for name, row in rows.items():
                if (there := now.get(name)) is not None:
                    known = replace(there, ended=row.ended, project=row.project)
                    _put(connection, key, known)

    @contextmanager
    def changing(self, key: SessionKey, project: str | None) -> Iterator[Changing]:
        """One transaction over all rules: what is read in it stays so until it has ended."""
        with self._database.writing() as connection:
            yield Changing(connection, key, project)


class Changing:
    """The inside of a transaction that starts from the session `key`."""

    def __init__(
        self, connection: sqlite3.Connection, key: SessionKey, project: str | None
    ) -> None:
        self._connection = connection
        self._key = key
        self._project = project

    def rows(self) -> Rows:
        """What is stored for the session now."""
        owner = self._key.agent, self._key.session
        own = _all(self._connection, _OF_SESSION, *owner)
        others = _all(self._connection, _OF_PROJECT, self._project, *owner)
        return _rows(own, others if self._project else [])

    def save(self, verb: str, time: str, changes: Changes) -> None:
        """Stores `changes`, None to take a row away, and notes them as one step."""
        owner = bound(self._key.agent, self._key.session)
        step = self._connection.execute(
            "INSERT INTO rule_changes (agent, session, verb, time) VALUES (?, ?, ?, ?)",
            (*owner, verb, time),
        ).lastrowid
        for (key, name), row in changes.items():
            before = self._row(key, name)
            self._put(key, name, row)
            self._connection.execute(
                "INSERT INTO changed_rules VALUES (?, ?, ?, ?, ?, ?)",
                (step, *bound(key.agent, key.session, name, _packed(before), _packed(row))),
            )

    def last_step(self) -> tuple[StoredChange, ...]:
        """The last step that was made from this session or changed one of its rules, and is not
        taken back; empty where there is none."""
        owner = self._key.agent, self._key.session
        found = _all(self._connection, f"{_STEPS} WHERE s.number = {_LAST}", *owner)
        return tuple(_change(row) for row in found)

    def now(self, change: StoredChange) -> StoredRule | None:
        """The rule of `change` as it is."""
        return self._row(change.key, change.id)

    def take_back(self, step: tuple[StoredChange, ...], time: str) -> None:
        """The rules of a step as they were before it."""
        for change in step:
            before = change.before
            if before is not None and (there := self.now(change)) is not None:
                before = replace(before, ended=there.ended)  # known since then, and nobody's step
            self._put(change.key, change.id, before)
            self._connection.execute(
                "UPDATE rule_changes SET undone = ? WHERE number = ?", (time, change.number)
            )

    def _row(self, key: SessionKey, name: str) -> StoredRule | None:
        return _rows(_all(self._connection, _OF_SESSION, key.agent, key.session), []).own.get(name)

    def _put(self, key: SessionKey, name: str, row: StoredRule | None) -> None:
        if row is not None:
            _put(self._connection, key, row)
            return
        self._connection.execute(
            "DELETE FROM rules WHERE agent = ? AND session = ? AND id = ?",
            bound(key.agent, key.session, name),
        )


def _all(connection: sqlite3.Connection, query: str, *values: Cell) -> list[tuple[Cell, ...]]:
    found = connection.execute(query, bound(*values)).fetchall()
    return [tuple(text_of(column) for column in row) for row in found]


def _rows(own: list[tuple[Cell, ...]], others: list[tuple[Cell, ...]]) -> Rows:
    mine = {row.id: row for row in map(_stored, own)}
    held: dict[str, Held] = {}
    for agent, session, *columns in others:
        rule = _stored(tuple(columns))
        held.setdefault(rule.id, (SessionKey(agent or "", session or ""), rule))
    return Rows(mine, held)


def _stored(columns: tuple[Cell, ...]) -> StoredRule:
    found: dict[str, Any] = dict(zip(_COLUMNS, columns, strict=True))
    for name in ("id", "text", "said", "family", "state", "scope"):
        found[name] = found[name] or ""
    objects = _objects(found["objects"])
    for name in ("text", "said"):
        whole, found[name] = found[name], redact(found[name]).text
        if found[name] != whole:
            kept = found[name].lower()
            objects = tuple(one for one in objects if one in kept)
    found["objects"] = objects
    found["edited"] = found["edited"] == "1"
    return StoredRule(**found)


def _cells(row: StoredRule) -> dict[str, Cell]:
    cells: dict[str, Any] = asdict(row)
    cells["objects"] = json.dumps(row.objects)
    cells["edited"] = "1" if row.edited else "0"
    return cells


def _put(connection: sqlite3.Connection, key: SessionKey, row: StoredRule) -> None:
    cells = _cells(row)
    connection.execute(_PUT, bound(key.agent, key.session, *(cells[name] for name in _COLUMNS)))


def _packed(row: StoredRule | None) -> str | None:
    return None if row is None else json.dumps(_cells(row))


def _unpacked(text: Cell) -> StoredRule | None:
    if text is None:
        return None
    cells: dict[str, Any] = json.loads(text)
    return _stored(tuple(cells.get(name) for name in _COLUMNS))


def _change(row: tuple[Cell, ...]) -> StoredChange:
    number, verb, time, made_by, made_in, agent, session, name, before, after, undone = row
    return StoredChange(
        int(number or 0),
        verb or "",
        time or "",
        SessionKey(made_by or "", made_in or ""),
        SessionKey(agent or "", session or ""),
        name or "",
        _unpacked(before),
        _unpacked(after),
        undone,
    )


def _objects(stored: Cell) -> tuple[str, ...]:
    try:
        found = json.loads(stored or "[]")
    except ValueError:
        return ()
    return tuple(str(item) for item in found) if isinstance(found, list) else ()
