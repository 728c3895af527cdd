from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from textual.screen import Screen
from textual.widgets import Input

from redline.agents.finder import Passage
from redline.catalogue.query import Query
from redline.catalogue.refresh import Phase, Progress
from redline.catalogue.search import Found, Hit
from redline.model import Agent, Kind, SessionInfo
from redline.ui.desk import DeskScreen
from redline.ui.hits import HitList, Preview
from redline.ui.search import SearchScreen
from redline.ui.sessions import SessionsScreen
from redline.ui.transcript import Transcript
from tests.ui.archives import MemoryArchive
from tests.ui.stage import NOW, Stage, ambiguous, harmful, shop, site, stage
from tests.ui.test_hostile import EVIL

TIME = datetime(2026, 1, 1, tzinfo=UTC)


def hit(info: SessionInfo, text: str, word: str, record: int = 1, **known: object) -> Hit:
    at = text.index(word)
    found = Hit(info, record, record * 100, Kind.PROMPT, TIME, text, ((at, at + len(word)),))
    return replace(found, **known)  # type: ignore[arg-type]


def answering(*hits: Hit, complete: bool = True, unread: int = 0) -> MemoryArchive:
    """An archive that finds the hits which hold what is asked for."""

    def answer(query: Query) -> Found:
        fitting = [one for one in hits if query.text in one.snippet]
        return Found(
            tuple(one for one in fitting if query.agent in (None, one.info.agent)),
            complete,
            unread,
        )

    archive = MemoryArchive(list({one.info.id: one.info for one in hits}.values()))
    archive.answer = answer
    return archive


async def search(on: Stage, text: str) -> None:
    if not isinstance(on.screen, SearchScreen):
        await on.press("F")
    await on.type(text)
    await on.settle()


async def test_hits_stand_under_their_sessions_with_the_words_marked_and_their_count(
    tmp_path: Path,
) -> None:
    one, other = shop(tmp_path), site(tmp_path)
    archive = answering(
        hit(one.info, "the rounding is wrong", "rounding"),
        hit(one.info, "no more rounding", "rounding", 2, kind=Kind.TOOL_RESULT),
        hit(other.info, "rounding of corners", "rounding"),
    )
    async with stage(tmp_path, one, other, archive=archive) as on:
        await search(on, "rounding")
        text = on.text()
        assert "3 hits in 2 sessions" in text
        assert text.index("Fix the rounding in") < text.index("no more rounding")
        assert text.index("no more rounding") < text.index("Draw the pricing page")
        assert " r  no more rounding" in text
        lines = on.screen.query_one(HitList)
        marked = [
            segment.text
            for segment in lines.render_line(1)
            if segment.style is not None and segment.style.underline
        ]
        assert marked == ["rounding"]


async def test_up_and_down_move_while_one_types_and_enter_opens_at_the_message(
    tmp_path: Path,
) -> None:
    one = shop(tmp_path)
    archive = answering(
        hit(one.info, "Never touch src/legacy", "touch"),
        hit(one.info, "I shall look, and touch it", "touch", 3, kind=Kind.REPLY),
    )
    async with stage(tmp_path, one, archive=archive) as on:
        await search(on, "touch")
        await on.press("down", "enter")
        assert isinstance(on.screen, DeskScreen)
        assert on.screen.query_one("#transcript", Transcript).cursor == 2
        await on.press("escape")
        assert isinstance(on.screen, SearchScreen)
        found = on.screen.query_one(HitList).hit
        assert found is not None
        assert found.record == 3, "the search is as it was left"
        assert "2 hits" in on.frame()[0]
        assert "opening" not in on.frame()[0]
        await on.press("enter", "F")
        assert isinstance(on.screen, SearchScreen), "and it is one key away from the desk"
        await on.press("escape")
        assert isinstance(on.screen, SessionsScreen)


async def test_a_search_asked_for_again_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    made = shop(tmp_path)
    archive = answering(hit(made.info, "the rounding is wrong", "rounding"))
    async with stage(tmp_path, made, archive=archive) as on:
        await search(on, "rounding")
        await on.press("enter", "F")
        await on.type("wrong")
        assert on.screen.query_one("#query", Input).value == "wrong"
        await on.press("escape", "F")
        await on.type("rounding")
        assert on.screen.query_one("#query", Input).value == "rounding"


async def test_filters_have_keys_for_typing_and_say_their_state(tmp_path: Path) -> None:
    one, other = shop(tmp_path), site(tmp_path)
    other = replace(other, info=replace(other.info, agent=Agent.PI))
    archive = answering(hit(one.info, "a word", "word"), hit(other.info, "my word", "word"))
    async with stage(tmp_path, one, other, archive=archive, size=(120, 30)) as on:
        await search(on, "word")
        await on.press("f2")
        assert "agent: claude-code" in on.text()
        assert "1 hit in 1 session" in on.text()
        await on.press("f3", "f4", "f4", "f6")
        assert "role: user   since: 7d   project: " in on.text()
        asked = archive.asked[-1]
        assert asked.role == "user"
        assert asked.since is not None
        assert (NOW - asked.since).days == 7
        assert asked.project == Path(one.info.project or "")
        await on.press("f7")
        assert "agent: all   role: all   since: ever" in on.text()
        assert "project:" not in on.frame()[1]
        await on.press("tab", "a")
        assert "agent: claude-code" in on.text(), "in the list, letters are keys"


async def test_the_preview_shows_the_passage_between_its_neighbours(tmp_path: Path) -> None:
    one = shop(tmp_path)
    archive = answering(hit(one.info, "the NEEDLE lies here", "NEEDLE", 3, kind=Kind.TOOL_RESULT))
    long = "\n".join(f"line {number}" for number in range(500))
    archive.texts[one.info.id] = tuple(
        Passage(record, record * 100, record * 100 + 9, kind, TIME, text)
        for record, kind, text in (
            (1, Kind.PROMPT, "far away"),
            (2, Kind.TOOL_CALL, "grep it"),
            (3, Kind.TOOL_CALL, "same record, another part"),
            (3, Kind.TOOL_RESULT, f"{long}\nthe NEEDLE lies here\n{long}"),
            (4, Kind.REPLY, "Found it."),
        )
    )
    async with stage(tmp_path, one, archive=archive, size=(120, 40)) as on:
        await search(on, "NEEDLE")
        text = on.text()
        assert "the NEEDLE lies here" in text.split("passage")[1]
        preview = on.screen.query_one(Preview)
        shown = "\n".join("".join(part for part, _ in line) for line in preview.lines)
        assert "grep it" in shown
        assert "far away" not in shown
        assert shown.index("same record") < shown.index("NEEDLE") < shown.index("Found it.")
        assert "characters more" in shown


async def test_a_passage_that_is_gone_leaves_what_the_index_knows(tmp_path: Path) -> None:
    one = shop(tmp_path)
    async with stage(tmp_path, one, archive=answering(hit(one.info, "a NEEDLE", "NEEDLE"))) as on:
        await search(on, "NEEDLE")
        assert "a NEEDLE" in on.text().split("passage")[1]


async def test_an_older_search_never_shows_after_a_younger_one(tmp_path: Path) -> None:
    one = shop(tmp_path)
    gate = threading.Event()
    archive = answering(hit(one.info, "old and new", "old"))
    answer = archive.answer
    assert answer is not None

    def slowly(query: Query) -> Found:
        if query.text == "old":
            gate.wait(5)
        return answer(query)

    archive.answer = slowly
    async with stage(tmp_path, one, archive=archive) as on:
        await on.press("F")
        field = on.screen.query_one("#query")
        field.value = "old"
        while not archive.asked:
            await on.pilot.pause()
        field.value = "nowhere"
        await on.pilot.pause()
        gate.set()
        await on.settle()
        assert "Nothing holds that." in on.text()
        assert "old and new" not in on.text()


async def test_what_is_missing_is_said(tmp_path: Path) -> None:
    one = shop(tmp_path)
    archive = answering(hit(one.info, "word", "word"), complete=False, unread=3)
    async with stage(tmp_path, one, archive=archive, size=(120, 30)) as on:
        await on.press("F")
        assert "Type what was said" in on.text()
        await search(on, "word")
        assert "the first 1 hit in 1 session, 3 sessions unread" in on.text()
        await search(on, " and more")
        assert "Nothing holds that." in on.text()
        await on.press("f3")
        assert "f7 takes them away" in " ".join(on.text().split())


async def test_a_damaged_index_is_made_anew_and_searched_again(tmp_path: Path) -> None:
    one = shop(tmp_path)
    archive = answering(hit(one.info, "word", "word"))
    answer = archive.answer
    broken = [True]

    def damaged(query: Query) -> Found:
        if broken:
            return Found((), complete=False, problem="the index was damaged")
        assert answer is not None
        return answer(query)

    def mending(*_: object) -> None:
        if archive.asked:
            broken.clear()

    archive.answer, archive.during = damaged, mending
    async with stage(tmp_path, one, archive=archive) as on:
        await search(on, "word")
        assert "1 hit in 1 session" in on.text()
        assert len(archive.asked) > 1


async def test_what_is_said_while_the_search_is_open_is_found_where_the_cursor_was(
    tmp_path: Path,
) -> None:
    one = shop(tmp_path)
    said = [hit(one.info, f"a word {number}", "word", number) for number in range(60)]
    new: list[Hit] = []
    archive = answering(*said)
    archive.answer = lambda _query: Found((*new, *said), complete=True)
    async with stage(tmp_path, one, archive=archive, size=(100, 24)) as on:
        await search(on, "word")
        lines = on.screen.query_one(HitList)
        lines.go_to(41)
        await on.settle()
        before, looks = lines.cursor - lines.scroll_offset.y, len(archive.refreshed)
        new += [hit(site(tmp_path).info, "the word is new", "word")]
        on.app.indexing._ended = -100.0
        on.screen.look()
        await on.settle()
        assert len(archive.refreshed) == looks + 1
        assert "61 hits in 2 sessions" in on.text()
        assert lines.hit == said[40]
        assert lines.cursor - lines.scroll_offset.y == before
        on.screen.look()
        await on.settle()
        assert len(archive.refreshed) == looks + 1, "not again at once"


async def test_nothing_is_looked_for_behind_another_screen_or_without_a_word(
    tmp_path: Path,
) -> None:
    one = shop(tmp_path)
    archive = answering(hit(one.info, "a word", "word"))
    async with stage(tmp_path, one, archive=archive) as on:
        await on.press("F")
        beneath, looks = on.screen, len(archive.refreshed)
        on.app.indexing._ended = -100.0
        beneath.look()
        await on.settle()
        await search(on, "word")
        await on.app.push_screen(Screen())
        beneath.look()
        await on.settle()
        assert len(archive.refreshed) == looks


async def test_who_comes_back_to_the_search_sees_what_was_said_meanwhile(tmp_path: Path) -> None:
    one, other = shop(tmp_path), site(tmp_path)
    there = [hit(one.info, "a word", "word"), hit(other.info, "my word", "word")]
    archive = answering(*there)
    archive.answer = lambda _query: Found(tuple(there), complete=True)
    async with stage(tmp_path, one, other, archive=archive) as on:
        await search(on, "word")
        await on.press("down", "enter")
        assert isinstance(on.screen, DeskScreen)
        there.insert(0, hit(one.info, "another word", "word", 7))
        await on.press("escape")
        assert "3 hits in 2 sessions" in on.text()
        assert on.screen.query_one(HitList).hit == there[2]


async def test_where_nothing_is_found_it_is_said_how_old_the_index_is(tmp_path: Path) -> None:
    one = shop(tmp_path)
    async with stage(tmp_path, one, archive=answering(hit(one.info, "word", "word"))) as on:
        await search(on, "nowhere")
        assert "looked at just now; f5 looks anew" in " ".join(on.text().split())
        on.app.indexing.at = NOW - timedelta(minutes=7)
        on.screen._show()
        await on.settle()
        assert "looked at 7m ago" in " ".join(on.text().split())


async def test_indexing_that_goes_on_is_said_and_leaving_does_not_wait_for_it(
    tmp_path: Path,
) -> None:
    one = shop(tmp_path)
    archive = answering(hit(one.info, "word", "word"))
    gate = threading.Event()

    def slow(advance: object, cancelled: object) -> None:
        assert callable(advance)
        assert callable(cancelled)
        advance(Progress(Phase.TEXTS, 120, 480, 45_000_000, 190_000_000))
        while not cancelled() and not gate.wait(0.01):
            pass

    archive.during = slow
    async with stage(tmp_path, one, archive=archive, size=(120, 30), settled=False) as on:
        while not archive.refreshed:
            await on.pilot.pause()
        await on.pilot.press("F")
        on.screen.query_one("#query").value = "word"
        while "1 hit in 1 session so far" not in on.text():
            await on.pilot.pause()
        line = on.screen.query_one("#progress")
        line.display = True
        await on.pilot.pause()
        assert "120 of 480 sessions, 45M of 190M" in on.text()
        on.app.action_leave()
        assert not archive.refreshed[1:], "it was given up"
    gate.set()


async def test_nothing_that_was_said_acts_on_the_terminal(tmp_path: Path) -> None:
    one = shop(tmp_path)
    info = replace(one.info, title=EVIL, project=f"/x/{EVIL}")
    archive = answering(
        hit(info, f"{EVIL} word {EVIL}", "word"),
        hit(info, f"{EVIL * 20_000} word", "word", 2),
        hit(info, "\x1b[3word1m", "word", 3),
        hit(info, "中文" * 50 + " word " + "完成 👩‍👩‍👧" * 20, "word", 4),
    )
    archive.texts[info.id] = (Passage(1, 100, 1, Kind.PROMPT, TIME, f"{EVIL} word {EVIL}"),)
    async with stage(tmp_path, one, archive=archive, size=(120, 30)) as on:
        await search(on, "word")
        for _ in range(4):
            assert not harmful("\n".join(on.frame()))
            assert all(strip.cell_length == 120 for strip in on.screen._compositor.render_strips())
            await on.press("down")
        assert on.app.is_running


async def test_a_large_paste_is_taken_and_chrome_is_of_certain_width(tmp_path: Path) -> None:
    one = shop(tmp_path)
    async with stage(tmp_path, one, archive=answering(hit(one.info, "word", "word"))) as on:
        await search(on, "word")
        assert not ambiguous(on.text())
        on.screen.query_one("#query").value = "x" * 20_000
        await on.settle()
        assert "Nothing holds that." in on.text()
        assert len(archive_text(on)) == 20_000
        for size in ((60, 20), (80, 24), (1, 1), (120, 40)):
            await on.pilot.resize_terminal(*size)
            await on.settle()
        assert on.app.is_running


def archive_text(on: Stage) -> str:
    archive = on.app.place.archive
    assert isinstance(archive, MemoryArchive)
    return archive.asked[-1].text
