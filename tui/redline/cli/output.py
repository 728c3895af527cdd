"""How commands speak: JSON or text on standard output, messages on standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from redline.amounts import short

if TYPE_CHECKING:
    from rich.console import Console

SCHEMA = 1


def print_json(value: object) -> None:
    """`value` as indented JSON that no terminal acts on."""
    from redline.text import json_text

    print(json_text(value))


def console() -> Console:
    """A rich console that reads no markup, emoji codes or highlights into session text, and prints
    nothing of it that a terminal acts on."""
    from rich.console import Console

    from redline.text import safe

    class Output(Console):
        def print(self, *objects: Any, **options: Any) -> None:
            shown = [safe(one) if isinstance(one, str) else one for one in objects]
            super().print(*shown, **options)

        def on_broken_pipe(self) -> None:
            """Rich ends the program with 1 here, which means "no"; see `main`."""
            raise BrokenPipeError

    return Output(markup=False, emoji=False, highlight=False, soft_wrap=True)


def as_typed(text: str) -> str:
    """A text from the command line as the person typed it, in a locale without UTF-8 too."""
    return os.fsencode(text).decode("utf-8", "surrogateescape")


def note(text: str) -> None:
    """One line to the person, on standard error."""
    from redline.text import safe

    print(safe(text), file=sys.stderr)


@contextmanager
def progress_line() -> Iterator[Callable[[str], None]]:
    """Shows the text it is given last in one line of standard error, which is gone at the end;
    nothing where nobody sees it."""
    shows = sys.stderr.isatty()

    def show(text: str) -> None:
        if shows:
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        show("")


def when(time: datetime | None) -> str | None:
    """`time` as ISO 8601 in UTC with a Z, None where it is not known."""
    if time is None:
        return None
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def ago(time: datetime | None, now: datetime) -> str:
    """How long `time` is ago in one short word: `2m`, `3h`, `5d`."""
    if time is None:
        return "-"
    seconds = max(0, int((now - time).total_seconds()))
    for size, letter in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size}{letter}"
    return f"{seconds}s"


def thousands(tokens: int | None) -> str:
    """Tokens for people: `832`, `9.4k`, `166k`, `1.2M`; `?` where unknown."""
    return "?" if tokens is None else short(tokens)


def share(part: int, whole: int | None) -> str:
    """`part` of `whole` in percent; empty where the whole is unknown."""
    return f"{100 * part / whole:.0f}%" if whole else ""


def bar(categories: Mapping[str, int], limit: int | None, width: int = 60) -> str:
    """The window as one line of letters, one a category, `.` for free (works without colour)."""
    whole = max(limit or 0, sum(categories.values()), 1)
    cells: list[str] = []
    reached = 0
    for name, tokens in categories.items():
        reached += tokens
        cells += LETTERS[name] * (round(width * reached / whole) - len(cells))
    return "".join(cells) + "." * (width - len(cells))


LETTERS = {
    "system": "#",
    "user": "=",
    "assistant": "%",
    "thinking": "*",
    "tool": ":",
    "summary": "~",
}
