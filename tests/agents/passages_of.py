"""That everything which can be read of a session can be found."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from redline.agents.bodies import call_words
from redline.agents.discover import finders
from redline.agents.finder import Passage
from redline.agents.opening import open_session, recognise
from redline.model import Kind, PartType, Session, SessionInfo

_READABLE = (PartType.TEXT, PartType.TOOL_CALL, PartType.TOOL_RESULT)


def passages_of(info: SessionInfo, start: int = 0) -> list[Passage]:
    finder = next(finder for finder in finders() if finder.agent is info.agent)
    return list(finder.passages(info, start))


def missing(path: Path) -> list[str]:
    """Parts of a session's history that no passage has, at its place and with its kind."""
    session = open_session(path)
    held: dict[tuple[int, int, Kind], set[str]] = defaultdict(set)
    for passage in passages_of(recognise(path)):
        held[passage.record, passage.start, passage.kind].add(passage.text)
    return [
        f"record {place[0]}, {place[2]}: {text[:60]!r}"
        for place, text in _readable(session)
        if text not in held.get(place, set())
    ]


def _readable(session: Session) -> list[tuple[tuple[int, int, Kind], str]]:
    found: list[tuple[tuple[int, int, Kind], str]] = []
    for message in session.source.history():
        for part in message.parts:
            kind = Kind.INJECTED if part.kind is Kind.NOTICE else part.kind
            text = session.text(part)
            if part.type is PartType.TOOL_CALL:
                text = call_words(session.source.value(part))
            if part.type in _READABLE and text.strip():
                found.append(((part.origin.record, part.origin.start, kind), text))
    return found


def reads_on(path: Path) -> bool:
    """Whether reading on from any place gives what reading all gives from there."""
    info = recognise(path)
    every = passages_of(info)
    places = sorted({passage.start for passage in every} | {passage.end for passage in every})
    return all(
        passages_of(info, place) == [passage for passage in every if passage.start >= place]
        for place in places[:: max(1, len(places) // 12)]
    )
