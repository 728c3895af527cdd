"""What a list shows of the sessions of a Hermes database, without opening one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from redline.agents.bodies import texts
from redline.agents.finder import file_stamp
from redline.agents.heads import LENGTH, head_line
from redline.agents.hermes.database import Database
from redline.agents.hermes.kinds import user_spans
from redline.agents.hermes.lineage import Lineage, SessionRow
from redline.agents.hermes.rows import JSON_MARK, decoded, moment
from redline.agents.hermes.store import Store, database_stamp, hermes_store, is_database
from redline.errors import RedlineError
from redline.model import Agent, Kind, SessionInfo

_HEAD_BYTES = 2_000  # of a prompt
_NEAR = 300  # rows from an end of a session that are looked at for a prompt
_BLOCK_TEXT = re.compile(r'"text": ?("(?:[^"\\]|\\.)*"?)')
_OF_HERMES = ("[CONTEXT ", "[PRIOR CONTEXT", "[System", "[IMPORTANT", "[Your active task list")


def scan(path: Path) -> tuple[SessionInfo, ...]:
    """The conversations in the file at `path`, () where it holds none or cannot be read."""
    try:
        return scan_database(path)
    except RedlineError:
        return ()


def stamp(path: Path) -> str:
    """Changes whenever the file, or what is still to be written into it, may have changed."""
    return database_stamp(path) if is_database(path) else file_stamp(path)


def scan_database(path: Path) -> tuple[SessionInfo, ...]:
    """The conversations in the database at `path`, () where it is none of Hermes. Subagents are
    opened from the session that started them, and the sessions that a compaction ended are a part
    of the one that goes on with them. Raises RedlineError where it cannot be read."""
    store = hermes_store(path)
    if store is None:
        return ()
    database = Database(store)
    lineage = database.lineage()
    told = _ends(store)
    size = _size(path)
    rows = sum(_whole(values.get("n")) for values in told.values())
    return tuple(
        info_of(path, lineage, session, told, size / max(1, rows)) for session in lineage.listed()
    )


def find_session(path: Path, id: str) -> SessionInfo | None:  # noqa: A002 - the model's own word
    """The session with this id, listed or not, None where there is none."""
    store = hermes_store(path)
    if store is None:
        return None
    lineage = Database(store).lineage()
    session = lineage.sessions.get(id)
    if session is None:
        return None
    told = _ends(store, id)
    rows = _whole(store.fetch("SELECT count(*) AS n FROM messages")[0]["n"])
    return info_of(path, lineage, session, told, _size(path) / max(1, rows))


def unlisted(path: Path, id: str) -> SessionInfo | None:  # noqa: A002 - the model's own word
    """The same, None also where the file cannot be read."""
    try:
        return find_session(path, id)
    except RedlineError:
        return None


def info_of(
    path: Path,
    lineage: Lineage,
    session: SessionRow,
    told: Mapping[str, Mapping[str, Any]],
    row_bytes: float,
) -> SessionInfo:
    """What a list shows of `session`; `told` is what its rows say, `row_bytes` what one weighs."""
    ends = told.get(session.id, {})
    root = lineage.ancestors(session)[0]
    first = _prompt(told.get(root.id, {}).get("first_said")) or _prompt(ends.get("first_said"))
    last = _prompt(ends.get("last_said")) or first
    return SessionInfo(
        Agent.HERMES,
        session.id,
        path,
        project=session.project or root.project,
        title=(session.title or first)[:LENGTH],
        model=session.model,
        started=moment(root.started),
        updated=moment(ends.get("newest")) or moment(session.ended) or moment(session.started),
        size=round(_whole(ends.get("n")) * row_bytes),
        first_prompt=first,
        last_prompt=last,
        parent=lineage.copied(session),
    )


def _ends(store: Store, session: str | None = None) -> dict[str, dict[str, Any]]:
    """What the two ends of each session hold, by its id; of one session only where it is named."""
    others = " AND ".join(f"substr(m.content, 1, 30) NOT LIKE '{text}%'" for text in _OF_HERMES)
    columns = store.columns("messages")
    shown = " AND (m.active = 1 OR m.compacted = 1)" if "compacted" in columns else ""

    def said(first: bool) -> str:
        reach = f"g.first AND g.first + {_NEAR}" if first else f"g.last - {_NEAR} AND g.last"
        return (
            f"(SELECT substr(CAST(m.content AS BLOB), 1, {_HEAD_BYTES}) FROM messages m"
            f" WHERE m.id BETWEEN {reach} AND m.session_id = g.session_id AND m.role = 'user'"
            f"{shown} AND {others} ORDER BY m.id {'ASC' if first else 'DESC'} LIMIT 1)"
        )

    one = " WHERE session_id = ?" if session is not None else ""
    newest = "max(timestamp)" if "timestamp" in columns else "NULL"
    query = (
        f"SELECT g.*, {said(True)} AS first_said, {said(False)} AS last_said FROM"
        f" (SELECT session_id, count(*) AS n, {newest} AS newest, min(id) AS first,"
        f" max(id) AS last FROM messages{one} GROUP BY session_id) g"
    )
    found = store.fetch(query, (session,) if session is not None else ())
    return {row["session_id"]: row for row in found if isinstance(row["session_id"], str)}


def _prompt(stored: object) -> str:
    """The line that stands for a prompt whose first bytes are `stored`."""
    if not isinstance(stored, bytes):
        return ""
    said = stored.decode("utf-8", "ignore")
    if said.startswith(JSON_MARK):
        blocks = decoded("content", said)
        cut = blocks == said  # the list goes on behind what was read
        texts_of = [decoded("tool_calls", t if t.endswith('"') else t + '"') for t in
                    _BLOCK_TEXT.findall(said)] if cut else [texts(blocks)]  # fmt: skip
        said = next((text for text in texts_of if isinstance(text, str) and text.strip()), "")
    spans = user_spans(said)
    return next((head_line(said[a:b]) for kind, a, b in spans if kind is Kind.PROMPT), "")


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise RedlineError(f"cannot read {path}: {error.strerror}") from error
