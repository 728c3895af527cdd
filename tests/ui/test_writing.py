"""A writer at work on the handoff screen: a program that answers when the test lets it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from redline.settings import Settings
from redline.ui.handoff import HandoffScreen
from redline.ui.items import Items
from redline.ui.markdown_editor import MarkdownEditor
from redline.ui.transcript import Transcript
from tests.ui.stage import Stage, harmful, shop, stage

BEGINNING = """## Goal
Make the totals exact to the cent \x1b[31m[/b]

## Done
- The rounding in totals.py is exact.
"""
REST = """
## Current state
The suite runs; the marker of this answer is kingfisher. See src/made_up.py, commit deadbee9.

## Decisions
None.

## Rejected
None.

## Blocked
None.

## Open questions
None.

## Next steps
- Run the whole suite.
- Run `pytest -q`.
"""
Program = Callable[..., str]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A writer that prints the beginning of an answer, waits until the file `go` is there, and
    prints the rest; or one that fails."""

    def made(*, fails: bool = False) -> str:
        path = tmp_path / "writer.py"
        path.write_text(
            "import pathlib, sys, time\n"
            "sys.stdin.read()\n"
            + ("sys.exit('no account')\n" if fails else "")
            + f"print({BEGINNING!r}, flush=True)\n"
            f"while not pathlib.Path({str(tmp_path / 'go')!r}).exists():\n"
            "    time.sleep(0.01)\n"
            f"print({REST!r})\n"
        )
        return f"command: {shlex.quote(sys.executable)} {shlex.quote(str(path))}"

    return made


def editor(on: Stage) -> MarkdownEditor:
    return on.screen.query_one("#editor", MarkdownEditor)  # type: ignore[no-any-return]


async def written(on: Stage) -> None:
    on.screen.query_one("#transcript", Transcript).go_to(13)
    await on.press("c")
    await on.pilot.press("w")


async def until(on: Stage, what: Callable[[], bool]) -> None:
    for _ in range(2_000):
        if what():
            return
        await on.pilot.pause(0.005)
    raise AssertionError(on.text())


def streaming(on: Stage) -> bool:
    return isinstance(on.screen, HandoffScreen) and "exact to the cent" in on.text()


async def test_what_a_writer_says_shows_while_it_comes_and_then_the_whole_handoff(
    tmp_path: Path, program: Program
) -> None:
    settings = Settings(writer=program())
    async with stage(tmp_path, first=shop(tmp_path), settings=settings, size=(120, 40)) as on:
        await written(on)
        await until(on, lambda: streaming(on))
        assert harmful(on.text()) == []
        assert "esc ends" in on.text()
        assert "kingfisher" not in on.text()
        (tmp_path / "go").touch()
        await on.settle()
        text = editor(on).text
        assert "kingfisher" in text
        assert "Never touch src/legacy" in text
        assert "1a2b3c4" in text
        assert f"by {Path(sys.executable).name}" in on.text()
        assert on.screen.review.audit is not None


async def test_esc_ends_a_writing_and_the_text_is_as_it_was(
    tmp_path: Path, program: Program
) -> None:
    settings = Settings(writer=program())
    async with stage(tmp_path, first=shop(tmp_path), settings=settings) as on:
        await written(on)
        await until(on, lambda: streaming(on))
        before = on.screen.review.text
        await on.pilot.press("w")
        await on.pilot.pause()
        assert any("being written" in notice for notice in on.notices())
        await on.press("escape")
        assert isinstance(on.screen, HandoffScreen)
        assert editor(on).text == before
        assert editor(on).display
        assert "kingfisher" not in editor(on).text
        assert any("the text is as it was" in notice for notice in on.notices())
        await on.press("escape")
        assert not isinstance(on.screen, HandoffScreen)


async def test_leaving_redline_ends_the_writer(tmp_path: Path, program: Program) -> None:
    settings = Settings(writer=program())
    async with stage(tmp_path, first=shop(tmp_path), settings=settings) as on:
        await written(on)
        await until(on, lambda: streaming(on))
        writing = on.screen.writing
    assert writing.cancelled


async def test_a_writer_that_fails_is_named_and_the_handoff_is_whole(
    tmp_path: Path, program: Program
) -> None:
    settings = Settings(writer=program(fails=True))
    async with stage(tmp_path, first=shop(tmp_path), settings=settings) as on:
        await written(on)
        await on.settle()
        assert sum("no account" in notice for notice in on.notices()) == 1
        assert "Never touch src/legacy" in editor(on).text
        assert on.screen.review.writer == "offline"
        assert "by python" not in on.text()


async def test_another_writer_is_chosen_and_writes_at_once_and_the_text_before_comes_back(
    tmp_path: Path, program: Program
) -> None:
    (tmp_path / "go").touch()
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await written(on)
        await on.settle()
        offline = editor(on).text
        await on.press("m")
        items = on.screen.query_one("#choices", Items)
        assert [item.key for item in items.items] == ["offline", "fork", "other"]
        items.go_to(2)
        await on.press("enter")
        await on.type(program(), "enter")
        await on.settle()
        assert "kingfisher" in editor(on).text
        await on.press("b")
        assert editor(on).text == offline
        assert on.screen.review.writer == "offline"
        await on.press("b")
        assert "kingfisher" in editor(on).text


async def test_a_person_s_own_section_stays_when_a_writer_writes_again(
    tmp_path: Path, program: Program
) -> None:
    (tmp_path / "go").touch()
    settings = Settings(writer=program())
    async with stage(tmp_path, first=shop(tmp_path), settings=settings) as on:
        await written(on)
        await on.settle()
        editor(on).take(editor(on).text + "\n## Mine\n\nRemember the milk.\n")
        await on.settle()
        await on.press("r")
        assert "Remember the milk." in editor(on).text
        assert "kingfisher" in editor(on).text


async def test_what_a_writer_made_up_is_marked_counted_and_led_to(
    tmp_path: Path, program: Program
) -> None:
    (tmp_path / "go").touch()
    settings = Settings(writer=program())
    async with stage(tmp_path, first=shop(tmp_path), settings=settings, size=(120, 40)) as on:
        await written(on)
        await on.settle()
        assert "not in the session (2)" in on.text()
        assert "2 made up" in on.text()
        audit = on.screen.query_one("#audit", Items)
        row = next(row for row, item in enumerate(audit.items) if item.text == "src/made_up.py")
        audit.focus()
        audit.go_to(row)
        await on.press("enter")
        text = editor(on)
        assert text.has_focus
        line = text.document.get_line(text.cursor_location[0])
        assert line[text.cursor_location[1] :].startswith("src/made_up.py")
        spans = text.get_line(text.cursor_location[0]).spans
        assert [line[span.start : span.end] for span in spans] == ["src/made_up.py", "deadbee9"]


async def test_what_a_person_types_is_theirs_and_no_doubt(tmp_path: Path, program: Program) -> None:
    (tmp_path / "go").touch()
    settings = Settings(writer=program())
    async with stage(tmp_path, first=shop(tmp_path), settings=settings, size=(120, 40)) as on:
        await written(on)
        await on.settle()
        editor(on).take(editor(on).text.replace("src/made_up.py", "src/my_own.py"))
        await on.settle()
        await on.settle()
        assert "not in the session (1)" in on.text()
        assert "src/my_own.py" in editor(on).text


async def test_a_next_step_that_the_session_shows_as_done_is_told(
    tmp_path: Path, program: Program
) -> None:
    (tmp_path / "go").touch()
    settings = Settings(writer=program())
    async with stage(tmp_path, first=shop(tmp_path), settings=settings, size=(120, 40)) as on:
        await written(on)
        await on.settle()
        assert "next steps that are done (1)" in on.text()
