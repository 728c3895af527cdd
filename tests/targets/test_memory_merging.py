from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from redline.facts.fact import Facts, TodoFact
from redline.handoff.handoff import Constraint, Decision, Failure, Files, Handoff
from redline.targets.badly_written_json import Number, Value
from redline.targets.memory_merging import bounded, merged, misshapen, text_of

EARLY, LATE = "2026-08-01T10:00:00Z", "2026-08-02T10:00:00Z"


def test_an_empty_memory_has_the_fields_of_the_schema_in_their_order() -> None:
    made = merged({}, Handoff(goal="g", done=("d",)))
    assert list(made) == [
        "version",
        "goal",
        "done",
        "current_state",
        "decisions",
        "constraints",
        "files",
        "errors",
        "next_plan",
    ]
    assert made["version"] == "1.0"
    assert made["files"] == {"changed": [], "referenced": []}


def test_what_redline_does_not_know_stays_where_it_is() -> None:
    memory: dict[str, Value] = {
        "owner": {"x": Number("1.10")},
        "version": "7",
        "decisions": [{"content": "Use sqlite", "by": "bob", "reason": "old"}],
        "files": {"generated": ["c"], "changed": ["a"]},
        "goal": "g",
    }
    new = Handoff(goal="g", decisions=(Decision("Use sqlite", "small"),), files=Files(("b",)))
    made = merged(memory, new)
    assert list(made)[:5] == list(memory)
    assert made["owner"] == memory["owner"]
    assert made["version"] == "7"
    assert made["decisions"] == [
        {"content": "Use sqlite", "by": "bob", "reason": "small", "scope": "", "time": ""}
    ]
    assert made["files"] == {"generated": ["c"], "changed": ["a", "b"], "referenced": []}


def test_a_newer_value_stands_in_the_place_of_the_older_and_names_it() -> None:
    memory = merged(
        {"decisions": [{"content": "The staging DB is on port 5433", "by": "bob"}, "keep me"]},
        Handoff(decisions=(Decision("The staging DB is on port 5434"),)),
    )
    decisions: Any = memory["decisions"]
    assert [text_of(item) for item in decisions] == ["The staging DB is on port 5434", "keep me"]
    assert decisions[0]["supersedes"] == "The staging DB is on port 5433"
    assert decisions[0]["by"] == "bob"


def test_what_was_decided_later_stands_against_a_handoff_of_an_earlier_session() -> None:
    memory = merged({}, Handoff(decisions=(Decision("The staging DB is on port 5434", time=LATE),)))
    older = Handoff(decisions=(Decision("The staging DB is on port 5433", time=EARLY),))
    again = merged(memory, older)
    decisions: Any = again["decisions"]
    assert [item["content"] for item in decisions] == ["The staging DB is on port 5434"]
    assert decisions[0]["supersedes"] == "The staging DB is on port 5433"
    assert merged(again, older) == again


def test_a_rule_that_a_person_confirmed_is_not_replaced_by_one_that_was_only_found() -> None:
    memory = merged({}, Handoff(constraints=(Constraint("The port is 5433", confirmed=True),)))
    made: Any = merged(memory, Handoff(constraints=(Constraint("The port is 5434"),)))
    assert [rule["text"] for rule in made["constraints"]] == [
        "The port is 5433",
        "The port is 5434",
    ]


def test_a_rule_whose_words_a_person_changed_is_one_rule() -> None:
    memory = merged({}, Handoff(constraints=(Constraint("Tabs", "r-1", True),)))
    made: Any = merged(memory, Handoff(constraints=(Constraint("Always use tabs", "r-1", True),)))
    assert [(rule["text"], rule["supersedes"]) for rule in made["constraints"]] == [
        ("Always use tabs", "Tabs")
    ]


def test_a_rule_that_holds_no_more_goes_and_a_foreign_one_stays() -> None:
    memory = merged(
        {"constraints": ["by hand"]},
        Handoff(constraints=(Constraint("Tabs", "r-1", True), Constraint("Spaces", "r-2", True))),
    )
    made: Any = merged(memory, Handoff(), retired=("r-1", "spaces", "Spaces"))
    assert [rule["text"] for rule in made["constraints"]] == ["by hand"]


def test_done_steps_leave_the_next_ones_however_it_is_told() -> None:
    memory: dict[str, Value] = {
        "done": ["begin"],
        "next_plan": [
            "[x] ticked",
            {"step": "closed", "status": "done", "by": "bob"},
            "told",
            "seen in the list",
            "- open",
            "again",
        ],
    }
    facts = Facts(todos=(TodoFact("seen in the list", "completed", "m1"),))
    new = Handoff(
        done=("told", "again"),
        next_plan=("first", "again", "marked (the session shows this as finished: it passed)"),
    )
    made: Any = merged(memory, new, facts=facts)
    assert made["next_plan"] == ["first", "again", "- open"]
    assert [text_of(item) for item in made["done"]] == [
        "begin",
        "told",
        "again",
        "marked",
        "ticked",
        "closed",
        "seen in the list",
    ]
    assert {"step": "closed", "status": "done", "by": "bob"} in made["done"]
    assert merged(made, new, facts=facts) == made


def test_a_former_goal_and_state_are_kept_as_former() -> None:
    made = merged(
        {"goal": "Build the shop", "current_state": "Half"},
        Handoff(goal="Fix the total", current_state="Nearly", previous="P"),
    )
    assert (made["goal"], made["earlier_goals"]) == ("Fix the total", ["Build the shop"])
    assert (made["current_state"], made["previous"]) == ("Nearly", "Half\n\nP")
    same = merged(made, Handoff(goal="Build the shop", current_state="Nearly", previous="P"))
    assert (same["goal"], same["earlier_goals"]) == ("Build the shop", ["Fix the total"])
    assert same["previous"] == "Half\n\nP"


def test_a_long_goal_is_told_whole_beside_its_start() -> None:
    goal = "word " * 60
    made = merged({}, Handoff(goal=goal))
    assert len(str(made["goal"])) <= 120
    assert made["goal_in_full"] == goal
    again = merged(made, Handoff(goal="short"))
    assert (again["goal"], again["earlier_goals"]) == ("short", [goal])
    assert "goal_in_full" not in again


def test_a_resolved_error_moves_behind_the_open_ones_and_is_open_when_it_comes_again() -> None:
    memory = merged({}, Handoff(errors=(Failure("E1", time=EARLY), Failure("E2", time=EARLY))))
    made: Any = merged(memory, Handoff(errors=(Failure("E1", "fixed", EARLY),)))
    assert [(e["message"], e["resolution"]) for e in made["errors"]] == [
        ("E2", ""),
        ("E1", "fixed"),
    ]
    same: Any = merged(made, Handoff(errors=(Failure("E1", "", EARLY),)))
    assert same["errors"] == made["errors"]
    again: Any = merged(made, Handoff(errors=(Failure("E1", "", LATE),)))
    (error,) = [e for e in again["errors"] if e["message"] == "E1"]
    assert (error["resolution"], error["earlier_resolution"]) == ("", "fixed")


def test_types_that_the_schema_does_not_have_are_brought_into_it() -> None:
    memory: dict[str, Value] = {
        "goal": ["a", "b"],
        "current_state": {"x": Number("1")},
        "done": "one thing",
        "decisions": "Use sqlite",
        "constraints": ["No tabs", {"text": "ok"}],
        "files": ["a.py"],
        "errors": {"message": "E"},
        "next_plan": None,
    }
    assert misshapen(memory) == [
        "goal",
        "current_state",
        "done",
        "decisions",
        "errors",
        "texts for objects in constraints",
        "files",
    ]
    made = merged(memory, Handoff())
    assert made["goal"] == "a\nb"
    assert made["current_state"] == '{"x": "1"}'
    assert made["done"] == ["one thing"]
    assert made["decisions"] == [{"content": "Use sqlite"}]
    assert made["constraints"] == [{"text": "No tabs"}, {"text": "ok"}]
    assert made["files"] == {"changed": ["a.py"], "referenced": []}
    assert made["errors"] == [{"message": "E"}]
    assert misshapen(made) == []


def test_the_oldest_go_where_it_would_grow_too_large_and_open_errors_never() -> None:
    memory = merged(
        {},
        Handoff(
            done=tuple(f"step {number}" for number in range(100)),
            errors=(Failure("open"), Failure("closed", "so")),
        ),
    )
    made, gone = bounded(memory, lambda one: len(str(one)) < 900)
    assert gone["done"] < 100
    assert list(made["done"])[-1] == "step 99"  # type: ignore[arg-type]
    made, gone = bounded(memory, lambda one: False)
    assert made["errors"] == [{"message": "open", "resolution": "", "time": ""}]


WORDS = st.sampled_from(
    [f"{a} {b}" for a in ("red", "blue", "green") for b in ("cat", "dog", "owl")]
)
TEXTS = st.lists(WORDS, max_size=4).map(tuple)
HANDOFFS = st.builds(
    Handoff,
    goal=WORDS | st.just(""),
    done=TEXTS,
    current_state=WORDS | st.just(""),
    decisions=st.lists(st.builds(Decision, content=WORDS, reason=WORDS), max_size=3).map(tuple),
    constraints=st.lists(
        st.builds(Constraint, text=WORDS, confirmed=st.booleans()), max_size=3
    ).map(tuple),
    files=st.builds(Files, changed=TEXTS, referenced=TEXTS),
    errors=st.lists(
        st.builds(Failure, message=WORDS, resolution=WORDS | st.just("")), max_size=3
    ).map(tuple),
    next_plan=TEXTS,
    blocked=TEXTS,
    findings=TEXTS,
    previous=WORDS | st.just(""),
)
ANY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | WORDS | st.integers().map(lambda n: Number(str(n))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
ITEM = WORDS | st.fixed_dictionaries({"text": WORDS, "by": WORDS}) | ANY
FIELD: st.SearchStrategy[Any] = st.lists(ITEM, max_size=4) | ANY
MEMORIES: st.SearchStrategy[dict[str, Value]] = st.dictionaries(
    st.sampled_from(
        [
            "goal",
            "done",
            "current_state",
            "decisions",
            "constraints",
            "files",
            "errors",
            "next_plan",
            "blocked",
            "earlier_goals",
            "previous",
            "anchors",
            "mine",
            "version",
        ]
    ),
    FIELD,
    max_size=8,
)


def texts(value: object) -> Iterator[str]:
    """Every text in a value."""
    if isinstance(value, str):
        yield " ".join(value.split())
    elif isinstance(value, Number):
        yield value.text
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (key, *texts(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts(inner)


@given(MEMORIES, HANDOFFS)
def test_merging_twice_changes_nothing(memory: dict[str, Value], new: Handoff) -> None:
    once = merged(memory, new)
    assert merged(once, new) == once


@given(MEMORIES, HANDOFFS)
def test_no_item_of_either_side_is_lost(memory: dict[str, Value], new: Handoff) -> None:
    made = merged(memory, new)
    there = "\n".join(texts(made))
    for value in memory.values():
        for text in texts(value):
            assert text in there
    for item in (*new.done, *new.next_plan, *new.blocked, *new.findings, *new.files.changed):
        assert item in there
    for text in (new.goal, new.current_state, *(d.content for d in new.decisions)):
        assert text in there
    for text in (*(c.text for c in new.constraints), *(e.message for e in new.errors)):
        assert text in there


@given(MEMORIES, HANDOFFS, HANDOFFS)
def test_what_is_not_redlines_stays(memory: dict[str, Value], one: Handoff, other: Handoff) -> None:
    made = merged(merged(memory, one), other)
    assert ("mine" in made) == ("mine" in memory)
    assert made.get("mine") == memory.get("mine")
    assert misshapen(made) == []
    order = [key for key in made if key in memory and key != "version"]
    assert order == [key for key in memory if key != "version"]
