"""A pin by hand: the newest one counts, also for what is tied to its message."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from redline.compaction.plan import STAYING, Action
from redline.review import Review

_OF_ALL = (Action.KEEP, Action.DROP, Action.SUMMARISE)


def pinned(review: Review, messages: Sequence[str], action: Action) -> Review:
    """`review` with `messages` pinned to `action`. A call and its results stay or go together:
    where one of them was pinned the other way before, that pin gives way. Raises RedlineError
    where the messages hold nothing to do it with."""
    apart = [
        name
        for name in _tied(review, messages)
        if name in review.pins.actions
        and (review.pins.actions[name] in STAYING) != (action in STAYING)
    ]
    if apart and action not in _OF_ALL:  # of a call there is nothing to clear
        return review.unpin(apart).pin(messages, action)
    return review.pin([*messages, *apart], action)


def _tied(review: Review, messages: Sequence[str]) -> Iterable[str]:
    """The ids of the other messages in the groups of `messages`."""
    outline = review.outline
    groups = {outline.group[outline.index[name]] for name in messages}
    tied = [outline.messages[row].id for group in groups for row in outline.members[group]]
    return (name for name in tied if name not in messages)
