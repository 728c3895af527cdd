from __future__ import annotations

import pytest

from redline.compaction.plan import Action, Pins, Plan
from redline.errors import RedlineError
from redline.model import Session
from tests.compaction.windows import propose, window_of
from tests.sessions_in_memory import call, image, ran, reply, result, session, together, user

LONG = session(
    user("Never touch src/legacy"),
    *ran("ls", "x" * 300, call_id="a"),
    reply("There is a test missing."),
    user("add it"),
    *ran("pytest", "ok", call_id="b"),
    reply("done"),
)


def pinned(opened: Session = LONG, *, cut: str | None = None, **actions: Action) -> Plan:
    return propose(window_of(opened), pins=Pins(cut, actions), tail_tokens=40)


def test_a_pin_on_a_result_acts_on_its_call_too() -> None:
    plan = pinned(m3=Action.KEEP)
    assert plan.actions[1:3] == (Action.KEEP, Action.KEEP)
    assert plan.pinned == {1, 2}
    assert plan.reasons[1] == "pinned"
    assert plan.cut is not None
    assert not plan.one_tail


def test_clearing_a_call_clears_its_result_and_keeps_the_call() -> None:
    assert pinned(m2=Action.CLEAR).actions[1:3] == (Action.KEEP, Action.CLEAR)


def test_a_pinned_cut_inside_a_pair_moves_up_and_says_so() -> None:
    plan = pinned(cut="m3")
    assert plan.cut is not None
    assert plan.cut.message == "m2"
    assert any("m3" in warning and "moved up to m2" in warning for warning in plan.warnings)


def test_a_call_and_its_result_pinned_apart_are_refused() -> None:
    with pytest.raises(RedlineError, match=r"m2: keep, m3: drop"):
        pinned(m2=Action.KEEP, m3=Action.DROP)


@pytest.mark.parametrize(
    ("message", "action"),
    [("m1", Action.CLEAR), ("m4", Action.QUOTE), ("m4", Action.CLEAR)],
)
def test_a_pin_that_asks_for_what_is_not_there_is_refused(message: str, action: Action) -> None:
    with pytest.raises(RedlineError, match=f"{message} holds nothing to {action}"):
        propose(window_of(LONG), pins=Pins(actions={message: action}), tail_tokens=40)


def test_a_dropped_last_prompt_is_said() -> None:
    plan = pinned(m5=Action.DROP)
    assert plan.actions[4] is Action.DROP
    assert "the last prompt is neither kept nor quoted: a pin takes it out" in plan.warnings


def test_keeping_an_open_call_at_the_end_is_refused() -> None:
    opened = session(user("go"), call("Bash", {}, call_id="z"))
    assert propose(window_of(opened)).actions[1] is Action.SUMMARISE
    with pytest.raises(RedlineError, match="without a result"):
        pinned(opened, m2=Action.KEEP)


def test_keeping_an_orphan_is_refused() -> None:
    opened = session(result("?", call_id="z"), user("go"), reply("yes"))
    assert propose(window_of(opened)).actions[0] is Action.SUMMARISE
    with pytest.raises(RedlineError, match="answers a call that is not in the context"):
        pinned(opened, m1=Action.KEEP)


def test_a_prompt_beside_an_orphan_stays_without_it() -> None:
    opened = session(reply("hm"), together(result("?", call_id="z"), user("go")), reply("yes"))
    plan = pinned(opened, m2=Action.KEEP)
    assert [plan.action_of(1, j).stays for j in range(2)] == [False, True]


def test_a_pin_on_a_part_takes_its_pair_along() -> None:
    opened = session(
        user("go"),
        together(call("Read", {}, call_id="a"), call("Read", {}, call_id="b")),
        together(result("1", call_id="a"), result("2", call_id="b")),
        reply("x" * 90),
    )
    plan = propose(window_of(opened), pins=Pins("m4", parts={("m3", 1): Action.CLEAR}))
    assert [plan.action_of(1, j).stays for j in range(2)] == [False, True]
    assert [plan.action_of(2, j) for j in range(2)] == [Action.SUMMARISE, Action.CLEAR]
    assert plan.staying == (1, 2, 3)


def test_clearing_a_call_part_clears_its_result_with_the_image_in_it() -> None:
    opened = session(
        call("Read", {}, call_id="a"),
        together(result("1", call_id="a"), image(call_id="a")),
        reply("ok"),
    )
    plan = propose(window_of(opened), pins=Pins(parts={("m1", 0): Action.CLEAR}))
    assert [plan.action_of(1, j) for j in range(2)] == [Action.CLEAR, Action.CLEAR]


def test_a_part_that_is_not_there_is_named() -> None:
    with pytest.raises(RedlineError, match="m1 has no part 7"):
        propose(window_of(LONG), pins=Pins(parts={("m1", 7): Action.DROP}))
