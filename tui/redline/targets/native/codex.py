"""Codex's own form: a new rollout beside the others (`codex resume ID`).

One `compacted` holds all that the plan keeps, item by item, with the summary at its place. Items
stand in the order that Codex sends them in, also where a reply goes on after a result.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from redline.agents.codex.encoding import (
    CLEARED,
    PROVIDER,
    compacted,
    file_name,
    record,
    session_meta,
    summary,
    thread_id,
    turn_context,
    user_message,
    with_pieces,
)
from redline.agents.codex.finding import home
from redline.agents.codex.fitting import Value, fitting
from redline.agents.codex.item import INTER_AGENT, Item
from redline.agents.codex.names import SESSIONS, home_of
from redline.agents.codex.parts import message_of
from redline.agents.codex.settings import settings
from redline.agents.codex.source import RolloutSource
from redline.agents.codex.state import ThreadState
from redline.agents.codex.view import grouped
from redline.agents.lines import line
from redline.agents.pieces import Piece
from redline.compaction.plan import Action
from redline.errors import RedlineError
from redline.model import Kind
from redline.targets.native.draft import Draft, Work
from redline.targets.native.staying import Left, Stays, staying
from redline.text import counted

_OPENAI = "openai"  # the provider where none is configured
_UNTITLED = "a compacted session"
_WHOLE = "tool_search_output"  # Codex takes nothing but tools there


def draft(work: Work) -> Draft:
    """See `forms.draft_of`. Raises RedlineError where the session is no rollout, or it is to be
    changed in its place."""
    if work.in_place:
        raise RedlineError(
            "Codex's sessions are never changed: its index and whoever has them open rely on that",
            "leave out --in-place: a new session is written beside it",
        )
    session = work.session
    source = session.source
    if not isinstance(source, RolloutSource):
        raise RedlineError(f"{session.info.path} is no rollout of Codex")
    entries, lost = _readable(list(_entries(work, source.window())))
    at = work.plan.summary_at if work.summary and work.plan.summary_at is not None else 0
    head = sorted((one for one in entries if one.number < at), key=lambda one: one.place)
    tail = sorted((one for one in entries if one.number >= at), key=lambda one: one.place)
    told = [summary(work.summary)] if work.summary else []
    history = [*(one.value for one in head), *told, *(one.value for one in tail)]
    state = source.state()
    thread = thread_id(work.now, work.new_id())
    kept = tuple(_stays(head))
    provider = _Provider.of(state, work)
    named = session.info.project
    folder = Path(named) if named and Path(named).is_dir() else None
    return Draft(
        agent=session.info.agent,
        id=thread,
        path=_folder(work) / file_name(work.now, thread),
        data=b"".join(line(one) for one in _records(work, state, thread, history)),
        argv=("codex", "resume", thread, *provider.flags),
        folder=folder,
        taken_at=work.taken_at,
        warnings=(*_warnings(entries, lost), *_placed(named, folder), *provider.warnings),
        stays=(*kept, *_stays(tail)),
        summary_at=len(kept),
        left_out=frozenset(place for one in lost for place in one.places),
        added=tuple(text for one in entries for text in one.added),
    )


@dataclass(frozen=True, slots=True)
class _Entry:
    """What stays of one item. `place` is the item's in the window, `number` that of its message
    among those that stay, `stays` what stays of it; `value` is the item as it is written, {} where
    Codex takes it in no form. `forced` says that more stays than is planned."""

    item: Item
    place: int
    number: int
    stays: Stays
    value: Value
    forced: bool = False

    @property
    def places(self) -> list[tuple[int, int]]:
        return [(self.stays.index, left.part.index) for left in self.stays.parts]

    @property
    def added(self) -> list[str]:
        """What Codex says itself of a message that another agent sent sealed."""
        blocks = self.value["content"] if self.item.type == INTER_AGENT else []
        sealed = any("encrypted_content" in block for block in blocks)
        return [blocks[0]["text"]] if sealed else []


def _entries(work: Work, window: Sequence[Item]) -> Iterator[_Entry]:
    """What stays, item by item."""
    groups = grouped(window)
    if len(groups) != len(work.session.context):
        raise RedlineError(
            f"{work.session.info.path}: its items are not those of its messages",
            "open the session again",
        )
    places = {id(item): place for place, item in enumerate(window)}
    for number, stays in enumerate(staying(work.session, work.plan, CLEARED)):
        by_part = {left.part.index: left for left in stays.parts}
        start = 0
        for item in groups[stays.index]:
            count = len(message_of([item]).parts)
            parts = [by_part[at] for at in range(start, start + count) if at in by_part]
            start += count
            if parts or (not count and stays.whole):
                own = replace(stays, parts=tuple(parts))
                yield _entry(item, places[id(item)], number, own, count)


def _entry(item: Item, place: int, number: int, stays: Stays, count: int) -> _Entry:
    changed = any(left.body is not None for left in stays.parts)
    if changed and item.type == _WHOLE:
        parts = tuple(Left(left.part, Action.KEEP) for left in stays.parts)
        value = fitting(item.type, item.value)
        return _Entry(item, place, number, replace(stays, parts=parts), value or {}, forced=True)
    kind, value = item.type, dict(item.value)
    if changed or len(stays.parts) < count:
        value = with_pieces(kind, value, [_piece(item, left) for left in stays.parts])
        kind = kind if kind == INTER_AGENT else value["type"]
    return _Entry(item, place, number, stays, fitting(kind, value) or {})


def _piece(item: Item, left: Left) -> Piece:
    origin = left.part.origin
    rebuilt = item.body is not None  # the one text of a message that stands elsewhere
    inside = ("content", 0, "text") if rebuilt else origin.pointer[len(item.pointer) :]
    return Piece(inside, origin.span, left.body)


def _readable(entries: list[_Entry]) -> tuple[list[_Entry], list[_Entry]]:
    """Those that Codex takes, and those that it does not, with the calls or results of these."""
    gone = {one.item.call_id for one in entries if not one.value} - {None}
    lost = [one for one in entries if not one.value or one.item.call_id in gone]
    return [one for one in entries if one.value and one.item.call_id not in gone], lost


def _stays(entries: Iterable[_Entry]) -> Iterator[Stays]:
    """The entries by their messages, in the order in which they are written."""
    for _number, group in groupby(entries, key=lambda one: one.number):
        own = list(group)
        yield replace(own[0].stays, parts=tuple(left for one in own for left in one.stays.parts))


def _records(work: Work, state: ThreadState, thread: str, history: list[Value]) -> Iterator[Value]:
    """The records of the new rollout."""
    info, now = work.session.info, work.now
    yield record("session_meta", session_meta(state.meta, thread, info.project or "/", now), now)
    yield record("event_msg", user_message(info.first_prompt or info.title or _UNTITLED), now)
    known = bool(state.world) and _is_instructed(work)
    turn = turn_context(state.turn, work.new_id(), whole=known)
    if state.turn and not known:
        yield record("turn_context", turn, now)
    yield record("compacted", compacted(work.summary, history), now)
    if known:
        for world in state.world:
            yield record("world_state", world, now)
        yield record("turn_context", turn, now)


def _is_instructed(work: Work) -> bool:
    """Whether all that Codex put into the context stays, so that it need not be put in anew."""
    return all(
        work.plan.action_of(index, part.index) is Action.KEEP
        for index, message in enumerate(work.session.context)
        for part in message.parts
        if part.kind is Kind.INJECTED
    )


def _folder(work: Work) -> Path:
    """Where the new rollout lies: in the folder of its (local) day."""
    base = home(work.environment) or home_of(work.session.info.path)
    if base is None:
        return work.session.info.path.parent
    return base / SESSIONS / f"{work.now.astimezone():%Y/%m/%d}"


@dataclass(frozen=True, slots=True)
class _Provider:
    """The provider that the thread goes on with: Codex refuses another one."""

    flags: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, state: ThreadState, work: Work) -> _Provider:
        own, folder = state.meta.get(PROVIDER), work.session.info.project
        stated = settings(Path(folder) if folder else None, work.environment).get(PROVIDER)
        chosen = stated.value if stated else _OPENAI
        if not isinstance(own, str) or not own or own == chosen:
            return cls()
        warning = f"its provider is {own} and {chosen} is configured: it is resumed with {own}"
        return cls(("-c", f"{PROVIDER}={json.dumps(own)}"), (warning,))


def _warnings(entries: list[_Entry], lost: list[_Entry]) -> Iterator[str]:
    if forced := sum(one.forced for one in entries):
        yield f"{counted(forced, 'result')} of a search for tools stay whole: it takes no others"
    if lost:
        kinds = ", ".join(sorted({one.item.type for one in lost}))
        yield f"{counted(len(lost), 'item')} that Codex cannot read are left out ({kinds})"


def _placed(named: str | None, folder: Path | None) -> Iterator[str]:
    if named is None:
        yield "the session names no working directory: resume it in the one it was started in"
    elif folder is None:
        yield f"{named} is not there: resume it in the folder that its work is in now"
