"""The lines of a file from its end, for those who need the last ones only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

_CHUNK = 262_144


def lines_backwards(file: BinaryIO, size: int) -> Iterator[bytes]:
    """The lines of a file of `size` bytes, the last one first, without their ends."""
    end, pieces = size, [b""]
    while end > 0:
        start = max(0, end - _CHUNK)
        file.seek(start)
        chunk = file.read(end - start)
        end = start
        lines = chunk.split(b"\n")
        pieces.append(lines.pop())
        if not lines:
            continue  # the line goes on further up
        yield b"".join(reversed(pieces))
        yield from reversed(lines[1:])
        pieces = [lines[0]]
    yield b"".join(reversed(pieces))
