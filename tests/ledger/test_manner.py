"""How a sentence is said is seen by its own words."""

from __future__ import annotations

import pytest

from redline.ledger.manner import manner


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("Which port is it?", "asks"),
        ("端口是多少？", "asks"),
        ("return total(amount, rate)", "is_code"),
        ("I like it short", "of_oneself"),
        ("make it 240px", "points"),
        ("I think the cache is too big", "doubts"),
        ("please fix the parser", "work"),
        ("then look at src/main.rs", "once"),
        ("raw SQL is okay here", "allows"),
        ("超时是 5 秒", "chinese"),
    ],
)
def test_a_sentence_is_said_so(text: str, how: str) -> None:
    assert getattr(manner(text), how)
    assert not getattr(manner("The cache holds 50 items."), how)
