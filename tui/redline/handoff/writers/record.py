"""A session as one text with roles, to be read and never to be gone on with.

Thinking is left out, tool output is cut at its head and tail, secrets and hidden characters are
taken out. Only lines that begin with the mark begin a speaker; the mark is made from the whole
text, so nothing in a session can hold it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from redline.compaction.plan import Action, Plan
from redline.facts.compacted import summary_of
from redline.handoff.writers.failure import Cancelled
from redline.model import CompactionKind, Kind, Message, Part, PartType, Role, Session
from redline.redaction import redact
from redline.text import plain

_MARK = "\x01"  # stands for the mark until that is known; no text that went through `plain` has it
_RESULT = (1_400, 800)  # characters of a tool result's head and tail
_KEPT_RESULT = (300, 200)  # of one the next agent sees anyway
_CALL = (900, 300)
_INJECTED = (300, 100)
_SCANNED = 100_000  # characters at each end of a body that are looked through for secrets


@dataclass(frozen=True, slots=True)
class Turn:
    """A prompt and what follows it: one text for each speaker, with the mark still unset."""

    pieces: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.pieces)


@dataclass(frozen=True, slots=True)
class Record:
    """The turns in order. `previous` is the summary that came before them, `replaced` how many
    characters of the session the plan takes out."""

    turns: tuple[Turn, ...]
    previous: str
    replaced: int

    @property
    def mark(self) -> str:
        """Eight hexadecimal digits that stand nowhere in the session."""
        digest = sha256(self.previous.encode("utf-8", "replace"))
        for turn in self.turns:
            digest.update(turn.text.encode("utf-8", "replace"))
        return digest.hexdigest()[:8]


def marked(text: str, mark: str) -> str:
    """`text` of a record with its mark set."""
    return text.replace(_MARK, mark)


def as_turn(speaker: str, text: str) -> Turn:
    """A turn of one text."""
    return Turn((f"[{_MARK}] {speaker}: {text}",))


def record_of(
    session: Session,
    plan: Plan | None,
    previous: str = "",
    cancelled: Callable[[], bool] = lambda: False,
) -> Record:
    """The record of the context of `session`: all of it, but for what `plan` drops. `previous`
    stands for the summary that the session holds. Raises RedlineError where its file changed, and
    Cancelled."""
    turns: list[list[str]] = [[]]
    for place, message in enumerate(session.context):
        action = plan.actions[place] if plan is not None else Action.SUMMARISE
        if message.prompts and turns[-1]:
            turns.append([])
        kept = action is Action.KEEP
        for part in message.parts:
            if cancelled():
                raise Cancelled
            chosen = action if plan is None else plan.action_of(place, part.index)
            if chosen is Action.DROP and part.kind not in (Kind.INJECTED, Kind.NOTICE):
                continue
            if piece := _piece(session, message, part, kept=kept):
                turns[-1].append(piece)
    before = previous.strip() or _summary(session)
    return Record(
        tuple(Turn(tuple(pieces)) for pieces in turns if pieces),
        plain(redact(before).text),
        replaced_by(session, plan, previous),
    )


def replaced_by(session: Session, plan: Plan | None, previous: str = "") -> int:
    """How many characters of the session a summary stands for: all that `plan` does not keep, and
    the summary before it."""
    count = len(previous)
    for place, message in enumerate(session.context):
        for part in message.parts:
            if plan is None or plan.action_of(place, part.index) is not Action.KEEP:
                count += part.chars
    return count


def _piece(session: Session, message: Message, part: Part, *, kept: bool) -> str:
    """One part with its speaker; "" where there is nothing to say of it."""
    stays = " (kept)" if kept else ""
    match part.type:
        case PartType.THINKING | PartType.OPAQUE:
            return ""
        case PartType.IMAGE:
            return f"[{_MARK}] Image{stays}: not shown"
        case PartType.TOOL_CALL:
            body = cut(session.text(part), *_CALL)
            return f"[{_MARK}] Tool call {plain(part.tool or 'unknown')[:80]}{stays}: {body}"
        case PartType.TOOL_RESULT:
            ends = _KEPT_RESULT if kept else _RESULT
            name = "Tool error" if part.error else "Tool result"
            return f"[{_MARK}] {name}{stays}: {cut(session.text(part), *ends)}"
        case PartType.TEXT:
            return _text(session, message, part, stays)


def _text(session: Session, message: Message, part: Part, stays: str) -> str:
    if part.kind is Kind.SUMMARY:
        return ""  # it is given as what came before
    body = session.text(part)
    if not body.strip():
        return ""
    if part.kind in (Kind.INJECTED, Kind.NOTICE):
        return f"[{_MARK}] Put in by a program{stays}: {cut(body, *_INJECTED)}"
    speaker = "User" if part.kind is Kind.PROMPT else _speaker(message.role)
    return f"[{_MARK}] {speaker}{stays}: {plain(redact(body).text)}"


def _speaker(role: Role) -> str:
    return "Assistant" if role is Role.ASSISTANT else "Put in by a program"


def _summary(session: Session) -> str:
    """The readable summary of the last compaction that has one, as the context holds it."""
    texts = [
        session.text(part)
        for message in session.context
        for part in message.parts
        if part.kind is Kind.SUMMARY and part.type is PartType.TEXT
    ]
    if texts:
        return "\n\n".join(texts)
    past = [c for c in session.compactions if c.kind is not CompactionKind.MICRO]
    return summary_of(session, past[-1]) if past else ""


def cut(text: str, head: int, tail: int) -> str:
    """`text` without secrets, its middle taken out where it is longer than `head` and `tail`; how
    much was taken out is said."""
    if len(text) > 2 * _SCANNED:
        first, last = redact(text[:_SCANNED]).text, redact(text[-_SCANNED:]).text
        middle = len(text) - 2 * _SCANNED
    else:
        first, last, middle = redact(text).text, "", 0
    first, last = plain(first), plain(last)
    if not last:
        if len(first) <= head + tail + 60:
            return first
        first, last = first[:-tail], first[-tail:]
    gone = middle + len(first) - head + len(last) - tail
    lines = first[head:].count("\n") + last[:-tail].count("\n")
    about = f", {lines:,} lines" if lines and not middle else ""
    return f"{first[:head]}\n[... {gone:,} characters{about} cut ...]\n{last[-tail:]}"


def pieces_of(turns: Iterable[Turn], limit: int, tokens: Callable[[str], int]) -> Iterator[str]:
    """The turns packed into texts of at most `limit` tokens each, in order and whole: a turn that
    is larger is split between its speakers, a speaker's text at line ends or, at last, anywhere."""
    packed: list[str] = []
    used = 0
    for text in _fitting(turns, limit, tokens):
        weight = tokens(text) + 1
        if packed and used + weight > limit:
            yield "\n".join(packed)
            packed, used = [], 0
        packed.append(text)
        used += weight
    if packed:
        yield "\n".join(packed)


def _fitting(turns: Iterable[Turn], limit: int, tokens: Callable[[str], int]) -> Iterator[str]:
    for turn in turns:
        if tokens(turn.text) < limit:
            yield turn.text
            continue
        for piece in turn.pieces:
            if tokens(piece) < limit:
                yield piece
            else:
                yield from _split(piece, limit, tokens)


def _split(piece: str, limit: int, tokens: Callable[[str], int]) -> Iterator[str]:
    """`piece` in texts below `limit` tokens; each but the first says that it goes on."""
    speaker, _, _ = piece.partition(": ")
    speaker = speaker if len(speaker) < 120 else f"[{_MARK}]"
    lead, at = "", 0
    while at < len(piece):
        room = limit - tokens(lead) - 8
        size = max(1, limit * 4)
        while size > 1 and tokens(piece[at : at + size]) >= room:
            size = min(size, len(piece) - at) * 3 // 4
        size = max(size, 1)
        if at + size < len(piece):
            line = piece.rfind("\n", at + size // 2, at + size)
            size = line + 1 - at if line > 0 else size
        yield lead + piece[at : at + size]
        at += size
        lead = f"{speaker} (goes on): "
