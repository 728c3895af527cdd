"""Places where a tail may start, and the steps between them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from redline.compaction.outline import Outline
from redline.compaction.plan import Cut


def turn_cuts(outline: Outline) -> tuple[int, ...]:
    """The starts of turns that are legal cuts, in order."""
    legal = set(outline.cuts)
    return tuple(i for i in outline.turn_starts if i in legal)


def legal_cut(outline: Outline, index: int) -> int | None:
    """The legal cut at `index`, otherwise the next one before it, so that nothing is lost that a
    person asked to keep; the first one after it where there is none before."""
    cuts = outline.cuts
    at = bisect_right(cuts, index)
    if at:
        return cuts[at - 1]
    return cuts[0] if cuts else None


def next_cut(outline: Outline, index: int, step: int = 1) -> int | None:
    """The legal cut `step` places after `index` (before it where `step` is negative); the last
    one that way where there are fewer, None where there is none."""
    return _step(outline.cuts, index, step)


def next_turn(outline: Outline, index: int, step: int = 1) -> int | None:
    """The same by starts of turns."""
    return _step(turn_cuts(outline), index, step)


def cut_at(outline: Outline, index: int) -> Cut:
    """The cut before message `index`: it splits a turn where the message starts none and one is
    under way."""
    starts = outline.turn_starts
    at = bisect_left(starts, index)
    begins = at < len(starts) and starts[at] == index
    return Cut(outline.messages[index].id, index, not begins and at > 0)


def _step(places: Sequence[int], index: int, step: int) -> int | None:
    if step > 0:
        first = bisect_right(places, index)
        return places[min(first + step, len(places)) - 1] if first < len(places) else None
    last = bisect_left(places, index)
    return places[max(last + step, 0)] if step < 0 and last else None
