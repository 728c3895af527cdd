"""The search for garbage never comes in the middle of something.

Python searches all values for garbage whenever there are a quarter more of them than before: with
Textual's own and those of 20,000 sessions that takes 130 ms, with ten opened sessions a second.
Counting references frees nearly everything at once; what is left are cycles, such as the widgets of
a screen that was closed, and its painted lines. Small searches, of new values only, go on as ever.
"""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redline.ui.app import RedlineApp

_SELDOM = 1_000  # times that younger values are searched, before all are without being asked
_SWITCH = 0.001  # seconds that a thread may run before the screen gets its turn
_SOON = 0.1  # seconds after a screen was left: nothing large was opened since


class Garbage:
    """Decides what is searched, and when. Does nothing until it has taken over."""

    def __init__(self, app: RedlineApp) -> None:
        self._app = app
        self._mine = False

    def take_over(self) -> None:
        """From now on what is older is searched by `rest`, and seldom without it; for a program
        that ends with the screens."""
        self._mine = True
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, _SELDOM)
        sys.setswitchinterval(_SWITCH)
        gc.freeze()

    def settle(self) -> None:
        """What is alive now, such as a session that was just opened, is never searched. Call it
        before the screen that shows it is made: a screen that settled is not found when it is left,
        and lets go of what is large itself."""
        if self._mine:
            gc.freeze()

    def rest(self) -> None:
        """A screen was left: it is searched for at once, before anything large is opened again."""
        if self._mine:
            self._app.set_timer(_SOON, self._search)

    def _search(self) -> None:
        gc.collect()
