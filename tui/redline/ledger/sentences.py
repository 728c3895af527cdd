"""Sentences of a prompt, English and Chinese, list items each on their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 500  # characters of a sentence that can be a rule
# A line of so many characters was ended for its length only; a shorter one, of people who type one
# statement a line, where the words around its end belong together.
_FULL_LINE, _SHORT_LINE = 72, 40
_FULL_HAN = 36  # characters of a line of Chinese that was
_JOINING = (
    r"(?:a|an|the|and|or|but|nor|that|which|who|where|when|while|of|in|on|at|to|for|from|with|by|as"
    r"|than|into|about|over|under|is|are|was|were|be|been|not|if|because|since|so|until|unless"
    r"|before|after|without|its|their|our|your|my|this|these|those|any|all)"
)
_OPEN_END = re.compile(rf"(?:\b{_JOINING}|[,(/-])$", re.I)
_GOES_ON = re.compile(r"(?:that|which|who|of|to|than|is|are|was|were|be|been|and|or|with|into)\b")
# No sign that begins or stands in a name: `!important`, `a != b`, `x?.y`.
_END = re.compile(
    r"(?:[。！？；;]|!(?![A-Za-z0-9_=\[({-])|\?(?![.?=:\[(]))+[”\"’')）」]*|\.(?=\s|$|[\"”’)])|…+"
)
# A line that ends so says nothing by itself.
_HELD = re.compile(
    r"(?:^|\s)(?:never|always|must|do not|don'?t|must not|should not|please do not)$", re.I
)
_ABBREVIATED = re.compile(r"(?:^|\W)(?:e\.g|i\.e|etc|vs|approx|cf|resp|incl|dr|mr|ms)$", re.I)
# "A line with 1. before it": a number that ends a sentence stands behind other words.
_NUMBER = re.compile(r"(?:^|(?:^|\s)(?:with|an?|step|item|point|rule|no|and|or|the|,)\s)\d{1,2}$")
_LOWER = re.compile(r"\s+[a-z]")
_ITEM = re.compile(
    r"[ \t]*(?:(?:[-*+•·▪◦]|\d{1,2}[.)]|[a-zA-Z][.)]|[(（](?:\d{1,2}|[a-z])[)）])[ \t]+"
    r"|\d{1,2}[、．)）][ \t]*|[一二三四五六七八九十]{1,3}、[ \t]*)(?:\[[ xX]?\][ \t]*)?"
)
_HEADING = re.compile(
    r"(?:^|\b)(?:ground rules?|rules?|constraints?|requirements?|guidelines?|conventions?"
    r"|restrictions?|non-negotiables?|house rules?|do(?:'s)? and don'?ts?|please note|keep in mind"
    r"|remember|don'?ts?)\b[^.?!\n]{0,60}[:：]?\s*\**$"
    r"|(?:规则|约束|要求|规范|限制|注意事项?|原则|约定|禁忌)[^。？！\n]{0,12}[:：]?\s*\**$",
    re.I,
)
_OPENS_LIST = re.compile(r"[:：]\s*\**\s*$|^\s*#{1,6}\s")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: `text` as written (without its list mark, line breaks as spaces), `masked` the
    same with what is not the person's own words hidden. `ruled` is an item of a list under a
    heading that calls its items rules."""

    text: str
    masked: str
    item: bool = False
    ruled: bool = False


def sentences(text: str, masked: str) -> Iterator[Sentence]:
    """The sentences of `text` in order; `masked` is its mask."""
    ruled = False
    for start, end in _units(masked):
        line = masked[start:end]
        match = _ITEM.match(line)
        item = match is not None
        if match:
            start += match.end()
            line = masked[start:end]
        if not item:
            end_of_line = line[-200:]
            ruled = bool(_OPENS_LIST.search(end_of_line) and _HEADING.search(end_of_line))
            if line.lstrip().startswith("#"):
                continue
        for first, last in _split(line):
            piece = _trim(line, first, last)
            if piece is None:
                continue
            first, last = start + piece[0], start + piece[1]
            yield Sentence(
                _joined(text[first:last]), _joined(masked[first:last]), item, item and ruled
            )


def _units(masked: str) -> Iterator[tuple[int, int]]:
    """Spans of lines; lines that were wrapped by hand in the middle of a sentence are one."""
    begin = end = 0
    offset = 0
    open_unit = False
    for line in masked.split("\n"):
        stop = offset + len(line)
        blank = not line.strip()
        if open_unit and not blank and _continues(masked[begin:end], line):
            end = stop
        else:
            if open_unit:
                yield begin, end
            begin, end, open_unit = offset, stop, not blank
        offset = stop + 1
    if open_unit:
        yield begin, end


def _continues(before: str, line: str) -> bool:
    last = before.rpartition("\n")[2].rstrip()
    head = line.lstrip()
    if len(before) > 2 * LONGEST or _ITEM.match(line) or last[-1:] in ".!?。！？；;:：":
        return False
    if head[0].islower():
        if _HELD.search(last):
            return True
        open_end = _OPEN_END.search(last) or _GOES_ON.match(head)
        return len(last) >= (_SHORT_LINE if open_end else _FULL_LINE)
    return "\u4e00" <= head[0] <= "\u9fff" and len(last) >= _FULL_HAN and not last.isascii()


def _split(line: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _END.finditer(line):
        before = line[max(0, match.start() - 8) : match.start()]
        if match.group() == "." and (
            _ABBREVIATED.search(before)
            or (_NUMBER.search(before) and _LOWER.match(line, match.end()))
        ):
            continue
        yield from _short(line, start, match.end())
        start = match.end()
    yield from _short(line, start, len(line))


def _short(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence; one that is too long for a rule is taken clause by clause."""
    if end - start <= LONGEST:
        yield start, end
        return
    for match in re.finditer(r"[^,，]{1,500}[,，]?", line[start:end]):
        yield start + match.start(), start + match.end()


def _trim(line: str, start: int, end: int) -> tuple[int, int] | None:
    """The span without white space, emphasis and quotes around it; None where nothing is left."""
    while start < end and (line[start].isspace() or line[start] in "*_>#"):
        start += 1
    while end > start and (line[end - 1].isspace() or line[end - 1] in "*_,，、"):
        end -= 1
    return (start, end) if end - start >= 2 else None


def _joined(text: str) -> str:
    return re.sub(r"[ \t]*\n[ \t]*", " ", text)
