"""The history: everything that was ever said on this branch, and what hangs on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message as Event
from textual.widget import Widget
from textual.widgets import Input

from redline.agents.subagents import info_of
from redline.facts.compacted import rebuilt, summary_of
from redline.facts.contents import Boundary, Fork, Started
from redline.model import Message, Session
from redline.ui.actions import bindings
from redline.ui.bodies import Body, read_body
from redline.ui.field import Field
from redline.ui.history_items import place_of, told_of
from redline.ui.history_lines import HistoryLines
from redline.ui.history_reading import HistoryReading, HistorySoFar
from redline.ui.items import Item, Items
from redline.ui.lines import LineList
from redline.ui.message_lines import MessageLines
from redline.ui.panes import Pane, PaneTitle
from redline.ui.screen import RedlineScreen
from redline.ui.threads import beside, giving_way, in_thread
from redline.ui.views import view_title, view_words


class HistoryScreen(RedlineScreen[str]):
    """Left the contents, right every message. Leaves with the id of a message that the desk is to
    go to, or with nothing."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("history",)
    NAME = "History"
    HELP = (
        "The whole session, also what is not in the context any more. Move through the contents, "
        "or jump by turn, compaction and error; p goes to a desk where the message under the "
        "cursor is in the context, so that it can be planned on."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("history")
    AUTO_FOCUS = "#history"

    class Told(Event):
        """More of the history was read."""

        def __init__(self, so_far: HistorySoFar) -> None:
            super().__init__()
            self.so_far = so_far

        def can_replace(self, message: Event) -> bool:
            return isinstance(message, HistoryScreen.Told)

    def __init__(self, reading: HistoryReading, message: str | None = None) -> None:
        """`reading` is new, or was whole before. `message` is the id of the one to go to, None for
        the last before the context."""
        super().__init__()
        self.reading = reading
        self.session: Session = reading.session
        self._wanted = message
        self._arrived = False
        self._entries: tuple[Item, ...] = ()

    def compose_body(self) -> Iterable[Widget]:
        info, counts = self.session.info, self.session.counts
        with Horizontal(classes="columns reversed"):
            with Pane(classes="second"):
                yield PaneTitle("contents", id="contents-title")
                yield Items(id="contents", word_width=4, empty="Reading the history ...")
                yield Field(placeholder="filter", id="find", select_on_focus=True)
            with Pane(classes="first"):
                yield PaneTitle("history", id="history-title")
                yield HistoryLines(
                    self.reading.messages,
                    self.reading.weights,
                    total=counts.messages,
                    project=info.project,
                )

    def on_mount(self) -> None:
        self.query_one("#find").display = False
        self.query_one("#contents", Items).show(())
        if self.reading.latest is not None:
            self._show(self.reading.latest)
        else:
            self._say_where()
        if not self.reading.whole:
            beside(self, self._read, "history")

    def on_unmount(self) -> None:
        """Ends the reading, and lets go of what is large (see `Garbage.settle`)."""
        self.reading.stop()
        del self.reading, self.session

    # -- reading -------------------------------------------------------------------------------

    async def _read(self) -> None:
        reading, loop, give_way = self.reading, asyncio.get_running_loop(), giving_way()

        def tell(so_far: HistorySoFar) -> None:
            loop.call_soon_threadsafe(self.post_message, self.Told(so_far))

        try:
            await in_thread(lambda: reading.run(tell, give_way))
        finally:
            reading.stop()
            if self.is_attached:
                self._say_where()

    def on_history_screen_told(self, event: Told) -> None:
        self._show(event.so_far)

    def _show(self, so_far: HistorySoFar) -> None:
        self._entries = so_far.entries
        self._show_contents()
        lines = self.query_one("#history", HistoryLines)
        lines.show(so_far.rows)
        if not self._arrived:
            self._arrived = self._arrive(so_far)
        self._say_where()

    def _arrive(self, so_far: HistorySoFar) -> bool:
        """Goes to where the history was opened at, once it is read."""
        lines = self.query_one("#history", HistoryLines)
        if self._wanted is None:
            spans = so_far.contents.spans
            place = spans[0][0] - 1 if spans and spans[0][0] else None
            if place is None and so_far.whole:
                place = max(0, so_far.contents.messages - 1)
        else:
            place = self.reading.place_of(self._wanted)
            if place is None and so_far.whole:
                self.say("The message is not on this branch any more.")
                return True
        return place is not None and lines.go_to_place(place)

    def _say_where(self) -> None:
        latest, total = self.reading.latest, self.session.counts.messages
        found = latest.contents if latest else None
        read = found.messages if found else 0
        words = [f"{found.sent:,} in the context" if found else ""]
        if not self.reading.whole:
            state = "stopped at" if self.reading.stopped else "reading"
            words = [f"{state} {read:,} of {total:,} messages"]
        title = view_title(self.session.info.title, view_words(self.session))
        self.entitle(title, "  ".join(filter(None, words)))
        self.query_one("#history-title", PaneTitle).show(f"{read:,} messages, ~ estimated")

    # -- the contents --------------------------------------------------------------------------

    def _show_contents(self) -> None:
        words = self.query_one("#find", Input).value.casefold().split()
        entries = self._entries
        if words:
            entries = tuple(
                item
                for item in entries
                if all(word in f"{item.text} {item.word}".casefold() for word in words)
            )
        items = self.query_one("#contents", Items)
        items.say_when_empty("Nothing fits the filter." if words else "Nothing was read.")
        items.show(entries)
        title = f"{len(entries):,} of {len(self._entries):,}" if words else ""
        self.query_one("#contents-title", PaneTitle).show(title)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """The two lists go together: the one with the focus leads."""
        contents = self.query_one("#contents", Items)
        if event.lines is contents and contents.has_focus:
            self._go_to_entry()
        elif event.lines.id == "history" and event.lines.has_focus:
            self._follow_in_contents()

    def _go_to_entry(self) -> None:
        item = self.query_one("#contents", Items).current
        lines = self.query_one("#history", HistoryLines)
        match item.key if item else None:
            case Boundary() | Fork() | Started() as hung:
                lines.go_to_hung(hung)
            case other:
                place = place_of(other)
                if place is not None:
                    lines.go_to_place(place)

    def _follow_in_contents(self) -> None:
        lines = self.query_one("#history", HistoryLines)
        contents = self.query_one("#contents", Items)
        turn = lines.contents.turn_at(lines.place)
        current = lines.current
        key = turn if isinstance(current, int) or current is None else current
        for row, item in enumerate(contents.items):
            if item.key is key:
                contents.go_to(row)
                return

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        lines = self.query_one("#history", HistoryLines)
        if event.lines is lines:
            self._open_beside(lines.current)
            return
        item = self.query_one("#contents", Items).current
        key = item.key if item else None
        if isinstance(key, Fork | Started):
            self._open_beside(key)
        elif key is not None:
            self._go_to_entry()
            lines.focus()
            if isinstance(key, Boundary) and not lines.is_open(lines.cursor):
                lines.action_open()

    def _open_beside(self, one: object) -> None:
        """A side branch or a subagent, at a desk of its own."""
        match one:
            case Fork():
                self.redline.open_desk(self.session.info, leaf=one.branch.leaf)
            case Started():
                info, leaf = info_of(self.session, one.subagent)
                name = one.subagent.description or one.subagent.id
                self.redline.open_desk(info, leaf=leaf, kin=f"subagent {name}")
            case _:
                return
        self.entitle(self.session.info.title, "opening ...")

    def on_opening_ended(self) -> None:
        self._say_where()

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self._say_where()

    # -- bodies --------------------------------------------------------------------------------

    def on_message_lines_body_wanted(self, event: MessageLines.BodyWanted) -> None:
        lines = self.query_one("#history", HistoryLines)
        message = event.message
        if message is not None:
            step: Callable[[], Body] = partial(self._body, message)
        elif isinstance(boundary := lines.rows.named(event.name), Boundary):
            step = partial(self._boundary, boundary)
        else:
            return

        async def read() -> None:
            event.lines.give_body(event.name, await in_thread(step))

        beside(self, read, "body", exclusive=False)

    def _body(self, message: Message) -> Body:
        return read_body(message, self.session.text)

    def _boundary(self, boundary: Boundary) -> Body:
        """What a compaction left; where nobody can read that, what the records before it hold."""
        session, past = self.session, boundary.past
        summary = summary_of(session, past)
        again = None
        if past.sealed is not None and not summary:
            view = self.place.opened(session.info, session.asked_leaf, boundary.number)
            again = rebuilt(view)
        return Body(tuple(told_of(past, summary, boundary.kept, again)))

    def copied_text(self) -> Callable[[], str] | None:
        """The whole text of the message under the cursor, for the clipboard."""
        lines = self.query_one("#history", HistoryLines)
        if not lines.has_focus or not lines.heights.rows:
            return None
        message = lines.message_at(lines.cursor)
        if message is None:
            return None
        return lambda: "\n\n".join(filter(None, map(self.session.text, message.parts)))

    # -- commands ------------------------------------------------------------------------------

    def action_jump(self, kind: str, step: int) -> None:
        """To the next or previous compaction or error."""
        lines = self.query_one("#history", HistoryLines)
        found = lines.contents
        match kind:
            case "compaction":
                rows = lines.rows.boundaries
            case "error":
                rows = [lines.rows.row_of(error.place) for error in found.errors]
            case _:
                rows = [lines.rows.row_of(turn.place) for turn in found.turns]
        lines.focus()
        if not lines.jump(sorted(set(rows)), step):
            self.say(f"No {kind} further {'down' if step > 0 else 'up'}.")

    def action_plan(self) -> None:
        """To a desk where the message under the cursor is in the context."""
        lines = self.query_one("#history", HistoryLines)
        current = lines.current
        if isinstance(current, Fork | Started):
            self._open_beside(current)
            return
        if current is None:
            return
        if isinstance(current, Boundary):
            self._plan_before(current, max(0, current.place - 1))
        elif lines.contents.in_context(current):
            self.dismiss(self.reading.messages[current].id)
        else:
            # Of what an agent kept in other words, the first copy may stand behind the summary.
            later = (
                one
                for one in lines.contents.compactions
                if max(one.place, one.past.messages_before) > current
            )
            if (boundary := next(later, None)) is not None:
                self._plan_before(boundary, current)
            else:
                self.say("No compaction took this message out; its agent leaves it aside.")

    def _plan_before(self, boundary: Boundary, place: int) -> None:
        origin = self.reading.messages[place].parts[0].origin if self.reading.messages else None
        at = (origin.record, origin.start) if origin is not None else None
        self.redline.open_desk(
            self.session.info, leaf=self.session.asked_leaf, before=boundary.number, at=at
        )
        self.entitle(self.session.info.title, f"opening it before compaction {boundary.number} ...")

    def action_compactions(self) -> None:
        from redline.ui.compactions import CompactionsScreen

        self.app.push_screen(CompactionsScreen(self.session))

    def action_filter(self) -> None:
        field = self.query_one("#find", Input)
        field.display = True
        field.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id == "find":
            self._show_contents()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "find":
            self.query_one("#contents").focus()

    def action_back(self) -> None:
        """Takes the filter away, then ends the reading, then leaves."""
        field = self.query_one("#find", Input)
        if field.display:
            field.value = ""
            field.display = False
            self.query_one("#history").focus()
        elif self.redline.cancel_opening():
            self._say_where()
        elif not self.reading.whole and not self.reading.stopped:
            self.reading.stop()
            self._say_where()
        else:
            self.dismiss(None)
