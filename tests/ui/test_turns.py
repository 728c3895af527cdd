from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator

import pytest

from redline.ui.threads import in_thread
from redline.ui.turns import loop_that_goes_first, shared_turn


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    switch = sys.getswitchinterval()
    yield
    sys.setswitchinterval(switch)


def test_work_waits_for_the_end_of_a_turn_and_lets_go_while_the_screen_rests() -> None:
    async def screens() -> tuple[float, float, float]:
        await asyncio.sleep(0)  # the loop came back from its first rest
        turn = sys.getswitchinterval()
        with shared_turn():
            shared = sys.getswitchinterval()
        resting = await in_thread(sys.getswitchinterval)
        return turn, shared, resting

    loop = loop_that_goes_first()
    try:
        turn, shared, resting = loop.run_until_complete(screens())
    finally:
        loop.close()
    assert turn > 100 * resting
    assert shared == resting


def test_a_shared_turn_never_makes_work_hold_on_for_longer() -> None:
    sys.setswitchinterval(1e-6)
    with shared_turn():
        assert sys.getswitchinterval() == pytest.approx(1e-6)
