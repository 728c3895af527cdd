"""How far a file that is only appended to was read, so that the rest alone is read next time."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

_MARKED = 1024  # bytes at the start of the file, and before a place, that tell it from another file


@dataclass(slots=True)
class Reached:
    """The end of the last whole line that was read, in bytes, and that line's number.

    `mark` tells what lies before it; see `mark_before`.
    """

    end: int = 0
    number: int = 0
    mark: str = ""

    def holds(self, file: BinaryIO) -> bool:
        """Whether `file` still starts with what was read of it. Raises OSError."""
        return self.mark == mark_before(file, self.end)


def mark_before(file: BinaryIO, place: int) -> str:
    """A mark of what lies before byte `place` of `file`, "" where the file is shorter.

    Equal marks mean the same bytes there, of a file that is only appended to or replaced by
    another one.
    """
    file.seek(0)
    head = file.read(min(_MARKED, place))
    start = max(0, place - _MARKED)
    file.seek(start)
    tail = file.read(place - start)
    if len(tail) < place - start:
        return ""
    return blake2b(head + tail, digest_size=8).hexdigest()


def file_mark_before(path: Path, place: int) -> str:
    """The same of the file at `path`, "" where it cannot be read."""
    try:
        with path.open("rb") as file:
            return mark_before(file, place)
    except OSError:
        return ""
