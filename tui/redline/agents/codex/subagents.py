"""The subagents of a thread: rollouts of their own that name it as their parent."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from redline.agents.codex.names import (
    ARCHIVED,
    created,
    days_around,
    home_of,
    present,
    read_name,
)
from redline.agents.codex.rollout import head_of, open_text
from redline.agents.codex.thread import thread_of
from redline.agents.times import read_time
from redline.errors import RedlineError
from redline.model import Subagent

_BEGINNING = 65_536  # bytes of a file in which its meta names the parent
_MOST_DAYS = 400


def subagents_of(
    path: Path, meta: Mapping[str, Any], calls: Mapping[str, str] | None = None
) -> tuple[Subagent, ...]:
    """The subagents that the thread of `path` began, the oldest first.

    `meta` is the payload of its session_meta, `calls` gives the call that began an agent by the
    agent's thread id. Only files that were begun while the thread was written to are looked at, and
    of those only the start. In a Codex home those of the days around and the archived ones, of a
    file elsewhere those beside it.
    """
    thread = thread_of(meta).id
    if thread is None:
        return ()
    began = created(thread) or read_time(meta.get("timestamp"))
    found: dict[str, Subagent] = {}
    for file in sorted(_begun_since(path, began), key=lambda file: file.name):
        child = _child_of(file, thread)
        if child is not None and child.id not in found:
            call = (calls or {}).get(child.id)
            found[child.id] = Subagent(child.id, file, child.kind, child.description, call)
    return tuple(found.values())


def _begun_since(path: Path, began: datetime | None) -> Iterator[Path]:
    for folder in dict.fromkeys(_folders(path, began)):
        try:
            with os.scandir(folder) as entries:
                names = {entry.name for entry in entries}
        except OSError:
            continue
        for name in names:
            read = read_name(name)
            if read is None or name == path.name:
                continue
            born = created(read.rollout)
            if born is None or began is None or born >= began:
                yield present(folder / name)


def _folders(path: Path, began: datetime | None) -> Iterator[Path]:
    yield path.parent
    home = home_of(path)
    if home is None or began is None:
        return
    yield home / ARCHIVED
    try:
        ended = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        ended = began
    days = min(max(0, (ended - began).days + 1), _MOST_DAYS)
    for day in range(days + 1):
        yield from days_around(began + timedelta(days=day), home)


def _child_of(path: Path, thread: str) -> Subagent | None:
    """The subagent in the file at `path`, None where it is no child of `thread`."""
    try:
        with open_text(path) as (text, _problem):
            if thread.encode() not in text.read(_BEGINNING):
                return None
        meta, _ = head_of(path)
    except (OSError, RedlineError):
        return None
    told = thread_of(meta)
    if told.subagent is None or told.parent != thread or told.id in (None, thread):
        return None
    return Subagent(str(told.id), path, told.subagent, told.label)
