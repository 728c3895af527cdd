"""What all screens share: frame, errors, work beside the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from redline.errors import RedlineError
from redline.ui.chrome import KeyLine, TitleBar, TooSmall
from redline.ui.trouble import Severity, complain, say

if TYPE_CHECKING:
    from redline.ui.app import RedlineApp
    from redline.ui.surroundings import Surroundings

T = TypeVar("T")
Step = TypeVar("Step")

WIDTHS = [(0, "-tiny"), (60, "-narrow"), (78, "-normal"), (112, "-wide")]
HEIGHTS = [(0, "-flat"), (20, "-short"), (30, "-tall")]


class RedlineScreen(Screen[T]):
    """Title line, the screen's own widgets in a body, and the keys beneath."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ()
    NAME: ClassVar[str] = ""
    BINDINGS: ClassVar[list[BindingType]] = []
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS

    def compose(self) -> ComposeResult:
        width, height = self.app.size
        # Before the first styles are worked out: a class that comes later costs all of them again.
        self.add_class(_fitting(width, WIDTHS), _fitting(height, HEIGHTS), update=False)
        yield TitleBar(self.NAME)
        with Container(id="body"):
            yield from self.compose_body()
        yield KeyLine()
        yield TooSmall()

    def compose_body(self) -> Iterable[Widget]:
        raise NotImplementedError

    def on_screen_suspend(self) -> None:
        """Lets go of the painted lines: they are most of what a screen holds that is not seen."""
        for widget in self.query("*"):
            widget.refresh()

    @property
    def redline(self) -> RedlineApp:
        from redline.ui.app import RedlineApp

        assert isinstance(self.app, RedlineApp)
        return self.app

    @property
    def place(self) -> Surroundings:
        return self.redline.place

    @property
    def in_front(self) -> bool:
        """Whether it is the one that is worked with, or only dialogs stand over it. (For Textual a
        screen is "current" beneath any other.)"""
        for screen in reversed(self.app.screen_stack):
            if screen is self or not screen.is_modal:
                return screen is self
        return False

    @property
    def idle(self) -> frozenset[str]:
        """Actions that have nothing to act on now: their keys are not named, and when one is
        pressed all the same it says why."""
        return frozenset()

    def show_keys(self) -> None:
        """Names the keys anew: other actions are idle now."""
        self.query_one(KeyLine).refresh()

    def entitle(self, subject: str, remark: str = "") -> None:
        self.query_one(TitleBar).show(subject, remark)

    def action_search(self) -> None:
        """To the search in all sessions."""
        self.redline.search()

    def say(self, text: str, *, severity: Severity = "information", about: str = "") -> None:
        say(self, text, severity=severity, about=about)

    def attempt(self, step: Callable[[], Step]) -> Step | None:
        """What `step` gives; None, and a notice, where it cannot be done."""
        try:
            return step()
        except (RedlineError, ValueError, OSError) as error:
            complain(self, error)
            return None

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """An error in work beside the screen is shown like any other."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            event.stop()
            complain(self, event.worker.error)


def _fitting(cells: int, breakpoints: list[tuple[int, str]]) -> str:
    """The class of the last breakpoint that fits."""
    return [name for least, name in breakpoints if cells >= least][-1]


class Dialog(ModalScreen[T]):
    """A small question over a screen; escape leaves without an answer."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ()
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = [("escape", "leave", "Leave")]

    def action_leave(self) -> None:
        self.dismiss(None)
