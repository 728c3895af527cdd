"""Reads plain lists of messages and what was sent to a model: what proxies and other tools dump.

A request body of OpenAI (chat completions, Responses) or Anthropic, a bare list of messages, or a
log of exchanges, as one JSON document or one record a line. Such files open by their path only; no
list of sessions holds them, since a file with `role` and `content` may be anybody's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from redline.agents.bodies import FileBodies, follow
from redline.agents.heads import head_line
from redline.agents.messages.blocks import named
from redline.agents.messages.conversation import TOOLS, Conversation
from redline.agents.messages.exchange import inside
from redline.agents.messages.shapes import ITEMS
from redline.agents.messages.survey import Survey, Talk, survey
from redline.errors import RedlineError
from redline.model import (
    Agent,
    Block,
    Counts,
    Damage,
    Message,
    Part,
    PartType,
    Pointer,
    Session,
    SessionInfo,
)

_CACHED_LEAST = 8_000_000  # bytes
_SESSION = re.compile(r'session_(?:id"\s*:\s*")?([0-9a-fA-F-]{36})')
_IDS = ("session_id", "sessionId", "conversation_id", "thread_id", "prompt_cache_key")
_LISTED = 8
_EXPECTED = (
    "expected is a request body with `messages` or `input`, a list of messages with `role` and "
    "`content`, or a log of requests, as JSON or one a line"
)


class Bodies(FileBodies):
    """Bodies that may lie in a JSON text inside the record."""

    def __init__(self, path: Path) -> None:
        try:
            size = path.stat().st_size
        except OSError:
            size = 0
        super().__init__(max(_CACHED_LEAST, size))  # a document is one record
        self._texts: dict[tuple[int, Pointer], object] = {}  # what texts hold, of one record

    def value(self, part: Part) -> object:
        """The decoded body of `part`."""
        origin = part.origin
        value = self.record(origin)
        for at, step in enumerate(origin.pointer):
            if isinstance(value, str):
                value = self._inside(value, (origin.start, origin.pointer[:at]))
            value = follow(value, (step,))
        return value

    def _inside(self, text: str, place: tuple[int, Pointer]) -> object:
        if place not in self._texts:
            if any(start != place[0] for start, _ in self._texts):
                self._texts = {}
            self._texts[place] = inside(text)
        return self._texts[place]


class MessagesSource:
    """Fetches the bodies of a list of messages."""

    def __init__(
        self, bodies: Bodies, messages: tuple[Message, ...], words: Mapping[str, str]
    ) -> None:
        self._messages = messages
        self._words = words
        self._bodies = bodies

    def text(self, part: Part) -> str:
        """The whole body of `part`, see `SessionSource.text`; of the tools their JSON."""
        if part.wire == TOOLS:
            return json.dumps(self._bodies.value(part), sort_keys=True, ensure_ascii=False)
        return self._bodies.text(part)

    def value(self, part: Part) -> object:
        """The decoded body of `part`; a call's arguments that are a JSON text as what it holds."""
        value = self._bodies.value(part)
        if part.type is PartType.TOOL_CALL and isinstance(value, str):
            found = inside(value)
            return found if isinstance(found, dict) else value
        return value

    def history(self) -> Iterator[Message]:
        """Every message: there is nothing but the context."""
        return iter(self._messages)

    def resume(self) -> Iterator[Block]:
        """The blocks as the body has them, without its tools."""
        for message in self._messages:
            word = self._words.get(message.id, message.role.value)
            for origin, parts in groupby(
                message.parts, lambda part: replace(part.origin, span=None)
            ):
                first = next(parts)
                if first.wire == TOOLS or (first.type is PartType.IMAGE and first.call_id):
                    continue
                whole = replace(first, origin=origin)
                text = self.text(whole)
                role = "" if first.wire in ITEMS and first.type is not PartType.TEXT else word
                yield Block(role, first.wire, first.call_id, text, message.id, origin.record)


def scan(path: Path) -> tuple[SessionInfo, ...]:
    """The conversations in the file at `path`; () where it holds none or cannot be read."""
    path = Path(path)
    try:
        found = survey(path)
    except RedlineError:
        return ()
    return tuple(_info(found, talk, _built(found, talk)[1]) for talk in found.talks)


def open_session(
    path: Path,
    *,
    id: str | None = None,  # noqa: A002
    leaf: str | None = None,
    before: int | None = None,
) -> Session:
    """The conversation called `id` in the file at `path`, or its only one.

    Raises RedlineError where the file cannot be read or holds no conversation, where `id` names
    none of several, and for a `leaf` or a compaction (`before`): there are none.
    """
    path = Path(path)
    found = survey(path)
    if not found.talks:
        raise RedlineError(f"{path} holds no conversation", _EXPECTED)
    names = [_id(found, talk) for talk in found.talks]
    if len(names) > 1 if id is None else id not in names:
        listed = ", ".join(names[:_LISTED])
        raise RedlineError(f"{path} holds {len(names)} conversations", f"name one of {listed}")
    talk = found.talks[names.index(id) if id is not None else 0]
    built, messages = _built(found, talk)
    last = messages[-1].id if messages else None
    if leaf is not None and not (last or "").startswith(leaf):
        raise RedlineError(f"{path}: there is no branch that ends in {leaf}", "leave --leaf out")
    if before is not None:
        raise RedlineError(f"{path}: there is no compaction {before}, the session has 0")
    return Session(
        info=_info(found, talk, messages),
        context=messages,
        source=MessagesSource(Bodies(path), messages, built.words),
        damage=tuple(sorted(found.damage + built.damage, key=lambda one: one.record)),
        counts=counts_of(built, messages, records=_records(found, talk, built)),
        leaf=last,
        resume_messages=len(messages),
    )


def _built(found: Survey, talk: Talk) -> tuple[Conversation, tuple[Message, ...]]:
    damage: list[Damage] = []
    built = Conversation(damage)
    if talk.exchange is not None:
        built.preface(talk.exchange.body, talk.place.at(*talk.exchange.pointer))
    for number, (item, place, answer) in enumerate(found.items(talk), 1):
        built.take(item, place, number, answer)
    return built, built.messages()


def _records(found: Survey, talk: Talk, built: Conversation) -> int:
    one = found.document and talk.exchange is not None and len(found.talks) == 1
    return built.taken if one else found.entries


def counts_of(built: Conversation, messages: tuple[Message, ...], *, records: int) -> Counts:
    """The figures of a conversation."""
    return Counts(
        records=records,
        messages=len(messages),
        prompts=sum(len(message.prompts) for message in messages),
        turns=sum(1 for message in messages if message.prompts),
        tool_pairs=len(built.calls & built.results),
        unknown=built.unknown,
    )


def _id(found: Survey, talk: Talk) -> str:
    """The conversation's own id where its body states one, else the file's name and a mark of how
    it begins, so that two files of one name are two sessions. Of several in a file, its number."""
    own = _stated_id(talk)
    if own is None:
        start = talk.first or b""
        own = f"{found.path.stem}-{start.hex()[:6]}"
    return own if len(found.talks) == 1 else f"{talk.number}.{own}"


def _stated_id(talk: Talk) -> str | None:
    if talk.exchange is None:
        return None
    body, entry = talk.exchange.body, talk.exchange.entry
    metadata = body.get("metadata")
    if isinstance(metadata, dict):  # Claude Code names its session there
        user = metadata.get("user_id")
        if isinstance(user, str) and (match := _SESSION.search(user)):
            return match[1]
    stated = [metadata, body, entry]
    return next(
        (
            found
            for one in stated
            if isinstance(one, dict)
            for key in _IDS
            if (found := named(one.get(key)))
        ),
        None,
    )


def _info(found: Survey, talk: Talk, messages: tuple[Message, ...]) -> SessionInfo:
    prompts = [message.head for message in messages if message.prompts]
    first, last = (head_line(prompts[at]) if prompts else "" for at in (0, -1))
    answered = [message for message in messages if message.usage and message.usage.billed]
    told = [message.model for message in messages if message.model]
    asked = named(talk.exchange.body.get("model")) if talk.exchange else None
    times = [message.time for message in messages if message.time]
    try:
        status = found.path.stat()
        changed, size = datetime.fromtimestamp(status.st_mtime, UTC), status.st_size
    except (OSError, ValueError, OverflowError):
        changed, size = None, 0
    return SessionInfo(
        Agent.MESSAGES,
        _id(found, talk),
        found.path,
        title=first,
        model=asked or (told[-1] if told else None),
        started=talk.started or (times[0] if times else None),
        updated=talk.updated or (times[-1] if times else None) or changed,
        size=size if len(found.talks) == 1 else talk.place.end - talk.place.start,
        first_prompt=first,
        last_prompt=last,
        billed=answered[-1].usage.billed if answered and answered[-1].usage else None,
    )
