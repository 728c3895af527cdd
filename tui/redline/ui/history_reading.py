"""Reads the history of a session beside the screen, and gives what it has meanwhile."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redline.facts.contents import Contents
from redline.facts.listing import Listing
from redline.model import Session
from redline.ui.history_items import contents_items
from redline.ui.history_rows import HistoryRows
from redline.ui.items import Item
from redline.ui.packed_messages import PackedMessages

_FIRST = 0.05  # seconds until the first rows are told of
_BETWEEN = 0.2
_SHARE = 20  # times as long as telling takes, between two times


@dataclass(frozen=True, slots=True)
class HistorySoFar:
    """What was read: its contents, laid out in rows, and as entries of the list beside them."""

    contents: Contents
    rows: HistoryRows
    entries: tuple[Item, ...]
    whole: bool


class HistoryReading:
    """One pass over the history. `messages` grows while it runs; `stop` ends it early. `weights`
    are the calibrated tokens of the context's messages (`Window.tokens`) by their ids."""

    def __init__(self, session: Session, tokens: Sequence[int]) -> None:
        self.session = session
        ids = (message.id for message in session.context)
        self.weights = dict(zip(ids, tokens, strict=True))
        self.messages = PackedMessages()
        self.latest: HistorySoFar | None = None
        self.stopped = False
        self._names = array("q")  # a number for each id: a set of ids would be ten times as large

    @property
    def whole(self) -> bool:
        """Whether everything was read."""
        return self.latest is not None and self.latest.whole

    def place_of(self, message: str) -> int | None:
        """The place of the message with that id, None where it was not read so far."""
        wanted = hash(message)
        for place, name in enumerate(self._names):
            if name == wanted and self.messages[place].id == message:
                return place
        return None

    def stop(self) -> None:
        self.stopped = True

    def run(
        self, tell: Callable[[HistorySoFar], None], give_way: Callable[[], None] = lambda: None
    ) -> None:
        """Reads it all, in the thread it is called in, which gives way after each message. Raises
        RedlineError where the file has changed since the session was opened."""
        listing = Listing(self.session)
        wait = time.monotonic() + _FIRST
        for message in self.session.source.history():
            if self.stopped:
                break
            listing.take(message)
            self.messages.append(message)
            self._names.append(hash(message.id))
            give_way()
            now = time.monotonic()
            if now >= wait:
                self._tell(listing, tell, whole=False)
                done = time.monotonic()
                wait = done + max(_BETWEEN, (done - now) * _SHARE)
        self._tell(listing, tell, whole=not self.stopped)

    def _tell(self, listing: Listing, tell: Callable[[HistorySoFar], None], *, whole: bool) -> None:
        contents = listing.so_far()
        rows = HistoryRows(contents, whole=whole)
        self.latest = HistorySoFar(contents, rows, tuple(contents_items(contents)), whole)
        tell(self.latest)
