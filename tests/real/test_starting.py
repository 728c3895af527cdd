"""The real agents start on a handoff file: what they send is the judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redline.agents.opening import open_session
from redline.handoff.handed_in import handed_in
from redline.handoff.handoff import Constraint, Handoff
from redline.handoff.markdown import parse, render
from redline.model import Agent
from redline.targets.starting import AGENTS, starting
from tests.real.agents import RealAgent, real_agent
from tests.real.api import StandIn

pytestmark = pytest.mark.real

HANDOFF = Handoff(
    goal="Finish the shop by ZEBRA-7731",
    constraints=(Constraint("Never push to main", confirmed=True),),
    transcript="/sessions/shop.jsonl",
)
ATTACHED = (Agent.CLAUDE_CODE, Agent.PI)
WHOLE = {Agent.CLAUDE_CODE: ("-p",), Agent.PI: ("-p",)}  # asked once, without a screen


def words(agent: Agent, file: Path) -> tuple[str, ...]:
    """The words behind the program, so that the agent answers once and ends."""
    rest = starting(agent, file)[1:]
    if agent is Agent.CODEX:
        return ("exec", "--skip-git-repo-check", *rest)
    return (*WHOLE.get(agent, ()), *rest)


@pytest.mark.parametrize("agent", AGENTS)
def test_the_command_starts_the_agent_and_the_handoff_is_what_it_begins_with(
    agent: Agent, tmp_path: Path, api: StandIn
) -> None:
    real = real_agent(agent, tmp_path, api)
    file = tmp_path / "my handoffs" / "it's one.md"
    file.parent.mkdir()
    file.write_text(render(HANDOFF))
    file.chmod(0o600)
    real.run(*words(agent, file))
    sent = "\n".join(json.dumps(body, ensure_ascii=False) for body in api.requests)
    assert "the handoff of the session before" in sent
    if agent in ATTACHED:
        assert "ZEBRA-7731" in sent
        assert handed_on(real) == HANDOFF.goal
    else:
        assert str(file) in sent


def handed_on(real: RealAgent) -> str:
    """The goal of the handoff that the session which the agent wrote began with."""
    (path,) = [
        path
        for path in real.home.rglob("*.jsonl")
        if "projects" in path.parts or "sessions" in path.parts
    ]
    return parse(handed_in(open_session(path))).goal
