"""How long a handoff may be, as a person asks for it."""

from __future__ import annotations

import pytest

from redline.handoff.budget import Budget, Size, Unit, budget_of, size_of
from redline.settings import Settings
from tests.sessions_in_memory import session, user


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("8k", Size(8_000, Unit.TOKENS)),
        (" 8,000 ", Size(8_000, Unit.TOKENS)),
        ("20%", Size(20, Unit.SHARE)),
        ("12.5%", Size(12.5, Unit.SHARE)),
        ("4000c", Size(4_000, Unit.CHARACTERS)),
        ("4_000C", Size(4_000, Unit.CHARACTERS)),
    ],
)
def test_a_size_is_tokens_a_share_or_characters(text: str, size: Size) -> None:
    assert size_of(text) == size


@pytest.mark.parametrize("text", ["", "0", "0%", "101%", "-4", "8kc", "lots", "nan%", "%", "c"])
def test_what_is_no_size_is_none(text: str) -> None:
    assert size_of(text) is None


def test_a_budget_holds_a_text_up_to_its_limit() -> None:
    assert Budget(4).holds("four")
    assert not Budget(3).holds("four")


def test_a_share_is_one_of_the_tokens_of_the_context() -> None:
    size = Size(20, Unit.SHARE)
    budget = budget_of(size, session(user("Fix it")), Settings(), {}, used=1_000)
    assert budget.limit == 200
    assert budget.holds("word " * 150)
    assert not budget.holds("word " * 250)
    assert budget_of(size, session(user("Fix it")), Settings(), {}, used=1).limit == 1


def test_characters_are_counted_as_such() -> None:
    size = Size(7, Unit.CHARACTERS)
    budget = budget_of(size, session(user("Fix it")), Settings(), {}, used=1_000)
    assert budget.holds("1234567")
    assert not budget.holds("12345678")
