"""The context over the session, drawn small: how it grew, and where it was compacted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from redline.context.course import Course
from redline.text import counted
from redline.ui.inks import Inked
from redline.ui.marks import short

# Braille patterns are one cell wide everywhere, which block characters are not. Each cell is two
# columns of four dots, from the bottom up:
_LEFT = (0x40, 0x04, 0x02, 0x01)
_RIGHT = (0x80, 0x20, 0x10, 0x08)
_BLANK = 0x2800


def columns(values: Sequence[int], count: int) -> list[int]:
    """`values` as `count` columns: the highest of those that share one, or each over several."""
    total = len(values)
    if not total or not count:  # nothing to draw, or no place yet
        return []
    bounds = [place * total // count for place in range(count + 1)]
    return [max(values[first : max(last, first + 1)]) for first, last in pairwise(bounds)]


def drawn(values: Sequence[int], width: int, height: int, top: int) -> list[str]:
    """`height` lines of `width` cells with `values` as an area; `top` is the full height."""
    levels = [
        min(height * 4, max(1, round(value * height * 4 / top))) if value > 0 and top > 0 else 0
        for value in columns(values, width * 2)
    ]
    lines = []
    for line in range(height):
        floor = (height - 1 - line) * 4
        cells = []
        for left, right in zip(levels[::2], levels[1::2], strict=True):
            dots = sum(dot for step, dot in enumerate(_LEFT) if left > floor + step)
            dots += sum(dot for step, dot in enumerate(_RIGHT) if right > floor + step)
            cells.append(chr(_BLANK + dots))
        lines.append("".join(cells))
    return lines


class Curve(Inked):
    """One line of words and the rest of its height the area. The full height is the window's limit
    where that is known; the cell of a compaction has the colour of the cut."""

    INKS: ClassVar[Mapping[str, str]] = {
        "curve--area": "$category-assistant",
        "curve--drop": "$cut",
        "curve--words": "$faint",
    }
    DEFAULT_CSS = """
    Curve {
        height: 4;
        padding: 0 1;
        background: $surface;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._course = Course((), ())
        self._top = 0
        self._lines: list[str] = []

    def show(self, course: Course | None, limit: int | None) -> None:
        """Draws `course`; where there is nothing to draw, the place is given up."""
        known = course is not None and len(course.billed) > 1
        self.display = known
        if course is None or not known:
            return
        top = max(limit or 0, *course.billed)
        if (course, top) != (self._course, self._top):
            self._course, self._top = course, top
            self._draw()

    def _draw(self) -> None:
        width, height = self.size
        self._lines = drawn(self._course.billed, width, max(height - 1, 1), self._top)
        self.refresh()

    def on_resize(self) -> None:
        self._draw()

    def render_line(self, y: int) -> Strip:
        width, base = self.size.width, self.ground
        if y == 0:
            style = base + self.style_of("curve--words")
            return Strip([Segment(self._words(width), style)]).adjust_cell_length(width, base)
        text = self._lines[y - 1] if 0 < y <= len(self._lines) else ""
        area = base + self.style_of("curve--area")
        fall = base + self.style_of("curve--drop")
        return Strip(self._cells(text, area, fall)).adjust_cell_length(width, base)

    def _cells(self, text: str, area: Style, fall: Style) -> list[Segment]:
        total = len(self._course.billed)
        falls = {drop * len(text) // total for drop in self._course.drops}
        runs = groupby(enumerate(text), lambda cell: cell[0] in falls)
        return [
            Segment("".join(cell for _, cell in cells), fall if falling else area)
            for falling, cells in runs
        ]

    def _words(self, width: int) -> str:
        drops = len(self._course.drops)
        words = "context over the session"
        if drops:
            words += f", {counted(drops, 'compaction')}"
        peak = f"peak {short(max(self._course.billed, default=0))}"
        if len(words) + len(peak) + 2 > width:
            words = f"context, {counted(drops, 'compaction')}" if drops else "context"
        return f"{words:<{max(width - len(peak), 0)}}{peak}"
