"""Two statements that differ in one thing, in a place where only one of its kind can be.

"Mail goes through Postmark", "mail goes through Mailgun now": all that they name is the same but
what stands at the end behind "through", and the newer one says that something is different.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from redline.ledger import claim_cues as cues
from redline.ledger import claim_words as words
from redline.ledger.claim_tokens import NAMES, VALUES, Token, concept

_LONGEST = 3  # words of what was swapped
_LEADS = frozenset(
    """
    in on by with through under against via as to at off into onto from using behind
    """.split()  # noqa: SIM905
)
_HAN_LEADS = frozenset(
    "用 找 走 到 成 归 让 改用 换成 改成 使用 采用 改走 改为 换到 改到".split()  # noqa: SIM905
)
# Where the thing is done in one way only, "now" says that it is another one.
_ONE_WAY = re.compile(
    r"\b(?:go(?:es)?|managed?|manages|hosted|built|builds?|generated?|generates|sent|sends?|written"
    r"|stored?|stores|served?|based|deploy(?:ed|s)?|drawn|rendered|formatted|format|sort(?:ed)?"
    r"|returned"
    r"|tracked|monitored|published|branch|merged?|run(?:s)? (?:under|with|through|in)|signed?"
    r"|handled"
    r"|shipped|translated|compiled?|tested|kept)\b",
    re.I,
)
# Words that tell two things of a kind apart: never what a thing was changed to.
APART = (
    frozenset(
        """
    first second third last next previous left right old new inner outer upper lower top bottom
    min max minimum maximum daily weekly monthly yearly hard soft primary secondary input output
    read write public private internal external source destination local remote mobile web desktop
    ios android windows linux macos mac client server frontend backend user admin guest
    """.split()  # noqa: SIM905
    )
    | words.ENVIRONMENTS
)


@dataclass(frozen=True, slots=True)
class Slot:
    """One word of a sentence that names something, and the word before it."""

    key: str
    kind: str
    text: str
    lead: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Slots:
    """The words of a sentence that name something, in order, without what it says is past."""

    text: str
    slots: tuple[Slot, ...]
    past: frozenset[str]
    keys: frozenset[str]


def slots(text: str, found: Sequence[Token], past: Sequence[tuple[int, int]]) -> Slots:
    """The slots of `text`; `past` are the places of what it says is past."""
    kept: list[Slot] = []
    gone: set[str] = set()
    lead = ""
    for token in found:
        if any(start <= token.start and token.end <= end for start, end in past):
            if token.kind != "mark":
                gone.add(token.key)
            continue
        if token.kind not in ("mark", "soft") and (token.key not in _SOFT or token.kind in NAMES):
            kept.append(Slot(token.key, token.kind, token.text, lead, token.start, token.end))
        lead = token.text.lower() if token.kind != "mark" else lead
    return Slots(text, tuple(kept), frozenset(gone), frozenset(slot.key for slot in kept))


_SOFT = (
    words.SOFT
    | {
        concept(word)
        for word in """
        handle handles handled manage managed manages go goes through send sends sent serve served
        generate generated return returned found done happen happens write written store stored host
        hosted render rendered draw drawn
    """.split()  # noqa: SIM905
    }
    | {"handl", "serv"}
)


def swapped(
    old: Slots, new: Slots, *, changed: bool, said: bool = False
) -> tuple[str, str, bool] | None:
    """What was swapped for what in `new`, and whether that is sure; None where nothing was. `said`:
    it is known already that `new` says that something is different."""
    gone, come = _apart(old, new), _apart(new, old)
    if not (gone and come and len(old.keys & new.keys) > 0):
        return None
    if max(len(gone), len(come)) > _LONGEST or any(map(_tells_apart, (*gone, *come))):
        return None
    named = bool(new.past & {slot.key for slot in gone})
    if new.past and not named:
        return None
    if not named:
        if not _ends(old, gone) or not _ends(new, come) or not _fits(gone, come):
            return None
        if said and (gone[0].lead != come[0].lead or come[0].lead in ("off", "on")):
            return None
        if not said and not _says_so(old, new, come[0].lead, changed=changed):
            return None
    denied = cues.negated(_without(old, gone)), cues.negated(_without(new, come))
    if denied[0] != denied[1] or (denied[0] and not named):
        return None  # what may not be done to one thing may be done to another
    sure = named or not any(slot.kind in NAMES for slot in (*gone, *come)) or come[0].lead == "as"
    return _shown(old, gone), _shown(new, come), sure


def _apart(one: Slots, other: Slots) -> tuple[Slot, ...]:
    """What only one of them names, where it is in one place."""
    places = [at for at, slot in enumerate(one.slots) if slot.key not in other.keys]
    if not places or places[-1] - places[0] + 1 != len(places):
        return ()
    return one.slots[places[0] : places[-1] + 1]


def _tells_apart(slot: Slot) -> bool:
    attribute = slot.key in words.ATTRIBUTES and slot.lead not in ("by", "as")
    return slot.kind in VALUES or slot.key in APART or attribute


def _ends(whole: Slots, part: Sequence[Slot]) -> bool:
    lead = part[0].lead
    return whole.slots[-1] == part[-1] and (lead in _LEADS or lead in _HAN_LEADS)


def _fits(gone: Sequence[Slot], come: Sequence[Slot]) -> bool:
    """Whether both are written as the same kind of thing: words, or names of files."""
    return _path(gone) == _path(come)


def _path(part: Sequence[Slot]) -> bool:
    return any(slot.kind in ("path", "url") and "/" in slot.text for slot in part)


def _says_so(old: Slots, new: Slots, lead: str, *, changed: bool) -> bool:
    if cues.STRONG.search(new.text):
        return True
    if lead == "as" and _ONE_WAY.search(old.text) and _ONE_WAY.search(new.text):
        return True
    imperative = cues.IMPERATIVE.search(old.text) or cues.IMPERATIVE.search(new.text)
    return changed and not imperative and lead != "on" and _ONE_WAY.search(new.text) is not None


def _without(whole: Slots, part: Sequence[Slot]) -> str:
    return whole.text[: part[0].start] + " " + whole.text[part[-1].end :]


def _shown(whole: Slots, part: Sequence[Slot]) -> str:
    return whole.text[part[0].start : part[-1].end].strip("`\"' ")
