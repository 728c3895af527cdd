"""Which of many statements, in the order they were said, take the place of which."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from redline.ledger.claim_tokens import rough
from redline.ledger.restating import Restated, likely, reworded, sketch, told, update
from redline.ledger.subject import Agreement

_RARE = 4  # of the words of a statement by which earlier ones with them are looked for
_BACK = 20  # earlier statements that share one word, the newest
_READ_AGAIN = 3  # of these where no rule shows that one is meant
_FEW = 2  # earlier statements that have a rare word
_MOST = 5  # earlier statements that one is read against
MANY = 250  # statements, among which only rules show what is said again; likeness takes too long


@dataclass(frozen=True, slots=True)
class Resolved:
    """The place of the older statement that one restates, and how."""

    older: int
    restated: Restated


def resolved(
    texts: Sequence[str],
    *,
    meets: Callable[[int, int], bool] | None = None,
    stays: Callable[[int], bool] | None = None,
) -> dict[int, Resolved]:
    """By the place of a newer statement, the older one that it restates: one that it takes the
    place of for sure before all others, else the one that it may most probably say again. An older
    statement is replaced once, but for one that `stays` for now. Two that do not `meet` are not
    compared.

    Where no rule shows it, an older statement is told to be said again perhaps by the one that most
    probably does, and by no other; not among more than MANY.

    What two sentences do not show by themselves, the others may: "bump the timeout to 45s" is sure
    where one timeout is spoken of, and not where two are.

    Only statements that share the rarest of their words are read closely, so that thousands take a
    part of a second.
    """
    found: dict[int, Resolved] = {}
    known: list[frozenset[str]] = []
    places: dict[str, list[int]] = {}
    gone: set[int] = set()
    perhaps: list[tuple[float, int, Resolved]] = []
    for at, text in enumerate(texts):
        said = rough(text)
        sharing = _sharing(said, places) - gone
        if meets is not None:
            sharing = {one for one in sharing if meets(one, at)}
        near = _nearest(said, known, sharing)
        if near and not sketch(text).strong:
            near = [one for one in near if 4 * len(said & known[one]) >= len(known[one])]
        best = _best(texts, near, at, found)
        if best is None and sharing and len(texts) <= MANY:
            rare = _with_rare(said, places) & sharing - set(near)
            perhaps += _likely(texts, (*near[:_READ_AGAIN], *sorted(rare)[-_FEW:]), at)
        if best is not None:
            found[at] = best
            if best.restated.sure and (stays is None or not stays(best.older)):
                gone.add(best.older)
        known.append(said)
        for word in said:
            places.setdefault(word, []).append(at)
    taken = {one.older for one in found.values()}
    for _, at, one in sorted(perhaps, key=lambda each: each[0], reverse=True):
        if at not in found and one.older not in taken:
            found[at] = one
            taken.add(one.older)
    return found


def _sharing(said: frozenset[str], places: Mapping[str, Sequence[int]]) -> set[int]:
    """Earlier statements that share one of the rarer words of one."""
    rare = sorted((places[word] for word in said if word in places), key=len)[:_RARE]
    return {at for shared in rare for at in shared[-_BACK:]}


def _with_rare(said: frozenset[str], places: Mapping[str, Sequence[int]]) -> set[int]:
    """Earlier statements with a word that hardly another has."""
    found = (places[word] for word in said if word in places)
    return {at for some in found if len(some) <= _FEW for at in some}


def _nearest(said: frozenset[str], known: Sequence[frozenset[str]], places: set[int]) -> list[int]:
    """Of `places` those that share most, the newest first of those that share as much."""
    shared = [(len(said & known[at]), at) for at in places]
    near = [(n, at) for n, at in shared if 3 * n >= min(len(said), len(known[at]))]
    return [at for _, at in sorted(near, reverse=True)[:_MOST]]


def _best(
    texts: Sequence[str], near: Sequence[int], at: int, found: Mapping[int, Resolved]
) -> Resolved | None:
    if not near:
        return None
    again = next((place for place in near if texts[place] == texts[at]), None)
    if again is not None:
        return Resolved(again, Restated())
    new = sketch(texts[at])
    doubt: Resolved | None = None
    for place in near:
        same = reworded(sketch(texts[place]), new)
        if same is not None and same.sure:
            return Resolved(place, same)
        doubt = doubt or (Resolved(place, same) if same is not None else None)
    updates = [
        (place, one) for place in near if (one := update(sketch(texts[place]), new)) is not None
    ]
    return _meant(updates, found) or doubt


def _likely(
    texts: Sequence[str], near: Sequence[int], at: int
) -> Iterator[tuple[float, int, Resolved]]:
    """Those of `near` that may be meant, with how probable it is, where no rule shows which."""
    new = sketch(texts[at])
    for place in near:
        one = likely(sketch(texts[place]), new)
        if one is not None:
            yield one[0], at, Resolved(place, one[1])


def _meant(updates: list[tuple[int, Agreement]], found: Mapping[int, Resolved]) -> Resolved | None:
    """The one of `updates` that is most probably meant, sure where no other may be."""
    sure = [(place, one) for place, one in updates if one.sure]
    told_again = {found[place].older for place, _ in sure if place in found}
    sure = [(place, one) for place, one in sure if place not in told_again]
    best: tuple[int, Agreement] | None = None
    alone = bool(sure)
    for place, one in sure or updates:
        if best is None or _closer(one, best[1]):
            best, alone = (place, one), bool(sure)
        elif not _closer(best[1], one):
            alone = False
    if best is None:
        return None
    restated = told(best[1])
    assert restated is not None
    return Resolved(best[0], Restated(restated.older_value, restated.newer_value, alone))


def _closer(one: Agreement, other: Agreement) -> bool:
    """Whether `one` is more surely meant: its value is named, or it shares all and more."""
    if one.named != other.named:
        return one.named
    return one.shared > other.shared
