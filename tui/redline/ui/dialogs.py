"""Small questions: a line of text, or a choice."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from redline.ui.chrome import TooSmall
from redline.ui.field import Field
from redline.ui.items import Item, Items
from redline.ui.screen import Dialog
from redline.ui.untrusted import plain, untrusted


class Ask(Dialog[str]):
    """Asks for one line; enter gives it, escape nothing."""

    def __init__(self, title: str, value: str = "", hint: str = "") -> None:
        super().__init__()
        self._title = title
        self._value = plain(value).replace("\n", " ")
        self._hint = hint

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(untrusted(self._title), classes="dialog-title", markup=False)
            yield Field(self._value, id="answer", select_on_focus=False)
            yield Static(untrusted(self._hint), classes="dialog-hint", markup=False)
        yield TooSmall()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)


class Choose(Dialog[str]):
    """Asks for one of several; each choice is an entry whose key is a text."""

    def __init__(
        self, title: str, choices: Sequence[Item], current: str = "", word_width: int = 12
    ) -> None:
        super().__init__()
        self._title = title
        self._choices = tuple(choices)
        self._current = current
        self._word_width = word_width

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(untrusted(self._title), classes="dialog-title", markup=False)
            yield Items(id="choices", word_width=self._word_width)
        yield TooSmall()

    def on_mount(self) -> None:
        items = self.query_one("#choices", Items)
        items.show(self._choices)
        keys = [item.key for item in self._choices]
        if self._current in keys:
            items.cursor = keys.index(self._current)

    def on_line_list_opened(self) -> None:
        item = self.query_one("#choices", Items).current
        if item is not None:
            self.dismiss(str(item.key))
