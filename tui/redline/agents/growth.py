"""What is other in a session that was opened again."""

from __future__ import annotations

from dataclasses import dataclass

from redline.model import Message, PastCompaction, Session


@dataclass(frozen=True, slots=True)
class Growth:
    """Of the context: `new` messages, those that are there still and got `more` parts, and how many
    are `gone` from it. `compactions` are those that were not there before."""

    new: tuple[Message, ...] = ()
    more: tuple[Message, ...] = ()
    gone: int = 0
    compactions: tuple[PastCompaction, ...] = ()

    @property
    def prompts(self) -> bool:
        """Whether a person may have said something that was not there, or took something back."""
        return bool(self.gone) or any(message.prompts for message in (*self.new, *self.more))


def growth(before: Session, after: Session) -> Growth:
    """What `after` has that `before` had not, and the other way round; by the ids of messages."""
    known = {message.id: message for message in before.context}
    there = {message.id for message in after.context}
    past = {compaction.id for compaction in before.compactions}
    return Growth(
        new=tuple(message for message in after.context if message.id not in known),
        more=tuple(
            message
            for message in after.context
            if message.id in known and len(message.parts) > len(known[message.id].parts)
        ),
        gone=sum(1 for name in known if name not in there),
        compactions=tuple(each for each in after.compactions if each.id not in past),
    )
