"""What belongs together in the rows of a conversation: generations, carried rows, rewound ones.

At a compaction Hermes writes the rows that go on once more: the kept head, the summary, the kept
tail. What stood there before stays as archived rows (the same session) or in the session before
(another id). A row that was carried over so is one message with its original: it stands where it
was first said, under the id that it has now. Hermes' own display does the same (0.22).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from redline.agents.heads import head_line
from redline.agents.hermes.archive import Archive
from redline.agents.hermes.kinds import STRIPPED_IMAGES
from redline.agents.hermes.messages import holds_summary, pieces, prompts_of, spans_of
from redline.agents.hermes.rows import META, Row
from redline.model import Damage, Kind

_HEAD = 8  # rows that a kept head can have; Hermes keeps 3 beside the system prompt
_ALIGNED = 2_000  # rows that a kept tail can have where only its texts tell it

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """The skeleton of a row.

    `key` tells what was said in it, None where nothing tells that; `text` is a hash of its texts
    and of its calls' arguments, which differ where Hermes cut a result or an argument. `session`
    counts the sessions of the conversation.
    """

    number: int
    id: str
    session: int
    role: str
    live: bool
    active: bool
    carrier: bool
    key: Key | None
    text: int
    time: float | None
    prompts: int
    calls: frozenset[str]
    result: str | None
    head: str


@dataclass(frozen=True, slots=True)
class Boundary:
    """A compaction: the place of the row with its summary, the places of the context before it, and
    those of the rows carried over."""

    carrier: int
    before: tuple[int, ...]
    carried: tuple[int, ...]
    messages_before: int


@dataclass(slots=True)
class Generations:
    """The nodes of a conversation in order, and what they are to each other.

    `history` are the places of its messages in order, `context` those that the model is sent now,
    `rewound` the places of rows that a person took back, run by run.
    """

    nodes: Sequence[Node]
    history: tuple[int, ...] = ()
    context: tuple[int, ...] = ()
    boundaries: tuple[Boundary, ...] = ()
    rewound: tuple[tuple[int, ...], ...] = ()
    copies: dict[int, int] = field(default_factory=dict)
    _now: dict[int, int] = field(default_factory=dict)

    def first(self, place: int) -> int:
        """The place where the message at `place` was first said."""
        while place in self.copies:
            place = self.copies[place]
        return place

    def now(self, place: int) -> int:
        """The place in the history of the message at `place`."""
        if not self._now:
            self._now = {self.first(shown): shown for shown in self.history}
        return self._now.get(self.first(place), place)

    def before_run(self, run: Sequence[int]) -> tuple[int, ...]:
        """The context in which the rewound `run` followed."""
        later = [bound for bound in self.boundaries if bound.carrier > run[0]]
        context = later[0].before if later else self.context
        return tuple(place for place in context if place < run[0])


def node_of(row: Row, session: int) -> Node:
    """The skeleton of `row`, of the session with that count."""
    texts = [text for _, text in pieces(row) if text not in STRIPPED_IMAGES]
    said = "\n".join(_own(row, text) for text in texts).strip()
    names = tuple(sorted(name for call in row.calls for name in call.names))
    key: Key | None = None
    if row.role == "tool":
        key = ("tool", row.call_id) if row.call_id else None
    elif names:
        key = (row.role, *names)
    elif said:
        key = (row.role, hash(said))
    prompts = prompts_of(row)
    return Node(
        row.number,
        row.id,
        session,
        row.role,
        row.live,
        row.active,
        row.live and holds_summary(row),
        key,
        hash((said, *(repr(call.arguments) for call in row.calls))),
        row.time,
        len(prompts),
        frozenset(name for call in row.calls for name in call.names),
        row.call_id if row.role == "tool" else None,
        head_line(next(filter(None, prompts), "")),
    )


def nodes_of(archive: Archive, chain: Sequence[str], damage: list[Damage]) -> Iterator[Node]:
    """The skeletons of all rows of a chain of sessions, in order; see `Archive.rows`."""
    for count, session in enumerate(chain):
        for row in archive.rows(archive.ids(session), damage):
            yield node_of(row, count)


def _own(row: Row, text: str) -> str:
    """What the row says beside a summary that was merged into it."""
    if row.role not in ("user", "assistant"):
        return text
    return "".join(
        text[start:end]
        for kind, start, end in spans_of(row, text)
        if kind in (Kind.PROMPT, Kind.REPLY)
    )


def fold(nodes: Sequence[Node], tip: int) -> Generations:
    """What the nodes of a conversation are to each other; `tip` is the count of its last session.

    Nodes come session by session, each in the order of their ids.
    """
    found = Generations(nodes)
    _same_time(nodes, found.copies)
    current: list[int] = []
    boundaries: list[Boundary] = []
    seen: set[int] = set()
    turned = counted = 0
    carriers = [place for place, node in enumerate(nodes) if node.carrier]
    following = dict(zip(carriers, [*carriers[1:], len(nodes)], strict=False))
    for place, node in enumerate(nodes):
        if not node.live:
            continue
        if place in following:
            head = _head(nodes, current, found.copies)
            before = current[: len(current) - len(head)]
            after = list(range(place, following[place]))
            back = [p for p in range(turned, place) if not nodes[p].live]
            _same_texts(nodes, sorted(before + back), after, found.copies)
            turned = place
            carried = [p for p in (*head, *after) if p in found.copies]
            gone = {found.copies[p] for p in carried if not nodes[found.copies[p]].live}
            before = sorted({*before, *gone})
            start = head[0] if head else place
            seen |= {found.first(p) for p in range(counted, start) if nodes[p].live}
            counted = start
            boundaries.append(Boundary(place, tuple(before), tuple(carried), len(seen | gone)))
            current = head
        current.append(place)
    found.boundaries = tuple(boundaries)
    found.context = tuple(
        p for p, n in enumerate(nodes) if n.live and n.active and n.session == tip
    )
    found.history = _history(found)
    found.rewound = _rewound(found)
    return found


def _same_time(nodes: Sequence[Node], copies: dict[int, int]) -> None:
    """Rows that say the same at the same time are one message: Hermes keeps the time of a row that
    it carries over (0.22, and 0.19 of a session that was resumed)."""
    known: dict[Key, int] = {}
    for place, node in enumerate(nodes):
        if node.key is None or node.time is None:
            continue
        key = (node.time, *node.key)
        if key in known and _repeats(nodes, place, known[key]):
            copies[place] = known[key]
        known[key] = place


def _head(nodes: Sequence[Node], current: Sequence[int], copies: dict[int, int]) -> list[int]:
    """The rows at the end of `current` that repeat its start: the kept head, written again."""
    run: list[int] = []
    while len(run) < min(_HEAD, len(current)) and current[-1 - len(run)] in copies:
        run.insert(0, current[-1 - len(run)])
    if run and copies[run[0]] != current[0] and nodes[copies[run[0]]].live:
        run = []
    for length in range(min(_HEAD, len(current) // 2), len(run), -1):
        pairs = list(zip(current[-length:], current[:length], strict=True))
        if all(_repeats(nodes, later, first) for later, first in pairs):
            copies.update(pair for pair in pairs if pair[0] not in copies)
            return list(current[-length:])
    return run


def _repeats(nodes: Sequence[Node], later: int, first: int) -> bool:
    """Whether a live row is the copy of one that was archived or lies in the session before."""
    one, other = nodes[later], nodes[first]
    left = not other.active or other.session < one.session
    return one.key is not None and one.key == other.key and left


def _same_texts(
    nodes: Sequence[Node], before: Sequence[int], after: Sequence[int], copies: dict[int, int]
) -> None:
    """The kept tail where times do not tell it: the rows after the summary that repeat, in order,
    the end of what stood before it. `before` holds rows that were taken back as well: newer
    versions mark the originals of carried rows like those."""
    new = [place for place in after if nodes[place].key is not None][:_ALIGNED]
    places: dict[Key | None, list[int]] = {}
    for place in before[-_ALIGNED:]:
        places.setdefault(nodes[place].key, []).append(place)
    run: list[int] = []
    reached = -1
    for place in new:
        later = [p for p in places.get(nodes[place].key, ()) if p > reached]
        first = next((p for p in later if _repeats(nodes, place, p)), None)
        if first is None:
            break
        reached = first
        run.append(place)
    reached = after[0]
    for place in reversed(run):  # the last row carried is the last one there was
        earlier = [p for p in places.get(nodes[place].key, ()) if p < reached]
        last = next((p for p in reversed(earlier) if _repeats(nodes, place, p)), None)
        if last is not None:
            reached = last
            copies.setdefault(place, last)


def _history(found: Generations) -> tuple[int, ...]:
    """Every message once, where it was first said. Where a carried row says less than its original
    both are there."""
    newest: dict[tuple[int, int], int] = {}
    for place, node in enumerate(found.nodes):
        if node.live:
            newest[found.first(place), node.text] = place
    kept = set(newest.values()) | set(found.context)
    merged = {found.first(b.carrier) for b in found.boundaries if b.carrier in found.copies}
    return tuple(
        sorted(
            (p for p in kept if found.nodes[p].carrier or p not in merged),
            key=lambda place: (found.first(place), place),
        )
    )


def _rewound(found: Generations) -> tuple[tuple[int, ...], ...]:
    """Runs of rows that are no part of the conversation and were carried nowhere."""
    carried = set(found.copies.values())
    runs: list[list[int]] = []
    for place, node in enumerate(found.nodes):
        if node.live or node.role == META or place in carried:
            continue
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return tuple(tuple(run) for run in runs)
