"""What a crash left of an earlier commit, finished from a screen and told in a notice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from redline.ui.threads import in_thread
from redline.ui.trouble import say

if TYPE_CHECKING:
    from textual.app import App
    from textual.widget import Widget

    from redline.targets.recovering import Recovered
    from redline.ui.surroundings import Surroundings


async def recovered(where: App[Any] | Widget, place: Surroundings) -> None:
    """Finishes what crashes have cut short, and says so."""

    def finish() -> tuple[Recovered, ...]:
        from redline.targets.recovering import recover

        return recover(place.places, place.now(), environment=place.environment)

    found = await in_thread(finish)
    if found:
        told = "\n".join(one.told for one in found)
        left = any(one.why for one in found)
        say(where, told, severity="warning" if left else "information", title="after a crash")
