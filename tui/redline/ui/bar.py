"""The bar: how a window is filled, as letters and fills first, then as colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from redline.context.window import Category
from redline.ui.inks import Inked
from redline.ui.marks import CATEGORY_FILL, FREE_FILL, RESERVE_FILL, short

FREE = "free"
RESERVE = "reserve"
BAR_INKS = {
    "bars--system": "$bar-ink on $category-system",
    "bars--user": "$bar-ink on $category-user",
    "bars--assistant": "$bar-ink on $category-assistant",
    "bars--thinking": "$bar-ink on $category-thinking",
    "bars--tool": "$bar-ink on $category-tool",
    "bars--summary": "$bar-ink on $category-summary",
    "bars--free": "$faint on $category-free",
    "bars--reserve": "$faint on $category-reserve",
}
_ABBREVIATED = {"system": "sys", "assistant": "asst", "thinking": "thk", "summary": "sum"}


@dataclass(frozen=True, slots=True)
class Share:
    """One stretch of a bar: what it is, its fill, its tokens."""

    name: str
    fill: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Filling:
    """What a window holds, in tokens. `limit` is None where it is unknown: then the bar is drawn to
    the scale of the fuller one, and nothing is said of free room. `note` says how it is known."""

    used: Mapping[Category, int]
    limit: int | None
    reserve: int
    note: str

    @property
    def total(self) -> int:
        return sum(self.used.values())

    @property
    def free(self) -> int | None:
        return None if self.limit is None else self.limit - self.reserve - self.total

    def shares(self, scale: int) -> list[Share]:
        """The stretches in order; they add up to `scale`, or to what is used where that is more."""
        found = [
            Share(category.value, CATEGORY_FILL[category], tokens)
            for category, tokens in self.used.items()
            if tokens > 0
        ]
        if self.limit is None:
            found.append(Share("unknown", " ", max(0, scale - self.total)))
            return found
        rest = max(0, scale - self.total)
        reserve = min(self.reserve, rest)
        found.append(Share(FREE, FREE_FILL, rest - reserve))
        found.append(Share(RESERVE, RESERVE_FILL, reserve))
        return found


def widths(tokens: Sequence[int], width: int) -> list[int]:
    """`width` cells shared out by `tokens`; what is there at all gets one cell while there is room.

    The largest remainders get the cells that rounding leaves, so that the sum is always `width`.
    """
    total = sum(tokens)
    if total <= 0 or width <= 0:
        return [0] * len(tokens)
    exact = [count * width / total for count in tokens]
    cells = [int(share) for share in exact]
    order = sorted(range(len(tokens)), key=lambda i: exact[i] - cells[i], reverse=True)
    for index in order[: width - sum(cells)]:
        cells[index] += 1
    for index, count in enumerate(tokens):
        if count > 0 and not cells[index]:
            largest = max(range(len(cells)), key=cells.__getitem__)
            if cells[largest] > 2:
                cells[largest] -= 1
                cells[index] = 1
    return cells


def stretch(share: Share, cells: int) -> str:
    """The text of one stretch: its label in the middle of its fill where there is room for it."""
    for label in (f" {share.name} {short(share.tokens)} ", f" {short(share.tokens)} "):
        if share.fill != " " and len(label) + 2 <= cells:
            before = (cells - len(label)) // 2
            return share.fill * before + label + share.fill * (cells - before - len(label))
    return share.fill * cells


class Bars(Inked):
    """The window now and after, one above the other to the same scale, and in words beneath."""

    INKS: ClassVar[Mapping[str, str]] = {
        **BAR_INKS,
        "bars--label": "bold",
        "bars--figure": "bold",
        "bars--faint": "$faint",
        "bars--good": "bold $success",
        "bars--bad": "bold $error",
    }
    DEFAULT_CSS = """
    Bars {
        height: 3;
        padding: 0 1;
        background: $background;
    }
    """
    LABEL = 7

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._now: Filling | None = None
        self._after: Filling | None = None
        self._instead = ""

    def show(self, now: Filling, after: Filling | None = None) -> None:
        """Draws these two; only the lines that are other than before are painted again."""
        if now == self._now and after == self._after:
            return
        whole = self._scale(now, after) != self._scale(self._now, self._after)
        whole = whole or now != self._now or (after is None) != (self._after is None)
        self._now, self._after, self._instead = now, after, ""
        if whole:
            self.refresh()
        else:
            self.refresh(Region(0, 1, self.outer_size.width, 2))

    def clear(self, instead: str = "") -> None:
        """Draws no bar, but says `instead`."""
        self._now = self._after = None
        self._instead = instead
        self.refresh()

    @staticmethod
    def _scale(now: Filling | None, after: Filling | None) -> int:
        """Tokens that the whole width stands for."""
        known = [filling for filling in (now, after) if filling is not None]
        return max((max(f.limit or 0, f.total) for f in known), default=0)

    def _style(self, name: str) -> Style:
        return self.style_of(f"bars--{name}")

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        base = self.ground
        if width <= 0 or self._now is None:
            text = self._instead if y == 0 else ""
            return Strip([Segment(text, base + self._style("faint"))]).adjust_cell_length(
                max(width, 0), base
            )
        lines = [lambda now: self._bar("now", now, width)]
        if (after := self._after) is not None:
            lines.append(lambda _now: self._bar("after", after, width))
        lines.append(lambda now: self._words(now, self._after, width))
        runs = lines[y](self._now) if y < len(lines) else []
        return Strip([Segment(text, base + style) for text, style in runs]).adjust_cell_length(
            width, base
        )

    def _bar(self, label: str, filling: Filling, width: int) -> list[tuple[str, Style]]:
        figure = self._figure(filling)
        room = width - self.LABEL - len(figure) - 1
        runs = [(label.ljust(self.LABEL), self._style("label"))]
        shares = filling.shares(self._scale(self._now, self._after))
        for share, cells in zip(shares, widths([s.tokens for s in shares], room), strict=True):
            style = Style() if share.name == "unknown" else self._style(share.name)
            runs.append((stretch(share, cells), style))
        runs.append((f" {figure}", self._style("figure")))
        return runs

    def _figure(self, filling: Filling) -> str:
        """`160k of 200k  80%`: what is used; no percentage of an unknown window."""
        mark = "" if filling.note == "measured" else "~"
        used = f"{mark}{short(filling.total)}"
        if filling.limit is None:
            return f"{used:>6}       "
        share = f"{round(100 * filling.total / filling.limit)}%" if filling.limit else ""
        return f"{used:>6} {share:>4}"

    def _words(self, now: Filling, after: Filling | None, width: int) -> list[tuple[str, Style]]:
        """The same in figures: fill, name, tokens now and, where they differ, after. Where there is
        no room for all, the smallest categories are left out."""
        items: list[tuple[str, str, str, int]] = []
        for category, before in now.used.items():
            then = before if after is None else after.used.get(category, 0)
            if before or then:
                figures = short(before) if before == then else f"{short(before)}>{short(then)}"
                items.append((category.value, CATEGORY_FILL[category], figures, max(before, then)))
        free = now.free
        room = free if after is None else after.free
        if free is not None and room is not None:
            change = f">{short(room)}" if short(room) != short(free) else ""
            items.append((FREE, FREE_FILL, f"{short(free)}{change}", now.total))
        # The whole is billed; what each category has of it is calibrated, not billed.
        split = ", split ~" if now.note == "measured" and width >= 110 else ""
        tail = f" {now.note}{split}"
        room_left = width - len(tail)
        names: Mapping[str, str] = {}
        if _size(items, names) > room_left:
            names = _ABBREVIATED
        while len(items) > 1 and _size(items, names) > room_left:
            items.remove(min(items[: len(items) - (free is not None)], key=lambda item: item[3]))
        runs: list[tuple[str, Style]] = []
        used = 0
        for name, fill, figures, _ in items:
            runs.append((fill, self._style(name)))
            style = self._style("faint")
            if name == FREE and room is not None and free is not None:
                style = self._style("good" if room >= free else "bad")
            text = f" {names.get(name, name)} {figures}  "
            text = text[: max(0, room_left - used - 1)]
            runs.append((text, style))
            used += len(text) + 1
        runs.append((" " * (room_left - used), Style()))
        runs.append((tail, self._style("faint")))
        return runs


def _size(items: Sequence[tuple[str, str, str, int]], names: Mapping[str, str]) -> int:
    """Cells that the figures take."""
    return sum(len(names.get(name, name)) + len(figures) + 5 for name, _, figures, _ in items) - 2
