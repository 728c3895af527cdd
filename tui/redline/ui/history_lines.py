"""The whole history line by line: what is in the context, what is not, and what hangs on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.style import Style
from textual.binding import BindingType
from textual.strip import Strip

from redline.facts.contents import Boundary, Contents, Fork, Started
from redline.model import Message
from redline.text import counted
from redline.ui.actions import bindings
from redline.ui.history_items import change_of, words_of
from redline.ui.history_rows import HistoryRows, Hung, name_of_hung
from redline.ui.lines import Run, padded, strip_of
from redline.ui.marks import CLOSED, CURSOR, DASH, OPENED, OUT, short, speaker
from redline.ui.message_lines import MessageLines
from redline.ui.packed_messages import PackedMessages
from redline.ui.untrusted import fitted

_PER_TOKEN = 4  # characters: a message that is not sent any more is not counted by a tokenizer


class HistoryLines(MessageLines):
    """One line a message; a compaction, a subagent and a side branch are lines of their own."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("transcript", "list")
    HELP = (
        "Every message of the live branch. A dot and a darker ground say that it is not in the "
        "context any more. Enter opens a message or a compaction whole, and a side branch or a "
        "subagent at a desk of its own; escape comes back here."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("transcript")
    INKS: ClassVar[Mapping[str, str]] = {
        "history--out": "on $background",
        "history--compaction": "bold $category-summary",
        "history--beside": "$warning",
        "history--bad": "bold $error",
    }

    def __init__(
        self,
        messages: PackedMessages,
        weights: Mapping[str, int],
        *,
        total: int,
        project: str | None,
    ) -> None:
        """`weights` are the tokens of messages of the context by id, as the desk shows them; those
        of others are estimated and marked so."""
        super().__init__(id="history")
        self._messages = messages
        self._weights = weights
        self._number_width = max(2, len(str(total)))
        self._project = project
        self.rows = HistoryRows(Contents())

    @property
    def contents(self) -> Contents:
        return self.rows.contents

    def on_unmount(self) -> None:
        self._messages, self._weights = PackedMessages(), {}
        self._bodies.clear()

    def show(self, rows: HistoryRows) -> None:
        """Shows what was read; the cursor and the line at the top stay where they are."""
        if not self.heights.rows:
            self.rows = rows
            self.set_rows(self.measured())
            return
        here, top = self.cursor, self.heights.locate(self.scroll_offset.y)[0]
        name, first = self.name_of(here), self.name_of(top)
        into = self.scroll_offset.y - self.heights.top(top)
        self.rows = rows
        moved = self.row_named(name)
        self.set_rows(self.measured(), repaint=True)
        if moved is not None and moved != here:
            self.cursor = moved
        at = self.row_named(first)
        if at is not None and at != top:
            self.scroll_to(y=self.heights.top(at) + into, animate=False)

    def go_to_place(self, place: int) -> bool:
        """The cursor on the message at `place`; False where it is not read yet."""
        if not 0 <= place < self.contents.messages:
            return False
        self.go_to(self.rows.row_of(place), centre=True)
        return True

    def go_to_hung(self, one: Hung) -> None:
        row = self.rows.row_of_hung(name_of_hung(one))
        if row is not None:
            self.go_to(row, centre=True)

    @property
    def place(self) -> int:
        """The place of the message under the cursor, or of the next one."""
        return self.rows.place_at(self.cursor)

    @property
    def current(self) -> int | Hung | None:
        """The place of the message under the cursor, or what else stands there."""
        return self.rows.at(self.cursor) if self.heights.rows else None

    # -- its rows ------------------------------------------------------------------------------

    def row_count(self) -> int:
        return self.rows.count

    def name_of(self, row: int) -> str:
        found = self.rows.at(row)
        return f"message {found}" if isinstance(found, int) else name_of_hung(found)

    def row_named(self, name: str) -> int | None:
        if not name.startswith("message "):
            return self.rows.row_of_hung(name)
        place = int(name.removeprefix("message "))
        return self.rows.row_of(place) if place < self.contents.messages else None

    def message_at(self, row: int) -> Message | None:
        found = self.rows.at(row)
        return self._messages[found] if isinstance(found, int) else None

    def action_open(self) -> None:
        """Opens the message or the compaction under the cursor, or closes it; what lies elsewhere
        is the screen's to open."""
        if isinstance(self.current, Fork | Started):
            self.post_message(self.Opened(self, self.cursor))
        else:
            super().action_open()

    def action_turn(self, step: int) -> None:
        """The cursor to the next or previous prompt."""
        self.jump([self.rows.row_of(turn.place) for turn in self.contents.turns], step)

    def jump(self, rows: list[int], step: int) -> bool:
        """The cursor to the next (1) or previous (-1) of `rows`, which ascend."""
        ahead = [row for row in rows if (row > self.cursor if step > 0 else row < self.cursor)]
        if ahead:
            self.go_to(ahead[0] if step > 0 else ahead[-1], centre=True)
        return bool(ahead)

    # -- lines ---------------------------------------------------------------------------------

    def render_row(self, row: int, line: int, width: int) -> Strip:
        if line:
            return self.body_line(row, line - 1, width)
        match self.rows.at(row):
            case int(place):
                return self._message_line(row, place, width)
            case Boundary() as boundary:
                return self._boundary_line(row, boundary, width)
            case Fork() as fork:
                kind = "side branch" if fork.branch.answered else "draft"
                text = f"{kind}: {fork.branch.head or fork.branch.leaf}"
                right = counted(fork.branch.records, "record")
                return self._beside_line(row, "/", text, right, width)
            case Started() as started:
                agent = started.subagent
                text = f"subagent: {agent.description or agent.id}"
                return self._beside_line(row, "&", text, agent.kind or "", width)

    def _message_line(self, row: int, place: int, width: int) -> Strip:
        message = self._messages[place]
        sent = self.contents.in_context(place)
        base = self.base_of(row)
        if not sent and row != self.cursor:
            base = base + self.style_of("history--out")
        word, category = speaker(message)
        left = self._number_width + 14
        room = width - left - 7
        faint = self.style_of("messages--gone")
        spoken = self.style_of("history--bad" if word == "error" else f"messages--{category.value}")
        head_style = self.style_of("messages--prompt") if message.prompts else Style()
        weight = self._weights.get(message.id) if sent else None
        figure = f"~{short(_estimated(message))}" if weight is None else short(weight)
        runs: list[Run] = [
            (CURSOR if row == self.cursor else " ", self.style_of("messages--number")),
            (" " if sent else OUT, faint),
            (f" {place + 1:>{self._number_width}} ", self.style_of("messages--number")),
            (f"{word:<9} ", spoken if sent else spoken + faint),
            (
                padded(self.head(place, message, self._project, room), room),
                head_style if sent else head_style + faint,
            ),
            (f"{figure:>6} ", faint),
        ]
        return strip_of(runs, width, base)

    def _boundary_line(self, row: int, boundary: Boundary, width: int) -> Strip:
        past = boundary.past
        arrow = OPENED if self.is_open(row) else CLOSED
        here = CURSOR if row == self.cursor else " "
        label = f"{here}{arrow} compaction {boundary.number}: {past.kind.value}, {words_of(past)} "
        figures = f" {change_of(past)} "
        text = fitted(label, max(0, width - len(figures) - 4)).plain + " "
        if row != self.cursor:
            text = f" {text}"  # the blank of the cursor was taken off with the others
        fill = DASH * max(0, width - len(text) - len(figures))
        style = self.style_of("history--compaction")
        return strip_of([(text + fill + figures, style)], width, self.base_of(row))

    def _beside_line(self, row: int, mark: str, text: str, right: str, width: int) -> Strip:
        left = self._number_width + 4
        end = fitted(right, max(0, width // 3)).plain
        room = width - left - len(end) - 2
        gutter = f"{CURSOR if row == self.cursor else ' '}{mark}"
        runs: list[Run] = [
            (padded(gutter, left), self.style_of("history--beside")),
            (padded(fitted(text, room).plain, room), self.style_of("history--beside")),
            (f" {end} ", self.style_of("messages--gone")),
        ]
        return strip_of(runs, width, self.base_of(row))


def _estimated(message: Message) -> int:
    """Tokens of a message by its length."""
    return round(sum(part.chars for part in message.parts) / _PER_TOKEN)
