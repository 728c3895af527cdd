"""How probable it is that a sentence speaks of the same thing as an earlier one and gives another
value of it, where no rule says so.

A weighted sum of what two sentences show, with weights that `benchmarks/likeness.py` finds from
pairs by several authors. It only ever tells that it may be so: both sentences stay.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from redline.ledger import claim_cues as cues
from redline.ledger import claim_words as words
from redline.ledger.likely_values import Values, likely_values
from redline.ledger.manner import manner
from redline.ledger.placing import BEHIND, led, left_behind
from redline.ledger.qualifying import telling, telling_behind
from redline.ledger.sketch import Sketch, Word
from redline.ledger.two_things import others_begin

ENOUGH = 0.15
"""From this probability on the newer sentence is marked."""
_LEAST = 0.4  # weight of what both name
_SHARE = 0.12  # of all that the one names which names less
_LITTLE = words.GENERIC | words.ATTRIBUTES | {"max", "min", "owner", "limit", "default", "new"}
_CLOSED = frozenset(("language", "mask", "switch"))
_DETERMINING = frozenset("the a an our my your their this that every each all".split())  # noqa: SIM905
_FOLLOWS = BEHIND | _DETERMINING | {"too", "not", "off", "up", "down", "out"}
_FIRST = frozenset(("for", "it", "is", "as", "everywhere"))
_MARKS = "`\"'"
WEIGHTS: Mapping[str, float] = {
    "acts alike": 0.34,
    "adds": -1.43,
    "ahead of both": 0.18,
    "allowed": 0.90,
    "always": -2.34,
    "amounts": 0.07,
    "amounts of one kind": 0.94,
    "amounts of one unit": -1.24,
    "amounts of two kinds": -0.83,
    "amounts of two units": 0.16,
    "asks": -1.65,
    "behind the same word": -1.82,
    "behind what is shared": 0.28,
    "both forbid": 0.00,
    "change of what is shared, surely": 1.66,
    "change, perhaps": 0.34,
    "code": -1.39,
    "dates": 0.49,
    "in common": 0.97,
    "in two languages": -2.17,
    "left on both": -1.79,
    "newer one asks for work": -1.29,
    "newer one before a noun": 0.10,
    "newer one is done once": 0.76,
    "newer one said": 0.09,
    "no value": -1.12,
    "not sure": -0.87,
    "nothing left of the older": -0.64,
    "of both": 2.10,
    "of no form": -2.18,
    "of no form, all else alike": 0.95,
    "of no form, of both": -1.12,
    "of no form, said": 0.61,
    "of one class": 2.03,
    "of one form": -1.14,
    "of one form, all else alike": 0.57,
    "of one form, of both": -0.03,
    "of one form, said": 0.98,
    "of oneself": -0.78,
    "of people": 0.47,
    "of the newer": -2.07,
    "of the older": 0.92,
    "of what it points to": 0.37,
    "older one before a noun": 0.84,
    "older one first": -0.37,
    "older one is done once": -0.51,
    "older one said": 0.31,
    "opposite ends": -1.35,
    "other kind of one noun": -2.08,
    "told apart": 0.15,
    "turned round": 0.74,
    "two things in common": 0.79,
    "was named": 1.82,
}


@dataclass(frozen=True, slots=True)
class Likeness:
    """The probability, from 0 to 1, the values as written, empty where none is shown, and what both
    sentences name."""

    probability: float
    older_value: str
    newer_value: str
    shared: frozenset[str]


def likeness(old: Sketch, new: Sketch) -> Likeness | None:
    """How probable it is that `new` gives what `old` speaks of another value. None where too
    little is shared for it."""
    best: tuple[float, Shown] | None = None
    for shown in candidates(old, new):
        total = sum(WEIGHTS.get(name, 0.0) * value for name, value in shown.features().items())
        if best is None or total > best[0]:
            best = total, shown
    if best is None:
        return None
    total, shown = best
    said = [word.text.strip(_MARKS) for word in shown.values or ()] or ["", ""]
    return Likeness(1 / (1 + math.exp(-total)), said[0], said[1], frozenset(shown.shared))


def candidates(old: Sketch, new: Sketch) -> Iterator[Shown]:
    """What shows it, for every two values that may be meant."""
    both = (old.names & new.keys) | (new.names & old.keys)
    both -= {word.key for word in old.words if word.amount}
    shared = _weight_of(both, old.words, new.words)
    if not both or shared < max(_LEAST, _SHARE * min(_weight(old.words), _weight(new.words))):
        return
    said: dict[str, float] | None = None
    for values in likely_values(old, new):
        said = said or _said(old, new)
        yield Shown(old, new, values, said)


def _said(old: Sketch, new: Sketch) -> dict[str, float]:
    """What shows in how both are said, whatever their values."""
    mine, theirs = manner(old.text), manner(new.text)
    return {
        "always": 1.0,
        "change, perhaps": float(new.weak and not new.strong),
        "adds": float(new.adds),
        "both forbid": float(old.negated and new.negated),
        "asks": float(mine.asks or theirs.asks),
        "older one is done once": float(mine.once),
        "newer one is done once": float(theirs.once),
        "newer one asks for work": float(theirs.work),
        "code": float(mine.is_code or theirs.is_code),
        "of oneself": float(mine.of_oneself) + float(theirs.of_oneself),
        "of what it points to": float(mine.points) + float(theirs.points),
        "not sure": float(mine.doubts or theirs.doubts),
        "in two languages": float(mine.chinese != theirs.chinese),
        "acts alike": float(not old.acts.isdisjoint(new.acts)),
        "opposite ends": float(cues.opposed(old.bounds, new.bounds)),
    }


class Shown:
    """What shows that of two sentences the one says `before` of what the other says `after` of."""

    def __init__(self, old: Sketch, new: Sketch, values: Values, said: Mapping[str, float]) -> None:
        self.said = said
        self.old, self.new, self.values = old, new, values
        before, after = values or (None, None)
        self.mine = [word for word in old.words if not _within(word, before)]
        self.theirs = [word for word in new.words if not _within(word, after) and not word.past]
        mine, theirs = {word.key for word in self.mine}, {word.key for word in self.theirs}
        gone = before.key if before else ""
        self.shared = {key for key in mine if key in theirs or key in new.keys} | {
            key for key in theirs if key in old.keys
        }
        self.shared -= {gone, after.key if after else ""}
        self.shared -= {word.key for word in old.words if word.amount}  # tells of no thing
        self.old_rest = self._rest(old, self.mine, before)
        self.new_rest = [word for word in self._rest(new, self.theirs, after) if word.key != gone]

    def _rest(self, one: Sketch, own: list[Word], value: Word | None) -> list[Word]:
        """What only one of them names where it speaks of the thing."""
        about = {word.clause for word in own if word.key in self.shared}
        if value is not None:
            about.add(value.clause)
        return [
            word
            for word in own
            if word.key not in self.shared and word.clause in about and not _is_verb(one, word)
        ]

    def features(self) -> dict[str, float]:
        """What shows it by name, most of it between 0 and 1."""
        both = _weight_of(self.shared, self.old.words, self.new.words)
        mine, theirs = _weight(self.old_rest), _weight(self.new_rest)
        older, newer = self._covered(both)
        found = {
            **self.said,
            "of the older": older,
            "of the newer": newer,
            "of both": older * newer,
            "in common": min(3.0, both),
            "two things in common": float(len(self.shared - _LITTLE - self.old.acts) > 1),
            "nothing left of the older": float(not mine),
            "left on both": min(2.0, mine, theirs),
            "change of what is shared, surely": self.new.strong * older,
            "told apart": float(self._told_apart()),
            "other kind of one noun": float(self._other_kind()),
            "behind the same word": float(self._behind_same_word()),
        }
        if self.values is None:
            return found | self._of_none(older)
        return found | self._of_values(*self.values, older * newer)

    def _covered(self, both: float) -> tuple[float, float]:
        """How much of each is shared, but for the values."""
        left = [
            _weight(word for word in own if word.key not in self.shared)
            for own in (self.mine, self.theirs)
        ]
        return both / max(0.1, both + left[0]), both / max(0.1, both + left[1])

    def _of_none(self, older: float) -> dict[str, float]:
        allows = manner((self.old if self.new.negated else self.new).text).allows
        return {"no value": 1.0, "turned round": older, "allowed": allows * older}

    def _of_values(self, before: Word, after: Word, both: float) -> dict[str, float]:
        alike = before.types & after.types
        amounts = before.amount is not None and after.amount is not None
        again = [word for word in self.new.words if word.key == before.key]
        named = any(left_behind(word, after, before, self.old, self.new) for word in again)
        closed = any(kind.startswith("one of") or kind in _CLOSED for kind in alike)
        kinds = {one.amount.kind for one in (before, after) if one.amount}
        said = _is_said(self.old, before), _is_said(self.new, after)
        ahead = [
            min(1.5, _weight(word for word in rest if word.end <= value.start))
            for rest, value in ((self.old_rest, before), (self.new_rest, after))
        ]
        shared_ahead = [
            _weight(word for word in one.words if word.key in self.shared and word.end <= v.start)
            for one, v in ((self.old, before), (self.new, after))
        ]
        none, form = not alike and not amounts, bool(alike) and not amounts and not closed
        rest = bool(self.old_rest or self.new_rest)
        return {
            "amounts": float(amounts),
            "amounts of one kind": float(amounts and len(kinds) == 1 and kinds != {"number"}),
            "amounts of one unit": float(amounts and before.unit == after.unit != ""),
            "amounts of two units": float(amounts and "" != before.unit != after.unit != ""),
            "amounts of two kinds": float(len(kinds) == 2),
            "dates": float(kinds == {"date"}),
            "of one class": float(closed),
            "of people": float("person" in alike),
            "of one form": float(form),
            "of one form, said": float(form and all(said)),
            "of one form, all else alike": float(form and not rest),
            "of no form": float(none),
            "of no form, said": float(none and all(said)),
            "of no form, of both": none * both,
            "of one form, of both": form * both,
            "of no form, all else alike": float(none and not rest),
            "was named": float(named),
            "older one said": float(said[0]),
            "newer one said": float(said[1]),
            "older one first": float(not self.old.clean[: before.start].strip(" `\"'")),
            "behind what is shared": min(1.5, *shared_ahead),
            "older one before a noun": float(_before_shared(self.old, before, self.shared)),
            "newer one before a noun": float(_before_shared(self.new, after, self.shared)),
            "ahead of both": min(ahead),
        }

    def _told_apart(self) -> bool:
        values = {word.text.lower() for word in self.values or ()}
        apart = self.old.apart - self.new.apart - values, self.new.apart - self.old.apart - values
        begins = others_begin(self.old.clean, self.new.clean, {w.text for w in self.values or ()})
        return all(apart) or begins

    def _other_kind(self) -> bool:
        """Whether what stands before a noun that both have tells of two kinds of it."""
        found = []
        for one, other in ((self.old, self.new), (self.new, self.old)):
            values = {word.key for word in self.values or ()} | other.keys
            kinds = {noun.key for kind, noun in _telling(one) if kind not in values}
            found.append(kinds & self.shared)
        return not found[0].isdisjoint(found[1])

    def _behind_same_word(self) -> bool:
        """Whether two other things stand behind a word like "for" or "in"."""
        found = [
            {lead for word in rest for lead in telling_behind(one, word)}
            for one, rest in ((self.old, self.old_rest), (self.new, self.new_rest))
        ]
        return not found[0].isdisjoint(found[1])


@lru_cache(maxsize=8192)
def _telling(one: Sketch) -> tuple[tuple[str, Word], ...]:
    return tuple(telling(one))


@lru_cache(maxsize=16384)
def _is_verb(one: Sketch, word: Word) -> bool:
    """Whether a word most probably says what is done, and not of what is spoken."""
    if word.key in one.acts:
        return True
    if not word.text.islower() or not word.text.isascii() or word.named:
        return False
    if word.lead in _DETERMINING or word.lead in BEHIND:
        return False
    following = one.clean[word.end :].lower().split(maxsplit=1)
    return bool(following) and following[0] in _FOLLOWS and word.text.endswith(("s", "ed"))


def _is_said(one: Sketch, value: Word) -> bool:
    """Whether a value stands where something is said of a thing."""
    if led(value) or one.ends(value):
        return True
    rest = one.clean[value.end :].lower().split(maxsplit=1)
    first = not one.clean[: value.start].strip(" `\"'")
    return first and bool(rest) and rest[0].strip(",") in _FIRST


def _before_shared(one: Sketch, value: Word, shared: set[str]) -> bool:
    """Whether a value stands right before a noun of the thing: "JPEG thumbnails"."""
    following = next((word for word in one.words if word.start >= value.end), None)
    return following is not None and following.start - value.end <= 1 and following.key in shared


def _weight(of: Iterable[Word]) -> float:
    return sum(map(_weighs, {word.key: word for word in of}.values()))


def _weight_of(keys: Iterable[str], *of: Iterable[Word]) -> float:
    known = {word.key: word for some in of for word in some}
    return sum(_weighs(known[key]) for key in keys if key in known)


def _weighs(word: Word) -> float:
    """How much a word tells of which thing is meant."""
    if word.key in _LITTLE:
        return 0.5
    if word.text[:1] >= "\u3400":
        return 0.5 * len(word.text)
    return 1.5 if word.named else 1.0


def _within(word: Word, value: Word | None) -> bool:
    return value is not None and value.start <= word.start < value.end
