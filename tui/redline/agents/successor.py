"""Where an agent went on: the session of a project that was written to last."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from redline.agents.discover import finders
from redline.model import Agent, SessionInfo

_NEVER = datetime.min.replace(tzinfo=UTC)


def successor(
    info: SessionInfo, environment: Mapping[str, str] | None = None
) -> SessionInfo | None:
    """The session of the same agent and project that was written to last, where that was after
    `info` was; None where `info` is the last one, or of no project."""
    if info.project is None:
        return None
    since = _changed(info.path)
    for finder in finders():
        if finder.agent is not info.agent:
            continue
        changed = [(time, path) for path in finder.find(environment) if (time := _changed(path))]
        for time, path in sorted(changed, reverse=True):
            same = path == info.path or os.path.realpath(path) == os.path.realpath(info.path)
            if time < since or (same and info.agent is not Agent.HERMES):
                return None
            found = [
                replace(other, path=info.path) if same else other
                for other in finder.scan(path)
                if other.id != info.id and _same_project(other, info)
            ]
            if same:  # one database: what was written last is told by its messages
                found = [each for each in found if _updated(each) > _updated(info)]
            if found:
                return max(found, key=_updated)
    return None


def _same_project(one: SessionInfo, other: SessionInfo) -> bool:
    if one.project is None or other.project is None:
        return False
    return os.path.realpath(one.project) == os.path.realpath(other.project)


def _updated(info: SessionInfo) -> datetime:
    return info.updated or _NEVER


def _changed(path: Path) -> int:
    """When a file was written to, in nanoseconds; 0 where it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
