"""Both bars of a review."""

from __future__ import annotations

from redline.review import Review
from redline.ui.bar import Filling


def fillings(review: Review, counted: int | None = None) -> tuple[Filling, Filling]:
    """The window now and after; `counted` are the handoff's tokens where it is written."""
    window = review.window
    reserve = window.reserve or 0
    return (
        Filling(review.bar_now(), window.limit, reserve, window.source.value),
        Filling(review.bar_after(counted), window.limit, reserve, "estimated"),
    )


def worked_out(review: Review) -> Review:
    """`review`, with what the desk shows of it at once known; not for the screen's own thread."""
    fillings(review)
    review.layers()
    return review
