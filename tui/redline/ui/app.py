"""The screens as one program: what they share, and the way from one to the next."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.scrollbar import ScrollBar
from textual.worker import Worker, WorkerState

from redline.context.counted_beside import count_beside
from redline.model import SessionInfo
from redline.shipped import shipped
from redline.ui.actions import bindings, wrong_keys
from redline.ui.clipboard import copy_text
from redline.ui.garbage import Garbage
from redline.ui.indexing import Indexing
from redline.ui.keeping import Keeping
from redline.ui.opening import OpeningScreen
from redline.ui.outcome import Outcome
from redline.ui.painted import free_at_once
from redline.ui.recovering import recovered
from redline.ui.scrollbar import PlainScrollBar
from redline.ui.surroundings import Surroundings
from redline.ui.themes import DEFAULT, FALLBACKS, read_themes
from redline.ui.threads import beside, in_thread
from redline.ui.trouble import complain, say
from redline.ui.turns import loop_that_goes_first
from redline.ui.untrusted import plain

if TYPE_CHECKING:
    from textual.command import Provider

    from redline.agents.locating import Place
    from redline.model import Session
    from redline.places import Places
    from redline.review import Review
    from redline.settings import Settings

ScrollBar.renderer = PlainScrollBar
free_at_once()


class OpeningEnded(Message):
    """A session was opened, or could not be."""


def _sessions() -> Screen[None]:
    from redline.ui.sessions import SessionsScreen

    return SessionsScreen()


def _receipts() -> Screen[None]:
    from redline.ui.receipts import ReceiptsScreen

    return ReceiptsScreen()


def _search() -> Screen[None]:
    from redline.ui.search import SearchScreen

    return SearchScreen()


def _commands() -> type[Provider]:
    from redline.ui.palette import CommandsOfRedline

    return CommandsOfRedline


class RedlineApp(App[Outcome]):
    """redline's screens over `place`; with `session`, at its desk."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("app",)
    TITLE = "redline"
    CSS_PATH = "redline.tcss"
    SCREENS: ClassVar[dict[str, Callable[[], Screen[Any]]]] = {
        "sessions": _sessions,
        "receipts": _receipts,
        "search": _search,
    }
    COMMANDS: ClassVar[set[Any]] = {_commands}
    BINDINGS: ClassVar[list[BindingType]] = bindings("app")
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(self, place: Surroundings, session: Session | None = None) -> None:
        super().__init__()
        self.place = place
        self.keys: Mapping[str, str] = dict(place.settings.keymap)
        self.outcome = Outcome()
        self.writer = place.settings.writer
        self._first = session
        self._counts: dict[str, int] = {}
        self.keeping = Keeping(self)
        self.garbage = Garbage(self)
        self.indexing = Indexing(self)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return FALLBACKS

    def on_mount(self) -> None:
        self.animation_level = "none"
        self.garbage.start()
        found = read_themes([shipped("themes"), self.place.places.config / "themes"])
        for theme in found.themes:
            self.register_theme(theme)
        wanted = self.place.settings.theme
        failures = list(found.failures) + wrong_keys(self.keys)
        if wanted in self.available_themes:
            self.theme = wanted
        else:
            failures.append(f"there is no theme {wanted!r}")
            self.theme = DEFAULT if DEFAULT in self.available_themes else self.theme
        self.set_keymap(self.keys)
        if self._first is None:
            self.push_screen("sessions")
        else:
            self.push_screen(OpeningScreen(self._first.info.title))
            self.open_desk(self._first)
        if failures:
            say(self, "\n".join(failures), severity="warning", title="settings")
        beside(self, partial(recovered, self, self.place), "recover")

    # -- the way -------------------------------------------------------------------------------

    def open_desk(
        self,
        where: SessionInfo | Path | Session,
        *,
        leaf: str | None = None,
        before: int | None = None,
        at: Place | None = None,
        kin: str = "",
    ) -> None:
        """Opens a session at a desk over the screen one comes from; escape goes back there. Only
        the one asked for last is shown.

        `leaf` and `before` ask for another view (see `open_session`). `at` is the record and start
        of a passage: in the transcript where its message is in the context, else in the history.
        `kin` says what the session is to the one it is opened from.
        """
        from redline.ui.desk_opening import open_desk

        open_desk(self, where, leaf, before, at, kin)

    def cancel_opening(self) -> bool:
        """Whether a session was being opened, which is given up now."""
        return bool(self.workers.cancel_group(self, "open"))

    def leave_desk(self) -> None:
        """Back from the desk to where one came from, or to the sessions that were not seen yet."""
        self.garbage.rest()
        if len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.switch_screen("sessions")

    def action_receipts(self) -> None:
        if not any(screen.id == "receipts" for screen in self.screen_stack):
            self.push_screen("receipts")

    def search(self) -> None:
        """To the search; where it was opened before, to what was found there."""
        from redline.ui.search import SearchScreen

        if not any(isinstance(screen, SearchScreen) for screen in self.screen_stack):
            self.push_screen("search")
        while not isinstance(self.screen, SearchScreen):  # desks, which are kept as they are
            self.pop_screen()

    def action_help(self) -> None:
        from redline.ui.help import HelpScreen
        from redline.ui.screen import Dialog

        if not isinstance(self.screen, Dialog):
            self.push_screen(HelpScreen(self.screen))

    def action_command_palette(self) -> None:
        from redline.ui.palette import Palette

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette())

    def action_next_theme(self) -> None:
        own = [name for name in self.available_themes if name.startswith("redline-")]
        at = own.index(self.theme) if self.theme in own else -1
        self.theme = own[(at + 1) % len(own)]

    async def action_quit(self) -> None:
        """Textual's own way out ends as ours does."""
        self.action_leave()

    def action_leave(self) -> None:
        self.indexing.stop()
        self.outcome = replace(self.outcome, lost=self.keeping.now())
        self.exit(self.outcome, return_code=1 if self.outcome.lost else 0)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            complain(self, event.worker.error)
        if event.worker.group == "open" and event.worker.is_finished:
            if isinstance(self.screen, OpeningScreen):
                self.switch_screen("sessions")
            else:
                self.screen.post_message(OpeningEnded())

    # -- what screens share --------------------------------------------------------------------

    def counted(self, review: Review) -> int | None:
        """Tokens of the handoff as it stands, None where it is not written or not counted yet."""
        return self._counts.get(review.text) if review.text else None

    def give_count(self, text: str, tokens: int) -> None:
        self._counts = {text: tokens}

    def action_copy(self) -> None:
        """Copies the selection; without one, the whole text of the row that has the focus."""
        selected = self.screen.get_selected_text()
        if selected:
            copy_text(self, selected)
            return
        whole = getattr(self.screen, "copied_text", lambda: None)()
        if whole is not None:
            text: Callable[[], str] = whole

            async def copying() -> None:
                copy_text(self, await in_thread(text))

            beside(self, copying, "copy")


def run_app(
    *,
    environment: Mapping[str, str],
    cwd: Path,
    places: Places,
    settings: Settings,
    session: Session | None = None,
) -> int:
    """Runs the screens until they are left, then says what was written. Gives the exit status."""
    for stream in (sys.__stdout__, sys.__stderr__):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            # Terminals speak UTF-8 under LC_ALL=C too; Textual writes to stderr as it is encoded.
            stream.reconfigure(encoding="utf-8", errors="replace")
    app = RedlineApp(Surroundings(environment, cwd, places, settings), session)
    app.garbage.take_over()
    count_beside(settings.tokenizer, environment)
    outcome = app.run(loop=loop_that_goes_first())
    if outcome is not None:
        print(outcome.said(), end="")
        if outcome.lost:
            print(f"redline: {plain(outcome.lost)}", file=sys.stderr)
    return app.return_code or 0
