"""Room for both: what the session tells and what a writer wrote, within one budget.

What the user said and the rules come first: a writer gets the room that they leave. Of its prose
as much is kept as leaves them whole, and what room is left then is filled from the session.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from redline.handoff.budget import Budget
from redline.handoff.handoff import Handoff
from redline.handoff.markdown import render
from redline.handoff.purpose import short
from redline.handoff.writers.answer import Prose

_TRIES = 5  # rooms that are tried for one amount of prose
_CLOSE = 0.04  # of the budget, below which no better room is looked for
_LEAST_KEPT = 0.97  # of the words of the user that stand in a handoff without a writer
_HOPELESS = 0.1  # that much less at the first try, and less prose is tried at once
_WORD = re.compile(r"[^\W\u3400-\u9fff]+|(?=([\u3400-\u9fff]{2}))")


def fitted_together(
    alone: Handoff,
    prose: Prose,
    budget: Budget,
    offline: Callable[[Budget], Handoff],
    together: Callable[[Handoff, Prose], Handoff],
) -> Handoff:
    """The handoff of both within `budget`. `alone` is the one without the prose, `offline` gives
    it for a smaller budget, `together` composes one with some of the prose.

    A budget that is not strict gives way where nothing of the prose fits.
    """
    whole = together(alone, prose)
    if budget.holds(render(whole)):
        return whole
    said = _words(alone)
    for less in _less_and_less(prose):
        made = _largest(alone, less, budget, offline, together, said)
        if made is not None and _kept(said, made) >= _LEAST_KEPT:
            return made
    return alone if budget.strict else whole


def _largest(
    alone: Handoff,
    prose: Prose,
    budget: Budget,
    offline: Callable[[Budget], Handoff],
    together: Callable[[Handoff, Prose], Handoff],
    said: frozenset[str],
) -> Handoff | None:
    """The handoff with `prose` that fits and has the most from the session, None where none was
    found. The first room is what the prose leaves; then the span is halved."""
    low, high = 0, budget.limit + 1
    first = together(alone, prose)
    size = budget.measure(render(first))
    if size <= budget.limit:
        return first
    room, found = budget.limit - (size - budget.limit), None
    for tried in range(_TRIES):
        if room <= budget.limit // 4:
            break
        made = together(offline(replace(budget, limit=room)), prose)
        size = budget.measure(render(made))
        if size <= budget.limit:
            found, low = made, room
            if size >= budget.limit * (1 - _CLOSE):
                break
        else:
            high = room
        if tried == 0 and _kept(said, made) < _LEAST_KEPT - _HOPELESS and found is None:
            break
        room = (low + high) // 2 if low else room - max(1, size - budget.limit)
    return found


def _less_and_less(prose: Prose) -> tuple[Prose, ...]:
    """The prose, then what matters of it, less each time. The goal goes early: without it stands
    the user's own."""
    brief = prose.brief()
    aimless = replace(brief, goal="")
    few = replace(
        aimless,
        done=(),
        rejected=(),
        decisions=aimless.decisions[:2],
        current_state=short(aimless.current_state, 200),
        next_plan=aimless.next_plan[:3],
    )
    least = replace(
        few, decisions=(), open_questions=(), current_state="", next_plan=few.next_plan[:1]
    )
    return prose, replace(prose, goal=""), brief, aimless, few, least


def _kept(said: frozenset[str], made: Handoff) -> float:
    """The share of the words in `said` that `made` still holds."""
    return len(said & _words(made)) / len(said) if said else 1.0


def _words(handoff: Handoff) -> frozenset[str]:
    """The distinct words of what the user said; of Chinese, pairs of characters."""
    texts = (
        handoff.goal,
        *(rule.text for rule in handoff.constraints),
        *(words.text for words in handoff.user_words),
    )
    found = _WORD.finditer("\n".join(texts).casefold())
    return frozenset(match[1] or match[0] for match in found)
