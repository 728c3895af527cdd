"""Whether two sentences ask the opposite: "use uv, never pip" and "use pip, never uv"."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from redline.ledger.asked import NOT, Asked, allowed, asked, asked_before

_MARKS = frozenset((",", ";", ":", "，"))
_ALLOWS = frozenset(("always", "but", "instead"))  # what comes behind is asked for
_USE = frozenset(("use", "用"))
_UNTOLD = frozenset(("only", "只", "仅", "and", *_USE, *_MARKS, *_ALLOWS))


def opposite(one: str, other: str) -> bool:
    """Whether one of the sentences asks for what the other one forbids, in so many words."""
    second = _all_parts(other)
    return any((not against, words) in second for against, words in _all_parts(one))


@lru_cache(maxsize=8192)
def _all_parts(text: str) -> frozenset[tuple[bool, tuple[str, ...]]]:
    return frozenset(_parts(text))


def _parts(text: str) -> Iterator[tuple[bool, tuple[str, ...]]]:
    """What a sentence asks for and forbids, one after the other: of "write in English, not in
    German" both writings."""
    found = asked(allowed(text))
    if before := asked_before(found):
        yield True, (*before, "without", "ask")
    parts = _split(found)
    lead = parts[0][1]
    for at, (no, said) in enumerate(parts):
        if no is None or not said:
            continue
        yield no, tuple(said)
        if at == 1 and no and parts[0][0] is False:
            yield no, (*lead, *said)
        if at and len(said) < len(lead):
            yield no, (*lead[: -len(said)], *said)


def _split(found: Asked) -> list[tuple[bool | None, list[str]]]:
    """Its words by whether they are forbidden; None where that is not sure."""
    parts: list[tuple[bool | None, list[str]]] = []
    against: bool | None = found.against
    words: list[str] = []
    verbs = {*_USE, *found.words[:1]}
    banned = found.against
    for at, word in enumerate(found.words):
        banned = banned or word == NOT
        if not banned or word not in (NOT, *_MARKS, *_ALLOWS):
            words.append(word)
            continue
        parts.append((against, words))
        words = []
        if word == NOT or word in _ALLOWS:
            against = word == NOT
        else:  # behind a comma what is forbidden may go on
            against = (
                False if found.words[at + 1 : at + 2] and found.words[at + 1] in verbs else None
            )
    parts.append((against, words))
    return [(no, [word for word in said if word not in _UNTOLD]) for no, said in parts]
