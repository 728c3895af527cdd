"""The texts of a Hermes session that can be searched for, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b

from redline.agents.bodies import call_text
from redline.agents.finder import Passage
from redline.agents.hermes.database import Database
from redline.agents.hermes.generations import fold, node_of
from redline.agents.hermes.messages import pieces, result_text, spans_of
from redline.agents.hermes.rows import Row
from redline.agents.hermes.store import Store, hermes_store
from redline.errors import RedlineError
from redline.model import Kind, SessionInfo


def passages(info: SessionInfo, start: int = 0) -> Iterator[Passage]:
    """The texts of a session from row `start` on, with those of the sessions before it. A row that
    a compaction carried over is given once."""
    database, ids = _rows(info)
    for row in database.rows(_once(database, ids, start), []):
        if row.live:
            for kind, text in _texts(row):
                if text.strip():
                    yield Passage(row.number, row.number, row.number + 1, kind, row.said_at, text)


def mark(info: SessionInfo, start: int) -> str:
    """Tells which rows before `start` there are and which of them are in the context: any
    compaction or rewind changes it. Indexes answer it, and the last of the rows."""
    try:
        database, ids = _rows(info)
        before = [n for chain in ids for n in chain if n < start]
        digest = blake2b(repr(before).encode(), digest_size=8)
        for chain, session in zip(ids, _chain(database, info.id), strict=True):
            query = (
                "SELECT count(*) AS n, total(id) AS ids FROM messages"
                " WHERE session_id = ? AND active = 1 AND id < ?"
            )
            active = database.store.fetch(query, (session, start))[0]
            digest.update(f"{session}:{len(chain)}:{active['n']}:{active['ids']}".encode())
        for values in database.store.messages(before[-1:], ("role", "content")):
            digest.update(repr(values).encode("utf-8", "replace"))
    except RedlineError:
        return ""
    return digest.hexdigest()


def _chain(database: Database, session: str) -> list[str]:
    lineage = database.lineage()
    found = lineage.sessions.get(session)
    return [part.id for part in lineage.ancestors(found)] if found is not None else []


def _rows(info: SessionInfo) -> tuple[Database, list[list[int]]]:
    """The database of a session, and the ids of its rows, session by session."""
    store = hermes_store(info.path)
    database = Database(store or Store(info.path))
    return database, [database.ids(session) for session in _chain(database, info.id)]


def _once(database: Database, ids: Sequence[Sequence[int]], start: int) -> list[int]:
    """The ids from `start` on, without the originals of rows that were carried over whole."""
    numbers = [n for chain in ids for n in chain]
    wanted = [n for n in numbers if n >= start]
    if start or not wanted:
        return wanted
    nodes = [
        node_of(row, count) for count, chain in enumerate(ids) for row in database.rows(chain, [])
    ]
    found = fold(nodes, len(ids) - 1)
    return [found.nodes[place].number for place in sorted(found.history)]


def _texts(row: Row) -> Iterator[tuple[Kind, str]]:
    if row.role == "tool":
        yield Kind.TOOL_RESULT, result_text(row)
        return
    for _, text in pieces(row):
        for kind, start, end in spans_of(row, text):
            yield kind, text[start:end]
    for call in row.calls:
        yield Kind.TOOL_CALL, " ".join(filter(None, (call.tool, _said(call.arguments))))


def _said(arguments: object) -> str:
    return call_text(arguments) if arguments is not None else ""
