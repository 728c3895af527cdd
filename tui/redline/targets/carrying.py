"""The writes of a commit carried out: all of them, or none.

Files are first laid whole on the disk beside their places, so that a full disk or a folder that
may not be written is met while nothing has changed. Then the deeds are done, and at last the files
renamed, which needs no more room.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from redline.errors import RedlineError
from redline.files import (
    Laid,
    Step,
    cannot,
    changed_meanwhile,
    lay,
    make_folders,
    no_step,
    read_if_there,
    remove_file,
)
from redline.model import SessionInfo
from redline.targets.closed import closed
from redline.targets.deed import Ask, Deed, State
from redline.targets.receipt import Written
from redline.targets.target import FILE


@dataclass(frozen=True, slots=True)
class Write:
    """One file to be brought from `before` to `after`, None standing for no file.

    `mode` None leaves the mode as it is. `folders` are made when they are missing, `remove` are
    taken away when the file is gone and they are empty, innermost last.

    Or a `deed` to be done, or taken back where `backwards` is true; then both are None.

    `done`: it is so already, and only written down, with the mode `mode_before` that it had.
    """

    target: str
    label: str
    path: Path
    before: bytes | None
    after: bytes | None
    mode: int | None = None
    named: Path | None = None
    kind: str = FILE
    block: str | None = None
    folders: bool = False
    remove: tuple[Path, ...] = ()
    deed: Deed | None = None
    backwards: bool = False
    done: bool = False
    mode_before: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """By what it is told whether an agent has a session open: see `closed`."""

    environment: Mapping[str, str] | None = None
    now: datetime | None = None
    recent: bool = True

    def about(self, info: SessionInfo) -> None:
        """Raises RedlineError where an agent has the session `info` open."""
        closed(info.path, info, environment=self.environment, now=self.now, recent=self.recent)

    def of(self, deed: Deed) -> Ask:
        """The question for one deed."""
        return lambda: self.about(deed.info)


def carry_out(
    writes: Sequence[Write], asked: Asked, *, tag: str = "", step: Step = no_step
) -> None:
    """Brings all files from `before` to `after`, and does the deeds.

    Raises RedlineError or OSError where one cannot be; then `put_back` takes back what was begun.
    """
    with ExitStack() as stack:
        laid: dict[int, Laid] = {}
        for number, write in enumerate(writes):
            if write.deed is None and write.after is not None and not write.done:
                laid[number] = _lay(write, write.after, tag, _within(step, number))
                stack.callback(laid[number].drop)
        for number, write in enumerate(writes):
            if write.deed is not None and not write.done:
                _do(write, write.deed, asked, _within(step, number))
        for number, write in enumerate(writes):
            if number in laid:
                laid[number].put(step=_within(step, number))
            elif write.deed is None and write.after is None:
                _remove(write, _within(step, number))
        stack.pop_all()


def put_back(writes: Iterable[Write], written: Sequence[Written], asked: Asked) -> list[Path]:
    """Takes back as much of `writes` as was carried out; gives the files where that failed."""
    failed = []
    pairs = list(zip(writes, written, strict=True))
    # Files first, for they were renamed last.
    for write, kept in sorted(pairs, key=lambda pair: pair[0].deed is not None):
        try:
            _back(write, kept, replace(asked, recent=False))
        except (RedlineError, OSError):
            failed.append(write.path)
    return failed


def _lay(write: Write, after: bytes, tag: str, step: Step) -> Laid:
    if write.folders:
        step("folders")
        # For the owner only around what is the owner's only, else as the umask says.
        private = write.mode is not None and not write.mode & 0o077
        make_folders(write.path.parent, 0o700 if private else 0o777)
    return lay(write.path, after, mode=write.mode, expected=write.before, tag=tag, step=step)


def _do(write: Write, deed: Deed, asked: Asked, step: Step) -> None:
    try:
        if write.backwards:
            deed.undo(asked.of(deed), step)
        else:
            deed.do(asked.of(deed), step)
    except OSError as error:
        raise cannot(error, write.path, "write") from error


def _remove(write: Write, step: Step) -> None:
    if not write.done:
        remove_file(write.path, expected=write.before, step=step)
    remove_folders(write.remove)


def remove_folders(folders: Sequence[Path]) -> None:
    """Takes away `folders` (outermost first) where they are empty."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):  # it holds something else by now, or was never made
            folder.rmdir()


def _back(write: Write, written: Written, asked: Asked) -> None:
    if write.done:
        return
    if write.deed is not None:
        if write.deed.state() is not (State.AFTER if write.backwards else State.BEFORE):
            _do(replace(write, backwards=not write.backwards), write.deed, asked, no_step)
        return
    now = read_if_there(write.path)
    if now != write.before and now != write.after:  # somebody else's by now: it stays
        raise changed_meanwhile(write.path)
    if now != write.before:
        mode = written.mode_before if write.mode is not None or now is None else None
        back = replace(write, before=now, after=write.before, mode=mode, folders=True)
        carry_out([replace(back, remove=written.folders)], asked)
    elif now is None:
        remove_folders(written.folders)


def _within(step: Step, number: int) -> Step:
    def named(name: str) -> None:
        step(f"file {number}: {name}")

    return named
