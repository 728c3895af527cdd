"""The tree of a session's entries: the live path, what of it the model is given, side branches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from redline.agents.leaves import whole_id
from redline.agents.pi.entries import COMPACTION, CONTEXT_EDIT, Entry
from redline.agents.pi.fields import failed
from redline.errors import RedlineError
from redline.model import Damage, DamageKind, SideBranch


@dataclass(frozen=True, slots=True)
class PathEntry:
    """One entry of the live path, metadata included, as pi numbers its branch (from 0).

    `role` is that of the message it gives the model (pi's own word), None where it gives none.
    `record` is the line. `chars` is what pi's estimator counts for it (UTF-16 units, an image
    4800); pi's tokens are ceil(chars / 4). A context edit is counted in the entry it edits.
    """

    index: int
    id: str
    type: str
    role: str | None
    record: int
    chars: int


@dataclass(frozen=True, slots=True)
class Walk:
    """A path from root to leaf. `seams` are positions of entries whose parent names nothing."""

    entries: tuple[Entry, ...]
    seams: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Given:
    """What the model is given of a path.

    `entries` are those that give a message, in order, the newest compaction first; `edits` are
    the newest context edits by the id of what they edit; `kept` are the entries from before the
    compaction; `lost_kept` is true where the first kept entry is not on the path.
    """

    entries: tuple[Entry, ...]
    edits: Mapping[str, Entry]
    compaction: Entry | None = None
    kept: tuple[Entry, ...] = ()
    lost_kept: bool = False


def _before(found: Sequence[Entry], child: Entry) -> Entry:
    """The newest of several entries with one id that stands before `child`."""
    for entry in reversed(found):
        if entry.position < child.position:
            return entry
    return found[-1]


def walk(entries: Sequence[Entry], leaf: Entry | None, damage: list[Damage]) -> Walk:
    """The path to `leaf` as a process that is still running has it.

    Where a parent names nothing the path goes on at the entry before (a torn line's neighbour).
    """
    if leaf is None:
        return Walk(())
    index: dict[str, list[Entry]] = {}
    for entry in entries:
        index.setdefault(entry.id, []).append(entry)
    path: list[Entry] = []
    seams: set[int] = set()
    seen: set[int] = set()
    current: Entry | None = leaf
    while current is not None:
        if current.position in seen:
            damage.append(
                Damage(
                    path[-1].number, DamageKind.CYCLE, f"parent {path[-1].parent} comes after it"
                )
            )
            break
        seen.add(current.position)
        path.append(current)
        if current.parent is not None and current.parent in index:
            current = _before(index[current.parent], current)
        elif current.rooted or current.position == 0:
            if current.parent is not None:
                damage.append(_dangling(current))
            current = None
        else:
            damage.append(_dangling(current))
            seams.add(current.position)
            current = entries[current.position - 1]
    path.reverse()
    return Walk(tuple(path), frozenset(seams))


def _dangling(entry: Entry) -> Damage:
    detail = f"parent {entry.parent} names nothing" if entry.parent else "an entry without a parent"
    return Damage(entry.number, DamageKind.DANGLING, detail)


def loader_walk(entries: Sequence[Entry], leaf: Entry | None) -> Walk:
    """The path to `leaf` as pi's own loader finds it: only lines it can parse, no healing.

    Where pi would never end (a cycle) the path ends at the first entry that comes again.
    """
    if leaf is None or not leaf.loaded:
        return Walk(())
    index = {entry.id: entry for entry in entries if entry.loaded}
    path: list[Entry] = []
    seen: set[int] = set()
    current: Entry | None = leaf
    while current is not None and current.position not in seen:
        seen.add(current.position)
        path.append(current)
        current = index.get(current.parent) if current.parent is not None else None
    path.reverse()
    return Walk(tuple(path))


def given(path: Sequence[Entry]) -> Given:
    """What the model is given of `path` (pi's session projection)."""
    at = max((i for i, entry in enumerate(path) if entry.type == COMPACTION), default=None)
    kept: tuple[Entry, ...] = ()
    lost = False
    selected: list[Entry] = list(path)
    compaction = None
    if at is not None:
        compaction = path[at]
        first = next((i for i in range(at) if path[i].id == compaction.first_kept), None)
        lost = first is None and compaction.first_kept != compaction.id
        kept = tuple(path[first:at]) if first is not None else ()
        selected = [compaction, *kept, *path[at + 1 :]]
    edits = {
        entry.target: entry for entry in selected if entry.type == CONTEXT_EDIT and entry.target
    }
    entries = tuple(
        entry
        for place, entry in enumerate(selected)
        if entry.role is not None
        and not (entry.type == COMPACTION and place > 0)
        and not (entry.id in edits and edits[entry.id].omits)
    )
    sent = {entry.position for entry in entries}
    kept = tuple(entry for entry in kept if entry.position in sent)
    return Given(entries, edits, compaction, kept, lost)


def leaf_of(entries: Sequence[Entry], name: str | None, before: int | None) -> Entry | None:
    """The entry the path ends in: the last of the file, entry `name`, or the one just before
    compaction `before` (from 1) of that path. Raises RedlineError where there is none."""
    leaf = entries[-1] if entries else None
    if name is not None:
        parents = {entry.parent for entry in entries}
        ends = (entry.id for entry in entries if entry.id not in parents)
        whole = whole_id(name, (entry.id for entry in entries), ends)
        if whole is None:
            raise RedlineError(
                f"no entry {name} in this session",
                "redline inspect lists the leaves of its branches",
            )
        leaf = [entry for entry in entries if entry.id == whole][-1]
    if before is None:
        return leaf
    path = walk(entries, leaf, []).entries
    places = [i for i, entry in enumerate(path) if entry.type == COMPACTION]
    if not 1 <= before <= len(places):
        raise RedlineError(
            f"there is no compaction {before} on this branch, it has {len(places)}",
            "redline inspect lists them",
        )
    at = places[before - 1]
    return path[at - 1] if at else None


def side_branches(entries: Sequence[Entry], live: Walk) -> tuple[SideBranch, ...]:
    """Every branch off the live path, in the order of its leaf in the file."""
    forks: dict[int, str | None] = {}  # position on the path -> the message at or above it
    above = None
    for entry in live.entries:
        above = entry.id if entry.role is not None else above
        forks[entry.position] = above
    index: dict[str, Entry] = {}
    branches: dict[int, SideBranch] = {}  # position of an entry off the path -> branch up to it
    inner: set[int] = set()
    for entry in entries:
        parent = index.get(entry.parent) if entry.parent is not None else None
        index[entry.id] = entry
        if entry.position in forks:
            continue
        answered = entry.role == "assistant" and not failed(entry.stop)
        fork, records, head = None, 1, entry.head
        if parent is not None and parent.position in forks:
            fork = forks[parent.position]
        elif parent is not None:
            inner.add(parent.position)
            up = branches[parent.position]
            fork, records, head = up.fork, up.records + 1, up.head or head
            answered = answered or up.answered
        branches[entry.position] = SideBranch(entry.id, fork, records, answered, head)
    return tuple(branch for position, branch in branches.items() if position not in inner)


def path_entries(path: Sequence[Entry], edited: Mapping[str, int | None]) -> tuple[PathEntry, ...]:
    """`path` as pi's branch. `edited` holds what a context edit left of an entry, in chars, None
    where it left nothing."""
    found = []
    for place, entry in enumerate(path):
        role, chars = entry.role, entry.chars
        if entry.id in edited:
            left = edited[entry.id]
            role, chars = (role, left) if left is not None else (None, 0)
        found.append(PathEntry(place, entry.id, entry.type, role, entry.number, chars))
    return tuple(found)
