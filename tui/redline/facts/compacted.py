"""What an agent's own compaction left: its summary, or what can be had where nobody can read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from redline.model import Kind, PastCompaction, Session
from redline.text import one_line

if TYPE_CHECKING:
    from redline.facts.contents import Kept


def summary_of(session: Session, past: PastCompaction) -> str:
    """The summary's text, "" where there is none to read. Raises RedlineError as `text` does."""
    if past.summary is None:
        return ""
    parts = [part for part in past.summary.parts if part.kind is Kind.SUMMARY]
    return "\n".join(filter(None, map(session.text, parts)))


def unread(past: PastCompaction) -> str:
    """Why there is no summary to read, "" where there is one."""
    if past.sealed is not None:
        return (
            f"The summary cannot be read: encrypted by the provider, "
            f"{past.sealed.chars:,} characters."
        )
    return "" if past.summary is not None or past.cleared else "It left no summary."


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What the records before a compaction still tell: how many messages the model had, the calls
    among them, and the first line of each prompt (raw) with the id of its message."""

    messages: int
    calls: int
    prompts: tuple[tuple[str, str], ...]


def rebuilt(before: Session) -> Rebuilt:
    """What can be rebuilt of a compaction from `before`, the session opened just before it."""
    prompts = []
    calls = 0
    for message in before.context:
        calls += sum(part.kind is Kind.TOOL_CALL for part in message.parts)
        if message.prompts:
            prompts.append((message.id, one_line(before.text(message.prompts[0]) or message.head)))
    return Rebuilt(len(before.context), calls, tuple(prompts))


def kept_by(session: Session, past: PastCompaction) -> tuple[Kept, ...]:
    """The messages that a compaction kept word for word, as far as the branch holds them. Reads the
    history up to the compaction."""
    wanted = set(past.preserved)
    from redline.facts.contents import Kept

    found: list[Kept] = []
    if wanted:
        for place, message in enumerate(session.source.history()):
            if message.id in wanted:
                found.append(Kept(place, message.id, message.head, bool(message.prompts)))
            if len(found) == len(wanted) or place > past.messages_before:
                break
    return tuple(found)
