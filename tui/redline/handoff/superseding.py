"""A handoff in which what was said anew later holds, everywhere in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from redline.handoff.handoff import Handoff, UserWords
from redline.handoff.json_form import shortened
from redline.handoff.spoken import STOPS, Spoken, apart, bare, current

_QUOTED = 160  # characters of a sentence that is named as superseded


def brought_up(
    handoff: Handoff, said: Sequence[Spoken], own: int
) -> tuple[Handoff, tuple[Spoken, ...], int]:
    """`handoff`, `said` (first its rules, one for one) and how many of the last user words are of
    this session, without what a later sentence took the place of.

    A rule that a person confirmed stays, and prompts of this session stand as they were said, with
    what of them holds no more beside them. Where it is not sure that a sentence says an earlier one
    again, both stay, each told beside the other.
    """
    count = len(handoff.constraints)
    gone = {one.text: one.replaced for one in said if one.replaced}
    kept = [
        (replace(rule, text=_marked(rule.text, one)) if not rule.confirmed else rule, one)
        for rule, one in zip(handoff.constraints, said[:count], strict=True)
        if rule.confirmed or not one.replaced
    ]
    places = [
        place
        for place, (rule, one) in enumerate(zip(handoff.constraints, said[:count], strict=True))
        if rule.confirmed or not one.replaced
    ]
    start = len(handoff.user_words) - own
    words = [
        (place, new)
        for place, one in enumerate(handoff.user_words)
        if (new := _words(one, said, gone, whole=place >= start)) is not None
    ]
    moved = {"/constraints/": places, "/user_words/": [place for place, _ in words]}
    perhaps = {bare(one.text): one for one in said if one.newer and not one.replaced}
    decisions = [(i, d) for i, d in enumerate(handoff.decisions) if d.content not in gone]
    moved["/decisions/"] = [place for place, _ in decisions]
    goal = _last(handoff.goal, gone)
    goal = next((one.text for one in current(said) if bare(one.older) == bare(goal)), goal)
    made = replace(
        handoff,
        goal=goal if goal == handoff.goal else shortened(goal),
        earlier_goals=tuple(
            perhaps[bare(one)].told(one) if bare(one) in perhaps else one
            for one in handoff.earlier_goals
            if one not in gone
        ),
        constraints=tuple(rule for rule, _ in kept),
        decisions=tuple(decision for _, decision in decisions),
        user_words=tuple(new for _, new in words),
        sources=_moved(handoff, moved),
    )
    dropped = (one for place, one in enumerate(said[:count]) if place not in places)
    return made, (*(one for _, one in kept), *said[count:], *dropped), own


def _marked(text: str, one: Spoken) -> str:
    return one.told(apart(text).text)


def _last(text: str, gone: dict[str, str]) -> str:
    """What holds of `text` now."""
    for _ in range(len(gone)):
        if text not in gone:
            break
        text = gone[text]
    return text


def _words(
    words: UserWords, said: Sequence[Spoken], gone: dict[str, str], *, whole: bool
) -> UserWords | None:
    """`words` with what of them was said anew; None for carried ones of which nothing is left."""
    here = [one for one in said if one.replaced and one.text in words.text]
    if whole:
        newer = [one for one in said if one.newer and not one.replaced and one.text in words.text]
        words = replace(words, perhaps_superseded=_told((one.text, one.newer) for one in newer))
    if not here:
        return None if not whole and not apart(words.text).text else words
    if not whole:
        rest = words.text
        for one in here:
            rest = one.taken_out(rest)
        return replace(words, text=rest.strip()) if any(map(str.isalnum, rest)) else None
    return replace(words, superseded=_told((one.text, _last(one.text, gone)) for one in here))


def _told(changes: Iterable[tuple[str, str]]) -> str:
    return "; ".join(f"{_short(older)} (now: {_short(newer)})" for older, newer in changes)


def _short(text: str) -> str:
    text = text.rstrip(STOPS)
    return text if len(text) <= _QUOTED else text[: _QUOTED - 3].rstrip() + "..."


def _moved(handoff: Handoff, places: dict[str, list[int]]) -> dict[str, tuple[str, ...]]:
    """The sources of `handoff` after only the items at `places` are left in some lists."""
    found = {}
    for pointer, messages in handoff.sources.items():
        start = next((start for start in places if pointer.startswith(start)), None)
        if start is None:
            found[pointer] = messages
        elif (place := int(pointer[len(start) :])) in places[start]:
            found[f"{start}{places[start].index(place)}"] = messages
    return found
