"""Chunks: some consecutive passages of one session, as they are stored and found.

The index tells which chunks may hold a text; whether one does, its text tells. A chunk starts with
the first passage of a record, so that a session can be read on from there.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property

import zstandard

from redline.agents.finder import Passage
from redline.catalogue.folding import fold, keeps_places
from redline.model import Kind
from redline.text import printable

SIZE = 16_000  # characters; of larger chunks more are looked into in vain, smaller ones cost more
LARGEST = 8_000_000  # characters of a passage; what is longer is taken in pieces
OVERLAP = 10_000  # characters that two pieces share, so that a shorter text is whole in one
_BREAK = "\n"  # between two passages
_WORD_BREAK = "\n\n"  # after each word, so that its end makes a run of three, too
_KINDS = (
    Kind.PROMPT,
    Kind.REPLY,
    Kind.TOOL_CALL,
    Kind.TOOL_RESULT,
    Kind.SUMMARY,
    Kind.INJECTED,
    Kind.NOTICE,
)
_GOES_ON = 16  # added to the kind of a piece that goes on from the one before it
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NO_TIME = -(2**63)
_COLUMNS = 6
_MICROSECOND = timedelta(microseconds=1)


def moment(time: datetime | None) -> int:
    """`time` in microseconds since 1970, `NO_TIME` for None."""
    return NO_TIME if time is None else (time - _EPOCH) // _MICROSECOND


def _kind(code: int) -> Kind:
    return _KINDS[code & ~_GOES_ON]


def kind_bits(kinds: Iterable[Kind]) -> int:
    """A set of kinds as one number."""
    return sum(1 << _KINDS.index(kind) for kind in kinds)


@dataclass(frozen=True, slots=True)
class Packed:
    """A chunk as it is stored. `first` is the start of its first passage, `kinds` which kinds it
    holds (`kind_bits`), `latest` the last time in it, None where a passage has none. `words` is
    what is indexed: each of its words once, folded. `simple` says that its bytes are folded by
    making A to Z small, as of most texts."""

    first: int
    kinds: int
    latest: int | None
    words: str
    text: bytes
    places: bytes
    simple: bool
    characters: int


@dataclass(slots=True)
class _Open:
    """A chunk that is being filled."""

    texts: list[str] = field(default_factory=list)
    places: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    size: int = 0

    def add(self, passage: Passage, text: str, mark: int) -> None:
        kind, time = _KINDS.index(passage.kind) | mark, moment(passage.time)
        place = (passage.record, passage.start, passage.end, kind, time, self.size)
        self.places.append(place)
        self.texts.append(text)
        self.size += len(text) + len(_BREAK)


class Packer:
    """Makes chunks of passages. One for each thread."""

    def __init__(self) -> None:
        self._compressor = zstandard.ZstdCompressor(level=1, write_checksum=True)

    def packed(self, passages: Iterable[Passage]) -> Iterator[Packed]:
        """The passages of a session as chunks."""
        chunk = _Open()
        for passage in passages:
            if chunk.size >= SIZE and passage.start != chunk.places[-1][1]:
                yield self._close(chunk)
                chunk = _Open()
            mark = 0
            for piece in _pieces(printable(passage.text)):
                chunk.add(passage, piece, mark)
                mark = _GOES_ON
        if chunk.places:
            yield self._close(chunk)

    def _close(self, chunk: _Open) -> Packed:
        text = _BREAK.join(chunk.texts)
        columns = array("q")
        for column in zip(*chunk.places, strict=True):
            columns.extend(column)
        times = [place[4] for place in chunk.places]
        folded, data = fold(text), text.encode()
        words = dict.fromkeys(folded.split())
        return Packed(
            first=chunk.places[0][1],
            kinds=kind_bits({_kind(place[3]) for place in chunk.places}),
            latest=None if NO_TIME in times else max(times),
            words=_WORD_BREAK.join(words) + _WORD_BREAK,
            text=self._compressor.compress(data),
            places=self._compressor.compress(columns.tobytes()),
            simple=folded.encode() == data.lower(),
            characters=len(text),
        )


def _pieces(text: str) -> Iterator[str]:
    if len(text) <= LARGEST:
        yield text
        return
    for start in range(0, len(text) - OVERLAP, LARGEST - OVERLAP):
        yield text[start : start + LARGEST]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage lies (see `Passage`)."""

    record: int
    start: int
    kind: Kind
    time: datetime | None


@dataclass(frozen=True, slots=True)
class Match:
    """A passage by its number, and where in its folded text the first word that was looked for
    begins and ends."""

    number: int
    start: int
    end: int


class Sought:
    """The words that are looked for, folded, as texts and as bytes."""

    def __init__(self, terms: tuple[str, ...]) -> None:
        self.terms = terms
        self.data = [term.encode() for term in terms]
        self.rarest = max(terms, key=len)


class Chunk:
    """A stored chunk, opened. Its methods raise zstandard.ZstdError or ValueError where it is
    damaged."""

    def __init__(
        self, text: bytes, places: bytes, simple: int, decompressor: zstandard.ZstdDecompressor
    ) -> None:
        self._data = decompressor.decompress(text)
        self._places = places
        self._simple = bool(simple)
        self._decompressor = decompressor

    def matches(self, sought: Sought) -> Iterator[Match]:
        """The passages that hold all that is looked for; of one in pieces the first that does."""
        if self._simple:
            small = self._data.lower()
            if any(term not in small for term in sought.data):
                return  # as most chunks that are looked into: they only hold the same runs
            folded = small.decode()
        else:
            folded = fold(self.text)
            if any(term not in folded for term in sought.terms):
                return
        starts = self._folded_starts(folded)
        rarest = sought.rarest
        at = folded.find(rarest)
        told = -1
        while at >= 0:
            number = bisect_right(starts, at) - 1
            start, end = starts[number], self._end(number, starts, folded)
            if at + len(rarest) > end:  # it goes over into the next passage
                at = folded.find(rarest, at + 1)
                continue
            whole = self._whole(number)
            places = [folded.find(term, start, end) for term in sought.terms]
            if whole != told and min(places) >= 0:
                told = whole
                first = min(places)
                length = len(sought.terms[places.index(first)])
                yield Match(number, first - start, first - start + length)
            at = folded.find(rarest, end)

    @cached_property
    def text(self) -> str:
        """The texts of all its passages."""
        return self._data.decode()

    def keeps_places(self, number: int) -> bool:
        """Whether places in the folded text of a passage are those in its text."""
        text = self.passage(number)
        return self._simple or keeps_places(text, fold(text))

    @cached_property
    def _columns(self) -> array[int]:
        columns = array("q")
        columns.frombytes(self._decompressor.decompress(self._places))
        if not columns or len(columns) % _COLUMNS:
            raise ValueError("the places of a chunk are not whole")
        return columns

    @property
    def _count(self) -> int:
        return len(self._columns) // _COLUMNS

    @cached_property
    def _starts(self) -> list[int]:
        """Where in the text each passage starts."""
        return self._columns[5 * self._count :].tolist()

    def _folded_starts(self, folded: str) -> list[int]:
        """Where in the folded text each passage starts."""
        if self._simple or keeps_places(self.text, folded):
            return self._starts
        starts, at = [], 0
        for number in range(self._count):
            starts.append(at)
            at += len(fold(self.passage(number))) + len(_BREAK)
        return starts

    def passage(self, number: int) -> str:
        """The text of a passage."""
        return self.text[self._starts[number] : self._end(number, self._starts, self.text)]

    def place(self, number: int) -> Place:
        """Where a passage lies."""
        columns, count = self._columns, self._count
        time = columns[4 * count + number]
        return Place(
            columns[number],
            columns[count + number],
            _kind(columns[3 * count + number]),
            None if time == NO_TIME else _EPOCH + timedelta(microseconds=time),
        )

    def _whole(self, number: int) -> int:
        """The first piece of the passage that a piece is of."""
        while self._columns[3 * self._count + number] & _GOES_ON and number:
            number -= 1
        return number

    def _end(self, number: int, starts: list[int], text: str) -> int:
        last = number + 1 == self._count
        return len(text) if last else starts[number + 1] - len(_BREAK)
