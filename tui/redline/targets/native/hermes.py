"""Hermes' own form: a new session in its database (`hermes --resume ID`), or the session itself.

Each message is a row. What stays whole is copied as it is stored, what stays in part is edited, and
the handoff stands at its place as Hermes puts it there (`agents.hermes.encoding`). By default this
is a new session, a branch of the old one, which stays as it is; `in_place` compacts the session
itself, where nobody has it open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from redline.agents.hermes.archive import open_archive
from redline.agents.hermes.encoding import (
    CLEARED,
    NewRow,
    Piece,
    edited,
    handoff_row,
    mended,
    placed,
    session_id,
    with_handoff,
)
from redline.agents.hermes.finding import home
from redline.agents.hermes.source import HermesSource
from redline.agents.hermes.store import DATABASE, is_database
from redline.compaction.outline import Place
from redline.errors import RedlineError
from redline.files import real_path
from redline.model import Message, PartType, SessionInfo
from redline.scratch import Purpose, scratch
from redline.targets.closed import closed
from redline.targets.deed import Deed
from redline.targets.native.damaged import why_damaged
from redline.targets.native.draft import Draft, Work
from redline.targets.native.hermes_in_place import HermesInPlace, in_place
from redline.targets.native.hermes_session import HermesSession
from redline.targets.native.staying import Stays, as_it_lies, staying
from redline.targets.target import DEED, Change
from redline.text import counted

_PROFILES = "profiles"


def draft(work: Work) -> Draft:
    """See `forms.draft_of`. Raises RedlineError where the session lies in an export, nothing stays
    of it, its rows have changed, or (in place) somebody may have it open."""
    info = work.session.info
    if not is_database(info.path):
        raise RedlineError(
            f"{info.path} is an export: Hermes resumes sessions of its database only",
            "import it into Hermes first (Sessions in `hermes dashboard`), then compact that",
        )
    made = _Rows(work).made()
    deed: HermesSession | HermesInPlace
    deed = _in_place(work, made) if work.in_place else _beside(work, made)
    with scratch(Purpose.HERMES) as folder:
        deed, _ = deed.tried(folder)
    project = Path(info.project) if info.project else None
    return Draft(
        agent=info.agent,
        id=deed.info.id,
        path=info.path,
        data=b"",
        argv=_argv(info.path, deed.info.id, work.environment),
        folder=project if project is not None and project.is_dir() else None,
        taken_at=work.taken_at,
        warnings=tuple(_warnings(work)),
        change=_change(deed),
        lay=lambda folder: deed.tried(folder)[1],
        in_place=work.in_place,
        stays=made.stays,
        left_out=frozenset(made.silent),
    )


def _change(deed: Deed) -> Change:
    where = real_path(deed.info.path)
    return Change(
        target="session",
        label=f"hermes session {deed.info.id}",
        before=deed.shown("before"),
        after=deed.shown("after") or b"",
        path=where,
        named=deed.info.path,
        kind=DEED,
        deed=deed,
    )


@dataclass(slots=True)
class _Rows:
    """The rows of what stays, with the handoff among them."""

    work: Work
    stays: tuple[Stays, ...] = ()
    rows: list[NewRow] = field(default_factory=list)
    whole: set[int] = field(default_factory=set)  # rows that go on just as they are stored
    silent: set[Place] = field(default_factory=set)  # empty texts that the handoff stands for

    def made(self) -> _Rows:
        """This, with the rows in it."""
        work = self.work
        found = staying(work.session, work.plan, CLEARED)
        self.stays = as_it_lies(work.session, work.plan, found)
        at = work.plan.summary_at
        for number, stays in enumerate(self.stays):
            row = self._row(stays)
            if work.summary and number == at:
                row = self._behind_handoff(number, row)
            self.rows.append(row)
            if row.of is not None and not row.columns:
                self.whole.add(row.of)
        if work.summary and (at or 0) >= len(self.stays):
            role, _ = self._place(len(self.stays))
            self.rows.append(handoff_row(role, work.summary, self._when))
        return self

    @property
    def _when(self) -> datetime:
        """The time of the handoff: by its newest row a session is the latest or not."""
        work = self.work
        asked = work.session.info.updated if work.in_place and work.keep_time else None
        return asked or work.now

    def _behind_handoff(self, number: int, row: NewRow) -> NewRow:
        """`row` as it stands behind the handoff: a row before it, or in front in the same."""
        work = self.work
        role, merged = self._place(number)
        if merged and row.of is not None:
            both = with_handoff(row, self._stored(row.of), work.summary)
            if both is not None:
                self.silent |= set(_silent(self.stays[number]))
                return both
        self.rows.append(handoff_row(role, work.summary, self._when))
        return row

    def _place(self, number: int) -> tuple[str, bool]:
        above = self._role(number - 1) if number else None
        below = self._role(number) if number < len(self.stays) else None
        asked = any(self._role(place) == "user" for place in range(len(self.stays)))
        return placed(above, below, asked=asked)

    def _role(self, number: int) -> str:
        return str(self._stored(_row_of(self.stays[number].message)).get("role"))

    def _stored(self, number: int) -> Mapping[str, Any]:
        source = self.work.session.source
        assert isinstance(source, HermesSource)
        return source.row(number)

    def _row(self, stays: Stays) -> NewRow:
        number = _row_of(stays.message)
        stored = self._stored(number)
        if stays.whole:
            return NewRow(number, mended(stored))
        left = {one.part.index: one for one in stays.parts}
        pieces = [
            Piece(
                part.origin.pointer,
                part.origin.span,
                left[part.index].body if part.index in left else None,
                part.index in left,
            )
            for part in stays.message.parts
        ]
        return NewRow(number, {**mended(stored), **edited(stored, pieces)})


def _silent(stays: Stays) -> Iterator[Place]:
    for left in stays.parts:
        if left.part.type is PartType.TEXT and left.body is None and not left.part.chars:
            yield stays.index, left.part.index


def _row_of(message: Message) -> int:
    return int(message.id)  # of a database (see `Row.id`), also where it has no parts


def _beside(work: Work, made: _Rows) -> HermesSession:
    info = work.session.info
    id = session_id(work.now, work.new_id())  # noqa: A001
    values = {
        "source": "cli",
        "created_source": "cli",
        "started_at": work.now.timestamp(),
        "model_config": f'{{"_branched_from": "{info.id}"}}',
    }
    new = SessionInfo(info.agent, id, info.path, project=info.project)
    return HermesSession(new, info.id, tuple(made.rows), values)


def _in_place(work: Work, made: _Rows) -> HermesInPlace:
    session = work.session
    if session.before is not None or session.asked_leaf is not None:
        raise RedlineError(
            "in its place a session can only go on from where it is now",
            "leave out --in-place: a new session is written beside it",
        )
    if (later := _gone_on(session.info)) is not None:
        raise RedlineError(
            f"Hermes goes on with session {later} where {session.info.id} is resumed",
            f"compact {later} in its place, or leave out --in-place",
        )
    if why := why_damaged(session):
        raise RedlineError(
            f"Hermes session {session.info.id} cannot go on compacted in its place: {why}",
            "leave out --in-place: a new session is written beside it",
            status=1,
        )
    context = set(map(_row_of, session.context))
    deed = in_place(session.info, tuple(made.rows), context - made.whole, made.whole)
    deed.free()
    closed(session.info.path, session.info, environment=work.environment, now=work.now)
    return deed


def _gone_on(info: SessionInfo) -> str | None:
    """The session that a compaction under a new id left this one for."""
    archive = open_archive(info.path)
    assert archive is not None
    lineage = archive.lineage(info.id)
    later = lineage.next_of(lineage.sessions[info.id])
    return None if later is None else later.id


def _argv(path: Path, id: str, environment: Mapping[str, str]) -> tuple[str, ...]:  # noqa: A002
    """What resumes a session, also where its database is a profile's or not in Hermes' home."""
    resume = ("--resume", id)
    folder, own = path.absolute().parent, home(environment)
    if own is not None and folder.parent == own.absolute() / _PROFILES:
        return ("hermes", "--profile", folder.name, *resume)
    if path.name != DATABASE or own is None or folder.resolve() != own.resolve():
        return ("env", f"HERMES_HOME={folder}", "hermes", *resume)
    return ("hermes", *resume)


def _warnings(work: Work) -> Iterator[str]:
    info = work.session.info
    if work.in_place:
        yield "the session itself is changed; a copy of the whole database is kept in the receipt"
    elif info.path.name != DATABASE:
        yield f"Hermes opens a database only by the name {DATABASE}: {info.path} is none of its own"
    if work.session.before is None:
        return
    source = work.session.source
    assert isinstance(source, HermesSource)
    found = source.rows(list(map(_row_of, work.session.context)))
    flagged = [(row.get("active"), row.get("compacted")) for _, row in found]
    unsure = sum(flags == (0, 0) for flags in flagged)
    if unsure:
        yield (
            f"{counted(unsure, 'message')} of then: Hermes marks what it carried over and what was "
            "taken back alike; they are taken for carried over, because they were said again"
        )
