"""Which of many statements, in the order they were said, take the place of which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from redline.ledger.claim_tokens import close, rough
from redline.ledger.claims import read
from redline.ledger.restating import Restated, compared

_RARE = 4  # of the words of a statement by which earlier ones with them are looked for
_BACK = 20  # earlier statements that share one word, the newest
_MOST = 12  # earlier statements that one is read against


@dataclass(frozen=True, slots=True)
class Resolved:
    """The place of the older statement that one restates, and how."""

    older: int
    restated: Restated


def resolved(texts: Sequence[str]) -> dict[int, Resolved]:
    """By the place of a newer statement, the older one that it restates: one that it takes the
    place of for sure before all others, else the newest that it may say again. An older statement
    is replaced once.

    Only statements that share half of their words are read closely, so that thousands take a part
    of a second.
    """
    found: dict[int, Resolved] = {}
    known: list[frozenset[str]] = []
    places: dict[str, list[int]] = {}
    gone: set[int] = set()
    for at, text in enumerate(texts):
        said = rough(text)
        best = _best(at, texts, _near(said, known, places, gone))
        if best is not None:
            found[at] = best
            if best.restated.sure:
                gone.add(best.older)
        known.append(said)
        for word in said:
            places.setdefault(word, []).append(at)
    return found


def _near(
    said: frozenset[str],
    known: Sequence[frozenset[str]],
    places: dict[str, list[int]],
    gone: set[int],
) -> list[int]:
    """Earlier statements that share much with one, the newest first."""
    rare = sorted((places[word] for word in said if word in places), key=len)[:_RARE]
    near: set[int] = set()
    for shared in rare:
        near.update(shared[-_BACK:])
    near -= gone
    return sorted((at for at in near if close(said, known[at])), reverse=True)[:_MOST]


def _best(at: int, texts: Sequence[str], near: Iterable[int]) -> Resolved | None:
    best: Resolved | None = None
    for found in _compared(at, texts, near):
        if found.restated.sure:
            return found
        best = best or found
    return best


def _compared(at: int, texts: Sequence[str], near: Iterable[int]) -> Iterator[Resolved]:
    for place in near:
        restated = compared(read(texts[place]), read(texts[at]))
        if restated is not None:
            yield Resolved(place, restated)
