"""From the desk to what the agent's own compactions lost, and back with what is taken over."""

from __future__ import annotations

from redline.compaction.plan import Action
from redline.handoff.audit import AuditItem
from redline.review import Review
from redline.text import counted
from redline.ui.desk_following import DeskFollowing
from redline.ui.threads import beside, in_thread


class DeskCompactions(DeskFollowing):
    """The part of the desk that looks at the past compactions."""

    def action_compactions(self) -> None:
        """What each compaction lost; what is taken over there goes into the handoff."""
        from redline.ui.compactions import CompactionsScreen

        review = self.review

        def back(taken: tuple[AuditItem, ...] | None) -> None:
            if taken:
                self._take_over(taken)

        self.app.push_screen(CompactionsScreen(review.session, (review.ledger, review.facts)), back)

    def _take_over(self, taken: tuple[AuditItem, ...]) -> None:
        async def work() -> None:
            review = self.review
            with_them = await in_thread(lambda: taken_over(review, taken))
            if self.review is not review:  # it went on meanwhile: once more, on what it is now
                with_them = taken_over(self.review, taken)
            quoted = with_them.text == self.review.text
            self.show_review(with_them)
            what = counted(len(taken), "item")
            where = "quoted in the next handoff" if quoted else "now in the handoff"
            self.say(f"{what} taken over, {where}.")

        beside(self, work, "take over")


def taken_over(review: Review, taken: tuple[AuditItem, ...]) -> Review:
    """`review` with `taken` in its handoff. Where none is written, messages that are in the context
    are quoted; for others one is written first, without a model."""
    for item in taken:
        if not review.text and item.message in review.outline.index:
            review = review.pin((item.message,), Action.QUOTE)
        else:
            review = (review if review.text else review.write()).insert(item)
    return review
