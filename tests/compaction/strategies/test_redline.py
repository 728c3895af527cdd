from __future__ import annotations

from dataclasses import replace

from redline.compaction.effect import plan_tokens
from redline.compaction.plan import Action, Pins
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState
from redline.model import Role
from tests.compaction.windows import propose, window_of
from tests.sessions_in_memory import injected, ran, reply, session, summary, together, user


def test_one_prompt_and_120_pairs_are_cut_inside_the_turn_between_two_pairs() -> None:
    opened = session(
        user("do it all"), *(d for i in range(120) for d in ran("x", "y" * 900, call_id=f"c{i}"))
    )
    plan = propose(window_of(opened), tail_tokens=20_000)
    assert plan.cut is not None
    assert plan.cut.index > 1
    assert plan.cut.splits_turn
    assert plan.outline.purpose[plan.cut.index] == "tool_call"
    assert plan.actions[0] is Action.QUOTE
    assert not plan.warnings
    kept = plan_tokens(plan, window_of(opened)).kept - 700
    assert 18_000 < kept <= 20_000


def test_one_message_that_fills_the_tail_alone_is_named() -> None:
    opened = session(user("go"), reply("ok"), user("look"), reply("yes"), injected("x" * 90_000))
    plan = propose(window_of(opened), tail_tokens=2_000)
    (warning,) = plan.warnings
    assert warning.startswith("the tail is larger than its 2000 tokens: message 4 alone has ")
    for pins in (Pins(cut="m3"), Pins(actions={"m5": Action.DROP})):
        assert not propose(window_of(opened), pins=pins, tail_tokens=2_000).warnings


def test_the_tail_starts_with_a_turn_where_one_fills_enough_of_it() -> None:
    turns = [(user("w" * 100), reply("r" * 900)) for _ in range(10)]
    plan = propose(window_of(session(*(d for turn in turns for d in turn))), tail_tokens=2_500)
    assert plan.cut is not None
    assert plan.cut.index == 16
    assert not plan.cut.splits_turn


def test_what_leaves_is_quoted_dropped_or_summarised_by_what_it_is() -> None:
    opened = session(
        summary("earlier"),
        injected("<reminder>"),
        user("Never touch src/legacy"),
        *ran("ls", "x" * 100, call_id="a"),
        reply("r" * 300),
        user("go on"),
        reply("done"),
    )
    rule = Rule("r1", "Never touch src/legacy", RuleFamily.PROHIBIT, RuleState.ACTIVE, message="m3")
    plan = propose(window_of(opened), ledger=Ledger((rule,)), tail_tokens=20)
    told = list(zip(map(str, plan.actions), plan.reasons, strict=True))
    assert told == [
        ("summarise", "the agent's previous summary"),
        ("drop", "put in by the agent"),
        ("quote", "your words, an active rule"),
        ("summarise", "before the cut"),
        ("summarise", "old result"),
        ("summarise", "before the cut"),
        ("keep", "in the tail"),
        ("keep", "in the tail"),
    ]
    assert plan.summary_at == 0


def test_large_old_results_in_the_tail_are_cleared_but_the_last_few_stay() -> None:
    pairs = [ran("cat", "x" * 5_000, call_id=f"c{i}") for i in range(8)]
    opened = session(user("read them"), *(d for pair in pairs for d in pair), reply("read"))
    plan = propose(window_of(opened), pins=Pins(cut="m1"))
    cleared = [i for i, action in enumerate(plan.actions) if action is Action.CLEAR]
    assert cleared == [2, 4, 6]
    assert plan_tokens(plan, window_of(opened)).cleared == 3 * (5_000 - 12)


def test_one_cleared_result_does_not_push_the_talk_out_of_the_tail() -> None:
    small = [d for i in range(6) for d in ran("ls", "y" * 50, call_id=f"s{i}")]
    opened = session(
        reply("old " * 500),
        user("what did we agree on?"),
        *ran("cat big", "x" * 50_000, call_id="big"),
        *small,
        reply("that"),
    )
    plan = propose(window_of(opened), tail_tokens=3_000)
    assert plan.cut is not None
    assert plan.cut.index == 1
    assert plan.actions[3] is Action.CLEAR


def test_a_small_window_gets_a_small_tail() -> None:
    turns = [(user("w" * 100), reply("r" * 900)) for _ in range(100)]
    opened = session(*(d for turn in turns for d in turn))
    assert propose(window_of(opened, limit=16_000)).settings["tail_tokens"] == 3_200
    assert propose(window_of(opened, limit=None)).settings["tail_tokens"] == 20_000


def test_nothing_to_retell_means_no_summary() -> None:
    plan = propose(window_of(session(together(user("hi")))), tail_tokens=10_000)
    assert plan.actions == (Action.KEEP,)
    assert plan.summary_at is None


def test_one_big_pair_at_the_end_does_not_leave_the_tail_empty() -> None:
    opened = session(user("go"), reply("r" * 900), *ran("x", "y" * 1_900, call_id="a"), reply("ok"))
    plan = propose(window_of(opened), tail_tokens=1_500)
    assert plan.cut is not None
    assert plan.cut.message == "m3"


def test_a_last_message_over_the_budget_takes_its_short_turn_along() -> None:
    opened = session(user("go"), reply("r" * 900), user("list all"), reply("z" * 9_000))
    plan = propose(window_of(opened), tail_tokens=1_000)
    assert plan.cut is not None
    assert plan.cut.message == "m3"
    assert not plan.cut.splits_turn


def test_system_messages_stay_at_the_start_and_the_summary_stands_behind_them() -> None:
    system = replace(injected("Be brief."), role=Role.SYSTEM)
    turns = [draft for n in range(9) for draft in (user(f"Step {n}."), reply("Done. " * 400))]
    plan = propose(window_of(session(system, system, *turns)), tail_tokens=900)
    assert [action.value for action in plan.actions[:3]] == ["keep", "keep", "quote"]
    assert plan.reasons[:2] == ("system prompt", "system prompt")
    assert plan.summary_at == 2
