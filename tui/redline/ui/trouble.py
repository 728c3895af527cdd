"""Notices: one way to say something, and one way to say what went wrong."""

from __future__ import annotations

from typing import Any, Literal

from textual.app import App
from textual.widget import Widget

from redline.errors import RedlineError, in_words
from redline.ui.untrusted import plain

Severity = Literal["information", "warning", "error"]


_LEAST, _MOST = 5.0, 30.0  # seconds that a notice stays
_READ = 12  # characters a second: a sentence that one did not expect


def say(
    where: App[Any] | Widget, text: str, *, severity: Severity = "information", title: str = ""
) -> None:
    """A notice; its text may come from anywhere. It stays as long as it takes to read."""
    seconds = min(max(_LEAST, len(text) / _READ), _MOST)
    where.notify(plain(text), title=plain(title), severity=severity, timeout=seconds, markup=False)


def complain(where: App[Any] | Widget, error: BaseException) -> None:
    """A notice of what went wrong and what to do about it."""
    if isinstance(error, RedlineError):
        text = f"{error.message}\n{error.hint}" if error.hint else error.message
    elif isinstance(error, OSError | ValueError):
        text = in_words(error)
    else:
        text = f"a fault in redline: {in_words(error)}"
    say(where, text, severity="error")
