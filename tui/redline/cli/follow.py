"""`redline follow`: one session's window, live.

On a terminal the figures are redrawn in place whenever they change; into a pipe goes one line a
change. With `--json` one object a line is printed for each change, the first one at once:

    {"schema": 1, "event": "grown", "at": "...Z",
     "session": {...as in `sessions`, "live_by": "registry"}, "window": {...as in `inspect`},
     "gauge": {"percent_left": 83, "active": 52000, "trigger": 232560, "until": 180560} or null,
     "context_messages": 41, "gone": 0, "damage": 0, "next": null, "problem": null,
     "messages": [{"id", "role", "kinds", "time", "tokens", "head"}], "compactions": [...],
     "moment": {"verdict": "good", "good": [...], "bad": [...], "open_call": false, ...} or null,
     "triggers": [{"name", "value", "at", "words", "held", "told"}], "breaches": [as in `audit`],
     "thrash": {"compactions", "left", "used", "limit", "refills"} or null, "handoff": null}

`event` is one of those of `redline.cli.followed.Step`; `messages` are those that are new in the
context or got more parts, `gone` counts those that left it, `compactions` are new ones, `next` is
the newer session of `newer`. `triggers` are all that are met, each `told` once; `breaches` are new
ones. The status is 130 when it is interrupted, 143 when it is ended.
"""

from __future__ import annotations

import argparse
import signal
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType
from typing import NoReturn, Protocol

from redline.agents.following import Change, Following
from redline.cli.followed import Followed, Step, step_json
from redline.cli.workplace import workplace
from redline.text import json_text

INTERRUPTED, TERMINATED = 130, 143
_PULSE = 5.0  # seconds after which it is looked whether the session is in use, and for a newer one
_TELLING = (Change.REPLACED, Change.TRUNCATED, Change.BACK, Change.GROWN)


class View(Protocol):
    """Where steps are shown."""

    def show(self, step: Step) -> None: ...

    def pulse(self) -> None:
        """Time has passed, or the terminal has another size."""
        ...

    def close(self) -> None: ...


class Changes:
    """What becomes of the file that is followed. `next` waits for it, five seconds at most."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Change | None] = SimpleQueue()
        self._following = Following(lambda _path, change: self.tell(change))

    def follow(self, path: Path) -> None:
        """This file is followed from now on."""
        self._following.follow([path])

    def tell(self, change: Change) -> None:
        """This became of the file; any thread may say so."""
        self._queue.put(change)

    def wake(self) -> None:
        """Ends the waiting; may be called by the handler of a signal."""
        self._queue.put(None)

    def next(self) -> Change | None:
        """What became of the file, several changes in one; None where nothing did."""
        try:
            found = [self._queue.get(timeout=_PULSE)]
            while not self._queue.empty():
                found.append(self._queue.get_nowait())
        except Empty:
            return None
        if (changes := [change for change in found if change]) and changes[-1] is Change.GONE:
            return Change.GONE
        return next((change for change in _TELLING if change in changes), None)

    def close(self) -> None:
        self._following.close()


class Ended(KeyboardInterrupt):
    """The program was asked to end."""


def run(options: argparse.Namespace) -> int:
    place = workplace()
    handoff = Path(options.handoff).expanduser() if options.handoff else None
    followed = Followed(place, place.session(options.session), handoff=handoff)
    changes = Changes()
    _heed_signals(changes)
    view = _view(json=options.json)
    try:
        changes.follow(followed.session.info.path)
        follow(followed, changes, view, latest=options.latest)
    except Ended:
        return TERMINATED
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        view.close()
        changes.close()


class NextChange(Protocol):
    """See `Changes`."""

    def follow(self, path: Path) -> None: ...

    def next(self) -> Change | None: ...


def follow(followed: Followed, changes: NextChange, view: View, *, latest: bool) -> NoReturn:
    """Shows what becomes of the session until it is interrupted."""
    view.show(followed.opened())
    change: Change | None = Change.GROWN  # it may have grown before it was watched
    while True:
        step = followed.pulse() if change is None else followed.after(change)
        if step is not None:
            view.show(step)
        if change is None:
            view.pulse()
            if (step := followed.newer(move=latest)) is not None:
                view.show(step)
                changes.follow(followed.session.info.path)
        change = changes.next()


def _heed_signals(changes: Changes) -> None:
    """The end is clean, and a terminal of another size is drawn upon anew."""
    if threading.current_thread() is not threading.main_thread():
        return

    def end(_number: int, _frame: FrameType | None) -> None:
        raise Ended

    signal.signal(signal.SIGTERM, end)
    if hasattr(signal, "SIGWINCH"):
        signal.signal(signal.SIGWINCH, lambda _number, _frame: changes.wake())


def _view(*, json: bool) -> View:
    from redline.cli.follow_view import LineView, LiveView
    from redline.cli.output import console

    if json:
        return JsonView()
    out = console()
    return LiveView(out) if out.is_terminal else LineView(out)


class JsonView:
    """One object a line."""

    def show(self, step: Step) -> None:
        print(json_text(step_json(step), None), flush=True)

    def pulse(self) -> None:
        """Nothing is told of time."""

    def close(self) -> None:
        """Nothing is open."""
