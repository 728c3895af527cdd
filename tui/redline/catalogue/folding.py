"""Texts as they are compared: without the difference of case, in one Unicode form.

Accents count; how they are written (composed or not) does not. A folded text can be longer or
shorter than its original, so that places have to be led back.
"""

from __future__ import annotations

from bisect import bisect_right
from unicodedata import is_normalized, normalize

from redline.text import printable

_NUL, _NUL_SHOWN = "\0", "␀"  # SQLite ends a text at NUL


def fold(text: str) -> str:
    """`text` as it is compared; two texts that differ in case or form only give the same."""
    folded = text.lower() if text.isascii() else normalize("NFC", printable(text)).casefold()
    return folded.replace(_NUL, _NUL_SHOWN) if _NUL in folded else folded


def keeps_places(text: str, folded: str) -> bool:
    """Whether every character of `folded` is at the place of the one it came from."""
    return len(text) == len(folded) and (text.isascii() or is_normalized("NFC", text))


def place_before(text: str, place: int) -> int:
    """The place in `text` of what is at `place` in its folded form."""
    at = 0
    for line in text.splitlines(keepends=True):
        size = len(fold(line))
        if place < size:
            return at + _within(line, place)
        place -= size
        at += len(line)
    return at


def _within(line: str, place: int) -> int:
    """The most characters of `line` whose folded form is not longer than `place`."""
    found = bisect_right(range(1, len(line) + 1), place, key=lambda end: len(fold(line[:end])))
    return min(found, len(line))
