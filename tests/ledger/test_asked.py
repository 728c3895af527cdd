"""What a sentence asks is one and the same for all its wordings. The pairs of a file's line and a
rule are in tests/targets/said_already.txt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.ledger.asked import (
    LONGEST,
    asked,
    asks_the_same,
    left_open,
    turned_around,
    values_apart,
)


@pytest.mark.parametrize(
    ("text", "against", "words"),
    [
        ("Never touch vendor/", True, "edit vendor"),
        ("vendor/ is off limits.", True, "edit vendor"),
        ("Please leave the vendor/ folder alone!", True, "edit vendor"),
        ("the file vendor/ must never be changed", True, "edit vendor"),
        ("Before you commit, run the tests", False, "run test befor commit"),
        ("Don't forget to run tests before each commit", False, "run test befor commit"),
        ("No force pushes", True, "forc push"),
        ("Do we ever touch vendor/?", False, ""),
        ("x" * (LONGEST + 1), False, ""),
        ("", False, ""),
    ],
)
def test_one_form_stands_for_all_wordings(text: str, against: bool, words: str) -> None:
    found = asked(text)
    assert (found.against, " ".join(found.words)) == (against, words)
    assert len(found.words) == len(found.said)


def test_what_is_allowed_or_need_not_be_is_neither_asked_nor_forbidden() -> None:
    for text in (
        "You may edit x.py",
        "You need not edit x.py",
        "可以改 x.py",
        "不用改 x.py",
        "不得不改 x.py",
    ):
        assert left_open(text), text
    for text in ("You may not edit x.py", "You can't edit x.py", "不可以改 x.py", "不允许改 x.py"):
        assert not left_open(text), text


def test_two_directions_of_one_sentence_are_two() -> None:
    assert turned_around("Users must not edit orders", "Orders must not edit users")
    assert not turned_around("Before committing, run the tests", "Run the tests before you commit")
    assert values_apart("Call foo before bar", "Call bar before foo") is None


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_compared_and_says_what_it_says(one: str, other: str) -> None:
    assert asks_the_same(one, other) == asks_the_same(other, one)
    assert values_apart(one, one) == ("", "")
