from __future__ import annotations

import pytest

from redline.money import Rates, about, dollars


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (None, "?"),
        (0.0, "$0"),
        (0.004, "under $0.01"),
        (0.24, "$0.24"),
        (12.3, "$12.30"),
        (1240.4, "$1,240"),
    ],
)
def test_dollars_are_told_as_people_read_them(amount: float | None, text: str) -> None:
    assert dollars(amount) == text


def test_a_sum_of_estimates_says_so() -> None:
    assert [about(x) for x in (None, 0.0, 0.004, 0.24)] == ["?", "$0", "under $0.01", "about $0.24"]


def test_the_cache_costs_as_any_input_where_it_has_no_price_of_its_own() -> None:
    rates = Rates(2.0, 8.0)
    assert (rates.reading, rates.writing(), rates.writing(hour=True)) == (2.0, 2.0, 2.0)
    assert Rates(2.0, 8.0, 0.2, 0.0).writing() == 2.0
    assert Rates(2.0, 8.0, 0.0).reading == 0.0


def test_writing_for_an_hour_costs_twice_the_input_where_only_five_minutes_are_priced() -> None:
    assert Rates(2.0, 8.0, 0.2, 2.5).writing(hour=True) == pytest.approx(4.0)
    assert Rates(2.0, 8.0, 0.2, 2.5, 3.9).writing(hour=True) == 3.9
