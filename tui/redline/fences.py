"""Which lines of a Markdown file are code between fences; works on bytes, undecoded."""

from __future__ import annotations

import re
from dataclasses import dataclass

BOM = b"\xef\xbb\xbf"

# A fence may be the first thing in an item of a list; what closes it stands in the item then.
_FENCE = re.compile(rb"( {0,3}(?:(?:[-+*]|\d{1,9}[.)])[ \t]{1,4})*)(`{3,}(?=[^`]*\Z)|~{3,})")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its byte span with its end, and its text without BOM and line end."""

    start: int
    end: int
    text: bytes


def lines_of(data: bytes) -> list[Line]:
    """The lines of `data`; the last one is empty where it ends in a line end."""
    lines = []
    start = len(BOM) if data.startswith(BOM) else 0
    for raw in data[start:].split(b"\n"):
        end = min(start + len(raw) + 1, len(data))
        lines.append(Line(start, end, raw.removesuffix(b"\r")))
        start = end
    return lines


def fences(lines: list[Line]) -> tuple[set[int], int | None]:
    """The numbers (from 1) of lines inside closed fences, those of the fences with them, and the
    number of a fence that is never closed."""
    inside: set[int] = set()
    opened: tuple[int, bytes, int] | None = None
    for number, line in enumerate(lines, 1):
        if opened is None:
            if fence := _FENCE.match(line.text):
                opened = (number, fence.group(2), len(fence.group(1)))
        elif _closes(line.text, opened[1], opened[2]):
            inside.update(range(opened[0], number + 1))
            opened = None
    return inside, opened[0] if opened else None


def _closes(text: bytes, mark: bytes, indent: int) -> bool:
    bare = text.lstrip(b" ")
    return (
        len(text) - len(bare) <= indent + 3
        and bare.startswith(mark)
        and not bare.lstrip(mark[:1]).strip()
    )


def open_fence(data: bytes) -> int | None:
    """The number of the line whose code fence is never closed, so that the file ends in code."""
    return fences(lines_of(data))[1]


def outside_fences(data: bytes) -> list[bytes]:
    """The lines of `data` that are not inside a closed code fence, without their ends."""
    lines = lines_of(data)
    inside, _ = fences(lines)
    return [line.text for number, line in enumerate(lines, 1) if number not in inside]
