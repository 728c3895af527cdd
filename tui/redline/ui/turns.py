"""The screen's own thread goes first.

Python lets one thread compute at a time, and asks it to let go when another has waited for the
switch interval. While the screen's thread has a turn, that interval is longer than most turns, so
that work beside the screen waits for its end. While it rests, the interval is so short that the
next turn begins at once, also when the work often lets go by itself: a thread that was just called
comes too late then, and waits anew.
"""

from __future__ import annotations

import asyncio
import selectors
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_RESTING = 0.0001  # seconds that work goes on when the screen gets a turn
_WORKING = 0.020  # seconds that a turn goes on when there is work; and what it waits for in it


class _Turns(selectors.DefaultSelector):
    """Tells the interpreter when the loop rests: while it waits for what it selects."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        sys.setswitchinterval(_RESTING)
        try:
            return super().select(timeout)
        finally:
            sys.setswitchinterval(_WORKING)


def loop_that_goes_first() -> asyncio.AbstractEventLoop:
    """A new event loop for the screens of a program that ends with them."""
    return asyncio.SelectorEventLoop(_Turns())


@contextmanager
def shared_turn() -> Iterator[None]:
    """Around a step of a turn that waits for another thread: the turn then goes on at once."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, _RESTING))
    try:
        yield
    finally:
        sys.setswitchinterval(before)
