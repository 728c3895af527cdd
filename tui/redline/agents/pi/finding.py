"""Where pi keeps its sessions (1.6.0).

`PI_CODING_AGENT_SESSION_DIR`, else `sessionDir` of the settings: files lie flat in it. Else
`sessions/--<working directory>--/` in the agent's folder (`PI_CODING_AGENT_DIR`, ~/.pi/agent).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from redline.agents.folder import entries
from redline.agents.homes import agent_home, beneath_home


def agent_folder(environment: Mapping[str, str] | None = None) -> Path | None:
    """pi's own folder: settings, models and, by default, sessions."""
    env = os.environ if environment is None else environment
    return agent_home(env.get("PI_CODING_AGENT_DIR"), ".pi/agent", environment)


def read_settings(path: Path) -> Mapping[str, Any]:
    """A settings file of pi, empty where it is missing or broken."""
    try:
        found = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _session_folder(environment: Mapping[str, str] | None) -> Path | None:
    """The folder the user chose for sessions, None where the default holds."""
    env = os.environ if environment is None else environment
    if named := env.get("PI_CODING_AGENT_SESSION_DIR"):
        return beneath_home(named, environment)
    folder = agent_folder(environment)
    stated = read_settings(folder / "settings.json").get("sessionDir") if folder else None
    return beneath_home(stated, environment) if isinstance(stated, str) and stated else None


def roots(environment: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """The folders that may hold sessions, whether they exist or not: the chosen one first, then
    the default one (sessions from before the choice are still there)."""
    found = []
    chosen = _session_folder(environment)
    if chosen is not None:
        found.append(chosen)
    folder = agent_folder(environment)
    if folder is not None:
        found.append(folder / "sessions")
    return tuple(dict.fromkeys(found))


def find(environment: Mapping[str, str] | None = None) -> Iterator[Path]:
    """Every file that may be a pi session, each once, however many links lead to it."""
    seen: set[str] = set()
    for root in roots(environment):
        for path in _files(root):
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                yield path


def _files(root: Path) -> Iterator[Path]:
    """The .jsonl files in `root` and in its folders."""
    for entry in entries(root):
        if entry.name.endswith(".jsonl") and os.path.isfile(entry.path):
            yield Path(entry.path)
        elif os.path.isdir(entry.path):
            for inner in entries(Path(entry.path)):
                if inner.name.endswith(".jsonl") and os.path.isfile(inner.path):
                    yield Path(inner.path)
