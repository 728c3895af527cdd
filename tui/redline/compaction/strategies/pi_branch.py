"""What pi's compaction works over: its projection of the live path, entry by entry.

Roles and weights as in pi 1.6.0 (`core/compaction/compaction.js`, `core/session-manager.js`): an
entry weighs ceil(characters / 4), where characters are UTF-16 units and an image is 4800 of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from redline.agents.pi.entries import IMAGE_CHARS, content_chars
from redline.agents.pi.javascript import json_length, string_length
from redline.agents.pi.reader import PathEntry, PiSource
from redline.model import Kind, Message, PartType, Role, Session

COMPACTION = "compaction"
CONTEXT_EDIT = "context_edit"
SYSTEM = "system"
_FAILED = ("aborted", "error")
_VISIBLE = ("message", "custom_message", "branch_summary")
_UNEDITABLE = (
    "bashExecution",
    "branchSummary",
)  # an edit takes them out or leaves them as they are
_Raw = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class BranchEntry:
    """One entry of the projection. `index` is its place in pi's branch (metadata included),
    `role` pi's own word, None for what gives the model nothing, `tokens` pi's estimate, `message`
    the index of the context message it is. `omitted` marks what a context edit took out; of an
    edit that replaces, `replaces` is the id of its target."""

    index: int
    id: str
    type: str
    role: str | None
    tokens: int
    message: int | None
    omitted: bool = False
    replaces: str | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """pi's projection: the newest compaction first, then what it kept, then what came after.

    `start` is the first entry that may be summarised, `tokens_before` pi's own measure of the
    context, `closed` whether the branch ends in a compaction (pi refuses to compact again).
    """

    entries: tuple[BranchEntry, ...]
    start: int
    tokens_before: int
    closed: bool = False


def estimate(chars: int) -> int:
    """pi's tokens for so many characters."""
    return -(-chars // 4)


def branch_of(session: Session) -> Branch:
    """The projection of `session`; for a session of another agent its messages, likewise."""
    if isinstance(session.source, PiSource):
        return _pi_branch(session, session.source)
    return _foreign_branch(session)


def _pi_branch(session: Session, source: PiSource) -> Branch:
    path = source.path_entries()
    newest = max((entry.index for entry in path if entry.type == COMPACTION), default=None)
    chosen: Sequence[PathEntry] = path
    systems: list[_Raw] = []
    if newest is not None:
        record = source.record(path[newest].record)
        first = _first_kept(session, path, newest, record)
        chosen = (path[newest], *path[first:newest], *path[newest + 1 :])
        compacted = record.get("systemMessage")
        systems += [compacted] if isinstance(compacted, dict) else []
    projection = _Projection(session, source, chosen, newest, systems)
    entries = [found for entry in chosen if (found := projection.entry(entry)) is not None]
    last_change = max((e.index for e in path if e.type in (COMPACTION, CONTEXT_EDIT)), default=-1)
    return Branch(
        entries=tuple(entries),
        start=0 if newest is None or entries[0].role is None else 1,
        tokens_before=_tokens_before(session, entries, last_change, systems),
        closed=bool(path) and path[-1].type == COMPACTION,
    )


def _first_kept(session: Session, path: Sequence[PathEntry], newest: int, record: _Raw) -> int:
    """Where the kept part of the newest compaction starts: the entry it names; in v1 files, which
    name a line, the first kept message with the metadata before it; `newest` for nothing."""
    named = record.get("firstKeptEntryId")
    if named is not None:
        return next((entry.index for entry in path[:newest] if entry.id == named), newest)
    kept = {message.id for message in session.context}
    first = next((e.index for e in path[:newest] if e.role is not None and e.id in kept), newest)
    while 0 < first < newest and path[first - 1].role is None:
        first -= 1
    return first


class _Projection:
    """Turns entries of the path to what pi makes of them; system messages are put in `systems`."""

    def __init__(
        self,
        session: Session,
        source: PiSource,
        chosen: Sequence[PathEntry],
        newest: int | None,
        systems: list[_Raw],
    ) -> None:
        self._source = source
        self._newest = newest
        self._systems = systems
        self._places = {message.id: i for i, message in enumerate(session.context)}
        edits = ((e.id, source.record(e.record)) for e in chosen if e.type == CONTEXT_EDIT)
        self._replacing: dict[str, str] = {}  # edit -> what it edits
        self._edited: dict[str, bool] = {}  # what is edited -> whether it is taken out
        for name, record in edits:
            target = record.get("targetId")
            if isinstance(target, str):
                self._edited[target] = record.get("replacement") is None
                if record.get("replacement") is not None:
                    self._replacing[name] = target

    def entry(self, entry: PathEntry) -> BranchEntry | None:
        """`entry` as pi projects it, None for a system message from before the compaction."""
        role, chars, omitted = entry.role, entry.chars, False
        if entry.type == COMPACTION:
            if entry.index != self._newest or self._edited.get(entry.id, False):
                role, chars = None, 0
            elif entry.id in self._edited:
                summary = self._source.record(entry.record).get("summary")
                chars = string_length(summary) if isinstance(summary, str) else 0
        elif entry.type in _VISIBLE and (
            role is None or (entry.id in self._edited and role in _UNEDITABLE)
        ):
            role, chars = self._weighed(entry)
            if role == SYSTEM and self._newest is not None and entry.index < self._newest:
                return None
            if role is not None and self._edited.get(entry.id, False):
                role, chars, omitted = None, 0, True
        if role == SYSTEM:
            message = self._source.record(entry.record).get("message")
            self._systems.append(message if isinstance(message, dict) else {})
        return BranchEntry(
            entry.index,
            entry.id,
            entry.type,
            role,
            estimate(chars) if role is not None else 0,
            self._places.get(entry.id) if entry.role is not None else None,
            omitted,
            self._replacing.get(entry.id),
        )

    def _weighed(self, entry: PathEntry) -> tuple[str | None, int]:
        """Role and characters of an entry as written, also where the model is given nothing of it:
        pi weighs its system prompt and commands that were run with `!!`."""
        record = self._source.record(entry.record)
        if entry.type == "custom_message":
            return "custom", content_chars(record.get("content"))
        if entry.type == "branch_summary":
            summary = record.get("summary")
            text = summary if isinstance(summary, str) else ""
            return ("branchSummary", string_length(text)) if text else (None, 0)
        message = record.get("message")
        if not isinstance(message, dict):
            return None, 0
        match message.get("role"):
            case "system":
                return SYSTEM, system_chars([message])
            case "bashExecution":
                texts = (message.get("command"), message.get("output"))
                chars = sum(string_length(text) for text in texts if isinstance(text, str))
                return "bashExecution", chars
            case "user" | "assistant" | "toolResult" | "custom" as role:
                return str(role), content_chars(message.get("content"))
        return None, 0


def system_chars(messages: Iterable[_Raw]) -> int:
    """Characters of pi's system messages, replayed into one as pi does."""
    texts: list[str] = []
    sections: dict[str, str] = {}
    tools: dict[str, object] = {}
    for message in messages:
        texts += [text for text in (_text(message.get("content")),) if text]
        patch = message.get("sections")
        for name, text in patch.items() if isinstance(patch, dict) else ():
            if isinstance(text, str):
                sections[name] = text
            else:
                sections.pop(name, None)
        for name, _ in _tools(message.get("toolsRemoved")):
            tools.pop(name, None)
        tools.update(_tools(message.get("toolsAdded")))
    chars = string_length("\n\n".join(texts)) + sum(map(string_length, sections.values()))
    return chars + (json_length(list(tools.values())) if tools else 0)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def _tools(listed: object) -> Iterator[tuple[str, object]]:
    for tool in listed if isinstance(listed, list) else ():
        if isinstance(tool, dict) and isinstance(tool.get("name"), str):
            yield tool["name"], tool


def _tokens_before(
    session: Session, entries: Sequence[BranchEntry], last_change: int, systems: Sequence[_Raw]
) -> int:
    """pi's measure: the usage of the last reply plus an estimate of what follows it, or an
    estimate of everything where a compaction or an edit came after that reply."""
    for place in range(len(entries) - 1, -1, -1):
        entry = entries[place]
        if entry.role != "assistant" or entry.message is None:
            continue
        used = _billed(session.context[entry.message])
        if used:
            if entry.index > last_change:
                return used + sum(later.tokens for later in entries[place + 1 :])
            break
    told = sum(entry.tokens for entry in entries if entry.role != SYSTEM)
    return told + (estimate(system_chars(systems)) if systems else 0)


def _billed(message: Message) -> int:
    usage = message.usage
    if usage is None or message.stop in _FAILED:
        return 0
    sides = (usage.input, usage.cache_read, usage.cache_write, usage.output)
    return sum(side for side in sides if side is not None)


def _foreign_branch(session: Session) -> Branch:
    """Messages of another agent as pi would see them. Characters are those the reader counted."""
    entries: list[BranchEntry] = []
    for i, message in enumerate(session.context):
        chars = sum(
            IMAGE_CHARS
            if part.type is PartType.IMAGE
            else part.chars + len(part.tool or "")
            if part.type is PartType.TOOL_CALL
            else 0
            if part.type is PartType.OPAQUE
            else part.chars
            for part in message.parts
        )
        role = _foreign_role(message, first=i == 0)
        kind = COMPACTION if role == "compactionSummary" else "message"
        entries.append(BranchEntry(i, message.id, kind, role, estimate(chars), i))
    start = 1 if entries and entries[0].type == COMPACTION else 0
    return Branch(tuple(entries), start, _tokens_before(session, entries, -1, ()))


def _foreign_role(message: Message, *, first: bool) -> str:
    kinds = {part.kind for part in message.parts}
    if Kind.TOOL_RESULT in kinds and message.role is not Role.ASSISTANT:
        return "toolResult"
    if first and Kind.SUMMARY in kinds:
        return "compactionSummary"
    match message.role:
        case Role.ASSISTANT:
            return "assistant"
        case Role.USER:
            return "user"
        case _:
            return SYSTEM
