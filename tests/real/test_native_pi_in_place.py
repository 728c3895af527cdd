"""The real pi goes on with a session that redline compacted in its place."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.compaction.plan import Pins
from redline.errors import RedlineError
from redline.targets.commit import commit
from redline.targets.native.native import NativeSession
from redline.targets.receipts import Receipts
from tests.agents.pi.made_up import (
    compaction,
    reply,
    user,
)
from tests.real.agents import RealAgent
from tests.real.pi_runs import (
    CUT,
    Lines,
    answer,
    conversation,
    goes_on,
    placed,
    published,
    resumes,
    running,
    where,
)
from tests.targets.native.making import NOW, review_of, work

pytestmark = pytest.mark.real


# -- in its place ----------------------------------------------------------------------------------

LONG_AGO = 1_790_000_000


def rested(pi: RealAgent, lines: Lines) -> Path:
    """A session that nobody has touched for long."""
    path = placed(pi, lines)
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


@pytest.mark.parametrize("keep_time", [False, True])
def test_a_session_goes_on_compacted_in_its_place_and_undo_brings_its_bytes_back(
    pi: RealAgent, keep_time: bool
) -> None:
    path = rested(pi, conversation())
    before = path.read_bytes()
    task = replace(
        work(review_of(path, pins=CUT), pi.environment, in_place=True), keep_time=keep_time
    )
    draft, receipt = published(pi, task)
    after = path.read_bytes()
    assert after.startswith(before)
    assert after[len(before) :].count(b"\n") == 1
    assert (path.stat().st_mtime == LONG_AGO) is keep_time
    result = Receipts(where(pi)).undo(receipt.id, environment=pi.environment)
    assert result.complete
    assert (path.read_bytes(), path.stat().st_mtime) == (before, LONG_AGO)
    Receipts(where(pi)).undo(result.receipt, environment=pi.environment)
    assert path.read_bytes() == after
    resumes(pi, draft, task)
    goes_on(pi, draft)


@pytest.mark.parametrize("strategy", ["pi", "redline"])
def test_what_was_compacted_before_is_compacted_in_its_place_again(
    pi: RealAgent, strategy: str
) -> None:
    lines = [*conversation(), compaction("k1", "a5", "b1"), user("u4", "k1", "Now the docs")]
    lines += [reply("a6", "u4", "Written."), user("u5", "a6", "Thanks"), reply("a7", "u5", "Yes.")]
    path = rested(pi, lines)
    review = review_of(path, strategy, pins=Pins(cut="u4"))
    task = work(review, pi.environment, in_place=True)
    draft, _ = published(pi, task)
    resumes(pi, draft, task)


def test_while_a_pi_runs_in_its_folder_a_session_is_not_changed_in_its_place(
    pi: RealAgent,
) -> None:
    path = rested(pi, conversation())
    before = path.read_bytes()
    task = work(review_of(path, pins=CUT), pi.environment, in_place=True)
    target = NativeSession(task)
    change = target.preview()
    elsewhere = pi.home / "other.jsonl"
    elsewhere.write_bytes(before)
    assert target.draft is not None
    draft = replace(target.draft, argv=("pi", "--session", str(elsewhere)))
    with running(pi, draft):
        with pytest.raises(RedlineError, match="a running pi") as refused:
            commit((change,), session=task.session.info, places=where(pi), now=datetime.now(UTC))
        assert "write a new session beside it" in refused.value.hint
        with pytest.raises(RedlineError, match="a running pi"):
            NativeSession(task).preview()
        published(pi, replace(task, in_place=False))
    assert path.read_bytes() == before


def test_a_pi_that_was_started_elsewhere_and_writes_the_session_has_it_open(pi: RealAgent) -> None:
    path = rested(pi, conversation())
    task = work(review_of(path, pins=CUT), pi.environment, in_place=True)
    target = NativeSession(task)
    target.preview()
    assert target.draft is not None
    elsewhere = pi.home.parent / "elsewhere"
    elsewhere.mkdir()
    with running(replace(pi, work=elsewhere), target.draft) as started:
        assert answer(started, {"type": "prompt", "message": "One thing more"})["success"]
        assert started.stdout is not None
        assert any(json.loads(line).get("type") == "agent_end" for line in started.stdout)
        grown = path.read_bytes()
        assert b"One thing more" in grown
        with pytest.raises(RedlineError, match=f"a pi was started in {elsewhere}"):
            NativeSession(task).preview()
        assert path.read_bytes() == grown


def test_a_session_that_has_grown_since_is_not_appended_to(pi: RealAgent) -> None:
    path = rested(pi, conversation())
    task = work(review_of(path, pins=CUT), pi.environment, in_place=True)
    change = NativeSession(task).preview()
    pi.run("-p", "--session", str(path), "One thing more")
    os.utime(path, (LONG_AGO, LONG_AGO))
    grown = path.read_bytes()
    with pytest.raises(RedlineError, match="changed"):
        commit((change,), session=task.session.info, places=where(pi), now=NOW)
    assert path.read_bytes() == grown
