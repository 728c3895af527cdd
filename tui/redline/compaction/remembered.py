"""Results that do not change while a cut moves, kept for the last few values they belong to."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar, TypeVarTuple

Given = TypeVarTuple("Given")
Found = TypeVar("Found")


class Remembered(Generic[*Given, Found]):
    """`make` with a memory of its last `size` answers, by identity of the arguments."""

    def __init__(self, make: Callable[[*Given], Found], size: int = 2) -> None:
        self._make = make
        self._size = size
        self._known: OrderedDict[tuple[int, ...], tuple[tuple[*Given], Found]] = OrderedDict()

    def __call__(self, *given: *Given) -> Found:
        key = tuple(map(id, given))  # the arguments are held, so that no id is used again
        known = self._known.get(key)
        if known is not None:
            return known[1]
        found = self._make(*given)
        self._known[key] = (given, found)
        while len(self._known) > self._size:
            self._known.popitem(last=False)
        return found
