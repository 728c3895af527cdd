"""Very many messages in little memory."""

from __future__ import annotations

import pickle
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import cast, overload

from redline.model import Message

_BLOCK = 256  # messages
_UNPACKED = 8  # blocks at hand: what a screen shows, and where it was a moment ago


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
            packed = zlib.compress(pickle.dumps(last, pickle.HIGHEST_PROTOCOL), 1)
            self._blocks[-1] = packed  # in one step: the other thread sees the one or the other
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
