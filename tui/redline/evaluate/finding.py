"""Whether a statement stands in a text: whole tokens, all of them in one sentence.

Nothing here is by likeness. A number is not found inside a longer one, a path not inside another,
and what forbids is not found in what allows.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from redline.evaluate.plants import Statement


class Standing(StrEnum):
    """How a statement stands in a text: as what holds, only as what no longer does, not at all."""

    CURRENT = "current"
    MARKED = "marked as superseded"
    MISSING = "missing"


FORBIDDING = (
    *("never", "don't", "do not", "does not", "doesn't", "must not", "mustn't", "may not", "not"),
    *("no", "without", "cannot", "can't", "off", "under no circumstances", "stop", "avoid"),
    *("forbidden", "prohibited", "off-limits", "nothing", "none"),
    *("不", "别", "勿", "禁止", "严禁", "不得", "没有"),
)
_FORBIDS_NOTHING = re.compile(
    r"\bno (?:longer|problem)\b|\bnot only\b|不再|不仅|不同|不错|不过|不管|特别|区别|级别|类别|分别"
)
# What says that something holds no more. "Perhaps superseded" says that it still may.
_OVER = (
    r"superseded|(?:was |is |been )?replaced by|was replaced|obsolete|outdated|formerly"
    r"|no longer (?:holds?|valid|current|true|applies)|taken back|revoked|overridden"
    r"|earlier value|old values?"
)
_OVER_CHINESE = r"已(?:被)?(?:取代|替换|作废|撤销|过时)|不再(?:有效|适用|成立)|旧值|被.{0,12}取代"
_SUPERSEDED = re.compile(
    rf"(?P<unsure>(?:\b(?:perhaps|maybe|possibly|may|might)\W+(?:be |been |have been |was |is )?"
    rf"|可能|也许|或许)?)(?:\b(?:{_OVER})\b|{_OVER_CHINESE})"
)
_BRACKET = re.compile(r"\W*[\[(（【]")
_LABEL = re.compile(r"[\s\[(（【]*([^:：\])）】.。]{1,40})[:：\])）】]")
_STRUCK = "~~"
_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*+\s++(?=\S)|(?<=[。！？；])\s*+|(?<!\s)\s++[|•]\s++")
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "`": "", "*": "", "\u00a0": " "})
_ESCAPE = re.compile(r"\\(?=[^\w\s])")
_QUOTE = re.compile(r"^[ \t]*(?:(?:>|[-+*•]|\d{1,3}[.)])[ \t]+|>(?=\S))*")
_WORD = re.compile(r"[a-z0-9_]")
_CHINESE_NUMERALS = "〇零一二三四五六七八九十百千万亿两"
_HEADING = re.compile(r"^#{1,6}[ \t]+(.*)")
_BEFORE, _AFTER = 6, 3  # words beside what is found that may turn its sense


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text as its sentences, in lower case and without what is only form. `struck` are
    the sentences that are crossed out, `over` says that the line or the heading it stands under is
    labelled as what holds no more. `item` is the number of the list item it belongs to."""

    sentences: tuple[str, ...]
    struck: tuple[bool, ...]
    over: bool
    item: int


class Text:
    """A text to be looked through for many statements."""

    def __init__(self, text: str) -> None:
        self._lines = tuple(_lines(text))

    def standing(self, statement: Statement, newer: Iterable[Statement] = ()) -> Standing:
        """How `statement` stands here. `newer` are those that replaced it: a sentence that names a
        newer value too tells of the change, and so does not give the older one as current."""
        values = [plain(one.value) for one in newer if one.value]
        own = plain(statement.text)
        size = _sentences_of(statement.text)
        found: list[tuple[Line, bool]] = []
        for line in self._lines:
            for start in range(max(1, len(line.sentences) - size + 1)):
                window = " ".join(line.sentences[start : start + size])
                if holds(window, statement):
                    told = any(has_token(window, value) for value in values)
                    marked = told or line.over or _is_over(line, start, size, own)
                    found.append((line, marked))
        # A mark may stand in a line of its own below what it speaks of, and names it then.
        noted = {line.item for line, marked in found if marked}
        if any(not marked and line.item not in noted for line, marked in found):
            return Standing.CURRENT
        return Standing.MARKED if found else Standing.MISSING

    def sets_beside(self, older: Statement, newer: Statement) -> bool:
        """Whether a sentence names the value of both, as one does that tells of a change."""
        values = [plain(one.value) for one in (older, newer)]
        return all(values) and any(
            all(has_token(sentence, value) for value in values)
            for line in self._lines
            for sentence in line.sentences
        )


def _is_over(line: Line, start: int, size: int, own: str) -> bool:
    """Whether the sentences from `start` on are marked as superseded: themselves, or by a bracket
    right behind them. What the statement itself says (`own`) is no mark."""
    if any(line.struck[start : start + size]):
        return True
    if _says_over(" ".join(line.sentences[start : start + size]).replace(own, " ")):
        return True
    behind = line.sentences[start + size : start + size + 1]
    return any(_BRACKET.match(sentence) and _says_over(sentence) for sentence in behind)


def _says_over(sentence: str) -> bool:
    return any(not found["unsure"] for found in _SUPERSEDED.finditer(sentence))


def holds(sentence: str, statement: Statement) -> bool:
    """Whether a plain sentence has every token of `statement` and its polarity. A ban that stands
    word for word forbids in whatever words it does."""
    own = plain(statement.text).rstrip(" .!?。！？")
    if statement.forbids and own and has_token(sentence, own):
        return True
    spans = []
    for token in statement.must:
        found = _first(sentence, token)
        if found is None:
            return False
        spans.append(found)
    start, end = min(span[0] for span in spans), max(span[1] for span in spans)
    near = _around(sentence, start, end)
    said = _FORBIDS_NOTHING.sub(" ", near)
    forbids = any(has_token(said, word) for word in FORBIDDING)
    if statement.forbids:
        return forbids
    return not forbids or any(has_token(plain(statement.text), word) for word in FORBIDDING)


def has_token(text: str, token: str) -> bool:
    """Whether `token` stands whole in `text`, both plain (see `plain`)."""
    return next(_places(text, token), None) is not None


@lru_cache(maxsize=65_536)
def plain(text: str) -> str:
    """`text` in lower case, without Markdown's marks and escapes, all white space one blank."""
    text = _ESCAPE.sub("", html.unescape(text)).translate(_MARKS)
    return " ".join(text.casefold().split())


def _lines(text: str) -> Iterator[Line]:
    below, item = False, 0
    for raw in text.splitlines():
        if heading := _HEADING.match(raw):
            below = _says_over(plain(heading[1]))
        if not raw[:1].isspace():
            item += 1
        stripped = _QUOTE.sub("", raw).strip()
        if not stripped:
            continue
        pieces = [piece for piece in _SENTENCE.split(stripped) if piece.strip()]
        struck, is_open = [], False
        for piece in pieces:
            struck.append(is_open or _STRUCK in piece)
            is_open ^= piece.count(_STRUCK) % 2 == 1
        label = _LABEL.match(plain(stripped))
        yield Line(
            tuple(plain(piece.replace(_STRUCK, "")) for piece in pieces),
            tuple(struck),
            below or (label is not None and _says_over(label[1])),
            item,
        )


@lru_cache(maxsize=4_096)
def _sentences_of(text: str) -> int:
    return max(1, len([one for one in _SENTENCE.split(text) if one.strip()]))


def _first(text: str, token: tuple[str, ...]) -> tuple[int, int] | None:
    found = [place for one in token if (place := next(_places(text, plain(one)), None))]
    return min(found) if found else None


def _places(text: str, token: str) -> Iterator[tuple[int, int]]:
    start = text.find(token)
    while token and start >= 0:
        end = start + len(token)
        if _whole(text, start, end):
            yield start, end
        start = text.find(token, start + 1)


def _whole(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is no part of a longer number, name or path."""
    before, after = text[start - 1 : start], text[end : end + 1]
    first, last = text[start], text[end - 1]
    if first in _CHINESE_NUMERALS and before and before in _CHINESE_NUMERALS:
        return False
    if last in _CHINESE_NUMERALS and after and after in _CHINESE_NUMERALS:
        return False
    if _WORD.match(first):
        if before and _WORD.match(before):
            return False
        if before in ("/", ".", "-", "$", "#", "@") and before:
            return False
    elif first in "./-:#$@" and before and (_WORD.match(before) or before == first):
        return False
    if not after:
        return True
    if _WORD.match(after) and (_WORD.match(last) or last in "/-_."):
        return False
    # "src/api" is not in "src/api/v2", "8.2" not in "8.2.1", "30" not in "30%" or "30-40"
    joins = after in "/.-:,@" and _WORD.match(text[end + 1 : end + 2] or " ")
    return not (joins and _WORD.match(last)) and not (after == "%" and last.isdigit())


def _around(sentence: str, start: int, end: int) -> str:
    """What is found and a few words on each side, not past a bracket or colon."""
    before = re.split(r"[:()\[\]{}（）：;；]", sentence[:start])[-1]
    after = re.split(r"[()\[\]{}（）;；]", sentence[end:])[0]
    return " ".join([*before.split()[-_BEFORE:], sentence[start:end], *after.split()[:_AFTER]])
