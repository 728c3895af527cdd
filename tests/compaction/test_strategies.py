"""What holds for every strategy, whatever the session, the pins and the budget."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.compaction.effect import after, layers, plan_tokens
from redline.compaction.outline import answers
from redline.compaction.plan import STAYING, Action, Pins, Plan
from redline.compaction.saved import dump_plan, load_pins
from redline.compaction.strategies.registry import names, strategy
from redline.context.window import Window
from redline.errors import RedlineError
from redline.model import Kind, PartType, Session
from tests.compaction.windows import (
    SHAPES,
    long_sessions,
    pinned,
    propose,
    sessions,
    shaped,
    window_of,
)
from tests.sessions_in_memory import call as called
from tests.sessions_in_memory import reply, session, user

NAMES = st.sampled_from(names())
BUDGETS = st.sampled_from([0, 1, 50, 400, 3_000, 20_000, 10**6])


def check(plan: Plan, window: Window) -> None:
    """The invariants, told again without the code that enforces them."""
    context = window.session.context
    assert len(plan.actions) == len(plan.reasons) == len(plan.estimates) == len(context)
    assert all(plan.reasons)
    action = {
        (i, j): plan.action_of(i, j) for i, m in enumerate(context) for j in range(len(m.parts))
    }
    stays = {place for place, chosen in action.items() if chosen in STAYING}
    for call, places in plan.outline.results.items():
        assert {place in stays for place in (call, *places)} in ({True}, {False})
    assert not stays & set(plan.outline.orphans)
    for (i, j), chosen in action.items():
        part = context[i].parts[j]
        if part.type in (PartType.THINKING, PartType.OPAQUE):
            assert chosen in (Action.KEEP, Action.SUMMARISE, Action.DROP)
        if chosen is Action.QUOTE:
            assert part.kind is Kind.PROMPT
    kept = sorted({i for i, _ in stays})
    opened = set(plan.outline.open_calls)
    assert list(plan.staying) == kept or any(not m.parts for m in context)
    for i in reversed(kept):
        if any((i, j) in stays and (i, j) in opened for j in range(len(context[i].parts))):
            pytest.fail("a call without a result at the end")
        if any((i, j) in stays and not answers(p) for j, p in enumerate(context[i].parts)):
            break
    if plan.summary_at is not None:
        assert 0 <= plan.summary_at <= len(kept)
    tokens = plan_tokens(plan, window)
    assert tokens.before == window.used
    assert tokens.kept + tokens.cleared + tokens.summarised == tokens.before
    assert min(tokens.kept, tokens.cleared, tokens.summarised) >= 0
    gone = sum(window.parts[i][j] for (i, j), chosen in action.items() if chosen not in STAYING)
    assert tokens.summarised == gone
    bar = after(plan, window, 0)
    assert sum(bar.values()) == tokens.after_without_summary
    assert all(0 <= bar[category] <= window.categories[category] for category in bar)
    buffer, told, _ = layers(plan, window)
    assert buffer.tokens == tokens.kept - window.overhead
    assert buffer.count + told.count <= len(context)


@given(sessions, NAMES, BUDGETS)
def test_a_plan_holds_its_invariants(opened: Session, name: str, budget: int) -> None:
    window = window_of(opened)
    plan = propose(window, name, tail_tokens=budget)
    check(plan, window)
    if plan.cut is not None and plan.cut.index not in plan.outline.cuts:
        assert name in ("pi", "claude-code", "hermes", "hermes-legacy")  # their agents do
        assert plan.warnings
    if name == "redline" and opened.context and plan.outline.turn_starts:
        last = plan.outline.turn_starts[-1]
        for j, part in enumerate(opened.context[last].parts):
            if part.kind is Kind.PROMPT and not plan.warnings:
                assert plan.action_of(last, j) in (*STAYING, Action.QUOTE)


@given(long_sessions, NAMES, BUDGETS, st.sampled_from([None, 1_000, 60_000, 200_000]))
@settings(max_examples=60)
def test_a_plan_of_a_long_session_keeps_its_limits_or_says_that_it_cannot(
    opened: Session, name: str, budget: int, limit: int | None
) -> None:
    window = window_of(opened, limit=limit)
    plan = propose(window, name, tail_tokens=budget)
    check(plan, window)
    if limit is not None and plan_tokens(plan, window).after_without_summary >= limit:
        assert any("it would compact again at once" in warning for warning in plan.warnings)
    if plan.outline.turn_starts:
        last = plan.outline.turn_starts[-1]
        actions = {
            plan.action_of(last, j)
            for j, part in enumerate(opened.context[last].parts)
            if part.kind is Kind.PROMPT
        }
        told = any("last prompt" in warning for warning in plan.warnings)
        assert actions <= {*STAYING, Action.QUOTE} or told


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_session_gives_the_same_plan(name: str, shape: str) -> None:
    first, again = (propose(window_of(shaped(shape, 90, 7)), name) for _ in range(2))
    assert (first.actions, first.reasons, first.parts) == (
        again.actions,
        again.reasons,
        again.parts,
    )
    assert (first.summary_at, first.cut, first.warnings, first.details) == (
        again.summary_at,
        again.cut,
        again.warnings,
        again.details,
    )
    assert (first.estimates, first.stand_ins, first.left) == (
        again.estimates,
        again.stand_ins,
        again.left,
    )


@given(st.data(), sessions, NAMES, BUDGETS)
def test_pins_are_honoured_or_refused(
    data: st.DataObject, opened: Session, name: str, budget: int
) -> None:
    window = window_of(opened)
    pins = data.draw(pinned(opened))
    try:
        plan = propose(window, name, pins=pins, tail_tokens=budget)
    except RedlineError:
        return
    check(plan, window)
    index = plan.outline.index
    for message, action in pins.actions.items():
        i = index[message]
        assert i in plan.pinned
        members = plan.outline.members[plan.outline.group[i]]
        overridden = any((opened.context[m].id, j) in pins.parts for m in members for j in range(9))
        if not overridden:
            assert plan.actions[i].stays == action.stays
            if action not in (Action.CLEAR, Action.SHORTEN, Action.QUOTE):
                assert plan.actions[i] is action
            else:
                assert action in {plan.actions[member] for member in members}
    for (message, part), action in pins.parts.items():
        assert plan.action_of(index[message], part).stays == action.stays
    saved = load_pins(dump_plan(plan, window, pins), opened)
    again = propose_saved(window, saved)
    assert again.actions == plan.actions
    assert {k: again.action_of(*k) for k in again.parts} == {
        k: plan.action_of(*k) for k in again.parts
    }


def propose_saved(window: Window, saved: tuple[str, object, Pins]) -> Plan:
    from redline.compaction.strategies.strategy import StrategySettings

    name, settings, pins = saved
    assert isinstance(settings, StrategySettings)
    known = {k: v for k in settings.__slots__ if (v := getattr(settings, k)) is not None}
    return propose(window, name, pins=pins, **known)


@pytest.mark.parametrize("name", names())
def test_an_empty_context_gives_an_empty_plan(name: str) -> None:
    from tests.sessions_in_memory import session

    plan = propose(window_of(session()), name)
    assert plan.actions == ()
    assert plan.cut is None
    assert plan.summary_at is None


def test_an_unknown_strategy_is_named_with_those_that_exist() -> None:
    with pytest.raises(RedlineError) as error:
        strategy("forget")
    assert "forget" in error.value.message
    assert ", ".join(names()) in error.value.hint


@pytest.mark.parametrize("name", names())
def test_a_pin_that_names_nothing_is_refused_by_name(name: str) -> None:
    from tests.sessions_in_memory import session, user

    window = window_of(session(user("hello")))
    for pins in (
        Pins(cut="nowhere"),
        Pins(actions={"nowhere": Action.KEEP}),
        Pins(parts={("nowhere", 0): Action.KEEP}),
    ):
        with pytest.raises(RedlineError, match="nowhere"):
            propose(window, name, pins=pins)


def test_what_may_not_stay_is_dropped_where_nothing_is_retold() -> None:
    opened = session(user("go"), reply("I look."), called("Bash", {"command": "ls"}, call_id="a"))
    plan = propose(window_of(opened), "clear")
    assert plan.summary_at is None
    assert plan.actions[-1] is Action.DROP
    assert Action.SUMMARISE not in plan.actions
