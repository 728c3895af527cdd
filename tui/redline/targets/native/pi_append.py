"""pi's own session gone on with: one compaction appended to its file, while pi is closed.

By the rules of `formats/pi.md`, each of which was seen to fail: only a closed session (a pi that
runs goes on from the leaf it has in memory), only a file of the version that pi writes (it gives
entries of older ones new ids as it opens them), never inside a tool round, the first kept entry no
result and on the path, the time later than the last reply.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from redline.agents.lines import line
from redline.agents.opening import reopen
from redline.agents.pi.encoding import Link
from redline.agents.pi.entries import COMPACTION, CURRENT_VERSION
from redline.agents.pi.liveness import folders_of_running
from redline.agents.pi.reader import PiSource
from redline.agents.pi.state import state_of
from redline.agents.processes import PROCESSES
from redline.compaction.outline import answers
from redline.errors import RedlineError
from redline.files import changed_meanwhile
from redline.model import Session
from redline.targets.append import append
from redline.targets.closed import closed
from redline.targets.native.damaged import why_damaged
from redline.targets.native.draft import Draft, Work
from redline.targets.native.pi import argv, new_summary, source_of, staying_of, warnings
from redline.targets.native.staying import Stays
from redline.targets.target import APPEND, Change


def draft(work: Work) -> Draft:
    """The session itself with one compaction more. Raises RedlineError where that cannot be, with
    the reason and the ways that work."""
    source, stays = source_of(work.session), staying_of(work)
    if why := next(_against(work, source, stays), ""):
        raise RedlineError(
            f"pi session {work.session.info.id} cannot go on compacted in its place: {why}",
            "leave out --in-place: a new session is written beside it",
            status=1,
        )
    info = replace(work.session.info, path=work.session.info.path.resolve())
    closed(info.path, info, environment=work.environment, now=work.now)
    first = source.given.entries[stays[0].index].id if stays else None
    taken = {entry.id for entry in source.file.entries}
    link = Link(_new_id(work, taken), source.branch[-1].id)
    record = new_summary(work, link, first_kept=first, staying=stays, state=state_of(source))
    written = _start(info.path) + line(record)
    deed = append(info, written, keep_time=work.keep_time)
    if reopen(work.session) is not work.session:  # what the deed counts on is what was read
        raise changed_meanwhile(info.path)
    change = Change(
        target="session",
        label=f"pi session {info.id}",
        after=written,
        before=b"",
        path=info.path,
        named=work.session.info.path,
        kind=APPEND,
        deed=deed,
    )

    def lay(folder: Path) -> Path:
        laid = folder / info.path.name
        shutil.copyfile(info.path, laid)
        with laid.open("ab") as file:
            file.write(written)
        return laid

    folder = Path(info.project) if info.project else None
    return Draft(
        agent=info.agent,
        id=info.id,
        path=info.path,
        data=written,
        argv=argv(info.path),
        folder=folder,
        taken_at=work.taken_at,
        warnings=(*warnings(folder), *_unsure(info.project)),
        change=change,
        lay=lay,
        in_place=True,
        stays=stays,
    )


def _against(work: Work, source: PiSource, stays: tuple[Stays, ...]) -> Iterator[str]:
    """What speaks against it."""
    session = work.session
    if source.file.version < CURRENT_VERSION:
        yield f"it is of version {source.file.version}, which pi first writes anew"
    if session.asked_leaf is not None or session.before is not None:
        yield "this is another view than that of its live branch"
    entries = source.file.entries
    if source.file.refused or session.resume_lost or not (entries and entries[-1].loaded):
        yield "its file is damaged, and pi would not find all of it"
    elif why := why_damaged(session):
        yield why
    if source.branch[-1:] != tuple(entries[-1:]):
        yield "its live branch does not end where its file does"
    if _open_round(session):
        yield "its last reply waits for the results of its calls"
    if not work.summary or work.plan.summary_at != 0:
        yield "pi puts the summary of a compaction first, and the plan does not"
    places = [message.index for message in stays]
    tail = list(range(len(session.context) - len(stays), len(session.context)))
    if places != tail or not all(message.whole for message in stays):
        yield "the plan keeps more, or less, than one tail word for word"
    elif stays and source.given.entries[places[0]].type == COMPACTION:
        yield "the plan keeps everything"
    elif stays and source.given.entries[places[0]].role == "toolResult":
        yield "what the plan keeps begins with a result"


def _unsure(project: str | None) -> tuple[str, ...]:
    """What cannot be known of who has the session open."""
    if not PROCESSES.is_dir():
        return ("whether a pi runs cannot be told on this system: close it before this is written",)
    others = set(folders_of_running()) - {os.path.realpath(project or "")}
    if not others:
        return ()
    return (
        f"a pi runs in {min(others)}: if it has this session open, close it first, or it goes on "
        "without the summary",
    )


def _open_round(session: Session) -> bool:
    """Whether the last reply has calls without a result."""
    calls: set[str | None] = set()
    for message in reversed(session.context):
        parts = message.parts
        if parts and all(answers(part) for part in parts):
            calls |= {part.call_id for part in parts}
            continue
        return any(part.call_id not in calls for part in parts if part.type == "tool_call")
    return False


def _new_id(work: Work, taken: set[str]) -> str:
    while (found := work.new_id()[-8:]) in taken:
        pass
    return found


def _start(path: Path) -> bytes:
    """What has to stand before a new line: a last line that has no end gets one."""
    with path.open("rb") as file:
        if not file.seek(0, 2):
            return b""
        file.seek(-1, 2)
        return b"" if file.read(1) == b"\n" else b"\n"
