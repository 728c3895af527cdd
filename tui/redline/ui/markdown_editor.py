"""The editor of the handoff."""

from __future__ import annotations

from typing import Any

from rich.text import Text
from textual.widgets import TextArea

from redline.text import safe


class MarkdownEditor(TextArea):
    """Plain text as it is, except that nothing in it acts on the terminal: each control character
    is shown as one picture, and stays what it is in the text."""

    HELP = (
        "The handoff as Markdown. Edit it as you like; sections that redline does not know are "
        "kept. The audit follows as you type. esc leaves the text, ctrl+s goes on to where it is "
        "written."
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(
            soft_wrap=True, tab_behavior="focus", show_line_numbers=False, compact=True, **options
        )
        self.indent_width = 4
        self.cursor_blink = False

    def get_line(self, line_index: int) -> Text:
        line = self.document.get_line(line_index)
        if not line.isprintable():
            line = "".join(map(_shown, line))
        return Text(line, end="", no_wrap=True)

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
