"""A commit taken back from a screen, and what is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redline.ui.card import Card
from redline.ui.threads import in_thread
from redline.ui.trouble import say

if TYPE_CHECKING:
    from redline.targets.undoing import FileUndone, UndoResult
    from redline.ui.screen import RedlineScreen


async def take_back(screen: RedlineScreen[None], receipt: str) -> UndoResult:
    """Undoes the commit of that receipt. What could not go back is shown: what was written, what
    is there now, and what an undo would have done to it. Raises RedlineError."""
    from redline.targets.receipts import Receipts

    place = screen.place
    result = await in_thread(
        lambda: Receipts(place.places).undo(receipt, now=place.now(), environment=place.environment)
    )
    told = [_told(file) for file in result.files]
    say(screen, "\n".join(told), severity="information" if result.complete else "warning")
    lines = [line for file in result.files for line in _refused(file)]
    if lines:
        screen.app.push_screen(Card("These stay as they are", lines, difference=True))
    return result


def _told(file: FileUndone) -> str:
    what = "left as it is" if file.refused else file.outcome.value
    return f"{what}: {file.path}" + (f" ({file.detail})" if file.detail else "")


def _refused(file: FileUndone) -> list[str]:
    if not file.since and not file.back:
        return []
    return [
        f"{file.path}: {file.detail}",
        "",
        "from what was written to what it holds now",
        *file.since,
        "",
        "from what it holds now to what it held before",
        *file.back,
        "",
    ]
