"""What an undo does to one file: back to what it held before, but only from what was written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from redline.errors import RedlineError
from redline.files import read_if_there, real_path, sha256
from redline.targets import journal
from redline.targets.block import body, swap
from redline.targets.carrying import Asked, Write
from redline.targets.deed import Deed, State
from redline.targets.difference import compare
from redline.targets.receipt import Receipt, Written
from redline.targets.target import RULES_BLOCK, SESSION


class Outcome(StrEnum):
    """What an undo did to one file."""

    RESTORED = "restored"  # it holds again what it held before
    REMOVED = "removed"  # it was not there before, and is gone
    BLOCK = "block"  # only the block went back; what changed around it stays
    AS_BEFORE = "as before"  # there was nothing to do
    REFUSED = "refused"  # it has changed since, and stays


class Standing(StrEnum):
    """What a file of a receipt holds now."""

    WRITTEN = "as written"
    BEFORE = "as before"
    CHANGED = "changed since"
    TORN = "written in part"  # a line that a power cut left half appended; undo takes it away
    GONE = "removed since"
    UNREADABLE = "cannot be read"


@dataclass(frozen=True, slots=True)
class FileUndone:
    """One file of an undo. Where it was refused, `since` is the difference between what was
    committed and what it holds now, and `back` the one from now to what it held before."""

    path: Path
    outcome: Outcome
    detail: str = ""
    since: tuple[str, ...] = ()
    back: tuple[str, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether it stays as it is."""
        return self.outcome is Outcome.REFUSED


@dataclass(frozen=True, slots=True)
class _Sides:
    """What a file held before, what was written, and what it holds now."""

    before: bytes | None
    after: bytes | None
    now: bytes | None


@dataclass(frozen=True, slots=True)
class UndoResult:
    """`receipt` is the id of the undo's own receipt, by which it is undone in turn; None where
    nothing could be taken back. `of` is the commit that was taken back."""

    of: str
    receipt: str | None
    files: tuple[FileUndone, ...]

    @property
    def complete(self) -> bool:
        """Whether every file was taken back."""
        return all(file.outcome is not Outcome.REFUSED for file in self.files)


def sides(receipts: Path, receipt: Receipt, number: int) -> tuple[bytes | None, bytes | None]:
    """See `Receipts.sides`; `receipts` is the folder of receipts."""
    if receipt.written[number].in_place:
        return _shown(receipt.written[number], journal.deed(receipts, receipt, number))
    return (
        journal.archived(receipts, receipt, number, "before"),
        journal.archived(receipts, receipt, number, "after"),
    )


def standing(receipts: Path, receipt: Receipt, number: int) -> Standing:
    """What file `number` of a receipt holds now; `receipts` is the folder of receipts."""
    written = receipt.written[number]
    try:
        if written.in_place:
            found = journal.deed(receipts, receipt, number).state()
            sides_ = (Standing.BEFORE, Standing.WRITTEN)
            before, after = reversed(sides_) if written.backwards else sides_
            there = Standing.CHANGED if written.path.exists() else Standing.GONE
            states = {State.BEFORE: before, State.AFTER: after, State.TORN: Standing.TORN}
            return states.get(found, there)
        now = read_if_there(written.path)
    except RedlineError:
        return Standing.UNREADABLE
    held = None if now is None else sha256(now)
    if held == (written.after or None):
        return Standing.WRITTEN
    if held == written.before:
        return Standing.BEFORE
    return Standing.GONE if now is None else Standing.CHANGED


def way_back(
    receipts: Path, receipt: Receipt, number: int, asked: Asked
) -> tuple[FileUndone, Write | None]:
    """What an undo of `receipt` does to its file `number`, and the write that does it; a write that
    is done already where there is nothing to do, None where it is refused."""
    written = receipt.written[number]
    try:
        if real_path(written.path) != written.path:
            detail = "a link has come into its path since"
            return FileUndone(written.path, Outcome.REFUSED, detail), None
        if written.in_place:
            return _deed(written, journal.deed(receipts, receipt, number), asked)
        now = read_if_there(written.path)
        found = None if now is None else sha256(now)
        if found == written.before:
            after = journal.archived(receipts, receipt, number, "after")
            return FileUndone(written.path, Outcome.AS_BEFORE), _done(written, after, now)
        sides_ = _Sides(*sides(receipts, receipt, number), now)
        if found == (written.after or None):
            if written.target == SESSION and now is not None:
                _ask(written.path, asked)
            outcome = Outcome.REMOVED if sides_.before is None else Outcome.RESTORED
            return FileUndone(written.path, outcome), _write(written, now, sides_.before)
        if written.kind == RULES_BLOCK and written.block and now is not None:
            return _block(written, written.block, now, sides_)
        return _refused(written, sides_, _changed(written, sides_)), None
    except RedlineError as error:
        return FileUndone(written.path, Outcome.REFUSED, error.message), None


def _ask(path: Path, asked: Asked) -> None:
    """Raises RedlineError where an agent has the session open that was written: it would go on from
    what it has in memory."""
    from redline.agents.opening import recognise

    try:
        info = recognise(path)
    except RedlineError:
        return  # no agent would find it
    asked.about(info)


def _changed(written: Written, sides_: _Sides) -> str:
    went_on = sides_.now is not None and sides_.now.startswith(sides_.after or b"\0")
    if written.target == SESSION and went_on:
        return "the session has gone on since"
    return "it has changed since"


def _deed(written: Written, deed: Deed, asked: Asked) -> tuple[FileUndone, Write | None]:
    """Takes a deed back, or does again what an undo took back."""
    back = Write(
        target=written.target,
        label=written.label,
        path=written.path,
        before=None,
        after=None,
        named=written.named,
        kind=written.kind,
        deed=deed,
        backwards=not written.backwards,
    )
    found = deed.state()
    if found is (State.AFTER if written.backwards else State.BEFORE):
        return FileUndone(written.path, Outcome.AS_BEFORE), replace(back, done=True)
    if found is State.OTHER:
        sides_ = _Sides(*_shown(written, deed), deed.shown("now"))
        return _refused(written, sides_, "the session has gone on since"), None
    asked.of(deed)()
    return FileUndone(written.path, Outcome.RESTORED), back


def _block(
    written: Written, block: str, now: bytes, sides_: _Sides
) -> tuple[FileUndone, Write | None]:
    """Takes only the block back in a file that has changed around it."""
    held_now = body(now, block)
    if held_now == body(sides_.before, block):
        detail = "the block is as it was before"
        done = _done(written, swap(now, block, sides_.after), now)
        return FileUndone(written.path, Outcome.AS_BEFORE, detail), done
    if held_now != body(sides_.after, block):
        return _refused(written, sides_, "the rules in the block have changed since"), None
    detail = "only the block, for the file has changed around it"
    back = swap(now, block, sides_.before)
    return FileUndone(written.path, Outcome.BLOCK, detail), _write(written, now, back)


def _shown(written: Written, deed: Deed) -> tuple[bytes | None, bytes | None]:
    before, after = deed.shown("before"), deed.shown("after")
    return (after, before) if written.backwards else (before, after)


def _refused(written: Written, sides_: _Sides, detail: str) -> FileUndone:
    if sides_.now is None:
        detail = "it was removed since"
    return FileUndone(
        written.path,
        Outcome.REFUSED,
        detail,
        since=compare(sides_.after, sides_.now, written.path),
        back=compare(sides_.now, sides_.before, written.path),
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


def _done(written: Written, after: bytes | None, now: bytes | None) -> Write:
    """Only written down: an undo of the undo writes the whole commit again, also what this undo
    found done."""
    return replace(
        _write(written, after, now), done=True, mode_before=written.mode or written.mode_before
    )
