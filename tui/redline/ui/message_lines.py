"""Messages one line each; enter opens one whole beneath its line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.style import Style
from textual.message import Message as Event
from textual.strip import Strip

from redline.context.window import Category
from redline.model import Message
from redline.ui.bodies import Body, head_of
from redline.ui.heights import Heights
from redline.ui.lines import LineList, strip_of
from redline.ui.marks import TIED
from redline.ui.untrusted import fitted, plain, wrapped

SHOWN_LINES = 1_000  # of an opened message; the rest is said to be there
SHOWN_CHARACTERS = 400_000


class MessageLines(LineList):
    """What a subclass gives: which message a row is, and its line."""

    INKS: ClassVar[Mapping[str, str]] = {
        "messages--system": "$category-system",
        "messages--user": "bold $category-user",
        "messages--assistant": "$category-assistant",
        "messages--thinking": "$category-thinking",
        "messages--tool": "$category-tool",
        "messages--summary": "$category-summary",
        "messages--mark-keep": "$success",
        "messages--mark-clear": "$category-tool",
        "messages--mark-shorten": "$category-tool",
        "messages--mark-quote": "$category-user",
        "messages--mark-summarise": "$faint",
        "messages--mark-drop": "$error",
        "messages--number": "$faint",
        "messages--gone": "$faint",
        "messages--prompt": "bold",
        "messages--part": "$primary",
        "messages--body": "$foreground",
    }

    class BodyWanted(Event):
        """A row was opened whose body is not read yet. `name` is what the body is given back by."""

        def __init__(self, lines: MessageLines, name: str, message: Message | None) -> None:
            super().__init__()
            self.lines = lines
            self.name = name
            self.message = message

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._bodies: dict[str, Body] = {}
        self._opened: set[str] = set()
        self._lines: dict[str, list[tuple[str, bool]]] = {}
        self._lines_width = 0
        self._heads: dict[int, tuple[int, str]] = {}

    # -- what a subclass gives -----------------------------------------------------------------

    def row_count(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def name_of(self, row: int) -> str:
        """What the row is called, however many rows come before it."""
        raise NotImplementedError

    def row_named(self, name: str) -> int | None:
        """The row of that name."""
        raise NotImplementedError

    def message_at(self, row: int) -> Message | None:
        """The message that the row is, None where it is something else that opens."""
        raise NotImplementedError

    def extra_lines(self) -> Mapping[int, int]:
        """Lines of rows above their own."""
        return {}

    # -- opened rows ---------------------------------------------------------------------------

    def action_open(self) -> None:
        """Opens the row under the cursor, or closes it."""
        if self.heights.rows:
            self.toggle(self.cursor)

    def toggle(self, row: int) -> None:
        name = self.name_of(row)
        if name in self._opened:
            self._opened.discard(name)
        else:
            self._opened.add(name)
            if name not in self._bodies:
                self.post_message(self.BodyWanted(self, name, self.message_at(row)))
        self.measure_again()

    def is_open(self, row: int) -> bool:
        return self.name_of(row) in self._opened

    def give_body(self, name: str, body: Body) -> None:
        """The body that was wanted."""
        if len(self._bodies) > 200:
            kept = {other: held for other, held in self._bodies.items() if other in self._opened}
            self._bodies = kept
        self._bodies[name] = body
        self._lines.pop(name, None)
        if name in self._opened:
            self.measure_again()

    def body(self, name: str) -> Body | None:
        return self._bodies.get(name)

    def measure_again(self) -> None:
        """The rows anew; what stands at the top stays there."""
        first = self.scroll_offset.y
        row, into = self.heights.locate(first) if self.heights.total else (0, 0)
        self.set_rows(self.measured())
        if self.heights.rows:
            wanted = self.heights.top(row) + min(into, self.heights.height(row) - 1)
            self.scroll_to(y=wanted, animate=False)
            self.call_after_refresh(self.show_cursor)

    def measured(self) -> Heights:
        width = self.line_width
        if width != self._lines_width:
            self._lines.clear()
            self._lines_width = width
        extra = dict(self.extra_lines())
        for name in self._opened:
            row = self.row_named(name)
            if row is not None:
                extra[row] = extra.get(row, 0) + len(self._opened_lines(name))
        return Heights(self.row_count(), extra)

    def _opened_lines(self, name: str) -> list[tuple[str, bool]]:
        """The lines under an opened row, each with whether it is a heading."""
        found = self._lines.get(name)
        if found is not None:
            return found
        body = self._bodies.get(name)
        if body is None:
            return [("reading ...", True)]
        lines: list[tuple[str, bool]] = []
        for heading, text in body.parts:
            lines.append((plain(heading), True))
            room = max(1, SHOWN_LINES - len(lines))
            shown, hidden = wrapped(text[:SHOWN_CHARACTERS], self._lines_width - 9, room)
            lines += [(line, False) for line in shown if text]
            hidden += max(0, len(text) - SHOWN_CHARACTERS)
            if hidden > 0:
                lines.append((f"{hidden:,} characters more; ctrl+c copies the whole text", True))
        lines.append(("", False))
        self._lines[name] = lines
        return lines

    def on_resize(self) -> None:
        if self.line_width != self._lines_width:
            self._heads.clear()
            self.measure_again()

    # -- lines ---------------------------------------------------------------------------------

    def body_line(self, row: int, line: int, width: int) -> Strip:
        """Line `line` beneath an opened row, from 0."""
        lines = self._opened_lines(self.name_of(row))
        text, heading = lines[line] if line < len(lines) else ("", False)
        style = self.style_of("messages--part" if heading else "messages--body")
        gutter = ("  " if row != self.cursor else f"{TIED} ", self.style_of("messages--number"))
        indent = "     " if heading else "       "
        return strip_of([gutter, (f"{indent}{text}", style)], width, self.ground)

    def category_style(self, category: Category) -> Style:
        return self.style_of(f"messages--{category.value}")

    def head(self, row: int, message: Message, project: str | None, width: int) -> str:
        """The line of a message in at most `width` cells."""
        known = self._heads.get(row)
        if known is not None and known[0] == width:
            return known[1]
        text = fitted(head_of(message, project), width).plain
        if len(self._heads) > 20_000:
            self._heads.clear()
        self._heads[row] = (width, text)
        return text
