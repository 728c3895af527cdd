"""The catalogue is brought up to date beside the screens, and how far that has come."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from textual.message import Message

from redline.ui.threads import beside, in_thread

if TYPE_CHECKING:
    from datetime import datetime

    from redline.catalogue.refresh import Progress, Refreshed
    from redline.ui.app import RedlineApp


_AGAIN = 3.0  # seconds, at least, between two looks for what is new
_REST = 20  # times as long as a look took: it costs five per cent of a core at most
_SOON = 1.0  # seconds after which a look is worth a word


class IndexMoved(Message):
    """The list of sessions may be another (`listed`), or indexing has started or ended."""

    def __init__(self, *, listed: bool) -> None:
        super().__init__()
        self.listed = listed


class Indexing:
    """Refreshes the catalogue in a thread, one refresh at a time.

    `progress` is None while nothing is known of how far it is, `refreshed` what the last refresh
    gave. `complete` says that the list is whole, `at` when all was looked at last, and `seconds`
    what that took; the first look, which may have to read everything, does not count.
    """

    def __init__(self, app: RedlineApp) -> None:
        self._app = app
        self._given_up = threading.Event()
        self._rests = threading.Event()
        self._rests.set()
        self._once_more = False
        self._quiet = False
        self._began = self._ended = 0.0
        self.running = False
        self.complete = False
        self.progress: Progress | None = None
        self.refreshed: Refreshed | None = None
        self.at: datetime | None = None
        self.seconds = 0.0

    @property
    def busy(self) -> bool:
        """Whether there is something to tell of: not of a look now and then that is over soon."""
        return self.running and not (self._quiet and time.monotonic() < self._began + _SOON)

    def start(self) -> None:
        """Looks for what is new; where that is being done already, once more after it."""
        self._quiet = False
        self._start()

    def keep_up(self) -> None:
        """The same without a word, where the last look is long enough ago for what it cost."""
        rest = max(_AGAIN, self.seconds * _REST)
        if not self.running and time.monotonic() > self._ended + rest:
            self._quiet = True
            self._start()

    def _start(self) -> None:
        self._once_more = self.running
        if not self.running:
            self.running = True
            beside(self._app, self._refresh, "index")

    def stop(self, patience: float = 0.5) -> None:
        """Gives up, before redline is left; waits at most `patience` seconds for the thread."""
        self._given_up.set()
        self._rests.wait(patience)

    async def _refresh(self) -> None:
        self._began, first = time.monotonic(), not self.complete
        self._tell(listed=False)
        try:
            if not self.complete:  # the list first: it is there long before the texts are
                await self._step(texts=False)
                self.complete = True
                self._tell(listed=True)
            await self._step(texts=True)
            while self._once_more and not self._given_up.is_set():
                self._once_more = False
                await self._step(texts=True)
        finally:
            self.running, self.progress = False, None
            self._ended, self.at = time.monotonic(), self._app.place.now()
            self.seconds = 0.0 if first else self._ended - self._began
            self._tell(listed=True)

    async def _step(self, *, texts: bool) -> None:
        archive = self._app.place.archive

        def refresh() -> Refreshed:
            self._rests.clear()
            try:
                return archive.refresh(self._advance, texts, self._given_up.is_set)
            finally:
                self._rests.set()

        self.refreshed = await in_thread(refresh)

    def _advance(self, progress: Progress) -> None:
        """Called in the thread; the screens look at it when they draw."""
        self.progress = progress

    def _tell(self, *, listed: bool) -> None:
        for screen in self._app.screen_stack:
            screen.post_message(IndexMoved(listed=listed))
