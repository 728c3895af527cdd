"""A receipt: what a commit wrote, what was there before, and the way back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Written:
    """One file of a commit. Hashes are SHA-256 hex; `before` is None where there was no file."""

    target: str
    path: Path
    before: str | None
    after: str
    mode: int | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """`id` sorts by time. `undone` is when it was taken back, `state` "writing" while a crash could
    have cut it short."""

    id: str
    time: datetime
    session: str
    project: str | None
    written: tuple[Written, ...]
    state: str = "done"
    undone: datetime | None = None
