from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from redline.agents.finder import Looked
from redline.model import Agent, Session, SessionInfo
from redline.places import places
from redline.ui.desk import DeskScreen
from redline.ui.items import Items
from redline.ui.sessions import SessionsScreen
from tests.ui.archives import MemoryArchive
from tests.ui.stage import shop, site, stage


async def test_sessions_stand_under_their_projects_and_the_filter_shows_what_holds_every_word(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, shop(tmp_path), site(tmp_path)) as on:
        text = on.text()
        assert text.index("0/shop ") < text.index("Fix the rounding in order totals")
        assert text.index("/home/dev/site") < text.index("Draw the pricing page")
        assert "1 agent, 2 sessions" in text
        await on.press("slash")
        await on.type("page draw", "enter")
        assert "Draw the pricing page" in on.text()
        assert "Fix the rounding" not in on.text()
        await on.press("escape")
        assert "Fix the rounding" in on.text()
        await on.press("j")
        lines = on.screen.query_one("#sessions", Items)
        for _ in range(3):
            await on.press("s")
            assert lines.current.text == "Draw the pricing page", "the cursor stays on its session"


async def test_one_agent_can_be_shown_alone(tmp_path: Path) -> None:
    other = site(tmp_path)
    other = replace(other, info=replace(other.info, agent=Agent.PI))
    async with stage(tmp_path, shop(tmp_path), other) as on:
        await on.press("a")
        assert "Draw the pricing page" not in on.text()
        await on.press("a")
        assert "Fix the rounding" not in on.text()
        await on.press("a")
        assert "Fix the rounding" in on.text()


async def test_details_tell_what_it_holds_and_enter_and_double_click_open_it(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, shop(tmp_path)) as on:
        text = on.text()
        assert "claude-opus-4-6" in text
        assert "17 in context, 17 in all" in text
        assert "2 proposed rules" in text
        assert "1 file changed" in text
        assert "measured" in text or "estimated" in text
        await on.press("enter")
        assert isinstance(on.screen, DeskScreen)
        await on.press("escape")
        assert isinstance(on.screen, SessionsScreen)
        await on.pilot.click("#sessions", offset=(8, 1), times=2)
        await on.settle()
        assert isinstance(on.screen, DeskScreen)


async def test_a_session_that_cannot_be_opened_is_told_and_the_list_stays(tmp_path: Path) -> None:
    async with stage(tmp_path, shop(tmp_path)) as on:
        await on.press("o")
        await on.type("[/nope].jsonl", "enter")
        assert isinstance(on.screen, SessionsScreen)
        assert any("[/nope].jsonl" in notice for notice in on.notices())
        assert "opening" not in on.text()
        await on.press("o")
        await on.type("~nobody-here/x.jsonl", "enter")
        assert any("no such home folder" in notice for notice in on.notices())


async def test_rules_that_are_lost_with_a_damaged_database_are_told_once(tmp_path: Path) -> None:
    database = places({"REDLINE_HOME": str(tmp_path / "redline")}).database
    database.parent.mkdir(parents=True)
    database.write_bytes(b"no database" * 500)
    async with stage(tmp_path, shop(tmp_path)) as on:
        for _ in range(2):
            await on.press("enter")
            assert isinstance(on.screen, DeskScreen)
            await on.press("escape")
        assert sum("damaged" in notice for notice in on.notices()) == 1


async def test_only_the_session_asked_for_last_opens(tmp_path: Path) -> None:
    """D07: opening, going on and opening another quickly."""
    one, other = shop(tmp_path), site(tmp_path)
    gate = threading.Event()

    def slowly(where: SessionInfo | Path) -> Session:
        if where in (one.info, one.info.path):
            gate.wait(5)
            return one
        return other

    async with stage(tmp_path, one, other, open_session=slowly, archive=MemoryArchive()) as on:
        on.app.open_desk(one.info)
        for _ in range(5):
            on.app.open_desk(other.info)
        await on.settle()
        gate.set()
        await on.settle()
        desks = [screen for screen in on.app.screen_stack if isinstance(screen, DeskScreen)]
        assert [desk.review.session.info.title for desk in desks] == ["Draw the pricing page"]


async def test_opening_can_be_given_up(tmp_path: Path) -> None:
    one = shop(tmp_path)
    gate = threading.Event()

    def slowly(_where: SessionInfo | Path) -> Session:
        gate.wait(5)
        return one

    async with stage(tmp_path, one, open_session=slowly, archive=MemoryArchive()) as on:
        on.app.open_desk(one.info)
        await on.pilot.pause()
        await on.pilot.press("escape")
        gate.set()
        await on.settle()
        assert isinstance(on.screen, SessionsScreen)


async def test_no_session_at_all_says_what_to_do(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        assert "redline doctor" in " ".join(on.text().split())


async def test_what_could_not_be_looked_into_is_told(tmp_path: Path) -> None:
    archive = MemoryArchive()
    archive.looked = (Looked(Agent.PI, Path("/x/[/y]"), 0, "no permission"),)
    async with stage(tmp_path, archive=archive) as on:
        assert on.notices() == ["/x/[/y]: no permission"]
