"""What can be done with a single part of a message."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from redline.compaction.plan import Action, possible
from redline.model import Part
from redline.review import Review
from redline.ui.items import Item
from redline.ui.marks import ACTION_MARK, ACTION_WORD

_CHOICES = (Action.KEEP, Action.CLEAR, Action.SHORTEN, Action.QUOTE)


def part_items(review: Review, index: int, text: Callable[[Part], str]) -> Iterator[Item]:
    """For each part of message `index` what it can have instead; the key is `place:action`."""
    message = review.outline.messages[index]
    for place, part in enumerate(message.parts):
        now = review.plan.action_of(index, place)
        yield Item(
            f"{part.kind.value.replace('_', ' ')}: {text(part)[:400]}",
            word=ACTION_WORD[now],
            mark=ACTION_MARK[now],
            inert=True,
        )
        for action in _CHOICES:
            if action is not now and possible(action, part):
                yield Item(
                    f"{action.value} it", mark=ACTION_MARK[action], key=f"{place}:{action.value}"
                )


def read_choice(key: str) -> tuple[int, Action]:
    """The place and action that a key of `part_items` names."""
    place, _, action = key.partition(":")
    return int(place), Action(action)
