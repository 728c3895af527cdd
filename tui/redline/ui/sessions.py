"""The list of sessions: which one is it to be?"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Static

from redline.files import expanded
from redline.model import Agent, SessionInfo
from redline.text import counted
from redline.ui.actions import bindings
from redline.ui.bar import Bars, Filling
from redline.ui.dialogs import Ask
from redline.ui.field import Field
from redline.ui.items import Items
from redline.ui.lines import LineList
from redline.ui.panes import Pane, PaneTitle
from redline.ui.screen import RedlineScreen
from redline.ui.session_items import (
    ORDERS,
    Insight,
    detail_items,
    matching,
    session_items,
    shares_of,
)
from redline.ui.threads import beside, in_thread


class SessionsScreen(RedlineScreen[None]):
    """All sessions of all agents by project, and what the one under the cursor holds."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("sessions",)
    NAME = "Sessions"
    HELP = (
        "Every session of every agent that was found, by project. A star is a session in use. "
        "Enter opens it at the desk."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("sessions")
    AUTO_FOCUS = "#sessions"

    def __init__(self) -> None:
        super().__init__()
        self._all: tuple[SessionInfo, ...] = ()
        self._agent: Agent | None = None
        self._order = ORDERS[0]
        self._windows: dict[tuple[Path, int], Insight] = {}
        self._looking = False
        self._shares: dict[Path, int] = {}

    def compose_body(self) -> Iterable[Widget]:
        with Horizontal(id="asked"):
            yield Field(placeholder="/ filter by title, project, prompt or id", id="filter")
            yield Static("", id="asked-remark", markup=False)
        with Horizontal(classes="columns"):
            with Pane(classes="first"):
                yield PaneTitle("sessions", id="sessions-title")
                yield Items(id="sessions", word_width=2, empty="Looking for sessions ...")
            with Pane(classes="second"):
                yield PaneTitle("session", id="details-title")
                yield Bars(id="mini")
                yield Items(id="details", word_width=9)

    def on_mount(self) -> None:
        self.query_one("#sessions", Items).show(())
        self.entitle("", "")
        self._show()
        self.action_look_again()

    def action_look_again(self) -> None:
        """Looks for sessions; the list stays usable meanwhile."""

        async def look() -> None:
            self._looking = True
            self._show()
            try:
                found = await in_thread(lambda: self.place.discover(self.place.environment))
                self._all = tuple(found.sessions)
                self._show()
                place, infos = self.place, self._all
                self._shares = await in_thread(
                    lambda: shares_of(infos, place.settings, place.environment)
                )
            finally:
                self._looking = False
            self._show()
            troubles = [
                f"{looked.path}: {looked.problem}" for looked in found.looked if looked.problem
            ]
            if troubles:
                self.say("\n".join(troubles), severity="warning")

        beside(self, look, "look")

    # -- the list ------------------------------------------------------------------------------

    def _chosen(self) -> list[SessionInfo]:
        text = self.query_one("#filter", Input).value
        return [
            info
            for info in matching(self._all, text)
            if self._agent is None or info.agent is self._agent
        ]

    def _show(self) -> None:
        chosen = self._chosen()
        items = session_items(
            chosen,
            self._order,
            self.place.now(),
            self._home(),
            self._shares,
            wide=self.size.width >= 100,
        )
        lines = self.query_one("#sessions", Items)
        lines.say_when_empty(self._why_empty())
        lines.show(items)
        live = sum(info.live for info in self._all)
        agents = len({info.agent for info in self._all})
        words = [counted(agents, "agent"), counted(len(self._all), "session")]
        remark = ", ".join([*words, *([f"{live} live"] if live else [])])
        self.entitle("", "looking for sessions ..." if self._looking and not self._all else remark)
        self.query_one("#sessions-title", PaneTitle).show(
            f"{len(chosen)} of {len(self._all)}" if len(chosen) != len(self._all) else ""
        )
        name = "all" if self._agent is None else self._agent.value
        self.query_one("#asked-remark", Static).update(f"agent: {name}   sort: {self._order}")
        self._show_details()

    def _home(self) -> str:
        return self.place.environment.get("HOME", "")

    def _why_empty(self) -> str:
        if self._looking:
            return "Looking for sessions ..."
        if self._all:
            return "No session fits. esc shows all again."
        return (
            "No session was found. `redline doctor` says where redline looked; "
            "o opens a session file by its path."
        )

    def _current(self) -> SessionInfo | None:
        item = self.query_one("#sessions", Items).current
        return item.key if item is not None and isinstance(item.key, SessionInfo) else None

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        if event.lines.id == "sessions":
            self._show_details()

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        if event.lines.id == "sessions":
            self.action_open()

    # -- details -------------------------------------------------------------------------------

    def _show_details(self) -> None:
        info = self._current()
        details = self.query_one("#details", Items)
        bars = self.query_one("#mini", Bars)
        if info is None:
            details.show(())
            bars.clear()
            return
        known = self._windows.get((info.path, info.size))
        details.show(detail_items(info, known, self.place.now()))
        if known:
            window = known.window
            bars.show(
                Filling(window.categories, window.limit, window.reserve or 0, window.source.value)
            )
            return
        bars.clear("measuring ...")
        beside(self, partial(self._measure, info), "details")

    async def _measure(self, info: SessionInfo) -> None:
        """Opens and measures the session that the cursor rests on."""
        await asyncio.sleep(self.place.pause / 2)  # a cursor that only passes by opens nothing

        insight = await in_thread(lambda: self.place.insight(info))
        if len(self._windows) >= 50:
            self._windows.clear()
        self._windows[(info.path, info.size)] = insight
        if self._current() is info:
            self._show_details()

    # -- commands ------------------------------------------------------------------------------

    def action_open(self) -> None:
        info = self._current()
        if info is not None:
            self.entitle(f"opening {info.title} ...")
            self.redline.open_desk(info)

    def on_opening_ended(self) -> None:
        self._show()

    def action_filter(self) -> None:
        self.query_one("#filter").focus()

    def action_clear_filter(self) -> None:
        field = self.query_one("#filter", Input)
        if self.redline.cancel_opening():
            self._show()
            return
        field.value = ""
        self._agent = None
        self._show()
        self.query_one("#sessions").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id == "filter":
            self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "filter":
            self.query_one("#sessions").focus()

    def action_next_agent(self) -> None:
        present: Sequence[Agent] = sorted({info.agent for info in self._all})
        order: list[Agent | None] = [None, *present]
        at = order.index(self._agent) if self._agent in order else 0
        self._agent = order[(at + 1) % len(order)]
        self._show()

    def action_next_sort(self) -> None:
        self._order = ORDERS[(ORDERS.index(self._order) + 1) % len(ORDERS)]
        self._show()

    def action_open_file(self) -> None:
        def answered(answer: str | None) -> None:
            path = self.attempt(partial(expanded, answer.strip())) if answer else None
            if path is not None and path.name:
                self.redline.open_desk(path if path.is_absolute() else self.place.cwd / path)

        self.app.push_screen(Ask("Open a session file", "", "a path; esc leaves"), answered)

    def on_resize(self) -> None:
        self._show()

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self._show()
