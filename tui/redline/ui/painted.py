"""Painted lines are freed as soon as others take their place.

Textual's line keeps how it was divided before. Where it was not divided at all that is a list of
the line itself: a cycle, for each line that is painted, with all of the caches in it. Reference
counting does not free these; for a screen they are 30,000 values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.strip import Strip

_divide = Strip.divide


def _divided(self: Strip, cuts: Iterable[int]) -> Sequence[Strip]:
    width = self.cell_length
    within = [cut for cut in cuts if cut <= width]
    return [self] if within == [width] else _divide(self, within)


def free_at_once() -> None:
    """From now on no line holds itself (Textual 8.2.8)."""
    Strip.divide = _divided  # type: ignore[method-assign]
