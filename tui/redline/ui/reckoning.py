"""What the session on the desk has cost so far, worked out beside the screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from textual.dom import DOMNode

from redline.errors import RedlineError
from redline.model import Session
from redline.settings import Settings
from redline.ui.threads import beside, in_thread

_REST = 20.0  # times as long as it took, until a session that grew is looked through again
_LEAST = 3.0  # seconds of that rest


class Reckoning:
    """`words` are those of the last sum; `told` is called when there are others."""

    def __init__(self, node: DOMNode, settings: Settings, told: Callable[[], None]) -> None:
        self.words = ""
        self._node = node
        self._settings = settings
        self._told = told
        self._wanted: Session | None = None
        self._busy = False

    def want(self, session: Session) -> None:
        """Sees to it that the words are those of `session` soon."""
        if session is not self._wanted:
            self._wanted = session
            if not self._busy:
                self._busy = True
                self._begin()

    def _begin(self) -> None:
        beside(self._node, self._reckon, "reckoning")

    async def _reckon(self) -> None:
        from redline.context.spending import spending

        session, begun = self._wanted, time.monotonic()
        assert session is not None
        try:
            found = await in_thread(partial(spending, session, self._settings))
        except RedlineError:
            found = None  # the file is gone, or another one now: the last sum stands
        if found is not None and found.words != self.words:
            self.words = found.words
            self._told()
        rest = max(_LEAST, (time.monotonic() - begun) * _REST)
        self._node.set_timer(rest, partial(self._rested, session))

    def _rested(self, session: Session) -> None:
        if self._wanted is session:
            self._busy = False
        else:
            self._begin()
