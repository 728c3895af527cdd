from __future__ import annotations

from dataclasses import replace

from redline.compaction.effect import layers
from redline.compaction.layers import LayerName, layer_of, layers_of, remembered
from redline.compaction.plan import Action, Pins
from redline.compaction.saved import dump_plan
from redline.facts.extract import extract
from redline.ledger.detect import detect
from redline.ledger.rule import Ledger, RuleState
from tests.compaction.windows import propose, window_of
from tests.sessions_in_memory import call, injected, ran, reply, result, session, user

OPENED = session(
    user("Never touch src/legacy. Fix #12."),
    injected("<env>"),
    call("Edit", {"file_path": "src/a.py"}, call_id="a"),
    result("ok", call_id="a"),
    reply("w" * 400),
    user("on"),
    *ran("ls", "b", call_id="b"),
)
FACTS = extract(OPENED)
PROPOSED = detect(OPENED)
LEDGER = Ledger(tuple(replace(rule, state=RuleState.ACTIVE) for rule in PROPOSED.rules))


def test_every_message_goes_to_one_layer() -> None:
    plan = propose(window_of(OPENED), tail_tokens=20)
    assert layers_of(plan) == (
        LayerName.SUMMARY,  # quoted
        LayerName.GONE,
        LayerName.SUMMARY,
        LayerName.SUMMARY,
        LayerName.SUMMARY,
        LayerName.BUFFER,
        LayerName.BUFFER,
        LayerName.BUFFER,
    )
    assert [layer_of(plan, i) for i in range(8)] == list(layers_of(plan))


def test_what_the_memory_takes_is_told_wherever_the_message_goes() -> None:
    plan = propose(window_of(OPENED), tail_tokens=20)
    found = remembered(plan.outline, FACTS, LEDGER)
    assert found == {0, 2}  # the rule and #12; the file that was changed
    assert layers_of(plan, found) == layers_of(plan)


def test_a_dropped_message_that_the_memory_takes_something_from_is_not_gone() -> None:
    plan = propose(window_of(OPENED), pins=Pins(actions={"m1": Action.DROP}), tail_tokens=20)
    found = remembered(plan.outline, FACTS, LEDGER)
    assert layers_of(plan, found)[:2] == (LayerName.MEMORY, LayerName.GONE)
    assert layer_of(plan, 0, found) is LayerName.MEMORY


def test_a_rule_that_nobody_confirmed_does_not_go_to_the_memory() -> None:
    opened = session(user("Never touch src/legacy."), reply("ok"))
    plan = propose(window_of(opened))
    assert remembered(plan.outline, extract(opened), detect(opened)) == frozenset()


def test_one_part_that_stays_keeps_its_message_in_the_buffer() -> None:
    pins = Pins(parts={("m1", 0): Action.KEEP})
    plan = propose(window_of(OPENED), pins=pins, tail_tokens=20)
    assert layer_of(plan, 0) is LayerName.BUFFER
    assert layers_of(plan)[0] is LayerName.BUFFER


def test_the_totals_and_the_json_say_the_same() -> None:
    window = window_of(OPENED)
    plan = propose(window, tail_tokens=20)
    data = dump_plan(plan, window, facts=FACTS, ledger=LEDGER)
    named = [message["layer"] for message in data["messages"]]
    assert named == [layer.value for layer in layers_of(plan)]
    assert [i for i, message in enumerate(data["messages"]) if message["memory"]] == [0, 2]
    totals = {layer["name"]: layer for layer in data["layers"]}
    assert totals["short-term buffer"]["count"] == named.count("buffer")
    assert totals["working summary"]["count"] == named.count("summary")
    assert totals["long-term memory"]["count"] == layers(plan, window, FACTS, LEDGER)[2].count == 3
