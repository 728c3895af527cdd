"""What of a handoff that a writer wrote is in doubt: what it made up, and steps that are done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from redline.handoff.writers.writer import OFFLINE
from redline.ui.items import Item

if TYPE_CHECKING:
    from datetime import date

    from redline.handoff.finished import Finished
    from redline.handoff.invented import Invented, Known
    from redline.review import Review


@dataclass(frozen=True, slots=True)
class Doubts:
    """`invented` by its place in the text, `finished` are next steps."""

    invented: tuple[Invented, ...] = ()
    finished: tuple[Finished, ...] = ()

    @property
    def remark(self) -> str:
        """How many names were made up, in few words."""
        return f"{len(self.invented)} made up" if self.invented else ""


class Doubting:
    """Finds the doubts of reviews of one session, one after the other."""

    def __init__(self) -> None:
        self._known: Known | None = None
        self._of: Review | None = None

    def doubts(self, review: Review, today: date) -> Doubts:
        """What is in doubt in the text of `review`. All that the offline writer wrote is copied.
        Slow the first time: not for the screen's own thread."""
        if review.writer == OFFLINE:
            return Doubts()
        of = self._of
        if self._known is None or of is None or not _beside_alike(of, review):
            self._known, self._of = review.known(today), review
        return Doubts(review.invented(self._known), review.finished())


def _beside_alike(one: Review, other: Review) -> bool:
    """Whether both are held against the same."""
    return one.session is other.session and one.focus == other.focus and one.ledger == other.ledger


def doubt_items(doubts: Doubts) -> list[Item]:
    """The doubts as entries, above the audit."""
    items: list[Item] = []
    if doubts.invented:
        items.append(Item(f"not in the session ({len(doubts.invented)})", heading=True))
    items += [
        Item(one.text, mark="?", word=one.kind.value, style="warn", key=one, ending=True)
        for one in doubts.invented
    ]
    if doubts.finished:
        items.append(Item(f"next steps that are done ({len(doubts.finished)})", heading=True))
    items += [
        Item(
            f"{one.step} ({one.evidence})",
            mark="?",
            word="step",
            style="warn",
            lines=2,
            message=one.message or None,
            key=one,
        )
        for one in doubts.finished
    ]
    return items
