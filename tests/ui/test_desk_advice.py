"""The desk tells when it is time to compact, and when a call breaks a rule."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from redline.model import Session
from redline.settings import Settings
from redline.ui.transcript import Transcript
from tests.sessions_in_memory import Draft, call, ran, reply, result, session, user
from tests.ui.stage import WatchByHand, stage

SETTINGS = Settings(tokenizer="estimate", trigger_calls=3)
START: tuple[Draft, ...] = (
    user("Never touch src/legacy. Fix it."),
    *ran("npm run build", "ok", call_id="a"),
    *ran("pytest -q", "3 passed", call_id="b"),
    reply("Done."),
)


class Growing:
    """A session that grows by hand."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.now = self.first = self.of(*START)
        self.watches: list[WatchByHand] = []

    def of(self, *drafts: Draft) -> Session:
        made = session(*drafts, project=str(self._folder), id="1" * 8, model="claude-opus-4-6")
        return replace(made, info=replace(made.info, path=self._folder / "made.jsonl"))

    def watch(self, tell: Any) -> WatchByHand:
        self.watches.append(WatchByHand(tell))
        return self.watches[-1]

    def reopen(self, known: Session) -> Session:
        return known if len(known.context) == len(self.now.context) else self.now

    def stage(self, settings: Settings = SETTINGS) -> Any:
        return stage(
            self._folder,
            first=self.first,
            reopen=self.reopen,
            watch=self.watch,
            settings=settings,
            size=(120, 40),
        )

    async def grow(self, on: Any, *drafts: Draft) -> None:
        from redline.agents.following import Change

        self.now = self.of(*START, *drafts)
        self.watches[-1].tell(self.first.info.path, Change.GROWN)
        await on.settle()


async def test_the_plan_says_why_the_moment_is_good(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    async with growing.stage() as on:
        assert "good: tests just passed, the turn has ended" in " ".join(on.text().split())
        assert not on.notices()


async def test_a_trigger_that_is_met_is_one_notice(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    async with growing.stage() as on:
        more = ran("pytest -q", "4 passed", call_id="c")
        await growing.grow(on, *more)
        await growing.grow(on, *more, reply("And done."))
        told = [notice for notice in on.notices() if "Time to compact" in notice]
        assert len(told) == 1
        assert "3 tool calls since the start; moment good: tests just passed" in told[0]


async def test_a_call_that_breaks_a_confirmed_rule_is_told_and_marked(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    async with growing.stage(replace(SETTINGS, trigger_calls=99)) as on:
        await on.press("2", "y")
        await on.settle()
        edit = call("Edit", {"file_path": "src/legacy/a.py"}, call_id="e", id="broke")
        await growing.grow(on, edit)
        assert [n for n in on.notices() if "Alarm: edits src/legacy/a.py" in n]
        await growing.grow(on, edit, result("ok", call_id="e", tool="Edit"))
        assert len([n for n in on.notices() if "Alarm" in n]) == 1
        assert on.screen.query_one("#transcript", Transcript).alarms == {"broke"}
        assert any("!" in line and "Edit" in line for line in on.text().split("\n"))


async def test_a_view_of_the_past_has_no_moment(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    growing.first = growing.now = replace(growing.first, before=1)
    async with growing.stage() as on:
        assert "moment" not in on.text()
