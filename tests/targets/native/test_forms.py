"""A handoff as an agent's own summary: nothing of it is lost on the way."""

from __future__ import annotations

import pytest

from redline.handoff.handoff import (
    Anchors,
    Constraint,
    Decision,
    Failure,
    Files,
    Handoff,
    Note,
    UserWords,
)
from redline.handoff.markdown import render
from redline.model import Agent
from redline.targets.native.forms import summary_of

FULL = Handoff(
    goal="ship the teapot",
    earlier_goals=("boil the kettle",),
    constraints=(
        Constraint("Never touch src/legacy", confirmed=True),
        Constraint("Prefer tabs", confirmed=False),
    ),
    current_state="half poured",
    done=("warmed the pot",),
    next_plan=("pour it out",),
    blocked=("no milk",),
    open_questions=("how much sugar?",),
    decisions=(Decision("green tea", "it is late", "the evening"),),
    rejected=("black tea",),
    findings=("the lid is loose",),
    files=Files(("a/changed.py",), ("b/read.py",)),
    reasons={"a/changed.py": "the spout leaked"},
    errors=(Failure("E42: boiled over", "turned it down"), Failure("E43: too weak")),
    user_words=(UserWords("please do not spill"),),
    anchors=Anchors(("deadbeef",), ("#77",), ("https://tea.example",), ("make tea -> 0",)),
    plan=("[x] water", "[ ] leaves"),
    skills=("brewing",),
    previous="once there was coffee",
    transcript="/home/dev/old.jsonl",
    extra={"mine": "a sieve"},
    notes=(Note("## My notes\n\nThe quokka knows."),),
)
SAID = (
    ("ship the teapot", "boil the kettle", "Never touch src/legacy", "Prefer tabs", "half poured"),
    ("warmed the pot", "pour it out", "no milk", "how much sugar?", "green tea", "it is late"),
    ("black tea", "the lid is loose", "a/changed.py", "b/read.py", "the spout leaked"),
    ("E42: boiled over", "turned it down", "E43: too weak", "please do not spill", "deadbeef"),
    ("#77", "https://tea.example", "make tea -> 0", "[x] water", "[ ] leaves", "brewing"),
    ("once there was coffee", "/home/dev/old.jsonl", "a sieve", "The quokka knows."),
)


@pytest.mark.parametrize("agent", [one for one in Agent if one is not Agent.MESSAGES])
def test_everything_of_a_handoff_is_in_the_summary_of_every_agent(agent: Agent) -> None:
    summary = summary_of(agent, render(FULL))
    assert [text for texts in SAID for text in texts if text not in summary] == []


@pytest.mark.parametrize("agent", [one for one in Agent if one is not Agent.MESSAGES])
def test_confirmed_rules_are_the_last_thing_that_is_said(agent: Agent) -> None:
    summary = summary_of(agent, render(FULL))
    assert summary.rstrip().endswith("- Never touch src/legacy")
    assert summary.count("Never touch src/legacy") == 2


@pytest.mark.parametrize("agent", [Agent.CLAUDE_CODE, Agent.PI, Agent.HERMES])
def test_what_has_a_section_of_the_agent_is_not_told_twice(agent: Agent) -> None:
    summary = summary_of(agent, render(FULL))
    for text in ("half poured", "warmed the pot", "deadbeef", "please do not spill"):
        assert summary.count(text) == 1


FORMS = {
    Agent.CLAUDE_CODE: ("1. Primary Request and Intent:", "9. Optional Next Step:"),
    Agent.CODEX: ("# Handoff", "## Goal"),
    Agent.PI: ("## Goal", "### In Progress", "## Critical Context"),
    Agent.HERMES: (
        "## Historical Task Snapshot",
        "## Goal",
        "## Constraints & Preferences",
        "## Completed Actions",
        "## Active State",
        "## Blocked",
        "## Key Decisions",
        "## Resolved Questions",
        "## Historical Pending User Asks",
        "## Relevant Files",
        "## Historical Remaining Work",
        "## Critical Context",
    ),
}


@pytest.mark.parametrize("agent", FORMS)
def test_a_summary_has_the_headings_of_its_agent_in_their_order(agent: Agent) -> None:
    summary = summary_of(agent, render(FULL))
    places = [summary.find(f"{heading}") for heading in FORMS[agent]]
    assert -1 not in places
    assert places == sorted(places)
    assert summary.startswith(FORMS[agent][0])


def test_the_newest_words_of_the_user_are_the_task_that_hermes_is_told_first() -> None:
    words = (UserWords("make tea"), UserWords("no, coffee"), UserWords("and milk"))
    summary = summary_of(Agent.HERMES, render(Handoff(goal="tea", user_words=words)))
    assert summary.startswith('## Historical Task Snapshot\nUser asked: "and milk"\n')
    rest = summary.partition("## User Messages (verbatim, newest first)")[2]
    assert rest.index("no, coffee") < rest.index("make tea")
    assert summary.count("and milk") == 1


@pytest.mark.parametrize("agent", list(Agent))
def test_an_empty_handoff_is_an_empty_summary(agent: Agent) -> None:
    assert summary_of(agent, " \n") == ""


def test_secrets_are_taken_out_of_a_summary() -> None:
    key = "sk-ant-api03-" + "Ab3d" * 20
    for agent in Agent:
        assert key not in summary_of(agent, f"# Handoff\n\n## State\n\nThe key is {key}.\n")
