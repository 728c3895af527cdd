"""A list of prepared lines: what the panes, the audit and the dialogs show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from redline.ui.heights import Heights
from redline.ui.lines import LineList, Run, padded, strip_of
from redline.ui.marks import CURSOR
from redline.ui.untrusted import fitted, fitted_end, plain, wrapped


@dataclass(frozen=True, slots=True)
class Item:
    """One entry. `text`, `word` and `right` may come from a session and are made harmless here.

    `mark` is one character, `word` a narrow column before the text, `right` the right end. `style`
    is good, bad, warn, faint, strong or nothing; it colours mark and word, and with `whole` the
    text too. `lines` is how many lines the text may take; with `ending` its end
    matters more than its start. A `heading` or `inert` entry cannot
    be chosen. `message` is the id of the message it comes from, `key` whatever the owner needs.
    """

    text: str
    mark: str = ""
    word: str = ""
    right: str = ""
    style: str = ""
    whole: bool = False
    lines: int = 1
    ending: bool = False
    heading: bool = False
    inert: bool = False
    message: str | None = None
    key: object = None


class Items(LineList):
    """Entries with a mark, a word, their text and a figure."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("list",)
    INKS: ClassVar[Mapping[str, str]] = {
        "items--good": "$success",
        "items--bad": "bold $error",
        "items--warn": "$warning",
        "items--faint": "$faint",
        "items--strong": "bold",
    }

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002
        word_width: int = 0,
        empty: str = "",
    ) -> None:
        super().__init__(id=id)
        self._items: tuple[Item, ...] = ()
        self._word_width = word_width
        self._empty = empty
        self._shown: dict[int, list[str]] = {}
        self._shown_width = 0

    @property
    def items(self) -> tuple[Item, ...]:
        return self._items

    @property
    def current(self) -> Item | None:
        """The entry under the cursor, None where there is none that can be chosen."""
        return self.item(self.cursor) if self.can_stand(self.cursor) else None

    def item(self, row: int) -> Item:
        """The entry of `row`. A list that is long makes it when it is drawn."""
        return self._items[row]

    def say_when_empty(self, text: str) -> None:
        """What stands there where there are no entries."""
        self._empty = text

    def show(self, items: Sequence[Item]) -> None:
        """Shows `items`; where only some differ, only those are painted again. The cursor stays on
        the entry with the same key where there is one."""
        new = tuple(items)
        if not new and self._empty:
            new = (Item(self._empty, style="faint", whole=True, inert=True, lines=4),)
        if new == self._items:
            return
        old, self._items = self._items, new
        key = old[self.cursor].key if self.cursor < len(old) else None
        before = self.heights
        self._shown = {}
        heights = self._measure()
        same = before.total == heights.total and len(old) == len(new)
        differ = [row for row, item in enumerate(new) if not same or item != old[row]]
        self.set_rows(heights, repaint=not same)
        if same:
            for row in differ:
                self.refresh_row(row)
        elif key is not None:
            rows = (row for row, item in enumerate(new) if item.key == key)
            self.cursor = next(rows, self.cursor)

    def can_stand(self, row: int) -> bool:
        return (
            0 <= row < len(self._items)
            and not self._items[row].heading
            and not self._items[row].inert
        )

    def _measure(self) -> Heights:
        self._shown_width = self.line_width
        extra = {
            row: len(self._text_lines(row)) - 1
            for row, item in enumerate(self._items)
            if item.lines > 1
        }
        return Heights(len(self._items), extra)

    def _left(self, item: Item) -> int:
        """Cells before the text."""
        if item.heading:
            return 1
        return (3 + cell_len(item.mark) if item.mark else 2) + (
            self._word_width + 1 if self._word_width and (item.word or not item.inert) else 0
        )

    def _text_lines(self, row: int) -> list[str]:
        found = self._shown.get(row)
        if found is None:
            item = self.item(row)
            right = cell_len(item.right) + 2 if item.right else 1
            width = self._shown_width - self._left(item) - right
            if item.lines > 1 and self._shown_width > 0:
                found, hidden = wrapped(item.text, width, item.lines)
                if hidden > 0 and found:
                    found[-1] = fitted(found[-1] + " ...", width).plain
                found = found or [""]
            else:
                fit = fitted_end if item.ending else fitted
                found = [fit(item.text, width).plain]
            self._shown[row] = found
        return found

    def on_resize(self) -> None:
        if self.line_width != self._shown_width:
            self._shown = {}
            self.set_rows(self._measure())

    def render_row(self, row: int, line: int, width: int) -> Strip:
        item = self.item(row)
        base = self.base_of(row) if self.can_stand(row) else self.ground
        if item.heading:
            fit = fitted_end if item.ending else fitted
            text = fit(item.text, width - 2).plain
            return strip_of([(f" {text}", self.style_of("lines--heading"))], width, base)
        style = self.style_of(f"items--{item.style}") if item.style else Style()
        texts = self._text_lines(row)
        text = texts[line] if line < len(texts) else ""
        left = self._left(item)
        runs: list[Run] = []
        if line == 0:
            cursor = CURSOR if row == self.cursor and self.can_stand(row) else " "
            mark = f"{cursor} {item.mark} " if item.mark else f"{cursor} "
            word = fitted(item.word, self._word_width).plain if self._word_width else ""
            runs.append((padded(mark + word, left), style))
        else:
            runs.append((" " * left, style))
        right = _side(item.right, width - left) if line == 0 and item.right else ""
        room = width - left - (cell_len(right) + 1 if right else 0)
        runs.append((padded(text, room), style if item.whole else Style()))
        if right:
            runs.append((f"{right} ", self.style_of("items--faint")))
        return strip_of(runs, width, base)


def _side(text: str, width: int) -> str:
    """The figure at the right end, its blanks kept; nothing where there is no room for it."""
    shown = plain(text).replace("\n", " ")
    return shown if cell_len(shown) + 2 <= width else ""
