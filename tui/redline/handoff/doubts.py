"""Which later sentence may say an earlier one again, where nothing shows it for sure.

Both stay, the earlier one beside the newer. So a wrong guess costs a reader a glance, while a value
that holds no more and stands alone costs the next agent a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from redline.ledger.two_things import of_two_things

_RARE = 2  # sentences besides its own that a telling word may stand in
_LEAST_SHARE = 0.3  # of the telling words of the older one that one which tells a change has too
_MOST_SHARE = 0.6  # the same where it names nothing
_NEAR_SHARE = 0.5  # of those of the shorter one that any two have that give a value of one form
_CHANGE = re.compile(
    r"\b(?:now|moved?|changed?|switch\w*|instead|no longer|any ?more|got (?:pushed|moved|renamed)"
    r"|pushed|postponed|from (?:here|now) on|make (?:that|it)|went (?:over|to|from)|goes to|is gone"
    r"|are gone|lowered|raised|bumped|renamed|replac\w+|took over|hand(?:ed|s) over|on leave"
    r"|actually|correction|scratch that|should be|ours is|split|upgrad\w+|downgrad\w+|as of"
    r"|the other|after all)\b"
    r"|改|换|变成|变为|升到|升级|降到|减到|加到|调到|以后|还是|现在|不再|移到|搬到|推迟|提前|而不是",
    re.I,
)
_NAME = r"`[^`\n]+`|[\w.~-]*/[\w./~-]+|\b\w+_\w+|\b[A-Za-z]*[a-z][A-Z]\w*|#?\b\d[\w.,:%-]*"
_VALUE = re.compile(
    rf"{_NAME}|(?<=[\w,:;] )[A-Z][\w.-]+|[A-Za-z]\w*[.:-][\w.-]*\w|:\w+"
    r"|[A-Za-z][\w.:-]*(?=[^\x00-\x7f])|(?<=[^\x00-\x7f])[A-Za-z][\w.:-]*"
)
_NAMED = re.compile(_NAME)
_WORD = re.compile(r"[a-z][a-z'-]+|[\u3400-\u9fff]+")
_ENDING = re.compile(r"(?:'s|ing|ed|es|s|d|e)$")
_SMALL = frozenset(
    """
    the and for with from that this then than are was were has have had its it's our your their
    my you we they she her his him not but into onto over under about after before again also
    just only all any each every some more most less via per out off too very use using used can
    could should would will shall may might must need needs want wants get gets got let lets
    make makes made put puts set sets keep keeps take takes give gives one two there here where
    when what who which how why now please new old other thing things last week today is be been
    being do does did go goes gone going went in on at to of by as an or so if no we're it is
    i'm that's
    """.split()  # noqa: SIM905
)


def doubts(texts: Sequence[str]) -> dict[int, int]:
    """By the place of a newer sentence of `texts` (in the order they were said) that of the older
    one it may say again with another value."""
    words = [_telling(text) for text in texts]
    by_word: dict[str, list[int]] = {}
    for place, telling in enumerate(words):
        for word in telling:
            by_word.setdefault(word, []).append(place)
    found: dict[int, int] = {}
    taken: set[int] = set()
    for newer, text in enumerate(texts):
        values, changes = _values(text), _CHANGE.search(text) is not None
        if not values and not changes:
            continue
        shared: dict[int, int] = {}
        for word in words[newer]:
            places = by_word[word]
            if len(places) <= _RARE + 1:
                for place in places:
                    if place < newer and place not in taken:
                        shared[place] = shared.get(place, 0) + 1
        near: dict[int, float] = {}
        for place, count in shared.items():
            if not changes and of_two_things(texts[place], text):
                continue
            before = _values(texts[place])
            other = set(values) - set(before)
            share = count / max(1, len(words[place]))
            least = min(len(words[place]), len(words[newer]))
            if changes and not values:
                meant = share >= _MOST_SHARE
            elif changes:
                meant = bool(other) and (share >= _LEAST_SHARE or count >= _NEAR_SHARE * least)
            else:
                meant = count >= _NEAR_SHARE * least and _of_one_form(before, values)
            if meant:
                near[place] = share
        if near:
            older = max(near, key=lambda place: (near[place], place))
            found[newer] = older
            taken.add(older)
    return found


def _telling(text: str) -> frozenset[str]:
    """The words of a sentence that tell what it is about; of Chinese its pairs of characters."""
    found: set[str] = set()
    for word in _WORD.findall(_NAMED.sub(" ", text).lower()):
        if word[0] >= "\u3400":
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        elif word not in _SMALL:
            found.add(_ENDING.sub("", word) if len(word) > 4 else word)
    return frozenset(found)


def _values(text: str) -> dict[str, str]:
    """What a sentence names, each with its form."""
    return {value: _form(value) for value in _VALUE.findall(text)}


def _form(value: str) -> str:
    if "/" in value:
        return "path"
    if value.lstrip("#")[:1].isdigit():
        return "number"
    return "name"


def _of_one_form(older: dict[str, str], newer: dict[str, str]) -> bool:
    """Whether each has a value the other has not, both of one form."""
    gone = {form for value, form in older.items() if value not in newer}
    come = {form for value, form in newer.items() if value not in older}
    return bool(gone & come)
