"""Opens Claude Code's sessions: the window as a running process holds it, and all around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from redline.agents.claude_code.about import about
from redline.agents.claude_code.billing import compaction_agents
from redline.agents.claude_code.branch import Branch, live_branch
from redline.agents.claude_code.compactions import counts_as_message, past_compactions
from redline.agents.claude_code.folding import FOLDED_FROM, Folding
from redline.agents.claude_code.integrity import link_damage
from redline.agents.claude_code.loader import loader_nodes
from redline.agents.claude_code.messages import build
from redline.agents.claude_code.node import Mark, Node, Type, text
from redline.agents.claude_code.reading import Reading
from redline.agents.claude_code.scan import scan
from redline.agents.claude_code.side import record_head, side_branches, subagents
from redline.agents.claude_code.skeleton import Skeleton, orphans
from redline.agents.claude_code.source import ClaudeCodeSource, record_reader
from redline.agents.growing import State
from redline.agents.leaves import whole_id
from redline.errors import RedlineError
from redline.model import (
    Counts,
    Damage,
    DamageKind,
    Message,
    PastCompaction,
    Session,
)

__all__ = ["open_session", "scan"]


@dataclass(frozen=True, slots=True)
class _View:
    """The context that is asked for: its records, what happened before them, and all records of
    the branch up to its end."""

    nodes: list[Node]
    stale: frozenset[str]
    compactions: tuple[PastCompaction, ...]
    history: list[Node]


def open_session(
    path: Path,
    *,
    leaf: str | None = None,
    before: int | None = None,
    folded_from: int = FOLDED_FROM,
) -> Session:
    """The session in the file at `path`.

    `leaf` is the record that another branch ends in. `before` gives the context as it was just
    before the agent's compaction of that number, counted from 1 as in `Session.compactions`. A file
    of `folded_from` bytes and more is opened in the memory of its end, where it can be.
    Raises RedlineError where the file cannot be read, or `leaf` or `before` names nothing.
    """
    folds = leaf is None and before is None and _size(path) >= folded_from
    reading = Reading(path, folds=folds)
    with reading.lock:
        skeleton, state = reading.now()
        return _opened(reading, skeleton, state, leaf, before)


def _opened(
    reading: Reading, skeleton: Skeleton, state: State, leaf: str | None, before: int | None
) -> Session:
    """The session of a skeleton, which is not kept: it may be gone on with."""
    path, kept = reading.path, reading.kept
    if leaf is not None:
        leaf = _whole_leaf(skeleton, leaf, path)
    branch = live_branch(skeleton, leaf)
    if skeleton.folded is not None and branch.stops[:1] != skeleton.nodes[:1]:
        skeleton, state = reading.whole()  # it does not lead to what was folded away
        kept, branch = reading.kept, live_branch(skeleton)
    with record_reader(path) as record_of:
        compactions = past_compactions(skeleton, branch, record_of, path, kept)
        view = _view(branch, compactions, before, path)
        cleared = frozenset(ident for past in view.compactions for ident in past.cleared)
        context = tuple(
            build(
                view.nodes,
                record_of,
                path,
                seams=branch.seams,
                cleared=cleared,
                stale=view.stale,
                kept=kept,
            )
        )
        kept.tidy()
        head_of = partial(kept.head, read=partial(record_head, record_of=record_of))
        branches = side_branches(skeleton, branch, head_of)
        agents = subagents(skeleton, head_of)
        requests = skeleton.requests
        by_key = agents or compaction_agents(path)
        info = about(skeleton, record_of, _billed(view))
        version = skeleton.version
        if before is not None:  # the one that compacted then
            boundary = record_of(skeleton.by_uuid[compactions[before - 1].id])
            version = text(boundary.get("version")) or version
    end = view.nodes[-1].uuid if before is not None and view.nodes else leaf
    loaded = loader_nodes(skeleton, end)
    found = _found_by_loader(context, loaded)
    history = view.history

    def again(session: Session) -> Session:
        with reading.lock:
            now, other = reading.now()
            return session if other == state else _opened(reading, now, other, leaf, before)

    return Session(
        info=info,
        context=context,
        source=ClaudeCodeSource(
            path,
            history,
            frozenset(branch.seams),
            cleared,
            loaded,
            again,
            partial(_whole_history, path),
            None if by_key and requests.forgot else requests,
            skeleton.folded,
        ),
        compactions=view.compactions,
        side_branches=branches,
        subagents=agents,
        damage=_damage(skeleton),
        counts=_counts(skeleton, history),
        leaf=branch.leaf.uuid if branch.leaf else None,
        version=version,
        resume_messages=found,
        resume_lost=len(context) - found,
        delegated=branch.leaf is not None and bool(branch.leaf.marks & Mark.ASIDE),
    )


def _whole_leaf(skeleton: Skeleton, leaf: str, path: Path) -> str:
    parents = {node.parent for node in skeleton.nodes}
    ends = (node.uuid for node in skeleton.nodes if node.uuid not in parents)
    found = whole_id(leaf, skeleton.by_uuid, ends)
    if found is None:
        raise RedlineError(
            f"{path}: no record has the id {leaf}",
            "`redline inspect` lists the leaves of its branches",
        )
    return found


def _whole_history(path: Path, end: list[Node]) -> list[Node]:
    """`end` with all records of the branch that came before it, which were folded away."""
    skeleton, _ = Reading(path).now()
    first = min((node.start for node in end), default=0)
    return [*(node for node in live_branch(skeleton).history() if node.start < first), *end]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # what is wrong is said where it is read


def _damage(skeleton: Skeleton) -> tuple[Damage, ...]:
    damage = [*skeleton.damage, *orphans(skeleton), *link_damage(skeleton)]
    if not skeleton.nodes:
        damage.append(Damage(0, DamageKind.MISSING, "the file holds no message of Claude Code"))
    return tuple(sorted(damage, key=lambda item: item.record))


def _view(
    branch: Branch, compactions: tuple[PastCompaction, ...], before: int | None, path: Path
) -> _View:
    if before is None:
        at = len(branch.stops)
        nodes, past = branch.context, compactions
    else:
        if not 1 <= before <= len(compactions):
            raise RedlineError(
                f"{path}: there is no compaction {before}, the session has {len(compactions)}"
            )
        target, past = compactions[before - 1], compactions[: before - 1]
        stops = [stop.uuid for stop in branch.stops]
        if target.id in stops:
            at = stops.index(target.id)
            nodes = branch.segments[at]
        else:  # tool results were cleared inside a segment
            at = next(
                index
                for index, segment in enumerate(branch.segments)
                if any(node.uuid == target.id for node in segment)
            )
            names = [node.uuid for node in branch.segments[at]]
            nodes = branch.segments[at][: names.index(target.id)]
    former = {node.uuid for segment in branch.segments[:at] for node in segment}
    stop_place = branch.stops[at - 1].place if at else -1
    stale = {node.uuid for node in nodes if node.place < stop_place} | former
    history = Branch([*branch.segments[:at], nodes]).history()
    return _View(nodes, frozenset(stale), past, history)


def _found_by_loader(context: tuple[Message, ...], loaded: list[Node]) -> int:
    """How many messages of the context the agent's own loader would find."""
    names = {node.uuid for node in loaded}
    replies = {node.api_id for node in loaded if node.type is Type.ASSISTANT and node.api_id}
    return sum(message.id in names or message.api_id in replies for message in context)


def _counts(skeleton: Skeleton, history: list[Node]) -> Counts:
    replies: set[str] = set()
    folded = skeleton.folded or Folding()
    return Counts(
        records=skeleton.records,
        messages=folded.messages + sum(counts_as_message(node, replies) for node in history),
        prompts=folded.parts + sum(node.prompts for node in history),
        turns=len(folded.prompts) + sum(1 for node in history if node.prompts),
        tool_pairs=folded.pairs + len(skeleton.calls.keys() & skeleton.results.keys()),
        unknown=skeleton.unknown,
    )


def _billed(view: _View) -> int | None:
    """The input side of the last real request after the last compaction, in tokens."""
    for node in reversed(view.nodes):
        if node.billed and node.uuid not in view.stale:
            return node.billed
    return None
