"""The screens as one program: what they share, and the way from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual.app import App, SuspendNotSupported
from textual.binding import BindingType
from textual.screen import Screen
from textual.scrollbar import ScrollBar
from textual.timer import Timer
from textual.worker import Worker, WorkerState

from redline.errors import RedlineError
from redline.review import Review
from redline.shipped import shipped
from redline.ui.actions import bindings, wrong_keys
from redline.ui.clipboard import TERMINAL_LIMIT
from redline.ui.palette import CommandsOfRedline
from redline.ui.scrollbar import PlainScrollBar
from redline.ui.surroundings import Surroundings
from redline.ui.themes import DEFAULT, FALLBACKS, read_themes
from redline.ui.threads import in_thread
from redline.ui.trouble import complain, say
from redline.ui.untrusted import plain

if TYPE_CHECKING:
    from redline.model import Session, SessionInfo
    from redline.places import Places
    from redline.settings import Settings

ScrollBar.renderer = PlainScrollBar
T = TypeVar("T")

KEEP_AFTER = 0.5  # seconds


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the screens were left: what was written, the command that goes on from there, and the
    text that is for standard output."""

    written: tuple[Path, ...] = ()
    command: str = ""
    text: str = ""


def _sessions() -> Screen[None]:
    from redline.ui.sessions import SessionsScreen

    return SessionsScreen()


def _receipts() -> Screen[None]:
    from redline.ui.receipts import ReceiptsScreen

    return ReceiptsScreen()


class RedlineApp(App[Outcome]):
    """redline's screens over `place`; with `session`, at its desk."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("app",)
    TITLE = "redline"
    CSS_PATH = "redline.tcss"
    SCREENS: ClassVar[dict[str, Callable[[], Screen[Any]]]] = {
        "sessions": _sessions,
        "receipts": _receipts,
    }
    COMMANDS: ClassVar[set[Any]] = {CommandsOfRedline}
    BINDINGS: ClassVar[list[BindingType]] = bindings("app")
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(self, place: Surroundings, session: Session | None = None) -> None:
        super().__init__()
        self.place = place
        self.keys: Mapping[str, str] = dict(place.settings.keymap)
        self.outcome = Outcome()
        self._first = session
        self._counts: dict[str, int] = {}
        self._to_keep: dict[Path, Review] = {}
        self._keeper: Timer | None = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return FALLBACKS

    def on_mount(self) -> None:
        self.animation_level = "none"
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
        self.push_screen("sessions")
        if self._first is not None:
            self.open_desk(self._first)
        if failures:
            say(self, "\n".join(failures), severity="warning", title="settings")

    # -- the way -------------------------------------------------------------------------------

    def open_desk(self, where: SessionInfo | Path | Session) -> None:
        """Opens a session at the desk. Only the one asked for last is shown."""

        async def opening() -> None:
            from redline.model import Session

            session = where if isinstance(where, Session) else None
            if not isinstance(where, Session):
                path = where
                session = await in_thread(lambda: self.place.open_session(path))
            assert session is not None
            opened = session
            review = await in_thread(lambda: self.place.review(opened))
            from redline.ui.desk import DeskScreen

            await self.push_screen(DeskScreen(review))

        self.run_worker(opening(), name="open", group="open", exclusive=True, exit_on_error=False)

    def cancel_opening(self) -> bool:
        """Whether a session was being opened, which is given up now."""
        return bool(self.workers.cancel_group(self, "open"))

    def leave_desk(self) -> None:
        """Back from the desk to the sessions."""
        self.pop_screen()

    def action_receipts(self) -> None:
        if not any(screen.id == "receipts" for screen in self.screen_stack):
            self.push_screen("receipts")

    def action_help(self) -> None:
        from redline.ui.help import HelpScreen
        from redline.ui.screen import Dialog

        if not isinstance(self.screen, Dialog):
            self.push_screen(HelpScreen(self.screen))

    def action_next_theme(self) -> None:
        own = [name for name in self.available_themes if name.startswith("redline-")]
        at = own.index(self.theme) if self.theme in own else -1
        self.theme = own[(at + 1) % len(own)]

    def action_leave(self) -> None:
        for review in self._to_keep.values():
            self._keep(review)
        self.exit(self.outcome)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            complain(self, event.worker.error)

    # -- what a person decided -----------------------------------------------------------------

    def keep_soon(self, review: Review) -> None:
        """Stores the decisions of `review`, once nothing has changed for a moment."""
        self._to_keep[review.session.info.path] = review
        if self._keeper is not None:
            self._keeper.stop()
        self._keeper = self.set_timer(KEEP_AFTER, self._keep_now)

    def _keep_now(self) -> None:
        waiting, self._to_keep = self._to_keep, {}

        async def keeping() -> None:
            for review in waiting.values():
                await in_thread(partial(self.place.keep, review))

        self.run_worker(keeping(), group="keep", exit_on_error=False)

    def _keep(self, review: Review) -> None:
        try:
            self.place.keep(review)
        except RedlineError as error:
            complain(self, error)

    # -- what screens share --------------------------------------------------------------------

    def counted(self, review: Review) -> int | None:
        """Tokens of the handoff as it stands, None where it is not written or not counted yet."""
        return self._counts.get(review.text) if review.text else None

    def give_count(self, text: str, tokens: int) -> None:
        self._counts = {text: tokens}

    def outside(self, step: Callable[[], T]) -> T:
        """What `step` gives, which is run with the terminal handed over to it."""
        if not self.place.needs_terminal:
            return step()
        result: list[T] = []
        failure: BaseException | None = None
        try:
            with self.suspend():
                try:
                    result.append(step())
                except BaseException as error:  # noqa: BLE001 - the screens must come back first
                    failure = error
        except SuspendNotSupported as error:
            raise RedlineError("another program cannot be started from here") from error
        if failure is not None:
            raise failure
        return result[0]

    def record(self, paths: Iterable[Path], command: str, text: str = "") -> None:
        """What was written, to be said when redline is left."""
        written = tuple(dict.fromkeys((*self.outcome.written, *paths)))
        self.outcome = replace(
            self.outcome, written=written, command=command, text=text or self.outcome.text
        )

    def forget(self, paths: Iterable[Path]) -> None:
        """These files were taken back."""
        gone = set(paths)
        written = tuple(path for path in self.outcome.written if path not in gone)
        self.outcome = replace(self.outcome, written=written)

    def action_copy(self) -> None:
        """Copies the selection; without one, the whole text of the row that has the focus."""
        selected = self.screen.get_selected_text()
        if selected:
            self.copy(selected)
            return
        whole = getattr(self.screen, "copied_text", lambda: None)()
        if whole is not None:
            text: Callable[[], str] = whole

            async def copying() -> None:
                self.copy(await in_thread(text))

            self.run_worker(copying(), group="copy", exclusive=True, exit_on_error=False)

    def copy(self, text: str) -> None:
        """`text` to the clipboard: by a program of this machine, else through the terminal."""
        if self.place.copy(text):
            say(self, f"copied, {len(text):,} characters")
        elif len(text.encode("utf-8", "replace")) <= TERMINAL_LIMIT:
            self.copy_to_clipboard(text)
            say(self, f"copied through the terminal, {len(text):,} characters")
        else:
            say(self, "too long for the terminal's clipboard", severity="error")


def run_app(
    *,
    environment: Mapping[str, str],
    cwd: Path,
    places: Places,
    settings: Settings,
    session: Session | None = None,
) -> int:
    """Runs the screens until they are left, then says what was written. Gives the exit status."""
    app = RedlineApp(Surroundings(environment, cwd, places, settings), session)
    outcome = app.run()
    if outcome is not None:
        said = [outcome.text, *map(str, outcome.written)]
        if outcome.written and outcome.command:
            said.append(outcome.command)
        print("".join(plain(line).rstrip("\n") + "\n" for line in said if line), end="")
    return app.return_code or 0
