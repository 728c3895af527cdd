"""A receipt: what a commit wrote, what was there before, and the way back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from redline.targets.target import APPEND, DEED

WRITING = "writing"
CUT = "cut short"
DONE = "done"
DAMAGED = "damaged"
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Written:
    """One file of a commit. Hashes are SHA-256 hex; `before` is None where there was no file,
    `after` empty where an undo took the file away.

    `mode` are the permission bits it was written with, `mode_before` those it had. `kind` and
    `block` are the change's. `folders` are those that were made for it, outermost first.

    Of a deed `before` is the hash of the whole file as it was, `after` that of the deed itself;
    `backwards` is true where it was taken back, not done.
    """

    target: str
    path: Path
    before: str | None
    after: str
    mode: int | None = None
    mode_before: int | None = None
    label: str = ""
    named: Path | None = None
    kind: str = "file"
    block: str | None = None
    folders: tuple[Path, ...] = ()
    backwards: bool = False

    @property
    def in_place(self) -> bool:
        """Whether it is a deed, no file that was written whole."""
        return self.kind in (APPEND, DEED)


@dataclass(frozen=True, slots=True)
class Receipt:
    """`id` sorts by time. `undone` is when it was taken back. `state` is "done"; "writing" while a
    process is at it; "cut short" where that process has died (undo brings it back to before);
    "damaged" where its folder cannot be read (`detail` says why); "nothing" where there was nothing
    to write and so there is no receipt. `undoes` is the receipt that an undo took back, `complete`
    whether nothing of that stayed.
    """

    id: str
    time: datetime
    session: str
    project: str | None
    written: tuple[Written, ...]
    state: str = DONE
    undone: datetime | None = None
    agent: str | None = None
    undoes: str | None = None
    detail: str = ""
    complete: bool = True

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files of it."""
        return tuple(file.path for file in self.written)

    def with_written(self, number: int, written: Written) -> Receipt:
        """The receipt with another file `number`."""
        files = (*self.written[:number], written, *self.written[number + 1 :])
        return replace(self, written=files)
