"""What was committed so far, and the way back."""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from redline.errors import RedlineError
from redline.files import Step, left_by_a_crash, no_step, read_if_there, sha256
from redline.places import Places
from redline.targets import journal
from redline.targets.block import body, swap
from redline.targets.commit import Asked, Heading, Write, held, record
from redline.targets.deed import Deed, State
from redline.targets.difference import compare
from redline.targets.receipt import DAMAGED, DONE, Receipt, Written
from redline.targets.target import RULES_BLOCK


class Outcome(StrEnum):
    """What an undo did to one file."""

    RESTORED = "restored"  # it holds again what it held before
    REMOVED = "removed"  # it was not there before, and is gone
    BLOCK = "block"  # only the block went back; what changed around it stays
    AS_BEFORE = "as before"  # there was nothing to do
    REFUSED = "refused"  # it has changed since, and stays


@dataclass(frozen=True, slots=True)
class FileUndone:
    """One file of an undo. Where it was refused, `since` is the difference between what was
    committed and what it holds now, and `back` the one from now to what it held before."""

    path: Path
    outcome: Outcome
    detail: str = ""
    since: tuple[str, ...] = ()
    back: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UndoResult:
    """`receipt` is the id of the undo's own receipt, by which it is undone in turn; None where
    nothing had to be written. `of` is the commit that was taken back."""

    of: str
    receipt: str | None
    files: tuple[FileUndone, ...]

    @property
    def complete(self) -> bool:
        """Whether every file was taken back."""
        return all(file.outcome is not Outcome.REFUSED for file in self.files)


class Receipts:
    """The receipts in one state folder. Reads them anew each time."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def list(self) -> tuple[Receipt, ...]:
        """All receipts, newest first. One that cannot be read has the state "damaged"."""
        return tuple(self._newest_first())

    def get(self, start: str) -> Receipt:
        """The receipt with this id or start of an id. Raises RedlineError where none or several
        fit."""
        fitting = [folder for folder in self._folders() if folder.name.startswith(start)]
        exact = [folder for folder in fitting if folder.name == start]
        if len(exact or fitting) == 1:
            return journal.load((exact or fitting)[0])
        if not fitting:
            raise RedlineError(f"there is no receipt {start!r}", "redline receipts lists them")
        names = ", ".join(folder.name for folder in fitting[:5])
        raise RedlineError(f"{len(fitting)} receipts start with {start!r}: {names}", "write more")

    def latest(self) -> Receipt:
        """The newest commit that was not taken back. Raises RedlineError where there is none."""
        for receipt in self._newest_first():
            if receipt.state != DAMAGED and receipt.undone is None and receipt.undoes is None:
                return receipt
        raise RedlineError(
            "there is nothing to undo", "redline receipts lists what was written", status=1
        )

    def wrote(self, path: Path, content: bytes) -> Receipt | None:
        """The newest receipt by which `path` got just this content."""
        wanted = sha256(content)
        for receipt in self._newest_first():
            if any(file.path == path and file.after == wanted for file in receipt.written):
                return receipt
        return None

    def sides(self, receipt: Receipt, number: int) -> tuple[bytes | None, bytes | None]:
        """What file `number` of a receipt held before and after; None for no file. Of a deed only
        as much as tells what it changed.

        Raises RedlineError where a copy is damaged.
        """
        place = self._places.receipts
        if receipt.written[number].in_place:
            return _shown(receipt.written[number], journal.deed(place, receipt, number))
        return (
            journal.archived(place, receipt, number, "before"),
            journal.archived(place, receipt, number, "after"),
        )

    def undo(
        self,
        start: str | None = None,
        now: datetime | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        step: Step = no_step,
    ) -> UndoResult:
        """Takes a commit back, without `start` the latest one that was not.

        Only what has not changed since is restored; of a changed file with a block only the block
        goes back. The undo has a receipt of its own: undoing that writes the commit again. Works
        also for a commit that a crash cut short. What was done to a session in its place is only
        taken back while no agent has it open, by `environment` (see `commit`).

        Raises RedlineError where there is no such receipt, it is damaged, or was taken back before.
        """
        now = now or datetime.now(UTC)
        chosen = self.get(start) if start is not None else self.latest()
        with held([file.path for file in chosen.written], self._places):
            chosen = self._undoable(chosen.id)
            steps = [self._way_back(chosen, number) for number in range(len(chosen.written))]
            writes = [write for _, write in steps if write]
            made = None
            if writes:
                heading = Heading(now, chosen.session, chosen.agent, chosen.project, chosen.id)
                asked = Asked(environment, now, recent=False)
                made = record(writes, heading, self._places, asked, step=step).id
            result = UndoResult(chosen.id, made, tuple(file for file, _ in steps))
            if result.complete:
                step("mark")
                self._mark(chosen, now)
        return result

    def _undoable(self, name: str) -> Receipt:
        receipt = journal.load(self._places.receipts / name)
        if receipt.state == DAMAGED:
            raise RedlineError(
                f"receipt {name} is damaged: {receipt.detail}",
                f"the copies are in {self._places.receipts / name}",
            )
        if receipt.undone:
            again = next((r.id for r in self._newest_first() if r.undoes == name), None)
            raise RedlineError(
                f"receipt {name} was taken back already",
                f"redline undo {again} writes it again" if again else "",
                status=1,
            )
        return receipt

    def _mark(self, chosen: Receipt, now: datetime) -> None:
        """Writes down that `chosen` was taken back; what it had taken back itself stands again,
        what that had taken back does not, and so on."""
        place = self._places.receipts
        if chosen.state != DONE:
            for file in chosen.written:
                _sweep(file, chosen.id)
        journal.save(place, replace(chosen, undone=now, state=DONE))
        stands = True
        while chosen.undoes:
            chosen = journal.load(place / chosen.undoes)
            if chosen.state == DAMAGED:
                return
            journal.save(place, replace(chosen, undone=None if stands else now))
            stands = not stands

    def _way_back(self, receipt: Receipt, number: int) -> tuple[FileUndone, Write | None]:
        """What an undo does to one file, and the write that does it."""
        written = receipt.written[number]
        try:
            if written.in_place:
                return _deed(written, journal.deed(self._places.receipts, receipt, number))
            now = read_if_there(written.path)
            found = None if now is None else sha256(now)
            if found == written.before:
                return FileUndone(written.path, Outcome.AS_BEFORE), None
            before, after = self.sides(receipt, number)
            if found == (written.after or None):
                return _whole(written, now, before)
            if written.kind == RULES_BLOCK and written.block and now is not None:
                return _block(written, now, before, after)
            return _refused(written, now, before, after, "it has changed since"), None
        except RedlineError as error:
            return FileUndone(written.path, Outcome.REFUSED, error.message), None

    def _folders(self) -> builtins.list[Path]:
        """The folders of receipts, newest first."""
        try:
            folders = [path for path in self._places.receipts.iterdir() if journal.is_receipt(path)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(folders, key=lambda folder: folder.name, reverse=True)

    def _newest_first(self) -> Iterator[Receipt]:
        return map(journal.load, self._folders())


def _sweep(file: Written, tag: str) -> None:
    """Takes away what a commit that died left beside its files: temporary files, empty folders."""
    for left in left_by_a_crash(file.path.parent, tag):
        with contextlib.suppress(OSError):
            left.unlink()
    for folder in reversed(file.folders):
        with contextlib.suppress(OSError):  # not empty, or never made
            folder.rmdir()


def _deed(written: Written, deed: Deed) -> tuple[FileUndone, Write | None]:
    """Takes a deed back, or does again what an undo took back."""
    goal = State.AFTER if written.backwards else State.BEFORE
    found = deed.state()
    if found is goal:
        return FileUndone(written.path, Outcome.AS_BEFORE), None
    if found is State.OTHER:
        before, after = _shown(written, deed)
        now = deed.shown("now")
        detail = "the session went on since" if now is not None else ""
        return _refused(written, now, before, after, detail), None
    write = replace(_write(written, None, None), deed=deed, backwards=not written.backwards)
    return FileUndone(written.path, Outcome.RESTORED), replace(write, mode=None, remove=())


def _shown(written: Written, deed: Deed) -> tuple[bytes | None, bytes | None]:
    before, after = deed.shown("before"), deed.shown("after")
    return (after, before) if written.backwards else (before, after)


def _whole(
    written: Written, now: bytes | None, before: bytes | None
) -> tuple[FileUndone, Write | None]:
    if before is None:
        outcome = FileUndone(written.path, Outcome.REMOVED)
        return outcome, _write(written, now, None)
    return FileUndone(written.path, Outcome.RESTORED), _write(written, now, before)


def _block(
    written: Written, now: bytes, before: bytes | None, after: bytes | None
) -> tuple[FileUndone, Write | None]:
    """Takes only the block back in a file that has changed around it."""
    assert written.block
    held_now = body(now, written.block)
    if held_now == body(before, written.block):
        return FileUndone(written.path, Outcome.AS_BEFORE, "the block is as it was before"), None
    if held_now != body(after, written.block):
        detail = "the rules in the block have changed since"
        return _refused(written, now, before, after, detail), None
    detail = "the file has changed since: only the block went back"
    back = swap(now, written.block, before)
    return FileUndone(written.path, Outcome.BLOCK, detail), _write(written, now, back)


def _refused(
    written: Written, now: bytes | None, before: bytes | None, after: bytes | None, detail: str
) -> FileUndone:
    if now is None:
        detail = "it was removed since"
    return FileUndone(
        written.path,
        Outcome.REFUSED,
        f"{detail}, so it stays as it is",
        since=compare(after, now, written.path),
        back=compare(now, before, written.path),
    )


def _write(written: Written, now: bytes | None, back: bytes | None) -> Write:
    mode_changed = written.mode is not None or now is None
    return Write(
        target=written.target,
        label=written.label,
        path=written.path,
        before=now,
        after=back,
        mode=written.mode_before if mode_changed else None,
        named=written.named,
        kind=written.kind,
        block=written.block,
        folders=True,
        remove=written.folders,
    )
