"""A followed session for people: redrawn in place on a terminal, a line a change elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.live import Live
from rich.text import Text

from redline.agents.live_words import live_reason
from redline.cli.figures import compaction_line, gauge_line, threshold_line, used_line
from redline.cli.followed import Step
from redline.cli.output import LETTERS, ago, bar, share, thousands
from redline.model import Message, SessionInfo
from redline.text import counted, one_line
from redline.ui.marks import speaker

_EVENTS = 6  # that are shown
_TITLE = 100  # characters
_HEAD = 300
_MOST_BAR = 100  # cells


def _now() -> datetime:
    return datetime.now(UTC)


class LineView:
    """One line a change, whole, for a program that reads it or a file."""

    def __init__(self, out: Console) -> None:
        self._out = out

    def show(self, step: Step) -> None:
        window = step.window
        used = f"{thousands(window.used)} of {thousands(window.limit)}"
        figures = f"{used} {share(window.used, window.limit)}".rstrip()
        info = step.session.info
        use = f"live, {live_reason(info.live_by)}" if info.live else "not live"
        pieces = [_clock(step), event_words(step), use, figures, gauge_line(step.session.gauge)]
        if message := next(reversed(step.growth.new), None):
            pieces.append(_said(message))
        self._out.print("  ".join(piece for piece in pieces if piece))
        for line in advice_lines(step):
            self._out.print(line, style="bold")
        self._out.file.flush()

    def pulse(self) -> None:
        """Nothing is told of time."""

    def close(self) -> None:
        """Nothing is open."""


class LiveView:
    """The window, redrawn in place. `now` stands for the clock."""

    def __init__(self, out: Console, now: Callable[[], datetime] = _now) -> None:
        self._out = out
        self._now = now
        self._step: Step | None = None
        self._events: list[str] = []
        self._live = Live(console=out, auto_refresh=False, vertical_overflow="crop")
        self._started = False
        self._moment = ""

    def show(self, step: Step) -> None:
        self._step = step
        self._events = [*self._events, f"{_clock(step)}  {event_words(step)}"][-_EVENTS:]
        self._events += [f"          {compaction_line(past)}" for past in step.growth.compactions]
        self._events += [f"          {line}" for line in advice_lines(step)]
        if step.advice is not None:
            self._moment = step.advice.moment.line
        self._events = self._events[-_EVENTS:]
        self._draw()

    def pulse(self) -> None:
        """Times that are told as passed go on; the terminal may have another size."""
        self._draw()

    def close(self) -> None:
        """The last frame stays; the cursor is seen again."""
        if self._started:
            self._live.stop()

    def _draw(self) -> None:
        if self._step is None:
            return
        if not self._started:
            self._started = True
            self._live.start()
        size = self._out.size
        lines = frame(self._step, self._events, size.width, size.height, self._now(), self._moment)
        self._live.update(Text("\n".join(lines), no_wrap=True, overflow="crop"), refresh=True)


def frame(
    step: Step, events: list[str], width: int, height: int, now: datetime, moment: str = ""
) -> list[str]:
    """The lines of the live view, at most `height` of at most `width` cells."""
    session, window = step.session, step.window
    info = session.info
    categories = {name.value: tokens for name, tokens in window.categories.items()}
    who = (info.agent.value, one_line(info.model or ""), one_line(info.project or ""))
    head = [
        one_line(info.title or info.id, _TITLE),
        "  ".join(filter(None, who)),
        _in_use(info, now),
        bar(categories, window.limit, min(_MOST_BAR, max(1, width - 1))),
        "  ".join(
            f"{LETTERS[name]} {name} {thousands(tokens)}"
            for name, tokens in categories.items()
            if tokens
        ),
        used_line(window),
        threshold_line(window),
        gauge_line(session.gauge),
        f"moment {moment}" if moment else "",
        f"{counted(len(session.context), 'message')} in the context, "
        f"{counted(len(session.compactions), 'compaction')}",
        *events,
    ]
    lines = [line for line in head if line]
    room = height - len(lines) - 2  # a blank line, and the terminal's last one
    if room > 0:
        lines += ["", *_newest(step, room)]
    return [_cut(line, width - 1) for line in lines[: max(1, height - 1)]]


def _newest(step: Step, room: int) -> Iterator[str]:
    """The last messages of the context, the newest last."""
    pairs = list(zip(step.session.context, step.window.tokens, strict=True))
    for message, tokens in pairs[-room:]:
        yield f"{thousands(tokens):>6}  {_said(message)}"


def _said(message: Message) -> str:
    word, _ = speaker(message)
    said = one_line(message.head, _HEAD)
    return f"{word}: {said}" if said else word


def _cut(line: str, width: int) -> str:
    return line if cell_len(line) <= width else set_cell_size(line, max(0, width))


def advice_lines(step: Step) -> list[str]:
    """Alarms, triggers that are met, and what was written for them."""
    if step.advice is None:
        return []
    lines = [f"! {line}" for line in step.advice.lines]
    if step.handoff is not None:
        lines.append(f"handoff written to {one_line(str(step.handoff), 200)}")
    elif step.problem:
        lines.append(f"! {one_line(step.problem, 200)}")
    return lines


def event_words(step: Step) -> str:
    """What happened, in words."""
    grown = step.growth
    match step.event:
        case "opened":
            words = f"opened, {counted(len(step.session.context), 'message')}"
        case "gone":
            words = "the file is gone; this is its last state"
        case "unreadable":
            words = f"{one_line(step.problem, 200)}; this is its last state"
        case "live":
            words = "in use" if step.session.info.live else "not in use any more"
        case "newer" | "moved" if step.next is not None:
            name = one_line(step.next.title or step.next.id, _TITLE)
            words = f"a newer session of this project: {name} ({step.next.id})"
        case "moved":
            words = f"went on to {one_line(step.session.info.title or step.session.info.id, 100)}"
        case event:
            pieces = [event]
            if grown.new:
                pieces.append(f"{counted(len(grown.new), 'message')} more")
            if grown.gone:
                pieces.append(f"{counted(grown.gone, 'message')} left the context")
            words = ", ".join(pieces)
    return words


def _in_use(info: SessionInfo, now: datetime) -> str:
    if info.live:
        return f"live, {live_reason(info.live_by)}"
    return f"not live, last written to {ago(info.updated, now)} ago"


def _clock(step: Step) -> str:
    return f"{step.at.astimezone():%H:%M:%S}"
