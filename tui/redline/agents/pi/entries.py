"""Entries of a pi session file: what each line is, and how the lines hang together.

Rules are those of pi 1.6.0's session manager; older files (v1, v2) are read as pi migrates them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from redline.agents.pi.fields import (
    billed_of,
    failed,
    model_of,
    number_of,
    text_of,
    time_of,
    version_of,
)
from redline.agents.pi.javascript import json_length, string_length
from redline.agents.pi.prompts import prompts_in
from redline.agents.records import BOM, Record, decode
from redline.errors import RedlineError, kind_in_words
from redline.model import Damage, DamageKind

CURRENT_VERSION = 3
_STRANGERS = 20  # objects of other kinds before a file is taken for no pi session
IMAGE_CHARS = 4800  # what pi's estimator counts for an image (1200 tokens)

HEADER = "session"
MESSAGE = "message"
COMPACTION = "compaction"
BRANCH_SUMMARY = "branch_summary"
CUSTOM_MESSAGE = "custom_message"
CONTEXT_EDIT = "context_edit"
KNOWN_TYPES = frozenset(
    {
        HEADER,
        MESSAGE,
        COMPACTION,
        BRANCH_SUMMARY,
        CUSTOM_MESSAGE,
        CONTEXT_EDIT,
        "thinking_level_change",
        "model_change",
        "custom",
        "label",
        "session_info",
        "usage",
    }
)
KNOWN_ROLES = frozenset(
    {
        "system",
        "user",
        "assistant",
        "toolResult",
        "bashExecution",
        "custom",
        "branchSummary",
        "compactionSummary",
    }
)


@dataclass(frozen=True, slots=True)
class Entry:
    """The skeleton of one entry.

    `position` counts entries from 0, `number` lines from 1. `role` is that of the message the entry
    gives the model, None where it gives none. `chars` is what pi's estimator counts (UTF-16 units,
    an image 4800). `loaded` is false where pi's own loader does not see the line (torn, glued).
    `target` is what a context edit edits, `first_kept` where a compaction's kept part starts.
    """

    position: int
    id: str
    parent: str | None
    rooted: bool
    type: str
    number: int
    start: int
    end: int
    role: str | None = None
    chars: int = 0
    prompts: int = 0
    stop: str | None = None
    billed: int | None = None
    loaded: bool = True
    target: str | None = None
    omits: bool = False
    first_kept: str | None = None
    model: str | None = None
    head: str = ""
    time: datetime | None = None


@dataclass(slots=True)
class EntryFile:
    """All entries of one file in order, its header and what is wrong with it.

    `refused` is true where pi itself takes the file for no session: its first readable line is not
    the header.
    """

    path: Path
    header: Mapping[str, Any]
    entries: list[Entry]
    damage: list[Damage]
    version: int = 1
    records: int = 0
    unknown: int = 0
    name: str | None = None
    refused: bool = False
    calls: set[str] = field(default_factory=set)
    results: set[str] = field(default_factory=set)


def is_entry(value: Mapping[str, Any]) -> bool:
    """Whether a decoded object looks like a line of a pi session."""
    kind = value.get("type")
    if kind == HEADER:
        return isinstance(value.get("id"), str)
    return isinstance(kind, str) and ("timestamp" in value or "parentId" in value)


@dataclass(slots=True)
class Taking:
    """What was taken of a file's records so far.

    `kept` holds (position, firstKeptEntryIndex) of v1's compactions, `loaded` what pi's own list of
    parsed lines holds: positions, -1 for headers.
    """

    path: Path
    damage: list[Damage] = field(default_factory=list)
    file: EntryFile | None = None
    strangers: int = 0
    taken: set[str] = field(default_factory=set)
    kept: list[tuple[int, object]] = field(default_factory=list)
    loaded: list[int] = field(default_factory=list)
    header: int = 0
    last: int = 0

    def copied(self) -> Taking:
        """The same, to be gone on with apart from this one."""
        damage = list(self.damage)
        return replace(
            self,
            damage=damage,
            file=_copied(self.file, damage) if self.file is not None else None,
            taken=set(self.taken),
            kept=list(self.kept),
            loaded=list(self.loaded),
        )

    def take(self, record: Record) -> bool:
        """Takes in the next record; False where the file is none of pi's, whatever follows."""
        value, damage = record.value, self.damage
        file = self.file
        if file is None:
            if value.get("type") == HEADER and isinstance(value.get("id"), str):
                self.file = EntryFile(self.path, value, [], damage, version_of(value), 1)
                self.file.refused = self.strangers > 0 or _has_mark(record)
                self.loaded.append(-1)
                self.header = self.last = record.number
                return True
            if value.get("type") not in KNOWN_TYPES or not is_entry(value):
                self.strangers += 1
                return self.strangers <= _STRANGERS
            self.header = record.number
            version = 3 if "id" in value else 1
            file = self.file = EntryFile(self.path, {}, [], damage, version, refused=True)
        file.records += 1
        if value.get("type") == HEADER:
            damage.append(
                Damage(record.number, DamageKind.DUPLICATE, "a second header; the first one counts")
            )
            self.loaded.append(-1)
            return True
        entry = _entry(file, record, glued=record.number == self.last, before=file.entries)
        self.last = record.number
        if file.version >= 2 and entry.id in self.taken:
            damage.append(Damage(record.number, DamageKind.DUPLICATE, f"id {entry.id} twice"))
        self.taken.add(entry.id)
        file.entries.append(entry)
        self.loaded.append(entry.position)
        if file.version < 2 and entry.type == COMPACTION:
            self.kept.append((entry.position, value.get("firstKeptEntryIndex")))
        return True

    def settle(self) -> None:
        """Nothing waits for later records; see `entries`."""

    def entries(self) -> EntryFile:
        """The whole file as taken so far, apart from this. Raises RedlineError where it holds no
        pi session."""
        if self.file is None:
            raise RedlineError(
                f"{self.path} is no pi session", "a pi session starts with a line of type session"
            )
        file = _copied(self.file, list(self.damage))
        _mark_unloaded(file, self.header)
        if file.refused:
            detail = "pi does not open this file: its first line is no session header"
            file.damage.append(Damage(self.header, DamageKind.MISSING, detail))
        _resolve_first_kept(file, self.kept, self.loaded)
        return file


def _copied(file: EntryFile, damage: list[Damage]) -> EntryFile:
    return replace(
        file,
        entries=list(file.entries),
        damage=damage,
        calls=set(file.calls),
        results=set(file.results),
    )


def _has_mark(record: Record) -> bool:
    """Whether a byte order mark stands before the record; pi cannot parse such a line."""
    return record.number == 1 and record.start == len(BOM)


def _entry(file: EntryFile, record: Record, *, glued: bool, before: list[Entry]) -> Entry:
    value, damage = record.value, file.damage
    kind = value.get("type")
    if not isinstance(kind, str):
        damage.append(Damage(record.number, DamageKind.WRONG_TYPE, "an entry without a type"))
        kind = ""
    elif kind not in KNOWN_TYPES:
        file.unknown += 1
        damage.append(Damage(record.number, DamageKind.UNKNOWN, f"entry type {kind[:40]}"))
    position = len(before)
    identity, parent, rooted = text_of(value.get("id")), None, False
    if file.version < 2:
        identity = _line_id(record.number, glued, before)
        parent = before[-1].id if before else None
        rooted = not before
    else:
        if identity is None:
            identity = _line_id(record.number, glued, before)
            damage.append(Damage(record.number, DamageKind.WRONG_TYPE, "an entry without an id"))
        stated = value.get("parentId")
        parent = text_of(stated)
        rooted = "parentId" in value and stated is None
    fields = _fields(file, record, kind)
    return Entry(
        position,
        identity,
        parent,
        rooted,
        kind,
        record.number,
        record.start,
        record.end,
        target=text_of(value.get("targetId")) if kind == CONTEXT_EDIT else None,
        time=time_of(value) if fields.get("role") in ("user", "assistant") else None,
        omits=kind == CONTEXT_EDIT and value.get("replacement") is None,
        first_kept=text_of(value.get("firstKeptEntryId")) if kind == COMPACTION else None,
        **fields,
    )


def _line_id(number: int, glued: bool, before: list[Entry]) -> str:
    """An id for an entry that has none: stable in this file, gone when pi migrates it."""
    if not glued:
        return f"line:{number}"
    same = sum(1 for entry in reversed(before[-50:]) if entry.number == number)
    return f"line:{number}.{same + 1}"


def _fields(file: EntryFile, record: Record, kind: str) -> dict[str, Any]:
    """Role, weight, prompts and the like of one entry."""
    value = record.value
    if kind == COMPACTION:
        summary = value.get("summary")
        return {
            "role": "compactionSummary",
            "chars": string_length(summary) if isinstance(summary, str) else 0,
        }
    if kind == BRANCH_SUMMARY:
        summary = text_of(value.get("summary"))
        return {"role": "branchSummary", "chars": string_length(summary)} if summary else {}
    if kind == CUSTOM_MESSAGE:
        return {"role": "custom", "chars": content_chars(value.get("content"))}
    if kind == "model_change":
        return {"model": text_of(value.get("modelId"))}
    if kind == "session_info":
        name = value.get("name")
        file.name = name.strip() if isinstance(name, str) else None
        return {}
    if kind != MESSAGE:
        return {}
    message = value.get("message")
    if not isinstance(message, dict):
        file.damage.append(
            Damage(record.number, DamageKind.WRONG_TYPE, "a message entry without a message")
        )
        return {}
    return _message_fields(file, record, message)


def _message_fields(file: EntryFile, record: Record, message: dict[str, Any]) -> dict[str, Any]:
    role = message.get("role")
    if role == "hookMessage" and file.version < 3:
        role = "custom"
    if not isinstance(role, str) or role not in KNOWN_ROLES:
        file.damage.append(
            Damage(record.number, DamageKind.UNKNOWN, f"message role {str(role)[:40]}")
        )
        return {}
    content = message.get("content")
    if role == "system":
        return {}
    if role == "bashExecution":
        if message.get("excludeFromContext"):
            return {}
        texts = (message.get("command"), message.get("output"))
        return {"role": role, "chars": sum(string_length(t) for t in texts if isinstance(t, str))}
    if role in ("branchSummary", "compactionSummary"):
        summary = text_of(message.get("summary"))
        return {"role": role, "chars": string_length(summary)} if summary else {}
    if content is not None and not isinstance(content, str | list):
        detail = f"content is {kind_in_words(content)}, not text or blocks"
        file.damage.append(Damage(record.number, DamageKind.WRONG_TYPE, detail))
    fields: dict[str, Any] = {"role": role, "chars": content_chars(content)}
    if role == "user":
        prompts = prompts_in(content)
        fields |= {"prompts": len(prompts), "head": next(filter(None, prompts), "")[:200]}
    elif role == "toolResult":
        if call := text_of(message.get("toolCallId")):
            file.results.add(call)
    elif role == "assistant":
        fields |= {"stop": text_of(message.get("stopReason")), "model": model_of(message)}
        if not failed(fields["stop"]):
            fields["billed"] = billed_of(message.get("usage"))
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "toolCall":
                file.calls.add(text_of(block.get("id")) or "")
    return fields


def content_chars(content: object) -> int:
    """What pi's estimator counts for a content field, in UTF-16 units."""
    if isinstance(content, str):
        return string_length(content)
    total = 0
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        match block.get("type"):
            case "text":
                total += _length(block.get("text"))
            case "thinking":
                total += _length(block.get("thinking"))
            case "image":
                total += IMAGE_CHARS
            case "toolCall":
                total += _length(block.get("name")) + json_length(block.get("arguments"))
    return total


def _length(value: object) -> int:
    return string_length(value) if isinstance(value, str) else 0


def _mark_unloaded(file: EntryFile, header: int) -> None:
    """Entries of lines that are not one JSON object are recovered here, but not by pi."""
    broken = {
        found.record
        for found in file.damage
        if found.kind in (DamageKind.GLUED, DamageKind.UNREADABLE, DamageKind.TORN_TAIL)
    }
    file.refused = file.refused or header in broken
    if broken:
        file.entries[:] = [
            replace(entry, loaded=False) if entry.number in broken else entry
            for entry in file.entries
        ]


def _resolve_first_kept(file: EntryFile, kept: list[tuple[int, object]], loaded: list[int]) -> None:
    """Turns v1's `firstKeptEntryIndex` (a place among parsed lines, the header being 0) to ids."""
    places = [at for at in loaded if at < 0 or file.entries[at].loaded]
    for position, index in kept:
        place = number_of(index)
        if place is not None and 0 <= place < len(places) and places[place] >= 0:
            target = file.entries[places[place]].id
            file.entries[position] = replace(file.entries[position], first_kept=target)


def values_of(path: Path, entries: Iterable[Entry]) -> Iterator[tuple[Entry, dict[str, Any]]]:
    """Each entry with its decoded record, read again from the file.

    Raises RedlineError where the file has changed under the session.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise RedlineError(f"cannot read {path}: {error.strerror}") from error
    with file:
        for entry in entries:
            try:
                file.seek(entry.start)
                value = decode(file.read(entry.end - entry.start))
            except OSError as error:
                raise RedlineError(f"cannot read {path}: {error.strerror}") from error
            except ValueError:
                value = None
            if not isinstance(value, dict):
                raise RedlineError(
                    f"{path}, record {entry.number}: the file has changed since it was opened",
                    "open the session again",
                )
            yield entry, value
