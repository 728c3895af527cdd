"""Tasks over made-up sessions, and writers and askers that say what they are told to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from redline.compaction.plan import Plan
from redline.errors import RedlineError
from redline.facts.extract import extract
from redline.handoff.budget import Budget
from redline.handoff.writers.asking import Prompt
from redline.handoff.writers.templates import template
from redline.handoff.writers.writer import Piece, Spent, SummaryForm, Task, Words
from redline.handoff.writers.writing import Care, Remark, Written, write
from redline.ledger.rule import Ledger
from redline.model import Session
from tests.sessions_in_memory import ran, reply, session, user

GOOD = template("example-handoff").text


def shop() -> Session:
    """Two turns: one finished with a commit, one open."""
    return session(
        user(
            "Make the export of invoices survive a restart of the worker. Never touch src/legacy."
        ),
        reply("I will keep the jobs on disk."),
        *ran("git commit -m 'Keep jobs on disk'", "[main 1a2b3c4] Keep jobs on disk", call_id="a"),
        reply("Jobs are kept on disk now."),
        user(
            "Good. Now split exports over two gigabytes, please; the tests of the queue must pass."
        ),
        *ran("pytest tests/queue", "E   TimeoutError: export of 2 GB", status=1, call_id="b"),
        reply("The large export still times out. " + "I looked at the code of the export. " * 60),
    )


def task_of(
    made: Session,
    *,
    plan: Plan | None = None,
    focus: str = "",
    previous: str = "",
    budget: Budget | None = None,
    form: SummaryForm = SummaryForm.HANDOFF,
    ledger: Ledger | None = None,
) -> Task:
    return Task(made, plan, extract(made), ledger or Ledger(), focus, previous, budget, form)


@dataclass
class Scripted:
    """A writer that gives one script after the other: pieces, or a failure to raise."""

    scripts: list[Iterable[Piece | str | RedlineError]]
    name: str = "scripted"
    tasks: list[Task] = field(default_factory=list)

    def pieces(self, task: Task, cancelled: Callable[[], bool]) -> Iterator[Piece]:
        self.tasks.append(task)
        for piece in self.scripts.pop(0):
            if isinstance(piece, RedlineError):
                raise piece
            yield Words(piece) if isinstance(piece, str) else piece


@dataclass
class Echo:
    """An asker that keeps what it was asked and answers by a function of the prompt."""

    answer: Callable[[Prompt], str] = lambda _prompt: GOOD
    window: int | None = 100_000
    prompts: list[Prompt] = field(default_factory=list)

    def tokens(self, text: str) -> int:
        return -(-len(text) // 4)

    def ask(self, prompt: Prompt, cancelled: Callable[[], bool]) -> Iterator[Words | Spent]:
        self.prompts.append(prompt)
        yield Words(self.answer(prompt))


def never() -> bool:
    return False


def written(
    task: Task, writer: object, care: Care | None = None
) -> tuple[Written, list[Piece | Remark]]:
    """What comes of a task, and all that was told meanwhile."""
    told: list[Piece | Remark] = []
    made = write(task, writer, cancelled=never, told=told.append, care=care)  # type: ignore[arg-type]
    return made, told
