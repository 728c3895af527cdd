"""A handoff made to fit a budget: the most important first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from redline.handoff.budget import Budget
from redline.handoff.handoff import Anchors, Files, Handoff
from redline.handoff.markdown import render


def fitted(handoff: Handoff, budget: Budget) -> Handoff:
    """`handoff` no longer than `budget` as Markdown."""
    steps: tuple[Callable[[Handoff], Handoff], ...] = (
        lambda it: replace(it, files=Files(it.files.changed)),
        lambda it: replace(it, anchors=Anchors(it.anchors.commits, it.anchors.issues)),
        lambda it: replace(it, previous=""),
    )
    for step in steps:
        if budget.holds(render(handoff)):
            break
        handoff = step(handoff)
    return handoff
