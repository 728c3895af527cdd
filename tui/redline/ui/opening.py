"""What is seen while a session that was named on the command line is being opened."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget
from textual.widgets import Static

from redline.ui.screen import RedlineScreen
from redline.ui.untrusted import untrusted


class OpeningScreen(RedlineScreen[None]):
    """One line that says which session is opened."""

    NAME = "Opening"

    def __init__(self, title: str) -> None:
        super().__init__()
        self._subject = title

    def compose_body(self) -> Iterable[Widget]:
        yield Static(untrusted("reading the session ..."), id="opening", markup=False)

    def on_mount(self) -> None:
        self.entitle(self._subject)
