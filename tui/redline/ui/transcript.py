"""The transcript: the context line by line, with what becomes of each message, and the cut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.message import Message as Event
from textual.strip import Strip

from redline.compaction.plan import Action
from redline.model import Message
from redline.review import Review
from redline.text import counted
from redline.ui.actions import bindings
from redline.ui.lines import Run, padded, strip_of
from redline.ui.marks import ACTION_MARK, ALARM, CURSOR, DASH, MEMORY, OUT, TIED, short, speaker
from redline.ui.message_lines import MessageLines


class Transcript(MessageLines):
    """One line a message: mark, number, speaker, first line, tokens. The cut is a line of its own.

    What is told by the review only; every key that changes it is the desk's.
    """

    CONTEXTS: ClassVar[tuple[str, ...]] = ("transcript", "list")
    HELP = (
        "The context, one line a message, as the model would be sent it now. The mark in front "
        'says what becomes of it: + kept, ~ cleared, < shortened, " quoted, s summarised, - '
        "dropped; an inverted mark is your own doing. m says that the long-term memory takes "
        "something from it. A call and its results act as one and are "
        "tied by a dashed line. What stands below the cut is kept word for word."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("transcript")
    INKS: ClassVar[Mapping[str, str]] = {
        "transcript--dropped": "strike $faint",
        "transcript--cut": "bold $cut",
        "transcript--heavy": "bold $warning",
        "transcript--picked": "on $row-picked",
        "transcript--found": "underline",
        "transcript--earlier": "$faint on $background",
    }

    class EarlierAsked(Event):
        """The messages before the context are asked for."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.review: Review | None = None
        self.picked: frozenset[int] = frozenset()
        self.matches: frozenset[int] = frozenset()
        self.alarms: frozenset[str] = frozenset()  # messages whose calls broke a rule
        self.on_earlier = False  # the cursor stands on the line above the first row
        self._below: list[int] = [0]  # tokens of each row and all after it

    def on_unmount(self) -> None:
        """Lets go of what is large (see `Garbage.settle`)."""
        self.review = None
        self._bodies.clear()

    # -- what it shows -------------------------------------------------------------------------

    def alarm(self, messages: frozenset[str]) -> None:
        """Marks `messages`, whose calls broke a rule."""
        if messages != self.alarms:
            self.alarms = messages
            self.refresh()

    def show(self, review: Review) -> None:
        """Shows `review`; only what differs from the one before is painted again."""
        before, self.review = self.review, review
        if before is None or before.outline is not review.outline:
            self._heads.clear()
            self._below = list(accumulate(reversed(review.window.tokens), initial=0))[::-1]
            known = review.outline.index
            self._opened &= set(known)
            self._lines.clear()
            if before is not None:
                self._stay(before, review)
                return
            self.set_rows(self.measured())
            if review.plan.cut is not None:
                self.call_after_refresh(self.go_to, review.plan.cut.index, centre=True)
            return
        old, new = self._cut_of(before), self._cut_of(review)
        if old != new:
            self._follow_cut(old, new)
        self._repaint_changed(before, review, old, new)

    def _stay(self, before: Review, review: Review) -> None:
        """Other messages: what was picked or found, the cursor and the row at the top stay where
        they are; a cursor that stood at the end goes along with it."""
        was, index = before.outline.messages, review.outline.index

        def again(rows: Iterable[int]) -> frozenset[int]:
            return frozenset(index[was[row].id] for row in rows if was[row].id in index)

        at_end, cursor = self.at_end, min(again([self.cursor] if was else ()), default=self.cursor)
        first = self.scroll_offset.y
        top, into = self.heights.locate(first) if self.heights.total else (0, 0)
        top = min(again([top] if was else ()), default=top)
        self.picked, self.matches = again(self.picked), again(self.matches)
        self.set_rows(self.measured())
        if not self.heights.rows:
            return
        if at_end:
            self.cursor = self.heights.rows - 1
            self.call_after_refresh(self.show_cursor)
            return
        self.cursor = cursor
        top = min(top, self.heights.rows - 1)
        wanted = self.heights.top(top) + min(into, self.heights.height(top) - 1)
        if wanted != first:
            self.scroll_to(y=wanted, animate=False)

    def _follow_cut(self, old: int | None, new: int | None) -> None:
        """The cut's line moves; the row at the top stays where it is."""
        first = self.scroll_offset.y
        top_row, into = self.heights.locate(first) if self.heights.total else (0, 0)
        self.set_rows(self.measured(), repaint=False)
        wanted = self.heights.top(top_row) + min(into, self.heights.height(top_row) - 1)
        if wanted != first and new is not None and old is not None:
            self.scroll_to(y=wanted, animate=False)

    def _repaint_changed(
        self, before: Review, review: Review, old: int | None, new: int | None
    ) -> None:
        """Repaints the visible lines whose message has another fate than before."""
        first = self.scroll_offset.y
        last = min(first + self.size.height, self.heights.total)
        if first >= last:
            return
        top, bottom = self.heights.locate(first)[0], self.heights.locate(last - 1)[0]
        if old != new:
            low = min(row for row in (old, new) if row is not None)
            high = max(row if row is not None else self.heights.rows for row in (old, new))
            self.refresh_span(
                self.heights.top(min(max(low, top), self.heights.rows)) - first,
                self.heights.top(min(high + 1, self.heights.rows)) - first,
            )
        was, now = before.plan, review.plan
        for row in range(top, bottom + 1):
            if was.actions[row] is not now.actions[row] or (row in was.pinned) != (
                row in now.pinned
            ):
                self.refresh_row(row)

    def pick(self, rows: Iterable[int]) -> None:
        """These rows are picked for the next action."""
        changed, self.picked = self.picked.symmetric_difference(rows), frozenset(rows)
        for row in changed:
            self.refresh_row(row)

    def find(self, rows: Iterable[int]) -> None:
        """These rows hold what is looked for."""
        changed, self.matches = self.matches.symmetric_difference(rows), frozenset(rows)
        if len(changed) > self.page:
            self.refresh()
        else:
            for row in changed:
                self.refresh_row(row)

    @staticmethod
    def _cut_of(review: Review) -> int | None:
        return review.plan.cut.index if review.plan.cut else None

    # -- its rows ------------------------------------------------------------------------------

    def row_count(self) -> int:
        return len(self.review.outline.messages) if self.review else 0

    def name_of(self, row: int) -> str:
        assert self.review is not None
        return self.review.outline.messages[row].id

    def row_named(self, name: str) -> int | None:
        return self.review.outline.index.get(name) if self.review else None

    def message_at(self, row: int) -> Message | None:
        return self.review.outline.messages[row] if self.review else None

    def extra_lines(self) -> Mapping[int, int]:
        """The line of the cut, and above the first row the one that says what came before."""
        extra = {0: 1} if self.earlier and self.row_count() else {}
        cut = self._cut_of(self.review) if self.review else None
        if cut is not None:
            extra[cut] = extra.get(cut, 0) + 1
        return extra

    @property
    def earlier(self) -> int:
        """How many messages of the branch are not in the context."""
        if self.review is None:
            return 0
        session = self.review.session
        return max(0, session.counts.messages - len(session.context))

    # -- lines ---------------------------------------------------------------------------------

    def cursor_moved(self, old: int, new: int) -> None:
        """Repaints both rows, and what calls tie to them."""
        if self.review is None:
            return
        shape = self.review.outline
        for row in (old, new):
            if row < len(shape.group):
                for member in shape.members[shape.group[row]]:
                    self.refresh_row(member)

    def render_row(self, row: int, line: int, width: int) -> Strip:
        review = self.review
        if review is None:
            return Strip.blank(width, self.ground)
        if row == 0 and self.earlier:
            if line == 0:
                return self._earlier_line(width)
            line -= 1
        if review.plan.cut is not None and review.plan.cut.index == row:
            if line == 0:
                return self._cut_line(width)
            line -= 1
        if line == 0:
            return self._message_line(review, row, width)
        return self.body_line(row, line - 1, width)

    def _earlier_line(self, width: int) -> Strip:
        style = self.style_of("transcript--earlier")
        base = self.ground + style
        if self.on_earlier:
            base = base + self.style_of(
                "lines--cursor" if self.has_focus else "lines--cursor-blurred"
            )
        gutter = CURSOR if self.on_earlier else " "
        words = f"{counted(self.earlier, 'message')} not in the context"
        keys = "enter opens the history" if self.on_earlier else "h opens the history"
        text = f"{gutter}{OUT} {words}; {keys}"
        return strip_of(
            [(text if len(text) < width else f"{gutter}{OUT} {words}", style)], width, base
        )

    def _cut_line(self, width: int) -> Strip:
        assert self.review is not None
        cut = self.review.plan.cut
        kept = self._below[cut.index] if cut else 0
        inside = ", inside a turn" if cut and cut.splits_turn else ""
        label = f" cut, ~{short(kept)} kept below{inside} "
        if len(label) + 4 > width:
            label = " cut "
        left = max(1, (width - len(label)) // 2)
        text = DASH * left + label + DASH * max(0, width - left - len(label))
        return strip_of([(text, self.style_of("transcript--cut"))], width, self.ground)

    def _message_line(self, review: Review, row: int, width: int) -> Strip:
        message = review.outline.messages[row]
        action = review.plan.actions[row]
        base = self.base_of(row)
        if row in self.picked:
            base = base + self.style_of("transcript--picked")
        word, category = speaker(message)
        tokens = review.window.tokens[row]
        figure = short(tokens)
        mark = self._mark(review, row, action)
        number_width = max(2, len(str(len(review.outline.messages))))
        left = number_width + 14
        head = self.head(row, message, review.session.info.project, width - left - 7)
        faded = not action.stays
        runs: list[Run] = [
            (self._gutter(review, row), self.style_of("transcript--cut")),
            mark,
            (
                ALARM if message.id in self.alarms else MEMORY if row in review.memory else " ",
                self.style_of(
                    "messages--mark-drop" if message.id in self.alarms else "messages--number"
                ),
            ),
            (f"{row + 1:>{number_width}} ", self.style_of("messages--number")),
            (f"{word:<9} ", self._fade(self.style_of(f"messages--{category.value}"), faded)),
            (padded(head, width - left - 7), self._head_style(message, action, row)),
            (f" {figure:>5} ", self._weight(review, tokens, faded)),
        ]
        return strip_of(runs, width, base)

    def base_of(self, row: int) -> Style:
        return self.ground if self.on_earlier else super().base_of(row)

    @property
    def chosen(self) -> list[int]:
        """The picked rows, or the one under the cursor."""
        return sorted(self.picked) or ([] if self.on_earlier else [self.cursor])

    def _gutter(self, review: Review, row: int) -> str:
        if self.on_earlier:
            return " "
        if row == self.cursor:
            return CURSOR
        shape = review.outline
        if self.cursor < len(shape.group) and shape.group[row] == shape.group[self.cursor]:
            return TIED
        return " "

    def _mark(self, review: Review, row: int, action: Action) -> Run:
        style = self.style_of(f"messages--mark-{action.value}")
        letter = ACTION_MARK[action]
        if row in review.plan.pinned:
            return letter.upper(), style + Style(bold=True, reverse=True)
        return letter, style

    def _fade(self, style: Style, faded: bool) -> Style:
        return style + self.style_of("messages--gone") if faded else style

    def _head_style(self, message: Message, action: Action, row: int) -> Style:
        style = Style()
        if action is Action.DROP:
            style = self.style_of("transcript--dropped")
        elif action not in (Action.KEEP, Action.QUOTE):
            style = self.style_of("messages--gone")
        elif message.prompts:
            style = self.style_of("messages--prompt")
        return style + self.style_of("transcript--found") if row in self.matches else style

    def _weight(self, review: Review, tokens: int, faded: bool) -> Style:
        """Tokens stand out where one message is more than 2 % of what is used."""
        if not faded and tokens * 50 > max(review.window.used, 1):
            return self.style_of("transcript--heavy")
        return self.style_of("messages--gone")

    # -- moves ---------------------------------------------------------------------------------

    def watch_cursor(self, old: int, new: int) -> None:
        self._stand_on_earlier(False)
        super().watch_cursor(old, new)

    def _stand_on_earlier(self, standing: bool) -> None:
        if standing != self.on_earlier:
            self.on_earlier = standing
            self.refresh_row(0)

    def action_line_up(self) -> None:
        """Up; from the first message onto the line that says what came before."""
        first = self.cursor == 0 and self.scroll_offset.y == 0
        super().action_line_up()
        if first and self.earlier:
            self._stand_on_earlier(True)

    def action_line_down(self) -> None:
        if self.on_earlier:
            self._stand_on_earlier(False)
        else:
            super().action_line_down()

    def action_open(self) -> None:
        """Opens the message under the cursor, or closes it; on the line above the first one, the
        history."""
        if self.on_earlier:
            self.post_message(self.EarlierAsked())
        else:
            super().action_open()

    def on_click(self, event: events.Click) -> None:
        if self.earlier and event.y + self.scroll_offset.y == 0:
            event.stop()
            self.post_message(self.EarlierAsked())

    def action_turn(self, step: int) -> None:
        """The cursor to the next or previous prompt."""
        if self.review is None:
            return
        starts = self.review.outline.turn_starts
        ahead = [row for row in starts if (row > self.cursor if step > 0 else row < self.cursor)]
        if ahead:
            self.go_to(ahead[0] if step > 0 else ahead[-1])

    def action_at_cut(self) -> None:
        if self.review is not None and self.review.plan.cut is not None:
            self.go_to(self.review.plan.cut.index, centre=True)
