"""Finds the session that a person names: a path, an id, an id's start, or `last`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from redline.agents.codex.names import replaced
from redline.agents.discover import Looked, discover, finders, newest_first
from redline.agents.liveness import SEVERAL, mark_live
from redline.agents.opening import recognise
from redline.errors import RedlineError
from redline.model import Agent, SessionInfo

LAST = "last"
_LISTED = 8


def resolve(
    text: str,
    *,
    cwd: Path,
    environment: Mapping[str, str] | None = None,
    cache: Path | None = None,
) -> SessionInfo:
    """The session called `text`; relative paths and `last` are seen from `cwd`.

    `PATH#ID` names one session of a file that holds several. `cache` is the catalogue's file,
    without which every file of every agent is looked into. An id that lists leave out (a
    subagent's) has to be whole.
    Raises RedlineError where there is none, or where the start of an id fits several.
    """
    name = text.strip()
    if not name:
        raise RedlineError("no session is named", "give a path, an id, an id's start, or `last`")
    if name == LAST:
        return _last(cwd, environment, cache)
    path, inner = _as_path(name, cwd), None
    if path is None or not path.is_file():
        outer, mark, rest = name.rpartition("#")
        file = _as_path(outer, cwd) if mark and rest else None
        if file is not None and file.is_file():
            path, inner = file, rest
    if path is not None:
        return mark_live([recognise(path, inner)], environment)[0]
    return _by_id(name, environment, cache)


def _as_path(name: str, cwd: Path) -> Path | None:
    """The path that `name` means, None where it is rather an id."""
    try:
        path = cwd / Path(name).expanduser()
        if path.is_file():
            return path
    except (OSError, ValueError, RuntimeError):  # a name no path can have, or no home folder
        return None
    looks_like_one = os.sep in name or name.endswith((".jsonl", ".json")) or name.startswith("~")
    return path if looks_like_one else None


def _sessions(
    environment: Mapping[str, str] | None, cache: Path | None
) -> tuple[tuple[SessionInfo, ...], tuple[Looked, ...]]:
    """Every session, newest first, and where they were looked for."""
    if cache is None:
        found = discover(environment)
        return found.sessions, found.looked
    from redline.catalogue.catalogue import Catalogue
    from redline.catalogue.refresh import refresh

    refreshed = refresh(Catalogue(cache), environment, texts=False)
    return refreshed.sessions, refreshed.looked


def _none(what: str, looked: Sequence[Looked]) -> RedlineError:
    """There is none; where it may lie in what could not be read, that is named."""
    unread = [f"{one.path} {one.problem}" for one in looked if one.problem]
    if not unread:
        return RedlineError(what, "`redline sessions` lists what there is")
    also = "\n".join(f"also, {one}" for one in unread[1:_LISTED])
    more = f"\nand {len(unread) - _LISTED} more" if len(unread) > _LISTED else ""
    hint = "make it readable, or name the session by its path; `redline doctor` tells all of it"
    return RedlineError(f"{what}, but {unread[0]}", "\n".join(filter(None, (also + more, hint))))


def _by_id(name: str, environment: Mapping[str, str] | None, cache: Path | None) -> SessionInfo:
    sessions, looked = _sessions(environment, cache)
    fitting = [info for info in sessions if info.id.startswith(name)]
    former = replaced(info.path for info in fitting if info.agent is Agent.CODEX)
    fitting = [info for info in fitting if info.path not in former]
    exact = [info for info in fitting if info.id == name]
    found = newest_first(exact or fitting or _unlisted(name, environment))
    if not found:
        raise _none(f"no session is called {name!r}", looked)
    if len(found) > 1:
        raise RedlineError(
            f"{name!r} is the start of {len(found)} sessions"
            if not exact
            else f"{len(found)} sessions have the id {name!r}",
            "give more of it, or the path:\n" + "\n".join(_line(info) for info in found[:_LISTED]),
        )
    return mark_live([found[0]], environment)[0]


def _unlisted(name: str, environment: Mapping[str, str] | None) -> list[SessionInfo]:
    """Sessions with exactly this id that lists leave out."""
    found = (
        finder.unlisted(path, name) for finder in finders() for path in finder.find(environment)
    )
    return list({info.path: info for info in found if info is not None}.values())


def _line(info: SessionInfo) -> str:
    return f"  {info.id}  {info.agent.value}  {path_of(info)}"


def path_of(info: SessionInfo) -> str:
    """The path that names `info` and no other: `PATH#ID` where a file holds several."""
    return f"{info.path}#{info.id}" if info.agent in SEVERAL else str(info.path)


def _last(cwd: Path, environment: Mapping[str, str] | None, cache: Path | None) -> SessionInfo:
    """The newest session of the project at `cwd`, or of the nearest folder above it."""
    sessions, looked = _sessions(environment, cache)
    for folder in (cwd, *cwd.parents):
        names = [folder, Path(os.path.realpath(folder))]
        for info in sessions:
            if _is_of(info, names):
                return mark_live([info], environment)[0]
    raise _none(f"there is no session of the project at {cwd}", looked)


def _is_of(info: SessionInfo, folders: list[Path]) -> bool:
    if info.project is None or not os.path.isabs(info.project):
        return False
    try:
        return Path(info.project) in folders or Path(os.path.realpath(info.project)) in folders
    except ValueError:  # a session may say what it likes
        return False
