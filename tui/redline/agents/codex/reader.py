"""Opens the rollouts of Codex: the window as a running process holds it, and all around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from redline.agents.codex.compacting import Compaction
from redline.agents.codex.following import Reading
from redline.agents.codex.gauge import gauge_of
from redline.agents.codex.head import refusal
from redline.agents.codex.item import Item
from redline.agents.codex.limits import raw_of
from redline.agents.codex.parts import message_of
from redline.agents.codex.rollout import Rollout
from redline.agents.codex.scan import scan
from redline.agents.codex.source import RolloutSource
from redline.agents.codex.subagents import subagents_of
from redline.agents.codex.tally import TakenBack
from redline.agents.codex.thread import thread_of
from redline.agents.codex.view import grouped, walk_to
from redline.agents.codex.walk import Walk
from redline.agents.finder import file_stamp
from redline.agents.leaves import whole_id
from redline.agents.records import Record
from redline.agents.requests import Requests
from redline.agents.times import read_time
from redline.errors import RedlineError
from redline.model import (
    Agent,
    CompactionKind,
    Counts,
    Damage,
    DamageKind,
    Message,
    PartType,
    PastCompaction,
    Session,
    SessionInfo,
    SideBranch,
)

__all__ = ["RolloutSource", "open_session"]


def open_session(path: Path, *, leaf: str | None = None, before: int | None = None) -> Session:
    """The session in the rollout at `path`, packed or not.

    `leaf` is the record (its item's id or `line:N`) that another branch ends in: what a rollback
    took back. `before` gives the context as it was just before the compaction of that number,
    counted from 1 as in `Session.compactions`. Raises RedlineError where the file cannot be read,
    or `leaf` or `before` names nothing.
    """
    rollout = Rollout(path)
    stamp = file_stamp(rollout.path)
    damage: list[Damage] = []
    walk = walk_to(rollout, damage) if leaf is None else _walk_to_leaf(rollout, damage, leaf)
    reading = Reading(rollout, walk, damage, stamp)
    if leaf is None and before is None:
        return _live_session(reading)
    gone: Sequence[TakenBack] = walk.taken_back
    if before is not None:
        begins = _compaction(rollout, walk, before).begins
        gone = [taken for taken in gone if taken.first < begins]
        reading.walk = walk_to(rollout, [], stop=begins - 1)

    def again(session: Session) -> Session:
        if not reading.changed():
            return session
        return open_session(path, leaf=leaf, before=before)

    return _session(reading, gone, again)


def _live_session(reading: Reading) -> Session:
    used = False

    def again(session: Session) -> Session:
        nonlocal used
        if not used and not reading.changed():
            return session
        once, used = not used, True
        if once and reading.go_on():
            return _live_session(reading)
        return open_session(reading.rollout.path)

    return _session(reading, reading.walk.taken_back, again, reading.walk.requests)


def _walk_to_leaf(rollout: Rollout, damage: list[Damage], leaf: str) -> Walk:
    found = False

    def is_leaf(walk: Walk, path: Path, record: Record) -> bool:
        nonlocal found
        item = walk.last_item
        here = item is not None and item.sequence == walk.sequence and item.ident == leaf
        found = here or (path == rollout.path and leaf == f"line:{record.number}")
        return found

    walk = walk_to(rollout, damage, until=is_leaf)
    if not found:
        branches = (taken.leaf for taken in walk.taken_back)
        whole = whole_id(leaf, (*branches, _leaf(walk) or ""))
        if whole is not None and whole != leaf:
            damage.clear()
            return _walk_to_leaf(rollout, damage, whole)
        raise RedlineError(
            f"{rollout.path}: no record is called {leaf}",
            "`redline inspect` lists the leaves of its branches",
        )
    return walk


def _compaction(rollout: Rollout, walk: Walk, before: int) -> Compaction:
    if not 1 <= before <= len(walk.compactions):
        raise RedlineError(
            f"{rollout.path}: there is no compaction {before}, "
            f"the session has {len(walk.compactions)}"
        )
    return walk.compactions[before - 1]


def _session(
    reading: Reading,
    gone: Sequence[TakenBack],
    again: Callable[[Session], Session],
    requests: Requests | None = None,
) -> Session:
    """The session that a walk has come to; `gone` are the stretches its history leaves out.
    `requests` are those of the whole file, where the walk has come to its end."""
    rollout, walk = reading.rollout, reading.walk
    context = reading.messages.of(walk.window)
    found = [*reading.damage, *walk.damage, *_orphans(walk.window)]
    if not walk.tally.messages:
        found.append(Damage(0, DamageKind.MISSING, "the file holds no message of Codex"))
    why = refusal(rollout)
    if why and rollout.dialect != "flat":
        found.append(Damage(1, DamageKind.MISSING, f"Codex refuses the file: {why}"))
    loaded = _loaded(rollout, walk, refused=bool(why))
    counter = walk.replies.counter
    raw = raw_of(counter.window) if counter.window else None
    return Session(
        info=_info(rollout, walk),
        context=context,
        source=RolloutSource(rollout, walk, gone, again, requests),
        compactions=tuple(map(_past, walk.compactions)),
        side_branches=tuple(map(_branch, walk.taken_back)),
        subagents=subagents_of(rollout.path, rollout.meta, walk.spawned),
        damage=tuple(sorted(found, key=lambda item: item.record)),
        counts=_counts(walk),
        leaf=_leaf(walk),
        window=counter.window,
        gauge=gauge_of(walk.window, counter, raw),
        version=_version(rollout),
        resume_messages=min(loaded, len(context)),
        resume_lost=max(0, len(context) - loaded),
        system=message_of([walk.system]) if walk.system is not None else None,
        delegated=thread_of(rollout.meta).subagent is not None,
    )


def _leaf(walk: Walk) -> str | None:
    """The last record of the branch: its item's id, or its place."""
    if not walk.window:
        return None
    last = walk.window[-1]
    if last.pointer[:1] in (("payload",), ()) and len(last.pointer) < 2 and last.body is None:
        return last.ident
    return f"line:{last.number}"


def _loaded(rollout: Rollout, walk: Walk, *, refused: bool) -> int:
    """How many messages of the window Codex's own loader would find."""
    if refused:
        return 0
    if not walk.unread:
        return len(grouped(walk.window))
    return len(grouped(walk_to(rollout, [], stop=walk.sequence, strict=True).window))


def _version(rollout: Rollout) -> str | None:
    version = rollout.meta.get("cli_version")
    return version if isinstance(version, str) else None


def _info(rollout: Rollout, walk: Walk) -> SessionInfo:
    """What the list shows, also for a file that it would not show."""
    scanned = scan(rollout.path)
    info = scanned[0] if scanned else SessionInfo(Agent.CODEX, rollout.path.stem, rollout.path)
    billed = next(
        (
            item.reply.usage.billed
            for item in reversed(walk.window)
            if item.reply and item.reply.usage
        ),
        None,
    )
    return replace(
        info,
        project=info.project or walk.project,
        model=walk.model or info.model,
        billed=billed,
    )


def _counts(walk: Walk) -> Counts:
    tally = walk.tally
    return Counts(
        records=tally.records,
        messages=tally.messages,
        prompts=tally.prompts,
        turns=tally.turns,
        tool_pairs=tally.tool_pairs,
        unknown=tally.unknown,
    )


def _orphans(window: Sequence[Item]) -> list[Damage]:
    """Results without their call: Codex leaves them out."""
    called = {item.call_id for item in window if not item.type.endswith("_output")}
    return [
        Damage(item.number, DamageKind.ORPHAN, f"result of {item.call_id}, whose call is not there")
        for item in window
        if item.type.endswith("_output") and item.call_id and item.call_id not in called
    ]


def _branch(taken: TakenBack) -> SideBranch:
    head = next((m.head for items in grouped(taken.items) if (m := message_of(items)).head), "")
    return SideBranch(taken.leaf, taken.fork, taken.last - taken.first, taken.answered, head)


def _past(past: Compaction) -> PastCompaction:
    sealed = None
    if past.sealed is not None:
        parts = message_of([past.sealed]).parts
        sealed = next((part for part in parts if part.type is PartType.OPAQUE), None)
    summary: Message | None = message_of([past.summary]) if past.summary is not None else None
    return PastCompaction(
        id=past.ident,
        kind=CompactionKind.PARTIAL if past.preserved else CompactionKind.FULL,
        record=past.number,
        trigger=past.trigger,
        time=read_time(past.told),
        tokens_before=past.tokens_before,
        tokens_after=past.tokens_after,
        reported_after=past.reported_after,
        messages_before=past.messages_before,
        summary=summary,
        preserved=tuple(past.preserved),
        sealed=sealed,
    )
