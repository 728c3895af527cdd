"""Whether a sentence gives what an earlier one of its session said another value.

The two need not say it in the same words: it is enough that the newer one says that something is
different, or names the value that was, and that all it names the older names too. So it is sure
only beside the other sentences of the session: where two could be meant, none surely is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from redline.ledger import claim_cues as cues
from redline.ledger import claim_words as words
from redline.ledger import sketch_words as plain
from redline.ledger.claim_tokens import concept
from redline.ledger.claim_values import Value
from redline.ledger.sketch import Sketch, Word
from redline.ledger.swapping import APART

_LEADS = frozenset(
    """
    in on at to under into is are be as with from called named by it's that's now : = → against
    via through onto use using uses get gets 在 到 成 为 是 叫 用 走 放 于 找 归 给 从
    """.split()  # noqa: SIM905
) | {"moved to"}
_HAN_LEADS = frozenset("在到成为是叫用走放于找归给从写址径名号录单签")
_NAMES = frozenset(("path", "name", "ticket", "one of branch", "proper", "command"))
_NAMED_BY_VALUE = frozenset("indent theme currency license encoding branch level".split())  # noqa: SIM905
_COPULAS = frozenset(("is", "=", ":", "是", "it's", "为", "called", "named"))
_GENERIC = (
    words.GENERIC
    | {"module", "component", "单", "名", "号"}
    | {"size", "value", "team", "work", "folder", "path", "command", "version"}
)
_DIRECTED = frozenset("from to into between imports calls → -> 从 到 调用 依赖".split())  # noqa: SIM905
_INDENTS = ("spaces", "space", "tabs")
_NEUTRAL = _LEADS | {"port", "max", "min", "limit", "than", "", "it", "retry", "timeout"}
_WITH_PERSONS = frozenset(
    "by to with is are from ask asks ping contact cc notify : = owner review for the".split()  # noqa: SIM905
)
_CLOCK = re.compile(r"\d[:：]\d|[ap]m$|点", re.I)
_SCALE = 2000  # of two durations of one thing the longer is not so many times the shorter
_STEPS = frozenset(("commit", "merge", "push", "deploy", "pr", "release", "prs"))
_BOUNDS = frozenset(("min", "max"))
_ATTRIBUTES = (words.ATTRIBUTES | {"max", "min", "retention", "review", "owner"}) - {"limit"}
_IMPLIED = frozenset(
    (
        "max",
        "limit",
        "version",
        "deadline",
        "name",
        "path",
        "folder",
        "port",
        "url",
        "host",
        "domain",
    )
)


@dataclass(frozen=True, slots=True)
class Update:
    """What took the place of what, as written. `sure`: as far as the two sentences show; `named`:
    the newer one names the older value. `shared` is what both name."""

    older_value: str
    newer_value: str
    sure: bool
    named: bool
    shared: frozenset[str]


def update_of(old: Sketch, new: Sketch) -> Update | None:
    """What `new` gives `old` another value of, None where nothing shows that it does."""
    may = new.past or old.types & new.types or len(new.clauses) > 1
    if not may or new.adds or _told_apart(old, new):
        return None
    best: Update | None = None
    for before, after in _pairs(old, new):
        found = _judged(old, new, before, after)
        if found is not None and (
            best is None or (found.sure, found.named) > (best.sure, best.named)
        ):
            best = found
    return best


def _told_apart(old: Sketch, new: Sketch) -> bool:
    """Whether each has a word that tells its thing from another: read and write, old and new."""
    before, after = old.apart, new.apart
    if before - after <= plain.UNSAID and "old" not in before:
        return False
    said = after - before if "old" in before else after - before - plain.UNSAID
    values = {word.text.lower() for word in (*old.words, *new.words) if word.types}
    return bool(before - after - values and said - values)


def _pairs(old: Sketch, new: Sketch) -> Iterator[tuple[Word, Word]]:
    """Every value of `old` that may not hold any more, with one of its type in `new`. What `new`
    says is past was a value, whatever its type."""
    told = {word.key for word in old.words}
    come = [word for word in new.words if not word.past and word.key not in told]
    if not come:
        return
    holds = {word.key for word in new.words if not word.past}
    past = new.past
    for after in come:
        for before in old.words:
            if before.past or before.key == after.key:
                continue
            if before.key in holds and not _set_against(new, before, after):
                continue
            led = not (before.types and after.types) and _same_place(new, before, after)
            typed = before.types and after.types and _fits(before, after)
            said = before.key in past and before.key not in holds and not before.amount
            if typed or led or (said and not after.amount and len(come) == 1):
                yield before, after


def _same_place(new: Sketch, before: Word, after: Word) -> bool:
    """Whether `after` stands where the older value stood, which `new` names elsewhere."""
    return (
        before.amount is None
        and before.lead == after.lead
        and before.lead in _LEADS
        and new.ends(after)
        and _set_against(new, before, after)
    )


def _set_against(new: Sketch, before: Word, after: Word) -> bool:
    """Whether the older value stands in `new` apart from the newer one."""
    return any(word.key == before.key and word.clause != after.clause for word in new.words)


def _fits(before: Word, after: Word) -> bool:
    if before.amount is None or after.amount is None:
        return bool(before.types & after.types) and before.amount is after.amount
    if before.unit and after.unit and before.unit != after.unit:
        return False
    kinds = {before.amount.kind, after.amount.kind}
    if kinds == {"date"}:
        return _of_clock(before) == _of_clock(after)
    if kinds == {"number"}:
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
    return _CLOCK.search(word.text) is not None


def _is_place(word: Word) -> bool:
    """Whether a number says where something listens."""
    return word.lead in ("on", "at", "port", ":", "moved to", "在")


def _is_count(word: Word) -> bool:
    """Whether a number counts something, or is the version of it."""
    neutral = word.lead in _NEUTRAL or concept(word.lead) in _ATTRIBUTES | words.ATTRIBUTES
    return bool(word.unit) or (word.lead.isascii() and word.lead.isalpha() and not neutral)


def _judged(old: Sketch, new: Sketch, before: Word, after: Word) -> Update | None:
    named = any(
        word.key == before.key and (word.past or word.clause != after.clause) for word in new.words
    )
    if not named and not _is_value(before, after, old, new):
        return None
    rest = {word.key: word for word in old.words if word is not before}
    about = _about(new, after, before, set(rest))
    everything = {word.key for word in new.words}
    shared = set(rest) & everything
    left_old = set(rest) - everything
    left_new = about - set(rest)
    alike = before.types & after.types
    of_a_group = any(kind.startswith("one of") or kind == "language" for kind in alike)
    if not shared - _BOUNDS and not of_a_group and not ("proper" in alike and old.acts & new.acts):
        return None
    if before.amount and after.amount and before.amount.kind != after.amount.kind:
        versions = {before.amount.kind, after.amount.kind} == {"number", "version"}
        if not versions and not shared & _ATTRIBUTES - _BOUNDS:
            return None
    if not named and (
        (_done_by(after) and _used(old, before)) or (_done_by(before) and _used(new, after))
    ):
        return None
    if before.amount is not None and cues.opposed(old.bounds, new.bounds):
        return None
    if _BOUNDS & left_old and _BOUNDS & left_new:
        return None
    names_old = {key for key in left_old if rest[key].named}
    left_new -= {
        word.key
        for word in new.words
        if word.amount and word.end + 1 == after.start and after.text.lower() in _INDENTS
    }
    names_new = {word.key for word in new.words if word.key in left_new and word.named}
    if names_old and names_new:
        return None
    left_new -= _parts(before.text)
    left_new -= {kind.removeprefix("one of ") for kind in alike} & _NAMED_BY_VALUE
    whole = not left_old and not left_new
    if not shared - _BOUNDS and not whole and not (named and old.acts & new.acts):
        return None
    if not left_old - _GENERIC:
        left_old = set[str]()
        left_new -= _IMPLIED | _GENERIC
    if left_new and left_old:
        return None
    clause = new.clauses[after.clause]
    if clause.negated and before.amount is None and not named:
        return None
    if clause.negated != old.negated or _turned_around(old, new, shared):
        return None
    sure = not left_new and not names_new and not old.adds
    if sure and not named:
        other = left_old & (_ATTRIBUTES - _IMPLIED) and new.acts - old.acts
        sure = not other and not _of_another(old, shared, left_old)
    if sure and of_a_group and "one of branch" in before.types & after.types:
        sure = not left_old & _STEPS
    if sure and before.unit and before.unit not in everything and not named:
        sure = bool(shared & _ATTRIBUTES)
    if sure and not (named or new.strong):
        dated = before.amount is not None and before.amount.kind == "date"
        single = bool(shared & words.ATTRIBUTES) or before.types == {"switch"} or new.calls
        single = single or (whole and new.weak and (dated or of_a_group))
        single = single or (whole and _of_one(before, after, alike))
        of_one = whole and (not alike <= _NAMES or _of_one(before, after, alike))
        sure = (new.weak or of_one) and single and not left_old
    return Update(
        before.text.strip("`\"'"), after.text.strip("`\"'"), sure, named, frozenset(shared)
    )


def _done_by(word: Word) -> bool:
    return word.lead == "by" and "proper" in word.types


def _used(one: Sketch, word: Word) -> bool:
    """Whether a name at the end is what something uses or extends, and nobody who does it."""
    return one.ends(word) and "proper" in word.types and word.lead not in _WITH_PERSONS


def _of_another(old: Sketch, shared: set[str], left: set[str]) -> bool:
    """Whether what both name only tells more of what the older one is about: "deploys" is not the
    "deploy script", and what is "in Kafka" is not Kafka."""
    if not left - _ATTRIBUTES:
        return False
    found = [word for word in old.words if word.key in shared - _ATTRIBUTES]
    for word, following in pairwise(old.words):
        if (
            word.key in shared
            and following.key in left - _ATTRIBUTES - _GENERIC
            and not following.types
            and following.start - word.end <= 1
        ):
            return True
    return bool(found) and all(old.within(word) for word in found)


def _of_one(before: Word, after: Word, alike: frozenset[str]) -> bool:
    """Whether a thing has one such value, so that another one replaces it: an amount, what it is,
    the language somebody speaks."""
    if before.amount is not None:
        return before.amount.kind != "date" and not _is_place(before)
    return alike == {"language"} or (before.lead in _COPULAS and after.lead in _COPULAS)


def _turned_around(old: Sketch, new: Sketch, shared: set[str]) -> bool:
    """Whether both say from what to what, the other way round."""
    order = [[word for word in one.words if word.key in shared] for one in (old, new)]
    if not any(word.lead in _DIRECTED for word in order[0]):
        return False
    found = [list(dict.fromkeys(word.key for word in one)) for one in order]
    return found[0] != found[1] and any(word.lead in _DIRECTED for word in order[1])


def _is_value(before: Word, after: Word, old: Sketch, new: Sketch) -> bool:
    """Whether both stand where values do: a path or a name may be what is spoken of."""
    shared = before.types & after.types
    if shared == {"one of branch"}:
        alike = ("path" in before.types) == ("path" in after.types)
        return led(before) and led(after) and (alike or new.strong)
    if shared <= _NAMES and before.amount is None:
        if "ticket" in shared:
            return old.ends(before) and new.ends(after)
        return led(before) and (led(after) or new.calls)
    return not {before.text.lower(), after.text.lower()} & APART


def led(word: Word) -> bool:
    """Whether `word` stands where values do, by the word before it."""
    return word.lead in _LEADS or word.lead[-1:] in _HAN_LEADS


def _parts(text: str) -> set[str]:
    """The words in a path or a name."""
    return {concept(part) for part in re.findall(r"[a-z]+", text.lower())}


def _about(new: Sketch, after: Word, before: Word, told: set[str]) -> set[str]:
    """What `new` names in the clauses that say of what `after` is the value."""
    places = {after.clause}
    places |= {number for number, clause in enumerate(new.clauses) if clause.topic}
    own = {
        word.key
        for word in new.words
        if word.clause in places and word.key in told and word.key not in _ATTRIBUTES
    }
    if not own or new.clauses[after.clause].points:
        pointing = new.clauses[after.clause].points
        for number, clause in enumerate(new.clauses):
            has_old = any(word.key == before.key and word.clause == number for word in new.words)
            idle = clause.told and not any(
                word.types for word in new.words if word.clause == number
            )
            if (pointing and number < after.clause) or not (pointing or idle or has_old):
                places.add(number)
    return {
        word.key
        for word in new.words
        if word.clause in places and word is not after and not word.past and word.key != before.key
    }


def may_update(new: Sketch) -> bool:
    """Whether `new` can give anything another value: it gives one."""
    return bool(new.types or new.past)
