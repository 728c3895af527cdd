"""Commit: changes written to their files, all or none, with a receipt to take them back."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from redline.errors import RedlineError
from redline.files import (
    Step,
    cannot,
    changed_meanwhile,
    locked,
    missing_folders,
    mode_if_there,
    no_step,
    read_if_there,
    sha256,
    stays_put,
    vanished,
)
from redline.model import SessionInfo
from redline.places import Places
from redline.targets import journal
from redline.targets.carrying import Asked, Write, carry_out, put_back
from redline.targets.deed import Deed, State, dump
from redline.targets.originals import spare_original
from redline.targets.receipt import DONE, NOTHING, WRITING, Receipt, Written
from redline.targets.target import Change


@dataclass(frozen=True, slots=True)
class Heading:
    """What a receipt says besides its files; see `Receipt`."""

    time: datetime
    session: str
    agent: str | None = None
    project: str | None = None
    undoes: str | None = None
    complete: bool = True


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
    from redline.targets.recovering import recover  # which is made of undos, and they of commits

    recover(places, now, environment=environment)
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
    with journal.begin(places.receipts, locks(places), heading.time) as opened:
        receipt = Receipt(
            id=opened.id,
            time=heading.time,
            session=heading.session,
            project=heading.project,
            written=tuple(_written(write) for write in writes),
            state=WRITING,
            agent=heading.agent,
            undoes=heading.undoes,
            complete=heading.complete,
        )
        begun = False
        try:
            for number, write in enumerate(writes):
                step(f"copy {number}")
                written = _archived(opened.folder, number, write, receipt.written[number])
                receipt = receipt.with_written(number, written)
            step("manifest")
            opened.publish(receipt)
            begun = True
            carry_out(writes, asked, tag=receipt.id, step=step)
            step("finish")
            opened.finish()
        except BaseException as error:
            failed = put_back(writes, receipt.written, asked) if begun else []
            if not failed:
                opened.discard()
            if isinstance(error, OSError):
                raise _named(cannot(error, places.receipts, "write"), failed, receipt) from error
            if isinstance(error, RedlineError):
                _named(error, failed, receipt)
            raise
    return replace(receipt, state=DONE)


def _named(error: RedlineError, failed: Sequence[Path], receipt: Receipt) -> RedlineError:
    """`error`, with the files that could not be put back."""
    if failed:
        error.message += f"; but {', '.join(map(str, failed))} could not be put back"
        error.args = (error.message,)
        error.hint = f"redline undo {receipt.id}"
    return error


@contextlib.contextmanager
def held(paths: Iterable[Path], places: Places) -> Iterator[None]:
    """Holds the locks of all `paths`, always taken in the same order."""
    with contextlib.ExitStack() as stack:
        for path in sorted(set(paths)):
            stack.enter_context(locked(path, locks(places)))
        yield


def locks(places: Places) -> Path:
    """Where the lock files lie."""
    return places.state / "locks"


def _once(changes: Iterable[Change]) -> list[Change]:
    """Every file once: two targets may be one file behind a link."""
    found: dict[Path, Change] = {}
    for change in changes:
        assert change.path is not None
        if change.deed is None and change.before is not None:  # a new file replaces none
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
    stays_put(change.path, change.path)
    if change.deed is not None:
        return _still_to_do(change, change.deed, asked)
    before, after = read_if_there(change.path), _left(change, change.after)
    if before == after:
        return None
    if before != change.before:
        if before is None:
            raise vanished(change.path)
        if change.again is None:
            raise changed_meanwhile(change.path)
        after = _left(change, change.again(before))
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
        remove=change.made_with if after is None else (),
    )


def _left(change: Change, after: bytes) -> bytes | None:
    """What is left of the file: None where it goes with the last of what was in it."""
    return None if change.goes and not after.strip() else after


def _still_to_do(change: Change, deed: Deed, asked: Asked) -> Write | None:
    assert change.path is not None
    match deed.state():
        case State.AFTER:
            return None
        case State.OTHER:
            if not change.path.exists():
                raise vanished(change.path)
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


def _written(write: Write) -> Written:
    return Written(
        target=write.target,
        path=write.path,
        before=None if write.before is None else sha256(write.before),
        after="" if write.after is None else sha256(write.after),
        mode=write.mode,
        mode_before=write.mode_before if write.done else mode_if_there(write.path),
        label=write.label,
        named=write.named,
        kind=write.kind,
        block=write.block,
        folders=_made(write),
        backwards=write.backwards,
    )


def _made(write: Write) -> tuple[Path, ...]:
    """The folders that are there only for this file, outermost first."""
    missing = missing_folders(write.path.parent) if write.folders else ()
    return tuple(sorted({*missing, *write.remove}, key=lambda path: len(path.parts)))


def _archived(folder: Path, number: int, write: Write, written: Written) -> Written:
    """Keeps the copies of one write in the receipt's folder; gives what the receipt says of it."""
    if write.deed is None:
        journal.archive(folder, number, "before", write.before)
        journal.archive(folder, number, "after", write.after)
        return written
    data = dump(write.deed)
    journal.archive(folder, number, "after", data)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        before = journal.archive_file(folder, number, write.deed.original(Path(scratch)))
    return replace(written, before=before, after=sha256(data))
