from __future__ import annotations

import pytest

from redline.facts.extract import extract
from redline.facts.rejected import rejected, taken_back
from tests.sessions_in_memory import ran, reply, session, user


@pytest.mark.parametrize(
    "text",
    [
        "I tried a mutex around the cache, but it did not help.",
        "Patching the loader doesn't work, so I went back to the old one.",
        "I've reverted the change to src/cache.py.",
        "We ruled out a race in the scheduler.",
        "试过加锁，没用。",
    ],
)
def test_what_the_agent_tried_and_gave_up_is_rejected(text: str) -> None:
    assert list(rejected(text, by_user=False)) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "The login does not work in Safari.",
        "I will try a mutex.",
        "Should I revert it?",
        "All tests pass.",
        "```\nI've reverted it.\n```",
    ],
)
def test_a_bug_a_plan_and_a_question_are_not(text: str) -> None:
    assert list(rejected(text, by_user=False)) == []


@pytest.mark.parametrize(
    "text",
    [
        "No, that's horrible.",
        "nope, keep it in one file",
        "please revert that",
        "I don't want a new dependency for this.",
        "不对，改回原来的写法",
    ],
)
def test_the_no_of_the_user_is_a_rejection(text: str) -> None:
    assert list(rejected(text, by_user=True)) == [text]


def test_no_problem_and_pasted_output_are_none() -> None:
    assert list(rejected("No problem, go on.\nNo fixes applied.", by_user=True)) == []


@pytest.mark.parametrize(
    ("command", "back"),
    [
        ("cd x && git checkout -- src/a.py && ls", "git checkout -- src/a.py"),
        ("git restore src/a.py", "git restore src/a.py"),
        ("git revert 1a2b3c4", "git revert 1a2b3c4"),
        ("git checkout main", ""),
        ("git restore --staged src/a.py", ""),
        ("ls", ""),
    ],
)
def test_git_tells_what_was_taken_back(command: str, back: str) -> None:
    assert taken_back(command) == back


def test_facts_hold_what_was_rejected_found_out_and_said_before_a_change() -> None:
    edit = {"command": "sed -i s/a/b/ src/a.py"}
    made = session(
        user("Fix the rounding. No, not in src/b.py."),
        reply("The bug is that `round_half` in src/a.py rounds twice. Let me round once."),
        *ran(edit["command"], call_id="a"),
        *ran("git checkout -- src/b.py", call_id="b"),
    )
    facts = extract(made)
    assert [(fact.text, fact.by_user) for fact in facts.rejected] == [
        ("No, not in src/b.py.", True),
        ("took changes back: `git checkout -- src/b.py`", False),
    ]
    assert [fact.text for fact in facts.findings] == [
        "The bug is that `round_half` in src/a.py rounds twice."
    ]
    changed = next(fact for fact in facts.changed if fact.path == "src/a.py")
    assert changed.said.endswith("Let me round once.")
