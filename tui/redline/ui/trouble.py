"""Notices: one way to say something, and one way to say what went wrong."""

from __future__ import annotations

from typing import Any, Literal
from weakref import WeakKeyDictionary

from textual.app import App
from textual.notifications import Notification, Notify
from textual.widget import Widget

from redline.errors import RedlineError, in_words
from redline.ui.untrusted import plain

Severity = Literal["information", "warning", "error"]


_LEAST, _MOST = 5.0, 30.0  # seconds that a notice stays
_READ = 12  # characters a second: a sentence that one did not expect
_standing: WeakKeyDictionary[App[Any], dict[str, Notification]] = WeakKeyDictionary()


def say(
    where: App[Any] | Widget,
    text: str,
    *,
    severity: Severity = "information",
    title: str = "",
    about: str = "",
) -> None:
    """A notice; its text may come from anywhere. It stays as long as it takes to read, and goes
    when the same is said again, or something newer `about` the same."""
    seconds = min(max(_LEAST, len(text) / _READ), _MOST)
    notice = Notification(plain(text), plain(title), severity, seconds)
    app = where if isinstance(where, App) else where.app
    known = _standing.get(app, {})
    matter = about or f"{title}\n{text}"
    if matter in known:
        _take_away(app, known[matter])
    _standing[app] = {key: one for key, one in known.items() if not one.has_expired}
    _standing[app][matter] = notice
    app.post_message(Notify(notice))


def _take_away(app: App[Any], notice: Notification) -> None:
    """Ends a notice, and takes it from the screen with the line that it had there."""
    notice.timeout = 0
    said = f"{notice.title}\n{notice.message}" if notice.title else notice.message
    for toast in app.screen.query("Toast"):
        if str(toast.render()) == said and isinstance(toast.parent, Widget):
            toast.parent.remove()


def complain(where: App[Any] | Widget, error: BaseException) -> None:
    """A notice of what went wrong and what to do about it."""
    if isinstance(error, RedlineError):
        text = f"{error.message}\n{error.hint}" if error.hint else error.message
    elif isinstance(error, OSError | ValueError):
        text = in_words(error)
    else:
        text = f"a fault in redline: {in_words(error)}"
    say(where, text, severity="error")
