"""How an agent is started on a handoff file.

Tried with Claude Code 2.1.197, Codex 0.171.0, pi 1.6.0 and Hermes 0.19.0: Claude Code and pi put a
file that is named with `@` into the first request, from any folder and without asking. Codex takes
`@` for a word. Hermes refuses a file with `@` outside its folder. Both read it when they are told.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from redline.model import Agent, SessionInfo

AGENTS = (Agent.CLAUDE_CODE, Agent.CODEX, Agent.PI, Agent.HERMES)
_READ = "Read {file} first: it is the handoff of the session before. Then go on with it."
_GIVEN = "{file} is the handoff of the session before. Go on with it."
_PROGRAMS: Mapping[Agent, tuple[str, ...]] = {
    Agent.CLAUDE_CODE: ("claude",),
    Agent.CODEX: ("codex",),
    Agent.PI: ("pi",),
    Agent.HERMES: ("hermes", "chat", "-q"),
}


def starting(agent: Agent, handoff: Path) -> tuple[str, ...]:
    """The words of the command that starts `agent` (of an API's messages: Claude Code) so that it
    reads the file `handoff`, a whole path, first."""
    agent = agent if agent in _PROGRAMS else Agent.CLAUDE_CODE
    program = _PROGRAMS[agent]
    if agent is Agent.PI:
        return (*program, f"@{handoff}", _GIVEN.format(file=handoff.name))
    if agent is Agent.CLAUDE_CODE and '"' not in str(handoff):
        return (*program, _GIVEN.format(file=f'@"{handoff}"'))
    return (*program, _READ.format(file=handoff))


def starts(handoff: Path) -> tuple[str, ...]:
    """For each agent the line for a shell that starts it."""
    return tuple(shlex.join(starting(agent, handoff)) for agent in AGENTS)


def command_line(info: SessionInfo, handoff: Path) -> str:
    """The line for a shell that starts the session's agent on `handoff` in its project."""
    words = shlex.join(starting(info.agent, handoff))
    return f"cd {shlex.quote(info.project)} && {words}" if info.project else words
