from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from redline.ui.app import RedlineApp
from redline.ui.garbage import Garbage
from redline.ui.transcript import Transcript
from tests.ui.stage import shop, stage


@pytest.fixture
def _as_before() -> Iterator[None]:
    threshold, switch = gc.get_threshold(), sys.getswitchinterval()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)
    sys.setswitchinterval(switch)


class Timers:
    """The part of the app that `Garbage` uses: what is set to happen later is done at once."""

    def set_timer(self, _delay: float, callback: object) -> None:
        assert callable(callback)
        callback()


@pytest.mark.usefixtures("_as_before")
def test_a_screen_that_was_left_is_found_and_what_settled_is_not_searched() -> None:
    garbage = Garbage(Timers())  # type: ignore[arg-type]
    garbage.take_over()
    settled = gc.get_freeze_count()
    assert settled > 1_000
    found: list[object] = []
    gc.callbacks.append(lambda phase, info: found.append((phase, info["generation"])))
    try:
        garbage.rest()
    finally:
        gc.callbacks.pop()
    assert ("stop", 2) in found
    assert gc.get_freeze_count() >= settled - 1_000, "what settled stays so"


@pytest.mark.usefixtures("_as_before")
def test_a_program_that_goes_on_after_the_screens_keeps_its_own_ways() -> None:
    garbage = Garbage(Timers())  # type: ignore[arg-type]
    before = gc.get_threshold(), gc.get_freeze_count()
    garbage.settle()
    garbage.rest()
    assert (gc.get_threshold(), gc.get_freeze_count()) == before


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
