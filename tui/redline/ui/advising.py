"""What is advised of the session on the desk, worked out beside the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial

from textual.dom import DOMNode

from redline.compaction.advice import Advice, Adviser
from redline.context.window import Window
from redline.errors import RedlineError
from redline.ledger.rule import Ledger
from redline.review import Review
from redline.settings import Settings
from redline.ui.threads import beside, in_thread


class Advising:
    """`words` are the rows of the plan pane, `alarms` the messages whose calls broke a rule. `told`
    is called with advice whenever there is other; what was so when the desk was opened is no news
    in it."""

    def __init__(
        self,
        node: DOMNode,
        settings: Settings,
        now: Callable[[], datetime],
        told: Callable[[Advice], None],
    ) -> None:
        self.words: tuple[tuple[str, str], ...] = ()
        self.alarms: frozenset[str] = frozenset()
        self._node = node
        self._settings = settings
        self._now = now
        self._told = told
        self._adviser: Adviser | None = None
        self._wanted: Review | None = None
        self._known: tuple[Window, Ledger] | None = None
        self._busy = False

    def want(self, review: Review) -> None:
        """Sees to it that the advice is on `review` soon. A view of another branch, or of the past,
        is no moment of the session."""
        session = review.session
        if session.asked_leaf is not None or session.before is not None:
            return
        self._wanted = review
        if not self._busy and self._is_other(review):
            self._busy = True
            beside(self._node, self._advise, "advice", exclusive=False)

    def _is_other(self, review: Review) -> bool:
        known = self._known
        return known is None or known[0] is not review.window or known[1] is not review.ledger

    async def _advise(self) -> None:
        try:
            while (review := self._wanted) is not None and self._is_other(review):
                self._known = (review.window, review.ledger)
                try:
                    advice = await in_thread(partial(self._look, review))
                except RedlineError:
                    continue  # the file is another one now: it is read anew, and looked at again
                self._show(advice)
        finally:
            self._busy = False

    def _look(self, review: Review) -> Advice:
        """Not for the screen's own thread."""
        window = replace(review.window, session=review.session)  # marked as in use, or not
        if self._adviser is None:
            self._adviser = Adviser(window, review.ledger, self._settings, review.settings)
            first = self._adviser.advise(window, self._now())
            return first.settled()
        self._adviser.use(review.session, review.ledger)
        return self._adviser.advise(window, self._now())

    def _show(self, advice: Advice) -> None:
        found = self._adviser.found if self._adviser is not None else ()
        words = tuple(_rows(advice, len(found)))
        alarms = frozenset(breach.message for breach in found)
        if advice.lines or words != self.words or alarms != self.alarms:
            self.words, self.alarms = words, alarms
            self._told(advice)


def _rows(advice: Advice, breaches: int) -> list[tuple[str, str]]:
    rows = [("moment", advice.moment.line)]
    rows += [("trigger", met.words) for met in advice.met]
    if advice.loop is not None:
        rows.append(("thrash", advice.loop.words))
    if breaches:
        calls = "call breaks" if breaches == 1 else "calls break"
        rows.append(("alarm", f"{breaches} {calls} a rule: ! in the transcript"))
    return rows
