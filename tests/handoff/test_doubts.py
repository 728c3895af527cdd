from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.handoff.doubts import doubts


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("the ticket for the cart is CORE-118", "they split the cart ticket, ours is CORE-131"),
        ("requests to the geocoder time out after 10 s", "make that 4 s for the geocoder"),
        ("开关叫 use_new_cart", "开关改名为 cart_beta"),
    ],
)
def test_another_value_of_what_both_tell_of_is_in_doubt(older: str, newer: str) -> None:
    assert doubts([older, "The build takes 6 minutes", newer]) == {2: 0}


@pytest.mark.parametrize(
    "texts",
    [
        ["Priya owns the recommender", "the failing job is number 48213"],
        ["use tabs in go files", "squash the fixups before you hand over"],
        ["The logs are in /var/log/shop"],
        [],
    ],
)
def test_what_tells_of_other_things_is_not(texts: list[str]) -> None:
    assert doubts(texts) == {}


@given(st.lists(st.text(max_size=40), max_size=8))
def test_every_sentence_is_in_doubt_once_and_with_an_earlier_one(texts: list[str]) -> None:
    found = doubts(texts)
    assert all(older < newer for newer, older in found.items())
    assert len(set(found.values())) == len(found)
