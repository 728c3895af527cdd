"""The texts of a Hermes session that can be searched for, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b

from redline.agents.bodies import call_words
from redline.agents.finder import Passage, file_mark, file_stamp
from redline.agents.hermes.archive import Archive, open_archive
from redline.agents.hermes.database import Database
from redline.agents.hermes.generations import fold, node_of
from redline.agents.hermes.messages import pieces, result_text, spans_of
from redline.agents.hermes.rows import Row
from redline.errors import RedlineError
from redline.model import Kind, SessionInfo


def passages(info: SessionInfo, start: int = 0) -> Iterator[Passage]:
    """The texts of a session from row `start` on, with those of the sessions before it. A row that
    a compaction carried over is given once."""
    archive, chain = _opened(info)
    for row in _once(archive, chain, start):
        place = (row.start, row.end) if row.end else (row.number, row.number + 1)
        if row.live and place[0] >= start:
            for kind, text in _texts(row):
                if text.strip():
                    yield Passage(row.number, *place, kind, row.said_at, text)


def mark(info: SessionInfo, start: int) -> str:
    """Tells which rows before `start` there are and which of them are in the context: any
    compaction or rewind changes it. Indexes answer it, and the last of the rows."""
    try:
        archive, chain = _opened(info)
        if not isinstance(archive, Database):
            return _file_mark(info, archive, start)
        digest = blake2b(digest_size=8)
        last = 0
        for session in chain:
            before = [number for number in archive.ids(session) if number < start]
            last = max((last, *before[-1:]))
            active = archive.store.fetch(_ACTIVE, (session, start))[0]
            digest.update(f"{session} {before} {active['n']} {active['ids']}".encode())
        for values in archive.store.messages([last], ("role", "content")):
            digest.update(repr(values).encode("utf-8", "replace"))
    except RedlineError:
        return ""
    return digest.hexdigest()


_FEW = 400  # rows that are not read twice
_ACTIVE = (
    "SELECT count(*) AS n, total(id) AS ids FROM messages"
    " WHERE session_id = ? AND active = 1 AND id < ?"
)


def _file_mark(info: SessionInfo, archive: Archive, start: int) -> str:
    """A transcript is only appended to; other exports are written anew."""
    appended = all(row.end for row in archive.rows(archive.ids(info.id)[:1], []))
    return file_mark(info, start) if appended else file_stamp(info.path)


def _opened(info: SessionInfo) -> tuple[Archive, list[str]]:
    """The archive of a session, and the ids of the sessions that it is the end of."""
    archive = open_archive(info.path)
    if archive is None:
        raise RedlineError(f"{info.path} is no file of Hermes any more")
    return archive, archive.chain(info.id)


def _once(archive: Archive, chain: Sequence[str], start: int) -> Iterator[Row]:
    """The rows from `start` on, without the originals of rows that were carried over whole."""
    ids = [archive.ids(session) for session in chain]
    numbers = [number for of_session in ids for number in of_session]
    if start and archive.whole:
        yield from archive.rows([number for number in numbers if number >= start], [])
        return
    held: dict[int, Row] = {}
    nodes = []
    for count, of_session in enumerate(ids):
        for row in archive.rows(of_session, []):
            nodes.append(node_of(row, count))
            if len(numbers) <= _FEW:
                held[row.number] = row
    found = fold(nodes, len(ids) - 1)
    wanted = [found.nodes[place].number for place in sorted(found.history)]
    yield from [held[number] for number in wanted] if held else archive.rows(wanted, [])


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
    return call_words(arguments) if arguments is not None else ""
