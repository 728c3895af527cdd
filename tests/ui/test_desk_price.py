"""The desk tells what a plan costs, and what the session has cost."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from redline.model import Usage
from redline.ui.panes import PaneTabs
from redline.ui.transcript import Transcript
from tests.sessions_in_memory import START, reply, session, user
from tests.ui.stage import shop, stage


def billed(turn: int) -> Usage:
    return Usage(10, 1_000 + 3_000 * turn, 3_000, 3_000)


async def test_the_plan_pane_tells_the_price_and_it_moves_with_the_cut(tmp_path: Path) -> None:
    turns = [
        draft
        for i in range(8)
        for draft in (
            user(f"step {i}"),
            reply("word " * 3_000, usage=billed(i), model="claude-opus-4-8", time=START),
        )
    ]
    async with stage(tmp_path, first=session(*turns)) as on:
        await on.pilot.resize_terminal(120, 40)
        await on.settle()
        place = on.screen.place
        review = on.screen.review
        warm = review.cost(START + timedelta(seconds=10), place.settings)
        cold = review.cost(place.now(), place.settings)
        assert not warm.cache.cold
        assert cold.cache.cold
        assert "nothing to lose" in on.text()
        assert warm.line.startswith("rewrites ")
        on.screen.query_one("#transcript", Transcript).go_to(2)
        await on.press("c")
        moved = on.screen.review.cost(place.now(), place.settings)
        assert moved.freed < cold.freed
        assert moved.saves_each is not None
        assert cold.saves_each is not None
        assert moved.saves_each < cold.saves_each


async def test_the_plan_pane_says_that_nothing_is_freed(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        assert on.screen.query_one("#tabs", PaneTabs).active == "plan"
        on.screen.query_one("#transcript", Transcript).go_to(0)
        await on.press("c")
        assert "frees nothing live" in on.text()
