"""How quick the desk is with 10,000 messages in the context.

Prints, in milliseconds, median and 95th percentile of: moving the cut until both bars and the
transcript are laid out anew by the compositor (the figures beside them follow in the next frame),
and what of it is the plan's own work; scrolling a page; and the same loop with nothing in it.
Run: `python benchmarks/desk.py [MESSAGES]`.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from tests.sessions_in_memory import Draft, ran, reply, session, user  # noqa: E402
from textual.pilot import Pilot  # noqa: E402

from redline.compaction.strategies.strategy import StrategySettings  # noqa: E402
from redline.context.measure import measure  # noqa: E402
from redline.facts.fact import Facts  # noqa: E402
from redline.ledger.rule import Ledger  # noqa: E402
from redline.model import Session  # noqa: E402
from redline.places import places  # noqa: E402
from redline.review import Choice, Review  # noqa: E402
from redline.settings import Settings  # noqa: E402
from redline.ui.app import RedlineApp  # noqa: E402
from redline.ui.desk import DeskScreen  # noqa: E402
from redline.ui.outcome import Outcome  # noqa: E402
from redline.ui.surroundings import Surroundings  # noqa: E402
from redline.ui.transcript import Transcript  # noqa: E402

TIMES = 60


def made_up(messages: int) -> Session:
    """Turns of ten messages: a prompt, a reply, four calls with their results; some in Chinese."""
    drafts: list[Draft] = []
    for turn in range(messages // 10):
        drafts.append(user(f"Turn {turn}: make the totals right, please; 请不要修改 tests 目录"))
        drafts.append(reply(f"I shall look at file {turn} and then run the tests. " * 3))
        for call in range(4):
            output = f"line of output {call}\n" * 20
            drafts += ran(f"pytest -q tests/{call}", output, call_id=f"{turn}-{call}")
    return session(drafts, model="claude-opus-4-6")


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def told(name: str, values: list[float], target: str = "") -> None:
    print(
        f"{name:<46} median {statistics.median(values):7.2f}   "
        f"p95 {percentile(values, 0.95):7.2f}   {target}"
    )


async def timed(pilot: Pilot[Outcome], step: Callable[[int], object]) -> list[float]:
    """Milliseconds of each step until its messages are handled and the screen is laid out."""
    taken = []
    for number in range(TIMES):
        start = time.perf_counter()
        step(number)
        await asyncio.sleep(0)
        pilot.app.screen._on_timer_update()
        pilot.app.screen._compositor.render_strips()
        taken.append((time.perf_counter() - start) * 1000)
        await pilot.pause()
    return taken


async def main(messages: int) -> None:
    made = made_up(messages)
    started = time.perf_counter()
    window = measure(made, Settings(), {})
    review = Review.start(
        made, window, Facts(), Ledger(), Choice("redline", StrategySettings(tail_tokens=200_000))
    )
    print(f"{len(made.context):,} messages, measured in {time.perf_counter() - started:.2f} s")
    with tempfile.TemporaryDirectory() as home:
        environment = {"REDLINE_HOME": home}
        place = Surroundings(environment, Path(home), places(environment), Settings())
        app = RedlineApp(place)
        async with app.run_test(size=(120, 40)) as pilot:
            screen = DeskScreen(review)
            await app.push_screen(screen)
            await pilot.pause()
            transcript = screen.query_one("#transcript", Transcript)

            def move(number: int) -> None:
                screen.action_cut_turn(-1 if number % 20 < 10 else 1)

            def plan_only(number: int) -> None:
                moved = screen.review.cut_by_turn(-1 if number % 2 else 1)
                moved.bar_after()

            def page(number: int) -> None:
                if number % 30 < 15:
                    transcript.action_page_up()
                else:
                    transcript.action_page_down()

            def nothing(_number: int) -> None:
                return None

            transcript.focus()
            await pilot.pause()
            for step in (move, page):
                await timed(pilot, step)
            told("moving the cut by a turn, to new bars", await timed(pilot, move), "target 16")
            told("  of it: the plan and what it comes to", await timed(pilot, plan_only))
            transcript.go_to(len(made.context) // 2)
            await pilot.pause()
            told("scrolling a page", await timed(pilot, page), "target 10")
            told("the bare loop, painting an unchanged screen", await timed(pilot, nothing))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
