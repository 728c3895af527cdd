"""Where Claude Code keeps its sessions, and which of them are running (2.0 to 2.1.270).

`projects/<folder>/<session>.jsonl` under `CLAUDE_CONFIG_DIR`, by default ~/.claude. The folder is
named after the working directory, not reversibly: which project a session is of, its records say.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import orjson

from redline.agents.folder import entries
from redline.agents.homes import agent_home
from redline.agents.processes import runs
from redline.model import SessionInfo

COMPACTION_AGENT = "acompact"  # how the id of an agent that writes a summary starts
_AGENT_FILE = "agent-"
_SLUG_CHARS = 200
_OTHER = re.compile(r"[^A-Za-z0-9]")


def config_folder(environment: Mapping[str, str] | None = None) -> Path | None:
    """Claude Code's own folder, None where there is no home folder either."""
    env = os.environ if environment is None else environment
    return agent_home(env.get("CLAUDE_CONFIG_DIR"), ".claude", environment)


def roots(environment: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """The folders whose subfolders hold sessions, whether they exist or not."""
    folder = config_folder(environment)
    return (folder / "projects",) if folder is not None else ()


def slug(folder: str) -> str:
    """The folder name for a working directory: each UTF-16 unit but A-Z, a-z, 0-9 is a dash.

    Of a path that is longer than 200 only the start is sure; a hash follows it.
    """
    units = "".join("--" if ord(char) > 0xFFFF else char for char in folder)
    return _OTHER.sub("-", units)[:_SLUG_CHARS]


def find(environment: Mapping[str, str] | None = None) -> Iterator[Path]:
    """Every file that may be a session, each once, however many links lead to it.

    Real folders come before links to them. Subagents' files are not sessions.
    """
    seen: set[str] = set()
    for root in roots(environment):
        top = os.path.realpath(root)
        for folder in entries(root):
            place = _real(folder, top)
            for entry in entries(Path(folder.path)):
                if not entry.name.endswith(".jsonl") or entry.name.startswith(_AGENT_FILE):
                    continue
                real = _real(entry, place)
                if real not in seen and os.path.isfile(entry.path):
                    seen.add(real)
                    yield Path(entry.path)


def _real(entry: os.DirEntry[str], folder: str) -> str:
    """Where an entry of the folder that lies at `folder` lies; only a link has to be asked."""
    return os.path.realpath(entry.path) if entry.is_symlink() else os.path.join(folder, entry.name)


def find_asides(environment: Mapping[str, str] | None = None) -> Iterator[Path]:
    """The files of subagents: in the folder of their session, or beside it (up to 2.0.x)."""
    seen: set[str] = set()
    for root in roots(environment):
        top = os.path.realpath(root)
        for folder in entries(root):
            place = _real(folder, top)
            if place in seen:
                continue
            seen.add(place)
            for entry in entries(Path(folder.path)):
                if entry.name.startswith(_AGENT_FILE):
                    yield from _subagent(entry.path, entry.name)
                elif not entry.name.endswith(".jsonl") and entry.is_dir():
                    for inner, _, names in os.walk(os.path.join(entry.path, "subagents")):
                        for name in sorted(names):
                            yield from _subagent(os.path.join(inner, name), name)


def _subagent(path: str, name: str) -> Iterator[Path]:
    """The file where it is one of a subagent; what compacts only retells its session."""
    compacts = name.startswith(f"{_AGENT_FILE}{COMPACTION_AGENT}")
    if name.startswith(_AGENT_FILE) and name.endswith(".jsonl") and not compacts:
        yield Path(path)


def unlisted(path: Path, ident: str) -> SessionInfo | None:
    """The subagent with that id of the session in the file at `path`, which lists leave to it."""
    from redline.agents.claude_code.scan import scan

    name = f"{_AGENT_FILE}{ident.removeprefix(_AGENT_FILE)}.jsonl"
    for place in (path.with_suffix("") / "subagents" / name, path.with_name(name)):
        try:
            if place.is_file():
                return scan(place)
        except (OSError, ValueError):  # a name that no file can have
            return None
    return None


def live_sessions(environment: Mapping[str, str] | None = None) -> frozenset[str]:
    """The ids of sessions that a running process has open, by the agent's own registry."""
    folder = config_folder(environment)
    if folder is None:
        return frozenset()
    found = set()
    for entry in entries(folder / "sessions"):
        stem, dot, ending = entry.name.partition(".")
        if ending != "json" or not dot or not stem.isdecimal():
            continue
        try:
            value = orjson.loads(Path(entry.path).read_bytes())
        except (OSError, ValueError):
            continue
        named = value.get("sessionId") if isinstance(value, dict) else None
        # 2.1.197 notes when the process was started, as Linux counts it
        if isinstance(named, str) and runs(int(stem), value.get("procStart")):
            found.add(named)
    return frozenset(found)


def live(
    infos: Sequence[SessionInfo], environment: Mapping[str, str] | None = None
) -> Mapping[str, str]:
    """Which of `infos` are in use, by the registry; without one it tells nothing."""
    folder = config_folder(environment)
    if folder is None or not (folder / "sessions").is_dir():
        return {}
    running = live_sessions(environment)
    return {info.id: "registry" if info.id in running else "" for info in infos}
