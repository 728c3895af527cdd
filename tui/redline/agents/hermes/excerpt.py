"""A small database with some rows of a large one, to try out what is to be done with them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from redline.agents.hermes.store import DATABASE, Store

_ONCE = 400  # rows of one query
_TABLES = ("schema_version", "system_prompts", "sessions", "messages", "compression_locks")
_TABLE = "SELECT sql FROM sqlite_master WHERE type = 'table'"


class _Text(bytes):
    """A text as it is stored, whether it is UTF-8 or not."""


def excerpt(store: Store, sessions: Sequence[str], rows: Iterable[int], folder: Path) -> Path:
    """A database in the folder `folder` with these `sessions` and these `rows` of messages, byte
    for byte, and nothing that hangs on them (search, triggers). Gives its file; new rows get
    numbers behind all that the large one has given. Raises RedlineError where it cannot be read.
    """
    target = folder / DATABASE
    with (
        store.read() as source,
        closing(sqlite3.connect(target, isolation_level=None)) as made,
    ):
        source.text_factory = _Text
        made.execute("BEGIN")
        for name in _TABLES:
            for (statement,) in source.execute(f"{_TABLE} AND name = ?", (name,)).fetchall():
                made.execute(statement.decode())
        _copy(source, made, "schema_version", "1", ())
        if store.columns("system_prompts") and "system_prompt_hash" in store.columns("sessions"):
            used = f"SELECT system_prompt_hash FROM sessions WHERE id IN ({_marks(sessions)})"
            _copy(source, made, "system_prompts", f"hash IN ({used})", sessions)
        _copy(source, made, "sessions", f"id IN ({_marks(sessions)})", sessions)
        numbers = sorted(set(rows))
        for at in range(0, len(numbers), _ONCE):
            some = numbers[at : at + _ONCE]
            _copy(source, made, "messages", f"id IN ({_marks(some)})", some)
        if made.execute(f"{_TABLE} AND name = 'sqlite_sequence'").fetchone():
            (last,) = source.execute("SELECT max(id) FROM messages").fetchone()
            made.execute("DELETE FROM sqlite_sequence WHERE name = 'messages'")
            made.execute("INSERT INTO sqlite_sequence VALUES ('messages', ?)", (last or 0,))
        made.execute("COMMIT")
    return target


def _copy(
    source: sqlite3.Connection,
    made: sqlite3.Connection,
    table: str,
    where: str,
    values: Sequence[object],
) -> None:
    known = source.execute(f"PRAGMA table_info({table})").fetchall()
    if not known:
        return
    named = ", ".join(f'"{row[1].decode()}"' for row in known)
    for row in source.execute(f"SELECT {named} FROM {table} WHERE {where}", values):
        marks = ", ".join(map(_mark, row))
        stored = [bytes(value) if isinstance(value, _Text) else value for value in row]
        made.execute(f"INSERT INTO {table} ({named}) VALUES ({marks})", stored)


def _mark(value: Any) -> str:
    return "CAST(? AS TEXT)" if isinstance(value, _Text) else "?"


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
