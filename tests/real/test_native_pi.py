"""The real pi goes on with what redline wrote: what it sends is the judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.targets.native.draft import Draft
from redline.targets.native.native import NativeSession
from tests.agents.pi.made_up import (
    compaction,
    user,
)
from tests.real.agents import RealAgent
from tests.real.pi_runs import (
    CUT,
    HEAD,
    PLANS,
    answer,
    conversation,
    copied,
    goes_on,
    lower,
    placed,
    published,
    resumes,
    running,
)
from tests.targets.native.making import possible, review_of, whole_work, work

pytestmark = pytest.mark.real


@pytest.mark.parametrize(("strategy", "pins"), PLANS)
def test_it_resumes_what_was_compacted(pi: RealAgent, strategy: str, pins: Pins | None) -> None:
    path = placed(pi, conversation())
    before = path.read_bytes(), path.stat().st_mtime_ns
    task = work(review_of(path, strategy, pins=pins), pi.environment)
    assert task.plan.changes
    draft, _ = published(pi, task)
    resumes(pi, draft, task)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_it_resumes_a_plan_of_single_parts(pi: RealAgent) -> None:
    path = placed(pi, conversation())
    wanted = [
        (0, None, Action.KEEP),
        (2, 0, Action.SHORTEN),
        (3, 1, Action.CLEAR),
        (6, 1, Action.CLEAR),
        (5, None, Action.SHORTEN),
        (10, None, Action.DROP),
    ]
    task = work(possible(path, "clear", wanted), pi.environment)
    assert len(task.plan.parts) >= 3
    draft, _ = published(pi, task)
    resumes(pi, draft, task)


@pytest.mark.parametrize(
    ("strategy", "pins"), [("redline", CUT), ("redline", HEAD), ("hermes", CUT), ("codex", None)]
)
def test_it_goes_on_and_compacts_by_itself_later(
    pi: RealAgent, strategy: str, pins: Pins | None
) -> None:
    path = placed(pi, conversation())
    task = work(review_of(path, strategy, pins=pins), pi.environment)
    draft, _ = published(pi, task)
    resumes(pi, draft, task)
    goes_on(pi, draft)


def test_its_own_compaction_goes_on_from_the_summary_and_the_lists_of_files(pi: RealAgent) -> None:
    path = placed(pi, conversation())
    task = work(review_of(path, pins=CUT), pi.environment)
    draft, _ = published(pi, task)
    resumes(pi, draft, task)
    lower(pi, reserveTokens=16_384, keepRecentTokens=1)
    pi.api.answer = "## Goal\nWhat pi itself made of it"
    answered = rpc(pi, draft, {"type": "compact", "customInstructions": "the login"})
    assert answered["success"], answered
    asked = [json.dumps(body["messages"]) for body in pi.api.requests]
    (update,) = [said for said in asked if "<previous-summary>" in said]
    assert json.dumps(task.summary)[1:-1] in update
    assert "Then mend it" in update
    assert "src/legacy" not in update.replace(json.dumps(task.summary)[1:-1], "")
    assert answered["data"]["details"] == {"readFiles": [], "modifiedFiles": ["login.py"]}


def rpc(pi: RealAgent, draft: Draft, command: dict[str, Any]) -> dict[str, Any]:
    """What pi answers to a command while it runs with the session."""
    with running(pi, draft) as started:
        return answer(started, command)


def test_a_draft_is_nothing_to_the_agent(pi: RealAgent) -> None:
    path = placed(pi, conversation())
    target = NativeSession(work(review_of(path, pins=CUT), pi.environment))
    target.preview()
    assert [one.name for one in path.parent.iterdir()] == [path.name]


# -- restored --------------------------------------------------------------------------------------


def test_what_was_before_a_compaction_comes_back(pi: RealAgent) -> None:
    lines = [*conversation(), compaction("k1", "a5", "u3"), user("u4", "k1", "Now the docs")]
    path = placed(pi, lines)
    task = whole_work(open_session(path, before=1), pi.environment)
    draft, _ = published(pi, task)
    resumes(pi, draft, task)
    goes_on(pi, draft)


def test_a_repaired_session_loses_nothing(pi: RealAgent) -> None:
    lines = conversation()
    lines[6]["parentId"] = "nobody"
    session = open_session(placed(pi, lines))
    assert session.resume_lost
    task = whole_work(session, pi.environment)
    draft, _ = published(pi, task)
    resumes(pi, draft, task)


# -- real sessions ---------------------------------------------------------------------------------

NAMES = (
    "before-compaction.v3-migrated",
    "edge-abandoned-compaction",
    "edge-malformed-line",
    "edge-no-trailing-newline",
    "large-session",
    "synthetic-pi-1.6.0-all-entry-types",
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("strategy", ["redline", "pi", "codex", "clear", "hermes"])
def test_real_sessions_are_resumed(
    pi: RealAgent, real_sessions: Path, name: str, strategy: str
) -> None:
    path = copied(pi, real_sessions / f"pi/{name}.jsonl")
    task = work(review_of(path, strategy), pi.environment)
    if not task.plan.changes:
        pytest.skip("the plan keeps everything")
    draft, _ = published(pi, task)
    resumes(pi, draft, task, times=3)
