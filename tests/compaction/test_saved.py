from __future__ import annotations

import json
from typing import Any

import pytest

from redline.agents.own import OwnSetting
from redline.compaction.plan import Action, Pins
from redline.compaction.saved import dump_plan, fit, load_pins
from redline.compaction.strategies.strategy import StrategySettings
from redline.errors import RedlineError
from redline.model import Agent
from tests.compaction.windows import propose, window_of
from tests.sessions_in_memory import ran, reply, session, user

DRAFTS = (
    user("go"),
    *ran("ls", "x" * 300, call_id="a"),
    reply("y" * 300),
    user("on"),
    reply("done"),
)
OPENED = session(*DRAFTS)
PINS = Pins(None, {"m2": Action.CLEAR}, {("m4", 0): Action.KEEP})


def saved() -> dict[str, Any]:
    window = window_of(OPENED)
    plan = propose(window, pins=PINS, tail_tokens=50)
    data: dict[str, Any] = json.loads(json.dumps(dump_plan(plan, window)))
    return data


def test_the_json_says_what_commands_md_says() -> None:
    data = saved()
    assert data["schema"] == 1
    assert data["settings"]["tail_tokens"] == 50
    assert data["cut"] is None  # a pin keeps something before it
    assert data["result"][0] == {"summary": True}
    assert [item["message"] for item in data["result"][1:]] == ["m2", "m3", "m4", "m5", "m6"]
    assert data["messages"][2] == {
        "id": "m3",
        "index": 2,
        "role": "user",
        "tokens": 300,
        "estimate": 300,
        "action": "clear",
        "reason": "pinned",
        "pinned": True,
        "parts": [{"type": "tool_result", "kind": "tool_result", "action": "clear"}],
        "layer": "buffer",
        "memory": False,
    }
    assert [layer["name"] for layer in data["layers"]] == [
        "short-term buffer",
        "working summary",
        "long-term memory",
    ]
    tokens = data["tokens"]
    assert tokens["before"] == tokens["kept"] + tokens["cleared"] + tokens["summarised"]
    assert tokens["after_without_summary"] == tokens["kept"]


def test_a_saved_plan_is_taken_up_as_it_was() -> None:
    name, settings, pins = load_pins(saved(), OPENED)
    assert name == "redline"
    assert settings.tail_tokens == 50
    assert pins == Pins("m5", PINS.actions, PINS.parts)


def test_messages_that_came_since_are_in_the_tail() -> None:
    grown = session(*DRAFTS, *(reply("z" * 900) for _ in range(5)))
    assert fit(saved(), grown).grown == 5
    name, settings, pins = load_pins(saved(), grown)
    plan = propose(window_of(grown), name, pins=pins, tail_tokens=settings.tail_tokens or 0)
    assert plan.cut is not None
    assert plan.cut.message == "m5"
    assert set(plan.actions[4:]) == {Action.KEEP}


def test_a_plan_of_another_session_is_refused() -> None:
    with pytest.raises(RedlineError, match="made for session session-1, not for session-2"):
        load_pins(saved(), session(*DRAFTS, id="session-2"))


def test_ids_that_are_gone_are_named() -> None:
    compacted = session(*DRAFTS, context_from=4)
    assert fit(saved(), compacted).unknown == ("m2", "m4")
    with pytest.raises(RedlineError, match="m2, m4"):
        load_pins(saved(), compacted)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("schema", 2),
        ("strategy", None),
        ("settings", []),
        ("settings", {"tail_tokens": -1}),
        ("settings", {"tail_tokens": "20k"}),
        ("pins", None),
        ("pins", {"actions": {"m1": "burn"}, "parts": []}),
        ("pins", {"actions": {"m1": []}, "parts": []}),
        ("pins", {"actions": {}, "parts": [1]}),
        ("pins", {"actions": {}, "parts": [], "cut": 3}),
    ],
)
def test_what_is_no_plan_is_refused_by_its_place(place: str, value: object) -> None:
    with pytest.raises(RedlineError, match=place):
        load_pins({**saved(), place: value})
    with pytest.raises(RedlineError, match="is not an object"):
        load_pins([saved()])


def test_what_is_kept_by_the_estimate_leaves_out_what_is_cleared() -> None:
    made = session(
        user("one"),
        *ran("cat a", "x" * 9_000, call_id="a"),
        *ran("cat b", "y" * 900, call_id="b"),
        reply("Done."),
        user("two"),
    )
    window = window_of(made)
    plain = dump_plan(propose(window, "clear", keep_results=9), window)["estimate"]
    cleared = dump_plan(propose(window, "clear", keep_results=1, clear_from=1_000), window)
    assert plain["kept"] == plain["before"]
    assert plain["before"] - 9_000 < cleared["estimate"]["kept"] < plain["before"] - 8_900


def test_what_a_person_chose_is_told_without_what_the_agents_are_set_to() -> None:
    window = window_of(OPENED)
    own = {Agent.PI: {"compaction.keepRecentTokens": OwnSetting(9_000, "settings.json")}}
    settings = StrategySettings(tail_tokens=50, weights={"rule": 0.5}, own=own)
    data = json.loads(json.dumps(dump_plan(propose(window), window, settings=settings)))
    assert data["chosen"] == {"tail_tokens": 50, "weights": {"rule": 0.5}}
    assert json.loads(json.dumps(dump_plan(propose(window), window)))["chosen"] == {}
