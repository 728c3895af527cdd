"""How the work goes on from a handoff file: the command that starts the agent with it."""

from __future__ import annotations

import shlex
from pathlib import Path

from redline.model import Agent, SessionInfo

_PROGRAM = {
    Agent.CLAUDE_CODE: "claude",
    Agent.CODEX: "codex",
    Agent.PI: "pi",
    Agent.HERMES: "hermes chat -q",
    Agent.MESSAGES: "claude",
}


def command_onward(info: SessionInfo, handoff: Path) -> str:
    """The shell command that starts the session's agent in its project, reading `handoff` first."""
    prompt = f"Read {handoff} first: it is the handoff of the session before. Then go on with it."
    start = f"{_PROGRAM.get(info.agent, 'claude')} {shlex.quote(prompt)}"
    return f"cd {shlex.quote(info.project)} && {start}" if info.project else start
