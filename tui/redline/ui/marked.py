"""Text with marked places in it, such as what a search found: harmless, and fitted to cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from redline.text import CUT
from redline.ui.untrusted import plain

Span = tuple[int, int]
Pieces = list[tuple[str, bool]]  # text, and whether it is marked

_LEAST = 8  # cells
_SPACE = re.compile(r"\s+")
_BEFORE = CUT  # stands for what is left out before


@dataclass(frozen=True, slots=True)
class Marked:
    """Harmless text with the places (from, to) in it that are marked, in order."""

    text: str
    spans: tuple[Span, ...] = ()


def marked(raw: str, spans: Sequence[Span] = (), *, one_line: bool = False) -> Marked:
    """`raw` made harmless, the marks on the same words as before. With `one_line` all white space
    is a blank. Spans that lie outside or across each other are left out."""
    pieces: list[str] = []
    found: list[Span] = []
    at = used = 0
    for start, end in sorted(spans):
        if not at <= start < end <= len(raw):
            continue
        for piece, hit in ((raw[at:start], False), (raw[start:end], True)):
            shown = _SPACE.sub(" ", plain(piece)) if one_line else plain(piece)
            if hit and shown:
                found.append((used, used + len(shown)))
            pieces.append(shown)
            used += len(shown)
        at = end
    rest = plain(raw[at:])
    pieces.append(_SPACE.sub(" ", rest) if one_line else rest)
    return Marked("".join(pieces), tuple(found))


def around(raw: str, spans: Sequence[Span], width: int) -> Pieces:
    """One line of at most `width` cells with the first marked place in sight. Reads no more of
    `raw` than that takes, however long it is; nothing where there is no room for a word."""
    if width < _LEAST:
        return []
    first = spans[0][0] if spans else 0
    first = first if 0 <= first <= len(raw) else 0
    room = width * 8 + 256  # what falls away, and what takes no cell
    start, end = max(0, first - room), first + room
    near = [(one - start, min(two, end) - start) for one, two in spans if start <= one < end]
    line = marked(raw[start:end], near, one_line=True)
    text, at = line.text, line.spans[0][0] if line.spans else 0
    head = _from_word(_tail(text[:at].lstrip(), width // 3), whole=at <= width // 3)
    skipped = at - len(head)
    cut = bool(text[:skipped].strip()) or start > 0
    room = width - (len(_BEFORE) if cut else 0)
    body = text[skipped:].rstrip()
    if cell_len(body) > room:
        body = _head(body, room - len(CUT)) + CUT
    pieces = _split(body, skipped, line.spans)
    return [(_BEFORE, False), *pieces] if cut else pieces


def lines(text: Marked, width: int, limit: int) -> Iterator[Pieces]:
    """`text` in lines of at most `width` cells, broken between words where that is possible; at
    most `limit` of them."""
    given = at = 0
    for line in text.text.split("\n"):
        for start, end in _breaks(line, max(width, 8)):
            if given >= limit:
                return
            given += 1
            yield _split(line[start:end], at + start, text.spans)
        at += len(line) + 1


def _breaks(line: str, width: int) -> Iterator[Span]:
    """Where `line` is broken: (from, to) of each of its lines."""
    start = 0
    while True:
        rest = line[start : start + width * 4]  # more than has room, but for signs without a cell
        if cell_len(rest) > width:
            head = _head(rest, width)
            space = head.rfind(" ", 1)
            step = space + 1 if space > len(head) // 2 else max(len(head), 1)
        else:
            step = len(rest)
        yield start, start + step
        start += step
        if start >= len(line):
            return


def _split(text: str, offset: int, spans: Sequence[Span]) -> Pieces:
    """`text`, which begins at `offset`, in pieces that are marked or not."""
    pieces: Pieces = []
    at = 0
    for start, end in spans:
        first, last = max(start - offset, at), min(end - offset, len(text))
        if first < last:
            pieces += [(text[at:first], False)] if at < first else []
            pieces.append((text[first:last], True))
            at = last
    return [*pieces, (text[at:], False)] if at < len(text) else pieces


def _from_word(text: str, *, whole: bool) -> str:
    """`text` from its first whole word on, where that leaves most of it."""
    blank = -1 if whole else text.find(" ", 0, len(text) // 2)
    return text[blank + 1 :]


def _head(text: str, width: int) -> str:
    """The start of `text` that has room in `width` cells."""
    text = text[: max(width, 0) * 4]
    while cell_len(text) > max(width, 0):
        text = text[: len(text) - max(1, (cell_len(text) - width) // 2)]
    return text


def _tail(text: str, width: int) -> str:
    """The end of `text` that has room in `width` cells."""
    text = text[-width * 4 :] if width > 0 else ""
    while cell_len(text) > width:
        text = text[max(1, (cell_len(text) - width) // 2) :]
    return text
