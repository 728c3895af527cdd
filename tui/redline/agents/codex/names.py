"""Names of rollout files, and where the file of a rollout lies.

`rollout-<local time>-<thread id>.jsonl`, since 2026-07 also `-<thread id>_<rollout id>.jsonl` for a
thread that was reverted; `.zst` behind it where Codex compressed the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from redline.agents.codex.packed import SUFFIX

SESSIONS = "sessions"
ARCHIVED = "archived_sessions"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_NAME = re.compile(
    r"rollout-(?:(?P<time>\d{4}-\d\d-\d\d(?:T\d\d-\d\d-\d\d)?)-)?"
    rf"(?P<thread>{_UUID})(?:_(?P<rollout>{_UUID}))?\.(?:jsonl(?:\.zst)?|json)"
)


@dataclass(frozen=True, slots=True)
class RolloutName:
    """What a file name tells. `rollout` is `thread` but for a thread that was reverted."""

    thread: str
    rollout: str
    time: str


def read_name(name: str) -> RolloutName | None:
    """The parts of a rollout's file name, None where it is no such name."""
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    thread = found["thread"].lower()
    return RolloutName(thread, (found["rollout"] or thread).lower(), found["time"] or "")


def present(path: Path) -> Path:
    """The file that holds the rollout now: the plain one where both are there, as in Codex; the
    plain name where neither is."""
    plain = path.with_name(path.name.removesuffix(SUFFIX))
    packed = plain.with_name(plain.name + SUFFIX)
    return packed if not plain.exists() and packed.exists() else plain


def home_of(path: Path) -> Path | None:
    """The Codex home that the rollout at `path` lies in, None where it lies elsewhere."""
    for folder in path.parents:
        if folder.name in (SESSIONS, ARCHIVED):
            return folder.parent
    return None


def find_rollout(rollout: str, near: Path) -> Path | None:
    """The file of the rollout with that id: beside `near`, else anywhere in its Codex home."""
    wanted = rollout.lower()
    home = home_of(near)
    folders = [near.parent, *_likely(wanted, home)]
    for folder in dict.fromkeys(folders):
        if (found := _named(wanted, _files(folder))) is not None:
            return found
    if home is None:
        return None
    for top in (home / SESSIONS, home / ARCHIVED):
        for base, _folders, files in os.walk(top):
            if (found := _named(wanted, ((name, Path(base, name)) for name in files))) is not None:
                return found
    return None


def replaced(paths: Iterable[Path]) -> set[Path]:
    """Those of `paths` that a later rollout of the same thread took the place of (a revert)."""
    read = {path: name for path in paths if (name := read_name(path.name)) is not None}
    newest: dict[str, str] = {}
    for name in read.values():
        newest[name.thread] = max(name.rollout, newest.get(name.thread, ""))
    return {path for path, name in read.items() if name.rollout != newest[name.thread]}


def created(rollout: str) -> datetime | None:
    """When an id of version 7 was made, None of another."""
    digits = rollout.replace("-", "")
    if len(digits) != 32 or digits[12] != "7":
        return None
    try:
        return datetime.fromtimestamp(int(digits[:12], 16) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def days_around(moment: datetime, home: Path) -> Iterator[Path]:
    """The folders of sessions that were begun within a day of `moment`: they bear local dates."""
    for days in (0, -1, 1):
        try:
            day = moment + timedelta(days=days)
        except OverflowError:
            continue
        yield home / SESSIONS / f"{day.year:04}" / f"{day.month:02}" / f"{day.day:02}"


def _likely(rollout: str, home: Path | None) -> Iterator[Path]:
    if home is None:
        return
    moment = created(rollout)
    if moment is not None:
        yield from days_around(moment, home)
    yield home / ARCHIVED


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    try:
        with os.scandir(folder) as entries:
            yield from [(entry.name, Path(entry.path)) for entry in entries]
    except OSError:
        return


def _named(rollout: str, files: Iterator[tuple[str, Path]]) -> Path | None:
    for name, path in files:
        read = read_name(name)
        if read is not None and read.rollout == rollout:
            return present(path)
    return None
