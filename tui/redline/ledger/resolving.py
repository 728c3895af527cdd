"""Which of many statements, in the order they were said, take the place of which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redline.ledger.claims import Read, read
from redline.ledger.restating import Restated, compared


@dataclass(frozen=True, slots=True)
class Resolved:
    """The place of the older statement that one restates, and how."""

    older: int
    restated: Restated


_NEAR = 400  # earlier statements of one key that are looked at, the newest first


def resolved(texts: Sequence[str]) -> dict[int, Resolved]:
    """By the place of a newer statement, the older one that it restates. A statement takes the
    place of one older one only; where it could be of two, of none for sure."""
    found: dict[int, Resolved] = {}
    by_word: dict[str, list[int]] = {}
    reads: list[Read] = []
    gone: set[int] = set()
    for at, text in enumerate(texts):
        new = read(text)
        reads.append(new)
        keys = new.keys
        near: set[int] = set()
        for key in keys:
            near.update(by_word.get(key, ())[-_NEAR:])
            by_word.setdefault(key, []).append(at)
        best: Resolved | None = None
        for place in sorted(near - gone, reverse=True):
            restated = compared(reads[place], new)
            if restated is None:
                continue
            if restated.sure:
                best = Resolved(place, restated)
                gone.add(place)
                break
            best = best or Resolved(place, restated)
        if best is not None:
            found[at] = best
    return found
