from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.agents.hermes.reader import open_session
from redline.agents.own import OwnSetting
from redline.compaction.effect import plan_tokens
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.saved import dump_plan, load_pins
from redline.compaction.strategies.hermes_pruning import DUPLICATE
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.model import Agent, Session
from tests.compaction.strategies.hermes_talk import SUMMARY, Talk
from tests.compaction.test_strategies import check
from tests.compaction.windows import propose, window_of
from tests.sessions_in_memory import (
    call,
    image,
    injected,
    reply,
    result,
    session,
    summary,
    thinking,
    together,
    user,
)

BOTH = pytest.mark.parametrize("name", ["hermes", "hermes-legacy"])


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "version", "file"),
    [("hermes-legacy", "0.19.0", "state.db"), ("hermes", "0.22.2", "state_v31.db")],
)
def test_every_figure_is_that_of_hermes_itself(
    real_sessions: Path, name: str, version: str, file: str
) -> None:
    golden = real_sessions / "hermes" / f"golden-hermes-{version}.json"
    answers = json.loads(golden.read_text(encoding="utf-8"))
    assert len(answers["windows"]) == 4
    for told in answers["windows"]:
        opened = open_session(real_sessions / "hermes" / file, id=told["session"])
        window = window_of(opened, limit=told["ctx"])
        plan = propose(window, name)
        details = dump_plan(plan, window)["details"]
        assert details["rows"] == told["n"]
        assert details["pruned"] == told["pruned"]
        assert details["compress_start"] == told["compress_start"]
        assert details["compress_end"] == told["compress_end_after_prune"]
        assert details["first_tail_role"] == told["first_tail_role"]
        assert len(plan.stand_ins) == told["pruned"] + details.get("demoted", 0)
        assert plan.cut is not None
        assert plan.cut.index == told["compress_end_after_prune"]
        assert plan.summary_at == told["compress_start"]


@pytest.mark.real
@pytest.mark.parametrize(("name", "version"), [("hermes-legacy", "0.19.0"), ("hermes", "0.22.2")])
def test_every_budget_is_that_of_hermes_itself(
    real_sessions: Path, name: str, version: str
) -> None:
    golden = real_sessions / "hermes" / f"golden-hermes-{version}.json"
    told = json.loads(golden.read_text(encoding="utf-8"))["thresholds"]
    assert len(told) == 44
    for answer in told:
        details = propose(
            window_of(talk(), limit=answer["context_length"]),
            name,
            own=own(threshold=answer["threshold"], max_tokens=answer["max_tokens"]),
        ).details
        names = ("threshold_tokens", "tail_token_budget", "max_summary_tokens")
        assert [details[n] for n in (names)] == [answer[n] for n in names], answer


def own(**values: Any) -> dict[Agent, dict[str, OwnSetting]]:
    found = {
        f"model.{name}" if name == "max_tokens" else f"compression.{name}": OwnSetting(value, "f")
        for name, value in values.items()
        if value is not None
    }
    return {Agent.HERMES: found}


def talk(*, turns: int = 12, size: int = 4_000) -> Session:
    """Turns of a prompt, a call with a result of `size` characters, and a reply."""
    drafts = []
    for i in range(turns):
        drafts += [
            user(f"do step {i}"),
            call("read_file", {"path": f"f{i}"}, call_id=f"c{i}"),
            result(f"{i}" * size, call_id=f"c{i}"),
            reply(f"done {i}"),
        ]
    return session(*drafts)


def acts(plan: Plan) -> list[str]:
    return [action.value for action in plan.actions]


@BOTH
@pytest.mark.parametrize(("count", "compacts"), [(7, False), (8, True)])
def test_a_head_and_four_messages_are_nothing_to_compact(
    name: str, count: int, compacts: bool
) -> None:
    drafts = [(reply if i % 2 else user)(f"{i}" * 4_000) for i in range(count)]
    plan = propose(window_of(session(*drafts)), name, tail_tokens=10)
    assert (plan.summary_at is not None) is compacts
    assert (plan.reasons[0] == "nothing to compact") is not compacts


@pytest.mark.parametrize(
    ("name", "last", "cut"),
    [
        ("hermes", "and now deploy it", False),
        ("hermes", "and now the docs", True),
        ("hermes-legacy", "and now deploy it", True),
    ],
)
def test_a_skill_that_a_request_of_the_tail_names_is_not_cut(
    name: str, last: str, cut: bool
) -> None:
    opened = session(
        user("go"),
        reply("I look."),
        user("on"),
        call("skill_view", {"name": "Deploy"}, call_id="s"),
        result("how to do it " * 100, call_id="s", tool="skill_view"),
        *(
            draft
            for i in range(14)
            for draft in (
                user(f"do step {i}"),
                call("read_file", {"path": f"f{i}"}, call_id=f"c{i}"),
                result(f"{i}" * 4_000, call_id=f"c{i}"),
                reply(f"done {i}"),
            )
        ),
        user(last),
    )
    plan = propose(window_of(opened), name, tail_tokens=500)
    assert ((4, 0) in plan.stand_ins) is cut


@BOTH
def test_the_head_stays_and_the_summary_stands_behind_it(name: str) -> None:
    plan = propose(window_of(talk()), name, tail_tokens=500)
    assert acts(plan)[:4] == ["keep", "keep", "clear", "summarise"]
    assert plan.details["compress_start"] == 3
    assert plan.summary_at == 3
    assert plan.reasons[0] == "in the head"
    assert plan.cut is not None
    assert not plan.one_tail


@BOTH
def test_old_results_are_cut_to_the_line_that_hermes_writes(name: str) -> None:
    plan = propose(window_of(talk()), name, tail_tokens=500)
    assert plan.stand_ins[2, 0] == "[read_file] read f0 from line 1 (4,000 chars)"
    assert plan.actions[2] is Action.CLEAR
    assert plan.details["pruned"] == len(plan.stand_ins)


@BOTH
def test_a_result_that_comes_again_is_cut_wherever_it_stands(name: str) -> None:
    again = session(
        user("a"),
        *(
            draft
            for i in range(4)
            for draft in (call("x", {}, call_id=f"{i}"), result("same" * 100, call_id=f"{i}"))
        ),
        user("b"),
        reply("c"),
    )
    plan = propose(window_of(again), name)
    assert [plan.stand_ins.get((i, 0)) for i in (2, 4, 6, 8)] == [DUPLICATE] * 3 + [None]


@BOTH
def test_the_last_request_and_the_last_reply_are_in_the_tail(name: str) -> None:
    drafts = [user("first"), reply("x" * 40), user("do it now"), reply("I will"), user("more")]
    for i in range(12):
        drafts += [
            call("terminal", {"command": "w" * 60}, call_id=f"{i}"),
            result("r" * 150, call_id=f"{i}"),
        ]
    plan = propose(window_of(session(*drafts)), name, tail_tokens=900)
    last = plan.outline.turn_starts[-1]
    assert plan.actions[last] in (Action.KEEP, Action.QUOTE)


def test_the_newer_one_splits_a_turn_that_is_too_large_and_says_the_request_again() -> None:
    drafts = [user("first"), reply("x"), user("second"), reply("y"), user("the task")]
    for i in range(30):
        drafts += [
            call("terminal", {"command": "w" * 600}, call_id=f"{i}"),
            result("r" * 150, call_id=f"{i}"),
        ]
    plan = propose(window_of(session(*drafts)), "hermes", tail_tokens=900)
    assert plan.actions[4] is Action.QUOTE
    assert plan.reasons[4] == "your words, said again behind the summary"
    older = propose(window_of(session(*drafts)), "hermes-legacy", tail_tokens=900)
    assert older.actions[4] is Action.KEEP


def test_the_newer_one_quotes_your_words_as_far_as_it_does() -> None:
    drafts = [user("s"), reply("a"), user("t"), reply("b")]
    for size in (3_000, 5_000, 4_000, 4_000, 4_000, 4_000, 4_000):
        drafts += [user("w" * size), reply("ok")]
    drafts += [user("end"), reply("fine " * 40)]
    plan = propose(window_of(session(*drafts)), "hermes", tail_tokens=60)
    told = {i: plan.reasons[i] for i in range(4, 18) if plan.actions[i] is not Action.KEEP}
    assert told[16] == "your words"
    assert told[6] == "your words, of which Hermes quotes the beginning"
    assert told[4] == "your words, older than what Hermes quotes"
    assert plan.actions[4] is Action.SUMMARISE


def test_the_newer_one_cuts_old_results_in_a_long_tail() -> None:
    drafts = [user("a"), reply("b"), user("c"), reply("d"), user("e"), reply("f"), user("go")]
    for i in range(9):
        drafts += [
            call("web", {"q": i}, call_id=f"{i}"),
            result(f"{i}" * 1_600, call_id=f"{i}"),
        ]
    plan = propose(window_of(session(*drafts)), "hermes", own=own(min_tail_user_messages=2))
    assert plan.details["demoted"] == 3
    assert "1,600 chars preserved in session history" in plan.stand_ins[8, 0]
    assert "session_search" not in plan.stand_ins[8, 0]


@BOTH
def test_an_earlier_summary_is_gone_on_with_and_never_told_again(name: str) -> None:
    drafts = [summary(SUMMARY + " what was"), *_drafts(10)]
    plan = propose(window_of(session(*drafts)), name, tail_tokens=300)
    assert plan.details["previous_summary"] is True
    if name == "hermes":
        assert plan.details["compress_start"] == 0
        assert plan.reasons[0] == "the agent's previous summary"
        assert plan.actions[0] is Action.SUMMARISE
    else:
        assert plan.actions[0] is Action.KEEP
        assert any("keeps no head" in warning for warning in plan.warnings)


def test_the_older_one_loses_what_stands_between_head_and_summary() -> None:
    drafts = [*_drafts(3), summary(SUMMARY + " old"), *_drafts(8)]
    plan = propose(window_of(session(*drafts)), "hermes-legacy", tail_tokens=300)
    assert acts(plan)[3:13] == ["drop"] * 9 + ["summarise"]
    assert plan.reasons[12] == "the agent's previous summary"


def _drafts(turns: int) -> list[Any]:
    return [
        draft
        for i in range(turns)
        for draft in (
            user(f"u{i}"),
            call("t", {"a": i}, call_id=f"x{turns}-{i}"),
            result("r" * 100, call_id=f"x{turns}-{i}"),
            reply("r" * 80),
        )
    ]


@BOTH
@pytest.mark.parametrize("turns", [0, 1])
def test_a_short_session_is_left_as_it_is(name: str, turns: int) -> None:
    plan = propose(window_of(talk(turns=turns)), name)
    assert set(plan.actions) <= {Action.KEEP}
    assert plan.details["nothing_to_compact"] is True
    assert plan.stand_ins == {}
    assert plan.summary_at is None


@BOTH
def test_a_cut_inside_a_message_parts_its_results_from_its_prompt(name: str) -> None:
    drafts = [*_drafts(4), call("t", {}, call_id="q")]
    drafts.append(together(result("late", call_id="q"), user("the last words")))
    drafts.append(reply("r" * 300))
    plan = propose(window_of(session(*drafts)), name, tail_tokens=60)
    check(plan, window_of(session(*drafts)))
    last = plan.outline.turn_starts[-1]
    assert plan.action_of(last, 1) is Action.KEEP


@BOTH
def test_pictures_before_the_newest_are_words(name: str) -> None:
    drafts = [user("a"), reply("b"), together(user("look"), image()), *_drafts(6)]
    drafts += [together(user("see"), image()), reply("yes")]
    plan = propose(window_of(session(*drafts)), name, tail_tokens=500)
    assert plan.actions[2] is Action.CLEAR
    assert plan.stand_ins[2, 1] == "[Attached image — stripped after compression]"


def test_words_that_nobody_typed_are_no_request() -> None:
    drafts = [*_drafts(5), injected("<system-reminder>"), *(reply("z" * 90) for _ in range(12))]
    plan = propose(window_of(session(*drafts)), "hermes-legacy", tail_tokens=100)
    assert plan.cut is not None
    assert plan.cut.index == 16  # the last prompt, not what was put in at 20


def test_the_older_one_says_that_it_cuts_long_inputs_too() -> None:
    drafts = [user("a"), call("write_file", {"path": "f", "content": "w" * 900}, call_id="1")]
    drafts += [result("ok", call_id="1"), *_drafts(12)]
    plan = propose(window_of(session(*drafts)), "hermes-legacy", tail_tokens=200)
    assert plan.details["arguments_shortened"] == 1
    assert any("long inputs of 1 calls" in warning for warning in plan.warnings)


@BOTH
def test_an_unknown_window_is_said(name: str) -> None:
    plan = propose(window_of(talk(turns=20), limit=None), name, tail_tokens=500)
    assert any("256,000" in warning for warning in plan.warnings)


@BOTH
def test_a_pinned_cut_moves_the_tail_and_a_saved_plan_comes_back(name: str) -> None:
    opened = talk()
    window = window_of(opened)
    plan = propose(window, name, tail_tokens=500)
    saved, settings, pins = load_pins(dump_plan(plan, window), opened)
    assert saved == name
    again = propose(window, name, pins=pins, tail_tokens=settings.tail_tokens)
    assert (again.actions, again.stand_ins, again.details) == (
        plan.actions,
        plan.stand_ins,
        plan.details,
    )
    moved = propose(window, name, pins=Pins(cut=opened.context[8].id), tail_tokens=500)
    assert moved.cut is not None
    assert moved.cut.index == 8
    assert all(action.stays for action in moved.actions[8:])
    early = propose(window, name, pins=Pins(cut=opened.context[0].id), tail_tokens=500)
    assert all(action.stays for action in early.actions)


@BOTH
def test_a_pin_keeps_a_result_whole(name: str) -> None:
    opened = talk()
    pins = Pins(actions={opened.context[2].id: Action.KEEP})
    plan = propose(window_of(opened), name, tail_tokens=500, pins=pins)
    assert plan.actions[2] is Action.KEEP


def test_thinking_of_old_replies_weighs_nothing_in_the_newer_one() -> None:
    drafts = [together(thinking("t" * 400), reply("r")), together(thinking("t" * 400), reply("s"))]
    newer, older = (
        propose(window_of(session(*drafts)), name).estimates for name in ("hermes", "hermes-legacy")
    )
    assert newer == (11, 111)
    assert older == (110, 110)


def test_another_script_weighs_more_in_the_newer_one() -> None:
    drafts = [user("漢" * 40), user("д" * 40), user("a" * 40)]
    assert propose(window_of(session(*drafts)), "hermes").estimates == (50, 30, 20)
    assert propose(window_of(session(*drafts)), "hermes-legacy").estimates == (20, 20, 20)


@given(st.integers(0, 10_000), st.sampled_from(["hermes", "hermes-legacy"]), st.integers(0, 6_000))
def test_conversations_of_hermes_own_kind_give_whole_plans(seed: int, name: str, tail: int) -> None:
    window = window_of(Talk(seed).session(), limit=64_000)
    plan = propose(window, name, tail_tokens=tail)
    check(plan, window)
    assert plan.stand_ins.keys() <= {
        (i, j) for i, m in enumerate(window.session.context) for j in range(len(m.parts))
    }
    tokens = plan_tokens(plan, window)
    assert tokens.before == window.used


def _triggers(name: str, limit: int | None = 200_000, **values: Any) -> dict[str, Trigger]:
    settings = StrategySettings(own=own(**values))
    found = strategy(name).triggers(window_of(talk(), limit=limit), settings)
    return {trigger.name: trigger for trigger in found}


@BOTH
def test_the_agent_and_its_gateway_have_thresholds_of_their_own(name: str) -> None:
    found = _triggers(name)
    assert found["threshold"].tokens == 150_000
    assert found["gateway"].tokens == 170_000
    assert "5,000 messages" in found["gateway"].compared
    assert found["gateway warns"].tokens == 190_000
    assert found["/compress"].phase == "by hand"
    assert all(trigger.source == "hermes' default" for trigger in found.values())


def test_own_settings_move_them_and_are_named() -> None:
    found = _triggers(
        "hermes", threshold=0.9, hygiene_hard_message_limit=700, idle_compact_after_seconds=1_800
    )
    assert (found["threshold"].tokens, found["threshold"].source) == (180_000, "f")
    assert "700 messages" in found["gateway"].compared
    assert found["idle"].tokens == 36_000
    assert _triggers("hermes", threshold_tokens=9_000)["threshold"].tokens == 9_000
    assert _triggers("hermes-legacy", threshold_tokens=9_000)["threshold"].tokens == 150_000


@BOTH
def test_what_is_off_or_unknown_has_no_figure(name: str) -> None:
    off = _triggers(name, enabled=False)
    assert off["threshold"].tokens is None
    assert off["threshold"].source == "f"
    assert off["gateway"].tokens is None
    assert _triggers(name, limit=None)["gateway"].tokens is None


def test_the_tail_of_before_can_be_asked_of_the_newer_one() -> None:
    window = window_of(talk(turns=60), limit=200_000)
    assert propose(window, "hermes").settings["tail_tokens"] == 10_000
    assert propose(window, "hermes", own=own(tail_mode="legacy")).settings["tail_tokens"] == 30_000
    assert propose(window, "hermes-legacy").settings["tail_tokens"] == 30_000
    small = window_of(talk(turns=60), limit=16_000)
    assert propose(small, "hermes").settings["tail_tokens"] == 3_200
