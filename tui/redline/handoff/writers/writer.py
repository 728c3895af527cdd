"""What a writer is given and what it yields: the one protocol of every program that can write the
prose of a handoff."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from redline.compaction.plan import Plan
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger
from redline.model import Session

if TYPE_CHECKING:
    from redline.handoff.budget import Budget

OFFLINE = "offline"
COMMAND = "command:"


def known_as(name: str) -> str:
    """A writer's name in a sentence: of a command its program, not its path or its arguments."""
    command = name.strip().removeprefix(COMMAND)
    if command == name.strip():
        return command
    try:
        program = shlex.split(command)[0]
    except (ValueError, IndexError):
        return COMMAND.rstrip(":")
    return program.rstrip("/").rpartition("/")[2] or program


class SummaryForm(StrEnum):
    """Which sections are asked for: those of redline's handoff, or of an agent's own summary."""

    HANDOFF = "handoff"
    CLAUDE_CODE = "claude-code"
    PI = "pi"
    HERMES = "hermes"


@dataclass(frozen=True, slots=True)
class Correction:
    """What was wrong with a writer's first answer, in words that it is told, and how that answer
    began."""

    problem: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be written. `plan` None: nothing of the context is kept. `previous` is an earlier
    handoff or summary to update ("": the one the session holds, if any). `correction` is set where
    a writer is asked once more."""

    session: Session
    plan: Plan | None
    facts: Facts
    ledger: Ledger
    focus: str = ""
    previous: str = ""
    budget: Budget | None = None
    form: SummaryForm = SummaryForm.HANDOFF
    correction: Correction | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """The next piece of the answer, raw. Together they are the whole answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """What the writer is doing now; `done` of `total` where that can be counted, else 0 of 0."""

    what: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens of this writer's work so far, all its requests together. `counted` says that the
    provider told them; otherwise they are estimated."""

    input_tokens: int = 0
    output_tokens: int = 0
    counted: bool = False

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.counted and other.counted,
        )


Piece = Words | Step | Spent


class Writer(Protocol):
    """Writes the sections of a form as Markdown. `name` is what a person chose it by."""

    @property
    def name(self) -> str: ...

    def pieces(self, task: Task, cancelled: Callable[[], bool]) -> Iterator[Piece]:
        """The answer as it comes, ending when it is whole.

        `cancelled` is asked at least every 0.2 seconds, also while nothing comes; when it says yes
        the work is ended on the other side too, and Cancelled is raised. Raises WriterFailure where
        no whole answer comes. Closing the iterator ends the work as well.
        """
        ...
