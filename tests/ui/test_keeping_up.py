"""The list of sessions moves by itself, and the cursor stays where it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from threading import Event

from textual.screen import Screen

from redline.agents.following import Change
from redline.catalogue.refresh import Progress
from redline.model import CompactionKind, Gauge, PastCompaction, Session, SessionInfo, Usage
from redline.places import places
from redline.settings import Settings
from redline.ui.living import Living
from redline.ui.session_list import SessionList
from redline.ui.sessions import SessionsScreen
from redline.ui.surroundings import Surroundings
from redline.ui.watching import Changed
from tests.sessions_in_memory import reply, session, user
from tests.ui.archives import MemoryArchive
from tests.ui.stage import NOW, Stage, shop, site, stage


def some(folder: Path, count: int) -> list[SessionInfo]:
    """Sessions of three projects, the newest first."""
    base = shop(folder).info
    return [
        replace(
            base,
            id=f"id-{number}",
            path=folder / f"{number}.jsonl",
            title=f"session number {number}",
            project=f"/p/{number % 3}",
            updated=NOW - timedelta(hours=number),
            billed=None,
        )
        for number in range(count)
    ]


def lines_of(on: Stage) -> SessionList:
    lines = on.screen.query_one("#sessions", SessionList)
    assert isinstance(lines, SessionList)
    return lines


def row_on_screen(on: Stage, text: str) -> int:
    return next(y for y, line in enumerate(on.frame()) if text in line)


async def test_the_list_is_there_before_anything_is_looked_for(tmp_path: Path) -> None:
    infos = some(tmp_path, 4)
    archive = MemoryArchive(infos[1:], later=infos[:1])
    during: list[str] = []
    ready = Event()

    def look(_advance: Callable[[Progress], None], _cancelled: Callable[[], bool]) -> None:
        ready.wait()
        during.append(on.text())

    archive.during = look
    async with stage(tmp_path, archive=archive, settled=False) as on:
        await on.pilot.pause()
        ready.set()
        await on.settle()
        assert "session number 1" in during[0]
        assert archive.refreshed == [False, True], "the list first, then the texts"
        assert "session number 0" in on.text()
        assert "1 agent, 4 sessions" in on.text()


async def test_the_first_row_keeps_the_cursor_until_somebody_moves_it(tmp_path: Path) -> None:
    infos = some(tmp_path, 4)
    async with stage(tmp_path, archive=MemoryArchive(infos[1:], later=infos[:1])) as on:
        current = lines_of(on).session
        assert current is not None
        assert current.title == "session number 0", "while the list was filled"


async def test_the_cursor_stays_on_its_session_and_in_its_place_whatever_moves(
    tmp_path: Path,
) -> None:
    archive = MemoryArchive(some(tmp_path, 90))
    async with stage(tmp_path, archive=archive) as on:
        lines = lines_of(on)
        lines.go_to(60)
        await on.settle()
        chosen = lines.session
        assert chosen is not None
        before = row_on_screen(on, chosen.title)
        moved = replace(archive.infos[80], updated=NOW + timedelta(hours=1), title="it has moved")
        archive.files[moved.path] = (moved,)
        on.screen.post_message(Changed(moved.path, Change.GROWN))
        await on.pilot.pause(0.3)
        await on.settle()
        assert lines.item(1).text == "it has moved"
        assert lines.session == chosen
        assert row_on_screen(on, chosen.title) == before
        for keys in (("s",), ("v",), ("v",), ("slash", *"number", "enter"), ("escape",)):
            await on.press(*keys)
            assert lines.session == chosen, keys


async def test_beneath_another_screen_nothing_is_read_or_measured_until_one_comes_back(
    tmp_path: Path,
) -> None:
    archive = MemoryArchive(some(tmp_path, 3))
    opened: list[SessionInfo] = []
    async with stage(tmp_path, archive=archive) as on:
        first = archive.infos[0]
        grown = replace(first, size=first.size + 9, title="it has grown")
        original = on.app.place.open_session

        def open_session(info: SessionInfo) -> Session:
            opened.append(info)
            return original(info)

        object.__setattr__(on.app.place, "open_session", open_session)
        beneath = on.screen
        await on.app.push_screen(Screen())
        archive.files[first.path] = (grown,)
        beneath.post_message(Changed(first.path, Change.GROWN))
        await on.pilot.pause(0.3)
        await on.settle()
        assert not opened
        assert beneath.roster.infos[0].title == first.title
        on.app.pop_screen()
        await on.settle()
        assert "it has grown" in on.text()
        assert [info.size for info in opened] == [grown.size]


async def test_those_in_use_are_marked_with_what_tells_so(tmp_path: Path) -> None:
    one, other = shop(tmp_path), site(tmp_path)
    archive = MemoryArchive([one.info, other.info])
    archive.live_by = {one.info.id: "registry"}
    async with stage(tmp_path, one, other, archive=archive, size=(120, 30)) as on:
        assert "2 sessions, 1 live" in on.text()
        row = on.frame()[row_on_screen(on, "Fix the rounding")]
        assert "* C" in row
        assert " open " in row
        assert "its agent lists it as open" in on.text()
        archive.live_by = {other.info.id: "a recent change"}
        on.screen.look()
        await on.settle()
        assert "* C" not in on.frame()[row_on_screen(on, "Fix the rounding")]
        assert "recent" in on.frame()[row_on_screen(on, "Draw the pricing")]


async def test_of_a_session_whose_file_is_gone_the_list_says_so(tmp_path: Path) -> None:
    one, other = shop(tmp_path), site(tmp_path)
    archive = MemoryArchive([one.info, other.info])
    archive.live_by = {one.info.id: "registry"}
    async with stage(tmp_path, one, other, archive=archive, size=(120, 30)) as on:
        on.screen.post_message(Changed(one.info.path, Change.GONE))
        await on.settle()
        row = on.frame()[row_on_screen(on, "Fix the rounding")]
        assert "! C" in row
        assert "file gone" in row
        assert "lists it as open" not in on.text()
        assert "1 live" not in on.text()
        assert "gone, it was" in on.text()
        on.screen.look()
        await on.settle()
        assert "lists it as open" not in on.text(), "though its agent still runs"
        on.screen.post_message(Changed(one.info.path, Change.BACK))
        await on.settle()
        assert "file gone" not in on.text()


def test_what_comes_into_use_or_grows_in_use_is_read_again(tmp_path: Path) -> None:
    infos = some(tmp_path, 3)
    archive = MemoryArchive(infos)

    environment = {"REDLINE_HOME": str(tmp_path)}
    place = Surroundings(
        environment,
        tmp_path,
        places(environment),
        Settings(),
        now=lambda: NOW,
        open_archive=lambda _environment, _places: archive,
    )
    living = Living(place)
    archive.live_by = {"id-0": "lock"}
    archive.files = {info.path: (info,) for info in infos}
    assert living.look(infos).changed == (), "at first all is as it was listed"
    archive.files[infos[0].path] = (replace(infos[0], size=99_999),)
    assert [info.size for info in living.look(infos).changed] == [99_999]
    assert living.look(infos).changed == ()
    archive.live_by["id-1"] = "a recent change"
    seen = living.look(infos)
    assert [info.id for info in seen.changed] == ["id-1"]
    assert {id for _, id in seen.live} == {"id-0", "id-1"}  # noqa: A001


async def test_a_new_file_in_a_folder_that_is_watched_is_looked_for(tmp_path: Path) -> None:
    infos = some(tmp_path, 2)
    archive = MemoryArchive(infos[1:])
    async with stage(tmp_path, archive=archive) as on:
        archive.later = (infos[0],)
        on.screen.indexed = 0.0
        on.screen.post_message(Changed(tmp_path, Change.GROWN))
        await on.pilot.pause(0.3)
        await on.settle()
        assert "session number 0" in on.text()


async def test_only_one_project_is_shown_on_demand_and_it_is_said(tmp_path: Path) -> None:
    async with stage(tmp_path, archive=MemoryArchive(some(tmp_path, 9)), size=(120, 30)) as on:
        await on.press("p")
        assert "project: /p/0" in on.text()
        assert "3 of 9" in on.text()
        assert "session number 1" not in on.text()
        await on.press("p")
        assert "session number 1" in on.text()
        await on.press("v")
        assert "one list" in on.frame()[1]
        assert "/p/1" not in on.text()


async def test_sessions_without_a_word_are_listed_last_under_a_line_that_says_so(
    tmp_path: Path,
) -> None:
    infos = some(tmp_path, 2)
    empty = replace(infos[0], title="", first_prompt="", last_prompt="", id="empty-one")
    async with stage(tmp_path, archive=MemoryArchive([empty, infos[1]])) as on:
        text = on.text()
        assert text.index("session number 1") < text.index("nothing said in these")
        assert text.index("nothing said in these") < text.index("empty-one")


async def test_copies_are_told_from_what_they_copy(tmp_path: Path) -> None:
    one, two, three = some(tmp_path, 3)
    two, three = replace(two, parent=one.id), replace(three, parent=one.id)
    async with stage(tmp_path, archive=MemoryArchive([one, two, three]), size=(120, 40)) as on:
        assert "\u21b3 session number 1" in on.frame()[row_on_screen(on, "session number 1")]
        assert "copies    \u21b3 session number 1" in on.text()
        lines_of(on).go_to(3)
        await on.settle()
        assert "copy of   session number 0" in on.text()
        assert "as are    \u21b3 session number" in on.text()


async def test_the_course_of_the_context_and_the_agents_own_gauge_are_shown(
    tmp_path: Path,
) -> None:
    grown = [
        draft
        for tokens in (20_000, 90_000, 150_000, 30_000)
        for draft in (user("on"), reply("done", usage=Usage(input=tokens)))
    ]
    past = PastCompaction("c", CompactionKind.FULL, 7, messages_before=6)
    made = session(*grown, model="claude-opus-4-6", compactions=(past,), context_from=6)
    made = replace(
        made,
        info=replace(made.info, title="a long one", path=tmp_path / "long.jsonl", size=5),
        gauge=Gauge(percent_left=41, active=188_000, trigger=200_000),
    )
    async with stage(tmp_path, made, size=(120, 40)) as on:
        text = on.text()
        assert "1 compaction" in text
        assert "peak 150k" in text
        assert any(0x2800 < ord(character) <= 0x28FF for character in text)
        assert "41% left by claude-code, 12k" in text


async def test_thousands_of_sessions_are_rows_that_are_made_when_they_are_seen(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, archive=MemoryArchive(some(tmp_path, 5_000))) as on:
        lines = lines_of(on)
        assert isinstance(on.screen, SessionsScreen)
        assert lines.heights.rows == 5_003
        assert len(lines._made) < 200
        await on.press("G")
        assert "session number 4999" in on.text() or "session number 4997" in on.text()
        assert "5,000 sessions" in on.text()
