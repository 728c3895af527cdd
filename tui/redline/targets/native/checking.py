"""Whether a draft holds what its plan says: it is read back before anybody else can see it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, takewhile

from redline.compaction.outline import outline
from redline.errors import RedlineError
from redline.files import sha256
from redline.model import DamageKind, Kind, Message, Part, PartType, Session
from redline.scratch import Purpose, scratch
from redline.targets.native.draft import Draft, Work

_BROKEN = frozenset(DamageKind) - {DamageKind.UNKNOWN, DamageKind.MISSING, DamageKind.ENCODING}
_BY_VALUE = (PartType.IMAGE, PartType.OPAQUE, PartType.TOOL_CALL)  # not by their text
_ODD = re.compile(r"NaN|Infinity|\d{19}")
_SHOWN = 60  # characters of a body that an error names


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part as it is compared. `shown` is its body, for people; `place` that of a text that stands
    word for word, which readers may take for several parts."""

    role: str
    type: str
    call_id: str | None
    digest: str
    shown: str = ""
    place: object = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Piece) and self._key == other._key

    @property
    def _key(self) -> tuple[str, str, str | None, str]:
        return (self.role, self.type, self.call_id, self.digest)


def check(draft: Draft, work: Work) -> Session:
    """Puts `draft` into a scratch folder, opens it by redline's own reader and gives the session.

    The context must be what stays by the plan, part for part and character for character, with the
    summary at its place; every id new unless the session itself goes on, every result behind its
    call, nothing that the agent's loader would not find, and no usage by which the agent would
    compact again at once. Raises RedlineError where any of it is not so; then the draft must not be
    published.
    """
    from redline.agents.opening import open_session, recognise

    with scratch(Purpose.DRAFT) as folder:
        path = draft.put(folder)
        made = open_session(recognise(path, draft.id))
        if made.info.agent is not draft.agent or made.info.id != draft.id:
            _refuse(draft, f"it reads as {made.info.agent.value} session {made.info.id}")
        _same(draft, list(_planned(draft, work)), list(_found(draft, work, made)))
        _whole(draft, made)
        if not draft.in_place:
            _new(draft, work, made)
        return made


def _planned(draft: Draft, work: Work) -> Iterator[_Piece]:
    at = work.plan.summary_at if draft.summary_at is None else draft.summary_at
    for number, message in enumerate(draft.stays):
        if work.summary and number == at:
            yield _summary(work.summary)
        role = message.message.role.value
        for left in message.parts:
            if left.body == "" or (message.index, left.part.index) in draft.left_out:
                continue
            if left.body is None:
                yield _piece(role, left.part, work.session)
            else:
                type_ = PartType.TEXT if left.part.type is PartType.IMAGE else left.part.type
                yield _Piece(role, type_, left.part.call_id, _digest(left.body), left.body)
    if work.summary and at is not None and at >= len(draft.stays):
        yield _summary(work.summary)


def _found(draft: Draft, work: Work, made: Session) -> Iterator[_Piece]:
    added = list(draft.added)
    summary = work.summary
    for message in made.context:
        for part in message.parts:
            text = made.text(part) if part.type is PartType.TEXT else ""
            if summary and part.kind is Kind.SUMMARY and summary in text:
                summary = ""
                yield _summary(work.summary)
            elif text and text in added:
                added.remove(text)
            else:
                yield _piece(message.role.value, part, made)


def _summary(text: str) -> _Piece:
    return _Piece("", Kind.SUMMARY, None, _digest(text), text)


def _piece(role: str, part: Part, session: Session) -> _Piece:
    by_value = part.type in _BY_VALUE
    body = _plain(session.source.value(part)) if by_value else session.text(part)
    origin = part.origin
    place = (origin.path, origin.record, origin.start, origin.pointer)
    is_text = part.type is PartType.TEXT
    return _Piece(role, part.type, part.call_id, _digest(body), body, place if is_text else None)


def _plain(value: object) -> str:
    """`value` as JSON that every program reads alike: NaN, which some agents write, is null there,
    and a number of more than 64 bits loses its last digits."""
    text = json.dumps(value, sort_keys=True)
    if _ODD.search(text):
        told = json.loads(text, parse_constant=lambda _name: None, parse_int=_number)
        return json.dumps(told, sort_keys=True)
    return text


def _number(digits: str) -> int | float:
    return int(digits) if -(2**63) <= int(digits) < 2**64 else float(digits)


def _digest(text: str) -> str:
    return sha256(text.encode(errors="surrogatepass"))


def _same(draft: Draft, planned: list[_Piece], found: list[_Piece]) -> None:
    at = there = 0
    while at < len(planned) and there < len(found):
        one, other = _alike(planned, at, found, there)
        if not one:
            wanted, got = _named(planned[at]), _named(found[there])
            _refuse(draft, f"part {at} should be {wanted}, and is {got}")
        at, there = at + one, there + other
    if at < len(planned):
        _refuse(draft, f"{_named(planned[at])} is not in it")
    if there < len(found):
        _refuse(draft, f"{_named(found[there])} is in it and should not be")


def _alike(planned: list[_Piece], at: int, found: list[_Piece], there: int) -> tuple[int, int]:
    """How many pieces from there on say the same: one each, or those of one text on either side
    (what is a prompt in it may be read otherwise where the events around it are gone). (0, 0) where
    they do not."""
    if planned[at] == found[there]:
        return 1, 1
    one, other = _text_at(planned, at), _text_at(found, there)
    same = one and other and planned[at].role == found[there].role
    if not same or "".join(p.shown for p in one) != "".join(p.shown for p in other):
        return 0, 0
    return len(one), len(other)


def _text_at(pieces: list[_Piece], at: int) -> list[_Piece]:
    """The pieces of one text from number `at` on; none where that is no text."""
    first = pieces[at].place
    return (
        list(takewhile(lambda piece: piece.place == first, islice(pieces, at, None)))
        if first
        else []
    )


def _named(piece: _Piece) -> str:
    shown = " ".join(piece.shown.split())[:_SHOWN]
    return f"{piece.role} {piece.type} {shown!r}".strip()


def _whole(draft: Draft, made: Session) -> None:
    """The agent's own loader finds all of it, calls have their results, no usage is stale."""
    if made.resume_lost:
        _refuse(draft, f"the agent would not find {made.resume_lost} messages of it")
    if outline(made.context).orphans:
        _refuse(draft, "a result in it has no call")
    if any(message.usage is not None and message.usage.billed for message in made.context):
        _refuse(draft, "a usage in it is older than the compaction: the agent would compact again")
    if not draft.in_place and (broken := [d for d in made.damage if d.kind in _BROKEN]):
        _refuse(draft, f"record {broken[0].record}: {broken[0].detail}")


def _new(draft: Draft, work: Work, made: Session) -> None:
    """No id of the source is used again."""
    if draft.id == work.session.info.id:
        _refuse(draft, "it has the id of the session it is made from")
    if shared := _ids(work.session.context) & _ids(made.context):
        _refuse(draft, f"the id {min(shared)} is one of the session it is made from")


def _ids(messages: tuple[Message, ...]) -> set[str]:
    return {message.id for message in messages if not message.id.startswith("line:")}


def _refuse(draft: Draft, why: str) -> None:
    raise RedlineError(
        f"the {draft.agent.value} session that was made is not what the plan says: {why}; "
        "nothing was written",
        "write a handoff file instead, and report this with the session's `redline inspect`",
    )
