"""The list that draws itself line by line: any number of rows without a widget for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip

from redline.ui.actions import bindings
from redline.ui.heights import Heights
from redline.ui.inks import Inked

Run = tuple[str, Style]


def strip_of(runs: Iterable[Run], width: int, base: Style) -> Strip:
    """One line of exactly `width` cells: the runs over `base`, cut or filled up."""
    segments = [Segment(text, base + style) for text, style in runs if text]
    return Strip(segments).adjust_cell_length(width, base)


def padded(text: str, width: int) -> str:
    """`text` filled up with blanks to `width` cells; longer text stays as it is."""
    return text + " " * (width - cell_len(text))


class LineList(ScrollView, Inked, can_focus=True):
    """Rows with a cursor. A subclass gives `render_row` and calls `set_rows`.

    Click moves the cursor, double click or enter opens. Rows may be taller than one line.
    """

    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = bindings("list")
    INKS: ClassVar[Mapping[str, str]] = {
        "lines--cursor": "bold on $row-cursor",
        "lines--cursor-blurred": "on $row-cursor-blurred",
        "lines--faint": "$faint",
        "lines--strong": "bold",
        "lines--heading": "bold $primary",
    }
    DEFAULT_CSS = """
    LineList {
        background: $surface;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        overflow-x: hidden;
    }
    """

    cursor: var[int] = var(0)

    class Highlighted(Message):
        """The cursor stands on another row."""

        def __init__(self, lines: LineList, row: int) -> None:
            super().__init__()
            self.lines = lines
            self.row = row

        @property
        def control(self) -> LineList:
            return self.lines

    class Opened(Highlighted):
        """Enter or double click on a row."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._heights = Heights(0)
        self._sized = (0, 0)  # width and lines when the cursor was last kept in sight

    # -- what a subclass gives -----------------------------------------------------------------

    def render_row(self, row: int, line: int, width: int) -> Strip:
        """Line `line` of `row`, `width` cells wide."""
        raise NotImplementedError

    def can_stand(self, row: int) -> bool:
        """Whether the cursor may stand on `row`; headings say no."""
        return 0 <= row < self._heights.rows

    # -- rows ----------------------------------------------------------------------------------

    @property
    def heights(self) -> Heights:
        return self._heights

    @property
    def line_width(self) -> int:
        """Cells of a line, without the scroll bar."""
        return max(0, self.scrollable_content_region.width)

    @property
    def page(self) -> int:
        """Lines that are visible."""
        return max(1, self.scrollable_content_region.height)

    def set_rows(self, heights: Heights, *, repaint: bool = True) -> None:
        """The rows are others now; the cursor stays on its place as far as there is one."""
        self._heights = heights
        self.virtual_size = Size(0, heights.total)
        if not self.can_stand(self.cursor):
            self.set_reactive(LineList.cursor, self._nearest(self.cursor))
        if repaint:
            self.refresh()

    @property
    def at_end(self) -> bool:
        """Whether the cursor stands on the last row."""
        return self.cursor >= self._heights.rows - 1

    def row_at(self, y: int) -> int | None:
        """The row at line `y` of the viewport."""
        line = y + self.scroll_offset.y
        return self._heights.locate(line)[0] if 0 <= line < self._heights.total else None

    def base_of(self, row: int) -> Style:
        """The style a row's line starts from."""
        if row != self.cursor:
            return self.ground
        name = "lines--cursor" if self.has_focus else "lines--cursor-blurred"
        return self.ground + self.style_of(name)

    def render_line(self, y: int) -> Strip:
        width = self.line_width
        line = y + self.scroll_offset.y
        if width <= 0 or not 0 <= line < self._heights.total:
            return Strip.blank(max(width, 0), self.ground)
        return self.render_row(*self._heights.locate(line), width)

    def refresh_row(self, row: int) -> None:
        """Repaints the visible lines of one row."""
        if 0 <= row < self._heights.rows:
            top = self._heights.top(row) - self.scroll_offset.y
            self.refresh_span(top, top + self._heights.height(row))

    def refresh_span(self, first: int, last: int) -> None:
        """Repaints viewport lines `first` to `last` (not included)."""
        first, last = max(first, 0), min(last, self.size.height)
        if first < last:
            self.refresh(Region(0, first, self.size.width, last - first))

    # -- the cursor ----------------------------------------------------------------------------

    def validate_cursor(self, cursor: int) -> int:
        return self._nearest(cursor)

    def watch_cursor(self, old: int, new: int) -> None:
        if old != new:
            self.cursor_moved(old, new)
        self.post_message(self.Highlighted(self, new))

    def cursor_moved(self, old: int, new: int) -> None:
        """Repaints what the cursor's move changes."""
        self.refresh_row(old)
        self.refresh_row(new)

    def go_to(self, row: int, *, centre: bool = False) -> None:
        """The cursor on `row`, which is scrolled into view."""
        self.cursor = row
        self.show_cursor(centre=centre)

    def stay_in_sight(self) -> None:
        """Shows the cursor in the size that the list has now. Where only its height is another one,
        as for a notice, a person who has scrolled away from the cursor stays there."""
        (width, page), self._sized = self._sized, (self.line_width, self.page)
        if not self._heights.rows:
            return
        into = self._heights.top(self.cursor) - self.scroll_offset.y
        if width != self.line_width or 0 <= into < page:
            self.show_cursor()

    def show_cursor(self, *, centre: bool = False) -> None:
        if not self._heights.rows:
            return
        top = self._heights.top(self.cursor)
        bottom = top + min(self._heights.height(self.cursor), self.page)
        first, page = self.scroll_offset.y, self.page
        lead = self.cursor  # the headings right above belong to the row
        while lead and not self.can_stand(lead - 1):
            lead -= 1
        above = self._heights.top(lead)
        if centre and not first <= top < first + page:
            self.scroll_to(y=max(0, top - page // 3), animate=False)
        elif above < first and bottom - above <= page:
            self.scroll_to(y=above, animate=False)
        elif top < first:
            self.scroll_to(y=top, animate=False)
        elif bottom > first + page:
            self.scroll_to(y=bottom - page, animate=False)

    def _nearest(self, row: int) -> int:
        """The row nearest to `row` that the cursor may stand on, 0 where there is none."""
        row = max(0, min(row, self._heights.rows - 1))
        for step in (1, -1):
            other = row
            while 0 <= other < self._heights.rows:
                if self.can_stand(other):
                    return other
                other += step
        return 0

    def _move(self, step: int) -> None:
        row = self.cursor + step
        while 0 <= row < self._heights.rows and not self.can_stand(row):
            row += step
        if 0 <= row < self._heights.rows:
            self.go_to(row)
        elif not self.can_stand(self.cursor):  # there are only lines to read
            self.scroll_relative(y=step, animate=False)
        elif step < 0:
            self.scroll_to(y=0, animate=False)

    def action_line_down(self) -> None:
        """Down; inside a row that does not fit, line by line."""
        bottom = self._heights.top(self.cursor) + self._heights.height(self.cursor)
        if self._heights.rows and bottom > self.scroll_offset.y + self.page:
            self.scroll_relative(y=1, animate=False)
        else:
            self._move(1)

    def action_line_up(self) -> None:
        if self._heights.rows and self._heights.top(self.cursor) < self.scroll_offset.y:
            self.scroll_relative(y=-1, animate=False)
        else:
            self._move(-1)

    def action_page_down(self) -> None:
        self._page(self.page - 1)

    def action_page_up(self) -> None:
        self._page(1 - self.page)

    def _page(self, lines: int) -> None:
        if not self._heights.rows:
            return
        top = self.scroll_offset.y
        beneath = min(max(self._heights.top(self.cursor) - top, 0), self.page - 1)
        self.scroll_to(y=top + lines, animate=False)
        last = max(0, self._heights.total - self.page)
        wanted = min(max(top + lines, 0), last) + beneath
        if not 0 < top + lines < last:  # the end: the cursor goes all the way
            wanted = 0 if lines < 0 else self._heights.total - 1
        self.cursor = self._heights.locate(max(0, min(wanted, self._heights.total - 1)))[0]

    def action_first(self) -> None:
        self.go_to(0)
        self.scroll_to(y=0, animate=False)

    def action_last(self) -> None:
        self.go_to(self._heights.rows - 1)

    def action_open(self) -> None:
        if self.can_stand(self.cursor):
            self.post_message(self.Opened(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        row = self.row_at(event.y)
        if row is None or not self.can_stand(row):
            return
        self.go_to(row)
        if event.chain == 2:
            self.action_open()

    def on_focus(self) -> None:
        self.refresh_row(self.cursor)

    def on_blur(self) -> None:
        self.refresh_row(self.cursor)

    def on_resize(self) -> None:
        self.call_after_refresh(self.stay_in_sight)
