"""Which of many patterns a sentence can match at all, told by its letters.

A sentence is searched for some sixty patterns, and most of them cannot match it: a match needs one
of a few words. Those words are read from the pattern itself, so that both cannot come apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_LONG = 4  # letters of a long word, which are looked for in its place
_SHORT = 2  # letters of the shortest word that tells anything
_REPEATED = re.compile(r"\{(\d+)(?:,\d*)?\}\??|[*+?]\??")
_CLASSES = "bBdDsSwWAZ"
_OTHER_CASES = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")  # what `re.I` takes for them too

Words = frozenset[str]


class Needed:
    """Tells by the letters of a text which of `patterns` may match it, upper and lower case alike.

    Patterns are of letters, classes, groups, alternatives, repetitions and looks around.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._always = 0
        self._long: dict[str, int] = {}
        self._short: dict[str, int] = {}
        for number, pattern in enumerate(patterns):
            words = needed_words(pattern)
            if words is None or min(map(len, words)) < _SHORT:
                self._always |= 1 << number
                continue
            for word in words:
                table = self._long if len(word) >= _LONG else self._short
                piece = _rarest(word) if len(word) >= _LONG else word
                table[piece] = table.get(piece, 0) | 1 << number

    def of(self, text: str) -> int:
        """The patterns that may match `text`: bit N stands for pattern N."""
        lower = text.lower() if text.isascii() else text.translate(_OTHER_CASES).lower()
        found = self._always
        pieces = set(map("".join, zip(lower, lower[1:], lower[2:], lower[3:], strict=False)))
        for piece in self._long.keys() & pieces:
            found |= self._long[piece]
        for word, patterns in self._short.items():
            if word in lower:
                found |= patterns
        return found


def needed_words(pattern: str) -> Words | None:
    """Texts of which every match of `pattern` holds one, in lower case; None where there are none
    that can be told."""
    words, _ = _alternatives(pattern, 0)
    return words


def _rarest(word: str) -> str:
    """The piece of a word that is the least common in English, by its letters."""
    pieces = [word[at : at + _LONG] for at in range(len(word) - _LONG + 1)]
    return max(pieces, key=lambda piece: sum(map(_rareness, piece)))


def _rareness(letter: str) -> int:
    return max(0, " etaoinshrdlcumwfgypbvk'jxqz".find(letter))


def _alternatives(pattern: str, at: int) -> tuple[Words | None, int]:
    """The words of the alternatives from `at` to the end of their group, and where that is."""
    found: list[Words | None] = []
    while True:
        words, at = _sequence(pattern, at)
        found.append(words)
        if at >= len(pattern) or pattern[at] == ")":
            break
        at += 1  # the bar
    known = [words for words in found if words is not None]
    return (frozenset().union(*known) if len(known) == len(found) else None), at


def _sequence(pattern: str, at: int) -> tuple[Words | None, int]:
    """The best words among those that follow each other, up to a bar or the end of the group."""
    found: list[Words] = []
    run = ""

    def close(words: Words | None = None) -> None:
        nonlocal run
        found.extend(each for each in (frozenset({run}) if run else None, words) if each)
        run = ""

    while at < len(pattern) and pattern[at] not in "|)":
        letter, words, at = _item(pattern, at)
        times = _REPEATED.match(pattern, at)
        at = times.end() if times else at
        optional = times is not None and (times[0][0] in "*?" or times[1] == "0")
        if letter and not optional:
            run += letter
            if times:
                close()
        else:
            close(None if optional else words)
    close()
    return max(found, key=_worth, default=None), at


def _item(pattern: str, at: int) -> tuple[str, Words | None, int]:
    """What stands at `at`: a letter, or the words that a group needs; and where it ends."""
    match pattern[at]:
        case "\\":
            escaped = pattern[at + 1]
            plain = "" if escaped in _CLASSES or escaped.isalnum() else escaped
            return plain, None, at + (6 if escaped == "u" else 2)
        case "[":
            end = pattern.index("]", at + 2)
            return "", None, end + 1
        case "(":
            return _group(pattern, at)
        case "." | "^" | "$":
            return "", None, at + 1
        case letter:
            return letter.lower(), None, at + 1


def _group(pattern: str, at: int) -> tuple[str, Words | None, int]:
    kind = re.compile(r"\((?:\?(?:P<\w+>|:|<?[=!]))?").match(pattern, at)
    assert kind is not None
    words, end = _alternatives(pattern, kind.end())
    looks = kind[0][-1] in "=!" and kind[0] != "("
    return "", None if looks else words, end + 1


def _worth(words: Words) -> tuple[int, int]:
    """Long words and few of them tell most."""
    return min(min(map(len, words)), _LONG), -len(words)


def bits(number: int) -> Iterable[int]:
    """The places of the bits that are set, the lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
