from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from redline.errors import RedlineError
from redline.handoff import schema
from redline.handoff.handoff import Constraint, Decision, Failure, Files, Handoff, Note
from redline.handoff.json_form import dump, load
from tests.handoff.handoffs import handoffs, values


def test_the_committed_schema_is_the_generated_one() -> None:
    assert schema.FILE.read_text("utf-8") == schema.text()


def test_the_schema_holds_the_agreed_fields() -> None:
    properties = schema.schema()["properties"]
    assert set(schema.REQUIRED) <= set(properties)
    assert properties["goal"]["maxLength"] == 120
    assert list(properties["decisions"]["items"]["properties"]) == [
        "content",
        "reason",
        "scope",
        "time",
    ]
    assert set(properties["errors"]["items"]["properties"]) == {"time", "message", "resolution"}
    assert set(properties["files"]["properties"]) == {"changed", "referenced"}


@given(handoffs)
@settings(max_examples=150, deadline=None)
def test_any_handoff_is_loaded_as_it_was(handoff: Handoff) -> None:
    assert load(dump(handoff)) == handoff


@given(handoffs)
@settings(max_examples=50, deadline=None)
def test_every_agreed_field_is_there_and_the_goal_is_short(handoff: Handoff) -> None:
    value = json.loads(dump(replace(handoff, goal=handoff.goal * 40)))
    assert set(schema.REQUIRED) <= set(value)
    assert len(value["goal"]) <= 120
    assert load(dump(replace(handoff, goal=handoff.goal * 40))).goal == handoff.goal * 40


def test_a_rule_that_is_not_confirmed_shows_it() -> None:
    value = json.loads(dump(Handoff(constraints=(Constraint("a", "r1", True), Constraint("b")))))
    assert [rule["confirmed"] for rule in value["constraints"]] == [True, False]


def test_what_is_mistyped_or_unknown_is_taken_as_far_as_it_goes_and_written_again() -> None:
    text = json.dumps(
        {
            "goal": "ship",
            "done": "one thing",
            "current_state": 5,
            "decisions": ["round once", {"content": "c", "owner": "eve", "reason": None}, 7],
            "constraints": ["never push"],
            "files": ["a.py"],
            "errors": None,
            "next_plan": [{"text": "go on", "priority": 1}, 4, None],
            "mood": {"good": True},
        }
    )
    handoff = load(text)
    assert handoff.done == ("one thing",)
    assert handoff.decisions == (Decision("round once"), Decision("c"))
    assert handoff.constraints == (Constraint("never push"),)
    assert handoff.files == Files(changed=("a.py",))
    assert handoff.errors == ()
    assert handoff.next_plan == ("go on",)
    written = json.loads(dump(handoff))
    assert written["mood"] == {"good": True}
    assert written["decisions"][1]["owner"] == "eve"
    assert "eve" in dump(load(dump(handoff)))
    for kept in ('"priority": 1', "5", "7", "4"):
        assert kept in dump(handoff)


@given(values)
@settings(max_examples=100, deadline=None)
def test_any_json_is_loaded_or_refused_in_words(value: object) -> None:
    try:
        handoff = load(json.dumps(value))
    except RedlineError:
        assert not isinstance(value, dict)
    else:
        assert load(dump(handoff)) == handoff


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 200_000, '"x"'])
def test_what_is_no_object_is_refused_in_words(text: str) -> None:
    with pytest.raises(RedlineError):
        load(text)


def test_notes_of_a_person_stay_in_json() -> None:
    handoff = Handoff(notes=(Note("Ask Eve", "done", 1),), errors=(Failure("x"),))
    assert load(dump(handoff)) == handoff
