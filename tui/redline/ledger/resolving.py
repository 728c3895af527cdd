"""Which of many statements, in the order they were said, take the place of which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from redline.ledger.claim_tokens import close, rough
from redline.ledger.claims import Read, read
from redline.ledger.restating import Restated, compared
from redline.ledger.sketch import Sketch
from redline.ledger.swapping import swapped
from redline.ledger.two_things import only_once, told_apart, two_things
from redline.ledger.updating import Update, may_update, update_of

_RARE = 4  # of the words of a statement by which earlier ones with them are looked for
_BACK = 20  # earlier statements that share one word, the newest
_MOST = 12  # earlier statements that one is read against
_FEW = 4  # the same where a statement does not say that something is different
_ALIKE = 6  # words that only one of two has that say nearly the same


@dataclass(frozen=True, slots=True)
class Resolved:
    """The place of the older statement that one restates, and how."""

    older: int
    restated: Restated


def resolved(texts: Sequence[str]) -> dict[int, Resolved]:
    """By the place of a newer statement, the older one that it restates: one that it takes the
    place of for sure before all others, else the newest that it may say again. An older statement
    is replaced once.

    What two sentences do not show by themselves, the others may: "bump the timeout to 45s" is sure
    where one timeout is spoken of, and not where two are.

    Only statements that share half of their words are read closely, so that thousands take a part
    of a second.
    """
    found: dict[int, Resolved] = {}
    known: list[frozenset[str]] = []
    places: dict[str, list[int]] = {}
    gone: set[int] = set()
    session = _Session(texts)
    for at, text in enumerate(texts):
        said = rough(text)
        sharing = sorted(_sharing(said, places) - gone, reverse=True)
        near = [one for one in sharing if close(said, known[one])][:_MOST]
        best = _best(at, texts, near)
        if sharing and (best is None or not best.restated.sure):
            wide = [one for one in sharing if _may_be_meant(said, known[one])][:_MOST]
            alike = [one for one in wide if len(said ^ known[one]) <= _ALIKE][:_FEW]
            best = session.meant(at, wide, alike) or best
        if best is not None:
            found[at] = best
            if best.restated.sure:
                gone.add(best.older)
        known.append(said)
        for word in said:
            places.setdefault(word, []).append(at)
    return found


def _sharing(said: frozenset[str], places: dict[str, list[int]]) -> set[int]:
    """Earlier statements that share one of the rarer words of one."""
    rare = sorted((places[word] for word in said if word in places), key=len)[:_RARE]
    return {at for shared in rare for at in shared[-_BACK:]}


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


def _may_be_meant(said: frozenset[str], known: frozenset[str]) -> bool:
    return 3 * len(said & known) >= min(len(said), len(known))


class _Session:
    """Statements as they stand beside each other."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._sketches: dict[int, Sketch] = {}

    def meant(self, at: int, near: Sequence[int], alike: Sequence[int]) -> Resolved | None:
        """The one of `near` that a statement gives another value; not surely where two may be
        meant. One that does not say that something is different only does so to one of `alike`."""
        if not near:
            return None
        new = self._sketch(at)
        near = near if new.weak or new.strong else alike
        if not near or not (may_update(new) or new.strong):
            return None
        found = [(place, one) for place in near if (one := self._update(place, at))]
        if not found:
            return None
        sure = [(place, one) for place, one in found if one.sure]
        place, meant = sure[0] if sure else found[0]
        alone = bool(sure)
        for other, one in sure[1:]:
            if _closer(one, meant):
                place, meant, alone = other, one, True
            elif not _closer(meant, one):
                alone = False
        return Resolved(place, Restated(meant.older_value, meant.newer_value, alone))

    def _sketch(self, at: int) -> Sketch:
        if at not in self._sketches:
            self._sketches[at] = Sketch(self._texts[at])
        return self._sketches[at]

    def _update(self, place: int, at: int) -> Update | None:
        old, new = self._sketch(place), self._sketch(at)
        if only_once(old.text, new.text) or told_apart(old.text, new.text):
            return None
        found = update_of(old, new)
        if new.strong and (found is None or not found.sure):
            found = _other(read(self._texts[place]), read(self._texts[at])) or found
        if found is None or found.sure:
            return found
        return None if two_things(old, new, (found.older_value, found.newer_value)) else found


def _other(first: Read, second: Read) -> Update | None:
    """What stands in the place of something else in a sentence that says that it is another."""
    if first.adds or second.adds:
        return None
    for named in second.slots:
        other = swapped(first.slots[0], named, changed=True, said=True)
        if other is not None and other[2]:
            shared = first.slots[0].keys & named.keys
            return Update(other[0], other[1], True, bool(named.past), shared)
    return None


def _closer(one: Update, other: Update) -> bool:
    """Whether `one` is more surely meant: its value is named, or it shares all and more."""
    if one.named != other.named:
        return one.named
    return one.shared > other.shared
