"""Rows put into a Hermes database, and whether they are still as they were put there.

Everything runs in the transaction of the connection that is given. The search indexes follow by
Hermes' own triggers.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from redline.agents.hermes.encoding import NewRow, counts, next_title
from redline.agents.hermes.writing import columns

# What a trigger or a newer Hermes fills in by itself, and what places a row.
_PLACED = ("id", "session_id", "display_order", "display_identity", "message_uid")
_OWN = ("message_uid", "absorbed_message_uids")  # of a message of another session
_LIKE = (
    "model", "cwd", "git_branch", "git_repo_root", "billing_provider", "billing_base_url",
    "billing_mode", "profile_name", "transport_profile", "tool_names",
)  # fmt: skip
_PROMPT = ("system_prompt", "system_prompt_hash")
_HERE = ("cli", "tui")  # sources whose system prompt is that of a terminal


def insert(
    connection: sqlite3.Connection, session: str, rows: Sequence[NewRow], *, fresh: bool
) -> None:
    """Puts `rows` behind all others, as active rows of `session`; `fresh` where the rows that they
    are copies of are of another session. A copy of a row that is not there is left out."""
    known = columns(connection, "messages")
    flags = {"session_id": session, "active": 1, "compacted": 0}
    if fresh:
        flags |= dict.fromkeys(_OWN)
    for row in rows:
        own = {name: value for name, value in {**flags, **row.columns}.items() if name in known}
        copied = [name for name in known if name not in own and name not in ("id", "display_order")]
        marks = ", ".join("?" * len(own))
        if row.of is None:
            statement = f"INSERT INTO messages ({_named(own)}) VALUES ({marks})"
            connection.execute(statement, tuple(own.values()))
        else:
            statement = (
                f"INSERT INTO messages ({_named([*own, *copied])})"
                f" SELECT {', '.join([marks, *map(_quoted, copied)])} FROM messages WHERE id = ?"
            )
            connection.execute(statement, (*own.values(), row.of))


def insert_session(
    connection: sqlite3.Connection, session: str, parent: str, values: Mapping[str, Any]
) -> None:
    """Puts the row of `session` there: like that of `parent` in what says where and with which
    model it is, otherwise with `values`. It takes a name after that of `parent`, and its system
    prompt where that was made for a terminal, too."""
    known = columns(connection, "sessions")
    own = {"id": session, "parent_session_id": parent, **values}
    found = connection.execute(
        f"SELECT source{_title(known)} FROM sessions WHERE id = ?", (parent,)
    )
    source, title = found.fetchone() or (None, None)
    if title:
        titles = connection.execute("SELECT title FROM sessions WHERE title IS NOT NULL").fetchall()
        own["title"] = next_title(title, [str(row[0]) for row in titles])
    own = {name: value for name, value in own.items() if name in known}
    like = (*_LIKE, *_PROMPT) if source in _HERE else _LIKE
    copied = [name for name in like if name in known and name not in own]
    marks = ", ".join([*("?" * len(own)), *map(_quoted, copied)])
    connection.execute(
        f"INSERT INTO sessions ({_named([*own, *copied])})"
        f" SELECT {marks} FROM sessions WHERE id = ?",
        (*own.values(), parent),
    )


def recount(connection: sqlite3.Connection, session: str) -> None:
    """Makes the row of `session` say how many messages and calls are active in it."""
    known = columns(connection, "sessions")
    query = "SELECT tool_calls FROM messages WHERE session_id = ? AND active = 1"
    rows = ({"tool_calls": row[0]} for row in connection.execute(query, (session,)))
    for name, count in zip(("message_count", "tool_call_count"), counts(rows), strict=True):
        if name in known:
            connection.execute(f"UPDATE sessions SET {name} = ? WHERE id = ?", (count, session))


def told(connection: sqlite3.Connection) -> tuple[str, ...]:
    """The columns of a message that tell what it says and how it stands, see `digest`."""
    return tuple(name for name in columns(connection, "messages") if name not in _PLACED)


def digest(
    connection: sqlite3.Connection, session: str, behind: int, names: Sequence[str]
) -> tuple[int, str]:
    """How many rows of `session` stand behind the row `behind`, and a digest of what their columns
    `names` hold, in order; "" where a column is not there any more."""
    known = columns(connection, "messages")
    if not set(names) <= set(known):
        return -1, ""
    found, count = hashlib.sha256(), 0
    query = f"SELECT {_named(names)} FROM messages WHERE session_id = ? AND id > ? ORDER BY id"
    for row in connection.execute(query, (session, behind)):
        count += 1
        for value in row:
            for piece in _bytes(value):
                found.update(piece)
    return count, found.hexdigest()


def _bytes(value: object) -> Iterator[bytes]:
    raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    data = raw if isinstance(raw, bytes) else repr(raw).encode()
    yield f"{type(value).__name__} {len(data)} ".encode()
    yield data


def _title(known: Sequence[str]) -> str:
    return ", title" if "title" in known else ", NULL"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _named(names: Sequence[str] | Mapping[str, object]) -> str:
    return ", ".join(map(_quoted, names))
