from __future__ import annotations

import pytest

from redline.amounts import tokens_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("20000", 20_000), ("20,000", 20_000), (" 20 K ", 20_000), ("1.5k", 1_500), ("1m", 1_000_000),
     ("2_000", 2_000), ("0", 0)],
)  # fmt: skip
def test_tokens_are_read_as_people_write_them(text: str, tokens: int) -> None:
    assert tokens_of(text) == tokens


@pytest.mark.parametrize("text", ["", "k", "-3", "ten", "1e400", "nan", "inf", "2k5", "9" * 30])
def test_what_is_no_number_of_tokens_is_none(text: str) -> None:
    assert tokens_of(text) is None
