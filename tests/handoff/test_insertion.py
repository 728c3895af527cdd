from __future__ import annotations

import pytest

from redline.handoff.audit import AuditClass, AuditItem, Verdict
from redline.handoff.insertion import insert
from redline.handoff.markdown import parse

HANDOFF = "# Handoff\n\n## Goal\n\nRound totals\n\n## Mine\n\nkept as I wrote it\n"


def item(cls: AuditClass, text: str) -> AuditItem:
    return AuditItem(cls, text, Verdict.MISSING, "m1", required=True)


@pytest.mark.parametrize("cls", list(AuditClass))
def test_an_inserted_item_stands_in_the_handoff_and_nothing_else_goes(cls: AuditClass) -> None:
    text = "src/totals.py abc1234 #12"
    again = insert(HANDOFF, item(cls, text))
    assert text in again
    assert "kept as I wrote it" in again
    assert parse(again).goal == "Round totals"


def test_a_rule_that_must_hold_is_inserted_as_one_that_binds() -> None:
    again = insert(HANDOFF, item(AuditClass.RULE, "Never touch src/legacy"))
    assert [rule.confirmed for rule in parse(again).constraints] == [True]


def test_inserting_twice_changes_nothing_the_second_time() -> None:
    once = insert(HANDOFF, item(AuditClass.FILE_CHANGED, "src/totals.py"))
    assert insert(once, item(AuditClass.FILE_CHANGED, "src/totals.py")) == once


def test_a_secret_in_an_inserted_item_is_taken_out() -> None:
    secret = "sk-ant-api03-" + "A1b2" * 20
    again = insert(HANDOFF, item(AuditClass.USER_WORDS, f"use the key {secret} please"))
    assert secret not in again
    assert "please" in again
