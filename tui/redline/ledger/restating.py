"""Whether two statements say the same thing, the newer one perhaps with another value.

"The staging DB is on port 5433" and "no wait, staging database moved to 5434" are of the port of
one database. What is not surely so is not: statements whose words name different things, or that
may both hold, are never merged. A wrong merge loses what a person said; a missed one only shows it
twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from redline.ledger import claim_cues as cues
from redline.ledger import claim_words as words
from redline.ledger.claim_tokens import close, rough
from redline.ledger.claims import Claim, Read, read
from redline.ledger.sketch import Sketch
from redline.ledger.swapping import swapped
from redline.ledger.two_things import only_once, told_apart, two_things

_IMPLIED = {
    "number": frozenset(("port", "limit", "version", "max")),
    "version": frozenset(("version",)),
    "date": frozenset(("deadline",)),
    "size": frozenset(("size", "limit", "max")),
    "duration": frozenset(("limit", "max")),
    "percent": frozenset(("limit", "max")),
    "money": frozenset(("limit", "max", "budget")),
}
_DATED = frozenset(
    (
        "deadline",
        "release",
        "demo",
        "meeting",
        "review",
        "freez",
        "launch",
        "ship",
        "audit",
        "call",
        "due",
    )
)
_SCHEDULING = frozenset(
    (
        "push",
        "happen",
        "schedul",
        "plan",
        "start",
        "land",
        "due",
        "pull",
        "mov",
        "reschedul",
        "begin",
    )
)
_STATE = re.compile(r"\b(?:on|off)\b")


@dataclass(frozen=True, slots=True)
class Restated:
    """The newer of two statements says the older one again. The values are as written, empty where
    only the wording differs. Not `sure`: it may be so; both stay, and the newer is marked."""

    older_value: str = ""
    newer_value: str = ""
    sure: bool = True

    @property
    def same(self) -> bool:
        """Whether only the wording differs."""
        return self.older_value == self.newer_value


def restates(older: str, newer: str) -> Restated | None:
    """Whether `newer` says the same thing as `older` again, perhaps with another value; both are
    one sentence each. None where it does not."""
    if older == newer:
        return Restated()
    if not close(rough(older), rough(newer)):
        return None
    return compared(read(older), read(newer))


def compared(first: Read, second: Read) -> Restated | None:
    """`restates` of two sentences that are read."""
    if first.text == second.text:
        return Restated()
    found = _found(first, second)
    return found if found is None or found.same else _of_one(found, first.text, second.text)


def _of_one(found: Restated, older: str, newer: str) -> Restated | None:
    """`found`, None where the two are of two things."""
    if only_once(older, newer) or told_apart(older, newer):
        return None
    values = found.older_value, found.newer_value
    return found if found.sure or not two_things(Sketch(older), Sketch(newer), values) else None


def _found(first: Read, second: Read) -> Restated | None:
    best: Restated | None = None
    for new in second.whole:
        for old in first.whole:
            found = _compared(old, new, first, second)
            if found is not None and found.sure:
                return found
            best = best or found
    for claims in second.clauses:
        for new in claims:
            for old in first.whole:
                found = _compared(old, new, first, second)
                if found is not None and found.sure:
                    return found
                best = best or found
    return _swapped(first, second) or best or _of_a_part(first, second)


def _of_a_part(first: Read, second: Read) -> Restated | None:
    """What `second` says anew of a part of `first`: the rest of that still holds."""
    for claims in (second.whole, *second.clauses):
        for new in claims:
            for part in first.clauses:
                for old in part:
                    found = _compared(old, new, first, second)
                    if found is not None and not found.same:
                        return Restated(found.older_value, found.newer_value, sure=False)
    return None


def _swapped(first: Read, second: Read) -> Restated | None:
    if first.adds or second.adds:
        return None
    for named in second.slots:
        found = swapped(first.slots[0], named, changed=second.changed)
        if found is not None:
            return Restated(*found)
    return None


def _compared(old: Claim, new: Claim, first: Read, second: Read) -> Restated | None:
    """What two claims are of each other; `first` and `second` are the sentences they stand in."""
    if old.relation != new.relation or not _agree_in_kind(old, new):
        return None
    if old.kinds and (cues.opposed(first.bounds, second.bounds) or _two_differ(old, new)):
        return None
    if old.relation == "plain":
        return _plain(old, new, first, second)
    left_old, left_new = _left(old, new)
    if left_old and left_new:
        return None
    if not (old.key & new.key) and not _one_category(old, new):
        return None
    if (old.directed or new.directed) and _order(old) != _order(new):
        return None
    same = old.value == new.value
    if same and (left_old or left_new):
        return None
    sure = (
        not left_old
        and not left_new
        and not second.adds
        and not first.adds
        and old.negated == new.negated
        and (not new.old or bool(new.old & set(old.value)))
        and (same or _holds_one_value(old, new, second))
        and old.names == new.names
    )
    if not sure and second.adds and not second.changed:
        return None
    if not sure and (left_old or left_new) and not second.changed:
        return None
    if same:
        return Restated(sure=sure) if sure else None
    return Restated(*_differing(old, new), sure)


def _differing(old: Claim, new: Claim) -> tuple[str, str]:
    """The values as written; of several numbers the one that is another."""
    if len(old.kinds) > 1:
        for place, (before, after) in enumerate(zip(old.kinds, new.kinds, strict=True)):
            if before != after:
                return old.said[place], new.said[place]
    return old.shown, new.shown


def _two_differ(old: Claim, new: Claim) -> bool:
    """Whether they differ in a day and in an amount: they are of two days then."""
    differing = [(a.kind == "date") for a, b in zip(old.kinds, new.kinds, strict=True) if a != b]
    return any(differing) and not all(differing)


def _agree_in_kind(old: Claim, new: Claim) -> bool:
    if old.role and new.role and old.role != new.role:
        return False
    if len(old.kinds) != len(new.kinds):
        return False
    if ("min" in old.key) != ("min" in new.key):
        return False
    pairs = list(zip(old.kinds, new.kinds, strict=True))
    if "port" in old.key ^ new.key and any(a.kind != b.kind for a, b in pairs):
        return False  # where it listens, and how much of something it has
    return all(a.fits(b) for a, b in pairs)


def _left(old: Claim, new: Claim) -> tuple[frozenset[str], frozenset[str]]:
    """What each names that the other does not, but for what goes without saying."""
    left_old, left_new = old.key - new.key, new.key - old.key
    if old.kinds and all(value.kind == "date" for value in (*old.kinds, *new.kinds)):
        left_old, left_new = left_old - _SCHEDULING, left_new - _SCHEDULING
    for kind in {value.kind for value in (*old.kinds, *new.kinds)}:
        implied = _IMPLIED.get(kind, frozenset())
        if not (left_old and left_new):
            left_old -= implied
            left_new -= implied
    if not (left_old and left_new) and (old.key & new.key) - words.GENERIC - words.ATTRIBUTES:
        left_old, left_new = left_old - words.GENERIC, left_new - words.GENERIC
    if old.relation == "setting" and not (left_old and left_new):
        left_old, left_new = left_old - {"name"}, left_new - {"name"}
    return left_old, left_new


def _order(claim: Claim) -> list[str]:
    return [key for key in claim.order if key not in words.ATTRIBUTES]


def _holds_one_value(old: Claim, new: Claim, second: Read) -> bool:
    """Whether the thing can have one value only, so that another one replaces it."""
    cued = second.changed
    match old.relation:
        case "number":
            dated = any(value.kind == "date" for value in new.kinds)
            return cued or not dated or bool(new.key & _DATED)
        case "owner" | "switch" | "language":
            return True
        case "tool":
            return _tools(old, new, cued)
        case "place":
            return cued
        case _:
            attribute = bool(old.key & new.key & words.ATTRIBUTES)
            return attribute or (cued and _named(old) and _named(new))


def _named(claim: Claim) -> bool:
    """Whether its value is written as a name: with a capital, or as code."""
    return claim.shown[:1].isupper() or not claim.shown.isalpha()


def _one_category(old: Claim, new: Claim) -> bool:
    """Whether both are of a tool of one category, as "use npm", "switch to pnpm"."""
    return old.relation == "tool" and bool(old.categories & new.categories)


def _tools(old: Claim, new: Claim, cued: bool) -> bool:
    """Whether both name tools of one category, or the newer says that it is instead."""
    if old.categories or new.categories:
        return _one_category(old, new) or bool(new.old & set(old.value))
    return cued or bool(new.old & set(old.value))


def _plain(old: Claim, new: Claim, first: Read, second: Read) -> Restated | None:
    if old.key != new.key or len(old.key) < 2 or second.adds:
        return None
    if (old.directed or new.directed or old.names) and old.order != new.order:
        return None
    if old.negated == new.negated:
        states = [_STATE.findall(each.text.lower()) for each in (first, second)]
        if states[0] != states[1] and len(states[0]) == len(states[1]) == 1:
            return Restated(states[0][0], states[1][0])
        return Restated()
    words_of = cues.stance(first.text), cues.stance(second.text)
    return Restated(*words_of, sure=False) if words_of[0] != words_of[1] else None
