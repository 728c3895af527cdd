"""What a memory finds of all that was ever said: passages by the words they share with a question.

A word counts the more the fewer texts have it, as in any full-text search.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from redline.evaluate.plants import Statement

_WORD = re.compile(r"[A-Za-z0-9_]{2,}|[\u3400-\u9fff]")


def question(statement: Statement) -> str:
    """What somebody asks who knows what it is about, not what it says: its words without the last
    of what must be found, or without its value."""
    hidden = statement.value or statement.must[-1][0]
    return statement.text.replace(hidden, " ")


def recall(asked: str, texts: Sequence[str], *, passages: int, characters: int) -> list[str]:
    """The best passages of `texts`, the newest first among equals."""
    wanted = set(_words(asked))
    bags = [set(_words(text)) for text in texts]
    spread = Counter(word for bag in bags for word in wanted & bag)
    worth = {word: math.log(1 + len(texts) / count) for word, count in spread.items()}
    scored = [(sum(worth[word] for word in wanted & bag), at) for at, bag in enumerate(bags)]
    best = sorted((one for one in scored if one[0] > 0), reverse=True)[:passages]
    return [_passage(texts[at], wanted, worth, characters) for _, at in best]


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _passage(text: str, wanted: set[str], worth: dict[str, float], characters: int) -> str:
    """The stretch of `text` with most of what is wanted."""
    if len(text) <= characters:
        return text
    places = [
        (match.start(), worth[word])
        for match in _WORD.finditer(text)
        if (word := match.group().lower()) in wanted
    ]
    best, start, near, first = 0.0, 0, 0.0, 0
    for at, value in places:
        near += value
        while at - places[first][0] > characters * 3 // 4:
            near -= places[first][1]
            first += 1
        if near > best:
            best, start = near, places[first][0]
    start = max(0, start - characters // 8)
    return text[start : start + characters]
