"""What a list shows of a rollout, from few of its records: the first ones and the last ones."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from redline.agents.backwards import lines_backwards
from redline.agents.codex.finding import thread_names
from redline.agents.codex.kinds import text_kinds, texts_of
from redline.agents.codex.names import find_rollout, home_of, present, read_name
from redline.agents.codex.packed import SUFFIX
from redline.agents.codex.rollout import is_record, open_text
from redline.agents.codex.thread import Thread, thread_of
from redline.agents.finder import DAMAGED
from redline.agents.heads import LENGTH, head_line
from redline.agents.records import BOM, objects_in
from redline.agents.times import read_time
from redline.model import Agent, Kind, SessionInfo

_HEAD_RECORDS = 400  # a session's first prompt is among them
_HEAD_BYTES = 4_000_000
_TAIL_BYTES = 2_000_000
_ORIGINS = 3  # files of a chain of forks that are asked for the first prompt
_ENVELOPES = frozenset(
    {
        "session_meta",
        "response_item",
        "event_msg",
        "turn_context",
        "compacted",
        "world_state",
        "token_usage_record",
        "inter_agent_communication",
    }
)
_TELLING = (b'"token_count"', b'"turn_context"', b'"compacted"', b'"role":"user"')
_TOLD_WITHIN = 400  # bytes of a record that tell whether it is one of these
_FOLDER = re.compile(r"<cwd>([^<\n]+)</cwd>|Current working directory: ([^\n]+)")


@dataclass(slots=True)
class _Found:
    """What the records said so far; `meta` is the file's own."""

    meta: Mapping[str, Any] | None = None
    ours: bool = False
    folder: str | None = None
    model: str | None = None
    started: datetime | None = None
    updated: datetime | None = None
    billed: int | None = None
    billed_known: bool = False
    first_prompt: str = ""
    last_prompt: str = ""
    damaged: bool = False


def scan(path: Path) -> tuple[SessionInfo, ...]:
    """The session in the file at `path`, () where it is none of Codex's, or unreadable."""
    found = _scan(present(Path(path)))
    return () if found is None else (found[0],)


def listed(path: Path) -> tuple[SessionInfo, ...]:
    """The same without subagents that name their parent: those hang from it."""
    found = _scan(present(Path(path)))
    return () if found is None or found[1].is_child else (found[0],)


def unlisted(path: Path, ident: str) -> SessionInfo | None:
    """The subagent with that id in the file at `path`, which `listed` leaves to its parent."""
    return next((info for info in scan(path) if info.id == ident), None)


def problem(path: Path) -> str:
    """Why a file that is called a rollout holds no session, or not the whole of one; "" where that
    is no fault."""
    path = present(Path(path))
    try:
        if not path.name.startswith("rollout-"):
            return ""
        scanned = _scan(path)
        if scanned is not None and not scanned[0].title.startswith(DAMAGED):
            return ""
        with open_text(path) as (text, wrong):
            begun = bool(text.read(1))
            while text.read(_TAIL_BYTES):
                pass
            return wrong() or ("holds no record of Codex" if begun else "")
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _scan(path: Path) -> tuple[SessionInfo, Thread] | None:
    found = _Found()
    try:
        status = path.stat()
        named = read_name(path.name) is not None
        with open_text(path) as (text, problem):
            _read_head(text, found, named)
            found.ours = found.ours or (named and bool(problem()))  # listed, though damaged
        if not found.ours:
            return None
        with open_text(path) as (text, problem):
            _read_tail(text, path, found)
            found.damaged = bool(problem())
    except OSError:
        return None
    thread = thread_of(found.meta or {})
    return _info(path, status, found, thread), thread


def _info(path: Path, status: os.stat_result, found: _Found, thread: Thread) -> SessionInfo:
    name = read_name(path.name)
    ident = thread.id or (name.thread if name is not None else path.name.partition(".")[0])
    home = home_of(path)
    title = thread_names(home).get(ident, "") if home is not None else ""
    first = found.first_prompt or _first_prompt_before(path, found.meta or {})
    said = head_line(title or thread.label or first)
    return SessionInfo(
        agent=Agent.CODEX,
        id=ident,
        path=path,
        project=found.folder,
        title=(f"{DAMAGED} {said}".rstrip() if found.damaged else said)[:LENGTH],
        model=found.model,
        started=found.started,
        updated=found.updated or datetime.fromtimestamp(status.st_mtime, UTC),
        size=status.st_size,
        first_prompt=first,
        last_prompt=found.last_prompt or first,
        billed=found.billed,
        parent=thread.parent,
    )


def _first_prompt_before(path: Path, meta: Mapping[str, Any]) -> str:
    """The first prompt of what a fork continues, where it has none of its own yet."""
    for _ in range(_ORIGINS):
        base = meta.get("history_base")
        name = base.get("thread_id") if isinstance(base, dict) else None
        origin = find_rollout(name, path) if isinstance(name, str) else None
        if origin is None:
            return ""
        found = _Found()
        try:
            with open_text(origin) as (text, _problem):
                _read_head(text, found, True)
        except OSError:
            return ""
        if found.first_prompt:
            return found.first_prompt
        path, meta = origin, found.meta or {}
    return ""


def _read_head(text: BinaryIO, found: _Found, named: bool) -> None:
    """The first records. `named` says that the file is called as Codex calls its own."""
    read = 0
    lines = iter(lambda: text.readline(_HEAD_BYTES), b"")
    for count, line in enumerate(line for line in lines if line.strip()):
        read += len(line)
        values = objects_in(line, is_record) if len(line) < _HEAD_BYTES else []
        for value in values:
            _head_record(value, found, named)
        if (
            not values
            and not count
            and not named
            and not line.lstrip(BOM).lstrip().startswith(b"{")
        ):
            return
        done = found.first_prompt and found.folder and found.model
        if done or count >= _HEAD_RECORDS or read > _HEAD_BYTES:
            return
        if not found.ours and count >= _ORIGINS and not named:
            return


def _head_record(value: dict[str, Any], found: _Found, named: bool) -> None:
    payload = value.get("payload")
    enveloped = isinstance(payload, dict) and _text(value.get("type")) in _ENVELOPES
    if not found.ours:
        flat = "type" not in value and "id" in value and "instructions" in value
        found.ours = enveloped or flat or (named and "role" in value)
        if flat:
            found.meta = value
            found.started = read_time(value.get("timestamp"))
    found.started = found.started or read_time(value.get("timestamp"))
    if isinstance(payload, dict) and value.get("type") == "session_meta":
        if found.meta is None:
            found.meta = payload
            found.folder = _text(payload.get("cwd"))
            found.started = read_time(payload.get("timestamp")) or found.started
        return
    if isinstance(payload, dict) and value.get("type") == "turn_context":
        found.folder = found.folder or _text(payload.get("cwd"))
        found.model = found.model or _text(payload.get("model"))
        return
    texts = _user_texts(value)
    if found.folder is None:
        found.folder = next((where for text in texts if (where := _folder_in(text))), None)
    if not found.first_prompt:
        found.first_prompt = _prompt(texts)


def _folder_in(text: str) -> str | None:
    told = _FOLDER.search(text[:10_000]) if "nvironment" in text[:200] else None
    return (told[1] or told[2]).strip() or None if told else None


def _user_texts(value: Mapping[str, Any]) -> list[str]:
    """The texts of a record that is a message of the user's role, or that tells of one; [] of
    another."""
    item = value.get("payload") if value.get("type") in ("response_item", "event_msg") else value
    if isinstance(item, dict) and item.get("type") == "user_message":
        said = item.get("message") if item.get("kind") in (None, "plain") else None
        return [said] if isinstance(said, str) else []
    if not isinstance(item, dict) or item.get("type") != "message" or item.get("role") != "user":
        return []
    return texts_of(item)


def _prompt(texts: list[str]) -> str:
    """The first line of a person's words in a message, "" where there are none."""
    for text, spans in zip(texts, text_kinds("user", texts), strict=True):
        for kind, start, end in spans:
            if kind is Kind.PROMPT and (head := head_line(text[start:end])):
                return head
    return ""


def _read_tail(text: BinaryIO, path: Path, found: _Found) -> None:
    """The last records, backwards until everything that a list shows is known."""
    found.model, head_model = None, found.model
    read = 0
    for line in _last_lines(text, path):
        read += len(line)
        telling = (
            not line.startswith(b'{"timestamp":"')
            or any(word in line[:_TOLD_WITHIN] for word in _TELLING)
            or b'}{"' in line  # records that are glued
        )
        if found.updated is None or telling:
            for value in reversed(objects_in(line, is_record)):
                _tail_record(value, found)
        if found.billed_known and found.model and found.last_prompt and found.updated:
            break
        if read > _TAIL_BYTES:
            break
    found.model = found.model or head_model


def _last_lines(text: BinaryIO, path: Path) -> Iterator[bytes]:
    """The lines from the end; of a packed file those of the last megabytes."""
    if not path.name.endswith(SUFFIX):
        yield from lines_backwards(text, text.seek(0, os.SEEK_END))
        return
    earlier = last = b""
    while piece := text.read(_TAIL_BYTES):
        earlier, last = last, piece
    yield from reversed((earlier + last).split(b"\n"))


def _tail_record(value: dict[str, Any], found: _Found) -> None:
    kind, payload = value.get("type"), value.get("payload")
    found.updated = found.updated or read_time(value.get("timestamp"))
    if isinstance(payload, dict):
        if kind == "turn_context":
            found.model = found.model or _text(payload.get("model"))
        elif kind == "compacted":
            found.billed_known = True  # what was billed before says nothing of the context now
        elif payload.get("type") == "token_count" and not found.billed_known:
            found.billed = _billed(payload.get("info"))
            found.billed_known = found.billed is not None
    if not found.last_prompt:
        found.last_prompt = _prompt(_user_texts(value))


def _billed(info: object) -> int | None:
    """The input that the server counted last, in tokens; None of Codex's own estimate."""
    last = info.get("last_token_usage") if isinstance(info, dict) else None
    billed = last.get("input_tokens") if isinstance(last, dict) else None
    return billed if type(billed) is int and billed > 0 else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
