"""The undo of a session that redline wrote, as an agent meets it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.agents import liveness
from redline.agents.live_words import live_reason
from redline.errors import RedlineError
from redline.model import Agent, SessionInfo
from redline.places import Places, places
from redline.targets.closed import closed
from redline.targets.commit import commit
from redline.targets.native.native import NATIVE
from redline.targets.receipts import Receipts
from redline.targets.target import SESSION, Change
from redline.targets.undoing import Outcome

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)
ID = "0c0ffee0-0000-4000-8000-000000000001"
RECORD = {
    "type": "user",
    "uuid": "11111111-0000-4000-8000-000000000001",
    "parentUuid": None,
    "sessionId": ID,
    "timestamp": "2026-08-07T11:00:00.000Z",
    "message": {"role": "user", "content": "go on"},
}


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


@pytest.fixture
def session(tmp_path: Path, home: Places) -> Path:
    """A session that was committed."""
    path = tmp_path / "projects" / "-shop" / f"{ID}.jsonl"
    data = json.dumps(RECORD).encode() + b"\n"
    change = Change(NATIVE, "session", data, None, path, path, folders=True)
    commit([change], session="s1", places=home, now=NOW)
    return path


def open_by(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    """Lets every session be one that an agent has open."""
    monkeypatch.setattr(
        liveness,
        "_marked",
        lambda info, marks, now: replace(info, live=True, live_by=told),
    )


def test_an_agent_that_has_the_new_session_open_keeps_it(
    session: Path, home: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_by(monkeypatch, "process 4711 has it open")
    (file,) = Receipts(home).undo(now=NOW).files
    assert file.outcome is Outcome.REFUSED
    assert "process 4711" in file.detail
    assert session.exists()


def test_a_new_session_that_only_redline_has_just_written_goes_away(
    session: Path, home: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_by(monkeypatch, liveness.BY_CHANGE)
    (file,) = Receipts(home).undo(now=NOW).files
    assert file.outcome is Outcome.REMOVED
    assert not session.exists()


def test_a_new_session_in_which_the_agent_went_on_stays(session: Path, home: Places) -> None:
    with session.open("ab") as file:
        file.write(b'{"type":"user"}\n')
    (undone,) = Receipts(home).undo(now=NOW).files
    assert undone.outcome is Outcome.REFUSED
    assert "the session has gone on since" in undone.detail
    assert '+{"type":"user"}' in undone.since
    assert undone.back[1] == "+++ no file"
    assert session.exists()


def test_the_target_of_sessions_is_the_one_that_undo_knows() -> None:
    assert NATIVE == SESSION


def test_a_session_that_is_open_is_refused_with_the_reason_and_what_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = SessionInfo(Agent.PI, "p1", tmp_path / "p1.jsonl")
    closed(info.path, info, environment={}, now=NOW)
    open_by(monkeypatch, "pi runs in its folder")
    with pytest.raises(RedlineError, match="pi runs in its folder") as caught:
        closed(info.path, info, environment={}, now=NOW, recent=False)
    assert "nothing was changed" in caught.value.message
    for way in ("close it", "beside it", "handoff"):
        assert way in caught.value.hint
    for change in (liveness.BY_CHANGE, f"{liveness.SINCE}a pi was started in /home"):
        open_by(monkeypatch, change)
        with pytest.raises(RedlineError, match=live_reason(change)):
            closed(info.path, info, environment={}, now=NOW)
        closed(info.path, info, environment={}, now=NOW, recent=False)
