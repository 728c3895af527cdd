"""Which of many patterns a sentence can match at all, told by its letters.

A sentence is searched for some sixty patterns, and most of them cannot match it: a match needs
one of a few words, and often one of a few others. Those words are read from the pattern itself,
so that both cannot come apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

_LONG = 5  # characters of a long word, which are looked for in its place
_CACHED = 16_384  # words of texts whose letters are looked at once
_SHORT = 2  # letters of the shortest word that tells anything
_REPEATED = re.compile(r"\{(\d+)(?:,\d*)?\}\??|[*+?]\??")
_CLASSES = "bBdDsSwWAZ"
_LETTERS = re.compile(r"[^\\\[(.^$|)*+?{]+(?![*+?{])")  # that stand for themselves, one time each
_OPENING = re.compile(r"\((?:\?(?:P<\w+>|:|<?[=!]))?")
_NO_BAR = re.compile(r"[^|(\\\[]+")
_RARENESS = {letter: at for at, letter in enumerate(" etaoinshrdlcumwfgypbvk'jxqz")}
_ASCII_RUN = re.compile(r"[!-~]+")
_OTHER_CASE = re.compile("[\u0130\u0131\u017f\u212a]")
_OTHER_CASES = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")  # what `re.I` takes for them too

Words = frozenset[str]


class Needed:
    """Tells by the letters of a text which of `patterns` may match it, upper and lower case alike.

    Patterns are of letters, classes, groups, alternatives, repetitions and looks around. A pattern
    is taken alternative by alternative: each has its conditions, and needs all of them met.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._always = 0
        self._pieces: dict[str, int] = {}  # the conditions that a piece of a word meets
        self._needs: dict[int, list[tuple[int, int]]] = {}  # by one condition: all, the pattern
        places: dict[Words, int] = {}
        for number, pattern in enumerate(patterns):
            for alternative in needed_by_alternative(pattern):
                conditions = [each for words in alternative for each in _conditions(words)]
                if not conditions:
                    self._always |= 1 << number
                    continue
                bits_of = [places.setdefault(each, len(places)) for each in conditions]
                needed = sum(1 << bit for bit in set(bits_of))
                best = max(range(len(conditions)), key=lambda at: _worth(conditions[at]))
                one = 1 << bits_of[best]
                self._needs.setdefault(one, []).append((needed, 1 << number))
        for words, place in places.items():
            for piece in words:
                self._pieces[piece] = self._pieces.get(piece, 0) | 1 << place
        self._asked = sum(self._needs)
        self._met = lru_cache(maxsize=_CACHED)(self._met_by)

    def of(self, text: str) -> int:
        """The patterns that may match `text`: bit N stands for pattern N."""
        words = text.split() if text.isascii() else _ASCII_RUN.findall(lowered(text))
        met = 0
        for word in words:
            met |= self._met(word)
        found = self._always
        rest = met & self._asked
        while rest:
            lowest = rest & -rest
            for needed, pattern in self._needs[lowest]:
                if met & needed == needed:
                    found |= pattern
            rest ^= lowest
        return found

    def _met_by(self, word: str) -> int:
        """The conditions that the letters of one word meet."""
        lower, known, met = f" {word.lower()} ", self._pieces, 0
        for at in range(len(lower)):
            for size in range(_SHORT, _LONG + 1):
                met |= known.get(lower[at : at + size], 0)
        return met


def lowered(text: str) -> str:
    """`text` in lower case, character by character, by what `re.I` takes for the same letter."""
    if not text.isascii() and _OTHER_CASE.search(text):
        text = text.translate(_OTHER_CASES)
    return text.lower()


def needed_words(pattern: str) -> Words | None:
    """Texts of which every match of `pattern` holds one, in lower case; None where there are none
    that can be told."""
    words, _ = _alternatives(pattern, 0)
    return words


def needed_by_alternative(pattern: str) -> list[list[Words]]:
    """For each alternative of `pattern` sets of texts of each of which every match holds one."""
    found, _ = _branches(pattern, 0)
    return found


def alternatives(pattern: str) -> list[str]:
    """The patterns that `pattern` is the alternative of: what stands between its outermost bars."""
    found: list[str] = []
    at = start = 0
    while at < len(pattern):
        if plain := _NO_BAR.match(pattern, at):
            at = plain.end()
        elif pattern[at] == "|":
            found.append(pattern[start:at])
            start = at = at + 1
        elif pattern[at] == "(":
            at = _group(pattern, at)[2]
        else:
            at = _item(pattern, at)[2]
    return [*found, pattern[start:]]


def _conditions(words: Words) -> Iterable[Words]:
    """Sets of pieces of which a text that holds one of `words` has one each. A piece lies inside
    one word of the text; a space in it stands for that word's start or end."""
    each = [_apart(word) for word in words]
    if len(each) > 1:  # one piece stands for each
        sets = [frozenset(_rarest(max(inside, key=_telling, default="")) for inside in each)]
    else:
        sets = [frozenset((_rarest(word),)) for word in each[0]]
    for pieces in sets:
        if all(len(piece) >= _SHORT and piece.isascii() for piece in pieces):
            yield pieces


def _apart(text: str) -> list[str]:
    """The words of `text`, each with the spaces beside it."""
    words = text.split(" ")
    last = len(words) - 1
    return [
        " " * (at > 0) + word + " " * (at < last) for at, word in enumerate(words) if word.strip()
    ]


@cache
def _rarest(word: str) -> str:
    """The piece of a word that is the least common in English, by its letters."""
    if len(word) <= _LONG:
        return word
    rareness = [_RARENESS.get(letter, 0) for letter in word]
    rarest = max(range(len(word) - _LONG + 1), key=lambda at: sum(rareness[at : at + _LONG]))
    return word[rarest : rarest + _LONG]


def _telling(word: str) -> tuple[int, int]:
    piece = _rarest(word)
    return len(piece), sum(_RARENESS.get(letter, 0) for letter in piece)


def _alternatives(pattern: str, at: int) -> tuple[Words | None, int]:
    """The words of the alternatives from `at` to the end of their group, and where that is."""
    branches, at = _branches(pattern, at)
    known = [max(branch, key=_worth) for branch in branches if branch]
    return (frozenset().union(*known) if len(known) == len(branches) else None), at


def _branches(pattern: str, at: int) -> tuple[list[list[Words]], int]:
    """The sets of words of each alternative from `at` to the end of their group, and where that
    is."""
    found: list[list[Words]] = []
    while True:
        words, at = _sequence(pattern, at)
        found.append(words)
        if at >= len(pattern) or pattern[at] == ")":
            return found, at
        at += 1  # the bar


def _sequence(pattern: str, at: int) -> tuple[list[Words], int]:
    """The sets of words that follow each other, up to a bar or the end of the group."""
    found: list[Words] = []
    run = ""

    def close(words: Words | None = None) -> None:
        nonlocal run
        if run:
            found.append(frozenset((run,)))
            run = ""
        if words:
            found.append(words)

    while at < len(pattern) and pattern[at] not in "|)":
        if letters := _LETTERS.match(pattern, at):
            run += letters[0].lower()
            at = letters.end()
            continue
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
    return found, at


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
    kind = _OPENING.match(pattern, at)
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
