"""The file that a session's rules belong into."""

from __future__ import annotations

import os
from pathlib import Path

from redline.errors import RedlineError
from redline.model import Agent, SessionInfo

CLAUDE, AGENTS = "CLAUDE.md", "AGENTS.md"
OVERRIDE = "AGENTS.override.md"  # where it is, Codex does not read the AGENTS.md beside it


def rules_files(agent: Agent, project: str | None = None) -> tuple[str, ...]:
    """The names of the files that agents read in a project, the one that `agent` reads first."""
    if agent is Agent.CLAUDE_CODE:
        return CLAUDE, AGENTS
    overridden = agent is Agent.CODEX and project and os.path.isfile(Path(project) / OVERRIDE)
    return (OVERRIDE, AGENTS, CLAUDE) if overridden else (AGENTS, CLAUDE)


def rules_file(info: SessionInfo, name: str | None = None) -> Path:
    """The file `name` in the session's project, without it the one that its agent reads.

    Raises RedlineError where the session names no folder, or one that is not on this machine.
    """
    if not info.project or not os.path.isabs(info.project):
        raise RedlineError(
            "the session does not say which folder it belongs to", "name the file with --to"
        )
    if not os.path.isdir(info.project):
        raise RedlineError(
            f"the session's project {info.project} is not on this machine",
            "name the file with --to",
        )
    return Path(info.project) / (name or rules_files(info.agent, info.project)[0])
