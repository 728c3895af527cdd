"""Claude Code's own form: a new session file beside the original (`claude --resume ID`).

The boundary stands first, because the agent loads nothing above it; behind it, on one chain, what
the plan keeps, with the summary at its place. Every record gets a new id, so that neither session
is mistaken for the other, and no usage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from redline.agents.bodies import FileBodies
from redline.agents.claude_code.encoding import (
    CLEARED,
    IMAGE_CLEARED,
    Link,
    Record,
    boundary,
    echoed,
    is_answer,
    is_echo,
    last_prompt,
    moved,
    summary,
    title,
    told,
    with_pieces,
)
from redline.agents.claude_code.placing import place_of
from redline.agents.lines import line
from redline.agents.pieces import Piece
from redline.errors import RedlineError
from redline.model import Kind, Message, Origin, PartType, Pointer, Role, Session
from redline.targets.native.draft import Draft, Work
from redline.targets.native.staying import Left, Stays, staying


def draft(work: Work) -> Draft:
    """See `forms.draft_of`. Raises RedlineError where nothing stays and no summary is written, or
    the session's file has changed under it."""
    if work.in_place:
        raise RedlineError(
            "Claude Code's sessions are never changed: it may have this one open",
            "leave out --in-place: a new session is written beside it",
        )
    stays, sealed = _with_provider_results(staying_of(work))
    file = _File(work)
    data = file.written(stays)
    info = work.session.info
    where, folder = place_of(info.path, file.folders, work.environment)
    return Draft(
        agent=info.agent,
        id=file.id,
        path=where / f"{file.id}.jsonl",
        data=data,
        argv=("claude", "--resume", file.id),
        folder=None if folder is None else Path(folder),
        taken_at=work.taken_at,
        warnings=(*sealed, *_warnings(work, stays, folder)),
        stays=stays,
    )


def staying_of(work: Work) -> tuple[Stays, ...]:
    """What stays, with the words that Claude Code has for what is cleared."""
    return staying(work.session, work.plan, CLEARED, image=IMAGE_CLEARED)


@dataclass(slots=True)
class _File:
    """The records of the new session as they are written, one behind the other."""

    work: Work
    id: str = ""
    lines: list[bytes] = field(default_factory=list)
    behind: list[Record] = field(default_factory=list)  # the last message, and what is none
    last: str | None = None
    folders: list[str] = field(default_factory=list)
    replies: dict[str, str] = field(default_factory=dict)  # old ids of replies to new ones
    callers: dict[str, str] = field(default_factory=dict)  # calls to the records that hold them
    bodies: FileBodies = field(default_factory=lambda: FileBodies(cached=0))

    def written(self, stays: tuple[Stays, ...]) -> bytes:
        """The whole file."""
        work = self.work
        session = work.session
        self.id = work.new_id()
        with self.bodies.held_open(session.info.path):
            self.folders = _folders(session, self.bodies)
            like = self._like(session)
            if session.info.title:
                self.lines.append(line(title(self.id, session.info.title)))
            if work.summary:
                before = session.info.billed or 0
                self._add(boundary(self._next(), like, work.now, tokens_before=before))
            for number, message in enumerate(stays):
                if work.summary and number == work.plan.summary_at:
                    self._add(summary(self._next(), like, work.now, work.summary))
                for record in self._records(message):
                    self._add(record)
            if work.summary and (work.plan.summary_at or 0) >= len(stays):
                self._add(summary(self._next(), like, work.now, work.summary))
        self._flush(ended=True)
        if self.last is not None:
            self.lines.append(line(last_prompt(self.id, self.last)))
        return b"".join(self.lines)

    def _next(self) -> Link:
        return Link(self.work.new_id(), self.last, self.id)

    def _add(self, record: Record) -> None:
        self.last = record["uuid"]
        if record["type"] == "user" or is_answer(record):
            self._flush()
        self.behind.append(record)

    def _flush(self, *, ended: bool = False) -> None:
        """Writes the last message and what stands behind it."""
        asked = ended and bool(self.behind) and self.behind[0]["type"] == "user"
        for record in self.behind:
            self.lines.append(line(echoed(record) if asked and is_echo(record) else record))
        self.behind = []

    def _like(self, session: Session) -> Record:
        """The last record of the context, for what new ones say of the program and its place."""
        origins = [part.origin for message in session.context[-1:] for part in message.parts]
        found = self.bodies.record(origins[-1]) if origins else None
        return found if isinstance(found, dict) else {}

    def _records(self, message: Stays) -> Iterator[Record]:
        """The records of a message that stays, one reply's all together."""
        for origin, left in _by_record(message.parts):
            record = self.bodies.record(origin)
            if not isinstance(record, dict):
                raise RedlineError(f"{origin.path}, record {origin.record}: no record is there")
            edited = self._edited(record, left, _spans(message.message, origin))
            link = self._next()
            reply = message.message.api_id
            if reply is not None and reply not in self.replies:
                self.replies[reply] = f"msg_{self.work.new_id().replace('-', '')}"
            caller = self._caller(left, link.uuid)
            yield moved(edited, link, self.work.now, self.replies.get(reply or ""), caller)

    def _edited(self, record: Record, left: list[Left], spans: Counter[Pointer]) -> Record:
        """`record` with nothing but the parts in `left`, as they stay."""
        if len(left) == spans.total() and all(one.body is None for one in left):
            return record
        if record.get("type") in ("user", "assistant"):
            pieces = [
                Piece(one.part.origin.pointer, one.part.origin.span, one.body) for one in left
            ]
            return with_pieces(record, pieces, spans)
        typed = any(one.part.kind is Kind.PROMPT for one in left)
        text = self.work.session.text
        bodies = [text(one.part) if one.body is None else one.body for one in left]
        return told(record, "\n".join(bodies), typed=typed)

    def _caller(self, left: list[Left], uuid: str) -> str | None:
        """The record that holds the call which these parts answer; notes the calls among them."""
        answered = None
        for one in left:
            if one.part.call_id is None:
                continue
            if one.part.type is PartType.TOOL_CALL:
                self.callers[one.part.call_id] = uuid
            else:
                answered = self.callers.get(one.part.call_id, answered)
        return answered


def _by_record(parts: Iterable[Left]) -> list[tuple[Origin, list[Left]]]:
    """Parts by the record they lie in, in order."""
    found: dict[int, tuple[Origin, list[Left]]] = {}
    for left in parts:
        origin = left.part.origin
        found.setdefault(origin.start, (origin, []))[1].append(left)
    return list(found.values())


def _spans(message: Message, origin: Origin) -> Counter[Pointer]:
    """How many parts lie at each place of one record."""
    return Counter(
        part.origin.pointer for part in message.parts if part.origin.start == origin.start
    )


def _folders(session: Session, bodies: FileBodies) -> list[str]:
    """The working directories that the session names, its first one first."""
    found = [session.info.project or ""]
    for message in (*session.context[:1], *session.context[-1:]):
        record = bodies.record(message.parts[0].origin)
        if isinstance(record, dict) and isinstance(record.get("cwd"), str):
            found.append(record["cwd"])
    return [folder for folder in dict.fromkeys(found) if folder]


def _with_provider_results(
    stays: tuple[Stays, ...],
) -> tuple[tuple[Stays, ...], tuple[str, ...]]:
    """`stays` with the results of tools that ran at the provider word for word: it takes nothing
    else in their place. And a warning where that is not what the plan says."""
    found, touched = [], 0
    for message in stays:
        parts = []
        for left in message.parts:
            provided = left.part.type is PartType.TOOL_RESULT and left.part.wire != "tool_result"
            if provided and left.body is not None:
                touched += 1
                left = replace(left, body=None)
            parts.append(left)
        found.append(replace(message, parts=tuple(parts)))
    if not touched:
        return stays, ()
    return tuple(found), (
        f"{touched} results of tools that ran at the provider stay whole: it takes no others",
    )


def _warnings(work: Work, stays: tuple[Stays, ...], folder: str | None) -> Iterator[str]:
    first_is_summary = bool(work.summary) and work.plan.summary_at == 0
    if not first_is_summary and stays and stays[0].message.role is Role.ASSISTANT:
        yield "the first message that stays is the agent's own: its API may want a person's first"
    if folder is None:
        yield "the session names no working directory: resume it in the one it was started in"
    elif not Path(folder).is_dir():
        yield f"{folder} is not there: Claude Code finds the session only when it is started there"
