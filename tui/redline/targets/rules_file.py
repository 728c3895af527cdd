"""The file that a session's rules belong into."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Mapping
from pathlib import Path

from redline.agents.codex.instructions import names as codex_names
from redline.agents.hermes.instructions import NAMES as HERMES_NAMES
from redline.agents.pi.instructions import NAMES as PI_NAMES
from redline.errors import RedlineError
from redline.model import Agent, SessionInfo

CLAUDE, AGENTS = "CLAUDE.md", "AGENTS.md"
OVERRIDE = "AGENTS.override.md"  # where it is, Codex and pi do not read the AGENTS.md beside it
LOCAL = "CLAUDE.local.md"
# Names of files that lie in the project, wherever they are named.
OF_PROJECT = (CLAUDE, f".claude/{CLAUDE}", LOCAL, AGENTS, OVERRIDE, ".claude/rules/*.md")


def rules_files(
    agent: Agent,
    project: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """The names of the files that agents read in a project, the one that `agent` reads first: of
    several, what it would go on to read if one more were made beside it."""
    usual = (CLAUDE, AGENTS) if agent is Agent.CLAUDE_CODE else (AGENTS, CLAUDE)
    read = _read(agent, project, environment)
    return tuple(dict.fromkeys((*([read] if read else []), *usual)))


def _read(agent: Agent, project: str | None, environment: Mapping[str, str] | None) -> str | None:
    """The file of the project that `agent` reads already."""
    if not project or not os.path.isabs(project):
        return None
    folder = Path(project)
    match agent:
        case Agent.CLAUDE_CODE:
            names: tuple[str, ...] = (CLAUDE, f".claude/{CLAUDE}")
        case Agent.CODEX:
            names = codex_names(folder, environment)
        case Agent.PI:
            names = PI_NAMES
        case Agent.HERMES:
            names = HERMES_NAMES
        case _:
            return None
    return next((name for name in names if _is_file(folder / name)), None)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file system can hold
        return False


def is_of_project(name: str) -> bool:
    """Whether `name` is a file of instructions that lies in the project: relative, and known."""
    return any(fnmatch.fnmatchcase(os.path.normpath(name), known) for known in OF_PROJECT)


def rules_file(
    info: SessionInfo, name: str | None = None, environment: Mapping[str, str] | None = None
) -> Path:
    """The file `name` in the session's project, without it the one that its agent reads.

    Raises RedlineError where the session names no folder, or one that is not on this machine.
    """
    folder = project_of(info)
    return folder / (name or rules_files(info.agent, info.project, environment)[0])


def project_of(info: SessionInfo) -> Path:
    """The folder of the session. Raises RedlineError as `rules_file` does."""
    if not info.project or not os.path.isabs(info.project):
        raise RedlineError(
            "the session does not say which folder it belongs to", "name the file with --to"
        )
    if not os.path.isdir(info.project):
        raise RedlineError(
            f"the session's project {info.project} is not on this machine",
            "name the file with --to",
        )
    return Path(info.project)
