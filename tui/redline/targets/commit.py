"""Commit: changes written to their files, all or none, with a receipt to take them back."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from redline.errors import RedlineError
from redline.files import (
    Step,
    changed_meanwhile,
    locked,
    make_folders,
    missing_folders,
    mode_if_there,
    no_step,
    read_if_there,
    remove_file,
    sha256,
    write_atomic,
)
from redline.model import SessionInfo
from redline.places import Places
from redline.targets import journal
from redline.targets.closed import closed
from redline.targets.deed import Ask, Deed, State, dump
from redline.targets.originals import spare_original
from redline.targets.receipt import DONE, NOTHING, WRITING, Receipt, Written
from redline.targets.target import FILE, Change


@dataclass(frozen=True, slots=True)
class Write:
    """One file to be brought from `before` to `after`, None standing for no file.

    `mode` None leaves the mode as it is. `folders` are made when they are missing, `remove` are
    taken away when the file is gone and they are empty, innermost last.

    Or a `deed` to be done, or taken back where `backwards` is true; then both are None.
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


@dataclass(frozen=True, slots=True)
class Heading:
    """What a receipt says besides its files."""

    time: datetime
    session: str
    agent: str | None = None
    project: str | None = None
    undoes: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """By what it is told whether an agent has a session open: see `closed`."""

    environment: Mapping[str, str] | None = None
    now: datetime | None = None
    recent: bool = True

    def of(self, deed: Deed) -> Ask:
        """The question for one deed."""
        return lambda: closed(
            deed.info.path,
            deed.info,
            environment=self.environment,
            now=self.now,
            recent=self.recent,
        )


def commit(
    changes: Iterable[Change],
    *,
    session: SessionInfo | str,
    places: Places,
    now: datetime,
    agent: str | None = None,
    project: str | None = None,
    environment: Mapping[str, str] | None = None,
    step: Step = no_step,
) -> Receipt:
    """Writes `changes` and gives the receipt. Changes without a file (streams) are not its affair.

    A file that changed since its preview is only written where the change can be told from the
    rest of it (a block). Where one file cannot be written, those before it are put back. Changes
    that are empty write nothing; with nothing at all to write the receipt has the state "nothing"
    and no id. A deed is only done while no agent has its session open, by `environment` (it stands
    for the process's own) and `now`. `step` is called before every step with its name ("manifest",
    "file 0: replace" ...).

    Raises RedlineError; then every file is as it was, or the message says which is not.
    """
    if isinstance(session, SessionInfo):
        agent, project, session = agent or session.agent, project or session.project, session.id
    heading = Heading(now, session, agent, project)
    wanted = _once(change for change in changes if change.path is not None and not change.empty)
    with held([change.path for change in wanted if change.path], places):
        asked = Asked(environment, now)
        writes = [write for change in wanted if (write := _up_to_date(change, asked))]
        if not writes:
            return Receipt("", now, session, project, (), state=NOTHING, agent=agent)
        return record(writes, heading, places, asked, step=step)


def record(
    writes: Sequence[Write], heading: Heading, places: Places, asked: Asked, *, step: Step
) -> Receipt:
    """Journals `writes`, carries them out, and gives the receipt. The caller holds the locks."""
    with locked(places.receipts, _locks(places)):
        folder = journal.new_folder(places.receipts, heading.time)
    receipt = Receipt(
        id=folder.name,
        time=heading.time,
        session=heading.session,
        project=heading.project,
        written=(),
        state=WRITING,
        agent=heading.agent,
        undoes=heading.undoes,
    )
    begun = 0
    try:
        for number, write in enumerate(writes):
            step(f"copy {number}")
            written = _archived(folder, number, write)
            receipt = replace(receipt, written=(*receipt.written, written))
        step("manifest")
        journal.save(places.receipts, receipt)
        for number, write in enumerate(writes):
            begun = number + 1
            carry_out(write, asked, tag=receipt.id, step=_within(step, number))
        step("finish")
        receipt = replace(receipt, state=DONE)
        journal.save(places.receipts, receipt)
    except BaseException as error:
        _put_back(writes[:begun], receipt, folder, asked, error)
        raise
    return receipt


def carry_out(write: Write, asked: Asked, *, tag: str = "", step: Step = no_step) -> None:
    """Brings one file from `before` to `after`. Raises RedlineError where it is neither."""
    if write.deed is not None:
        carry = write.deed.undo if write.backwards else write.deed.do
        carry(asked.of(write.deed), step)
        return
    if write.after is None:
        remove_file(write.path, expected=write.before, step=step)
        for folder in reversed(write.remove):
            with contextlib.suppress(OSError):  # it holds something else by now
                folder.rmdir()
        return
    if write.folders:
        step("folders")
        make_folders(write.path.parent)
    write_atomic(
        write.path, write.after, mode=write.mode, expected=write.before, tag=tag, step=step
    )


@contextlib.contextmanager
def held(paths: Iterable[Path], places: Places) -> Iterator[None]:
    """Holds the locks of all `paths`, always taken in the same order."""
    with contextlib.ExitStack() as stack:
        for path in sorted(set(paths)):
            stack.enter_context(locked(path, _locks(places)))
        yield


def _locks(places: Places) -> Path:
    return places.state / "locks"


def _once(changes: Iterable[Change]) -> list[Change]:
    """Every file once: two targets may be one file behind a link."""
    found: dict[Path, Change] = {}
    for change in changes:
        assert change.path is not None
        if change.deed is None:
            spare_original(change.path)
        other = found.setdefault(change.path, change)
        if other.after != change.after or other.deed != change.deed:
            raise RedlineError(
                f"{other.label} and {change.label} are both {change.path}, with different content",
                "write them one after the other",
            )
    return list(found.values())


def _up_to_date(change: Change, asked: Asked) -> Write | None:
    """What is to be written by what the file holds now; None where that is nothing."""
    assert change.path is not None
    if change.deed is not None:
        return _still_to_do(change, change.deed, asked)
    before, after = read_if_there(change.path), change.after
    if before == after:
        return None
    if before != change.before:
        if change.again is None:
            raise changed_meanwhile(change.path)
        after = change.again(before)
    if before == after:
        return None
    return Write(
        target=change.target,
        label=change.label,
        path=change.path,
        before=before,
        after=after,
        mode=change.mode,
        named=change.named,
        kind=change.kind,
        block=change.block,
        folders=change.folders,
    )


def _still_to_do(change: Change, deed: Deed, asked: Asked) -> Write | None:
    assert change.path is not None
    match deed.state():
        case State.AFTER:
            return None
        case State.OTHER:
            raise changed_meanwhile(change.path)
        case _:
            asked.of(deed)()  # before anything else is written
    return Write(
        target=change.target,
        label=change.label,
        path=change.path,
        before=None,
        after=None,
        named=change.named,
        kind=change.kind,
        deed=deed,
    )


def _archived(folder: Path, number: int, write: Write) -> Written:
    """Keeps the copies of one write in the receipt's folder; gives what the receipt says of it."""
    before = None if write.before is None else sha256(write.before)
    after = write.after
    if write.deed is None:
        journal.archive(folder, number, "before", write.before)
    else:
        after = dump(write.deed)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            before = journal.archive_file(folder, number, write.deed.original(Path(scratch)))
    journal.archive(folder, number, "after", after)
    return Written(
        target=write.target,
        path=write.path,
        before=before,
        after="" if after is None else sha256(after),
        backwards=write.backwards,
        mode=write.mode,
        mode_before=mode_if_there(write.path),
        label=write.label,
        named=write.named,
        kind=write.kind,
        block=write.block,
        folders=missing_folders(write.path.parent) if write.folders else (),
    )


def _within(step: Step, number: int) -> Step:
    def named(name: str) -> None:
        step(f"file {number}: {name}")

    return named


def _put_back(
    begun: Sequence[Write], receipt: Receipt, folder: Path, asked: Asked, error: BaseException
) -> None:
    """Takes a commit back that broke off; where that fails too, the receipt stays and says so."""
    failed = []
    for write, written in reversed(list(zip(begun, receipt.written, strict=False))):
        try:
            _back(write, written, replace(asked, recent=False))
        except (RedlineError, OSError):
            failed.append(write.path)
    if not failed:
        shutil.rmtree(folder, ignore_errors=True)
    elif isinstance(error, RedlineError):
        names = ", ".join(str(path) for path in failed)
        error.message += f"; but {names} could not be put back"
        error.args = (error.message,)
        error.hint = f"redline undo {folder.name}"


def _back(write: Write, written: Written, asked: Asked) -> None:
    if write.deed is not None:
        if write.deed.state() is not (State.AFTER if write.backwards else State.BEFORE):
            carry_out(replace(write, backwards=not write.backwards), asked)
        return
    now = read_if_there(write.path)
    if now != write.before and now != write.after:  # somebody else's by now: it stays
        raise changed_meanwhile(write.path)
    back = replace(
        write,
        before=now,
        after=write.before,
        mode=written.mode_before if write.mode is not None or now is None else None,
        folders=True,
        remove=written.folders,
    )
    if now != write.before or write.before is None:
        carry_out(back, asked)
