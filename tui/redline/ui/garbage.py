"""The search for garbage never comes in the middle of something, and never takes long.

Counting references frees nearly everything at once (see `painted`); what is left are cycles, such
as the widgets of a screen that was closed. Python searches for them whenever a
number of values was made, in whatever thread that happens, and sometimes among all values there
are: with those of 20,000 sessions that takes 130 ms, with ten opened sessions a second. Here it is
done a few times a second by the screen's own thread, among what is new; what a session is made of
is never searched.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redline.ui.app import RedlineApp

_EVERY = 0.5  # seconds between two looks at how much is new
_SOME = 5_000  # new values that are worth a search, which takes about 2 ms
_AGED = 20_000  # values that were searched once, until they are searched again
_MANY = 30_000  # values that are too many to be searched: something large was read


class Garbage:
    """Decides what is searched, and when. Does nothing until it has taken over."""

    def __init__(self, app: RedlineApp) -> None:
        self._app = app
        self._mine = False
        self._left = False
        self._aged = 0

    def take_over(self) -> None:
        """From now on nothing is searched but by `tidy`; for a program that ends with the
        screens."""
        self._mine = True
        gc.disable()
        gc.freeze()

    def start(self) -> None:
        """Tidies from time to time, as long as the screens run."""
        if self._mine:
            self._app.set_interval(_EVERY, self.tidy)

    def settle(self) -> None:
        """What is alive now, such as a session that was just opened, is never searched. Call it
        before the screen that shows it is made: a screen that settled is not found when it is left,
        and lets go of what is large itself."""
        if self._mine:
            gc.freeze()

    def rest(self) -> None:
        """A screen was left: it is searched for soon, before anything large is opened again."""
        self._left = True

    def tidy(self) -> None:
        """Searches what is new, where that is worth it; now and then, and where a screen was left,
        all that did not settle. What is too much for that settles."""
        new = gc.get_count()[0]
        if new > _MANY:
            self.settle()
        elif self._left or self._aged > _AGED:
            self._left, self._aged = False, 0
            if len(gc.get_objects()) > 2 * _MANY:
                self.settle()
            else:
                gc.collect()
        elif new > _SOME:
            self._aged += max(0, new - gc.collect(0))
