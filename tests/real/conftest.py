"""The real agents, each in a home of its own with a stand-in for its provider."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from redline.model import Agent
from tests.real.agents import RealAgent, real_agent
from tests.real.api import StandIn, stand_in


@pytest.fixture
def api() -> Iterator[StandIn]:
    with stand_in() as running:
        yield running


@pytest.fixture
def codex(tmp_path: Path, api: StandIn) -> RealAgent:
    return real_agent(Agent.CODEX, tmp_path, api)


@pytest.fixture
def pi(tmp_path: Path, api: StandIn) -> RealAgent:
    real = real_agent(Agent.PI, tmp_path, api)
    models = real.home / ".pi/agent/models.json"
    text = models.read_text().replace('"input": ["text"]', '"input": ["text", "image"]')
    models.write_text(text)
    return real
