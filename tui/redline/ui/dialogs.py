"""Small questions: a line of text, or a choice."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from redline.ui.chrome import TooSmall
from redline.ui.field import Field
from redline.ui.items import Item, Items
from redline.ui.panes import PaneTitle
from redline.ui.screen import Dialog
from redline.ui.untrusted import plain, untrusted

_WIDEST_WORD = 20  # cells


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

    def __init__(self, title: str, choices: Sequence[Item], current: str = "") -> None:
        super().__init__()
        self._title = title
        self._choices = tuple(choices)
        self._current = current

    def compose(self) -> ComposeResult:
        words = max((cell_len(item.word) for item in self._choices), default=0)
        with Vertical(classes="dialog"):
            yield PaneTitle(self._title, id="choices-title", classes="dialog-title")
            yield Items(id="choices", word_width=min(words, _WIDEST_WORD))
        yield TooSmall()

    def on_mount(self) -> None:
        self.query_one("#choices-title", PaneTitle).show("enter takes it, esc leaves it")
        items = self.query_one("#choices", Items)
        items.show(self._choices)
        keys = [item.key for item in self._choices]
        if self._current in keys:
            items.cursor = keys.index(self._current)

    def on_line_list_opened(self) -> None:
        item = self.query_one("#choices", Items).current
        if item is not None:
            self.dismiss(str(item.key))
