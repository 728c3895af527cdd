"""A home that holds nothing, for readers and commands alike."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.faults.dialects import AGENTS, CLAUDE_CODE, DIALECTS, WRITERS, Dialect, Prompt, Reply
from tests.faults.surfaces import Commands

TALK = (Prompt("Never touch src/legacy. Fix the login"), Reply("Fixed."))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    for name in (
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "PI_CODING_AGENT_DIR",
        "PI_CODING_AGENT_SESSION_DIR",
        "HERMES_HOME",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("REDLINE_HOME", str(tmp_path / "redline"))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture(params=DIALECTS, ids=lambda dialect: dialect.name)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    """Each form of file that holds one record a line."""
    found: Dialect = request.param
    return found


@pytest.fixture(params=WRITERS, ids=lambda dialect: dialect.name)
def writer(request: pytest.FixtureRequest) -> Dialect:
    """Each form that a session has, lines or not."""
    found: Dialect = request.param
    return found


@pytest.fixture(params=AGENTS, ids=lambda dialect: dialect.name)
def agent(request: pytest.FixtureRequest) -> Dialect:
    """Each agent whose sessions are found and listed."""
    found: Dialect = request.param
    return found


@pytest.fixture
def commands(capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(capsys)


@pytest.fixture
def shop(home: Path, tmp_path: Path, commands: Commands) -> Path:
    """A project with one session of Claude Code in it whose rule is confirmed."""
    return project_of(CLAUDE_CODE, home, tmp_path, commands)


def project_of(agent: Dialect, home: Path, tmp_path: Path, commands: Commands) -> Path:
    """The folder of a project with one session of `agent`, the working folder from now on."""
    folder = tmp_path / "shop"
    folder.mkdir()
    agent.write(home, *TALK, cwd=str(folder))
    os.chdir(folder)
    assert commands.run("rules", "last", "confirm", "--all")[0] == 0
    return folder
