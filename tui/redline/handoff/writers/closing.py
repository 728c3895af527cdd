"""The end of a prompt: what is to be written, and what was wrong with the first answer."""

from __future__ import annotations

from redline.handoff.writers.language import language_of
from redline.handoff.writers.templates import template
from redline.handoff.writers.writer import Correction, SummaryForm, Task
from redline.text import one_line, plain

_WORDS = 900  # a summary has no more of them, unless a budget says so


def closing(task: Task, replaced: int) -> str:
    """The sections of the task's form, in the user's language, no longer than notes that stand for
    `replaced` characters may be."""
    return template(task.form.value).filled(
        language=language_of(prompt.text for prompt in task.facts.prompts),
        length=f"\nWrite at most about {_words(task, replaced)} words.\n",
        focus=_focus(task.focus),
    )


def corrected(correction: Correction | None, form: SummaryForm) -> str:
    """What a writer is told that is asked once more; "" for the first time."""
    if correction is None:
        return ""
    began = one_line(plain(correction.answer), 300)
    return template("correction").filled(
        problem=correction.problem,
        answer=f'It began: "{began}"\n' if began else "",
        example=template(f"example-{form.value}").text,
    )


def _focus(focus: str) -> str:
    words = " ".join(plain(focus).split())
    if not words:
        return ""
    return f"\nThe user says what matters next, give it the most room: {words}\n"


def _words(task: Task, replaced: int) -> int:
    """How many words the notes may have: fewer than what they stand for, half of a budget."""
    most = _WORDS
    if task.budget is not None:
        sample = "The worker resumes a job after a restart; the export in src/jobs.py is open. "
        a_word = task.budget.measure(sample * 10) / (10 * len(sample.split()))
        most = min(most, int(task.budget.limit / a_word / 2)) if a_word else most
    return max(60, min(most, replaced // 12))
