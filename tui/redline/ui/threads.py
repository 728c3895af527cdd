"""Work beside the screen: a function in a thread, awaited from a worker.

The thread is a daemon, so that leaving redline never waits for it. When the worker is cancelled the
answer is dropped; the thread itself touches no widget and runs out on its own.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from textual.dom import DOMNode

from redline.ui.turns import shared_turn

T = TypeVar("T")
Work = Callable[[], Coroutine[Any, Any, None]]

_SLICE = 0.005  # seconds of work until the screen gets its turn
_LONGEST_TURN = 0.2  # seconds


def beside(node: DOMNode, work: Work, group: str, *, exclusive: bool = True) -> None:
    """Runs `work` beside the screen. It ends with `node`, and where it is `exclusive` as soon as
    other work of its `group` starts; an error in it is a notice."""
    made: Any = work  # a function and no coroutine, which would have to be awaited in any case
    node.run_worker(made, group=group, exclusive=exclusive, exit_on_error=False)


def giving_way() -> Callable[[], None]:
    """A step that long work in one thread takes as often as it can: every few milliseconds it
    returns only once the screen's own thread, in which this is called, has come to its next turn.
    Such work holds up no turn for long."""
    loop = asyncio.get_running_loop()
    ends = 0.0

    def step() -> None:
        nonlocal ends
        if time.monotonic() < ends:
            return
        turn = threading.Event()
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(turn.set)
            turn.wait(_LONGEST_TURN)
        ends = time.monotonic() + _SLICE

    return step


async def in_thread(function: Callable[[], T]) -> T:
    """What `function` gives, or raises."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if answer.cancelled():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result: T | None = None
        failure: BaseException | None = None
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001 - handed over, raised where it is awaited
            failure = error
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:  # the loop has ended; nobody waits any more
            return

    with shared_turn():  # to start a thread is to wait until it runs
        threading.Thread(target=run, name="redline work", daemon=True).start()
    return await answer
