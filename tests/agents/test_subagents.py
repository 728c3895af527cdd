"""Where the session of a subagent is opened from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from redline.agents.subagents import info_of
from redline.model import Agent, Subagent
from tests.sessions_in_memory import session, user


def test_a_file_of_its_own_is_a_session_of_the_same_project() -> None:
    given = session(user("go"))
    helper = Subagent("a1", Path("agent-a1.jsonl"), kind="Explore", description="Look around")
    info, leaf = info_of(given, helper)
    assert (info.id, info.path, info.agent) == ("a1", helper.path, given.info.agent)
    assert (info.project, info.title, leaf) == (given.info.project, "Look around", None)
    assert info_of(given, replace(helper, description=""))[0].title == "Explore"
    assert info_of(given, replace(helper, description="", kind=""))[0].title == "a1"


def test_a_branch_of_the_same_file_is_a_leaf_of_it_but_for_a_database() -> None:
    given = session(user("go"))
    helper = Subagent("a1", given.info.path)
    assert info_of(given, helper) == (given.info, "a1")
    hermes = replace(given, info=replace(given.info, agent=Agent.HERMES))
    info, leaf = info_of(hermes, helper)
    assert (info.id, leaf) == ("a1", None)
