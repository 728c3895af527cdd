"""The past of a session on the desk: its history, and what is opened from there."""

from __future__ import annotations

from functools import partial

from redline.agents.subagents import info_of
from redline.facts.compacted import kept_by, rebuilt, summary_of, unread
from redline.model import SideBranch, Subagent
from redline.ui.card import Card, message_card
from redline.ui.desk_finding import DeskFinding
from redline.ui.history_items import told_of
from redline.ui.history_reading import HistoryReading
from redline.ui.threads import beside, in_thread
from redline.ui.transcript import Transcript


class DeskHistory(DeskFinding):
    """The part of the desk that leads to what is not in the context."""

    def __init__(self) -> None:
        super().__init__()
        self._reading: HistoryReading | None = None

    def action_history(self) -> None:
        """The history, at the message under the cursor."""
        transcript = self.query_one("#transcript", Transcript)
        message = None
        if not transcript.on_earlier and transcript.heights.rows:
            message = self.review.outline.messages[transcript.cursor].id
        self.open_history(message)

    def on_transcript_earlier_asked(self) -> None:
        self.open_history(None)

    def open_history(self, message: str | None) -> None:
        """The history at `message`; None: at the last one before the context."""
        from redline.ui.history import HistoryScreen

        known = self._reading
        if known is None or not known.whole or known.session is not self.review.session:
            known = HistoryReading(self.review.session, self.review.window.tokens)
        self._reading = known

        def back(target: str | None) -> None:
            if target is not None:
                self.go_to_message(target)

        self.app.push_screen(HistoryScreen(known, message), back)

    def arrive(self, message: str | None) -> None:
        """Where a desk is opened at: the message in the transcript, else in the history."""
        if message is None:
            return
        row = self.review.outline.index.get(message)
        if row is None:
            self.call_after_refresh(self.open_history, message)
        else:
            transcript = self.query_one("#transcript", Transcript)
            transcript.call_after_refresh(transcript.go_to, row, centre=True)

    def go_to_message(self, message: str | None) -> None:
        """To a message of the transcript; one that is not in the context is shown on a card."""
        row = self.review.outline.index.get(message) if message is not None else None
        if row is not None:
            transcript = self.query_one("#transcript", Transcript)
            transcript.focus()
            transcript.go_to(row, centre=True)
        elif message is not None:
            beside(self, partial(self._show_card, message), "card")

    async def _show_card(self, message: str) -> None:
        """A message from before the last compaction, which the transcript does not hold."""
        session = self.review.session
        card = await in_thread(lambda: message_card(session, message))
        if card is None:
            self.say("The message it comes from is not there any more.")
            return

        def left(onward: bool | None) -> None:
            if onward:
                self.open_history(message)

        self.app.push_screen(card, left)

    def let_go(self) -> None:
        """Lets go of the session when the desk is left (see `Garbage.settle`)."""
        self._reading = None
        del self.review

    # -- what the pane of the past holds -------------------------------------------------------

    def open_past(self, key: object) -> None:
        """Opens an entry of the pane: a compaction on a card, others at a desk of their own."""
        info = self.review.session.info
        match key:
            case int(number):
                beside(self, partial(self._show_compaction, number), "card")
            case SideBranch():
                self.redline.open_desk(info, leaf=key.leaf)
            case Subagent():
                where, leaf = info_of(self.review.session, key)
                kin = f"subagent {key.description or key.id}"
                self.redline.open_desk(where, leaf=leaf, kin=kin)

    def plan_before(self, number: int) -> None:
        """The desk as it was just before compaction `number`, counted from 1."""
        session = self.review.session
        self.redline.open_desk(session.info, leaf=session.asked_leaf, before=number)

    async def _show_compaction(self, number: int) -> None:
        session = self.review.session
        past = session.compactions[number - 1]

        def told() -> list[str]:
            summary, again = summary_of(session, past), None
            if past.sealed is not None and unread(past):
                again = rebuilt(self.place.opened(session.info, session.asked_leaf, number))
            lines: list[str] = []
            for heading, text in told_of(past, summary, kept_by(session, past), again):
                lines += [f"[{heading}]", *(text.split("\n") if text else ()), ""]
            return lines

        lines = await in_thread(told)
        hint = "enter plans before it, esc leaves"

        def left(onward: bool | None) -> None:
            if onward:
                self.plan_before(number)

        self.app.push_screen(Card(f"compaction {number}", lines, hint=hint), left)
