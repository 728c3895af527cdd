"""What the session under the cursor holds: measured once the cursor rests."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from redline.model import SessionInfo
from redline.ui.bar import Bars, Filling
from redline.ui.curve import Curve
from redline.ui.items import Items
from redline.ui.panes import Pane
from redline.ui.roster import Key, Roster, key_of
from redline.ui.screen import RedlineScreen
from redline.ui.session_details import Insight, detail_items
from redline.ui.threads import beside, in_thread

if TYPE_CHECKING:
    from redline.ui.app import RedlineApp
    from redline.ui.surroundings import Surroundings

_KEPT = 20  # sessions whose insight is kept
_SLOWER = 10  # times the rest, before a session that has grown is measured again


class SessionPane(Pane):
    """The window as a bar, its course over the session, and the rest in words."""

    def __init__(self, roster: Roster, *, id: str, classes: str) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._roster = roster
        self._info: SessionInfo | None = None
        self._insights: dict[Key, tuple[int, Insight]] = {}
        self._measured: tuple[Key, int] | None = None
        self._turn = threading.Lock()

    @property
    def _redline(self) -> RedlineApp:
        from redline.ui.app import RedlineApp

        assert isinstance(self.app, RedlineApp)
        return self.app

    @property
    def _place(self) -> Surroundings:
        return self._redline.place

    def show(self, info: SessionInfo | None) -> None:
        """Tells of `info`, at first what the list knows."""
        self._info = info
        bars, curve = self.query_one("#mini", Bars), self.query_one("#course", Curve)
        if info is None:
            self.workers.cancel_group(self, "details")
            self._measured = None
            self.query_one("#details", Items).show(())
            bars.clear()
            curve.show(None, None)
            return
        size, insight = self._insights.get(key_of(info), (-1, None))
        self._tell(info, insight)
        if size == info.size or self._measured == (key_of(info), info.size):
            return
        screen = self.screen
        if isinstance(screen, RedlineScreen) and not screen.in_front:
            return  # what stands over it has the whole machine
        self._measured = key_of(info), info.size
        if insight is None:
            bars.clear("measuring ...")
            curve.show(None, None)
        rest = self._place.pause / 2 * (1 if insight is None else _SLOWER)
        beside(self, partial(self._measure, info, rest), "details")

    def _tell(self, info: SessionInfo, insight: Insight | None) -> None:
        details = self.query_one("#details", Items)
        details.show(detail_items(info, self._roster, insight, self._place.now()))
        if insight is not None:
            window = insight.window
            self.query_one("#mini", Bars).show(
                Filling(window.categories, window.limit, window.reserve or 0, window.source.value)
            )
            self.query_one("#course", Curve).show(insight.course, window.limit)

    async def _measure(self, info: SessionInfo, rest: float) -> None:
        """Opens and measures `info` after `rest` seconds: a cursor that only passes by opens
        nothing. Course and cost, which need the whole history, come last."""
        await asyncio.sleep(rest)
        app, place = self._redline, self._place
        insight = await in_thread(partial(self._insight, info))
        if insight is None:
            return
        self._keep(info, insight)
        app.garbage.settle()

        def followed() -> Insight:
            from redline.context.course import course

            return replace(insight, course=course(insight.session))

        told = await in_thread(followed)
        self._keep(info, told)

        def paid() -> Insight:
            from redline.context.spending import spending

            return replace(told, spending=spending(insight.session, place.settings))

        self._keep(info, await in_thread(paid))

    def _insight(self, info: SessionInfo) -> Insight | None:
        """Not for the screen's own thread. One is measured at a time; None for one that is not
        looked at any more when its turn comes."""
        with self._turn:
            wanted = self._measured == (key_of(info), info.size)
            return self._place.insight(info) if wanted else None

    def _keep(self, info: SessionInfo, insight: Insight) -> None:
        key = key_of(info)
        while len(self._insights) >= _KEPT:
            del self._insights[next(iter(self._insights))]
        self._insights[key] = (info.size, insight)
        if self._info is not None and key_of(self._info) == key:
            self._tell(self._info, insight)
