"""The strategies one line each: a letter, the bar after, and the figures that have room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.style import Style
from textual.app import RenderResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message as Event
from textual.strip import Strip
from textual.widget import Widget

from redline.comparison.columns import Fitted, fitted, letters
from redline.comparison.compare import Comparison, Row
from redline.ui.actions import bindings
from redline.ui.bar import BAR_INKS, Filling, widths
from redline.ui.heights import Heights
from redline.ui.lines import LineList, Run, padded, strip_of
from redline.ui.marks import CHECK, CURSOR
from redline.ui.untrusted import fitted as first_of

_NAME = 15  # cells of the longest name of redline's own
_LEFT = _NAME + 5  # cursor, mark, letter and a blank each side of the name
_LEAST_BAR, _MOST_BAR = 8, 40


class Strategies(LineList):
    """One row a strategy, the ones that are not ready yet faint."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("strategies", "list")
    HELP = (
        "The strategies side by side, each with the window after it. after and full: tokens of the "
        "next window, and how much of the limit; kept to drop: messages by what becomes of them; "
        "rules to anch: how many of those in the context stay word for word, in kept messages or "
        "quoted; once, each, back: what it costs, what each later request saves, after how many it "
        "has paid back; acts: where its agent does it by itself. The tick is the plan of the desk."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("strategies")
    INKS: ClassVar[Mapping[str, str]] = {
        **BAR_INKS,
        "strategies--good": "$success",
        "strategies--bad": "$error",
        "strategies--warn": "$warning",
    }

    class HeadsChanged(Event):
        """The columns are others now."""

    def __init__(self, names: tuple[str, ...], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.names = names
        self.letters = letters(names)
        self._found: Comparison | None = None
        self._columns: tuple[Fitted, ...] = ()

    @property
    def current(self) -> str:
        """The name of the strategy under the cursor."""
        return self.names[self.cursor]

    def on_mount(self) -> None:
        self.set_rows(Heights(len(self.names)))

    def show(self, found: Comparison) -> None:
        self._found = found
        self._lay_out()

    def on_resize(self) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        if self._found is not None and self.line_width > 0:
            room = self.line_width - _LEFT - self._bar_cells - 2
            self._columns = fitted(self._found, room)
            self.post_message(self.HeadsChanged())
        self.refresh()

    @property
    def _bar_cells(self) -> int:
        return max(_LEAST_BAR, min(_MOST_BAR, self.line_width // 6))

    @property
    def heads(self) -> str:
        """The heads of the columns, where they stand."""
        left = _LEFT + self._bar_cells + 1
        return " strategies".ljust(left) + "".join(f" {one.head}" for one in self._columns)

    def render_row(self, row: int, line: int, width: int) -> Strip:  # noqa: ARG002 - one line each
        base = self.base_of(row)
        found, name = self._found, self.names[row]
        here = found.row(name) if found is not None else None
        chosen = found is not None and found.chosen == name
        runs: list[Run] = [
            (CURSOR if row == self.cursor else " ", Style()),
            (CHECK if chosen else " ", self.style_of("strategies--good")),
            (f"{self.letters[row]} ", self.style_of("lines--faint")),
            (padded(first_of(name, _NAME).plain, _NAME), Style(bold=chosen or None)),
            (" ", Style()),
        ]
        if found is None or here is None:
            runs.append((" ...", self.style_of("lines--faint")))
        elif here.plan is None:
            why = first_of(f"no plan: {here.why_not}", width - _LEFT - 2).plain
            runs.append((f" {why}", self.style_of("strategies--warn")))
        else:
            runs += self._bar(here, found)
            runs.append((" ", Style()))
            runs += [(f" {one.cell(here, found)}", self._tone(one, here)) for one in self._columns]
        return strip_of(runs, width, base)

    def _bar(self, row: Row, found: Comparison) -> list[Run]:
        window = found.window
        filling = Filling(row.after or {}, window.limit, window.reserve or 0, "estimated")
        totals = [one.total or 0 for one in found.planned]
        scale = max(window.limit or 0, window.used, *totals)
        shares = filling.shares(scale)
        cells = widths([share.tokens for share in shares], self._bar_cells)
        return [
            (
                share.fill * count,
                Style() if share.name == "unknown" else self.style_of(f"bars--{share.name}"),
            )
            for share, count in zip(shares, cells, strict=True)
        ]

    def _tone(self, one: Fitted, row: Row) -> Style:
        """What stays whole, is lost in part, is lost: by colour too."""
        thing = one.column.thing
        if thing is None:
            return Style()
        stays = row.stays[thing] if row.stays is not None else None
        if stays is None or not stays.of:
            return self.style_of("lines--faint")
        if stays.both == stays.of:
            return self.style_of("strategies--good")
        return self.style_of("strategies--warn" if stays.both else "strategies--bad")

    def action_take(self) -> None:
        self.action_open()


class Heads(Widget):
    """A line of column heads above a list; the one at `strong` stands out."""

    DEFAULT_CSS = """
    Heads { height: 1; background: $surface; color: $faint; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._text = ""
        self._strong: int | None = None

    def show(self, text: str, strong: int | None = None) -> None:
        if (text, strong) != (self._text, self._strong):
            self._text, self._strong = text, strong
            self.refresh()

    def render(self) -> RenderResult:
        content = Content(self._text)
        if self._strong is not None:
            content = content.stylize("bold reverse", self._strong, self._strong + 1)
        return content
