"""What a list shows of a session, from few of its records: the first ones and the last ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from redline.agents.backwards import lines_backwards
from redline.agents.bodies import texts
from redline.agents.claude_code.attachments import human_prompt
from redline.agents.claude_code.kinds import record_kind, spans
from redline.agents.claude_code.node import text
from redline.agents.claude_code.skeleton import CHAIN_TYPES, SYNTHETIC_MODEL, is_record
from redline.agents.claude_code.usage import read_usage
from redline.agents.heads import head_line
from redline.agents.records import objects_in
from redline.agents.times import read_time
from redline.model import Agent, Kind, SessionInfo

SESSION_FILE = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
TITLE_CHARS = 200
_HEAD_RECORDS = 400  # a session's first prompt is among them
LAST_RECORDS = 400  # an old summary names one of them
_TITLE_LINE_BYTES = 4_000  # a title's record is short
_TITLE_MARKS = (b'-title"', b'"leafUuid"')
_BLOCK = 1_000_000  # bytes


@dataclass(slots=True)
class _Found:
    """What the records said so far."""

    ours: bool = False
    session_id: str | None = None
    cwd: str | None = None
    started: datetime | None = None
    updated: datetime | None = None
    model: str | None = None
    billed: int | None = None
    billed_known: bool = False
    first_prompt: str = ""
    last_prompt: str = ""
    titles: dict[str, str] = field(default_factory=dict)
    legacy: dict[str, str] = field(default_factory=dict)
    last_uuids: list[str] = field(default_factory=list)


def scan(path: Path, *, titles: bool = True) -> SessionInfo | None:
    """The session at `path` for a list; None where it is none of Claude Code's, or unreadable.

    Without `titles` only both ends of the file are read.
    """
    try:
        status = path.stat()
        with path.open("rb") as file:
            found = _Found()
            _read_head(file, found, titles)
            if not found.ours:
                return None
            _read_tail(file, status.st_size, found)
    except OSError:
        return None
    return SessionInfo(
        agent=Agent.CLAUDE_CODE,
        id=id_of(path, found.session_id),
        path=path,
        project=found.cwd,
        title=title_of(found.titles, found.legacy, found.last_uuids, found.first_prompt),
        model=found.model,
        started=found.started,
        updated=found.updated or datetime.fromtimestamp(status.st_mtime, UTC),
        size=status.st_size,
        first_prompt=found.first_prompt,
        last_prompt=found.last_prompt or found.first_prompt,
        billed=found.billed,
    )


def id_of(path: Path, session_id: str | None) -> str:
    """The session's id: its file's name, or what its records say where that is none of the agent's
    own names."""
    stem = path.name.removesuffix(".jsonl")
    own = bool(SESSION_FILE.fullmatch(stem)) or stem.startswith("agent-")
    return stem.removeprefix("agent-") if own else session_id or stem


def title_of(
    titles: Mapping[str, str], legacy: Mapping[str, str], last_uuids: Iterable[str], prompt: str
) -> str:
    """The given title, the agent's, the old summary of this file's own end, or the prompt."""
    for name in ("custom-title", "ai-title"):
        if name in titles:
            return titles[name][:TITLE_CHARS]
    for uuid in last_uuids:
        if uuid in legacy:
            return legacy[uuid][:TITLE_CHARS]
    return head_line(prompt)


def _read_head(file: BinaryIO, found: _Found, titles: bool) -> None:
    """The first records, and with `titles` those anywhere in the file."""
    for line in islice(file, _HEAD_RECORDS):
        _head_line(line, found)
        if found.first_prompt and found.cwd:
            break
    if found.ours and titles:
        for line in _titled(file):
            _head_line(line, found)


def _head_line(line: bytes, found: _Found) -> None:
    for value in filter(is_record, objects_in(line, is_record)):
        kind = value.get("type")
        found.ours = found.ours or kind in CHAIN_TYPES
        _head_record(value, kind, found)


def _titled(file: BinaryIO) -> Iterator[bytes]:
    """The lines of `file` from here on that may be a title's record; few lines are looked at."""
    rest = b""
    while block := file.read(_BLOCK):
        block = rest + block
        end = block.rfind(b"\n") + 1
        rest = block[end:]
        yield from _titled_in(block[:end])
    yield from _titled_in(rest)


def _titled_in(block: bytes) -> Iterator[bytes]:
    starts = set()
    for mark in _TITLE_MARKS:
        at = block.find(mark)
        while at >= 0:
            starts.add(block.rfind(b"\n", 0, at) + 1)
            end = block.find(b"\n", at)
            at = block.find(mark, end) if end >= 0 else -1
    for start in sorted(starts):
        end = block.find(b"\n", start)
        line = block[start : end if end >= 0 else len(block)]
        if len(line) < _TITLE_LINE_BYTES and (_TITLE_MARKS[0] in line or b'"summary"' in line):
            yield line


def _head_record(value: dict[str, Any], kind: Any, found: _Found) -> None:
    if kind in ("custom-title", "ai-title"):
        title = text(value.get("customTitle")) or text(value.get("aiTitle"))
        if title:
            found.titles[str(kind)] = title
        return
    if kind == "summary":
        leaf, title = text(value.get("leafUuid")), text(value.get("summary"))
        if leaf and title:
            found.legacy[leaf] = title
        return
    if kind not in CHAIN_TYPES:
        return
    found.cwd = found.cwd or text(value.get("cwd"))
    found.started = found.started or read_time(value.get("timestamp"))
    if not found.first_prompt:
        found.first_prompt = prompt_of(value)


def prompt_of(value: dict[str, Any]) -> str:
    """The human's words in a record, "" where there are none."""
    if value.get("type") == "attachment" and human_prompt(value.get("attachment")):
        return texts(value["attachment"].get("prompt")).strip()
    message = value.get("message")
    if value.get("type") != "user" or not isinstance(message, dict):
        return ""
    content = message.get("content")
    kind = record_kind(value)
    blocks = content if isinstance(content, list) else [content]
    said = []
    for block in blocks:
        body = block.get("text") if isinstance(block, dict) else block
        if isinstance(body, str):
            said += [body[a:b] for piece, a, b in spans(body, kind) if piece is Kind.PROMPT]
    return "\n".join(said).strip()


def _read_tail(file: BinaryIO, size: int, found: _Found) -> None:
    """The last records, backwards until everything that a list shows is known."""
    for line in lines_backwards(file, size):
        for value in reversed(objects_in(line, is_record)):
            if text(value.get("type")) in CHAIN_TYPES:
                _tail_record(value, found)
        if found.billed_known and found.model and found.last_prompt and found.updated:
            return


def _tail_record(value: dict[str, Any], found: _Found) -> None:
    found.session_id = found.session_id or text(value.get("sessionId"))
    found.updated = found.updated or read_time(value.get("timestamp"))
    uuid = text(value.get("uuid"))
    if uuid and len(found.last_uuids) < LAST_RECORDS:
        found.last_uuids.append(uuid)
    if value.get("isSidechain") is True:
        return
    if not found.last_prompt:
        found.last_prompt = prompt_of(value)
    if value.get("subtype") == "compact_boundary":
        found.billed_known = True
    message = value.get("message")
    if value.get("type") != "assistant" or not isinstance(message, dict):
        return
    model = text(message.get("model"))
    if model == SYNTHETIC_MODEL:
        return
    found.model = found.model or model
    if not found.billed_known:
        usage = read_usage(message.get("usage"))
        found.billed = usage.billed if usage else None
        found.billed_known = found.billed is not None
