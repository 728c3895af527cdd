"""Which conversations a file holds, and where: told without keeping what was said.

A file is one JSON document or one record a line; in it lie messages, or exchanges with a model.
Requests that grow out of one another are one conversation, whose context is the last of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import Any

from redline.agents.bodies import call_text, texts
from redline.agents.messages.blocks import named
from redline.agents.messages.draft import Answer, Place
from redline.agents.messages.exchange import Exchange, entries_in, exchange_in
from redline.agents.messages.kinds import pieces
from redline.agents.messages.shapes import is_conversation, is_item, is_of_an_agent, is_request
from redline.agents.messages.usage import read_usage
from redline.agents.records import BOM, decode, read_records
from redline.agents.times import read_time
from redline.errors import RedlineError
from redline.model import Damage, Kind

_LOOKED_AT = 100  # entries of a log among which the first exchange is
_SNIFFED = 20
_LEFT_OUT = ("thinking", "redacted_thinking")
_TIMES = (
    "timestamp",
    "time",
    "logged_at",
    "created_at",
    "startTime",
    "start_time",
    "startedDateTime",
)

Item = tuple[object, Place, Answer | None]


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of the file, or one element of its document."""

    value: Any
    place: Place


@dataclass(slots=True)
class Talk:
    """One conversation: its messages lie in `exchange` at `place`, or are the entries themselves.

    `answers` are what earlier requests were answered with, by the number of messages they had.
    """

    number: int
    place: Place
    exchange: Exchange | None = None
    answers: dict[int, Answer] = field(default_factory=dict)
    requests: int = 0
    marks: tuple[bytes, ...] = ()
    first: bytes | None = None  # the mark of what it begins with
    started: datetime | None = None
    updated: datetime | None = None


@dataclass(slots=True)
class Survey:
    """The conversations of a file in the order of their first entry, and what is wrong with it.

    `talks` is empty where the file holds none, `entries` counts records, and `document` says that
    the file is one JSON value, whose messages are counted where lines are counted in others.
    """

    path: Path
    talks: list[Talk] = field(default_factory=list)
    damage: list[Damage] = field(default_factory=list)
    entries: int = 0
    document: bool = False

    def items(self, talk: Talk) -> Iterator[Item]:
        """The messages of a conversation in order, the reply last."""
        if talk.exchange is not None:
            return _exchanged(talk, talk.exchange, self.document)
        entries = _entries(self.path, [], _document(self.path) if self.document else None)
        return ((one.value, one.place, _beside(one.value)) for one in entries)


def survey(path: Path) -> Survey:
    """Reads `path` once. Raises RedlineError where it cannot be read."""
    document = _document(path)
    found = Survey(path, document=document is not None)
    stream = _entries(path, found.damage, document)
    first = list(islice(stream, _LOOKED_AT))
    values = [entry.value for entry in first]
    if any(isinstance(value, dict) and is_of_an_agent(value) for value in values[:_SNIFFED]):
        return found
    whole = chain(first, stream)
    if is_conversation(values):
        _messages(found, whole)
    elif any(exchange_in(value) for value in values):
        _exchanges(found, whole)
    return found


def _entries(
    path: Path, damage: list[Damage], document: tuple[Any, int, int] | None
) -> Iterator[Entry]:
    if document is None:
        for record in read_records(path, damage, is_record=_is_entry):
            place = Place(path, record.number, record.start, record.end)
            yield Entry(record.value, place)
        return
    value, start, end = document
    place = Place(path, 1, start, end)
    if isinstance(value, dict) and (is_item(value) or exchange_in(value) is not None):
        yield Entry(value, place)
        return
    for at, (pointer, entry) in enumerate(entries_in(value)):
        yield Entry(entry, replace(place.at(*pointer), record=at + 1))


def _is_entry(value: dict[str, Any]) -> bool:
    return is_item(value) or is_request(value)


def _document(path: Path) -> tuple[Any, int, int] | None:
    """The value of a file that is one JSON document, with its byte span; None for lines."""
    try:
        with path.open("rb") as file:
            line = file.readline().removeprefix(BOM)
            while line and not line.strip():
                line = file.readline()
            if line.lstrip()[:1] not in (b"{", b"["):
                return None
            if _is_whole(line) and file.readline().strip():
                return None
            file.seek(0)
            raw = file.read()
    except OSError as error:
        raise RedlineError(f"cannot read {path}: {error.strerror}") from error
    start = len(BOM) if raw.startswith(BOM) else 0
    try:
        return decode(raw[start:]), start, len(raw)
    except ValueError:
        return None


def _is_whole(line: bytes) -> bool:
    try:
        decode(line)
    except ValueError:
        return False
    return True


def _messages(found: Survey, stream: Iterator[Entry]) -> None:
    talk: Talk | None = None
    for entry in stream:
        found.entries += 1
        talk = talk or Talk(1, entry.place, first=_mark(entry.value))
        _note_time(talk, entry.value)
    found.talks = [talk] if talk else []


def _exchanges(found: Survey, stream: Iterator[Entry]) -> None:
    """Adds each exchange to the conversation that it goes on with."""
    latest: dict[bytes, list[Talk]] = {}  # by the first message
    for entry in stream:
        found.entries += 1
        exchange = exchange_in(entry.value)
        if exchange is None:
            continue
        items = exchange.items
        marks = tuple(mark for _, item in items if (mark := _mark(item)) is not None)
        near = latest.setdefault(marks[0] if marks else b"", [])
        talk = next((one for one in reversed(near) if marks[: len(one.marks)] == one.marks), None)
        if talk is None:
            talk = Talk(len(found.talks) + 1, entry.place, first=marks[0] if marks else None)
            found.talks.append(talk)
            near.append(talk)
        talk.place, talk.exchange, talk.marks = entry.place, exchange, marks
        talk.requests += 1
        _note_time(talk, entry.value)
        if answer := answer_of(exchange):
            talk.answers[len(items)] = answer


def _mark(item: object) -> bytes | None:
    """What tells a message from another, whatever its request adds to it (cache marks, thinking
    that is left out later, reminders); None for what later requests leave out whole."""
    if not isinstance(item, dict):
        return blake2b(repr(item).encode("utf-8", "replace"), digest_size=8).digest()
    if item.get("type") == "reasoning":
        return None
    role = str(item.get("role"))
    said: list[str] = [role, str(item.get("call_id") or item.get("tool_call_id"))]
    body = item.get("content")
    for block in body if isinstance(body, list) else [body]:
        if isinstance(block, str):
            said += _lasting(block, role)
        elif isinstance(block, dict) and block.get("type") not in _LEFT_OUT:
            said += [str(block[key]) for key in ("id", "tool_use_id") if key in block]
            said += _lasting(texts(block), role)
    for key in ("tool_calls", "output", "arguments"):
        if key in item:
            said.append(call_text(item[key]))
    return blake2b("\0".join(said).encode("utf-8", "replace"), digest_size=8).digest()


def _lasting(text: str, role: str) -> list[str]:
    if role != "user":
        return [text]
    return [text[a:b].strip() for kind, a, b in pieces(text) if kind is not Kind.INJECTED]


def _note_time(talk: Talk, value: object) -> None:
    around = value if isinstance(value, dict) else {}
    request = around.get("request")
    inner = request if isinstance(request, dict) else {}
    found = next(
        (time for one in (around, inner) for key in _TIMES if (time := read_time(one.get(key)))),
        None,
    )
    talk.started = talk.started or found
    talk.updated = found or talk.updated


def answer_of(exchange: Exchange) -> Answer | None:
    """What a response says of itself, None where there is none."""
    response = exchange.response
    if response is None:
        return None
    choices = response.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    stop = first.get("finish_reason") if isinstance(first, dict) else response.get("stop_reason")
    return Answer(
        usage=read_usage(response.get("usage")),
        model=named(response.get("model")) or named(exchange.body.get("model")),
        stop=named(stop) or named(response.get("status")),
        api_id=named(response.get("id")),
    )


def _beside(item: object) -> Answer | None:
    """What a message that stands alone says of itself: some logs keep usage and model in it."""
    if not isinstance(item, dict):
        return None
    usage = read_usage(item.get("usage"))
    model, stop = named(item.get("model")), named(item.get("stop_reason"))
    return (
        Answer(usage, model, stop or named(item.get("finish_reason"))) if usage or model else None
    )


def _exchanged(talk: Talk, exchange: Exchange, document: bool) -> Iterator[Item]:
    asked = exchange.items
    alone = document and not talk.place.pointer
    for at, (pointer, item) in enumerate((*asked, *exchange.answer)):
        place = talk.place.at(*pointer)
        answer = talk.answers.get(min(at, len(asked)))
        yield item, replace(place, record=at + 1) if alone else place, answer
