"""The clipboard: a program of this machine first, the terminal's own way (OSC 52) else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redline.ui.trouble import say

if TYPE_CHECKING:
    from redline.ui.app import RedlineApp


def copy_text(app: RedlineApp, text: str) -> None:
    """Copies `text`, and says by which way."""
    from redline.targets.streams import TERMINAL_LIMIT

    if app.place.copy(text):
        say(app, f"copied, {len(text):,} characters")
    elif len(text.encode("utf-8", "replace")) <= TERMINAL_LIMIT:
        app.copy_to_clipboard(text)
        say(app, f"handed to the terminal's clipboard, {len(text):,} characters")
    else:
        say(app, "too long for the terminal's clipboard", severity="error")
