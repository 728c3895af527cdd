"""`clear`: what it clears, what it leaves, and what it says of it."""

from __future__ import annotations

from redline.compaction.effect import plan_tokens
from redline.compaction.outline import outline
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.facts.fact import ErrorFact, Facts
from redline.ledger.rule import Ledger
from redline.model import PartState, Session
from tests.compaction.windows import propose, window_of
from tests.sessions_in_memory import call, ran, reply, result, session, summary, together, user


def work(count: int = 8, size: int = 900) -> Session:
    pairs = [ran("ls", "r" * size, call_id=f"c{i}") for i in range(count)]
    return session(summary("earlier"), user("go"), *pairs, reply("done"))


def with_facts(opened: Session, facts: Facts) -> Plan:
    return strategy("clear").propose(
        window_of(opened),
        outline(opened.context),
        facts,
        Ledger(),
        StrategySettings(keep_results=1),
        Pins(),
    )


def test_all_stays_but_the_bodies_of_old_results() -> None:
    plan = propose(window_of(work()), "clear", keep_results=3, clear_from=500)
    assert len(plan.staying) == len(plan.actions)
    assert [i for i, a in enumerate(plan.actions) if a is Action.CLEAR] == [3, 5, 7, 9, 11]
    assert plan.summary_at is None
    assert plan.cut is None
    assert not plan.warnings
    freed = plan_tokens(plan, window_of(work())).cleared
    assert plan.details == {"results_cleared": 5, "tokens_freed": freed}


def test_nothing_old_frees_nothing_live() -> None:
    cleared = [
        (
            call("Bash", {}, call_id=f"c{i}"),
            result("r" * 900, call_id=f"c{i}", state=PartState.CLEARED),
        )
        for i in range(9)
    ]
    for opened in (work(5), work(30, 20), session(user("go")), session(user("go"), *cleared)):
        plan = propose(window_of(opened), "clear")
        (warning,) = plan.warnings
        assert warning.startswith("frees nothing live")
        assert set(plan.actions) == {Action.KEEP}


def test_a_result_whose_error_is_open_stays_and_a_solved_one_does_not() -> None:
    error = ErrorFact("boom", "m4", call_id="c0")
    plan = with_facts(work(), Facts(errors=(error,)))
    assert plan.actions[3] is Action.KEEP
    assert plan.reasons[3] == "its error is still open"
    solved = ErrorFact("boom", "m4", call_id="c0", resolved="m9")
    assert with_facts(work(), Facts(errors=(solved,))).actions[3] is Action.CLEAR


def test_of_several_results_in_a_message_each_is_cleared_for_itself() -> None:
    opened = session(
        user("go"),
        together(*(call("Bash", {}, call_id=name) for name in "abc")),
        together(*(result(name * (9 if name == "b" else 900), call_id=name) for name in "abc")),
        *ran("ls", "r", call_id="z"),
    )
    error = ErrorFact("boom", "m3", call_id="a")
    plan = with_facts(opened, Facts(errors=(error,)))
    assert [plan.action_of(2, j) for j in range(3)] == [Action.KEEP, Action.KEEP, Action.CLEAR]


def test_a_pinned_cut_keeps_the_results_after_it() -> None:
    plan = propose(window_of(work()), "clear", pins=Pins(cut="m7"))
    assert [i for i, a in enumerate(plan.actions) if a is Action.CLEAR] == [3, 5]
