"""What a list shows of a pi session, without opening it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from redline.agents.heads import LENGTH, head_line
from redline.agents.pi.entries import HEADER, EntryFile
from redline.agents.pi.fields import billed_of, failed, model_of, text_of, time_of
from redline.agents.pi.prompts import prompts_in
from redline.agents.pi.tree import Walk
from redline.agents.records import Record, read_records
from redline.errors import RedlineError
from redline.model import Agent, Damage, SessionInfo

_WHOLE = 4_000_000  # bytes; of a larger file only the two ends are read
_HEAD = 1_000_000
_TAIL = 2_000_000


class _Seen:
    """Collects what the list shows, record by record."""

    def __init__(self, header: Mapping[str, Any]) -> None:
        self.model = text_of(header.get("modelId"))
        self.name: str | None = None
        self.first_prompt = ""
        self.last_prompt = ""
        self.updated: datetime | None = None
        self.billed: int | None = None

    def add(self, value: Mapping[str, Any]) -> None:
        kind = value.get("type")
        if kind == "session_info":
            name = value.get("name")
            self.name = name.strip() if isinstance(name, str) else None
        elif kind == "model_change":
            self.model = text_of(value.get("modelId")) or self.model
        elif kind == "compaction":
            self.billed = None
        message = value.get("message")
        if kind != "message" or not isinstance(message, dict):
            return
        if message.get("role") == "user":
            prompts = [text for text in prompts_in(message.get("content")) if text]
            if prompts:
                self.last_prompt = head_line(prompts[0])
                self.first_prompt = self.first_prompt or self.last_prompt
        elif message.get("role") == "assistant":
            self.model = model_of(message) or self.model
            if not failed(text_of(message.get("stopReason"))):
                self.billed = billed_of(message.get("usage")) or self.billed
        else:
            return
        self.updated = time_of(value) or self.updated


def _records(path: Path, size: int) -> Iterator[Record]:
    """The records of a file, of a large one those of its two ends."""
    damage: list[Damage] = []
    for record in read_records(path, damage):
        yield record
        if size > _WHOLE and record.end > _HEAD:
            break
    else:
        return
    with path.open("rb") as file:
        file.seek(max(record.end, size - _TAIL))
        file.readline()
        start = file.tell()
    yield from read_records(path, damage, start=start)


def scan(path: Path) -> SessionInfo | None:
    """What a list shows of `path`, None where it is no pi session or cannot be read."""
    path = Path(path)
    try:
        size = path.stat().st_size
        seen: _Seen | None = None
        header: Mapping[str, Any] = {}
        for record in _records(path, size):
            if seen is None:
                if record.value.get("type") != HEADER or not text_of(record.value.get("id")):
                    return None
                header = record.value
                seen = _Seen(header)
            elif record.value.get("type") != HEADER:
                seen.add(record.value)
    except (OSError, RedlineError):
        return None
    return _info(path, size, header, seen) if seen is not None else None


def info_of(file: EntryFile, live: Walk) -> SessionInfo:
    """The same of an opened session, of its live path."""
    seen = _Seen(file.header)
    seen.name = file.name
    for entry in live.entries:
        seen.model = entry.model or seen.model
        if entry.type == "compaction":
            seen.billed = None
        if entry.head:
            seen.last_prompt = head_line(entry.head)
            seen.first_prompt = seen.first_prompt or seen.last_prompt
        seen.billed = entry.billed or seen.billed
        seen.updated = entry.time or seen.updated
    try:
        size = file.path.stat().st_size
    except OSError:
        size = 0
    return _info(file.path, size, file.header, seen)


def _info(path: Path, size: int, header: Mapping[str, Any], seen: _Seen) -> SessionInfo:
    parent = text_of(header.get("parentSession")) or text_of(header.get("branchedFrom"))
    updated = seen.updated or time_of(header)
    if updated is None:
        try:
            updated = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        except OSError:
            updated = None
    return SessionInfo(
        Agent.PI,
        text_of(header.get("id")) or path.stem,
        path,
        project=text_of(header.get("cwd")),
        title=(seen.name or seen.first_prompt)[:LENGTH],
        model=seen.model,
        started=time_of(header),
        updated=updated,
        size=size,
        first_prompt=seen.first_prompt,
        last_prompt=seen.last_prompt,
        billed=seen.billed,
        parent=parent,
    )
