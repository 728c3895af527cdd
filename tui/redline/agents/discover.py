"""All sessions of all agents that redline reads, and where it looked for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from redline.model import Agent, SessionInfo

_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Looked:
    """A folder that was looked into: how many sessions it held, and what was wrong with it.

    `problem` is "" where nothing was; a folder that does not exist is no problem.
    """

    agent: Agent
    path: Path
    found: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Discovery:
    """`sessions`, the newest first, and the folders that were looked into."""

    sessions: tuple[SessionInfo, ...]
    looked: tuple[Looked, ...]


@dataclass(frozen=True, slots=True)
class Finder:
    """How the sessions of one agent are found and scanned."""

    agent: Agent
    roots: Callable[[Mapping[str, str] | None], tuple[Path, ...]]
    find: Callable[[Mapping[str, str] | None], Iterator[Path]]
    scan: Callable[[Path], SessionInfo | None]


def finders() -> tuple[Finder, ...]:
    """One for each agent that has a reader."""
    from redline.agents.claude_code import finding as claude_code
    from redline.agents.claude_code.reader import scan as scan_claude_code
    from redline.agents.pi import finding as pi
    from redline.agents.pi.reader import scan as scan_pi

    return (
        Finder(Agent.CLAUDE_CODE, claude_code.roots, claude_code.find, scan_claude_code),
        Finder(Agent.PI, pi.roots, pi.find, scan_pi),
    )


def newest_first(sessions: list[SessionInfo]) -> tuple[SessionInfo, ...]:
    """By the time of the last message; the same order every time."""
    return tuple(sorted(sessions, key=lambda info: (info.updated or _NEVER, info.id), reverse=True))


def discover(environment: Mapping[str, str] | None = None) -> Discovery:
    """The sessions on this machine. Nothing is fatal: what cannot be read is in `looked`."""
    sessions: list[SessionInfo] = []
    looked: list[Looked] = []
    for finder in finders():
        roots = finder.roots(environment)
        found = dict.fromkeys(roots, 0)
        for path in finder.find(environment):
            info = finder.scan(path)
            if info is None:
                if not os.access(path, os.R_OK):
                    looked.append(Looked(finder.agent, path, 0, "cannot be read: no permission"))
                continue
            sessions.append(info)
            root = next((root for root in roots if path.is_relative_to(root)), None)
            if root is not None:
                found[root] += 1
        for root in roots:
            looked.append(Looked(finder.agent, root, found[root], _problem(root)))
            looked += [Looked(finder.agent, path, 0, why) for path, why in _unreadable(root)]
    return Discovery(newest_first(mark_live(sessions, environment)), tuple(looked))


def mark_live(
    sessions: list[SessionInfo], environment: Mapping[str, str] | None
) -> list[SessionInfo]:
    """`sessions` with `live` set for those that a running agent has open."""
    from redline.agents.claude_code.finding import live_sessions

    live = live_sessions(environment)
    return [
        replace(info, live=True) if info.agent is Agent.CLAUDE_CODE and info.id in live else info
        for info in sessions
    ]


def _problem(folder: Path) -> str:
    """Why `folder` cannot be listed, "" where it can or does not exist."""
    try:
        with os.scandir(folder):
            return ""
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _unreadable(root: Path) -> Iterator[tuple[Path, str]]:
    """Folders in `root` that cannot be listed."""
    if _problem(root):
        return
    try:
        with os.scandir(root) as entries:
            folders = sorted(entry.path for entry in entries if os.path.isdir(entry.path))
    except OSError:
        return
    for folder in folders:
        if problem := _problem(Path(folder)):
            yield Path(folder), problem
