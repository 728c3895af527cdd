"""The audits of an agent's own compactions: what each left of all that was said and done before it.

Left is its summary, and the messages it preserved; of a micro compaction everything but the results
it cleared. What redline itself put there (its block of rules, a handoff that was pasted) says
nothing of how faithful the agent's summary is, and does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from redline.facts.compacted import summary_of
from redline.facts.fact import Facts
from redline.facts.pasted import own_words
from redline.handoff.asked import Asked, Thing, Until
from redline.handoff.audit import Audit, AuditClass, AuditItem, Verdict
from redline.handoff.auditing import items_of, sorted_items
from redline.handoff.layout import TITLE
from redline.handoff.survivors import Survivors, survivors
from redline.ledger.rule import Ledger
from redline.model import CompactionKind, Message, Part, PartType, PastCompaction, Session

_NAMED = (AuditClass.FILE_CHANGED, AuditClass.FILE_REFERENCED, AuditClass.GIT_COMMIT)
_Lost = frozenset[tuple[AuditClass, str]]
_Window = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PastAudit:
    """The audit of compaction `number` (from 1). `by_redline` says that redline wrote its summary,
    `readable` that the summary can be read."""

    number: int
    past: PastCompaction
    audit: Audit
    by_redline: bool = False
    readable: bool = True

    def kept(self, cls: AuditClass) -> int:
        """How many of a class are there: word for word, of files and commits also by the end of
        their name where that names no other."""
        enough = (Verdict.VERBATIM, Verdict.REWORDED) if cls in _NAMED else (Verdict.VERBATIM,)
        return sum(item.cls is cls and item.verdict in enough for item in self.audit.items)

    def asked(self, cls: AuditClass) -> int:
        """How many of a class were asked for."""
        return sum(item.cls is cls for item in self.audit.items)

    @property
    def lost_here(self) -> tuple[AuditItem, ...]:
        """What is missing that was still there before, required things first."""
        return tuple(
            item
            for item in self.audit.items
            if item.verdict is Verdict.MISSING and not item.already
        )


def past_audits(
    session: Session,
    ledger: Ledger,
    facts: Facts,
    *,
    only: Collection[int] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[PastAudit]:
    """The audit of every compaction in order, or of those with the numbers in `only`; reads the
    history once. What an earlier compaction lost and nothing brought back is marked `already`, for
    one of a few by what the one before it lost. Ends early where it was `cancelled`."""
    asked = Asked(ledger, facts)
    history = tuple(session.source.history())
    places = {message.id: place for place, message in enumerate(history)}
    lost: _Lost = frozenset()
    start = 0  # of the window that a compaction was made in
    wanted = _with_those_before(session, only)
    for number, past in enumerate(session.compactions, start=1):
        if cancelled():
            return
        if number in wanted:
            until = Until(places, past.messages_before)
            left = _left(session, past, history, start)

            window = (start, past.messages_before)

            def was_lost(thing: Thing, lost: _Lost = lost, window: _Window = window) -> bool:
                return (thing.cls, thing.text) in lost and not any(
                    window[0] <= places.get(message, -1) < window[1] for message in thing.mentions
                )

            items = tuple(items_of(left, asked, until, was_lost))
            if past.kind is not CompactionKind.MICRO:
                lost = frozenset(
                    (item.cls, item.text) for item in items if item.verdict is Verdict.MISSING
                )
            if only is None or number in only:
                text = left.said[0].text if left.said else ""
                yield PastAudit(
                    number,
                    past,
                    Audit(past.id, sorted_items(items)),
                    by_redline=text.lstrip().startswith(f"{TITLE} (schema "),
                    readable=left.readable,
                )
        if past.kind is not CompactionKind.MICRO:
            start = past.messages_before


def _with_those_before(session: Session, only: Collection[int] | None) -> frozenset[int]:
    """The numbers in `only`, each with that of the full compaction before it; all for None."""
    numbers = range(1, len(session.compactions) + 1)
    if only is None:
        return frozenset(numbers)
    whole = [n for n in numbers if session.compactions[n - 1].kind is not CompactionKind.MICRO]
    before = (max((n for n in whole if n < number), default=0) for number in only)
    return frozenset((*only, *before))


def _left(
    session: Session, past: PastCompaction, history: tuple[Message, ...], start: int
) -> Survivors:
    """What `past` left of `history`; `start` is where the window it was made in began."""
    if past.kind is CompactionKind.MICRO:
        cleared = set(past.cleared)

        def stays(_: int, part: Part) -> bool:
            return part.type is not PartType.TOOL_RESULT or part.call_id not in cleared

        window = list(enumerate(history[start : past.messages_before]))
        text = _summary_in(session, window)
        return survivors(session, past.id, text, window, stays, own_words)
    wanted = set(past.preserved)
    kept = [(place, message) for place, message in enumerate(history) if message.id in wanted]
    text = summary_of(session, past)
    where = past.summary.id if past.summary is not None and text else past.id
    left = survivors(session, where, text, kept, lambda *_: True, own_words)
    left.readable = bool(text.strip())
    return left


def _summary_in(session: Session, window: list[tuple[int, Message]]) -> str:
    """The summary that a window began with, "" where it has none."""
    names = {message.id for _, message in window}
    held = [p for p in session.compactions if p.summary is not None and p.summary.id in names]
    return summary_of(session, held[-1]) if held else ""
