"""Finding a text on the desk."""

from __future__ import annotations

from functools import partial

from textual.widgets import Input

from redline.model import Session
from redline.review import Review
from redline.text import counted
from redline.ui.panes import PaneTitle
from redline.ui.screen import RedlineScreen
from redline.ui.searching import Search
from redline.ui.threads import beside, in_thread
from redline.ui.transcript import Transcript


class DeskFinding(RedlineScreen[None]):
    """The part of the desk that looks through the bodies of its transcript."""

    review: Review

    def __init__(self) -> None:
        super().__init__()
        self._search = Search()

    @property
    def looks_for_text(self) -> bool:
        """Whether the transcript's title tells what was found."""
        return bool(self._search.text)

    def action_find(self) -> None:
        field = self.query_one("#find", Input)
        field.display = True
        field.focus()

    def close_find(self) -> None:
        self.query_one("#find").display = False
        self.query_one("#transcript").focus()

    def find(self, text: str) -> None:
        self._search = Search(text.strip())
        self.query_one("#transcript", Transcript).find(())
        self.query_one("#transcript-title", PaneTitle).show("")
        if self._search.text:
            beside(self, partial(self._look_for, self._search, self.review.session), "find")

    async def _look_for(self, search: Search, session: Session) -> None:
        """Looks through all bodies, a batch at a time, and shows what is found as it goes."""
        transcript = self.query_one("#transcript", Transcript)
        title = self.query_one("#transcript-title", PaneTitle)
        here = transcript.cursor
        gone = False
        for batch in search.batches(len(session.context)):
            await in_thread(partial(search.look, session, batch))
            transcript.find(search.rows)
            onward = "; n N go on" if len(search.rows) > 1 else ""
            state = onward if batch.stop >= len(session.context) else " ..."
            title.show(f"{len(search.rows)} of {len(session.context):,} hold it{state}")
            if not gone and (row := search.next(here - 1, 1)) is not None:
                transcript.go_to(row, centre=True)
                gone = True
        unread = counted(len(search.unread), "message") if search.unread else ""
        if unread:
            self.say(f"{unread} could not be read", severity="warning")
        elif not search.rows:
            self.say(f"{search.text!r} is not in the context")

    def action_find_next(self, step: int) -> None:
        transcript = self.query_one("#transcript", Transcript)
        row = self._search.next(transcript.cursor, step)
        if row is not None:
            transcript.go_to(row, centre=True)
