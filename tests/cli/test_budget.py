"""`redline handoff --budget`."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Run


def test_a_budget_in_characters_bounds_what_is_written(run: Run, shop: str) -> None:
    whole = run("handoff", shop, "-o", "-").out
    small = run("handoff", shop, "-o", "-", "--budget", "900c").out
    assert len(small) <= 900 < len(whole)
    assert small.startswith("# Handoff (schema 1.0, brief)\n## Rules")


def test_a_budget_in_tokens_or_a_share_bounds_it_too(run: Run, shop: str) -> None:
    one, other = (run("handoff", shop, "-o", "-", "--budget", size).out for size in ("400", "0.3%"))
    assert len(one) < 2_000
    assert len(other) < 2_500


def test_rules_that_had_no_room_are_told_and_nothing_stands_in_their_place(
    run: Run, shop: str
) -> None:
    answer = run("handoff", shop, "-o", "-", "--budget", "60c")
    assert answer.status == 0
    assert "left out: the budget has no room" in answer.err
    assert {line for line in answer.out.split("\n") if line[:2] == "##"} <= {
        "## Rules",
        "## Rules found",
    }
    assert "left out" not in run("handoff", shop, "-o", "-", "--budget", "20000c").err


@pytest.mark.parametrize("size", ["0", "120%", "lots"])
def test_what_is_no_size_is_wrong_use(run: Run, shop: str, size: str) -> None:
    answer = run("handoff", shop, "--budget", size)
    assert answer.status == 2
    assert "8k, 20% or 4000c was expected" in answer.err
