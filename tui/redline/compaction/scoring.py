"""What of a context speaks for keeping a message as it is, by message.

Taken from the facts of the whole session, so that no body is read. What calls tie together has its
features together.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from enum import IntFlag

from redline.compaction.outline import Outline
from redline.compaction.plan import STAYING, Pins
from redline.compaction.remembered import Remembered
from redline.facts.fact import CodeShown, ErrorFact, Facts
from redline.ledger.rule import Ledger


class Feature(IntFlag):
    """Why a message should stay word for word."""

    RULE = 1  # states a rule or a decision
    ERROR = 2  # part of an error chain
    CHANGE = 4  # holds a diff or a signature
    PIN = 8  # a person pinned it


WEIGHTS: Mapping[str, float] = {"rule": 0.4, "error": 0.3, "change": 0.2, "pin": 0.1}
WORDS: Mapping[Feature, str] = {
    Feature.RULE: "a rule or decision",
    Feature.ERROR: "an error chain",
    Feature.CHANGE: "a diff or signature",
    Feature.PIN: "pinned",
}


def features(outline: Outline, facts: Facts, ledger: Ledger, pins: Pins) -> Sequence[int]:
    """The features of each message, as a sum of `Feature`."""
    found = _features(outline, facts, ledger)
    names = [name for name, action in pins.actions.items() if action in STAYING]
    names += [name for (name, _), action in pins.parts.items() if action in STAYING]
    if not names:
        return found
    pinned = list(found)
    for name in names:
        index = outline.index.get(name)
        if index is not None:
            for member in outline.members[outline.group[index]]:
                pinned[member] |= Feature.PIN
    return pinned


def score_of(found: int, weights: Mapping[str, float]) -> float:
    """The score of a message with the features `found`."""
    return round(sum(weights[f.name.lower()] for f in Feature if f & found and f.name), 6)


def words_of(found: int) -> str:
    """What made the score, in words; "" where nothing did."""
    return ", ".join(WORDS[feature] for feature in Feature if feature & found)


def _find(outline: Outline, facts: Facts, ledger: Ledger) -> list[int]:
    index, group = outline.index, outline.group
    by_group: dict[int, int] = {}

    def mark(names: Iterable[str | None], feature: Feature) -> None:
        for name in names:
            place = index.get(name or "")
            if place is not None:
                root = group[place]
                by_group[root] = by_group.get(root, 0) | feature

    mark((rule.message for rule in ledger.live), Feature.RULE)
    mark((fact.message for fact in facts.decisions), Feature.RULE)
    mark((fact.message for fact in facts.code), Feature.CHANGE)
    mark((fact.message for fact in facts.changed), Feature.CHANGE)
    for place in _error_chains(outline, facts):
        by_group[group[place]] = by_group.get(group[place], 0) | Feature.ERROR
    return [by_group.get(root, 0) for root in group]


_features = Remembered(_find)


def _error_chains(outline: Outline, facts: Facts) -> set[int]:
    """The messages of every failed call, of its retries, and of what solved it: what passed in the
    end, and the last change before that."""
    index = outline.index
    tries = _places(index, ((fact.command, fact.message) for fact in facts.commands))
    edits = _places(index, ((fact.path, fact.message) for fact in facts.code if fact.path))
    changes = sorted(
        index[fact.message]
        for fact in facts.code
        if fact.shown is CodeShown.DIFF and fact.path and fact.message in index
    )
    spans: set[tuple[int, int, str]] = set()
    found: set[int] = set()
    for error in facts.errors:
        first, last = _span(index, error, len(outline.messages))
        if last < 0:
            continue  # all of it was before this context
        spans.add((first, last, error.command or ""))
        if error.resolved is not None and last < len(outline.messages):
            before = bisect_right(changes, outline.group[last] - 1)
            if before and changes[before - 1] > first:
                found.add(changes[before - 1])
    for first, last, command in spans:
        found.update(place for place in (first, last) if 0 <= place < len(outline.messages))
        again = tries.get(command) or edits.get(command.partition(" ")[2], ())
        found.update(again[bisect_right(again, first - 1) : bisect_right(again, last)])
    return found


def _span(index: Mapping[str, int], error: ErrorFact, size: int) -> tuple[int, int]:
    """Where an error was printed and where it was gone; -1 is before the context, `size` never."""
    first = index.get(error.message, -1)
    return first, size if error.resolved is None else index.get(error.resolved, -1)


def _places(
    index: Mapping[str, int], named: Iterable[tuple[str, str]]
) -> Mapping[str, Sequence[int]]:
    """The places of the messages in this context by the name they come with, in order."""
    found: dict[str, list[int]] = {}
    for name, message in named:
        place = index.get(message)
        if place is not None:
            found.setdefault(name, []).append(place)
    return {name: sorted(places) for name, places in found.items()}
