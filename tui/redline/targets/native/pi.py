"""pi's own form: a new session file beside the original (`pi --session PATH`).

What the plan keeps stands on one chain, and behind it a compaction that holds the summary: pi sends
the summary first and then what is kept. Where the plan has the summary at another place, it is a
message of its own there. Every entry gets a new id, and no usage, so that pi measures the session
anew and does not compact it again at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from redline.agents.lines import line
from redline.agents.pi import encoding
from redline.agents.pi.encoding import CLEARED, Link, Record
from redline.agents.pi.entries import COMPACTION, MESSAGE, Entry, values_of
from redline.agents.pi.fields import text_of
from redline.agents.pi.messages import BASH
from redline.agents.pi.reader import PiSource
from redline.agents.pi.state import State, Value, file_lists, state_of, summarised
from redline.agents.pieces import Piece
from redline.compaction.strategies.pi_branch import branch_of
from redline.model import PartType, Pointer, Session
from redline.targets.native.draft import Draft, Work
from redline.targets.native.staying import Left, Stays, as_it_lies, staying

_LONE = "images of a result that names no call are left out: pi has no place for them"
_SUMMARIES = ("compactionSummary", "branchSummary")


def draft(work: Work) -> Draft:
    """See `forms.draft_of`. Raises RedlineError where the session's file has changed under it, or
    cannot be changed in its place (`in_place`)."""
    if work.in_place:
        from redline.targets.native import pi_append

        return pi_append.draft(work)
    stays = staying_of(work)
    file = _File(work, source_of(work.session))
    data = file.written(stays)
    info = work.session.info
    path = info.path.parent / encoding.file_name(file.id, work.now)
    folder = Path(info.project) if info.project else None
    lone = lone_images(file.source, stays)
    return Draft(
        agent=info.agent,
        id=file.id,
        path=path,
        data=data,
        argv=argv(path),
        folder=folder,
        taken_at=work.taken_at,
        warnings=(*warnings(folder), *(_LONE for _ in lone[:1])),
        stays=stays,
        left_out=frozenset(lone),
    )


def lone_images(source: PiSource, stays: tuple[Stays, ...]) -> list[tuple[int, int]]:
    """The images of results that do not stay: nothing in pi's form could hold them."""
    return [
        (message.index, left.part.index)
        for message in stays
        if _is_lone_image(message, source.given.entries[message.index])
        for left in message.parts
    ]


def _is_lone_image(stays: Stays, entry: Entry) -> bool:
    if entry.role != "toolResult" or not stays.parts:
        return False
    return all(left.part.type is PartType.IMAGE for left in stays.parts)


def argv(path: Path) -> tuple[str, ...]:
    """What resumes the session in the file at `path`."""
    return ("pi", "--session", os.path.abspath(path))


def warnings(folder: Path | None) -> tuple[str, ...]:
    """What is to be said of the working directory of a session."""
    if folder is None:
        return ("the session names no working directory: resume it in the one it was started in",)
    if not folder.is_dir():
        return (f"{folder} is not there: pi opens no session whose folder is gone",)
    return ()


def source_of(session: Session) -> PiSource:
    """What reads the file of a session of pi."""
    assert isinstance(session.source, PiSource)
    return session.source


def later_than_all(work: Work) -> datetime:
    """A time behind every message of the context: pi trusts no usage from before a compaction."""
    times = [message.time for message in work.session.context if message.time is not None]
    return max([work.now, *(time + timedelta(milliseconds=1) for time in times)])


def new_summary(
    work: Work, link: Link, *, first_kept: str | None, staying: tuple[Stays, ...], state: State
) -> Record:
    """The compaction that holds the summary of `work`."""
    gone = summarised(source_of(work.session), (stays.index for stays in staying))
    return encoding.compaction(
        link,
        later_than_all(work),
        work.summary,
        first_kept=first_kept,
        tokens_before=branch_of(work.session).tokens_before,
        details=file_lists(state.compaction, gone),
        system=state.system,
    )


def staying_of(work: Work) -> tuple[Stays, ...]:
    """What stays. What an edit of pi's left of a result, and a reply that failed, stay as they
    are: pi has them like that, and their bodies lie in its file."""
    found = staying(work.session, work.plan, CLEARED)
    return as_it_lies(work.session, work.plan, found)


@dataclass(slots=True)
class _File:
    """The entries of the new session as they are written, one behind the other."""

    work: Work
    source: PiSource
    id: str = ""
    lines: list[bytes] = field(default_factory=list)
    last: str | None = None
    first: str | None = None  # the first entry that gives the model a message
    ids: dict[str | None, str] = field(default_factory=dict)  # of entries of the source to new ones
    taken: set[str] = field(default_factory=set)
    noted: list[tuple[int, Value]] = field(default_factory=list)  # to be written, last one first

    def written(self, stays: tuple[Stays, ...]) -> bytes:
        """The whole file."""
        work, info = self.work, self.work.session.info
        self.id = work.new_id()
        self.taken = {entry.id for entry in self.source.file.entries}
        parent = os.path.abspath(info.path)
        self.lines.append(line(encoding.header(self.id, work.now, info.project or "", parent)))
        state = state_of(self.source)
        self.noted = list(reversed(state.noted))
        if state.system is not None:
            self._add(encoding.entry(MESSAGE, self._next(), work.now, message=state.system))
        at = work.plan.summary_at if work.summary else None
        branch = {entry.position: place for place, entry in enumerate(self.source.branch)}
        for number, (message, entry, value) in enumerate(self._values(stays)):
            if number == at and number:
                self._tell(work.summary)
            if _is_lone_image(message, entry):
                continue
            if number == 0 and at != 0 and entry.type == COMPACTION:
                self._go_on(message, value, state)
                continue
            if entry.type != COMPACTION:  # which is sent before what stands before it
                self._note(branch[entry.position])
            self._message(message, entry, value)
        if at and at >= len(stays):
            self._tell(work.summary)
        self._note(len(branch))
        if at == 0:
            link = self._next()
            self._add(new_summary(work, link, first_kept=self.first, staying=stays, state=state))
        return b"".join(self.lines)

    def _values(self, stays: tuple[Stays, ...]) -> Iterator[tuple[Stays, Entry, Record]]:
        """What stays, each with its entry and that as pi has it, its newest edit made."""
        path, given = self.source.path, self.source.given
        entries = [given.entries[message.index] for message in stays]
        edited = [edit for entry in entries if (edit := given.edits.get(entry.id)) is not None]
        edits = {edit.target: value for edit, value in values_of(path, edited)}
        for message, (entry, value) in zip(stays, values_of(path, entries), strict=True):
            by = edits.get(entry.id)
            yield message, entry, value if by is None else encoding.edited(value, by)

    def _next(self) -> Link:
        while True:
            found = self.work.new_id()[-8:]
            if found not in self.taken:
                self.taken.add(found)
                return Link(found, self.last)

    def _add(self, record: Record) -> None:
        self.last = record["id"]
        self.lines.append(line(record))

    def _note(self, place: int) -> None:
        """The entries from before `place` on the live path that give the model nothing."""
        while self.noted and self.noted[-1][0] < place:
            _, value = self.noted.pop()
            target = text_of(value.get("targetId"))
            if value.get("type") == "label" and target not in self.ids:
                continue
            record = encoding.moved(value, self._next(), self.work.now)
            if target is not None:
                record["targetId"] = self.ids.get(target, target)
            self._add(record)

    def _tell(self, text: str) -> None:
        """A summary at its place among the messages."""
        link = self._next()
        self.first = self.first or link.id
        before = branch_of(self.work.session).tokens_before
        self._add(encoding.told(link, later_than_all(self.work), text, before))

    def _go_on(self, stays: Stays, value: Record, state: State) -> None:
        """The earlier compaction that the context begins with: it stands first, everything behind
        it, so that pi's next one goes on from it."""
        link = self._next()
        record = encoding.retained(value, link, self.work.now, state.system)
        self._add(_with_text(record, stays))

    def _message(self, stays: Stays, entry: Entry, value: Record) -> None:
        link = self._next()
        self.first = self.first or link.id
        self.ids[entry.id] = link.id
        record = encoding.moved(value, link, self.work.now)
        body = stays.parts[0].body if stays.parts else None
        if entry.type == COMPACTION:
            told = encoding.told(link, self.work.now, value.get("summary") or "", 0)
            record = _with_text(told, stays)
        elif entry.role in _SUMMARIES:
            if "fromId" in record:
                record["fromId"] = self.ids.get(text_of(record["fromId"]), "root")
            record = _with_text(record, stays)
        elif entry.role == BASH:
            record = record if body is None else encoding.command_told(record, body)
        elif not stays.whole:
            pieces = [
                Piece(_inside(left), left.part.origin.span, left.body) for left in stays.parts
            ]
            record = encoding.with_pieces(record, pieces, result=entry.role == "toolResult")
        self._add(encoding.fit(record))


def _with_text(record: Record, stays: Stays) -> Record:
    """`record`, which tells a summary, telling what the plan left of it."""
    body = stays.parts[0].body if stays.parts else None
    return record if body is None else encoding.with_summary(record, body)


def _inside(left: Left) -> Pointer:
    """Where a part lies inside the content of its message."""
    pointer = left.part.origin.pointer
    return pointer[pointer.index("content") + 1 :]
