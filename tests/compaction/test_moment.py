"""Whether the moment is good or bad, and by which messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from redline.compaction.moment import Moment, moment
from redline.model import CompactionKind, PastCompaction, Usage
from tests.sessions_in_memory import (
    START,
    Draft,
    call,
    ran,
    reply,
    result,
    session,
    summary,
    together,
    user,
)

NOW = START + timedelta(minutes=1)


def now(*drafts: Draft | Iterable[Draft], live: bool = True) -> Moment:
    made = session(*drafts)
    return moment(replace(made, info=replace(made.info, live=live)), NOW)


def edited(path: str, call_id: str) -> tuple[Draft, Draft]:
    return (
        call("Edit", {"file_path": path}, call_id=call_id),
        result("ok", call_id=call_id, tool="Edit"),
    )


def todos(*statuses: str, call_id: str) -> tuple[Draft, Draft]:
    items = [
        {"content": f"step {number}", "status": status} for number, status in enumerate(statuses)
    ]
    return (
        call("TodoWrite", {"todos": items}, call_id=call_id),
        result("ok", call_id=call_id, tool="TodoWrite"),
    )


def texts(reasons: Iterable[object]) -> list[str]:
    return [getattr(reason, "text", "") for reason in reasons]


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q",
        "uv run pytest",
        "python -m pytest tests",
        "npm test",
        "pnpm run test:unit",
        "cargo test",
        "go test ./...",
        "make test",
        "npx vitest run",
        "cd app && mvn -q test",
        "bundle exec rspec",
    ],
)
def test_tests_that_passed_are_a_good_moment(command: str) -> None:
    found = now(user("go"), *edited("a.py", "e"), *ran(command, "3 passed", call_id="t"))

    assert texts(found.good) == ["tests just passed"]
    assert found.good[0].message == "m5"
    assert found.line == "good: tests just passed, no call open"


def test_tests_that_failed_are_a_bad_moment() -> None:
    found = now(user("go"), *ran("pytest -q", "FAILED a.py::test_x - boom", 1, call_id="t"))

    assert texts(found.bad) == ["an error is unresolved"]
    assert (found.bad[0].message, found.verdict, found.held) == ("m3", "bad", "")


def test_an_error_is_gone_when_its_command_passes() -> None:
    found = now(
        user("go"),
        *ran("npm run build", "error: x", 1, call_id="a"),
        *ran("npm run build", "done", call_id="b"),
    )

    assert not found.bad


def test_a_search_that_found_nothing_is_no_error() -> None:
    found = now(
        user("go"),
        *ran("grep -rn x src", "", 1, call_id="a"),
        call("Read", {"file_path": "gone.py"}, call_id="b"),
        result("no such file", call_id="b", error=True, tool="Read"),
    )

    assert not found.bad


def test_an_edit_after_the_tests_takes_their_word_back_and_holds() -> None:
    found = now(user("go"), *ran("pytest", "1 passed", call_id="t"), *edited("b.py", "e"))

    assert not found.good
    assert (found.edits_open, found.held) == (True, "edits in flight: b.py")


@pytest.mark.parametrize(
    ("last", "open_"),
    [
        ((), True),
        (ran("ls", "b.py", call_id="x"), True),
        (ran("cat b.py", "1", call_id="x"), True),
        (ran("npm run build", "ok", call_id="x"), False),
        ((reply("Done."),), False),
    ],
)
def test_a_run_of_edits_is_open_until_something_ends_it(
    last: tuple[Draft, ...], open_: bool
) -> None:
    assert now(user("go"), *edited("a.py", "a"), *edited("b.py", "b"), *last).edits_open is open_


def test_a_git_commit_is_a_good_moment() -> None:
    found = now(user("go"), *ran("git commit -m x", "[main 1a2b3c4] x", call_id="c"))

    assert [reason.words for reason in found.good] == ["a git commit was made: 1a2b3c4 x"]


def test_a_step_of_the_plan_that_ended_is_a_good_moment() -> None:
    found = now(
        user("go"),
        *todos("in_progress", "pending", call_id="a"),
        *ran("npm run build", "ok", call_id="b"),
        *todos("completed", "in_progress", call_id="c"),
    )

    assert [reason.words for reason in found.good] == ["a step of the plan ended: step 0"]


def test_a_plan_that_was_only_written_down_ended_nothing() -> None:
    assert not now(user("go"), *todos("completed", "pending", call_id="a")).good


def test_between_a_call_and_its_result_nothing_may_be_compacted() -> None:
    two = together(
        call("Bash", {"command": "sleep 9"}, call_id="a"),
        call("Read", {"file_path": "a"}, call_id="b"),
    )
    found = now(user("go"), two, result("x", call_id="b"))

    assert (found.open_call, found.bad[0].message) == (True, "m2")
    assert found.held == "a call is open: Bash sleep 9"


def test_a_call_of_a_session_nobody_runs_is_one_it_was_interrupted_in() -> None:
    found = now(user("go"), call("Bash", {"command": "x"}, call_id="a"), live=False)

    assert texts(found.bad) == ["interrupted in a call"]


@pytest.mark.parametrize("after", [user("never mind"), reply("I go on")])
def test_a_call_that_was_left_behind_is_not_open(after: Draft) -> None:
    found = now(user("go"), call("Bash", {"command": "x"}, call_id="a"), after)

    assert not found.open_call


def test_a_cold_cache_is_a_good_moment() -> None:
    drafts = (
        user("go"),
        reply("ok", usage=Usage(10, 5000, 100, 5), model="claude-opus-4-6"),
        *edited("a.py", "e"),
        *ran("npm run build", "ok", call_id="b"),
    )
    made = session(*drafts, model="claude-opus-4-6")

    warm = moment(made, START + timedelta(minutes=3))
    cold = moment(made, START + timedelta(minutes=30))

    assert texts(warm.good) == []
    assert texts(cold.good) == ["the provider's cache has gone cold"]
    assert cold.good[0].message is None


def test_only_the_latest_messages_are_read() -> None:
    many = [draft for number in range(40) for draft in ran("make x", "ok", call_id=f"c{number}")]
    found = now(user("go"), *ran("npm run build", "error: x", 1, call_id="a"), *many)

    assert not found.bad


def test_after_a_compaction_by_hand_the_agent_waits_for_input() -> None:
    """B36: nothing but the boundary and its summary stands there."""
    past = PastCompaction("p", CompactionKind.FULL, 1, trigger="manual")
    idle = session(user("go"), summary("so far"), context_from=1, compactions=(past,))
    going_on = session(
        user("go"), summary("so far"), user("on"), context_from=1, compactions=(past,)
    )

    assert moment(idle, NOW).waiting
    assert "waiting for input after compaction" in moment(idle, NOW).line
    assert not moment(going_on, NOW).waiting


def test_a_moment_of_nothing_says_so() -> None:
    found = now()

    assert (found.verdict, found.line) == ("neither", "neither good nor bad: no call open")


def test_times_that_lie_ahead_do_not_hurt() -> None:
    made = session(user("go"), reply("ok", usage=Usage(10), time=datetime(2030, 1, 1, tzinfo=UTC)))

    assert moment(made, NOW).verdict == "good"
