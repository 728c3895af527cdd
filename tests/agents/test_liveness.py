"""Whether a session is in use, and what tells so."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from redline.agents.liveness import mark_live
from redline.agents.processes import runs
from redline.model import Agent, SessionInfo

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
NO_PROCESS = 999_999_999


def info(folder: Path, agent: Agent, *, seconds: float = -10) -> SessionInfo:
    """A session whose file was written to so many seconds after NOW."""
    path = folder / "session.jsonl"
    path.touch()
    os.utime(path, (NOW.timestamp() + seconds,) * 2)
    return SessionInfo(agent, "s1", path)


def live(found: SessionInfo, home: Path) -> tuple[bool, str]:
    (marked,) = mark_live([found], {"HOME": str(home)}, NOW)
    return marked.live, marked.live_by


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(-10, True), (-119, True), (-121, False), (60, True), (3_600, False), (-1e9, False)],
)
def test_a_session_of_pi_is_live_by_a_recent_change(
    seconds: float, expected: bool, tmp_path: Path
) -> None:
    found = info(tmp_path, Agent.PI, seconds=seconds)
    assert live(found, tmp_path) == (expected, "a recent change" if expected else "")


def test_a_file_that_is_gone_is_not_live(tmp_path: Path) -> None:
    found = replace(info(tmp_path, Agent.PI), path=tmp_path / "gone.jsonl")
    assert live(found, tmp_path) == (False, "")


def test_a_file_that_is_gone_is_not_live_though_its_agent_runs(tmp_path: Path) -> None:
    found = info(tmp_path, Agent.CLAUDE_CODE)
    register(tmp_path, os.getpid(), sessionId="s1")
    assert live(found, tmp_path)[1] == "registry"
    found.path.unlink()
    assert live(found, tmp_path) == (False, "")


@pytest.mark.parametrize("agent", [Agent.HERMES, Agent.MESSAGES])
def test_a_session_is_not_live_because_another_one_of_its_file_is(
    agent: Agent, tmp_path: Path
) -> None:
    old = replace(info(tmp_path, agent), updated=NOW - timedelta(hours=1))
    assert live(old, tmp_path) == (False, "")
    assert live(replace(old, updated=NOW - timedelta(seconds=5)), tmp_path)[0]
    assert not live(replace(old, updated=None), tmp_path)[0]


def register(home: Path, process: int, **fields: object) -> None:
    folder = home / ".claude" / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{process}.json").write_text(json.dumps({"sessionId": "s1", **fields}))


def test_claude_code_is_live_by_its_registry_only(tmp_path: Path) -> None:
    found = info(tmp_path, Agent.CLAUDE_CODE)
    assert live(found, tmp_path) == (True, "a recent change")  # no registry: an older version
    register(tmp_path, NO_PROCESS)
    assert live(found, tmp_path) == (False, "")
    register(tmp_path, os.getpid())
    assert live(found, tmp_path) == (True, "registry")


def test_a_number_that_another_process_has_now_is_not_the_agents(tmp_path: Path) -> None:
    found = info(tmp_path, Agent.CLAUDE_CODE, seconds=-9_999)
    register(tmp_path, os.getpid(), procStart="1")
    started = Path(f"/proc/{os.getpid()}/stat")
    assert live(found, tmp_path) == ((False, "") if started.exists() else (True, "registry"))


@pytest.mark.parametrize("start", [None, 17, "", "Mon Nov 30 09:00:00 2026", "17"])
def test_a_process_is_the_same_one_unless_its_start_says_otherwise(
    start: object, tmp_path: Path
) -> None:
    own = tmp_path / str(os.getpid())
    own.mkdir()
    (own / "stat").write_text(f"{os.getpid()} (a (strange) name) S {'0 ' * 18}17 0")
    assert runs(os.getpid(), start, tmp_path)
    assert not runs(os.getpid(), "18", tmp_path)
    assert runs(os.getpid(), "18", tmp_path / "nowhere")


@pytest.mark.parametrize("number", [0, -1, NO_PROCESS, 10**30])
def test_a_number_no_process_has_is_none(number: int) -> None:
    assert not runs(number)


@pytest.mark.parametrize("content", ["", "[]", "null", '{"sessionId": 3}', '{"sessionId"'])
def test_a_broken_entry_of_the_registry_says_nothing(content: str, tmp_path: Path) -> None:
    found = info(tmp_path, Agent.CLAUDE_CODE)
    register(tmp_path, os.getpid())
    (tmp_path / ".claude" / "sessions" / f"{os.getpid()}.json").write_text(content)
    assert live(found, tmp_path) == (False, "")
