"""The strategies side by side: what each would leave of the session, and at what price."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from threading import Event as Flag
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message as Event
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from redline.agents.following import Change
from redline.compaction.strategies.registry import names
from redline.comparison.compare import Comparison, compared
from redline.model import Message
from redline.review import Review
from redline.ui.actions import bindings
from redline.ui.bar import Bars, Filling
from redline.ui.bodies import read_body
from redline.ui.compare_items import differing_words, figure_items, remark_of
from redline.ui.compare_messages import ComparedMessages
from redline.ui.compare_rows import Heads, Strategies
from redline.ui.fillings import fillings
from redline.ui.items import Items
from redline.ui.lines import LineList
from redline.ui.message_lines import MessageLines
from redline.ui.panes import Pane, PaneTabs
from redline.ui.reckoning import Reckoning
from redline.ui.screen import RedlineScreen
from redline.ui.threads import beside, in_thread
from redline.ui.views import view_title, view_words
from redline.ui.watching import Changed, Watching

TABS = ("messages", "figures")


class CompareScreen(RedlineScreen[str]):
    """Both bars, the strategies, and beneath them the messages or the figures of one. Leaves with
    the name of the strategy that the desk is to plan by, or with nothing."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("compare",)
    NAME = "Compare"
    HELP = (
        "What every strategy would leave of this session, each planned with its own defaults and "
        "your pins. The bars are the window now and after the strategy under the cursor. Enter "
        "makes it the plan of the desk; u there takes that back."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("compare")
    AUTO_FOCUS = "#strategies"

    class Told(Event):
        """More of the comparison is ready."""

        def __init__(self, found: Comparison) -> None:
            super().__init__()
            self.found = found

        def can_replace(self, message: Event) -> bool:
            return isinstance(message, CompareScreen.Told)

    def __init__(
        self, review: Review, counted: int | None, again: Callable[[], Awaitable[Review]]
    ) -> None:
        """`counted` are the tokens of the handoff where it is written. `again` gives the review of
        the session as it is now."""
        super().__init__()
        self.review = review
        self.changed: Change | None = None
        self._again = again
        self._watching: Watching | None = None
        self.names = names()
        self.found = Comparison(review.window, review.strategy)
        self._counted = counted
        self._stopped = Flag()
        self._reckoning: Reckoning | None = None

    def compose_body(self) -> Iterable[Widget]:
        yield Bars(id="bars")
        with Pane(id="table"):
            yield Heads(id="table-heads", classes="title")
            yield Strategies(self.names, id="strategies")
        with Pane(id="beneath"):
            yield PaneTabs(TABS, id="tabs")
            with ContentSwitcher(initial="messages", id="panes"):
                with Pane(id="messages"):
                    yield Heads(id="message-heads")
                    yield ComparedMessages(self.review, self.names, id="compared")
                yield Items(id="figures", word_width=8)

    def on_mount(self) -> None:
        session, place = self.review.session, self.place
        if session.asked_leaf is None and session.before is None:
            self._watching = Watching(self, place.watch)
            self._watching.follow([session.info.path])
        table = self.query_one("#strategies", Strategies)
        self.query_one("#table").styles.height = len(self.names) + 1
        if self.review.strategy in self.names:
            table.go_to(self.names.index(self.review.strategy))
        self._reckoning = Reckoning(self, place.settings, self._show_looked_at)
        self._reckoning.want(session)
        self._show()
        beside(self, self._compare, "compare")

    def on_unmount(self) -> None:
        """Ends the comparison, and lets go of what is large (see `Garbage.settle`)."""
        self._stopped.set()
        if self._watching is not None:
            self._watching.close()
        del self.review, self.found

    # -- comparing -----------------------------------------------------------------------------

    async def _compare(self) -> None:
        place, loop, stopped = self.place, asyncio.get_running_loop(), self._stopped
        steps = compared(
            self.review,
            place.now(),
            place.settings,
            counted=self._counted,
            cancelled=stopped.is_set,
        )

        def run() -> None:
            for found in steps:
                if stopped.is_set():
                    return
                loop.call_soon_threadsafe(self.post_message, self.Told(found))

        await in_thread(run)

    def on_compare_screen_told(self, event: Told) -> None:
        if not self._stopped.is_set() and event.found.window is self.review.window:
            self.found = event.found
            self._show()

    # -- the session goes on -------------------------------------------------------------------

    def on_changed(self, event: Changed) -> None:
        """The rows stay as they are until somebody asks: they would move under the eye."""
        event.stop()
        self.changed = event.change
        self._entitle()

    def action_compare_again(self) -> None:
        beside(self, self._compare_again, "compare again")

    async def _compare_again(self) -> None:
        self.changed = None
        review = await self._again()
        if review.window is self.review.window:
            self._entitle()
            self.say("Nothing was said since.")
            return
        self._stopped.set()
        self._stopped = Flag()
        self.review, self.found = review, Comparison(review.window, review.strategy)
        self.query_one("#compared", ComparedMessages).start(review)
        if self._reckoning is not None:
            self._reckoning.want(review.session)
        self._show()
        beside(self, self._compare, "compare")

    # -- showing -------------------------------------------------------------------------------

    def _entitle(self) -> None:
        view = view_words(self.review.session)
        title = view_title(self.review.session.info.title, view)
        self.entitle(title, remark_of(self.found, len(self.names), self.changed))

    def _show(self) -> None:
        self._entitle()
        self.query_one("#strategies", Strategies).show(self.found)
        self.query_one("#compared", ComparedMessages).show(self.found)
        self._show_looked_at()

    def on_strategies_heads_changed(self) -> None:
        table = self.query_one("#strategies", Strategies)
        self.query_one("#table-heads", Heads).show(table.heads)

    def _show_looked_at(self) -> None:
        """Bars, messages and figures of the strategy under the cursor."""
        table, found = self.query_one("#strategies", Strategies), self.found
        name = table.current
        row = found.row(name)
        now, after = fillings(self.review, self._counted)
        if row is not None and row.after is not None:
            after = Filling(row.after, after.limit, after.reserve, after.note)
        self.query_one("#bars", Bars).show(now, after)
        same = name == found.chosen
        differing = found.differing(*(() if same else (name, found.chosen)))
        messages = self.query_one("#compared", ComparedMessages)
        messages.look_at(table.cursor, frozenset(differing))
        self.query_one("#message-heads", Heads).show(*messages.heads(table.letters))
        words = differing_words(name, found, len(differing), len(self.review.outline.messages))
        self.query_one("#tabs", PaneTabs).count("messages", words)
        spent = self._reckoning.words if self._reckoning is not None else ""
        self.query_one("#figures", Items).show(figure_items(row, found, spent))

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        if event.lines.id == "strategies":
            self._show_looked_at()

    def on_message_lines_body_wanted(self, event: MessageLines.BodyWanted) -> None:
        if event.message is not None:
            beside(
                self,
                partial(self._read, event.lines, event.name, event.message),
                "body",
                exclusive=False,
            )

    async def _read(self, lines: MessageLines, name: str, message: Message) -> None:
        text = self.review.session.text
        lines.give_body(name, await in_thread(lambda: read_body(message, text)))

    def copied_text(self) -> Callable[[], str] | None:
        """The whole text of the message under the cursor, for the clipboard."""
        messages = self.query_one("#compared", ComparedMessages)
        message = messages.message
        if not messages.has_focus or message is None:
            return None
        text = self.review.session.text
        return lambda: "\n\n".join(filter(None, map(text, message.parts)))

    # -- commands ------------------------------------------------------------------------------

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        """Takes the strategy to the desk."""
        if event.lines.id != "strategies":
            return
        name = self.query_one("#strategies", Strategies).current
        row = self.found.row(name)
        if row is not None and row.plan is None:
            self.say(f"{name} makes no plan here: {row.why_not}", severity="warning")
        else:
            self.dismiss(name)

    def action_differing(self) -> None:
        messages = self.query_one("#compared", ComparedMessages)
        if not messages.only and not messages.differing:
            self.say("The two plans treat every message alike.")
            return
        self.action_show("messages", focus=False)
        messages.show_only(not messages.only)

    def action_next_difference(self, step: int) -> None:
        self.action_show("messages", focus=False)
        if not self.query_one("#compared", ComparedMessages).next_difference(step):
            self.say(f"No message that differs further {'down' if step > 0 else 'up'}.")

    def action_show(self, name: str, *, focus: bool = True) -> None:
        """Shows a pane, and puts the focus on it; a second time, back on the strategies."""
        pane = self.query_one("#compared" if name == "messages" else f"#{name}")
        switcher = self.query_one("#panes", ContentSwitcher)
        if focus and switcher.current == name and pane.has_focus:
            self.query_one("#strategies").focus()
            return
        switcher.current = name
        self.query_one("#tabs", PaneTabs).choose(name)
        if focus:
            self.set_focus(pane)

    def on_pane_tabs_chosen(self, event: PaneTabs.Chosen) -> None:
        self.action_show(event.name)

    def action_back(self) -> None:
        """To the strategies, then back to the desk."""
        if not self.query_one("#strategies").has_focus:
            self.query_one("#strategies").focus()
        else:
            self.dismiss(None)
