"""The catalogue is brought up to date beside the screens, and how far that has come."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from redline.ui.threads import beside, in_thread

if TYPE_CHECKING:
    from redline.catalogue.refresh import Progress
    from redline.ui.app import RedlineApp


class IndexMoved(Message):
    """The list of sessions may be another (`listed`), or indexing has started or ended."""

    def __init__(self, *, listed: bool) -> None:
        super().__init__()
        self.listed = listed


@dataclass(frozen=True, slots=True)
class Step:
    """How far indexing has come: sessions and bytes, done and in all."""

    done: int
    total: int
    done_bytes: int
    total_bytes: int


class Indexing:
    """Refreshes the catalogue in a thread, one refresh at a time. `step` is None while nothing is
    known of how far it is; `failed` says what went wrong with the last."""

    def __init__(self, app: RedlineApp) -> None:
        self._app = app
        self._given_up = threading.Event()
        self._once_more = False
        self._thread_rests = threading.Event()
        self._thread_rests.set()
        self.running = False
        self.complete = False
        self.step: Step | None = None
        self.failed = ""
        self.seconds = 0.0

    def start(self) -> None:
        """Looks for what is new; where that is being done already, once more after it."""
        if self.running:
            self._once_more = True
            return
        self.running = True
        beside(self._app, self._refresh, "index")

    def stop(self, patience: float = 0.5) -> None:
        """Gives up, before redline is left; waits at most `patience` seconds for the thread."""
        self._given_up.set()
        self._thread_rests.wait(patience)

    async def _refresh(self) -> None:
        place = self._app.place
        started = time.monotonic()
        self._tell(listed=False)
        try:
            self._once_more = True
            while self._once_more and not self._given_up.is_set():
                self._once_more = False
                if not self.complete:  # the list first: it is there long before the texts are
                    await in_thread(
                        partial(
                            self._work,
                            lambda: place.archive.refresh(
                                self._advance, False, self._given_up.is_set
                            ),
                        )
                    )
                    self._tell(listed=True)
                await in_thread(
                    partial(
                        self._work,
                        lambda: place.archive.refresh(self._advance, True, self._given_up.is_set),
                    )
                )
                self.complete = not self._given_up.is_set()
                self.failed = ""
        except Exception as error:
            self.failed = str(error)
            raise  # it is a notice, as any other
        finally:
            self.running, self.step = False, None
            self.seconds = time.monotonic() - started
            self._tell(listed=True)

    def _work(self, function: Callable[[], object]) -> None:
        self._thread_rests.clear()
        try:
            function()
        finally:
            self._thread_rests.set()

    def _advance(self, progress: Progress) -> None:
        """Called in the thread; the screens look at `step` when they draw."""
        self.step = Step(progress.done, progress.total, progress.done_bytes, progress.total_bytes)

    def _tell(self, *, listed: bool) -> None:
        for screen in self._app.screen_stack:
            screen.post_message(IndexMoved(listed=listed))
