"""Help for what has the focus: what it is, and every key that holds there."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Static

from redline.ui.actions import COMMANDS, display
from redline.ui.chrome import TooSmall, contexts
from redline.ui.items import Item, Items
from redline.ui.screen import Dialog
from redline.ui.untrusted import untrusted


class HelpScreen(Dialog[None]):
    """A card over the screen it explains."""

    BINDINGS = [("question_mark,f1,q", "leave", "Leave")]  # noqa: RUF012

    def __init__(self, screen: Screen[object]) -> None:
        super().__init__()
        self._about = [
            text
            for node in (screen.focused or screen).ancestors_with_self
            if isinstance(text := getattr(node, "HELP", None), str) and text
        ]
        self._contexts = [name for name, _node in contexts(screen)]

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog help"):
            yield Static(untrusted("Help"), classes="dialog-title", markup=False)
            yield Static(untrusted("\n\n".join(self._about)), id="about", markup=False)
            yield Items(id="keys", word_width=12)
        yield TooSmall()

    def on_mount(self) -> None:
        keymap = getattr(self.app, "keys", {})
        items: list[Item] = []
        for name in dict.fromkeys(self._contexts):
            items.append(Item(name, heading=True))
            for command in COMMANDS[name]:
                keys = keymap.get(command.name, command.keys)
                shown = " ".join(display(key) for key in keys.split(","))
                items.append(Item(command.help, word=shown, style="warn", lines=2))
        self.query_one("#keys", Items).show(items)
