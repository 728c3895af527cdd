"""The screens on made-up sessions, without a terminal, a home folder or the network."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input
from textual.worker import WorkerError

from redline.agents.following import Tell
from redline.errors import RedlineError
from redline.model import Session, SessionInfo
from redline.places import places
from redline.settings import Settings
from redline.ui.app import RedlineApp
from redline.ui.onward import Onward
from redline.ui.surroundings import Surroundings
from redline.ui.watching import Watch
from tests.sessions_in_memory import (
    call,
    image,
    ran,
    reply,
    result,
    session,
    summary,
    thinking,
    user,
)
from tests.ui.archives import MemoryArchive

NOW = datetime(2026, 1, 2, 9, 0, tzinfo=UTC)


def shop(folder: Path, project: Path | None = None) -> Session:
    """A short session of every kind of message, with rules in two languages. `project` is named
    only; without one it is a folder below `folder`, which is made."""
    if project is None:
        project = folder / "shop"
        project.mkdir(exist_ok=True)
    made = session(
        user("Never touch src/legacy. Fix the rounding in the order totals."),
        thinking("Rounding twice is the likely cause."),
        reply("I shall look at totals.py first."),
        call("Read", {"file_path": str(project / "totals.py")}, call_id="a"),
        result("def total():\n    return round(1.005, 2)\n" * 40, call_id="a", tool="Read"),
        ran("pytest -q", "E   AssertionError: 1.0 != 1.01", 1, call_id="b"),
        user("不要修改 tests 目录。 Then go on."),
        call(
            "Edit",
            {"file_path": str(project / "totals.py"), "old_string": "round", "new_string": "exact"},
            call_id="c",
        ),
        result("The file has been updated.", call_id="c", tool="Edit"),
        ran("pytest -q", "3 passed", call_id="d"),
        reply("Done: the totals are exact now. 👩‍👩‍👧 完成"),
        user("Commit it, then run the whole suite."),
        ran("git commit -m 'Exact totals'", "[main 1a2b3c4] Exact totals", call_id="e"),
        reply("Committed as 1a2b3c4."),
        model="claude-opus-4-6",
        project=str(project),
        id="11111111-0000-4000-8000-000000000000",
    )
    info = replace(
        made.info,
        title="Fix the rounding in order totals",
        updated=NOW,
        size=12_345,
        first_prompt="Never touch src/legacy.",
        last_prompt="Commit it",
        billed=12_000,
        path=folder / "shop.jsonl",
    )
    return replace(made, info=info)


def site(folder: Path) -> Session:
    """Another session, of another project."""
    made = session(
        summary("Earlier the page was drawn."),
        image(),
        user("Draw the pricing page."),
        reply("Drawn."),
        project="/home/dev/site",
        id="22222222-0000-4000-8000-000000000000",
    )
    info = replace(made.info, title="Draw the pricing page", path=folder / "site.jsonl", size=99)
    return replace(made, info=info)


class WatchByHand:
    """A watch that tells only what a test says has happened."""

    def __init__(self, tell: Tell) -> None:
        self.tell = tell
        self.paths: set[Path] = set()

    def follow(self, paths: Iterable[Path]) -> None:
        self.paths = set(paths)

    def close(self) -> None:
        self.paths = set()


class Stage:
    """What a test needs to look at the screens and to drive them."""

    def __init__(self, pilot: Pilot[Any], app: RedlineApp) -> None:
        self.pilot = pilot
        self.app = app

    @property
    def screen(self) -> Any:
        return self.app.screen

    async def settle(self) -> None:
        """Until no work runs beside the screen and all messages are handled."""
        await self.pilot.pause()
        while running := [worker for worker in self.app.workers if worker.is_running]:
            for worker in running:
                with suppress(WorkerError):  # what goes wrong in it is a notice
                    await worker.wait()
            await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str, *keys: str) -> None:
        """`text` into the field that has the focus, as if typed there, and then `keys`."""
        field = self.screen.focused
        assert isinstance(field, Input)
        field.value = text if field.select_on_focus else field.value + text
        await self.press(*keys)

    def frame(self) -> list[str]:
        """The lines of the screen as text."""
        return [strip.text for strip in self.app.screen._compositor.render_strips()]

    def text(self) -> str:
        return "\n".join(self.frame())

    def notices(self) -> list[str]:
        return [notice.message for notice in self.app._notifications]


@asynccontextmanager
async def stage(
    folder: Path,
    *sessions: Session,
    first: Session | None = None,
    size: tuple[int, int] = (100, 30),
    settings: Settings | None = None,
    copied: list[str] | None = None,
    edit: Callable[[Path, Mapping[str, str]], None] | None = None,
    archive: MemoryArchive | None = None,
    settled: bool = True,
    notices: bool = False,
    open_session: Callable[[SessionInfo | Path], Session] | None = None,
    open_view: Callable[[SessionInfo | Path, str | None, int | None], Session] | None = None,
    reopen: Callable[[Session], Session] = lambda session: session,
    watch: Callable[[Tell], Watch] | None = None,
    start: Callable[[Onward, Mapping[str, str]], int] | None = None,
) -> AsyncIterator[Stage]:
    """The screens over `sessions`, everything they keep below `folder`; `first` opens at once.
    Not `settled`, it does not wait until all work beside the first screen is done. With `notices`
    they are shown on the screen."""
    known: Sequence[Session] = sessions or ((first,) if first is not None else ())

    def opened(where: SessionInfo | Path) -> Session:
        for one in known:
            if where in (one.info, one.info.path):
                return one
        raise RedlineError(f"there is no session {where}", "name another")

    held = archive or MemoryArchive([one.info for one in known])

    def copy(text: str) -> bool:
        if copied is not None:
            copied.append(text)
        return copied is not None

    def no_view(where: SessionInfo | Path, leaf: str | None, before: int | None) -> Session:
        raise RedlineError(f"there is no view {leaf} {before} of {where}")

    def no_editor(_path: Path, _environment: Mapping[str, str]) -> None:
        raise RedlineError("no editor in this test")

    def no_agent(_onward: Onward, _environment: Mapping[str, str]) -> int:
        raise RedlineError("no agent in this test")

    environment = {"REDLINE_HOME": str(folder / "redline")}
    place = Surroundings(
        environment=environment,
        cwd=folder,
        places=places(environment),
        settings=settings or Settings(),
        now=lambda: NOW,
        copy=copy,
        edit=edit or no_editor,
        start=start or no_agent,
        open_archive=lambda _environment, _places: held,
        open_session=open_session or opened,
        open_view=open_view or no_view,
        reopen=reopen,
        watch=watch or WatchByHand,
        needs_terminal=False,
        pause=0.001,
        every=3600,
    )
    app = RedlineApp(place, first)
    async with app.run_test(size=size, notifications=notices) as pilot:
        one = Stage(pilot, app)
        if settled:
            await one.settle()
        yield one


_HARMFUL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)


def harmful(text: str) -> list[str]:
    """The characters of a frame that a terminal acts upon, or that show nothing."""
    return [f"U+{ord(found):04X}" for found in _HARMFUL.findall(text.replace("\n", ""))]


def ambiguous(text: str) -> set[str]:
    """The characters of a frame that are two cells wide in some terminals and one in others."""
    return {one for one in text if unicodedata.east_asian_width(one) == "A"}
