"""Cards: a text over the screen, to be read and left."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from redline.model import Message, Session
from redline.ui.bodies import read_body
from redline.ui.chrome import TooSmall
from redline.ui.marks import speaker
from redline.ui.screen import Dialog
from redline.ui.text_lines import TextLines
from redline.ui.untrusted import untrusted


class Card(Dialog[bool]):
    """Lines of text under a title, the cursor on number `at`. Enter gives True where the card
    leads somewhere."""

    BINDINGS = [("enter", "follow", "Go there"), ("q", "leave", "Leave")]  # noqa: RUF012

    def __init__(
        self,
        title: str,
        lines: Sequence[str],
        *,
        hint: str = "",
        difference: bool = False,
        at: int = 0,
    ) -> None:
        super().__init__()
        self._title = title
        self._lines = tuple(lines)
        self._hint = hint
        self._difference = difference
        self._at = at

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog card"):
            yield Static(untrusted(self._title), classes="dialog-title", markup=False)
            yield TextLines(id="card-lines", difference=self._difference)
            yield Static(untrusted(self._hint or "esc leaves"), classes="dialog-hint", markup=False)
        yield TooSmall()

    def on_mount(self) -> None:
        self.query_one("#card-lines", TextLines).show(self._lines, self._at)

    def on_line_list_opened(self) -> None:
        self.action_follow()

    def action_follow(self) -> None:
        self.dismiss(bool(self._hint))


def message_card(session: Session, name: str, above: Sequence[str] | None = None) -> Card | None:
    """The card of the message with the id `name`, also of one from before the last compaction; None
    where there is none. With `above` it only shows it, beneath these lines of a difference. Slow:
    not for the screen's own thread. Raises RedlineError."""
    for row, message in enumerate(session.context):
        if message.id == name:
            hint = "enter goes there, esc leaves"
            return _card(session, message, f"message {row + 1}", hint, above)
    for message in session.source.history():
        if message.id == name:
            hint = "enter shows it in the history, esc leaves"
            return _card(session, message, "not in the context any more", hint, above)
    return None


def _card(
    session: Session, message: Message, place: str, hint: str, above: Sequence[str] | None
) -> Card:
    lines: list[str] = []
    for heading, text in read_body(message, session.text).parts:
        lines += [f"[{heading}]", *text.split("\n"), ""]
    when = f", {message.time.astimezone():%Y-%m-%d %H:%M}" if message.time else ""
    title = f"{speaker(message)[0]}, {place}{when}"
    if above is None:
        return Card(title, lines, hint=hint)
    return Card(title, [*above, *(f" {line}" for line in lines)], difference=True)
