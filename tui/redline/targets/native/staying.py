"""What of a context a plan lets stay, each part with the body that the plan leaves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from redline.compaction.plan import SHORTENED_TOKENS, Action, Plan
from redline.model import Message, Part, PartState, PartType, Session

_CHARACTERS = 3  # a token has; Claude 2.7, others nearer to 4 (see formats, measured)
IMAGE_CLEARED = "[image cleared]"


@dataclass(frozen=True, slots=True)
class Left:
    """A part that stays. `body` None: word for word, as it lies on disk. Otherwise the text that
    stands in its place; "" where nothing is left (an image inside a result that is cleared)."""

    part: Part
    action: Action
    body: str | None = None


@dataclass(frozen=True, slots=True)
class Stays:
    """A message of which something stays, its place in the context and those of its parts."""

    index: int
    message: Message
    parts: tuple[Left, ...]

    @property
    def whole(self) -> bool:
        """Whether all of the message stays word for word."""
        return len(self.parts) == len(self.message.parts) and all(
            left.body is None for left in self.parts
        )


def staying(
    session: Session,
    plan: Plan,
    cleared: str,
    shorten: Callable[[str, int], str] | None = None,
    image: str = IMAGE_CLEARED,
) -> tuple[Stays, ...]:
    """The messages of `plan` that stay, in order; the summary stands before number `summary_at` of
    them (counted from 0).

    `cleared` is what the agent writes where it takes a result out; a plan's own stand-ins come
    first. `shorten` takes the middle out of a text so that about so many tokens are left; `image`
    stands where an image outside a result was cleared.
    Raises RedlineError where the session's file has changed under it.
    """
    words = _Words(cleared, image, shorten or shortened)
    found = []
    for index in plan.staying:
        message = plan.outline.messages[index]
        parts = tuple(
            Left(part, action, _body(session, plan, index, part, words))
            for part in message.parts
            if (action := plan.action_of(index, part.index)).stays
        )
        found.append(Stays(index, message, parts))
    return tuple(found)


def as_it_lies(session: Session, plan: Plan, found: tuple[Stays, ...]) -> tuple[Stays, ...]:
    """`found` for an agent in whose sessions a cleared body is what is left of it, so that its own
    words stay: unless the plan clears it anew.

    Raises RedlineError where the session's file has changed under it.
    """
    return tuple(
        replace(
            stays, parts=tuple(_as_it_lies(session, plan, stays.index, one) for one in stays.parts)
        )
        for stays in found
    )


def _as_it_lies(session: Session, plan: Plan, message: int, left: Left) -> Left:
    if left.part.state is not PartState.CLEARED or left.action is Action.CLEAR:
        return left
    if left.action is not Action.SHORTEN:
        return replace(left, body=None)
    body = session.text(left.part)
    cut = shortened(body, plan.left.get((message, left.part.index), SHORTENED_TOKENS))
    return replace(left, body=None if cut == body else cut)


def shortened(body: str, tokens: int) -> str:
    """`body` with its middle taken out, so that about `tokens` tokens are left of it."""
    keep = max(1, tokens * _CHARACTERS // 2)
    gone = len(body) - 2 * keep
    if gone <= 0:
        return body
    return f"{body[:keep]}\n[... {gone} characters taken out ...]\n{body[-keep:]}"


@dataclass(frozen=True, slots=True)
class _Words:
    """What stands in the place of a body."""

    cleared: str
    image: str
    shorten: Callable[[str, int], str]


def _body(session: Session, plan: Plan, index: int, part: Part, words: _Words) -> str | None:
    place = (index, part.index)
    action = plan.action_of(*place)
    if part.type is PartType.IMAGE and action is Action.CLEAR:
        return plan.stand_ins.get(place, words.image) if part.call_id is None else ""
    if action is Action.CLEAR or part.state is PartState.CLEARED:
        return plan.stand_ins.get(place, words.cleared)
    if action is Action.SHORTEN:
        body = session.text(part)
        left = words.shorten(body, plan.left.get(place, SHORTENED_TOKENS))
        return None if left == body else left
    return None
