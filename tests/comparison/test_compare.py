"""The strategies side by side."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from redline.compaction.plan import Action
from redline.compaction.strategies import registry
from redline.compaction.strategies.registry import names
from redline.comparison import compare as comparing
from redline.comparison.compare import Comparison, Row, compare, compared, taken
from redline.errors import RedlineError
from redline.review import Review
from redline.settings import Settings
from tests.comparison.test_staying import review_of
from tests.sessions_in_memory import call, ran, reply, result, session, together, user

NOW = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def review() -> Review:
    turns = [
        (user(f"Step {n}."), ran("pytest -q", "x " * 900, call_id=str(n)), reply("Done."))
        for n in range(12)
    ]
    return review_of(session(*(piece for turn in turns for piece in turn), model="claude-opus-4-8"))


def test_there_is_a_row_for_every_strategy_with_all_its_figures(review: Review) -> None:
    found = compare(review, NOW, Settings())
    assert tuple(row.strategy for row in found.rows) == names()
    assert found.whole
    for row in found.rows:
        made = taken(review, row.strategy)
        assert row.plan == made.plan
        assert row.tokens == made.tokens()
        assert row.after == made.bar_after()
        assert row.cost == made.cost(NOW, Settings())
        assert row.counts is not None
        assert sum(row.counts.values()) == len(review.outline.messages)
        assert row.about
        assert row.stays is not None


def test_rows_come_one_by_one_and_only_the_last_is_whole(review: Review) -> None:
    steps = list(compared(review, NOW, Settings()))
    assert [len(step.rows) for step in steps[:-1]] == list(range(1, len(names()) + 1))
    assert [step.whole for step in steps] == [False] * len(names()) + [True]


def test_a_cancelled_comparison_ends_without_being_whole(review: Review) -> None:
    asked = iter([False, False, True])
    steps = list(compared(review, NOW, Settings(), cancelled=lambda: next(asked, True)))
    assert len(steps) == 2
    assert not any(step.whole for step in steps)


def test_the_reviews_own_plan_stands_as_it_is_with_its_cut(review: Review) -> None:
    moved = review.cut_by_turn(-1)
    rows = {row.strategy: row for row in compare(moved, NOW, Settings()).rows}
    assert rows[moved.strategy].plan == moved.plan
    assert rows["pi"].plan == moved.use_strategy("pi").plan


def test_a_tail_is_a_budget_for_all(review: Review) -> None:
    for row in compare(review, NOW, Settings(), strategies=["redline", "pi"], tail=50).rows:
        assert row.plan is not None
        assert row.plan.settings["tail_tokens"] == 50


def test_messages_differ_where_the_plans_do(review: Review) -> None:
    found = compare(review, NOW, Settings(), strategies=["redline", "pi"])
    differing = set(found.differing())
    for message in range(len(review.outline.messages)):
        parts = range(len(review.outline.messages[message].parts))
        one, other = (
            [row.plan.action_of(message, part) for part in parts]
            for row in found.rows
            if row.plan is not None
        )
        alike = one == other and len(set(found.actions(message))) == 1
        assert (message in differing) != alike
    assert not compare(review, NOW, Settings(), strategies=["redline"]).differing()


def test_messages_differ_too_where_only_a_part_does() -> None:
    two = together(call("Read", {}, call_id="a"), call("Read", {}, call_id="b"))
    both = together(result("x", call_id="a"), result("y", call_id="b"))
    review = review_of(session(user("Go."), two, both, reply("Done.")))
    kept = review.pin([message.id for message in review.outline.messages], Action.KEEP)
    other = kept.pin_part("m3", 0, Action.CLEAR)
    rows = (Row("one", plan=kept.plan), Row("other", plan=other.plan))
    assert kept.plan.actions == other.plan.actions
    assert Comparison(review.window, "one", rows).differing() == (2,)


class Broken:
    name = "broken"
    about = "fails"

    def triggers(self, *given: object) -> tuple[()]:
        return ()

    def propose(self, *given: object) -> None:
        raise KeyError("no such thing")


class Silent(Broken):
    def triggers(self, *given: object) -> tuple[()]:
        raise AssertionError


class Refusing(Broken):
    def propose(self, *given: object) -> None:
        raise RedlineError("a pin cannot be honoured")


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (Broken(), "it fails: 'no such thing' is not where it was looked for"),
        (Silent(), "it fails: it does not say why"),
        (Refusing(), "a pin cannot be honoured"),
    ],
)
def test_a_strategy_that_makes_no_plan_costs_its_own_row_only(
    review: Review, monkeypatch: pytest.MonkeyPatch, broken: Broken, words: str
) -> None:
    known = registry.strategy

    def found(name: str) -> object:
        return broken if name == "broken" else known(name)

    monkeypatch.setattr(comparing, "strategy", found)
    monkeypatch.setattr("redline.review.strategy", found)
    answer = compare(review, NOW, Settings(), strategies=["broken", "pi"])
    first, second = answer.rows
    assert first.why_not.endswith(words)
    assert first.plan is None
    assert second.plan is not None
    assert second.stays is not None
    assert answer.planned == (second,)


def test_the_last_step_is_the_comparison(review: Review) -> None:
    *_, last = compared(review, NOW, Settings())
    assert last == compare(review, NOW, Settings())
