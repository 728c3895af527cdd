"""Notices have lines of their own: they cover nothing of a screen."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.ui.session_list import SessionList
from redline.ui.transcript import Transcript
from redline.ui.trouble import complain
from tests.ui.archives import MemoryArchive
from tests.ui.stage import Stage, shop, stage
from tests.ui.test_keeping_up import some

SIZES = [(80, 24), (60, 20), (120, 40)]


async def told(on: Stage, text: str) -> list[str]:
    """The lines of the screen with a notice on it."""
    on.screen.say(text)
    await on.pilot.pause()
    await on.settle()
    return on.frame()


@pytest.mark.parametrize("size", SIZES)
async def test_a_notice_stands_above_the_keys_and_covers_no_row(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    archive = MemoryArchive(some(tmp_path, 60))
    async with stage(tmp_path, archive=archive, size=size, notices=True) as on:
        await on.press("end")
        before = on.frame()
        frame = await told(on, "Saved.")
        assert frame[-2].strip() == "Saved."
        assert frame[-1] == before[-1], "the keys stay"
        assert frame[0] == before[0]
        lines = on.screen.query_one("#sessions", SessionList)
        shown = [line for line in frame if "session number" in line and " C " in line]
        assert len(shown) == len([y for y in range(lines.page) if _is_session(lines, y)])
        assert any("\u276f" in line for line in frame), "the cursor is in sight"


def _is_session(lines: SessionList, y: int) -> bool:
    row = lines.row_at(y)
    return row is not None and lines.can_stand(row)


@pytest.mark.parametrize("size", SIZES)
async def test_a_notice_on_the_desk_covers_nothing(tmp_path: Path, size: tuple[int, int]) -> None:
    async with stage(tmp_path, first=shop(tmp_path), size=size, notices=True) as on:
        await on.press("end")
        before = on.frame()
        frame = await told(on, "The agent compacted.")
        assert frame[-2].strip() == "The agent compacted."
        assert frame[-3] == before[-2], "what stood above the keys stands above the notice"
        assert any("Committed as" in line for line in frame), "the last message is in sight"
        assert on.screen.query_one("#transcript", Transcript).at_end


async def test_long_notices_leave_more_than_half_of_the_screen(tmp_path: Path) -> None:
    archive = MemoryArchive(some(tmp_path, 60))
    async with stage(tmp_path, archive=archive, size=(80, 24), notices=True) as on:
        await on.press("end")
        for number in range(5):
            frame = await told(on, f"{number} " + "many words " * 40)
        assert sum("many words" in line for line in frame) <= 10
        assert any("\u276f" in line for line in frame)


async def test_who_has_scrolled_away_from_the_cursor_stays_there_when_a_notice_comes(
    tmp_path: Path,
) -> None:
    archive = MemoryArchive(some(tmp_path, 60))
    async with stage(tmp_path, archive=archive, size=(80, 24), notices=True) as on:
        await on.press("end")
        lines = on.screen.query_one("#sessions", SessionList)
        lines.scroll_to(y=3, animate=False)
        await on.settle()
        await told(on, "Saved.")
        assert lines.scroll_offset.y == 3


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RedlineError("it is no session", "give a session"), "it is no session"),
        (PermissionError(errno.EACCES, "Permission denied", "/a/b"), "/a/b: Permission denied"),
        (KeyError("row"), "a fault in redline: 'row' is not where it was looked for"),
    ],
)
async def test_what_went_wrong_is_told_without_the_name_of_a_type(
    tmp_path: Path, error: Exception, words: str
) -> None:
    async with stage(tmp_path, archive=MemoryArchive(some(tmp_path, 2)), notices=True) as on:
        complain(on.screen, error)
        await on.pilot.pause()
        await on.settle()
        assert words in on.text()
        assert type(error).__name__ not in on.text()


async def test_of_one_matter_only_the_latest_notice_stands(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path), notices=True) as on:
        before = on.frame()
        for _ in range(3):
            frame = await told(on, "No turn further down.")
        assert frame[-2].strip() == "No turn further down."
        assert frame[-3] == before[-2]
        assert on.notices() == ["No turn further down."]
        on.screen.say("It is gone.", severity="warning", about="the file")
        frame = await told(on, "Saved.")
        on.screen.say("It is back.", about="the file")
        await on.pilot.pause()
        await on.settle()
        assert on.notices() == ["No turn further down.", "Saved.", "It is back."]
        assert "It is gone." not in on.text()
        assert "Saved." in on.text()


async def test_a_long_notice_stays_longer(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        on.screen.say("Saved.")
        on.screen.say("word " * 30)
        on.screen.say("word " * 3_000)
        await on.settle()
        assert [notice.timeout for notice in on.app._notifications] == [5.0, 12.5, 30.0]
