"""The requests that a reader meets on its way through a file, kept small: there may be many."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Self

from redline.model import Billed, Usage

_TOKENS = len(fields(Usage))
_ROW = 2 + _TOKENS  # the model's number, whether it is aside, the tokens
_UNKNOWN = -1


class Requests:
    """Requests by their keys, in order of the first record of each."""

    def __init__(self) -> None:
        self._models: dict[str | None, int] = {}
        self._keys: list[str] = []
        self._places: dict[str, int] = {}
        self._rows = array("q")
        self.forgot = False

    def usage(self, key: str) -> Usage | None:
        """What is known of the request `key`."""
        place = self._places.get(key)
        return None if place is None else self._usage(place)

    def set(self, key: str, model: str | None, usage: Usage, *, aside: bool = False) -> None:
        """`usage` is what the request `key` was billed."""
        number = self._models.setdefault(model, len(self._models))
        tokens = (usage.input, usage.cache_read, usage.cache_write, usage.output)
        row = [number, aside]
        row += [_UNKNOWN if n is None else n for n in (*tokens, usage.cache_write_1h)]
        place = self._places.setdefault(key, len(self._keys))
        if place == len(self._keys):
            self._keys.append(key)
            self._rows.extend(row)
        else:
            self._rows[place * _ROW : (place + 1) * _ROW] = array("q", row)

    def forget(self, keys: Iterable[str]) -> None:
        """No more is told of these requests. Their keys go, what they were billed stays."""
        for key in keys:
            place = self._places.pop(key, None)
            if place is not None:
                self._keys[place] = ""
                self.forgot = True

    def copied(self) -> Self:
        """The same, to be gone on with apart from this one."""
        other = type(self)()
        other._models, other._places = dict(self._models), dict(self._places)
        other._keys, other._rows = list(self._keys), self._rows[:]
        other.forgot = self.forgot
        return other

    def __len__(self) -> int:
        return len(self._keys)

    def first(self, count: int) -> Iterator[Billed]:
        """The first `count` of them; more may be added meanwhile. Where all are aside, the file is
        a subagent's own, and none is. Keys that were forgotten are stood in for."""
        models = list(self._models)
        own = not all(self._rows[1 : count * _ROW : _ROW])
        for place in range(count):
            number, aside = self._rows[place * _ROW : place * _ROW + 2]
            key = self._keys[place] or f"#{place}"
            yield Billed(key, models[number], self._usage(place), own and aside != 0)

    def _usage(self, place: int) -> Usage:
        start = place * _ROW + 2
        return Usage(*(None if n < 0 else n for n in self._rows[start : start + _TOKENS]))
