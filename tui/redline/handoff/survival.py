"""Text that survives, indexed once, so that the audit can ask for hundreds of things in it.

White space, quote marks and Markdown escapes are normalised, nothing else: a text is found word
for word or not at all.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from redline.handoff.escapes import decode_line

_QUOTES = str.maketrans(
    {
        "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "‘": "'", "’": "'", "‚": "'", "`": "'",
        "–": "-", "—": "-", "‑": "-", "\u00a0": " ",
        "\u200b": None, "\u200e": None, "\u200f": None, "\ufeff": None, "\u2060": None,
    }
)  # fmt: skip
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!|>~@-])")
_MARKER = re.compile(
    r"\s*(?:(?:>|[-*+](?=\s|$)(?:\s+\[[ x>]\](?=\s|$))?|\d{1,3}[.)](?=\s|$)|#{1,6}(?=\s|$))\s*)*"
)
# An item, a heading or a row of a table; a quote mark alone goes on with what it quotes.
_OPENS_A_BLOCK = re.compile(r"\s*(?:>\s*)*(?:[-*+]\s|\d{1,3}[.)]\s|#{1,6}\s|\|)")
_COLOUR = re.compile(r"\x1b\[[0-?]*+[ -/]*+[@-~]")
_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_WORD = re.compile(r"\w")
_RUN = re.compile(r"[a-z0-9_]+")
_PLACES = 1_000  # occurrences looked at for one text

# What may stand beside a whole clause.
_GLUED_BEFORE = re.compile(r"[A-Za-z0-9_][.,:/'-]\Z")
_GLUED_AFTER = re.compile(r".?[.,:/'-][A-Za-z0-9_]")
_EDGES = frozenset("\"'.,;:!?()[]<>{}|。，；：！？（）「」『』【】《》、…-*")


def normalised(line: str) -> str:
    """One line without what writing it down changes. Idempotent for text without escapes."""
    if "\x1b" in line:
        line = _COLOUR.sub("", line)
    return _plain(line[_MARKER.match(line).end() :])  # type: ignore[union-attr]


def _plain(line: str) -> str:
    if "\\" in line:
        line = _ESCAPE.sub(r"\1", line)
    if "**" in line:
        line = line.replace("**", "")
    return " ".join(line.translate(_QUOTES).split())


def needle(text: str) -> str:
    """A text to look for, in the form it has in an index."""
    return " ".join(filter(None, map(normalised, text.split("\n"))))


def words_of(text: str) -> frozenset[str]:
    """The words of ASCII letters in a text as an index has it, in lower case."""
    return frozenset(_RUN.findall(text.translate(_LOWER)))


def joined(text: str) -> str:
    """A text of several lines as it stands where they were written into one: what marks its later
    lines as items of a list stays there."""
    lines = [line for line in text.split("\n") if line.strip()]
    return " ".join(filter(None, (*map(normalised, lines[:1]), *map(_plain, lines[1:]))))


def spellings(text: str) -> tuple[str, ...]:
    """An identifier in the forms it has in an index: what looks like a list marker at its start
    stays where it is quoted as code."""
    return tuple(dict.fromkeys((needle(text), _plain(_COLOUR.sub("", text)))))


@dataclass(frozen=True, slots=True)
class Place:
    """One occurrence: [start, end) in the index, and the line it lies in."""

    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A text that survives: `where` is "handoff" or a message's id."""

    where: str
    text: str
    markdown: bool = False


@dataclass
class Index:
    """All surviving pieces as one normalised string, with where each line of them lies."""

    flat: str = ""
    starts: list[int] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    wheres: list[str] = field(default_factory=list)
    fresh: list[bool] = field(default_factory=list)  # whether a line begins a block of its own

    @classmethod
    def of(cls, pieces: Iterable[Piece]) -> Index:
        index = cls()
        at = 0
        for piece in pieces:
            apart = True
            for line in piece.text.split("\n"):
                clean = normalised(decode_line(line) if piece.markdown else line)
                if clean:
                    index.starts.append(at)
                    index.lines.append(clean)
                    index.wheres.append(piece.where)
                    index.fresh.append(apart or _OPENS_A_BLOCK.match(line) is not None)
                    at += len(clean) + 1
                apart = not clean or line.lstrip()[:1] in ("#", "|")
            # Nothing is found across two pieces.
            index.starts.append(at)
            index.lines.append("\x00")
            index.wheres.append(piece.where)
            index.fresh.append(True)
            at += 2
        index.flat = " ".join(index.lines)
        return index

    @cached_property
    def folded(self) -> str:
        """The text in lower case, as long as it is: only ASCII letters change."""
        return self.flat.translate(_LOWER)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset(_RUN.findall(self.folded))

    def may_hold(self, words: frozenset[str]) -> bool:
        """Whether all `words` of a text (see `words_of`) occur somewhere: where they do not, it
        stands nowhere, and need not be looked for."""
        return self._vocabulary >= words

    def in_one_block(self, place: Place) -> bool:
        """Whether `place` lies in one paragraph, item or cell, not in several that follow."""
        return not any(self.fresh[place.line + 1 : self.line_at(place.end - 1) + 1])

    def goes_on(self, place: Place) -> bool:
        """Whether the line below it belongs to the same block."""
        return not all(self.fresh[self.line_at(place.end - 1) + 1 :][:1])

    def line_at(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1

    def words(self, text: str) -> Iterable[Place]:
        """Every place where `text` stands as whole words."""
        yield from self._places(self.flat, text)

    def words_in_any_case(self, text: str) -> Iterable[Place]:
        """As `words`, but ASCII letters are compared without their case."""
        yield from self._places(self.folded, text.translate(_LOWER))

    def _places(self, flat: str, text: str) -> Iterable[Place]:
        if not text:
            return
        at = flat.find(text)
        for _ in range(_PLACES):
            if at < 0:
                return
            end = at + len(text)
            if not _joined(flat[at - 1 : at], text[0]) and not _joined(
                flat[end : end + 1], text[-1]
            ):
                yield Place(at, end, self.line_at(at))
            at = flat.find(text, at + 1)

    @cached_property
    def line_numbers(self) -> dict[str, int]:
        return {line: number for number, line in reversed(list(enumerate(self.lines)))}

    def runs(self, text: str) -> Iterable[Place]:
        """Lines that hold `text`, wherever its words end."""
        at, line = self.flat.find(text), -1
        for _ in range(_PLACES):
            if at < 0:
                return
            if self.line_at(at) != line:
                line = self.line_at(at)
                yield Place(at, at + len(text), line)
            at = self.flat.find(text, at + 1)

    def clauses(self, text: str) -> Iterable[Place]:
        """Places where `text` is all there is between two line ends or punctuation marks."""
        for before in ("", "'"):  # a line of its own, as it is or quoted as code
            if (number := self.line_numbers.get(before + text + before)) is not None:
                start = self.starts[number] + len(before)
                yield Place(start, start + len(text), number)
        for place in self.words(text):
            if self.is_clause(place):
                yield place

    def is_clause(self, place: Place) -> bool:
        return self.opens(place) and self.closes(place)

    def whole_lines(self, text: str) -> Iterable[Place]:
        """Places where `text` is all that stands in the lines it takes, but for quote marks."""
        for place in self.words(text):
            if self.is_line(place):
                yield place

    def is_line(self, place: Place) -> bool:
        """Whether nothing but quote marks stands beside it in the lines it takes."""
        return not (self.before(place) + self.after(place)).strip("\"' ")

    def opens(self, place: Place) -> bool:
        """Whether nothing but punctuation stands before it on its line."""
        before = self.before(place)
        if _GLUED_BEFORE.search(self.flat[max(place.start - 2, 0) : place.start]):
            return False
        return not before or before[-1] in _EDGES or self.flat[place.start] in _EDGES

    def closes(self, place: Place) -> bool:
        """Whether nothing but punctuation follows it; the dot of `src/old.py` goes on with it."""
        after = self.after(place)
        if _GLUED_AFTER.match(self.flat[place.end - 1 : place.end + 2]):
            return False
        return not after or after[0] in _EDGES or self.flat[place.end - 1] in ".!?。！？"

    def before(self, place: Place) -> str:
        """What stands before it on its line."""
        return self.flat[self.starts[place.line] : place.start].rstrip()

    def after(self, place: Place) -> str:
        """What stands after it on the line it ends in."""
        line = self.line_at(place.end - 1)
        return self.flat[place.end : self.starts[line] + len(self.lines[line])].lstrip()


def _joined(outside: str, inside: str) -> bool:
    """Whether two neighbouring characters are of one word; Chinese has no word ends to look at."""
    return (
        bool(outside)
        and bool(_WORD.match(outside) and _WORD.match(inside))
        and not (outside > "\u2e80" or inside > "\u2e80")
    )
