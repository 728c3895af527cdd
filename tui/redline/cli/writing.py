"""A writer at work for a command: what it does is told on standard error, ctrl-c ends it."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from redline.cli.output import SCHEMA, note, thousands
from redline.errors import RedlineError
from redline.redaction import redact
from redline.text import counted, one_line, safe

if TYPE_CHECKING:
    from redline.cli.workplace import Workplace
    from redline.handoff.budget import Budget
    from redline.handoff.writers.failure import Cancelled
    from redline.handoff.writers.writer import Piece, Task
    from redline.handoff.writers.writing import Remark, Written
    from redline.review import Review

OFFLINE = "offline"
_REDRAW = 0.1  # seconds
_NAMED = 8  # things that a line names


def written_with(
    name: str, place: Workplace, review: Review, budget: Budget | None
) -> tuple[Review, Written | None]:
    """`review` with a handoff by the writer called `name`, and how it was written (None: without
    a writer). Raises RedlineError as `written_by` does."""
    if name.strip() == OFFLINE:
        return review.write(budget), None
    written = written_by(name, place, review.task(budget))
    return review.with_written(written), written


def written_by(name: str, place: Workplace, task: Task) -> Written:
    """The handoff of `task` by the writer called `name`.

    Raises RedlineError with status 130 where ctrl-c ended it, and for a writer that is none.
    """
    from redline.handoff.writers.cooldown import Cooldowns
    from redline.handoff.writers.failure import Cancelled
    from redline.handoff.writers.registry import writer_of
    from redline.handoff.writers.writer import known_as
    from redline.handoff.writers.writing import Care, write

    writer = writer_of(name, place.settings, place.environment)
    progress = Progress(known_as(writer.name))
    try:
        with interrupts() as interrupted:
            written = write(
                task,
                writer,
                cancelled=lambda: progress.tick(interrupted),
                told=progress.take,
                care=Care(Cooldowns(place.places.state)),
            )
    except Cancelled as ended:
        progress.clear()
        raise _ended(ended, progress.name, progress.seconds) from ended
    progress.done()
    tell_doubts(written)
    return written


def report(written: Written | None) -> dict[str, Any]:
    """How a handoff was written, as JSON; None is the offline writer."""
    tokens = written.spent if written else None
    return {
        "schema": SCHEMA,
        "writer": redact(written.writer).text if written else OFFLINE,
        "complete": written.complete if written else True,
        "prompt": written.prompt if written else None,
        "spent": {
            "input_tokens": tokens.input_tokens,
            "output_tokens": tokens.output_tokens,
            "counted": tokens.counted,
        }
        if tokens
        else None,
        "remarks": [
            {"text": remark.text, "kind": remark.failure.kind.value if remark.failure else None}
            for remark in (written.remarks if written else ())
        ],
        "invented": [
            {"text": item.text, "kind": item.kind.value}
            for item in (written.invented if written else ())
        ],
        "finished": [
            {"step": item.step, "evidence": item.evidence}
            for item in (written.finished if written else ())
        ],
    }


def tell_doubts(written: Written) -> None:
    """Says on standard error what of a writer's words the session does not bear out."""
    if written.invented:
        texts = list(dict.fromkeys(item.text for item in written.invented))
        named = ", ".join(texts[:_NAMED]) + (", ..." if len(texts) > _NAMED else "")
        note(
            f"redline: {counted(len(texts), 'thing')} named that the session does not hold: {named}"
        )
    for item in written.finished:
        note(f"redline: next step marked as finished: {one_line(item.step)} ({item.evidence})")


class Progress:
    """What a writer is doing, in one line that is drawn again on a terminal; elsewhere only steps
    and remarks are told."""

    def __init__(self, name: str) -> None:
        self.name = safe(name)[:40]
        self.started = self.drawn = time.monotonic()
        self.what, self.figures, self.chars = "", "", 0
        self.live = sys.stderr.isatty()
        self.width = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def take(self, piece: Piece | Remark) -> None:
        """The next thing that is told."""
        from redline.handoff.writers.writer import Spent, Step, Words

        match piece:
            case Words(text):
                self.chars += len(text)
                self.what = "writing"
            case Spent():
                about = "" if piece.counted else "≈"
                self.figures = (
                    f"{about}{thousands(piece.input_tokens)} tokens in, "
                    f"{about}{thousands(piece.output_tokens)} out"
                )
            case Step(what, done, total):
                self._step(f"{what} {done + 1}/{total}" if total else what)
            case remark:
                self.clear()
                note(f"redline: {remark.text}")
                self.chars = 0 if remark.anew else self.chars
        self._draw_now_and_then()

    def tick(self, interrupted: threading.Event) -> bool:
        """Whether ctrl-c was pressed; asked so often that the seconds in the line move by it."""
        self._draw_now_and_then()
        return interrupted.is_set()

    def _draw_now_and_then(self) -> None:
        if self.live and time.monotonic() - self.drawn > _REDRAW:
            self._draw()

    def _step(self, what: str) -> None:
        if what.partition(" (")[0] == self.what.partition(" (")[0]:
            return
        self.what = what
        if not self.live and not what.startswith("waiting "):
            note(f"redline: {self.name}: {what}")

    def _draw(self) -> None:
        self.drawn = time.monotonic()
        parts = [self.name, safe(self.what), self.figures, f"{self.seconds:.0f} s"]
        line = " · ".join(filter(None, parts))[:78]
        sys.stderr.write(f"\r{line.ljust(self.width)}")
        sys.stderr.flush()
        self.width = len(line)

    def clear(self) -> None:
        """Takes the line away."""
        if self.width:
            sys.stderr.write(f"\r{' ' * self.width}\r")
            sys.stderr.flush()
            self.width = 0

    def done(self) -> None:
        """Says what it took."""
        self.clear()
        if self.figures:
            note(f"redline: {self.name}: {self.figures}, {self.seconds:.0f} s")


@contextmanager
def interrupts() -> Iterator[threading.Event]:
    """An event that ctrl-c sets, so that the work can be ended in order; a second one ends it at
    once. Outside the main thread nothing is changed."""
    pressed = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield pressed
        return

    def press(_number: int, _frame: object) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def _ended(ended: Cancelled, name: str, seconds: float) -> RedlineError:
    came = f"what had come from {name} is not kept"
    if ended.text.strip():
        note("redline: this had come so far:")
        note(ended.text.rstrip())
    else:
        came = "nothing had come yet"
    spent = ended.spent
    tokens = f", {spent.input_tokens + spent.output_tokens:,} tokens" if spent.input_tokens else ""
    return RedlineError(
        f"cancelled after {seconds:.0f} s{tokens}: {came}; nothing was written", status=130
    )
