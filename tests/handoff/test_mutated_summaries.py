"""Over thousands of summaries that were changed, nothing is certified that is not there."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from benchmarks.audit import OTHER_MEANING
from benchmarks.audit_case import FAITHFUL, Case
from benchmarks.audit_cases import cases

from redline.handoff.audit import AuditClass, Verdict


@cache
def _judged() -> tuple[tuple[Case, Verdict], ...]:
    return tuple((case, case.verdict()) for case in cases())


def test_no_mutated_summary_is_called_kept() -> None:
    mutated = [(case, verdict) for case, verdict in _judged() if not case.faithful]
    assert len(mutated) > 3_000
    wrong = [(case.operator, case.text, case.summary) for case, v in mutated if v is _KEPT]
    assert wrong == []


def test_every_faithful_summary_is_certified() -> None:
    faithful = [(case, verdict) for case, verdict in _judged() if case.faithful]
    assert len(faithful) > 800
    wrong = [(case.text, case.summary, v) for case, v in faithful if v is not _KEPT]
    assert wrong == []


def test_the_cases_cover_both_languages_and_every_operator_is_tried_often() -> None:
    often = Counter(case.operator for case, _ in _judged())
    assert min(often.values()) >= 40, often
    assert set(OTHER_MEANING) < set(often)
    assert sum(case.language == "zh" for case, _ in _judged()) > 1_000
    assert {case.cls for case, _ in _judged()} == set(AuditClass) - {AuditClass.FILE_REFERENCED}


@pytest.mark.parametrize(
    ("operator", "verdict"),
    [
        ("weakened", Verdict.WEAKENED),
        ("value", Verdict.CHANGED),
        ("negated", Verdict.CHANGED),
        ("older value", Verdict.CHANGED),
        ("taken back elsewhere", Verdict.CHANGED),
    ],
)
def test_what_was_done_to_a_rule_is_told_in_most_cases(operator: str, verdict: Verdict) -> None:
    found = [given for case, given in _judged() if case.operator == operator]
    assert found.count(verdict) >= 0.9 * len(found)


def test_the_operators_are_known() -> None:
    assert {case.operator for case, _ in _judged() if case.faithful} == {FAITHFUL}


_KEPT = Verdict.VERBATIM
