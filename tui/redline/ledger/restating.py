"""Whether two statements say the same thing, the newer one perhaps with another value.

"The staging DB is on port 5433" and "no wait, staging database moved to 5434" are of the port of
one database. What is not surely so is not: statements whose words name different things, or that
may both hold, are never merged. A wrong merge loses what a person said; a missed one only shows it
twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from redline.ledger import claim_cues as cues
from redline.ledger import claim_words as words
from redline.ledger.likeness import ENOUGH, likeness
from redline.ledger.sketch import Sketch
from redline.ledger.subject import Agreement, agreement
from redline.ledger.two_things import only_once, told_apart
from redline.patterns import lazy

# Where nothing but the wording differs: so many things both name, so many only one of them.
_LEAST, _MOST = 2, 4
# Words that turn what is asked around, or limit it, though they name nothing.
_LIMITING = lazy(
    r"\b(?:out(?:side)? of|outside|without|except|(?:everything|anything|nothing|all) but|only"
    r"|unless)\b|除了|只|仅|以外|之外"
)


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


@lru_cache(maxsize=8192)
def sketch(text: str) -> Sketch:
    """`text`, one sentence, as read."""
    return Sketch(text)


def restates(older: str, newer: str) -> Restated | None:
    """Whether `newer` says the same thing as `older` again, perhaps with another value; both are
    one sentence each. None where it does not."""
    if older == newer:
        return Restated()
    old, new = sketch(older), sketch(newer)
    found = reworded(old, new) or told(update(old, new))
    if found is None and (alike := likely(old, new)) is not None:
        return alike[1]
    return found


def told(found: Agreement | None) -> Restated | None:
    """An agreement as what it makes of the newer sentence."""
    return None if found is None else Restated(found.older_value, found.newer_value, found.sure)


def update(old: Sketch, new: Sketch) -> Agreement | None:
    """What `new` gives another value of, None where no rule shows it."""
    if only_once(old.text, new.text) or told_apart(old.text, new.text):
        return None
    return agreement(old, new)


def likely(old: Sketch, new: Sketch) -> tuple[float, Restated] | None:
    """How probable it is that `new` gives another value, and what it is then, which is never sure.
    None where it is not probable enough."""
    if only_once(old.text, new.text) or told_apart(old.text, new.text):
        return None
    shown = agreement(old, new)
    if shown is not None:
        return 1.0, Restated(shown.older_value, shown.newer_value, sure=False)
    found = likeness(old, new)
    if found is None or found.probability < ENOUGH:
        return None
    return found.probability, Restated(found.older_value, found.newer_value, sure=False)


def reworded(old: Sketch, new: Sketch) -> Restated | None:
    """Whether `new` says just what `old` says, or, not surely, that it is not so."""
    if len(old.names & new.names) < _LEAST or len(old.names ^ new.names) > _MOST:
        return None
    if old.adds or new.adds or new.past:
        return None
    if _LIMITING.findall(old.text.lower()) != _LIMITING.findall(new.text.lower()):
        return None
    if words.DIRECTIONAL & (old.keys | new.keys) and _in_order(old) != _in_order(new):
        return None
    gone, come = old.names - new.keys, new.names - old.keys
    amounts = any(word.amount for word in new.words)
    if (gone or come) and not (amounts and not (gone and come)):
        return None
    if (gone | come) - words.ATTRIBUTES:
        return None
    if cues.opposed(old.bounds, new.bounds) or (old.acts != new.acts and not amounts):
        return None
    if old.negated == new.negated:
        return Restated()
    said = cues.stance(old.text), cues.stance(new.text)
    return Restated(*said, sure=False) if said[0] != said[1] else None


def _in_order(one: Sketch) -> tuple[str, ...]:
    """What it names, in order."""
    return tuple(word.key for word in one.words if not word.amount)
