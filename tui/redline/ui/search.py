"""Searching in all that was ever said: live results, and the way to the message."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Static

from redline.errors import RedlineError
from redline.model import Agent
from redline.text import first_line
from redline.ui.actions import bindings
from redline.ui.field import Field
from redline.ui.hits import HitList, Preview, same
from redline.ui.indexing import IndexMoved
from redline.ui.lines import LineList
from redline.ui.panes import Pane, PaneTitle
from redline.ui.progress import ProgressLine
from redline.ui.screen import RedlineScreen
from redline.ui.search_items import WORD, excerpts, grouped, told, whole
from redline.ui.search_view import ROLES, TIMES, SearchView, next_of
from redline.ui.session_items import ago, project_name
from redline.ui.threads import beside, in_thread

if TYPE_CHECKING:
    from redline.catalogue.search import Found, Hit

LIMIT = 200  # hits that are asked for
AGAIN = 2.0  # seconds between two searches of the same while indexing goes on

_INVITATION = (
    "Type what was said, in any session: words, code, a path. Prompts, replies, calls and their "
    "results are searched."
)
_REBUILT = "It is being built; what was said is found as that goes on."


class SearchScreen(RedlineScreen[None]):
    """A field, what is found while it is typed in, and what stands around it."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("search",)
    NAME = "Search"
    HELP = (
        "Searches prompts, replies and tool output of every session while you type. Up and down "
        "move in the hits while the field has the focus; enter opens the session at the message."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("search")
    AUTO_FOCUS = "#query"

    def __init__(self) -> None:
        super().__init__()
        self._view = SearchView()
        self._found: Found | None = None
        self._wrong = ""
        self._searching = False
        self._given_up = threading.Event()
        self._looked_at: Hit | None = None

    def compose_body(self) -> Iterable[Widget]:
        with Horizontal(id="asked"):
            yield Field(placeholder="search in all that was said", id="query", select_on_focus=True)
            yield Static("", id="asked-remark", markup=False)
        with Horizontal(classes="columns"):
            with Pane(classes="first"):
                yield PaneTitle("hits", id="hits-title")
                yield HitList(id="hits")
                yield ProgressLine(id="progress")
            with Pane(classes="second wider"):
                yield PaneTitle("passage", id="preview-title")
                yield Preview(id="preview")

    def on_mount(self) -> None:
        self._show()
        self.redline.indexing.start()
        self.query_one(ProgressLine).follow(self.redline.indexing)
        self.set_interval(AGAIN, self._search_on)
        self.set_interval(self.place.every, self.look)

    def look(self) -> None:
        """Looks for what was said since, while somebody waits for what is found."""
        if self.in_front and self._view.text.strip():
            self.redline.indexing.keep_up()

    # -- searching -----------------------------------------------------------------------------

    def _ask(self, view: SearchView) -> None:
        if view != self._view:
            self._view = view
            self._search()

    def _search(self, rest: float | None = None, *, quiet: bool = False) -> None:
        """Searches after `rest` seconds; what is searched for by then is given up. Where it is
        `quiet` nothing is said of it: what is shown is what was asked for, as it was then."""
        self._given_up.set()
        self._given_up = threading.Event()
        wait = self.place.pause / 4 if rest is None else rest
        search = partial(self._search_now, self._view, self._given_up, wait, quiet=quiet)
        beside(self, search, "search")

    async def _search_now(
        self, view: SearchView, given_up: threading.Event, rest: float, *, quiet: bool
    ) -> None:
        if not view.text.strip():
            self._found, self._wrong, self._searching = None, "", False
            self._show()
            return
        await asyncio.sleep(rest)
        if not quiet:
            self._searching = True
            self._entitle()
        query = view.query(self.place.now())
        try:
            found = await in_thread(
                lambda: self.place.archive.search(query, LIMIT, given_up.is_set)
            )
            if not given_up.is_set():
                self._found, self._wrong = found, found.problem
                if found.problem:
                    self.redline.indexing.start()
        except RedlineError as error:
            self._found, self._wrong = None, error.message
        self._searching = False
        self._show()

    def _search_on(self) -> None:
        """While the index grows, so does what is found."""
        if self.in_front and self.redline.indexing.busy and not self._searching:
            self._search(0.0)

    def on_index_moved(self, event: IndexMoved) -> None:
        indexing = self.redline.indexing
        self.query_one(ProgressLine).follow(indexing)
        if event.listed and self._view.text.strip():
            self._search(0.0, quiet=not indexing.busy)
        elif event.listed or indexing.busy:
            self._show()

    # -- showing -------------------------------------------------------------------------------

    def _show(self) -> None:
        hits = () if self._found is None else self._found.hits
        self.query_one("#hits", HitList).show(
            grouped(hits), self.place.now(), self._home(), self._why_empty()
        )
        self._entitle()
        self._show_preview()

    def _entitle(self) -> None:
        indexing = self.redline.indexing.busy
        if self._wrong:
            remark = "the index is damaged"
        elif self._found is not None:
            remark = told(self._found, indexing=indexing)
        else:
            remark = ""
        self.entitle("", remark)
        self.query_one("#hits-title", PaneTitle).show("searching ..." if self._searching else "")
        self.query_one("#asked-remark", Static).update(self._facets())

    def _facets(self) -> str:
        view = self._view
        words = [f"agent: {'all' if view.agent is None else view.agent.value}"]
        words.append(f"role: {view.role or 'all'}")
        words.append(f"since: {view.since or 'ever'}")
        if view.project is not None:
            words.append(f"project: {first_line(project_name(view.project, self._home()), 24)}")
        return "   ".join(words) if self.size.width >= 100 else "  ".join(words)

    def _home(self) -> str:
        return self.place.environment.get("HOME", "")

    def _why_empty(self) -> str:
        indexing = self.redline.indexing.busy
        if self._wrong:
            wrong = self._wrong[:1].upper() + self._wrong[1:]
            return f"{wrong}. {_REBUILT if indexing else 'f5 looks at all sessions again.'}"
        if not self._view.text.strip():
            return _INVITATION
        if self._found is None:
            return "Searching ..."
        words = "Nothing holds that."
        if self._view.narrows:
            words += " Agent, role, time or project leave something out; f7 takes them away."
        if indexing:
            return f"{words} Indexing goes on: it may be in what is not read yet."
        return f"{words} {self._age()}"

    def _age(self) -> str:
        """When all sessions were looked at last."""
        at = self.redline.indexing.at
        if at is None:
            return "f5 looks at all sessions anew."
        gone = ago(at, self.place.now())
        when = "just now" if gone == "now" else f"{gone} ago"
        return f"All sessions were looked at {when}; f5 looks anew."

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        if event.lines.id == "hits":
            self._show_preview()

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        if event.lines.id == "hits":
            self.action_open()

    def _show_preview(self) -> None:
        hit = self.query_one("#hits", HitList).hit
        before = self._looked_at
        if same(hit, before) and _marks(hit) == _marks(before):
            return
        self._looked_at = hit
        preview = self.query_one("#preview", Preview)
        self.query_one("#preview-title", PaneTitle).show("" if hit is None else _what(hit))
        if hit is None:
            preview.show(())
            self.workers.cancel_group(self, "preview")
            return
        preview.show((whole(hit, hit.snippet),))
        beside(self, partial(self._preview, hit), "preview")

    async def _preview(self, hit: Hit) -> None:
        """The passage whole, and its neighbours, once the cursor rests on its hit."""
        await asyncio.sleep(self.place.pause / 2)
        archive = self.place.archive

        def gone() -> bool:
            return hit is not self._looked_at

        found = await in_thread(lambda: excerpts(hit, archive.passages(hit.info), gone))
        if found is not None and not gone():
            self.query_one("#preview", Preview).show(found)

    # -- commands ------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id == "query":
            self._ask(replace(self._view, text=event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "query":
            self.action_open()

    def action_open(self) -> None:
        hit = self.query_one("#hits", HitList).hit
        if hit is not None:
            self.entitle(f"opening {hit.info.title} ...")
            self.redline.open_desk(hit.info, at=(hit.record, hit.start))

    def on_opening_ended(self) -> None:
        self._entitle()

    def on_screen_resume(self) -> None:
        if self.is_mounted:
            self._entitle()
            self._search(0.0, quiet=True)
            self.look()

    def action_move(self, name: str) -> None:
        """Moves in the hits from wherever the focus is."""
        getattr(self.query_one("#hits", HitList), f"action_{name}")()

    def action_next_agent(self) -> None:
        self._ask(replace(self._view, agent=next_of((None, *Agent), self._view.agent)))

    def action_next_role(self) -> None:
        self._ask(replace(self._view, role=next_of(ROLES, self._view.role)))

    def action_next_time(self) -> None:
        self._ask(replace(self._view, since=next_of(TIMES, self._view.since)))

    def action_one_project(self) -> None:
        """Only the project of the hit under the cursor; again, all."""
        hit = self.query_one("#hits", HitList).hit
        if self._view.project is not None:
            self._ask(replace(self._view, project=None))
        elif hit is not None and hit.info.project:
            self._ask(replace(self._view, project=hit.info.project))
        elif hit is not None:
            self.say("That session names no project.")

    def action_widen(self) -> None:
        self._ask(SearchView(self._view.text))

    def action_look_again(self) -> None:
        self.redline.indexing.start()

    def action_field(self) -> None:
        self.query_one("#query").focus()

    def action_back(self) -> None:
        """To the field, then to where one came from."""
        if self.redline.cancel_opening():
            self._entitle()
        elif not self.query_one("#query").has_focus:
            self.query_one("#query").focus()
        else:
            self.redline.pop_screen()


def _marks(hit: Hit | None) -> object:
    """What of a passage is shown, and what stands out in it."""
    return None if hit is None else (hit.snippet, hit.spans)


def _what(hit: Hit) -> str:
    """The kind of a hit, and when it was."""
    when = f", {hit.time.astimezone():%Y-%m-%d %H:%M}" if hit.time is not None else ""
    return f"{WORD[hit.kind]}{when}"
