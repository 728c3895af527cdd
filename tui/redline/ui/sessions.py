"""The list of sessions: which one is it to be?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Static

from redline.files import expanded
from redline.text import counted, first_line
from redline.ui.actions import bindings
from redline.ui.bar import Bars
from redline.ui.curve import Curve
from redline.ui.field import Field
from redline.ui.items import Items
from redline.ui.keeping_up import KeepingUp
from redline.ui.lines import LineList
from redline.ui.panes import Pane, PaneTitle
from redline.ui.progress import ProgressLine
from redline.ui.roster import ORDERS, Listing, View, next_agent
from redline.ui.session_items import project_name
from redline.ui.session_list import SessionList
from redline.ui.session_pane import SessionPane

AGE = 30.0  # seconds between two looks at the clock


class SessionsScreen(KeepingUp):
    """All sessions of all agents by project, and what the one under the cursor holds."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("sessions",)
    NAME = "Sessions"
    HELP = "Enter opens the session under the cursor at its desk; F searches in what was said."
    BINDINGS: ClassVar[list[BindingType]] = bindings("sessions")
    AUTO_FOCUS = "#sessions"

    def compose_body(self) -> Iterable[Widget]:
        with Horizontal(id="asked"):
            yield Field(placeholder="/ filter by title, project, prompt or id", id="filter")
            yield Static("", id="asked-remark", markup=False)
        with Horizontal(classes="columns"):
            with Pane(classes="first"):
                yield PaneTitle("sessions", id="sessions-title")
                yield SessionList(self.roster, id="sessions")
                yield ProgressLine(id="progress")
            with SessionPane(self.roster, id="session", classes="second"):
                yield PaneTitle("session", id="details-title")
                yield Bars(id="mini")
                yield Curve(id="course")
                yield Items(id="details", word_width=9)

    def on_mount(self) -> None:
        self.show_listing(Listing())
        self.keep_up()
        self.set_interval(AGE, self._tick)

    def _tick(self) -> None:
        """Time goes on, and with it the ages."""
        if self.in_front:
            self.query_one("#sessions", SessionList).tick(self.place.now())

    # -- the list ------------------------------------------------------------------------------

    def _ask(self, view: View) -> None:
        """Shows `view` of the sessions."""
        if view != self.view:
            self.view = view
            self.rearrange()

    def show_listing(self, listing: Listing) -> None:
        lines = self.query_one("#sessions", SessionList)
        lines.say_when_empty(self._why_empty())
        lines.show_listing(listing, self.view, self.place.now(), self._home())
        lines.held = lines.held or self.redline.indexing.complete
        self.entitle_all()
        total = len(self.roster.infos)
        self.query_one("#sessions-title", PaneTitle).show(
            f"{listing.sessions:,} of {total:,}" if listing.sessions != total else ""
        )
        self.query_one("#asked-remark", Static).update(self._facets())
        self._show_details()

    def entitle_all(self) -> None:
        infos = self.roster.infos
        if not self.known:
            self.entitle("", "looking for sessions ...")
            return
        agents = len({info.agent for info in infos})
        words = [counted(agents, "agent"), counted(len(infos), "session")]
        live = len(self.roster.live)
        self.entitle("", ", ".join([*words, *([f"{live} live"] if live else [])]))

    def _facets(self) -> str:
        view = self.view
        agent = "all" if view.agent is None else view.agent.value
        words = [f"agent: {agent}", f"sort: {view.order}"]
        if view.project is not None:
            name = project_name(view.project, self._home())
            words.insert(1, f"project: {first_line(name, 24)}")
        if not view.grouped:
            words.append("one list")
        return "   ".join(words)

    def _home(self) -> str:
        return self.place.environment.get("HOME", "")

    def _why_empty(self) -> str:
        if not self.known:
            return "Looking for sessions ..."
        if self.roster.infos:
            return "No session fits. esc shows all again; F searches in what was said."
        return (
            "No session was found. `redline doctor` says where redline looked; "
            "o opens a session file by its path."
        )

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        if event.lines.id == "sessions":
            self._show_details()

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        if event.lines.id == "sessions":
            self.action_open()

    def _show_details(self) -> None:
        self.query_one(SessionPane).show(self.query_one("#sessions", SessionList).session)

    # -- commands ------------------------------------------------------------------------------

    def action_look_again(self) -> None:
        self.told.clear()
        self.redline.indexing.start()

    def action_open(self) -> None:
        info = self.query_one("#sessions", SessionList).session
        if info is not None:
            self.entitle(f"opening {info.title} ...")
            self.redline.open_desk(info)

    def action_rules(self) -> None:
        """The rules of the project of the session under the cursor."""
        info = self.query_one("#sessions", SessionList).session
        if info is not None:
            from redline.ui.rules import RulesScreen

            self.app.push_screen(RulesScreen(info))

    def on_opening_ended(self) -> None:
        self.entitle_all()

    def action_filter(self) -> None:
        self.query_one("#filter").focus()

    def action_clear_filter(self) -> None:
        if self.redline.cancel_opening():
            self.entitle_all()
            return
        self.query_one("#filter", Input).value = ""
        self._ask(replace(self.view, text="", agent=None, project=None))
        self.query_one("#sessions").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id == "filter":
            self._ask(replace(self.view, text=event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "filter":
            self.query_one("#sessions").focus()

    def action_next_agent(self) -> None:
        self._ask(next_agent(self.roster.infos, self.view))

    def action_one_project(self) -> None:
        """Only the project of the session under the cursor; again, all."""
        info = self.query_one("#sessions", SessionList).session
        if self.view.project is not None:
            self._ask(replace(self.view, project=None))
        elif info is not None:
            self._ask(replace(self.view, project=info.project or ""))

    def action_group(self) -> None:
        self._ask(replace(self.view, grouped=not self.view.grouped))

    def action_next_sort(self) -> None:
        at = ORDERS.index(self.view.order)
        self._ask(replace(self.view, order=ORDERS[(at + 1) % len(ORDERS)]))

    def action_open_file(self) -> None:
        from redline.ui.dialogs import Ask

        def answered(answer: str | None) -> None:
            path = self.attempt(partial(expanded, answer.strip())) if answer else None
            if path is not None and path.name:
                self.redline.open_desk(path if path.is_absolute() else self.place.cwd / path)

        hint = "its path; enter opens it, esc leaves"
        self.app.push_screen(Ask("Open a session file", "", hint), answered)

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self.entitle_all()
            self._tick()
            self._show_details()
            self.catch_up()
