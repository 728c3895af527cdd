"""The agent's own past compactions, and what each of them lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from threading import Event as Flag
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message as Event
from textual.widget import Widget

from redline.facts.aftermath import Aftermath, aftermaths
from redline.facts.fact import Facts
from redline.handoff.audit import AuditClass, AuditItem, Verdict
from redline.handoff.past import PastAudit, past_audits
from redline.ledger.rule import Ledger
from redline.model import Session
from redline.text import counted
from redline.ui.actions import bindings
from redline.ui.card import message_card
from redline.ui.compactions_items import (
    compaction_items,
    lost_items,
    lost_remark,
    said_and_now,
)
from redline.ui.items import Items
from redline.ui.lines import LineList
from redline.ui.panes import Pane, PaneTitle
from redline.ui.screen import RedlineScreen
from redline.ui.threads import beside, in_thread
from redline.ui.views import view_title, view_words

Known = tuple[Ledger, Facts]


class CompactionsScreen(RedlineScreen[tuple[AuditItem, ...]]):
    """Left the compactions, right what the one under the cursor left and lost. Leaves with what the
    person took over."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("compactions",)
    NAME = "Compactions"
    HELP = (
        "What each of the agent's own compactions left of all that came before it, in its summary "
        "and in the messages it kept, and what the agent then did again. Enter shows where a lost "
        "thing comes from, and of a reworded one both wordings; i takes it over: into the handoff, "
        "or where none is written yet as a quoted message."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("compactions")
    AUTO_FOCUS = "#past"

    class Told(Event):
        """One more compaction is audited, or what followed all of them is known."""

        def __init__(self, one: PastAudit | None, afters: dict[int, Aftermath] | None) -> None:
            super().__init__()
            self.one = one
            self.afters = afters

    def __init__(self, session: Session, known: Known | None = None) -> None:
        """`known` are the ledger and the facts, where they are known: then things can be taken
        over."""
        super().__init__()
        self.session = session
        self._known = known
        self._found: list[PastAudit] = []
        self._afters: dict[int, Aftermath] = {}
        self._taken: dict[tuple[AuditClass, str], AuditItem] = {}
        self.stopped = Flag()
        self._shown: tuple[object, ...] = ()

    def compose_body(self) -> Iterable[Widget]:
        with Horizontal(classes="columns reversed"):
            with Pane(classes="second"):
                yield PaneTitle("compactions", id="past-title")
                yield Items(
                    id="past", word_width=3, empty="This session was never compacted by its agent."
                )
            with Pane(classes="first"):
                yield PaneTitle("what it lost", id="lost-title")
                yield Items(id="lost", word_width=8, empty="Nothing to audit.")

    def on_mount(self) -> None:
        compactions = self.session.compactions
        self._show_past()
        self.query_one("#lost", Items).show(())
        if compactions:
            self.query_one("#past", Items).go_to(2 * (len(compactions) - 1))
            beside(self, self._audit, "audits")
        self._say_where()

    def on_unmount(self) -> None:
        """Ends the audits, and lets go of what is large (see `Garbage.settle`)."""
        self.stopped.set()
        del self.session, self._known, self._found

    # -- auditing ------------------------------------------------------------------------------

    async def _audit(self) -> None:
        session, known, place = self.session, self._known, self.place
        loop, stopped = asyncio.get_running_loop(), self.stopped.is_set

        def tell(one: PastAudit | None, afters: dict[int, Aftermath] | None = None) -> None:
            if not stopped():
                loop.call_soon_threadsafe(self.post_message, self.Told(one, afters))

        def run() -> None:
            ledger, facts = known or _known(session, place.ledgers.load(session))
            for one in past_audits(session, ledger, facts, cancelled=stopped):
                tell(one)
            if not stopped():
                tell(None, {each.number: each for each in aftermaths(session, stopped)})

        await in_thread(run)

    def on_compactions_screen_told(self, event: Told) -> None:
        if self.stopped.is_set():
            return
        if event.one is not None:
            self._found.append(event.one)
        if event.afters is not None:
            self._afters = event.afters
        self._show_past()
        self._show_lost()
        self._say_where()

    # -- showing -------------------------------------------------------------------------------

    def _say_where(self) -> None:
        session, done = self.session, len(self._found)
        count = len(session.compactions)
        remark = counted(count, "compaction") if done == count else f"audited {done} of {count}"
        self.entitle(view_title(session.info.title, view_words(session)), remark)

    def _show_past(self) -> None:
        items = compaction_items(self.session.compactions, self._found, self._afters)
        self.query_one("#past", Items).show(items)

    @property
    def chosen(self) -> PastAudit | None:
        """The audit of the compaction under the cursor, None while it is not there."""
        item = self.query_one("#past", Items).current
        return next((one for one in self._found if item and one.number == item.key), None)

    def _show_lost(self) -> None:
        """What the compaction under the cursor lost; only where it is another, or more is known."""
        one, lost = self.chosen, self.query_one("#lost", Items)
        after = self._afters.get(one.number) if one is not None else None
        shown = (one and one.number, after, frozenset(self._taken))
        if shown == self._shown:
            return
        another = shown[:1] != self._shown[:1]
        self._shown = shown
        self.show_keys()
        if one is None:
            lost.say_when_empty("Auditing ..." if self.session.compactions else "Nothing to audit.")
            lost.show(())
            self.query_one("#lost-title", PaneTitle).show("")
            return
        lost.show(lost_items(one, after, self.session.info.project, self._taken))
        self.query_one("#lost-title", PaneTitle).show(lost_remark(one))
        if another:
            lost.action_first()

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        if event.lines.id == "past":
            self._show_lost()

    # -- commands ------------------------------------------------------------------------------

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        """To the items of a compaction, and from an item to its message."""
        if event.lines.id == "past":
            self.query_one("#lost").focus()
            return
        item = self.query_one("#lost", Items).current
        if item is None or not isinstance(item.key, AuditItem):
            return
        if item.key.message is None:
            self.say("It was added by hand and comes from no message.")
        else:
            self._show_source(item.key, item.key.message)

    def _show_source(self, item: AuditItem, name: str) -> None:
        async def show() -> None:
            session = self.session
            card = await in_thread(lambda: message_card(session, name, above=said_and_now(item)))
            if card is None:
                self.say("The message it comes from is not there any more.")
            else:
                self.app.push_screen(card)

        beside(self, show, "card")

    @property
    def idle(self) -> frozenset[str]:
        item = self.query_one("#lost", Items).current
        lost = item is not None and isinstance(item.key, AuditItem)
        return frozenset() if lost else frozenset(("take",))

    def action_take(self) -> None:
        """Takes the item under the cursor over, or leaves it again."""
        item = self.query_one("#lost", Items).current
        if item is None or not isinstance(item.key, AuditItem):
            self.say("Choose what is to be taken over on the right.")
            return
        if self._known is None:
            self.say("Things are taken over from the desk's own list of compactions (A there).")
        elif item.key.verdict is Verdict.VERBATIM:
            self.say("That was not lost.")
        else:
            key = (item.key.cls, item.key.text)
            if self._taken.pop(key, None) is None:
                self._taken[key] = item.key
            self._show_lost()

    def action_back(self) -> None:
        """To the compactions, then away."""
        if self.query_one("#lost").has_focus:
            self.query_one("#past").focus()
        else:
            self.dismiss(tuple(self._taken.values()))

    def copied_text(self) -> Callable[[], str] | None:
        item = self.query_one("#lost", Items).current
        if item is None or not self.query_one("#lost").has_focus:
            return None
        text = item.key.text if isinstance(item.key, AuditItem) else item.text
        return lambda: text


def _known(session: Session, ledger: Ledger) -> Known:
    from redline.facts.extract import extract

    return ledger, extract(session)
