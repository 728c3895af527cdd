"""The messages of the context, each with what every strategy does with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.style import Style
from textual.binding import BindingType
from textual.strip import Strip

from redline.compaction.plan import Action
from redline.comparison.compare import Comparison
from redline.model import Message
from redline.review import Review
from redline.ui.actions import bindings
from redline.ui.lines import Run, padded, strip_of
from redline.ui.marks import ACTION_MARK, CURSOR, short, speaker
from redline.ui.message_lines import MessageLines

_GUTTER = 2


class ComparedMessages(MessageLines):
    """One line a message: a mark for each strategy, number, speaker, first line, tokens.

    `differing` are those that the strategy looked at treats otherwise than the plan of the desk;
    `only` shows no others.
    """

    CONTEXTS: ClassVar[tuple[str, ...]] = ("list",)
    HELP = (
        "Every message of the context with a column for each strategy, under its letter: + kept, "
        '~ cleared, < shortened, " quoted, s summarised, - dropped. Marks in colour differ from '
        "the plan of the desk. A message stands out where the strategy under the cursor above "
        "treats it otherwise than that plan; d shows only those. Enter opens the message."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("list")
    INKS: ClassVar[Mapping[str, str]] = {"compared--column": "on $row-picked"}

    def __init__(self, review: Review, names: tuple[str, ...], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.names = names
        self.only = False
        self.differing: frozenset[int] = frozenset()
        self.looked_at = 0
        self._take(review)

    def _take(self, review: Review) -> None:
        self.review = review
        self._rows: Sequence[int] = range(len(review.outline.messages))
        self._places: dict[int, int] | None = None
        self._plans: list[Sequence[Action] | None] = [None] * len(self.names)
        self._chosen: Sequence[Action] = review.plan.actions

    def on_mount(self) -> None:
        self.set_rows(self.measured())

    def start(self, review: Review) -> None:
        """The messages of `review` from now on, without marks so far; the cursor stays on its
        message where that is still there."""
        here = self.name_of(self.cursor) if self.heights.rows else ""
        self.only, self.differing = False, frozenset()
        self._heads.clear()
        self._take(review)
        row = self.row_named(here)
        self.set_rows(self.measured())
        if row is not None:
            self.go_to(row)

    # -- what it shows -------------------------------------------------------------------------

    def show(self, found: Comparison) -> None:
        """The marks of the rows that are ready."""
        rows = {row.strategy: row.plan for row in found.rows}
        plans = [rows.get(name) for name in self.names]
        self._plans = [plan.actions if plan is not None else None for plan in plans]
        self.refresh()

    def look_at(self, column: int, differing: frozenset[int]) -> None:
        """The strategy of that column is looked at; it differs from the plan at `differing`."""
        changed = (column, differing) != (self.looked_at, self.differing)
        self.looked_at, self.differing = column, differing
        if changed and self.only:
            self._choose_rows()
        elif changed:
            self.refresh()

    def show_only(self, only: bool) -> None:
        """Only messages that differ, or all."""
        self.only = only
        self._choose_rows()

    def _choose_rows(self) -> None:
        """Other rows; the cursor stays on its message, or goes to the next one that is there."""
        here = self._rows[self.cursor] if self.cursor < len(self._rows) else 0
        every = range(len(self.review.outline.messages))
        self._rows = sorted(self.differing) if self.only else every
        self._places = {index: row for row, index in enumerate(self._rows)} if self.only else None
        self._heads.clear()
        self.set_rows(self.measured())
        after = (row for row, index in enumerate(self._rows) if index >= here)
        self.go_to(next(after, max(0, len(self._rows) - 1)))

    def next_difference(self, step: int) -> bool:
        """To the next or previous message that differs; False where there is none."""
        rows = range(self.cursor + step, len(self._rows) if step > 0 else -1, step)
        for row in rows:
            if self._rows[row] in self.differing:
                self.go_to(row, centre=True)
                return True
        return False

    @property
    def message(self) -> Message | None:
        """The message under the cursor."""
        return self.message_at(self.cursor) if self._rows else None

    # -- its rows ------------------------------------------------------------------------------

    def row_count(self) -> int:
        return len(self._rows)

    def name_of(self, row: int) -> str:
        return self.review.outline.messages[self._rows[row]].id

    def row_named(self, name: str) -> int | None:
        index = self.review.outline.index.get(name)
        if index is None or self._places is None:
            return index
        return self._places.get(index)

    def message_at(self, row: int) -> Message | None:
        return self.review.outline.messages[self._rows[row]]

    # -- lines ---------------------------------------------------------------------------------

    def heads(self, letters: Sequence[str]) -> tuple[str, int]:
        """The letters above the marks, and where that of the strategy looked at stands."""
        return " " * _GUTTER + "".join(letters), _GUTTER + self.looked_at

    def render_row(self, row: int, line: int, width: int) -> Strip:
        if line > 0:
            return self.body_line(row, line - 1, width)
        index = self._rows[row]
        message = self.review.outline.messages[index]
        word, category = speaker(message)
        faded = index not in self.differing
        gone = self.style_of("messages--gone")
        number_width = max(2, len(str(len(self.review.outline.messages))))
        left = _GUTTER + len(self.names) + number_width + 13
        room = width - left - 7
        head = self.head(index, message, self.review.session.info.project, room)
        prompt = self.style_of("messages--prompt") if message.prompts else Style()
        runs: list[Run] = [
            (f"{CURSOR if row == self.cursor else ' '} ", Style()),
            *(self._mark(column, index) for column in range(len(self.names))),
            (f" {index + 1:>{number_width}} ", self.style_of("messages--number")),
            (f"{word:<9}  ", gone if faded else self.category_style(category)),
            (padded(head, room), gone if faded else prompt),
            (f" {short(self.review.window.tokens[index]):>5} ", gone),
        ]
        return strip_of(runs, width, self.base_of(row))

    def _mark(self, column: int, index: int) -> Run:
        actions = self._plans[column]
        ground = self.style_of("compared--column") if column == self.looked_at else Style()
        if actions is None:
            return " ", ground
        action = actions[index]
        if action is self._chosen[index]:
            return ACTION_MARK[action], ground + self.style_of("messages--gone")
        style = self.style_of(f"messages--mark-{action.value}")
        if action is Action.SUMMARISE:
            style = Style(bold=True)
        return ACTION_MARK[action], ground + style
