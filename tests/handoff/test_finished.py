"""Next steps that the session shows as finished are marked with what shows it, others are not."""

from __future__ import annotations

import pytest

from redline.facts.fact import CommandFact, CommitFact, Facts, FileFact, FileUse, TodoFact
from redline.handoff.finished import finished_steps, with_marks, without_mark
from redline.handoff.handoff import Handoff

_FACTS = Facts(
    files=(
        FileFact("/home/dev/shop/docs/retries.md", FileUse.CHANGED, "m1"),
        FileFact("src/cart.py", FileUse.READ, "m1"),
    ),
    commits=(CommitFact("abc1234", "Round the totals of the cart to cents", "m2"),),
    commands=(
        CommandFact("pytest -q tests/test_cart.py", "m0", status=1, failed=True),
        CommandFact("pytest -q tests/test_cart.py", "m3", status=0),
        CommandFact("npm run lint", "m4", status=2, failed=True),
        CommandFact("make deploy | tee out", "m5", status=0),
    ),
    todos=(
        TodoFact("Rename price to unit_price in src/cart.py", "completed", "m6"),
        TodoFact("给导出接口加上分页参数", "completed", "m6"),
        TodoFact("Write the release notes", "in_progress", "m6"),
    ),
)


def _finished(*steps: str, done: tuple[str, ...] = ()) -> list[str]:
    given = Handoff(next_plan=steps, done=done)
    return [item.step for item in finished_steps(given, _FACTS)]


@pytest.mark.parametrize(
    "step",
    [
        "Rename price to unit_price in src/cart.py",
        "rename `price` to `unit_price` in src/cart.py.".replace("`price`", "price"),
        "给导出接口加上分页参数。",
        "Run `pytest -q tests/test_cart.py`",
        "运行 pytest -q tests/test_cart.py",
        "Round the totals of the cart to cents",
        "Commit abc1234def",
        "Create docs/retries.md",
        "Write the new file `docs/retries.md`",
        "Add the missing index on orders.customer_id",
    ],
)
def test_a_step_that_is_finished_is_found(step: str) -> None:
    assert _finished(step, done=("added the missing index on orders.customer_id",)) == [step]


@pytest.mark.parametrize(
    "step",
    [
        "Rename price to unit_price in src/order.py",  # another file
        "Rename price to net_price in src/cart.py",  # another name
        "给导入接口加上分页参数",  # another thing
        "Run `pytest -q tests/test_cart.py` again after the rebase",
        "Run `pytest -q tests/test_order.py`",
        "Run `npm run lint`",  # it failed
        "Run `make deploy | tee out`",  # the status is tee's
        "Write the release notes",  # in progress
        "Create docs/rounding.md",
        "Create src/cart.py",  # was only read
        "Test that the totals of the cart are rounded",
        "Commit the changes",
        "Add the missing index on orders.shop_id",
        "Deploy",
        "",
    ],
)
def test_a_step_that_is_open_or_of_something_else_is_not_found(step: str) -> None:
    assert _finished(step, done=("added the missing index on orders.customer_id",)) == []


def test_a_finished_step_stays_and_says_what_shows_it() -> None:
    given = Handoff(next_plan=("Deploy", "Create docs/retries.md\nwith the limits"))
    marked = with_marks(given, _FACTS)
    assert marked.next_plan == (
        "Deploy",
        "Create docs/retries.md (the session shows this as finished: "
        "/home/dev/shop/docs/retries.md was written)\nwith the limits",
    )
    assert with_marks(marked, _FACTS) == marked
    assert tuple(map(without_mark, marked.next_plan)) == given.next_plan


def test_a_mark_that_no_longer_holds_goes() -> None:
    given = Handoff(next_plan=("Create docs/retries.md",))
    assert with_marks(with_marks(given, _FACTS), Facts()) == given


def test_the_message_that_shows_it_is_named() -> None:
    given = Handoff(next_plan=("Run `pytest -q tests/test_cart.py`",))
    (found,) = finished_steps(given, _FACTS)
    assert (found.index, found.message) == (0, "m3")
