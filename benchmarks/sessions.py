"""How quick the list of sessions is with very many of them.

Prints, in milliseconds: how long the screen was kept from doing anything else, at the most, while
SESSIONS sessions are loaded, filtered, sorted and one of them moves; what one page costs; and when
what was asked for was seen. Run: `python benchmarks/sessions.py [SESSIONS]`.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from tests.ui.archives import MemoryArchive  # noqa: E402
from textual.pilot import Pilot  # noqa: E402
from textual.widgets import Input  # noqa: E402

from redline.agents.following import Change  # noqa: E402
from redline.errors import RedlineError  # noqa: E402
from redline.model import Agent, Session, SessionInfo  # noqa: E402
from redline.places import places  # noqa: E402
from redline.settings import Settings  # noqa: E402
from redline.ui.app import RedlineApp  # noqa: E402
from redline.ui.outcome import Outcome  # noqa: E402
from redline.ui.session_list import SessionList  # noqa: E402
from redline.ui.surroundings import Surroundings  # noqa: E402
from redline.ui.watching import Changed  # noqa: E402

NOW = datetime(2026, 1, 2, 9, 0, tzinfo=UTC)
WORDS = ("fix", "draw", "move", "rounding", "page", "checkout", "report", "totals", "价格", "页面")
BEAT = 0.002  # seconds between two looks at the clock


def made_up(sessions: int) -> list[SessionInfo]:
    chance = random.Random(1)
    agents = [Agent.CLAUDE_CODE, Agent.CODEX, Agent.PI, Agent.HERMES]
    return [
        SessionInfo(
            agent=agents[number % 4],
            id=f"{number:08d}-0000-4000-8000-000000000000",
            path=Path(f"/sessions/{number}.jsonl"),
            project=f"/home/dev/project-{number % 300}",
            title=" ".join(chance.choices(WORDS, k=7)) + f" {number}",
            model="claude-opus-4-6",
            updated=NOW - timedelta(minutes=chance.randrange(600_000)),
            size=chance.randrange(1_000, 9_000_000),
            first_prompt=" ".join(chance.choices(WORDS, k=20)),
            last_prompt=" ".join(chance.choices(WORDS, k=20)),
            billed=chance.randrange(200_000),
        )
        for number in range(sessions)
    ]


class Heart:
    """The longest time between two beats of the event loop."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._last = time.perf_counter()

    async def beat(self) -> None:
        while True:
            now = time.perf_counter()
            self.longest = max(self.longest, now - self._last - BEAT)
            self._last = now
            await asyncio.sleep(BEAT)

    def reset(self) -> None:
        self.longest, self._last = 0.0, time.perf_counter()


def nothing(_where: object) -> Session:
    raise RedlineError("nothing is opened here")


@asynccontextmanager
async def screen(archive: MemoryArchive, folder: Path) -> AsyncIterator[Pilot[Outcome]]:
    environment = {"REDLINE_HOME": str(folder)}
    place = Surroundings(
        environment,
        folder,
        places(environment),
        Settings(),
        now=lambda: NOW,
        open_archive=lambda _environment, _places: archive,
        open_session=nothing,
        pause=3600,
        every=3600,
    )
    app = RedlineApp(place)
    app.garbage.take_over()
    async with app.run_test(size=(120, 40)) as pilot:
        yield pilot


async def until(shown: Callable[[], bool], heart: Heart) -> tuple[float, float]:
    """Milliseconds until `shown`, and the longest stall meanwhile."""
    heart.reset()
    start = time.perf_counter()
    while not shown():
        await asyncio.sleep(BEAT)
    await asyncio.sleep(0.1)  # what comes after it
    return (time.perf_counter() - start - 0.1) * 1000, heart.longest * 1000


def told(name: str, figures: tuple[float, float]) -> None:
    print(f"{name:<36} seen after {figures[0]:7.1f}   longest stall {figures[1]:6.1f} (at most 50)")


async def main(sessions: int) -> None:
    infos = made_up(sessions)
    with tempfile.TemporaryDirectory(prefix="redline-sessions-") as scratch:
        archive = MemoryArchive(infos)
        async with screen(archive, Path(scratch)) as pilot:
            heart = Heart()
            beating = asyncio.create_task(heart.beat())
            lines = pilot.app.screen.query_one("#sessions", SessionList)
            now = pilot.app.screen
            print(f"{sessions:,} sessions")
            told("loaded", await until(lambda: lines.heights.rows >= sessions, heart))
            await asyncio.sleep(1.0)

            field = now.query_one("#filter", Input)
            rows = lines.heights.rows
            for text in ("rounding", "rounding checkout", "project-17", ""):
                field.value = text
                told(
                    f"filtered by {text!r}",
                    await until(lambda: lines.heights.rows != rows, heart),  # noqa: B023
                )
                rows = lines.heights.rows
            for _ in range(4):
                before = lines.session
                first = lines.item(1).text
                await now.run_action("next_sort")
                told("sorted", await until(lambda: lines.item(1).text != first, heart))  # noqa: B023
                assert lines.session is before

            moved = replace(infos[7], updated=NOW + timedelta(minutes=1), title="It has moved")
            heart.reset()
            archive.files[moved.path] = (moved,)
            now.post_message(Changed(moved.path, Change.GROWN))
            told("one has moved", await until(lambda: lines.item(1).text == moved.title, heart))

            pages = []
            for _ in range(60):
                start = time.perf_counter()
                lines.action_page_down()
                await asyncio.sleep(0)
                now._on_timer_update()
                now._compositor.render_strips()
                pages.append((time.perf_counter() - start) * 1000)
            print(
                f"{'a page':<36} median {statistics.median(pages):7.1f}   slowest {max(pages):6.1f}"
            )
            heart.reset()
            await now.run_action("look_again")
            await asyncio.sleep(1.5)
            print(f"{'looked again, nothing new':<36} longest stall {heart.longest * 1000:6.1f}")
            beating.cancel()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000))
