"""The forms in which Hermes writes sessions to files (0.13 to 0.22).

`sessions export` gives one session a line, with `segments` where a whole lineage was asked for; a
snapshot is one JSON document; the gateway's old transcripts have one message a line; trajectories
are made for training. An export holds the rows of the context only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from redline.agents.hermes.lineage import Lineage, SessionRow, session_row
from redline.agents.hermes.rows import META, Row, row_of
from redline.agents.hermes.store import text
from redline.agents.hermes.trajectories import rows_in
from redline.agents.records import decode, read_records
from redline.errors import RedlineError
from redline.model import Damage, DamageKind

_PEEK = 65_536  # bytes at each end in which one of the marks stands
_DOCUMENT = 200_000_000  # bytes of a JSON document that is no lines
_MARKS = (b'"session_meta"', b'"conversations"', b'"session_start"', b'"started_at"')
_CONTINUES = {"end_reason": "compression"}


class Export:
    """The sessions of one file, in memory: they hold no more than their contexts."""

    whole = False

    def __init__(self, path: Path, version: str) -> None:
        self.path = path
        self.version: str | None = version
        self.damage: list[Damage] = []
        self._last = 0
        self._sessions: dict[str, SessionRow] = {}
        self._prompts: dict[str, str] = {}
        self._ids: dict[str, list[int]] = {}
        self._told: dict[str, Mapping[str, Any]] = {}
        self._values: dict[int, tuple[str, Mapping[str, Any], tuple[int, int]]] = {}

    @property
    def found(self) -> bool:
        return bool(self._sessions)

    def take(self, session: SessionRow, prompt: str | None, messages: Sequence[object]) -> None:
        """Takes in a session with its messages; a second one of the same id is passed over."""
        if session.id in self._sessions:
            detail = f"session {session.id} twice"
            self.damage.append(Damage(max(1, self._last), DamageKind.DUPLICATE, detail))
            return
        self._sessions[session.id] = session
        self._ids[session.id] = []
        if prompt:
            self._prompts[session.id] = prompt
        for message in messages:
            if isinstance(message, dict):
                stated = message.get("id")
                number = self._last + 1
                if isinstance(stated, int) and stated > 0 and stated not in self._values:
                    number = stated
                self.add(session.id, number, message)

    def add(
        self,
        session: str,
        number: int,
        message: Mapping[str, Any],
        span: tuple[int, int] = (0, 0),
    ) -> None:
        """Takes in one message of a session."""
        if message.get("role") == "system" and session not in self._prompts:
            self._prompts[session] = text(message, "content") or ""
            return
        self._last = max(self._last, number)
        self._ids.setdefault(session, []).append(number)
        self._values[number] = (session, message, span)

    def lineage(self, around: str | None = None) -> Lineage:  # noqa: ARG002 - all are in memory
        return Lineage(self._sessions.values())

    def chain(self, session: str) -> list[str]:
        row = self._sessions.get(session)
        return [part.id for part in self.lineage().ancestors(row)] if row is not None else []

    def ids(self, session: str) -> list[int]:
        return list(self._ids.get(session, ()))

    def rows(self, numbers: Sequence[int], damage: list[Damage]) -> Iterator[Row]:
        for number in numbers:
            session, values, span = self._values[number]
            yield row_of(values, number, damage, session=session, span=span)

    def stored(self, number: int) -> Mapping[str, Any] | None:
        found = self._values.get(number)
        return found[1] if found else None

    def tell(self, session: str, told: Mapping[str, Any]) -> None:
        """Takes in the figures that the export has of a session itself."""
        figures = {n: v for n, v in told.items() if n == "model" or isinstance(v, int | float)}
        self._told.setdefault(session, figures)

    def counts(self, session: str) -> Mapping[str, Any]:
        """The figures that the export has of a session itself."""
        return self._told.get(session, {})

    def each_stored(self, numbers: Sequence[int]) -> Iterator[tuple[int, Mapping[str, Any]]]:
        return ((number, self._values[number][1]) for number in numbers if number in self._values)

    def system_prompt(self, session: str) -> str | None:
        return self._prompts.get(session)


def read_export(path: Path) -> Export | None:
    """The sessions in the file at `path`, None where it is no such file or cannot be read."""
    try:
        with path.open("rb") as file:
            head = file.read(_PEEK)
            size = file.seek(0, 2)
            file.seek(max(0, size - _PEEK))
            ends = head + file.read(_PEEK)
    except OSError:
        return None
    start = head.lstrip(b"\xef\xbb\xbf \r\n\t")
    if not start.startswith(b"{") or not any(mark in ends for mark in _MARKS):
        return None
    try:
        return _lines(path) or (_document(path) if size <= _DOCUMENT else None)
    except RedlineError:
        return None


def _lines(path: Path) -> Export | None:
    damage: list[Damage] = []
    export: Export | None = None
    for record in read_records(path, damage):
        value = record.value
        if export is not None and export.version == _TRANSCRIPT:
            if value.get("role") != META:
                export.add(path.stem, record.number, value, (record.start, record.end))
            continue
        version = _form(value)
        if version is None:
            if export is None:
                return None
            damage.append(Damage(record.number, DamageKind.UNKNOWN, "no session of an export"))
            continue
        if export is None:
            export = Export(path, version)
            export.damage = damage
        if version == _TRANSCRIPT:
            row = session_row({**value, "id": path.stem, "started_at": None})
            if row is not None:
                export.take(row, None, [])
        elif version == _TRAJECTORY:
            _take_trajectory(export, value, f"{path.stem}.{record.number}")
        else:
            _take_session(export, value)
    return export if export is not None and export.found else None


_TRANSCRIPT = "transcript"
_TRAJECTORY = "trajectory"
_EXPORTED = "export"
_SNAPSHOT = "snapshot"


def _form(value: Mapping[str, Any]) -> str | None:
    """Which form a record is of, None where it is none of Hermes'."""
    if value.get("role") == META:
        return _TRANSCRIPT
    turns = value.get("conversations")
    if isinstance(turns, list) and any(isinstance(t, dict) and "from" in t for t in turns[:3]):
        return _TRAJECTORY
    if not isinstance(value.get("messages"), list):
        return None
    if text(value, "session_id") and "session_start" in value:
        return _SNAPSHOT
    return _EXPORTED if text(value, "id") and {"source", "started_at"} <= value.keys() else None


def _document(path: Path) -> Export | None:
    """One JSON document over several lines."""
    try:
        value = decode(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except (OSError, ValueError):
        return None
    version = _form(value) if isinstance(value, dict) else None
    if version is None or version == _TRANSCRIPT:
        return None
    export = Export(path, version)
    if version == _TRAJECTORY:
        _take_trajectory(export, value, path.stem)
    else:
        _take_session(export, value)
    return export if export.found else None


def _take_session(export: Export, value: Mapping[str, Any]) -> None:
    segments = value.get("segments")
    parts = [part for part in segments if isinstance(part, dict)] if segments else [value]
    for place, part in enumerate(parts):
        told = {
            **part,
            "started_at": part.get("started_at") or part.get("session_start"),
            "ended_at": part.get("ended_at") or part.get("last_updated"),
        }
        if place:  # segments follow each other, whatever else their rows say
            told["parent_session_id"] = text(parts[place - 1], "id")
        if place + 1 < len(parts):
            told |= _CONTINUES
        row = session_row(told)
        messages = part.get("messages")
        if row is not None:
            prompt = text(part, "system_prompt")
            export.take(row, prompt, messages if isinstance(messages, list) else [])
            export.tell(row.id, told)


def _take_trajectory(export: Export, value: Mapping[str, Any], name: str) -> None:
    row = session_row({"id": name, "model": value.get("model")})
    turns = value.get("conversations")
    if row is not None and isinstance(turns, list):
        export.take(row, None, list(rows_in(turns)))
