"""Answers that are no summaries."""

from __future__ import annotations

import pytest

from redline.handoff.writers.answer import read_answer
from redline.handoff.writers.failure import FailureKind
from redline.handoff.writers.sanity import fault_of
from redline.handoff.writers.templates import template
from redline.handoff.writers.writer import SummaryForm
from tests.handoff.writers.tasks import GOOD


def kind(text: str, *, replaced: int = 100_000) -> FailureKind | None:
    form = SummaryForm.HANDOFF
    fault = fault_of(text, read_answer(text, form), form, replaced=replaced)
    return fault.kind if fault else None


@pytest.mark.parametrize("form", list(SummaryForm))
def test_the_examples_are_summaries(form: SummaryForm) -> None:
    text = template(f"example-{form.value}").text
    assert fault_of(text, read_answer(text, form), form, replaced=100_000) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", FailureKind.EMPTY),
        (" \n\t", FailureKind.EMPTY),
        ("<think>I should look at it", FailureKind.EMPTY),
        ("That's great that you've already had a guided tour! What next?", FailureKind.ANSWERED),
        ("I'll fix the export now. Let me look at the file first.", FailureKind.ANSWERED),
        ('{"name": "Bash", "arguments": {"command": "ls"}}', FailureKind.ANSWERED),
        ("<function_calls>\n<invoke name='Bash'>", FailureKind.ANSWERED),
        ("好的，我来修复这个问题。", FailureKind.ANSWERED),
        ("您需要我继续吗？", FailureKind.ANSWERED),
        ("I'm sorry, but I can't help with that.", FailureKind.REFUSED),
        ("I am unable to summarize this conversation.", FailureKind.REFUSED),
        ("抱歉，我无法协助处理这个请求。", FailureKind.REFUSED),
        ("The export is slow because of the disk.", FailureKind.UNREADABLE),
        ("asdf qwer " * 500, FailureKind.UNREADABLE),
        (GOOD.replace("## Next steps", "## Later"), FailureKind.MISSING),
        (GOOD.replace("Make the export of invoices survive a restart of the worker.", ""),
         FailureKind.MISSING),
        ("## Goal\nShip it", FailureKind.MISSING),
        (GOOD + "- and more\n" * 1_000, None),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_answer_is_seen(text: str, expected: FailureKind | None) -> None:
    assert kind(text) is expected


def test_an_answer_longer_than_what_it_stands_for_is_too_long() -> None:
    assert kind(GOOD + "- and more\n" * 1_000, replaced=9_000) is FailureKind.TOO_LONG
    assert kind(GOOD, replaced=10) is None


def test_what_is_told_of_a_fault_names_the_missing_sections() -> None:
    text = "## Goal\nShip it\n## Done\nNone.\n"
    form = SummaryForm.HANDOFF
    fault = fault_of(text, read_answer(text, form), form, replaced=100_000)
    assert fault is not None
    assert "Current state, Next steps" in fault.told
    assert "Done" not in fault.told
