"""The editor of the handoff."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from rich.style import Style
from rich.text import Text
from textual.events import Key
from textual.widgets import TextArea

from redline.text import safe
from redline.ui.keys_in_order import act_in_order

_SOURCE = re.compile(r" +- (?:id|message): ")  # where an entry comes from, for redline to read back


class MarkdownEditor(TextArea):
    """Plain text as it is, except that nothing in it acts on the terminal: each control character
    is shown as one picture, and stays what it is in the text."""

    HELP = (
        "The handoff as Markdown. Edit it as you like; sections that redline does not know are "
        "kept. The audit follows as you type. esc leaves the text, ctrl+s goes on to where it is "
        "written."
    )

    COMPONENT_CLASSES: ClassVar[set[str]] = {"editor--heading", "editor--source", "editor--doubt"}
    DEFAULT_CSS = """
    MarkdownEditor {
        & > .editor--heading { color: $primary; text-style: bold; }
        & > .editor--source { color: $faint; }
        & > .editor--doubt { color: $warning; text-style: underline; }
    }
    """

    def __init__(self, **options: Any) -> None:
        self._component: dict[str, Style] = {}
        self._doubted: dict[int, list[tuple[int, str]]] = {}
        super().__init__(
            soft_wrap=True, tab_behavior="focus", show_line_numbers=False, compact=True, **options
        )
        self.indent_width = 4
        self.cursor_blink = False

    async def on_key(self, event: Key) -> None:
        await act_in_order(self, event)

    def get_line(self, line_index: int) -> Text:
        line = self.document.get_line(line_index)
        if not line.isprintable():
            line = "".join(map(_shown, line))
        text = Text(line, end="", no_wrap=True)
        if line.startswith("#"):
            text.stylize(self._style("editor--heading"))
        elif _SOURCE.match(line):
            text.stylize(self._style("editor--source"))
        for start, doubted in self._doubted.get(line_index, ()):
            if line.startswith(doubted, start):  # it may have been typed over meanwhile
                text.stylize(self._style("editor--doubt"), start, start + len(doubted))
        return text

    def doubt(self, places: Iterable[tuple[int, int]]) -> None:
        """Marks what stands at `places` (from, to) in the text."""
        text = self.text
        marked: dict[int, list[tuple[int, str]]] = {}
        for start, end in places:
            row, column = self._location(text, start)
            marked.setdefault(row, []).append((column, text[start:end]))
        if marked != self._doubted:
            self._doubted = marked
            self.notify_style_update()  # the painted lines are kept by Textual
            self.refresh()

    def go_to(self, place: int) -> None:
        """The cursor to a place in the text."""
        self.move_cursor(self._location(self.text, place), center=True)

    def _location(self, text: str, place: int) -> tuple[int, int]:
        before = text[:place]
        return before.count("\n"), place - (before.rfind("\n") + 1)

    def _style(self, name: str) -> Style:
        found = self._component.get(name)
        if found is None:
            found = self.get_component_rich_style(name, partial=True)
            self._component[name] = found
        return found

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._component.clear()

    def take(self, text: str) -> None:
        """`text` in the place of the whole; one step of the editor's own undo."""
        if text != self.text:
            row = self.cursor_location[0]
            self.replace(text, (0, 0), self.document.end, maintain_selection_offset=False)
            self.move_cursor((min(row, self.document.line_count - 1), 0))


def _shown(character: str) -> str:
    if character == "\t" or character.isprintable():
        return character
    return safe(character)[:1] or " "
