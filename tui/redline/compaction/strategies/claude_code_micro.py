"""How Claude Code clears old tool results before it compacts, and how it counts tokens for that.

Measured on the two microcompact boundaries of a real session of 2.1.20 (78,208 tokens of results,
38,535 saved by 29; 65,408, of which 27,012 by 37): characters / 4, in the order of the calls,
only results of some tools, until at most 40,000 tokens are left; never for less than 20,000 (the
least of nine known ones saved 20,134). How many recent ones it always kept, those cannot tell: in
both, 50 and more were left. Three is what write-ups of that time say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redline.compaction.outline import Place
from redline.model import Message, Part, PartState, PartType

TOOLS = frozenset(("Read", "Bash", "Grep", "Glob", "WebSearch", "WebFetch", "Edit", "Write"))
LEFT = 40_000
LEAST = 20_000
KEPT_RESULTS = 3
IMAGE_TOKENS = 2_000
_CHARACTERS = 4  # to a token


@dataclass(frozen=True, slots=True)
class Micro:
    """The results that would be cleared, in the order of their calls, and the tokens that saves
    by its estimate."""

    places: tuple[Place, ...] = ()
    tokens: int = 0


def micro(messages: Sequence[Message]) -> Micro:
    """What clearing would take out of `messages`; nothing where it would save too little."""
    calls = [p.call_id for m in messages for p in m.parts if p.type is PartType.TOOL_CALL]
    order = {name: number for number, name in enumerate(calls)}
    found = [
        ((i, j), tokens_of(part))
        for i, message in enumerate(messages)
        for j, part in enumerate(message.parts)
        if part.type is PartType.TOOL_RESULT and part.tool in TOOLS and part.state is PartState.LIVE
    ]
    found.sort(key=lambda item: order.get(_name(messages, item[0]), -1))
    left = sum(tokens for _, tokens in found)
    places: list[Place] = []
    saved = 0
    for place, tokens in found[: max(0, len(found) - KEPT_RESULTS)]:
        if left - saved <= LEFT:
            break
        places.append(place)
        saved += tokens
    return Micro(tuple(places), saved) if saved >= LEAST else Micro()


def _name(messages: Sequence[Message], place: Place) -> str | None:
    return messages[place[0]].parts[place[1]].call_id


def tokens_of(part: Part) -> int:
    """Claude Code's estimate of a part."""
    if part.type is PartType.IMAGE:
        return IMAGE_TOKENS
    return (part.chars + _CHARACTERS // 2) // _CHARACTERS


def estimate(messages: Sequence[Message]) -> tuple[int, ...]:
    """The same of each message."""
    return tuple(sum(map(tokens_of, message.parts)) for message in messages)
