"""Whether two sentences speak of one thing, of which the newer one gives another value.

What both name is the subject. What only one of them names, beside the values, tells whether it is
another: two names, two words before the same noun, two things behind the same word are of two
things, whatever else is shared. What only one of them has at all does not: people leave out what is
known, and tell why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from redline.ledger import claim_cues as cues
from redline.ledger import claim_words as words
from redline.ledger.claim_tokens import concept
from redline.ledger.placing import NEVER_LEAD as _OF
from redline.ledger.placing import is_said, led, left_behind, pairs
from redline.ledger.qualifying import parts_of, telling, telling_behind
from redline.ledger.sketch import Sketch, Word
from redline.ledger.two_things import others_begin
from redline.patterns import lazy

_DONE = lazy(r"\b(?:approv|review|sign|check)ed(?! by\b)", re.I)  # once, and no office
_MARKS = "`\"'"
# What may go unsaid, or be said of any value.
_META = (
    words.GENERIC
    | {
        "goal",
        "plan",
        "target",
        "value",
        "name",
        "path",
        "folder",
        "limit",
        "max",
        "min",
        "default",
    }
    | {"owner", "version", "retention", "deadline", "size", "level", "number"}
)
_ATTRIBUTES = words.ATTRIBUTES - _META
_LITTLE = _META | _ATTRIBUTES
_MEASURES = (_ATTRIBUTES | {"limit", "size", "retention"}) - {"max", "min"}
_SORTS = frozenset(("default", "max", "min"))
_NAMES = frozenset(("path", "name", "ticket", "proper", "constant", "host", "one of branch"))
_PEOPLE = frozenset(("i", "we", "they", "he", "she", "you", "we've", "i've", "they've", "got"))
# Of a name that begins a sentence these say that it is a value: "jest for the tests".
_FIRST = frozenset(("for", "as", "is", "are", "it", "everywhere", "instead", "replaces", "only"))
_ENOUGH, _HALF, _THIRD = 0.6, 0.5, 0.3  # of the subject of one that both name
# Of so many words of the shorter sentence both name at least this share, or are not compared.
_LONG, _LITTLE_SHARED = 4, 0.2


@dataclass(frozen=True, slots=True)
class Agreement:
    """What took the place of what, as written. `sure`: as far as the two sentences show. `named`:
    the newer one names what was. `share`: how much of the older subject it names; `shared` is what
    both name."""

    older_value: str
    newer_value: str
    sure: bool
    named: bool
    share: float
    shared: frozenset[str]


def agreement(old: Sketch, new: Sketch) -> Agreement | None:
    """What `new` gives the thing that `old` speaks of another value of, None where nothing shows
    that it does."""
    both = len((old.names & new.keys) | (new.names & old.keys))
    least = min(len(old.names), len(new.names))
    if (least >= _LONG and both < _LITTLE_SHARED * least) or (new.adds and not new.past):
        return None
    best: Agreement | None = None
    for before, after in pairs(old, new):
        found = _Case(old, new, before, after).judged()
        if found is not None and (best is None or _rank(found) > _rank(best)):
            best = found
    return best


def _rank(one: Agreement) -> tuple[bool, bool, float]:
    return one.sure, one.named, one.share


class _Case:
    """Two sentences, of which the one may have said `before` of what the other says `after` of."""

    def __init__(self, old: Sketch, new: Sketch, before: Word, after: Word) -> None:
        self.old, self.new, self.before, self.after = old, new, before, after
        self.alike = before.types & after.types
        self.named = any(
            word.key == before.key and left_behind(word, after, before, old, new)
            for word in new.words
        )
        values = {before.key, after.key}
        mine = {word.key for word in old.words if not _within(word, before)}
        theirs = {word.key for word in new.words if not _within(word, after) and not word.past}
        self.mine = mine | (new.names & old.keys - values)
        self.theirs = (theirs | (mine & new.keys - new.past)) - values
        self.shared = self.mine & self.theirs
        self.special = {
            key for key in self.shared - _LITTLE if key not in (before.unit, after.unit)
        }
        self.cue = new.strong or self.named

    # -- what only one of them names --------------------------------------------------------------

    @cached_property
    def old_rest(self) -> list[Word]:
        """What only the older one names of the thing."""
        return [
            word
            for word in self.old.words
            if word.key not in self.theirs
            and not _within(word, self.before)
            and not word.past
            and self._tells(word, self.old, self.before)
        ]

    @cached_property
    def new_rest(self) -> list[Word]:
        """What only the newer one names of the thing, but for what is in the older value."""
        known = self.mine | parts_of(self.before) | {self.before.key}
        return [
            word
            for word in self.new.words
            if word.key not in known
            and not _within(word, self.after)
            and not word.past
            and self._tells(word, self.new, self.after)
        ]

    def _tells(self, word: Word, one: Sketch, value: Word) -> bool:
        """Whether it stands in a clause that speaks of the thing, and not of why."""
        if word.lead in _PEOPLE:
            return False  # what they do
        if self.before.amount is None:
            if word.amount and word.amount.kind == "date":
                return False  # since when
            if word.key in _LITTLE and 0 <= word.start - value.end <= 1:
                return False  # what the value is
        if word.clause == value.clause or one.clauses[word.clause].topic:
            return True
        bare = all(_within(w, value) for w in one.words if w.clause == value.clause)
        if (bare or one.clauses[value.clause].points) and word.clause < value.clause:
            return True
        inside = {other.key for other in one.words if other.clause == word.clause}
        return self.before.key not in inside and not inside.isdisjoint(self.special)

    # -- the judgement ----------------------------------------------------------------------------

    def judged(self) -> Agreement | None:
        if not self._may() or self._is_subject() or self._two_things():
            return None
        left_old = [word for word in self.old_rest if word.key not in _META and not word.amount]
        left_new = [word for word in self.new_rest if word.key not in _META]
        if self._in_two_languages and (left_old or self.new_rest) and not self.named:
            return None
        if not self.shared:
            return self._of_one_class(left_old, left_new)
        if left_old and left_new and not self.named and not self._surely_near(left_new):
            return None
        share, least = self._shares()
        if least < (_THIRD if self.named else _HALF if self.cue else _ENOUGH):
            return None
        if not self.cue:
            named = self.before.amount is None and not self._of_group
            more = any(map(self._tells_which, left_new))
            if share < _ENOUGH or more or (named and (left_old or left_new)):
                return None
        return self._made(self._sure(left_old, left_new), share)

    def _made(self, sure: bool, share: float) -> Agreement:
        said = self.before.text.strip(_MARKS), self.after.text.strip(_MARKS)
        return Agreement(*said, sure, self.named, share, frozenset(self.shared))

    def _sure(self, left_old: list[Word], left_new: list[Word]) -> bool:
        whole = not left_old and not left_new
        of_a_part = any(
            word.amount and word.key not in self.new.keys and word is not self.before
            for word in self.old.words
        )
        if of_a_part or (self.old.negated != self._denies and not self.named):
            return False
        more = [word for word in left_new if self._qualifies(word)]
        if self.named:
            about = self.special or self._of_group or self.shared & _ATTRIBUTES or whole
            return bool((self.alike or whole) and about) and not (left_old and more)
        if self.cue:
            if "person" in self.alike and (left_new or self._other_acts):
                return False
            if more or (left_old and self.new_rest) or any(map(_is_name, left_old)):
                return False
            return bool(self.special) or whole or (not left_new and len(left_old) < 2)
        return whole and self._single

    def _shares(self) -> tuple[float, float]:
        """How much of the older subject the newer one names, and of the one that says less."""
        weights = {word.key: _weight(word) for word in (*self.new.words, *self.old.words)}
        both = sum(weights[key] for key in self.shared)
        mine = both + sum(_weight(word) for word in self.old_rest if not word.amount)
        theirs = both + sum(map(_weight, self.new_rest))
        return both / max(mine, 0.1), both / max(min(mine, theirs), 0.1)

    def _surely_near(self, left_new: list[Word]) -> bool:
        """Whether enough is shared that each may have words of its own."""
        if not self.cue:
            return False
        subject = [word for word in self.old.words if word.key in self.shared]
        if any(map(_is_name, subject)) and not any(map(_is_name, left_new)):
            return True
        return self.before.amount is not None and len(self.special - self._before_others) > 1

    @cached_property
    def _before_others(self) -> set[str]:
        """What both name that in both only tells of what kind something else is."""
        found = []
        for one, rest in ((self.old, self.old_rest), (self.new, self.new_rest)):
            keys = {word.key for word in rest} - _ATTRIBUTES
            found.append({before for before, noun in telling(one) if noun.key in keys})
        return found[0] & found[1]

    def _of_one_class(self, left_old: list[Word], left_new: list[Word]) -> Agreement | None:
        """Where nothing else is named: "use tabs", "no tabs, use spaces"."""
        acts = self.old.acts & self.new.acts
        rest = [word for word in (*left_old, *left_new) if word.key not in self._classes]
        if not self._of_group and not (acts and self.new.strong and self.alike):
            return None
        if self._other_acts and not self.named:
            return None
        shown = self.named or self.new.strong or bool(acts) or "language" in self.alike
        gone = self.before.key in self.new.past
        if ((left_old if self.named else rest) and not gone) or not (shown or self.new.weak):
            return None
        return self._made(shown and not rest, _HALF)

    @property
    def _in_two_languages(self) -> bool:
        return self.old.clean.isascii() != self.new.clean.isascii()

    # -- the values -------------------------------------------------------------------------------

    @cached_property
    def _of_group(self) -> bool:
        """Whether the values are of a closed class, which tells of what they are values."""
        return any(kind.startswith("one of") or kind in ("language", "mask") for kind in self.alike)

    @cached_property
    def _classes(self) -> frozenset[str]:
        """What the closed class is called that both values are of."""
        return frozenset(concept(kind.removeprefix("one of ")) for kind in self.alike)

    @property
    def _of_names(self) -> bool:
        return self.before.amount is None and self.alike <= _NAMES

    @property
    def _denies(self) -> bool:
        return self.new.clauses[self.after.clause].negated

    @property
    def _other_acts(self) -> bool:
        acts = self.old.acts, self.new.acts
        return bool(acts[0] and acts[1]) and acts[0].isdisjoint(acts[1])

    @property
    def _single(self) -> bool:
        """Whether a thing has one such value only."""
        if self.before.amount is not None:
            return self.before.amount.kind != "date" or self.new.weak
        if self.before.types == {"switch"} or self.alike == {"language"}:
            return True
        if "person" in self.alike and self.shared & {"owner", "review"}:
            return _DONE.search(self.old.text) is None
        return bool(self.shared & words.ATTRIBUTES) or (self._of_group and self.new.weak)

    def _may(self) -> bool:
        """Whether what is shared can be a subject, and the values can be values of it."""
        if not self.special and self.shared and self._other_acts and not self.named:
            return False
        if not self.special and not self._of_group:
            rest = self.new_rest if self.cue else (*self.old_rest, *self.new_rest)
            acts = self.old.acts & self.new.acts
            if self.named and self.shared & _ATTRIBUTES:
                return True
            if {word.key for word in rest} - _META or not (self.shared or acts):
                return False
        if self.named or self.before.amount is not None:
            return True
        if cues.negated(self.old.clean) or self._denies or self._done_by():
            return False
        if not self._of_names:
            return True
        if self.before.lead in _OF and self.shared and "off of" not in self.old.clean:
            return False
        if not self.alike:
            return self.new.strong or self.new.weak or is_said(self.before)
        at_end = led(self.after) or self.new.calls
        at_end = at_end or (self.new.strong and self.new.ends(self.after))
        return (led(self.before) or self._by_its_noun(self.old, self.before)) and (
            at_end or self._by_its_noun(self.new, self.after)
        )

    def _done_by(self) -> bool:
        """Whether one is who does it, and the other what it is done with."""
        for one, who, other in (
            (self.old, self.after, self.before),
            (self.new, self.before, self.after),
        ):
            if who.lead == "by" and other.lead != "by" and not is_said(other) and one.ends(other):
                return True
        return False

    def _by_its_noun(self, one: Sketch, value: Word) -> bool:
        """Whether a name stands beside the noun that says what it is the name of."""
        if self.alike == {"proper"} or len(value.text) == 1:
            return False
        following = one.clean[value.end :].split(maxsplit=1)
        after = concept(following[0].strip(",.;:").lower()) if following else ""
        before = concept(value.lead)
        nouns = _LITTLE | self._classes
        return after in nouns or (one.ends(value) and before in nouns - _META)

    def _is_subject(self) -> bool:
        """Whether the older value is what is spoken of, and not what is said of it."""
        if self.named or self.before.amount is not None or self.alike & {"person", "switch"}:
            return False
        if self.before.text[:1] >= "\u3400":
            return False
        if self._of_group and self.before.lead in ("in", "the") and self._has_other_value():
            return True
        for one, value in ((self.old, self.before), (self.new, self.after)):
            following = next((word for word in one.words if word.start >= value.end), None)
            if following is None or following.start - value.end > 1:
                continue
            kind = following.key in _LITTLE and self.alike != {"proper"}
            if following.key in self.shared - self._classes and not kind:
                return True
        if self.old.clean[: self.before.start].strip(" `\"'"):
            return False
        rest = self.old.clean[self.before.end :].split(maxsplit=1)
        return not (rest and rest[0].strip(",:").lower() in _FIRST)

    def _has_other_value(self) -> bool:
        """Whether the older sentence says something else of a closed class, which holds in what
        this one names: "single quotes in TypeScript"."""
        return any(
            kind.startswith("one of") and kind not in self.alike
            for word in self.old.words
            for kind in word.types
        )

    # -- two things -------------------------------------------------------------------------------

    def _two_things(self) -> bool:
        """Whether each sentence has what tells its thing from the other's."""
        if any(map(_is_name, self.old_rest)) and any(map(_is_name, self.new_rest)):
            return True
        apart = (
            self.old.apart - self.new.apart - {self.before.text.lower()},
            self.new.apart - self.old.apart - {self.after.text.lower()},
        )
        sorts = _SORTS & self.mine - self.new.keys, _SORTS & self.theirs - self.old.keys
        attributes = tuple(
            {word.key for word in rest} & _ATTRIBUTES for rest in (self.old_rest, self.new_rest)
        )
        if others_begin(self.old.clean, self.new.clean, {self.before.text, self.after.text}):
            return True
        if all(apart) or all(sorts) or all(attributes) or self._called_after():
            return True
        if self.before.amount is not None and self._other_measure(any(attributes)):
            return True
        mine = set(self._telling(self.old, self.old_rest, self.new))
        theirs = set(self._telling(self.new, self.new_rest, self.old))
        return not {head for head, _ in mine}.isdisjoint(head for head, _ in theirs)

    def _called_after(self) -> bool:
        """Whether a value is called after what it is the value of: the US bucket is shop-us."""
        own = parts_of(self.before), parts_of(self.after)
        return any(word.key in own[0] - own[1] for word in self.old_rest) or any(
            word.key in own[1] - own[0] for word in self.new_rest
        )

    def _other_measure(self, attributes: bool) -> bool:
        """Whether two amounts measure two things: its start and its end, a least and a most."""
        if cues.opposed(self.old.bounds, self.new.bounds):
            return True
        assert self.before.amount is not None
        assert self.after.amount is not None
        kinds = {self.before.amount.kind, self.after.amount.kind}
        counted = kinds == {"number"} and (
            bool(self.before.unit) != bool(self.after.unit)
            or any(self.before.text.endswith(x) != self.after.text.endswith(x) for x in "个次台")
        )
        if len(kinds) > 1 and kinds != {"number", "version"} and not self.shared & _MEASURES:
            return True
        return attributes and (len(kinds) > 1 or counted)

    def _telling(self, one: Sketch, rest: list[Word], other: Sketch) -> Iterator[tuple[str, str]]:
        """What tells the thing of one of them from others of its kind: the noun that both have with
        what stands before it, a word like "for" with what stands behind it; "" for any."""
        values = {self.before.key, self.after.key} | other.keys
        for before, noun in telling(one):
            if noun.key in self.shared and before not in values:
                yield noun.key, before
                yield "", before
        for word in rest:
            for lead in telling_behind(one, word):
                if word.key not in values:
                    yield lead, word.key

    def _qualifies(self, word: Word) -> bool:
        """Whether a word that only the newer one has may tell of which thing it is."""
        return word.end < self.after.start or self._tells_which(word)

    def _tells_which(self, word: Word) -> bool:
        """Whether it surely does."""
        if _is_name(word) or "" in telling_behind(self.new, word):
            return True
        return any(
            word.key == before and noun.key in self.shared for before, noun in telling(self.new)
        )


def _weight(word: Word) -> float:
    if word.key in _LITTLE:
        return 0.3 if word.key in _META else 0.6
    if word.text[:1] >= "\u3400":
        return 0.5 * len(word.text)
    return 1.5 if word.named else 1.0


def _within(word: Word, value: Word) -> bool:
    return value.start <= word.start < value.end


def _is_name(word: Word) -> bool:
    return word.named or word.key in words.ENVIRONMENTS
