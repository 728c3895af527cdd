"""The old tool results of a window: what can be cleared at no cost but their bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from redline.compaction.plan import clearable
from redline.compaction.remembered import Remembered
from redline.context.window import Window
from redline.model import PartState, PartType


@dataclass(frozen=True, slots=True)
class OldResults:
    """Old results of one message: their places, whether that is all that can be cleared of it, and
    their tokens."""

    places: tuple[int, ...]
    all_of_it: bool
    tokens: int


def old_results(window: Window, keep: int, least: int) -> Mapping[int, OldResults]:
    """The results of at least `least` calibrated tokens that are older than the last `keep`, by
    the index of their message."""
    known = _known_old(window)
    if (keep, least) not in known:
        known[keep, least] = _find_old(window, keep, least)
    return known[keep, least]


_Known = dict[tuple[int, int], Mapping[int, OldResults]]


def _nothing_known(window: Window) -> _Known:
    del window
    return {}


_known_old = Remembered(_nothing_known)


def _find_old(window: Window, keep: int, least: int) -> Mapping[int, OldResults]:
    found: dict[int, OldResults] = {}
    seen = 0
    for i in range(len(window.tokens) - 1, -1, -1):
        parts, tokens = window.session.context[i].parts, window.parts[i]
        places = []
        for j in range(len(parts) - 1, -1, -1):
            if parts[j].type is PartType.TOOL_RESULT:
                seen += 1
                if seen > keep and tokens[j] >= least and parts[j].state is PartState.LIVE:
                    places.append(j)
        if places:
            every = sum(clearable(part) for part in parts) == len(places)
            found[i] = OldResults(tuple(reversed(places)), every, sum(tokens[j] for j in places))
    return found
