from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.opening import open_session
from redline.compaction.outline import outline
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.saved import dump_plan, load_pins
from redline.compaction.strategies.scored import STRATEGY
from redline.compaction.strategies.strategy import StrategySettings
from redline.facts.extract import extract
from redline.ledger.detect import detect
from redline.model import Session
from tests.compaction.windows import window_of
from tests.sessions_in_memory import Draft, call, injected, ran, reply, result, session, user

PASSED = "3 passed"
FAILED = "E   assert 1 == 2\nFAILED tests/test_totals.py::test_sum"


def edit(path: str, name: str, *, error: bool = False) -> tuple[Draft, Draft]:
    return (
        call("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, call_id=name),
        result("no match" if error else "ok", call_id=name, error=error),
    )


def talk(turns: int, words: int = 10) -> list[Draft]:
    return [
        draft
        for number in range(turns)
        for draft in (user(f"and number {number}?"), reply("w" * words))
    ]


def plan_of(opened: Session, pins: Pins | None = None, **chosen: object) -> Plan:
    return STRATEGY.propose(
        window_of(opened),
        outline(opened.context),
        extract(opened),
        detect(opened),
        StrategySettings(**chosen),  # type: ignore[arg-type]
        pins or Pins(),
    )


RULE = user("Never touch src/legacy.")
CHAIN = (
    *ran("pytest -q", FAILED, 1, call_id="f1"),
    reply("It is the rounding."),
    *ran("pytest -q", FAILED, 1, call_id="f2"),
    *edit("src/totals.py", "e1"),
    *ran("pytest -q", PASSED, call_id="f3"),
)


def scores(plan: Plan) -> list[str]:
    return [reason.partition("score ")[2] for reason in plan.reasons]


def test_each_reason_says_the_score_and_what_made_it() -> None:
    opened = session(RULE, reply("Fine."), *CHAIN, *talk(11))
    found = scores(plan_of(opened))[: 2 + len(CHAIN)]
    rule, chain = "0.4: a rule or decision", "0.3: an error chain"
    both = "0.5: an error chain, a diff or signature"
    assert found == [
        rule,
        "0",
        chain,  # what failed, and its result
        chain,
        "0",
        chain,  # tried again
        chain,
        both,  # the change that solved it
        both,
        chain,  # what shows it solved
        chain,
    ]


def test_a_call_and_its_results_score_together() -> None:
    opened = session(user("go"), *edit("src/a.py", "e"), *talk(11))
    found = scores(plan_of(opened))
    assert found[1] == found[2] == "0.2: a diff or signature"


def test_an_error_that_nothing_solved_goes_on_to_its_last_try() -> None:
    opened = session(
        user("go"),
        *ran("pytest -q", FAILED, 1, call_id="a"),
        reply("hm"),
        *ran("pytest -q", FAILED, 1, call_id="b"),
        *talk(11),
    )
    found = scores(plan_of(opened))
    assert [bool("error chain" in score) for score in found[:6]] == [
        False,
        True,
        True,
        False,
        True,
        True,
    ]


def test_a_failed_edit_its_retry_and_what_worked_are_one_chain() -> None:
    opened = session(
        user("go"),
        *edit("src/a.py", "a", error=True),
        *edit("src/a.py", "b", error=True),
        *edit("src/a.py", "c"),
        *edit("src/b.py", "d"),
        *talk(11),
    )
    found = scores(plan_of(opened))
    assert all("error chain" in score for score in found[1:7])
    assert not any("error chain" in score for score in found[7:9])


@pytest.mark.parametrize(
    ("drafts", "shows"),
    [
        (ran("git diff", "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b", call_id="a"), True),
        (ran("cat x.py", "import a\n\ndef total(order):\n    ...", call_id="a"), True),
        (ran("cat x.rs", "pub fn total<T>(order: T) -> u32 {", call_id="a"), True),
        (ran("ls", "a.py b.py\nclass of 2020, all of it", call_id="a"), False),
        (
            (
                call("Read", {"file_path": "src/a.ts"}, call_id="a"),
                result("export x", call_id="a"),
            ),
            True,
        ),
        (
            (call("Read", {"file_path": "notes.md"}, call_id="a"), result("x", call_id="a")),
            False,
        ),
        (
            (
                call("shell", {"command": "*** Begin Patch\n*** End Patch"}, call_id="a"),
                result("x", call_id="a"),
            ),
            False,
        ),
    ],
)
def test_diffs_and_signatures_are_seen_in_results_and_calls(
    drafts: tuple[Draft, ...], shows: bool
) -> None:
    found = scores(plan_of(session(user("go"), *drafts, *talk(11))))
    assert ("a diff or signature" in found[1]) == ("a diff or signature" in found[2]) == shows


def test_what_scores_over_one_half_stays_wherever_it_stands() -> None:
    said = user("Never touch src/legacy. Here it is:\n```\ndef total(order):\n    ...\n```")
    opened = session(user("hello"), said, reply("ok"), *talk(11))
    plan = plan_of(opened)
    assert plan.actions[:3] == (Action.QUOTE, Action.KEEP, Action.SUMMARISE)
    assert plan.reasons[1].startswith("kept for its score; score 0.6: a rule or decision, a diff")
    assert plan.details["messages_by_score"] == 1
    assert not plan.one_tail


def test_exactly_one_half_is_not_over_it_and_the_threshold_can_be_lowered() -> None:
    opened = session(user("go"), *CHAIN, *talk(11))
    place = 1 + 5  # the edit that solved it: 0.5
    assert plan_of(opened).actions[place] is Action.SUMMARISE
    lower = plan_of(opened, score=0.45)
    assert lower.actions[place] is Action.KEEP
    assert lower.actions[place + 1] is Action.KEEP
    heavier = plan_of(opened, weights={"error": 0.4})
    assert heavier.actions[place] is Action.KEEP


def test_a_pin_always_stays_and_counts() -> None:
    opened = session(*talk(1), reply("x"), *talk(11))
    plan = plan_of(opened, Pins(actions={"m3": Action.KEEP}))
    assert plan.actions[2] is Action.KEEP
    assert plan.reasons[2] == "pinned; score 0.1: pinned"


def test_a_pin_that_takes_out_adds_nothing_to_the_score() -> None:
    opened = session(*talk(1), reply("x"), *talk(11))
    plan = plan_of(opened, Pins(actions={"m3": Action.DROP}))
    assert plan.reasons[2] == "pinned; score 0"


def kept_turns(plan: Plan) -> int:
    assert plan.cut is not None
    return sum(start >= plan.cut.index for start in plan.outline.turn_starts)


def test_the_last_ten_turns_stay_where_they_fit_and_five_where_they_do_not() -> None:
    opened = session(*talk(20, words=1_000))
    assert kept_turns(plan_of(opened)) == 10
    assert kept_turns(plan_of(opened, tail_tokens=7_500)) == 7
    few = plan_of(opened, tail_tokens=2_000)
    assert kept_turns(few) == 5
    assert any("2,000 tokens cannot be kept" in warning for warning in few.warnings)
    assert kept_turns(plan_of(opened, turns=3)) == 3
    assert kept_turns(plan_of(opened, turns=12)) == 12


def test_one_giant_turn_is_cut_inside_by_its_budget_and_that_is_said() -> None:
    """Otherwise a single long turn could never be compacted (fault B15)."""
    steps = [draft for i in range(60) for draft in ran("ls", "x" * 500, call_id=f"c{i}")]
    plan = plan_of(session(user("go"), *steps), tail_tokens=3_000)
    assert plan.cut is not None
    assert plan.cut.splits_turn
    assert 0 < sum(plan.estimates[plan.cut.index :]) <= 3_000
    assert any("tail starts inside a turn" in warning for warning in plan.warnings)
    assert plan.actions[0] is Action.QUOTE


def test_few_turns_that_fit_stay_all() -> None:
    plan = plan_of(session(injected("<env>"), *talk(3)))
    assert set(plan.actions[1:]) == {Action.KEEP}
    assert not plan.warnings


def test_a_saved_plan_gives_its_weights_back() -> None:
    opened = session(user("go"), *CHAIN, *talk(11))
    window = window_of(opened)
    plan = plan_of(opened, weights={"error": 0.4}, score=0.55, turns=6)
    _, settings, pins = load_pins(dump_plan(plan, window), opened)
    assert (settings.score, settings.turns) == (0.55, 6)
    assert settings.weights == {"rule": 0.4, "error": 0.4, "change": 0.2, "pin": 0.1}
    again = STRATEGY.propose(window, plan.outline, extract(opened), detect(opened), settings, pins)
    assert again.actions == plan.actions
    assert again.reasons == plan.reasons


@pytest.mark.real
@pytest.mark.parametrize(
    "name",
    [
        "pi/large-session.v3-migrated.jsonl",
        "claude_code/entire_25730c66_micro.jsonl",
        "codex/kvsankar_real_session-01_cli0.135.jsonl",
    ],
)
def test_a_real_session_keeps_error_chains_and_diffs_where_half_is_enough(
    real_sessions: Path, name: str
) -> None:
    opened = open_session(real_sessions / name)
    plan = plan_of(opened, score=0.49, tail_tokens=2_000)
    by_score = plan.details["messages_by_score"]
    assert isinstance(by_score, int)
    assert by_score == sum("kept for its score" in reason for reason in plan.reasons)
    assert all("score " in reason for reason in plan.reasons)
