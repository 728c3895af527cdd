from __future__ import annotations

import asyncio
import threading

from redline.ui.threads import giving_way


async def test_work_in_a_thread_goes_on_only_when_the_screen_has_come_to_its_next_turn() -> None:
    step = giving_way()
    asked, went_on = threading.Event(), threading.Event()

    def work() -> None:
        asked.set()
        step()
        went_on.set()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    asked.wait()
    assert not went_on.wait(0.02), "this turn is not over"
    while not went_on.is_set():
        await asyncio.sleep(0)
    thread.join()


def test_work_goes_on_when_the_screens_were_left() -> None:
    async def screens() -> object:
        return giving_way()

    step = asyncio.run(screens())
    assert callable(step)
    thread = threading.Thread(target=step, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
