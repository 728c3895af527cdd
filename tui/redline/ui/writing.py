"""A writer at work beside the screen: what it has said so far, and how it is ended."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from redline.handoff.writers.writer import OFFLINE, Piece, Spent, Step, Words
from redline.text import safe
from redline.ui.items import Item
from redline.ui.marks import short

if TYPE_CHECKING:
    from redline.handoff.writers.writing import Remark, Written
    from redline.model import Session
    from redline.review import Review
    from redline.ui.surroundings import Surroundings

OTHER = "other"
COMMAND = "command:"


@dataclass(slots=True)
class Writing:
    """The writing of a handoff for `review` by the writer called `name`. `asked` says that a person
    asked for just this writing."""

    name: str
    review: Review
    place: Surroundings
    asked: bool = True
    clock: Callable[[], float] = time.monotonic
    began: float = field(init=False)
    _pieces: queue.SimpleQueue[Piece | Remark] = field(default_factory=queue.SimpleQueue)
    _cancelled: threading.Event = field(default_factory=threading.Event)
    _what: str = ""
    _spent: Spent | None = None

    def __post_init__(self) -> None:
        self.began = self.clock()

    def run(self) -> Written:
        """What the writer gives. Slow: not for the screen's own thread. Raises Cancelled, and
        RedlineError for a writer that is none."""
        from redline.handoff.writers.cooldown import Cooldowns
        from redline.handoff.writers.registry import writer_of
        from redline.handoff.writers.writing import Care, write

        place = self.place
        writer = writer_of(self.name, place.settings, place.environment)
        care = Care(Cooldowns(place.places.state), by_person=self.asked, now=place.now)
        return write(
            self.review.task(),
            writer,
            cancelled=self._cancelled.is_set,
            told=self._pieces.put,
            care=care,
        )

    def cancel(self) -> None:
        """Ends the writing as soon as the writer looks."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def news(self) -> News:
        """What came since the last call."""
        words: list[str] = []
        remarks: list[str] = []
        anew = False
        while True:
            try:
                piece = self._pieces.get_nowait()
            except queue.Empty:
                return News("".join(words), anew, tuple(remarks))
            match piece:
                case Words(text):
                    words.append(text)
                    self._what = "writing"
                case Step(what, done, total):
                    self._what = f"{what} {done + 1}/{total}" if total else what
                case Spent():
                    self._spent = piece
                case remark:
                    remarks.append(remark.text)
                    if remark.anew:
                        words, anew = [], True

    @property
    def told(self) -> str:
        """How it goes, in one line: what it does, its tokens, its seconds."""
        parts = [safe(self._what) or "starting"]
        if (spent := self._spent) is not None:
            about = "" if spent.counted else "~"
            parts.append(f"{about}{short(spent.input_tokens)} in, {short(spent.output_tokens)} out")
        return "  ".join((*parts, f"{self.clock() - self.began:.0f} s"))


@dataclass(frozen=True, slots=True)
class News:
    """`words` is what follows; with `anew` it stands in the place of all that had come."""

    words: str = ""
    anew: bool = False
    remarks: tuple[str, ...] = ()


def writer_choices(session: Session, current: str, usual: str) -> list[Item]:
    """The writers one can choose between; the key of each is its name."""
    from redline.handoff.writers.fork import FORK, can_fork

    choices = [_choice("From the session alone: at once, without a model", OFFLINE)]
    if can_fork(session):
        about = f"A fork of the session in {session.info.agent.value}, with all of its context"
        choices.append(_choice(about, FORK))
    for name, why in ((usual, "Named in the settings"), (current, "Chosen last")):
        if name not in {item.key for item in choices}:
            choices.append(_choice(why, name))
    about = "A model by its name, or `command: PROGRAM ARGS`"
    return [*choices, _choice(about, OTHER)]


def _choice(about: str, name: str) -> Item:
    return Item(about, word=short_name(name), key=name, lines=2)


def short_name(name: str) -> str:
    """The name of a writer as it fits into a line: of a command its program."""
    words = name.split()
    shown = safe(words[1].rpartition("/")[2] if words[0] == COMMAND and len(words) > 1 else name)
    return shown if len(shown) <= 20 else f"{shown[:17]}..."
