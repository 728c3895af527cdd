"""Reads the sessions of Hermes: schema 22 to 31, and newer ones as far as they are the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from redline.agents.heads import head_line
from redline.agents.hermes import wire
from redline.agents.hermes.archive import Archive, open_archive
from redline.agents.hermes.exports import Export
from redline.agents.hermes.generations import Boundary, Generations, fold, nodes_of
from redline.agents.hermes.limits import OLD, home_of, limits
from redline.agents.hermes.lineage import Lineage, SessionRow
from redline.agents.hermes.messages import message_of
from redline.agents.hermes.rows import moment
from redline.agents.hermes.scanning import find_session
from redline.agents.hermes.source import SESSION_ROW, HermesSource
from redline.agents.hermes.store import stamp
from redline.agents.leaves import whole_id
from redline.agents.orphans import orphans
from redline.errors import RedlineError
from redline.model import (
    CompactionKind,
    Counts,
    Damage,
    DamageKind,
    Gauge,
    Kind,
    Message,
    Origin,
    Part,
    PartType,
    PastCompaction,
    Role,
    Session,
    SideBranch,
    Subagent,
)

__all__ = ["open_session"]

_COMPRESSION = "compression"


def open_session(
    path: Path,
    *,
    id: str | None = None,  # noqa: A002 - the model's own word
    leaf: str | None = None,
    before: int | None = None,
) -> Session:
    """The session `id` in the file at `path`, a database or an export.

    `leaf` names the last of rows that a person took back, `before` N gives the context as it was
    before compaction N (from 1). Raises RedlineError where the file cannot be read, or `id`,
    `leaf` or `before` names nothing.
    """
    path = Path(path)
    before_reading = stamp(path)
    archive = open_archive(path)
    if archive is None:
        raise RedlineError(
            f"{path} is no file of Hermes", "name a state.db or what hermes exported"
        )
    info = find_session(path, archive, id) if id is not None else None
    if info is None:
        raise RedlineError(f"{path} holds no session called {id!r}", "name one by `PATH#ID`")
    lineage = archive.lineage(info.id)
    session = lineage.sessions[info.id]
    chain = lineage.ancestors(session)
    damage: list[Damage] = []
    nodes = nodes_of(archive, [part.id for part in chain], damage)
    found = fold(list(nodes), len(chain) - 1)
    context, history = _view(found, leaf, before)
    numbers = [found.nodes[place].number for place in context]
    source = HermesSource(
        path,
        info.id,
        archive,
        [found.nodes[place].number for place in history],
        numbers,
        before_reading,
    )
    rows = list(archive.rows(numbers, []))
    messages = tuple(message_of(path, row) for row in rows)
    resumed = {row.number for sent in wire.load(rows) for row in sent.rows}
    damage.extend(orphans(messages))
    _check_lineage(lineage, chain, damage)
    if isinstance(archive, Export):
        damage += archive.damage
    if not archive.whole and any(_lacks_rows(found, bound) for bound in found.boundaries):
        detail = "only the rows of the context are in an export, not those before the compaction"
        damage.append(Damage(rows[0].number if rows else 1, DamageKind.MISSING, detail))
    damage.sort(key=lambda finding: finding.record)
    boundaries = found.boundaries[: before - 1] if before is not None else found.boundaries
    return Session(
        info=info,
        context=messages,
        source=source,
        compactions=tuple(_compactions(path, archive, found, boundaries, chain)),
        side_branches=tuple(_side_branches(found)),
        subagents=tuple(
            Subagent(child.id, path, child.source or None, child.title)
            for part in chain
            for child in lineage.subagents(part)
        ),
        damage=tuple(damage),
        counts=_counts(found, history),
        leaf=messages[-1].id if messages else None,
        version=archive.version,
        resume_messages=sum(1 for row in rows if row.number in resumed),
        resume_lost=sum(1 for row in rows if row.number not in resumed),
        gauge=_gauge(path, info.model, archive.version),
        system=_system(path, archive, chain[-1]),
        delegated=any(part.subagent for part in chain),
    )


def _gauge(path: Path, model: str | None, version: str | None) -> Gauge | None:
    """Where Hermes compacts, if its own files tell the window. What it compares with that, the last
    request's size, it keeps in memory only."""
    found = limits(model, home_of(path), old=version == OLD).threshold()
    return Gauge(trigger=found) if found is not None else None


def _system(path: Path, archive: Archive, session: SessionRow) -> Message | None:
    prompt = archive.system_prompt(session.id)
    if not prompt:
        return None
    origin = Origin(path, SESSION_ROW, pointer=("system_prompt",))
    part = Part(PartType.TEXT, Kind.INJECTED, origin, len(prompt), "text")
    return Message("system", Role.SYSTEM, (part,), head=head_line(prompt))


def _lacks_rows(found: Generations, bound: Boundary) -> bool:
    """Whether the rows before a compaction are not there: an export has only those of the context,
    and a branch starts with a copy of one."""
    own = found.nodes[bound.carrier].session
    return all(found.nodes[p].session == own and found.nodes[p].active for p in bound.before)


def _view(
    found: Generations, leaf: str | None, before: int | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The places of the context that was asked for, and of the history up to its end."""
    if before is not None:
        if not 1 <= before <= len(found.boundaries):
            raise RedlineError(
                f"there is no compaction {before} in this session, it has {len(found.boundaries)}",
                "redline inspect lists them",
            )
        if _lacks_rows(found, found.boundaries[before - 1]):
            raise RedlineError(f"what stood before compaction {before} is not in this session")
        context = found.boundaries[before - 1].before
        seen = {found.first(place) for place in context}
        end = max(seen, default=-1)
        earlier = tuple(p for p in found.history if found.first(p) <= end)
        return context, _with(earlier, context, found)
    ends = {found.nodes[run[-1]].id: run for run in found.rewound}
    live = [found.nodes[place].id for place in found.context[-1:]]
    whole = None if leaf is None else whole_id(leaf, (*live, *ends))
    if leaf is None or whole in live:
        return found.context, found.history
    if whole is None:
        raise RedlineError(
            f"no row {leaf} ends a branch of this session",
            "redline inspect lists the leaves of its branches",
        )
    run = ends[whole]
    context = (*found.before_run(run), *run)
    return context, _with(tuple(p for p in found.history if p < run[0]), context, found)


def _with(history: Sequence[int], context: Sequence[int], found: Generations) -> tuple[int, ...]:
    """`history` with every message of `context` in it, in the form that it has there."""
    firsts = {found.first(place) for place in context}
    others = [place for place in history if found.first(place) not in firsts]
    return tuple(sorted((*others, *context), key=lambda place: (found.first(place), place)))


def _compactions(
    path: Path,
    archive: Archive,
    found: Generations,
    boundaries: Sequence[Boundary],
    chain: Sequence[SessionRow],
) -> Iterator[PastCompaction]:
    numbers = [found.nodes[boundary.carrier].number for boundary in boundaries]
    for boundary, row in zip(boundaries, archive.rows(numbers, []), strict=True):
        node = found.nodes[boundary.carrier]
        alone = boundary.carrier not in found.copies  # a merged row has the time of what it said
        turned = found.nodes[boundary.before[-1]].session if boundary.before else node.session
        ended = moment(chain[turned].ended) if turned != node.session else None
        yield PastCompaction(
            node.id,
            CompactionKind.PARTIAL if boundary.carried else CompactionKind.FULL,
            node.number,
            trigger=_COMPRESSION if turned != node.session else None,
            time=ended or (row.said_at if alone else None),
            messages_before=boundary.messages_before,
            summary=message_of(path, row),
            preserved=tuple(found.nodes[found.now(p)].id for p in boundary.carried),
        )


def _side_branches(found: Generations) -> Iterator[SideBranch]:
    for run in found.rewound:
        above = found.before_run(run)
        nodes = [found.nodes[place] for place in run]
        yield SideBranch(
            nodes[-1].id,
            found.nodes[above[-1]].id if above else None,
            len(nodes),
            any(node.role == "assistant" for node in nodes),
            next((node.head for node in nodes if node.head), ""),
        )


def _counts(found: Generations, history: Sequence[int]) -> Counts:
    told = {found.first(place): found.nodes[place] for place in history}
    live = [node for node in found.nodes if node.live]
    calls = {name for node in live for name in node.calls}
    return Counts(
        records=len(found.nodes),
        messages=len(told),
        prompts=sum(node.prompts for node in told.values()),
        turns=sum(1 for node in told.values() if node.prompts),
        tool_pairs=len({node.result for node in live if node.result in calls}),
        unknown=sum(1 for node in live if node.role == "unknown"),
    )


def _check_lineage(lineage: Lineage, chain: Sequence[SessionRow], damage: list[Damage]) -> None:
    parent = chain[0].parent
    if parent is not None and parent not in lineage.sessions:
        detail = f"session {parent}, which this one comes from, is not in the file"
        damage.append(Damage(1, DamageKind.MISSING, detail))
