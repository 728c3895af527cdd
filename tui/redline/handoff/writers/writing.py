"""A handoff written by a writer: streamed, checked, asked once more, completed without it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime

from redline.errors import RedlineError
from redline.handoff.budget import Budget
from redline.handoff.finished import Finished, finished_steps
from redline.handoff.handoff import Handoff
from redline.handoff.invented import Invented, Known
from redline.handoff.markdown import render
from redline.handoff.offline import by_budget
from redline.handoff.writers.answer import Prose, read_answer
from redline.handoff.writers.asking import POLL_SECONDS
from redline.handoff.writers.composing import composed
from redline.handoff.writers.cooldown import Cooldowns
from redline.handoff.writers.failure import Cancelled, Failure, FailureKind, WriterFailure
from redline.handoff.writers.forms import FORMS
from redline.handoff.writers.prompted import prompt_version
from redline.handoff.writers.record import replaced_by
from redline.handoff.writers.room import fitted_together
from redline.handoff.writers.sanity import fault_of
from redline.handoff.writers.summaries import summary_text
from redline.handoff.writers.writer import (
    OFFLINE,
    Correction,
    Piece,
    Spent,
    Step,
    SummaryForm,
    Task,
    Words,
    Writer,
    known_as,
)

WAITED_FOR = 30.0  # seconds that a provider may ask to wait before it is asked once more at once
_BEGINNING = 400  # characters of a first answer that its correction quotes


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a person should know of the writing, in plain words. `failure` is the fault it
    tells of. With `anew` what had come so far is void: the writer is asked again."""

    text: str
    failure: Failure | None = None
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """`handoff` is whole in any case. `complete` says that all prose the writer was asked for is
    its own; otherwise the offline writer filled in. `writer` is its name, `prompt` the versions of
    the prompts it was asked with. `summary` is the same in the form of an agent, where that was
    asked for. `invented` is what of its Markdown stands nowhere in the session, `finished` the next
    steps that the session shows as finished, `used` whether any of it is the writer's."""

    handoff: Handoff
    remarks: tuple[Remark, ...] = ()
    writer: str = OFFLINE
    spent: Spent = field(default_factory=Spent)
    complete: bool = True
    prompt: str = ""
    summary: str = ""
    invented: tuple[Invented, ...] = ()
    finished: tuple[Finished, ...] = ()
    used: bool = True


@dataclass(frozen=True, slots=True)
class Care:
    """How a writer that fails is treated. `by_person` says that somebody asked for this writing;
    what is tried by itself keeps to the cooldowns. `now` and `pause` are the clock."""

    cooldowns: Cooldowns | None = None
    by_person: bool = True
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    pause: Callable[[float], None] = time.sleep


def write(
    task: Task,
    writer: Writer,
    *,
    cancelled: Callable[[], bool],
    told: Callable[[Piece | Remark], None],
    care: Care | None = None,
) -> Written:
    """The handoff of `task` by `writer`. `told` gets every piece as it comes.

    Raises Cancelled where `cancelled` says so. A failure of the writer is a remark, never an error:
    it is asked once more where that can help, and what it does not give comes from the session.
    """
    if writer.name == OFFLINE:
        handoff = _offline(task)(task.budget)
        return Written(handoff, summary=_summary(task, handoff, Prose()))
    attempts = _Attempts(task, writer, cancelled, told, care or Care())
    prose = attempts.prose()
    handoff = _fitted(task, prose)
    return Written(
        handoff,
        tuple(attempts.remarks),
        writer.name,
        attempts.spent,
        attempts.complete,
        prompt_version(task.form),
        _summary(task, handoff, prose),
        _invented(task, handoff, attempts.care.now().date()),
        finished_steps(handoff, task.facts),
        bool(prose.found),
    )


def _invented(task: Task, handoff: Handoff, today: date) -> tuple[Invented, ...]:
    """What of `handoff` stands neither in the session nor in what a person gave."""
    given = [task.focus, task.previous, *(rule.text for rule in task.ledger.rules)]
    return Known(task.session, also=given, today=today).invented(render(handoff))


def _offline(task: Task) -> Callable[[Budget | None], Handoff]:
    return by_budget(
        task.session,
        task.plan,
        task.facts,
        task.ledger,
        focus=task.focus,
        previous=task.previous,
    )


def _fitted(task: Task, prose: Prose) -> Handoff:
    """Both together within the budget."""
    budget, facts = task.budget, task.facts
    offline = _offline(task)
    alone = offline(budget)
    if budget is None:
        return composed(alone, prose, facts)
    return fitted_together(
        alone,
        prose,
        budget,
        offline,
        lambda base, less: composed(base, less, facts),
    )


def _summary(task: Task, handoff: Handoff, prose: Prose) -> str:
    if task.form is SummaryForm.HANDOFF:
        return ""
    return summary_text(handoff, task.form, prose.sections)


class _Attempts:
    """At most two ways of asking, and what came of them."""

    def __init__(
        self,
        task: Task,
        writer: Writer,
        cancelled: Callable[[], bool],
        told: Callable[[Piece | Remark], None],
        care: Care,
    ) -> None:
        self.task, self.writer, self.care = task, writer, care
        self.cancelled, self.told = cancelled, told
        self.remarks: list[Remark] = []
        self.spent = Spent(counted=True)
        self.text = ""
        self.complete = False

    def prose(self) -> Prose:
        """What the writer gave that can be used."""
        name = self.writer.name
        if (resting := self._resting()) is not None:
            self._remark(f"{resting}; the handoff was written without it", resting)
            return Prose()
        fault = self._tried(self.task)
        if fault is not None and (again := self._again(fault)) is not None:
            fault = self._tried(again)
        self._note_down(fault)
        prose = read_answer(self.text, self.task.form)
        if fault is None:
            self.complete = True
            return prose
        kept = _usable(prose, fault, self.task.form)
        left = "what it did not give" if kept.found else "the handoff"
        self._remark(
            f"{known_as(name)}: {fault}. Instead, {left} comes from the offline writer", fault
        )
        return kept

    def _resting(self) -> Failure | None:
        """Why the writer is not asked now."""
        cooldowns, care = self.care.cooldowns, self.care
        if cooldowns is None:
            return None
        try:
            return cooldowns.rest(self.writer.name, care.now(), by_person=care.by_person)
        except RedlineError:
            return None  # the same is said where it cannot be noted down either

    def _note_down(self, fault: Failure | None) -> None:
        """Notes how the writer stands; a state folder that cannot be written costs no handoff."""
        cooldowns, care = self.care.cooldowns, self.care
        if cooldowns is None:
            return
        try:
            if fault is None:
                cooldowns.worked(self.writer.name)
            else:
                cooldowns.failed(self.writer.name, fault, care.now())
        except RedlineError as error:
            self._remark(f"how the writer stands could not be noted: {error.message}")

    def _tried(self, task: Task) -> Failure | None:
        """Asks once; gives what is wrong with the answer, which is then in `text`."""
        self.text = ""
        pieces: list[str] = []
        before, now = self.spent, Spent(counted=True)
        try:
            for piece in self.writer.pieces(task, self.cancelled):
                match piece:
                    case Words(text):
                        pieces.append(text)
                        self.told(piece)
                    case Spent():
                        now = piece
                        self.told(before + now)
                    case Step():
                        self.told(piece)
                if self.cancelled():
                    raise Cancelled
        except Cancelled as ended:
            raise Cancelled("".join(pieces), before + now) from ended
        except WriterFailure as failed:
            return failed.failure
        except RedlineError as error:
            return Failure(FailureKind.PROGRAM, error.message, error.hint)
        finally:
            self.text = "".join(pieces)
            self.spent = before + now
        prose = read_answer(self.text, task.form)
        size = replaced_by(task.session, task.plan, task.previous)
        return fault_of(self.text, prose, task.form, replaced=size)

    def _again(self, fault: Failure) -> Task | None:
        """The task to ask once more with, None where that cannot help."""
        name = known_as(self.writer.name)
        if fault.asked_again:
            return None
        if fault.kind.correctable:
            self._remark(f"{name}: {fault.message}; asking once more", fault, anew=True)
            correction = Correction(fault.told or fault.message, self.text[:_BEGINNING])
            return replace(self.task, correction=correction)
        if fault.kind.repeatable:
            self._remark(f"{name}: {fault.message}; trying once more", fault, anew=True)
            return self.task
        if fault.retry_after is not None and fault.retry_after <= WAITED_FOR:
            self._remark(f"{name}: {fault.message}; waiting", fault, anew=True)
            self._wait(fault.retry_after)
            return self.task
        return None

    def _wait(self, seconds: float) -> None:
        until = self.care.now().timestamp() + seconds
        while (left := until - self.care.now().timestamp()) > 0:
            if self.cancelled():
                raise Cancelled("", self.spent)
            self.told(Step(f"waiting {left:.0f} s, as the provider asks"))
            self.care.pause(min(left, POLL_SECONDS * 10))

    def _remark(self, text: str, failure: Failure | None = None, *, anew: bool = False) -> None:
        remark = Remark(text, failure, anew)
        self.remarks.append(remark)
        self.told(remark)


def _usable(prose: Prose, fault: Failure, form: SummaryForm) -> Prose:
    """The sections of a faulty answer that are whole: all that are there where only some are
    missing, all but the last where it was cut off, none otherwise."""
    order = [asked.field for asked in FORMS[form]]
    if fault.kind is FailureKind.MISSING:
        return prose
    if fault.kind is not FailureKind.CUT_OFF:
        return Prose()
    there = [name for name in order if name in prose.found]
    return prose.without(there[-1]) if there else Prose()
