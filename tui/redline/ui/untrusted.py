"""The one door for text that redline did not write itself: it comes out as `Content`, never markup.

Titles, paths, names of tools and models, bodies, error messages of the system: whatever a session,
a file or an agent has put into a string goes through here before a widget sees it.
"""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content

from redline.text import CUT, first_line, safe

TAB = 4


def untrusted(text: str, style: str = "") -> Content:
    """`text` whole, its lines kept, harmless."""
    return Content.styled(safe(text).expandtabs(TAB), style) if style else Content(plain(text))


def fitted(text: str, width: int) -> Content:
    """The first line of `text` that is not blank, in at most `width` cells."""
    return Content(first_line(text, width)) if width > 0 else Content("")


def fitted_end(text: str, width: int) -> Content:
    """As `fitted`, but of what is too long the end is shown: paths differ at their ends."""
    line = first_line(text, 4_096)
    if cell_len(line) <= width:
        return Content(line)
    room = width - len(CUT)
    if room <= 0:
        return Content("")
    end = line[-room:]
    while cell_len(end) > room:
        end = end[1:]
    folder = end.find("/")
    if 0 < folder < len(end) // 2:  # whole names read better than their ends
        end = end[folder:]
    return Content(f"{CUT}{end}")


def plain(text: str) -> str:
    """What `untrusted` shows, as a string for the line API."""
    return safe(text).expandtabs(TAB)


def wrapped(text: str, width: int, limit: int) -> tuple[list[str], int]:
    """`text` in lines of at most `width` cells, broken between words where that is possible, at
    most `limit` of them; and how many characters of `text` are not shown for it, 0 only where all
    of it is.

    Reads no more of `text` than it shows.
    """
    width = max(width, 8)
    room = limit * width * 2  # zero-width characters and short lines leave it larger than needed
    lines: list[str] = []
    used = 0
    for line in text[:room].splitlines(keepends=True):
        if len(lines) >= limit:
            break
        found = _wrap(plain(line.rstrip("\r\n")), width)
        fitting = found[: limit - len(lines)]
        lines += fitting
        rest = len(found) > len(fitting)
        used += min(len(line) - 1, sum(map(len, fitting))) if rest else len(line)
    return lines, len(text) - used


def _wrap(line: str, width: int) -> list[str]:
    if cell_len(line) <= width:
        return [line]
    lines: list[str] = []
    indent = len(line) - len(line.lstrip(" "))
    hanging = " " * (indent if indent < width // 2 else 0)
    while cell_len(line) > width:
        end = _end(line, width)
        space = line.rfind(" ", 1, end + 1)
        if space > len(hanging) and cell_len(line[:space]) > width // 2:
            lines.append(line[:space])
            line = hanging + line[space + 1 :].lstrip(" ")
        else:
            lines.append(line[:end])
            line = hanging + line[end:]
    lines.append(line)
    return lines


def _end(line: str, width: int) -> int:
    """The largest n with line[:n] in `width` cells, at least 1 beyond a hanging indent."""
    low, high = 1, min(len(line), width * 4)
    while low < high:
        middle = (low + high + 1) // 2
        if cell_len(line[:middle]) <= width:
            low = middle
        else:
            high = middle - 1
    return low
