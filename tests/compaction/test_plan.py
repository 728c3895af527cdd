from __future__ import annotations

from dataclasses import replace

import pytest

from redline.compaction.plan import Action, Cut, Plan
from tests.compaction.windows import opaque, propose, shape, window_of
from tests.sessions_in_memory import (
    Draft,
    call,
    injected,
    ran,
    reply,
    result,
    session,
    thinking,
    together,
    user,
)

KEEP, CLEAR, SHORTEN = Action.KEEP, Action.CLEAR, Action.SHORTEN
QUOTE, SUMMARISE, DROP = Action.QUOTE, Action.SUMMARISE, Action.DROP


def plan(
    *drafts: Draft,
    actions: list[Action],
    parts: dict[tuple[int, int], Action] | None = None,
    summary_at: int | None = 0,
    cut: Cut | None = None,
) -> Plan:
    size = len(actions)
    return Plan(
        strategy="test",
        settings={},
        outline=shape(*drafts),
        actions=tuple(actions),
        reasons=("because",) * size,
        estimates=(1,) * size,
        parts=parts or {},
        summary_at=summary_at,
        cut=cut,
    )


def test_every_message_has_one_action() -> None:
    with pytest.raises(ValueError, match="one entry for each of 2 messages"):
        plan(user("a"), reply("b"), actions=[KEEP])


def test_a_call_and_its_result_stay_or_go_together() -> None:
    pair = ran("ls", "out", call_id="a")
    with pytest.raises(ValueError, match="stay or go together"):
        plan(*pair, actions=[SUMMARISE, KEEP])
    with pytest.raises(ValueError, match="stay or go together"):
        plan(*pair, actions=[KEEP, DROP])
    assert plan(*pair, actions=[KEEP, CLEAR]).staying == (0, 1)
    assert plan(*pair, actions=[SUMMARISE, SUMMARISE]).staying == ()


def test_one_of_three_results_can_be_cleared_in_its_place() -> None:
    drafts = (
        together(*(call("Read", {}, call_id=name) for name in "abc")),
        together(*(result("body", call_id=name) for name in "abc")),
    )
    found = plan(*drafts, actions=[KEEP, KEEP], parts={(1, 1): CLEAR})
    assert [found.action_of(1, j) for j in range(3)] == [KEEP, CLEAR, KEEP]


def test_one_of_two_parallel_calls_can_go_with_its_result_but_not_without() -> None:
    drafts = (
        together(call("Read", {}, call_id="a"), call("Read", {}, call_id="b")),
        together(result("1", call_id="a"), result("2", call_id="b")),
    )
    plan(*drafts, actions=[KEEP, KEEP], parts={(0, 0): DROP, (1, 0): DROP})
    with pytest.raises(ValueError, match="stay or go together"):
        plan(*drafts, actions=[KEEP, KEEP], parts={(0, 0): DROP})


def test_an_open_call_is_not_the_last_thing_that_stays() -> None:
    drafts = (user("go"), call("Bash", {}, call_id="a"))
    with pytest.raises(ValueError, match="without a result at the end"):
        plan(*drafts, actions=[KEEP, KEEP])
    plan(*drafts, actions=[KEEP, SUMMARISE])
    plan(*drafts, user("continue"), actions=[KEEP, KEEP, KEEP])
    with pytest.raises(ValueError, match="without a result at the end"):
        plan(*drafts, user("continue"), actions=[KEEP, KEEP, QUOTE])


def test_the_answer_of_another_call_does_not_close_an_open_one() -> None:
    calls = together(call("Bash", {}, call_id="a"), call("Bash", {}, call_id="b"))
    with pytest.raises(ValueError, match="without a result at the end"):
        plan(calls, result("1", call_id="b"), actions=[KEEP, KEEP])


def test_a_result_without_a_call_does_not_stay() -> None:
    with pytest.raises(ValueError, match="answers no call"):
        plan(result("?", call_id="z"), user("hm"), actions=[KEEP, KEEP])


@pytest.mark.parametrize("action", [CLEAR, SHORTEN, QUOTE])
def test_thinking_and_opaque_parts_are_never_rewritten(action: Action) -> None:
    for draft in (thinking("hm"), opaque()):
        with pytest.raises(ValueError, match="cannot have the action"):
            plan(together(draft, reply("so")), actions=[KEEP], parts={(0, 0): action})
        with pytest.raises(ValueError, match="holds nothing to"):
            plan(draft, actions=[action])
        assert plan(together(draft, reply("so")), actions=[KEEP], parts={(0, 0): DROP})


def test_shortening_a_message_leaves_its_thinking_alone() -> None:
    found = plan(together(thinking("hm"), reply("long")), actions=[SHORTEN])
    assert [found.action_of(0, j) for j in range(2)] == [KEEP, SHORTEN]


def test_quoting_a_message_drops_what_nobody_typed_in_it() -> None:
    found = plan(together(injected("<reminder>"), user("go")), actions=[QUOTE])
    assert [found.action_of(0, j) for j in range(2)] == [DROP, QUOTE]


def test_overrides_summary_and_cut_name_what_is_there() -> None:
    with pytest.raises(ValueError, match="no part 3"):
        plan(user("go"), actions=[KEEP], parts={(0, 3): DROP})
    with pytest.raises(ValueError, match="summary's place"):
        plan(user("go"), actions=[KEEP], summary_at=2)
    with pytest.raises(ValueError, match="the cut names"):
        plan(user("go"), actions=[KEEP], cut=Cut("m9", 0, False))


def test_a_plan_changed_into_a_wrong_one_is_refused_too() -> None:
    made = propose(window_of(session(user("go"), *ran("ls", "x", call_id="a"))))
    with pytest.raises(ValueError, match="stay or go together"):
        replace(made, actions=(KEEP, KEEP, DROP))
