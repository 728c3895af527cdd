"""Which words of two sentences may be the older value and the newer one, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from redline.ledger import claim_cues as cues
from redline.ledger.placing import NEVER_LEAD, led, pairs
from redline.ledger.sketch import Sketch, Word
from redline.patterns import lazy

Values = tuple[Word, Word] | None

_MOST = 16  # of two sentences
_LONG = 4  # words of a value
_DETERMINING = lazy(r"^(?:the|an?|our|my|your|each|every|all) $", re.I)
_NAMES = frozenset(("name", "path", "constant", "host", "ticket", "region"))


def likely_values(old: Sketch, new: Sketch) -> Iterator[Values]:
    """The values that may be meant; None where one sentence says not to do what the other does.
    Never two names of which all that is said is the same: they are two things."""
    if _of_two_kinds(old, new):
        return
    yield from islice(_pairs(old, new), _MOST)
    if old.negated != new.negated:
        yield None


def _pairs(old: Sketch, new: Sketch) -> Iterator[tuple[Word, Word]]:
    seen: set[tuple[int, int, int, int]] = set()
    bans = cues.negated(old.clean) and cues.negated(new.clean)
    others, amounts = _others_begin(old, new), _other_amounts(old, new)
    named = _own_names(old, new), _own_names(new, old)
    apart = old.apart - new.apart, new.apart - old.apart
    for before, after in (*_by_place(old, new), *pairs(old, new)):
        place = before.start, before.end, after.start, after.end
        if place in seen or (before.amount is None and (bans or amounts)):
            continue
        seen.add(place)
        if others and before.start != old.words[0].start and after.start != new.words[0].start:
            continue
        if _beside(named[0], before) and _beside(named[1], after):
            continue
        if apart[0] - {before.text.lower()} and apart[1] - {after.text.lower()}:
            continue
        if before.amount is not None or not _are_things(old, before, new, after):
            yield before, after


def _of_two_kinds(old: Sketch, new: Sketch) -> bool:
    """Whether both begin with another word before the same noun: "PDF export", "CSV export"."""
    if len(old.words) < 2 or len(new.words) < 2:
        return False
    (mine, noun), (theirs, other) = old.words[:2], new.words[:2]
    if noun.key != other.key or mine.key == theirs.key or mine.amount or theirs.amount:
        return False
    return all(
        second.start - first.end <= 1 and not _before(one, first)
        for one, first, second in ((old, mine, noun), (new, theirs, other))
    )


def _others_begin(old: Sketch, new: Sketch) -> bool:
    """Whether each begins with a word that the other has not, as one of another thing does."""
    if not (old.words and new.words):
        return False
    return all(
        one.words[0].key not in other.keys and not _before(one, one.words[0])
        for one, other in ((old, new), (new, old))
    )


def _other_amounts(old: Sketch, new: Sketch) -> bool:
    """Whether an amount is another too: then they are of two things, or it is the value."""
    return any(
        before.amount and after.amount and before.amount.kind == after.amount.kind
        for before in old.words
        for after in new.words
        if before.key not in new.names and after.key not in old.names
    )


def _before(one: Sketch, word: Word) -> str:
    return _DETERMINING.sub("", one.clean[: word.start]).strip(" `\"'")


def _own_names(one: Sketch, other: Sketch) -> list[Word]:
    """The names that only `one` has, and its own words behind one like "for"."""
    return [
        word
        for word in one.words
        if word.key not in other.keys
        and word.amount is None
        and not word.past
        and (word.named or word.lead in NEVER_LEAD)
    ]


def _beside(names: list[Word], value: Word) -> bool:
    """Whether one of `names` is not in `value`."""
    return any(not value.start <= name.start < value.end for name in names)


def _are_things(old: Sketch, before: Word, new: Sketch, after: Word) -> bool:
    """Whether both are what is spoken of: "the timeout of billing", or two names of which the same
    is said."""
    if before.lead in NEVER_LEAD and after.lead in NEVER_LEAD:
        return True
    alike = before.types & after.types
    if not alike or not alike <= _NAMES or (new.strong and not old.strong):
        return False
    return _around(old, before) == _around(new, after)


def _around(one: Sketch, value: Word) -> str:
    """What is said beside `value`."""
    return f"{one.clean[: value.start]}_{one.clean[value.end :]}".lower().strip(" .。")


def _by_place(old: Sketch, new: Sketch) -> Iterator[tuple[Word, Word]]:
    """Words that only one of them has, of one type or of none."""
    mine, theirs = _runs(old, new), _runs(new, old)
    for before in mine:
        for after in theirs:
            was, now = before.amount, after.amount
            if (was is None and now is None) or (was and now and was.fits(now)):
                yield before, after


def _runs(one: Sketch, other: Sketch) -> list[Word]:
    """Runs of words that only `one` has, each as one word, and its names and amounts."""
    found: list[Word] = []
    run: list[Word] = []
    for word in (*one.words, None):
        own = word is not None and word.key not in other.keys and not word.past
        if own and word is not None and run and _goes_on(one, run[-1], word):
            run.append(word)
            continue
        if run:
            found += [word for word in run[:-1] if word.types]
            found.append(_joined(one, run))
        run = [word] if own and word is not None else []
    return found


def _goes_on(one: Sketch, last: Word, word: Word) -> bool:
    gap = one.clean[last.end : word.start]
    if last.amount or word.amount or last.clause != word.clause or led(word):
        return False
    return not gap.strip(" -") and (bool(gap) or last.end == word.start)


def _joined(one: Sketch, run: list[Word]) -> Word:
    """A run of words as one; of a long one its last."""
    text = one.clean[run[0].start : run[-1].end]
    if len(run) == 1 or not text:
        return run[-1]
    if len(run) > (2 * _LONG if text[0] >= "\u3400" else _LONG):
        return run[-1]
    types = frozenset(kind for word in run for kind in word.types)
    return replace(run[0], key=text.lower(), text=text, end=run[-1].end, types=types)
