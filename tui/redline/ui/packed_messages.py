"""Very many messages in little memory."""

from __future__ import annotations

import io
import pickle
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, cast, overload

from redline.model import Message, Origin, Part, Usage

_BLOCK = 256  # messages
_UNPACKED = 8  # blocks at hand: what a screen shows, and where it was a moment ago


def _by_fields(kind: type[Any]) -> Callable[[Any], tuple[type[Any], tuple[object, ...]]]:
    """How a value is packed: as its fields, a third of what pickle does with a slotted class."""
    of = attrgetter(*(field.name for field in fields(kind)))
    return lambda value: (kind, of(value))


_WAYS: dict[type[Any], Callable[[Any], Any]] = {
    kind: _by_fields(kind) for kind in (Message, Part, Origin, Usage)
}


def _packed(messages: list[Message]) -> bytes:
    file = io.BytesIO()
    pickler = pickle.Pickler(file, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _WAYS
    pickler.dump(messages)
    return zlib.compress(file.getvalue(), 1)


class PackedMessages(Sequence[Message]):
    """Messages in the order they were appended; one thread appends, another reads.

    They are packed by the block, about 60 bytes each instead of 900, and nothing in a packed block
    is searched for garbage, which at 100,000 messages would stop the screen for a tenth of a
    second.
    """

    def __init__(self) -> None:
        self._blocks: list[bytes | list[Message]] = [[]]
        self._count = 0
        self._unpacked: OrderedDict[int, list[Message]] = OrderedDict()

    def append(self, message: Message) -> None:
        last = self._blocks[-1]
        assert isinstance(last, list)
        last.append(message)
        self._count += 1
        if len(last) == _BLOCK:
            self._blocks[-1] = _packed(
                last
            )  # in one step: the other thread sees the one or the other
            self._blocks.append([])

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Message: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Message]: ...
    def __getitem__(self, place: int | slice) -> Message | Sequence[Message]:
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(self._count))]
        if not -self._count <= place < self._count:
            raise IndexError(place)
        number, at = divmod(place % self._count if place < 0 else place, _BLOCK)
        block = self._blocks[number]
        if isinstance(block, bytes):
            block = self._unpack(number, block)
        return block[at]

    def _unpack(self, number: int, block: bytes) -> list[Message]:
        known = self._unpacked.get(number)
        if known is None:
            known = cast("list[Message]", pickle.loads(zlib.decompress(block)))
            self._unpacked[number] = known
            while len(self._unpacked) > _UNPACKED:
                self._unpacked.popitem(last=False)
        else:
            self._unpacked.move_to_end(number)
        return known
