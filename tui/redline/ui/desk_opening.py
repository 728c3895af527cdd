"""The way to a desk, from wherever a session is named."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from redline.agents.locating import Located, Place, locate
from redline.model import Session, SessionInfo
from redline.ui.opening import OpeningScreen
from redline.ui.threads import beside, in_thread
from redline.ui.trouble import say

if TYPE_CHECKING:
    from redline.review import Review
    from redline.ui.app import RedlineApp


def open_desk(
    app: RedlineApp,
    where: SessionInfo | Path | Session,
    leaf: str | None,
    before: int | None,
    at: Place | None,
    kin: str,
) -> None:
    """See `RedlineApp.open_desk`."""
    place = app.place

    def reviewed() -> tuple[Review, Located | None]:
        from redline.ui import desk, history  # noqa: F401 - loaded beside the screen
        from redline.ui.fillings import worked_out

        opened = where if isinstance(where, Session) else place.opened(where, leaf, before)
        found = None
        if at is not None:
            found = locate(opened, at, lambda name: place.opened(opened.info, name, None))
        return worked_out(place.review(found.session if found else opened)), found

    async def opening() -> None:
        review, found = await in_thread(reviewed)
        app.garbage.settle()
        from redline.ui.desk import DeskScreen

        for notice in place.news():
            say(app, notice, severity="warning", title="what redline stores")
        screen = DeskScreen(review, kin=kin, message=found.message if found else None)
        if isinstance(app.screen, OpeningScreen):
            await app.switch_screen(screen)
        else:
            await app.push_screen(screen)
        if at is not None and found is None:
            say(app, "The message is not on any branch of this session any more.")

    beside(app, partial(opening), "open")
