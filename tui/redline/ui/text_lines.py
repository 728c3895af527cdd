"""Text to be read, line by line: differences, and messages on cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.style import Style
from textual.strip import Strip

from redline.ui.heights import Heights
from redline.ui.lines import LineList, strip_of
from redline.ui.untrusted import wrapped

MOST_LINES = 20_000


class TextLines(LineList):
    """Lines of text, wrapped. A line of a difference has its colour by its first character."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("list",)
    INKS: ClassVar[Mapping[str, str]] = {
        "text-lines--added": "on $added",
        "text-lines--removed": "on $removed",
        "text-lines--place": "$primary",
        "text-lines--title": "bold $faint",
    }

    def __init__(self, *, id: str | None = None, difference: bool = False) -> None:  # noqa: A002
        super().__init__(id=id)
        self._difference = difference
        self._source: tuple[str, ...] = ()
        self._shown: list[tuple[str, str]] = []
        self._shown_width = -1
        self._at = 0

    @property
    def shown(self) -> str:
        """The lines as they are shown, for tests and for the clipboard."""
        return "\n".join(text for text, _ in self._shown)

    def show(self, lines: Sequence[str], at: int = 0) -> None:
        """Shows `lines`, the cursor on number `at` of them."""
        self._source, self._at = tuple(lines), at
        self.cursor = 0
        self.scroll_to(y=0, animate=False)
        self._lay_out()

    def _lay_out(self) -> None:
        width = self._shown_width = self.line_width
        self._shown = []
        row = 0
        if width > 0:
            for number, line in enumerate(self._source):
                row = len(self._shown) if number == self._at else row
                style = self._style_name(line, number) if self._difference else ""
                mark, rest = (line[:1], line[1:]) if self._difference else ("", line)
                shown, _ = wrapped(rest, width - 3, MOST_LINES)
                for place, text in enumerate(shown or [""]):
                    self._shown.append((f"{mark if not place else ' ' * len(mark)}{text}", style))
                if len(self._shown) > MOST_LINES:
                    self._shown.append((f"{len(self._source) - number - 1} lines more", "title"))
                    break
        self.set_rows(Heights(len(self._shown)))
        if row:
            self._at = 0  # once: where the cursor goes from there is the reader's affair
            self.go_to(row, centre=True)

    @staticmethod
    def _style_name(line: str, number: int) -> str:
        if number < 2 and line.startswith(("---", "+++")):
            return "title"
        return {"+": "added", "-": "removed", "@": "place"}.get(line[:1], "")

    def on_resize(self) -> None:
        if self.line_width != self._shown_width:
            self._lay_out()

    def render_row(self, row: int, line: int, width: int) -> Strip:  # noqa: ARG002 - one line each
        text, name = self._shown[row]
        style = self.style_of(f"text-lines--{name}") if name else Style()
        base = self.ground + style
        if row == self.cursor and self.has_focus:
            base = base + self.style_of("lines--cursor")
        return strip_of([(f" {text}", Style())], width, base)
