"""What a person decided is stored a moment after it was decided, and at the latest on leaving."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.timer import Timer

from redline.errors import RedlineError
from redline.ui.threads import beside, in_thread

if TYPE_CHECKING:
    from redline.review import Review
    from redline.stored import SessionKey
    from redline.ui.app import RedlineApp


class Keeping:
    """Stores the newest review of each session, beside the screen."""

    def __init__(self, app: RedlineApp) -> None:
        self._app = app
        self._waiting: dict[SessionKey, Review] = {}
        self._timer: Timer | None = None

    def soon(self, review: Review) -> None:
        """Stores the decisions of `review` once nothing has changed for a moment."""
        from redline.drafts import key_of

        self._waiting[key_of(review.session)] = review
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._app.set_timer(self._app.place.pause, self._beside)

    def now(self) -> str:
        """Stores what waits, before redline is left; what could not be stored, in words."""
        waiting, self._waiting = self._waiting, {}
        lost = []
        for review in waiting.values():
            try:
                self._app.place.keep(review)
            except RedlineError as error:
                lost.append(f"what you decided about {review.session.info.title!r} is not stored: ")
                lost[-1] += error.message
        return "\n".join(lost)

    def _beside(self) -> None:
        waiting, self._waiting = self._waiting, {}

        async def keep() -> None:
            for key, review in waiting.items():
                try:
                    await in_thread(partial(self._app.place.keep, review))
                except RedlineError:
                    self._waiting.setdefault(key, review)  # tried again, at the latest by now
                    raise

        beside(self._app, keep, "keep", exclusive=False)
