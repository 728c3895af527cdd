"""What holds for the plan of every strategy, whatever the session's form and size."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.compaction.layers import LayerName, layers_of
from redline.compaction.outline import outline
from redline.compaction.plan import STAYING, Action, Pins, Plan
from redline.compaction.strategies.registry import names, strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.context.window import Window
from redline.facts.extract import extract
from redline.ledger.detect import detect
from redline.model import Kind, Session
from tests.compaction.generated import SHAPES, made
from tests.compaction.test_strategies import check
from tests.compaction.windows import window_of

NAMES = names()
BUDGETS = (None, 1, 400, 5_000, 20_000)
each = pytest.mark.parametrize("name", NAMES)


def plan_of(opened: Session, name: str, budget: int | None = None) -> tuple[Plan, Window]:
    """The plan with everything made anew."""
    window = window_of(opened)
    plan = strategy(name).propose(
        window,
        outline(opened.context),
        extract(opened),
        detect(opened),
        StrategySettings(tail_tokens=budget),
        Pins(),
    )
    return plan, window


def check_all(plan: Plan, window: Window) -> None:
    check(plan, window)
    check_last_prompt(plan)
    check_budget(plan)
    check_layers(plan)


def check_last_prompt(plan: Plan) -> None:
    starts = plan.outline.turn_starts
    if not starts:
        return
    for place, part in enumerate(plan.outline.messages[starts[-1]].parts):
        if part.kind is Kind.PROMPT:
            action = plan.action_of(starts[-1], place)
            said = any("last prompt" in warning for warning in plan.warnings)
            assert action in STAYING or action is Action.QUOTE or said


def check_budget(plan: Plan) -> None:
    """The tail is within its budget (with what its agent allows over it), or the plan warns."""
    budget = plan.settings.get("tail_tokens")
    if plan.cut is None or not isinstance(budget, int) or plan.warnings:
        return
    first = plan.cut.index
    tail = [
        estimate
        for i, estimate in enumerate(plan.estimates[first:], first)
        if plan.actions[i] is Action.KEEP and not any(place[0] == i for place in plan.parts)
    ]
    assert sum(tail) <= 3 * budget // 2


def check_layers(plan: Plan) -> None:
    found = layers_of(plan)
    staying = set(plan.staying)
    for i, layer in enumerate(found):
        if plan.outline.messages[i].parts:
            assert (layer is LayerName.BUFFER) == (i in staying)
        if layer is LayerName.GONE:
            assert plan.actions[i] is Action.DROP or plan.parts


@each
@pytest.mark.parametrize("shape", SHAPES)
@given(size=st.integers(1, 60), number=st.integers(0, 10**6), budget=st.sampled_from(BUDGETS))
@settings(max_examples=6)
def test_every_plan_holds_for_sessions_of_every_shape(
    name: str, shape: str, size: int, number: int, budget: int | None
) -> None:
    check_all(*plan_of(made(shape, size, number), name, budget))


@each
def test_a_plan_of_one_message_holds(name: str) -> None:
    for shape in SHAPES:
        check_all(*plan_of(made(shape, 1, 0), name))


@each
@pytest.mark.parametrize("shape", ["everything mixed", "one giant turn"])
def test_a_plan_of_5000_messages_holds(name: str, shape: str) -> None:
    check_all(*plan_of(made(shape, 5_000, 1), name))


@each
@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 10**6))
@settings(max_examples=10)
def test_the_same_session_gives_the_same_plan(name: str, shape: str, number: int) -> None:
    first, _ = plan_of(made(shape, 40, number), name, 400)
    again, _ = plan_of(made(shape, 40, number), name, 400)
    assert first == again
