"""Which words of a sentence stand where values do, and which two may be values of one thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from redline.ledger import claim_words as words
from redline.ledger.claim_tokens import concept
from redline.ledger.claim_values import Value
from redline.ledger.sketch import Sketch, Word
from redline.ledger.sketch_words import APART
from redline.patterns import lazy

BEHIND = frozenset(
    """
    for of under in on at about within inside to from with by as via through against into 在
    """.split()  # noqa: SIM905
)
"""What leads up to a thing, or to where it is."""
NEVER_LEAD = frozenset(("of", "for", "about"))
"""Of those the ones behind which stands what is spoken of, and no value."""
_COPULAS = frozenset("is are be = : it's that's called named became becomes 是 为 叫".split())  # noqa: SIM905
_LEADS = (
    BEHIND
    | _COPULAS
    | {"now", "onto", "using", "use", "uses", "get", "gets", "run", "runs", "ask", "asks"}
    | {"moved to"}
    | frozenset("→ 改走 改叫 到 成 用 走 放 于 找 归 给 从".split())  # noqa: SIM905
)
_HAN_LEADS = frozenset("在到成为是叫用走放于找归给从写址径名号录单签缀")
_ATTRIBUTES = (words.ATTRIBUTES | {"max", "min", "retention", "review", "owner"}) - {"limit"}
_NEUTRAL = _LEADS | {"port", "max", "min", "limit", "than", "", "it", "retry", "timeout"}
_INSTEAD = frozenset(("replaces", "replaced", "instead of", "will replace", "is replacing", "取代"))
_NO_VALUES = words.ATTRIBUTES | words.GENERIC
_DETERMINING = frozenset("the a an our my your their this that".split())  # noqa: SIM905
_FEW = 4
_CLOCK = lazy(r"\d[:：]\d|[ap]m$|点")
_SCALE = 2000  # of two durations of one thing the longer is not so many times the shorter


def led(word: Word) -> bool:
    """Whether `word` stands where values do, by the word before it."""
    return word.lead in _LEADS or word.lead[-1:] in _HAN_LEADS


def is_said(word: Word) -> bool:
    """Whether `word` is what something is said to be."""
    return word.lead in _COPULAS


def pairs(old: Sketch, new: Sketch) -> Iterator[tuple[Word, Word]]:
    """Every word of `old` with one of `new` that may have taken its place as a value: both of one
    type, or in one place, and `new` does not say that the older one still holds."""
    come = [
        word
        for word in new.words
        if not word.past and word.key not in old.names and word.text.lower() not in APART
    ]
    were = [word for word in old.words if not word.past and word.text.lower() not in APART]
    for after in come:
        for before in were:
            if before.key in new.names:
                again = [word for word in new.words if word.key == before.key]
            elif before.types.isdisjoint(after.types):
                continue
            else:
                again = []
            if again and not any(left_behind(word, after, before, old, new) for word in again):
                continue
            if before.amount is not None or after.amount is not None:
                if before.amount and after.amount and _fit(before, after):
                    yield before, after
            elif before.types & after.types or (
                again and _takes_the_place(before, after, again[0], new, len(come) == 1)
            ):
                yield before, after
    yield from _said_last(old, new)


def left_behind(word: Word, after: Word, before: Word, old: Sketch, new: Sketch) -> bool:
    """Whether `word`, the older value as the newer sentence names it, is said to be past: outright,
    or as what speaks of it only tells why, or as somebody hands it over."""
    if word.past:
        return True
    if word.clause != after.clause:
        known = old.keys - {word.key}
        here, there = (
            any(other.key in known for other in new.words if other.clause == number)
            for number in (word.clause, after.clause)
        )
        return there or not here
    if word.lead == "from" and "person" in before.types:
        return True
    hands = word.start < after.start and after.lead in ("to", "owner") and not word.lead
    return hands and "person" in before.types


def _takes_the_place(before: Word, after: Word, again: Word, new: Sketch, alone: bool) -> bool:
    """Whether `after`, of another type or of none, stands for what `new` leaves behind."""
    if again.past:
        replaces = new.clean[after.end : again.start].strip().lower()
        return alone or led(after) or bool(after.types) or replaces in _INSTEAD
    same = before.lead == after.lead or {before.lead, after.lead} <= BEHIND
    return same and led(after) and new.ends(after)


def _said_last(old: Sketch, new: Sketch) -> Iterator[tuple[Word, Word]]:
    """What ends a clause of each behind the same word, as values of no known type do."""
    for before in _phrases(old):
        if before.key in new.keys:
            continue
        for after in _phrases(new):
            if after.key in old.keys:
                continue
            both = {before.lead, after.lead}
            one_place = len(both) == 1 or both <= _COPULAS or all(map(_is_han_lead, both))
            if one_place and before.key != after.key and not (before.types and after.types):
                yield before, after


def _is_han_lead(lead: str) -> bool:
    return lead[-1:] in _HAN_LEADS


@lru_cache(maxsize=8192)
def _phrases(one: Sketch) -> tuple[Word, ...]:
    return tuple(_ending(one))


def _ending(one: Sketch) -> Iterator[Word]:
    """Of each clause the words that end it, as one, with the word that leads up to them."""
    for last in one.words:
        if last.past or last.amount or last.key in _NO_VALUES or not one.ends(last):
            continue
        first = last
        for word in reversed(one.words[: one.words.index(last)]):
            gap = one.clean[word.end : first.start]
            if word.amount or gap.strip(" -") or word.clause != last.clause or led(first):
                break
            first = word
        leading = one.clean[: first.start].lower().split()[-_FEW:]
        while leading and leading[-1] in _DETERMINING:
            leading.pop()
        lead = first.lead if first.text[0] >= "\u3400" else (leading or [""])[-1]
        if lead in _LEADS or _is_han_lead(lead) or concept(lead) in words.ATTRIBUTES:
            text = one.clean[first.start : last.end]
            if first is last:
                yield replace(last, lead=lead)
            else:
                types = frozenset[str]()
                yield replace(
                    last, key=text.lower(), text=text, start=first.start, lead=lead, types=types
                )


def _fit(before: Word, after: Word) -> bool:
    """Whether two amounts can be of one thing."""
    assert before.amount is not None
    assert after.amount is not None
    kinds = {before.amount.kind, after.amount.kind}
    if kinds == {"date"}:
        return _of_clock(before) == _of_clock(after)
    if kinds == {"number"}:
        if before.unit and after.unit:
            return before.unit == after.unit
        counters = {word.text[-1] for word in (before, after) if word.text[-1] >= "\u3400"}
        if len(counters) > 1:
            return False
        return not (_is_place(before) and _is_count(after)) and not (
            _is_count(before) and _is_place(after)
        )
    if "number" in kinds and len(kinds) > 1:
        bare = before if before.amount.bare else after
        return not bare.unit and not _is_place(bare) and before.amount.fits(after.amount)
    if kinds == {"duration"} and not 1 / _SCALE < _ratio(before.amount, after.amount) < _SCALE:
        return False
    return before.amount.fits(after.amount)


def _ratio(one: Value, other: Value) -> float:
    return float(one.amount) / max(float(other.amount), 1e-9)


def _of_clock(word: Word) -> bool:
    return _CLOCK.search(word.text.lower()) is not None


def _is_place(word: Word) -> bool:
    """Whether a number says where something listens."""
    return word.lead in ("on", "at", "port", "moved to", "在")


def _is_count(word: Word) -> bool:
    """Whether a number counts something, or is the version of it."""
    neutral = word.lead in _NEUTRAL or concept(word.lead) in _ATTRIBUTES
    return bool(word.unit) or (word.lead.isascii() and word.lead.isalpha() and not neutral)
