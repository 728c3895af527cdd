"""Results whose call is not there: every provider refuses them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from redline.model import Damage, DamageKind, Message, PartType


def orphans(messages: Sequence[Message]) -> Iterator[Damage]:
    """One for each result in `messages` that stands before its call or without it."""
    called: set[str] = set()
    for message in messages:
        for part in message.parts:
            if part.type is PartType.TOOL_CALL and part.call_id:
                called.add(part.call_id)
            elif part.type is PartType.TOOL_RESULT and part.call_id not in called:
                detail = f"result of {part.call_id or 'no call'}, whose call is not in the context"
                yield Damage(part.origin.record, DamageKind.ORPHAN, detail)
