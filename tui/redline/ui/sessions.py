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
from redline.ui.indexing import IndexMoved
from redline.ui.items import Items
from redline.ui.lines import LineList
from redline.ui.living import Living
from redline.ui.panes import Pane, PaneTitle
from redline.ui.progress import ProgressLine
from redline.ui.roster import ORDERS, Listing, Roster, View, next_agent
from redline.ui.screen import RedlineScreen
from redline.ui.session_items import project_name
from redline.ui.session_list import SessionList
from redline.ui.session_pane import SessionPane
from redline.ui.shares import Shares
from redline.ui.threads import beside, in_thread

AGE = 30.0  # seconds between two looks at the clock


class SessionsScreen(RedlineScreen[None]):
    """All sessions of all agents by project, and what the one under the cursor holds."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("sessions",)
    NAME = "Sessions"
    HELP = "Enter opens the session under the cursor at its desk; F searches in what was said."
    BINDINGS: ClassVar[list[BindingType]] = bindings("sessions")
    AUTO_FOCUS = "#sessions"

    def __init__(self) -> None:
        super().__init__()
        self._roster = Roster()
        self._view = View()
        self._listing = Listing()
        self._known = False
        self._told: set[str] = set()

    def compose_body(self) -> Iterable[Widget]:
        with Horizontal(id="asked"):
            yield Field(placeholder="/ filter by title, project, prompt or id", id="filter")
            yield Static("", id="asked-remark", markup=False)
        with Horizontal(classes="columns"):
            with Pane(classes="first"):
                yield PaneTitle("sessions", id="sessions-title")
                yield SessionList(self._roster, id="sessions")
                yield ProgressLine(id="progress")
            with SessionPane(self._roster, id="session", classes="second"):
                yield PaneTitle("session", id="details-title")
                yield Bars(id="mini")
                yield Curve(id="course")
                yield Items(id="details", word_width=9)

    def on_mount(self) -> None:
        self._shares = Shares(self.place.settings, self.place.environment)
        self._living = Living(self.place)
        self._show(Listing())
        beside(self, self._start, "load")
        self.set_interval(self.place.every, self._look)
        self.set_interval(AGE, self._tick)

    async def _start(self) -> None:
        """What the index holds, at once; then what has become of it since."""
        await self._load()
        self.redline.indexing.start()

    # -- the sessions --------------------------------------------------------------------------

    async def _load(self) -> None:
        """The sessions as the index has them now, and what can be worked out of them."""
        archive = self.place.archive
        indexing = self.redline.indexing

        def read() -> Listing:
            infos = archive.found() if indexing.failed else archive.sessions()
            self._roster.take(infos)
            return self._roster.arranged(self._view)

        listing = await in_thread(read)
        self._known = self._known or bool(self._roster.infos) or indexing.complete
        self._show(listing)
        before = self._roster.shares
        shares = await in_thread(lambda: self._shares.of(self._roster.infos))
        if shares != before:
            self._roster.shares = shares
            self._arrange()
        self._look()

    def on_index_moved(self, event: IndexMoved) -> None:
        indexing = self.redline.indexing
        self.query_one(ProgressLine).follow(indexing)
        if event.listed:
            self._known = self._known or not indexing.running
            beside(self, self._load, "load")
            beside(self, self._tell_problems, "problems")
        else:
            self._entitle()

    async def _tell_problems(self) -> None:
        """Says what could not be looked into, each once."""
        problems = await in_thread(self.place.archive.problems)
        new = [problem for problem in problems if problem not in self._told]
        self._told.update(new)
        if new:
            self.say("\n".join(new), severity="warning")

    def _look(self) -> None:
        """Which sessions are in use, and what has grown. One look at a time."""
        if self.is_current and self._roster.infos and self._living.due():
            beside(self, self._look_now, "live")

    async def _look_now(self) -> None:
        seen = await in_thread(lambda: self._living.look(self._roster.infos))
        if seen.changed:
            await in_thread(lambda: self._roster.update(seen.changed))
            changed = await in_thread(lambda: self._shares.of(seen.changed))
            self._roster.shares = {**self._roster.shares, **changed}
        if seen.changed or seen.live != self._roster.live:
            self._roster.live = seen.live
            self._arrange()

    def _tick(self) -> None:
        if self.is_current:
            self.query_one(SessionList).tick(self.place.now())

    # -- the list ------------------------------------------------------------------------------

    def _ask(self, view: View) -> None:
        """Shows `view` of the sessions."""
        if view != self._view:
            self._view = view
            self._arrange()

    def _arrange(self) -> None:
        async def arrange() -> None:
            view = self._view
            self._show(await in_thread(lambda: self._roster.arranged(view)))

        beside(self, arrange, "arrange")

    def _show(self, listing: Listing) -> None:
        self._listing = listing
        lines = self.query_one("#sessions", SessionList)
        lines.say_when_empty(self._why_empty())
        lines.show_listing(listing, self._view, self.place.now(), self._home())
        lines.held = lines.held or self.redline.indexing.complete
        self._entitle()
        total = len(self._roster.infos)
        self.query_one("#sessions-title", PaneTitle).show(
            f"{listing.sessions:,} of {total:,}" if listing.sessions != total else ""
        )
        self.query_one("#asked-remark", Static).update(self._facets())
        self._show_details()

    def _entitle(self) -> None:
        infos = self._roster.infos
        if not self._known:
            self.entitle("", "looking for sessions ...")
            return
        agents = len({info.agent for info in infos})
        words = [counted(agents, "agent"), counted(len(infos), "session")]
        live = len(self._roster.live)
        self.entitle("", ", ".join([*words, *([f"{live} live"] if live else [])]))

    def _facets(self) -> str:
        view = self._view
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
        if not self._known:
            return "Looking for sessions ..."
        if self._roster.infos:
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
        self._told.clear()
        self.redline.indexing.start()

    def action_open(self) -> None:
        info = self.query_one("#sessions", SessionList).session
        if info is not None:
            self.entitle(f"opening {info.title} ...")
            self.redline.open_desk(info)

    def on_opening_ended(self) -> None:
        self._entitle()

    def action_filter(self) -> None:
        self.query_one("#filter").focus()

    def action_clear_filter(self) -> None:
        if self.redline.cancel_opening():
            self._entitle()
            return
        self.query_one("#filter", Input).value = ""
        self._ask(replace(self._view, text="", agent=None, project=None))
        self.query_one("#sessions").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id == "filter":
            self._ask(replace(self._view, text=event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "filter":
            self.query_one("#sessions").focus()

    def action_next_agent(self) -> None:
        self._ask(next_agent(self._roster.infos, self._view))

    def action_one_project(self) -> None:
        """Only the project of the session under the cursor; again, all."""
        info = self.query_one("#sessions", SessionList).session
        if self._view.project is not None:
            self._ask(replace(self._view, project=None))
        elif info is not None:
            self._ask(replace(self._view, project=info.project or ""))

    def action_group(self) -> None:
        self._ask(replace(self._view, grouped=not self._view.grouped))

    def action_next_sort(self) -> None:
        at = ORDERS.index(self._view.order)
        self._ask(replace(self._view, order=ORDERS[(at + 1) % len(ORDERS)]))

    def action_open_file(self) -> None:
        from redline.ui.dialogs import Ask

        def answered(answer: str | None) -> None:
            path = self.attempt(partial(expanded, answer.strip())) if answer else None
            if path is not None and path.name:
                self.redline.open_desk(path if path.is_absolute() else self.place.cwd / path)

        self.app.push_screen(Ask("Open a session file", "", "a path; esc leaves"), answered)

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self._entitle()
            self._tick()
            self._look()
