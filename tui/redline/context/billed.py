"""What requests were billed, and the model that answers."""

from __future__ import annotations

from redline.model import Message, Role, Session


def billed_input(message: Message) -> int | None:
    """The input side of the request that `message` answers; fields below zero are unknown."""
    usage = message.usage
    if message.role is not Role.ASSISTANT or usage is None:
        return None
    sides = (usage.input, usage.cache_read, usage.cache_write)
    total = sum(side for side in sides if side is not None and side > 0)
    return total or None


def model_of(session: Session) -> str | None:
    """The model that answered last, or the one the session names."""
    for message in reversed(session.context):
        if message.model and billed_input(message) is not None:
            return message.model
    return session.info.model
