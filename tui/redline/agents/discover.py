"""All sessions of all agents that redline reads, and where it looked for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from redline.agents.finder import DAMAGED, Finder, Looked, file_mark, file_stamp
from redline.agents.liveness import mark_live
from redline.model import Agent, SessionInfo

__all__ = [
    "Discovery",
    "Looked",
    "discover",
    "each_finder",
    "finder_of",
    "finders",
    "newest_first",
]

_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Discovery:
    """`sessions`, the newest first, and the folders that were looked into."""

    sessions: tuple[SessionInfo, ...]
    looked: tuple[Looked, ...]


def finders() -> tuple[Finder, ...]:
    """One for each agent."""
    return tuple(each_finder())


def each_finder() -> Iterator[Finder]:
    """Them one by one: who needs no more of them does not wait until the rest is loaded."""
    return (make() for make in _MAKERS.values())


def finder_of(agent: Agent) -> Finder | None:
    """That of `agent`; None for plain messages, which are nowhere to be found."""
    return _MAKERS[agent]() if agent in _MAKERS else None


def _claude_code() -> Finder:
    from redline.agents.claude_code import finding
    from redline.agents.claude_code.passages import passages
    from redline.agents.claude_code.reader import scan

    return Finder(
        Agent.CLAUDE_CODE,
        finding.roots,
        finding.find,
        _one(scan),
        file_stamp,
        passages,
        file_mark,
        finding.live,
        finding.unlisted,
        variables=("CLAUDE_CONFIG_DIR",),
        asides=_one(scan),
        find_asides=finding.find_asides,
    )


def _codex() -> Finder:
    from redline.agents.codex.finder import CODEX

    return CODEX


def _pi() -> Finder:
    from redline.agents.pi import finding, liveness
    from redline.agents.pi.passages import passages
    from redline.agents.pi.reader import scan

    return Finder(
        Agent.PI,
        finding.roots,
        finding.find,
        _one(scan),
        file_stamp,
        passages,
        file_mark,
        liveness.live,
        variables=("PI_CODING_AGENT_SESSION_DIR", "PI_CODING_AGENT_DIR"),
    )


def _hermes() -> Finder:
    from redline.agents.hermes.finder import HERMES

    return HERMES


_MAKERS: Mapping[Agent, Callable[[], Finder]] = {
    Agent.CLAUDE_CODE: _claude_code,
    Agent.CODEX: _codex,
    Agent.PI: _pi,
    Agent.HERMES: _hermes,
}


def _one(scan: Callable[[Path], SessionInfo | None]) -> Callable[[Path], tuple[SessionInfo, ...]]:
    """`scan` of an agent whose files hold one session each."""

    def listed(path: Path) -> tuple[SessionInfo, ...]:
        info = scan(path)
        return () if info is None else (info,)

    return listed


def newest_first(sessions: list[SessionInfo]) -> tuple[SessionInfo, ...]:
    """By the time of the last message; the same order every time."""
    return tuple(sorted(sessions, key=lambda info: (info.updated or _NEVER, info.id), reverse=True))


def discover(environment: Mapping[str, str] | None = None) -> Discovery:
    """The sessions on this machine. Nothing is fatal: what cannot be read is in `looked`."""
    found = look(environment)
    sessions = [info for file in found.files for info in file.held.infos]
    return Discovery(newest_first(mark_live(sessions, environment)), found.looked)


@dataclass(frozen=True, slots=True)
class Held:
    """The sessions of a file: those that lists show, and those they leave to another one."""

    infos: tuple[SessionInfo, ...] = ()
    asides: tuple[SessionInfo, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file that may hold sessions, and those it holds. `stamp` is from before it was read."""

    finder: Finder
    path: Path
    stamp: str
    held: Held


@dataclass(frozen=True, slots=True)
class Look:
    """The files that were found, and the folders that were looked into."""

    files: tuple[FoundFile, ...]
    looked: tuple[Looked, ...]


Known = Callable[[Finder, Path, str], Held | None]


def look(
    environment: Mapping[str, str] | None = None,
    known: Known = lambda _finder, _path, _stamp: None,
    seen: Callable[[int], object] = lambda _count: None,
    *,
    asides: bool = False,
) -> Look:
    """Every file that may hold sessions. Nothing is fatal: what cannot be read is in `looked`.

    `known` gives what a file of that stamp was seen to hold, None where it has to be read. `seen`
    is called with the number of files so far, and may raise to end it. With `asides` those are
    looked for, too.
    """
    files: list[FoundFile] = []
    looked: list[Looked] = []
    for finder in finders():
        roots = finder.roots(environment)
        found = dict.fromkeys(roots, 0)
        starts = [(os.path.join(root, ""), root) for root in roots]
        for path in finder.find(environment):
            seen(len(files))
            file, problem = _found_file(finder, path, known, asides)
            files.append(file)
            if problem:
                looked.append(Looked(finder.agent, path, 0, problem))
            name = str(path)
            root = next((root for start, root in starts if name.startswith(start)), None)
            if root is not None:
                found[root] += len(file.held.infos)
        for path in finder.find_asides(environment) if asides else ():
            seen(len(files))
            stamp = finder.stamp(path)
            held = known(finder, path, stamp) or Held((), finder.asides(path))
            files.append(FoundFile(finder, path, stamp, held))
        for root in roots:
            looked.append(Looked(finder.agent, root, found[root], _problem(root)))
            looked += [
                Looked(finder.agent, path, 0, why) for path, why in _unreadable(root, finder.depth)
            ]
    return Look(tuple(files), tuple(looked))


def _found_file(finder: Finder, path: Path, known: Known, asides: bool) -> tuple[FoundFile, str]:
    """A file with what it holds, and what was wrong with it; such a file has no stamp, so that it
    is looked into every time."""
    stamp = finder.stamp(path)
    held = known(finder, path, stamp) if stamp else None
    if held is None:
        infos = finder.scan(path)
        held = Held(infos, finder.asides(path) if asides and not infos else ())
    problem = ""
    damaged = any(info.title.startswith(DAMAGED) for info in (*held.infos, *held.asides))
    if damaged:
        return FoundFile(finder, path, stamp, held), finder.problem(path)
    if not held.infos and not held.asides:
        readable = os.access(path, os.R_OK)
        problem = finder.problem(path) if readable else "cannot be read: no permission"
    return FoundFile(finder, path, "" if problem else stamp, held), problem


def _problem(folder: Path) -> str:
    """Why `folder` cannot be listed, "" where it can or does not exist."""
    try:
        with os.scandir(folder):
            return ""
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _unreadable(root: Path, depth: int) -> Iterator[tuple[Path, str]]:
    """Folders in `root` that cannot be listed, and in those at most `depth` deep."""
    try:
        with os.scandir(root) as entries:
            folders = sorted(entry.path for entry in entries if os.path.isdir(entry.path))
    except OSError:
        return
    for folder in folders:
        if problem := _problem(Path(folder)):
            yield Path(folder), problem
        elif depth > 1:
            yield from _unreadable(Path(folder), depth - 1)
