from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.strip import Strip

from redline.ui.app import RedlineApp
from redline.ui.garbage import Garbage
from redline.ui.transcript import Transcript
from tests.ui.stage import shop, stage


@pytest.fixture
def _as_before() -> Iterator[None]:
    gc.collect()
    yield
    gc.unfreeze()
    gc.enable()


class Timers:
    """The part of the app that `Garbage` uses."""

    def __init__(self) -> None:
        self.repeated: list[Callable[[], None]] = []

    def set_interval(self, _seconds: float, callback: Callable[[], None]) -> None:
        self.repeated.append(callback)


class Ring:
    """Garbage that counting references does not free."""

    def __init__(self) -> None:
        self.me = self


def _searched(step: Callable[[], None]) -> list[int]:
    """The generations that are searched while `step` is carried out."""
    found: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            found.append(info["generation"])

    gc.callbacks.append(note)
    try:
        step()
    finally:
        gc.callbacks.remove(note)
    return found


def _make(count: int) -> list[list[object]]:
    return [[] for _ in range(count)]


@pytest.mark.usefixtures("_as_before")
def test_nothing_is_searched_but_when_it_is_asked_for() -> None:
    Garbage(Timers()).take_over()  # type: ignore[arg-type]
    kept: list[object] = []
    assert not _searched(lambda: kept.extend(_make(50_000)))


@pytest.mark.usefixtures("_as_before")
def test_painted_lines_are_found_among_what_is_new() -> None:
    timers = Timers()
    garbage = Garbage(timers)  # type: ignore[arg-type]
    garbage.take_over()
    garbage.start()
    (tidy,) = timers.repeated
    assert not _searched(tidy), "nothing is new"
    ring = weakref.ref(Ring())
    kept = _make(8_000)
    assert _searched(tidy) == [0]
    assert ring() is None
    assert kept


@pytest.mark.usefixtures("_as_before")
def test_what_lived_for_long_is_searched_too_but_seldom_and_never_much_of_it() -> None:
    garbage = Garbage(Timers())  # type: ignore[arg-type]
    garbage.take_over()
    kept, searched = [], []
    for _ in range(100):
        kept.append(_make(6_000))
        searched += _searched(garbage.tidy)
        assert len(gc.get_objects()) < 100_000
    assert searched.count(0) > 2 * searched.count(2) > 0


@pytest.mark.usefixtures("_as_before")
def test_a_screen_that_was_left_is_found_and_what_settled_is_not_searched() -> None:
    garbage = Garbage(Timers())  # type: ignore[arg-type]
    garbage.take_over()
    settled = gc.get_freeze_count()
    assert settled > 1_000
    screen = Ring()
    gc.collect()  # it is old
    left = weakref.ref(screen)
    del screen
    garbage.rest()
    assert _searched(garbage.tidy) == [2]
    assert left() is None
    assert gc.get_freeze_count() >= settled - 1_000, "what settled stays so"


@pytest.mark.usefixtures("_as_before")
def test_what_is_large_settles_instead_of_being_searched() -> None:
    garbage = Garbage(Timers())  # type: ignore[arg-type]
    garbage.take_over()
    settled = gc.get_freeze_count()
    large = _make(150_000)
    assert not _searched(garbage.tidy)
    assert gc.get_freeze_count() >= settled + len(large)


@pytest.mark.usefixtures("_as_before")
def test_a_program_that_goes_on_after_the_screens_keeps_its_own_ways() -> None:
    timers = Timers()
    garbage = Garbage(timers)  # type: ignore[arg-type]
    before = gc.isenabled(), gc.get_freeze_count()
    garbage.start()
    garbage.settle()
    garbage.rest()
    assert (gc.isenabled(), gc.get_freeze_count()) == before
    assert not timers.repeated


@pytest.mark.usefixtures("_as_before")
async def test_a_line_that_is_not_shown_any_more_is_no_garbage(tmp_path: Path) -> None:
    async with stage(tmp_path, shop(tmp_path)) as on:
        await on.press("enter")
        gc.collect()
        gc.disable()
        await on.press("down", "pagedown", "h", "end", "escape")
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        gc.set_debug(0)
        left = [value for value in gc.garbage if isinstance(value, Strip)]
        gc.garbage.clear()
        assert not left


async def test_a_desk_and_a_history_let_go_of_the_session_when_they_are_left(
    tmp_path: Path,
) -> None:
    made = shop(tmp_path)
    async with stage(tmp_path, made) as on:
        assert isinstance(on.app, RedlineApp)
        await on.press("enter")
        desk = on.screen
        transcript = desk.query_one(Transcript)
        await on.press("h")
        history = on.screen
        await on.press("escape", "escape")
        assert on.screen is not desk
        assert not hasattr(desk, "review")
        assert transcript.review is None
        assert not hasattr(history, "reading")
