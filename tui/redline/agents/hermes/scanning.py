"""What a list shows of the sessions of a Hermes database, without opening one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.agents.bodies import texts
from redline.agents.heads import LENGTH, head_line
from redline.agents.hermes.archive import Archive, open_archive
from redline.agents.hermes.database import Database
from redline.agents.hermes.kinds import user_spans
from redline.agents.hermes.lineage import Lineage, SessionRow
from redline.agents.hermes.messages import prompts_of
from redline.agents.hermes.rows import JSON_MARK, decoded, moment, seconds
from redline.agents.hermes.store import Store
from redline.errors import RedlineError
from redline.model import Agent, Kind, SessionInfo

_HEAD_BYTES = 2_000  # of a prompt
_NEAR = 300  # rows from an end of a session that are looked at for a prompt
_BLOCK_TEXT = re.compile(r'"text": ?("(?:[^"\\]|\\.)*"?)')
_OF_HERMES = ("[CONTEXT ", "[PRIOR CONTEXT", "[System", "[IMPORTANT", "[Your active task list")


def scan(path: Path) -> tuple[SessionInfo, ...]:
    """The conversations in the file at `path`, () where it holds none or cannot be read. Subagents
    are opened from the session that started them, and a session that a compaction ended is a part
    of the one that goes on with it."""
    try:
        archive = open_archive(path)
        return _listed(path, archive, None) if archive is not None else ()
    except RedlineError:
        return ()


def find_session(path: Path, archive: Archive, id: str) -> SessionInfo | None:  # noqa: A002
    """The session with this id, listed or not, None where there is none. Raises RedlineError where
    the file cannot be read."""
    return next(iter(_listed(path, archive, id)), None)


def unlisted(path: Path, id: str) -> SessionInfo | None:  # noqa: A002 - the model's own word
    """The same, None also where the file is none of Hermes or cannot be read."""
    try:
        archive = open_archive(path)
        return find_session(path, archive, id) if archive is not None else None
    except RedlineError:
        return None


def _listed(path: Path, archive: Archive, id: str | None) -> tuple[SessionInfo, ...]:  # noqa: A002
    """Every conversation, or the session `id` only."""
    lineage = archive.lineage(id)
    if id is None:
        wanted = lineage.listed()
    elif id in lineage.sessions:
        wanted = (lineage.sessions[id],)
    else:
        return ()
    named = None if id is None else {part.id for part in lineage.ancestors(wanted[0])}
    if isinstance(archive, Database):
        ends = _database_ends(archive.store, named)
        rows = archive.store.fetch("SELECT max(id) AS n FROM messages")[0]["n"] or 0
    else:
        ends = {name: _export_ends(archive, name) for name in lineage.sessions}
        rows = sum(end.rows for end in ends.values())
    row_bytes = _size(path) / max(1, rows)
    return tuple(_info(path, lineage, session, ends, row_bytes) for session in wanted)


@dataclass(frozen=True, slots=True)
class _Ends:
    """What the two ends of a session hold: how many rows are between them, when the last of them
    was written (seconds), the first prompt and the last."""

    rows: int = 0
    newest: float | None = None
    first: str = ""
    last: str = ""


def _info(
    path: Path,
    lineage: Lineage,
    session: SessionRow,
    told: Mapping[str, _Ends],
    row_bytes: float,
) -> SessionInfo:
    """What a list shows of `session`; `row_bytes` is what one row weighs."""
    ends = told.get(session.id, _Ends())
    chain = lineage.ancestors(session)
    first = told.get(chain[0].id, _Ends()).first or ends.first
    rows = sum(told.get(part.id, _Ends()).rows for part in chain)
    return SessionInfo(
        Agent.HERMES,
        session.id,
        path,
        project=session.project or chain[0].project,
        title=(session.title or first)[:LENGTH],
        model=session.model,
        started=moment(chain[0].started),
        updated=moment(ends.newest) or moment(session.ended) or moment(session.started),
        size=round(rows * row_bytes),
        first_prompt=first,
        last_prompt=ends.last or first,
        parent=lineage.copied(session),
    )


def _export_ends(archive: Archive, session: str) -> _Ends:
    rows = [row for row in archive.rows(archive.ids(session), []) if row.live]
    prompts = [text for row in rows for text in prompts_of(row) if text.strip()]
    newest = max((row.time for row in rows if row.time is not None), default=None)
    ends = [head_line(text) for text in (*prompts[:1], *prompts[-1:])] or ["", ""]
    return _Ends(len(rows), newest, ends[0], ends[-1])


def _database_ends(store: Store, named: set[str] | None) -> dict[str, _Ends]:
    """The ends of each session by its id; of the named ones only where some are."""
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

    wanted = sorted(named or ())
    one = f" WHERE session_id IN ({','.join('?' * len(wanted))})" if wanted else ""
    newest = "max(timestamp)" if "timestamp" in columns else "NULL"
    query = (
        f"SELECT g.*, {said(True)} AS first_said, {said(False)} AS last_said FROM"
        f" (SELECT session_id, count(*) AS n, {newest} AS newest, min(id) AS first,"
        f" max(id) AS last FROM messages{one} GROUP BY session_id) g"
    )
    return {
        row["session_id"]: _Ends(
            row["n"],
            seconds(row["newest"]),
            _prompt(row["first_said"]),
            _prompt(row["last_said"]),
        )
        for row in store.fetch(query, wanted)
        if isinstance(row["session_id"], str)
    }


def _prompt(stored: object) -> str:
    """The line that stands for a prompt whose first bytes are `stored`."""
    if not isinstance(stored, bytes):
        return ""
    said = stored.decode("utf-8", "ignore")
    if said.startswith(JSON_MARK):
        blocks = decoded("content", said)
        found = [texts(blocks)]
        if isinstance(blocks, str):  # the list goes on behind what was read
            cut = (text.removesuffix('"') + '"' for text in _BLOCK_TEXT.findall(said))
            found = [str(decoded("tool_calls", text) or "") for text in cut]
        said = next(filter(str.strip, found), "")
    spans = user_spans(said)
    return next((head_line(said[a:b]) for kind, a, b in spans if kind is Kind.PROMPT), "")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise RedlineError(f"cannot read {path}: {error.strerror}") from error
