"""Searching the catalogue: exact, newest sessions first, until there are enough hits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw
import zstandard

from redline.catalogue.cache_file import Damaged
from redline.catalogue.chunk import Chunk, Match, Place, Sought, kind_bits, moment
from redline.catalogue.folding import fold, keeps_places, place_before
from redline.catalogue.query import Query
from redline.model import Kind, SessionInfo

LIMIT = 200
EACH = 20  # hits of one session where a person looks: one that talks much would fill the list
_RUN = 3  # characters that the index knows
_ASKED = 40  # runs of one query; the text itself decides
_FEW = 20_000  # entries of the index that are cheaper to read than the chunks they lead to
_WRONG = (ValueError, TypeError, IndexError, OverflowError, zstandard.ZstdError)  # of a text
_BEFORE, _LENGTH = 48, 200  # characters of a snippet before the match, and of all of it


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that holds what was looked for.

    `record` and `start` are those of its `Origin`. `snippet` is raw text around the first match,
    `spans` where in it the matches lie, as [from, to) characters.
    """

    info: SessionInfo
    record: int
    start: int
    kind: Kind
    time: datetime | None
    snippet: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """`complete` is false where there may be more: the limit cut them, or the search was
    cancelled. `unread` counts sessions whose texts are not all in the index yet, `unreadable` are
    files of those asked for whose texts could not be read, with the reason; `problem` says that
    the index was damaged and has to be refreshed."""

    hits: tuple[Hit, ...]
    complete: bool
    unread: int = 0
    problem: str = ""
    unreadable: tuple[tuple[Path, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A session that may hold hits: its row, and when it changed (see `chunk.moment`)."""

    row: int
    updated: int


def hits(
    connection: apsw.Connection,
    query: Query,
    candidates: list[Candidate],
    info_of: Callable[[int], SessionInfo],
    cancelled: Callable[[], bool],
    *,
    each: int | None = None,
    cut: set[int] | None = None,
) -> Iterator[Hit]:
    """The hits in `candidates`, in their order and that of the text. Ends where it is cancelled.

    At most `each` of one session; the rows of those that hold more are added to `cut`. Raises
    Damaged where a text is.
    """
    terms, kinds = query.terms, query.kinds
    if not terms:
        return
    since = None if query.since is None else moment(query.since)
    chunks = _chunks(connection, terms, kind_bits(kinds), since)
    reading = _Reading(connection, terms, kinds, since, Sought(terms))
    for candidate in candidates:
        numbers = chunks.get(candidate.row)
        if not numbers:
            continue
        for count, found in enumerate(reading.hits(candidate, numbers, info_of, cancelled)):
            if count == each:
                if cut is not None:
                    cut.add(candidate.row)
                break
            yield found


@dataclass(slots=True)
class _Reading:
    """What is looked for in the texts that the index leads to."""

    connection: apsw.Connection
    terms: tuple[str, ...]
    kinds: frozenset[Kind]
    since: int | None
    sought: Sought
    decompressor: zstandard.ZstdDecompressor = field(default_factory=zstandard.ZstdDecompressor)

    def hits(
        self,
        candidate: Candidate,
        chunks: list[int],
        info_of: Callable[[int], SessionInfo],
        cancelled: Callable[[], bool],
    ) -> Iterator[Hit]:
        """The hits of one session."""
        info: SessionInfo | None = None
        for number in chunks:
            if cancelled():
                return
            chunk, matches = self._matches(number)
            for match, place in matches:
                told = candidate.updated if place.time is None else moment(place.time)
                if place.kind not in self.kinds or (self.since is not None and told < self.since):
                    continue
                info = info or info_of(candidate.row)
                snippet, spans = _snippet(chunk, match, self.terms)
                yield Hit(info, place.record, place.start, place.kind, place.time, snippet, spans)

    def _matches(self, number: int) -> tuple[Chunk, list[tuple[Match, Place]]]:
        """A chunk, and what is found in it. Raises Damaged for what is wrong with it."""
        body: Any = self.connection.execute(
            "SELECT text, places, simple FROM bodies WHERE chunk = ?", (number,)
        ).fetchone()
        if body is None:
            raise Damaged("a chunk has no text")
        try:
            text, places, simple = body
            chunk = Chunk(text, places, simple, self.decompressor)
            found = chunk.matches(self.sought)
            return chunk, [(match, chunk.place(match.number)) for match in found]
        except _WRONG as error:
            raise Damaged(str(error)) from error


def _chunks(
    connection: apsw.Connection, terms: tuple[str, ...], kinds: int, since: int | None
) -> Mapping[int, list[int]]:
    """The chunks that may hold all of `terms`, by their session's row, in the order of the text."""
    condition, bound = _condition(connection, terms)
    rows = connection.execute(
        f"SELECT session, id FROM chunks WHERE {condition} AND kinds & ? != 0"
        " AND (latest IS NULL OR ? IS NULL OR latest >= ?) ORDER BY id",
        (*bound, kinds, since, since),
    )
    found: dict[int, list[int]] = {}
    for session, number in rows:
        found.setdefault(session, []).append(number)
    return found


def _condition(connection: apsw.Connection, terms: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """What the index tells of chunks with `terms`: an SQL condition, with its values."""
    words = [word for term in terms for word in term.split()]
    runs = list(dict.fromkeys(run for word in words for run in _runs(word)))
    if len(runs) > _ASKED:
        runs = [runs[len(runs) * n // _ASKED] for n in range(_ASKED)]
    if runs:
        quoted = ('"' + run.replace('"', '""') + '"' for run in runs)
        return "id IN (SELECT rowid FROM words WHERE words MATCH ?)", (" AND ".join(quoted),)
    start = max(words, key=len, default="")
    if not start:
        return "true", ()
    span = (start, start + "\U0010ffff" * _RUN)
    counted = connection.execute(
        "SELECT total(doc) FROM runs WHERE term >= ? AND term <= ?", span
    ).fetchone()
    if counted is None or counted[0] > _FEW:
        return "true", ()
    return "id IN (SELECT doc FROM runs_in WHERE term >= ? AND term <= ?)", span


def _runs(word: str) -> Iterator[str]:
    return (word[at : at + _RUN] for at in range(len(word) - _RUN + 1))


def _snippet(
    chunk: Chunk, match: Match, terms: tuple[str, ...]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text around a match, and the places of all matches in it."""
    text, at, end = chunk.passage(match.number), match.start, match.end
    if not chunk.keeps_places(match.number):
        at, end = place_before(text, at), place_before(text, end)
    start = max(0, at - _BEFORE)
    snippet = text[start : max(start + _LENGTH, at + 1)]
    spans = {(at - start, min(max(end, at + 1) - start, len(snippet)))}
    shown = fold(snippet)
    same = keeps_places(snippet, shown)
    for word in terms:
        begins = shown.find(word)
        while begins >= 0:
            ends = begins + len(word)
            span = (begins, ends)
            if not same:
                span = (place_before(snippet, begins), place_before(snippet, ends))
            spans.add((span[0], max(span[1], span[0] + 1)))
            begins = shown.find(word, ends)
    return snippet, _joined(sorted(spans))


def _joined(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans in order, those that touch or overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return tuple(joined)
