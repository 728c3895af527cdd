"""The shape of a context: turns, and which messages a call ties together."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from redline.model import Kind, Message, Part, PartType

Place = tuple[int, int]  # (message index, part index)

_WEIGHT = {
    Kind.PROMPT: 6,
    Kind.SUMMARY: 5,
    Kind.TOOL_RESULT: 4,
    Kind.TOOL_CALL: 3,
    Kind.REPLY: 2,
    Kind.INJECTED: 1,
    Kind.NOTICE: 0,
}


@dataclass(frozen=True, slots=True)
class Outline:
    """What every cut rule needs, computed once a session.

    `turn_starts` are indexes of messages with a prompt. `group[i]` is the smallest index of the
    messages tied to message i by calls and their results (i itself where it is alone). `members[g]`
    are the indexes of group g. `open_calls` are (message, part) of calls without a result,
    `orphans` those of results without a call. `results` leads from a call's place to the places of
    its results and of the images in them. `cuts` are the indexes a tail may start at: no call is
    parted from its results there, and it does not start with an orphan. `purpose[i]` is the kind
    of part that says most of message i. Where an id is used twice, `index` names its last message.
    """

    messages: tuple[Message, ...]
    turn_starts: tuple[int, ...]
    group: tuple[int, ...]
    members: dict[int, tuple[int, ...]]
    open_calls: tuple[Place, ...]
    orphans: tuple[Place, ...]
    index: dict[str, int]
    results: Mapping[Place, tuple[Place, ...]] = field(default_factory=dict)
    cuts: tuple[int, ...] = ()
    purpose: tuple[Kind, ...] = ()


def answers(part: Part) -> bool:
    """Whether `part` is a tool result or an image inside one."""
    return part.type is PartType.TOOL_RESULT or (
        part.type is PartType.IMAGE and part.call_id is not None
    )


class _Groups:
    """Messages tied together, as a forest whose roots are the smallest index."""

    def __init__(self, size: int) -> None:
        self.parent = list(range(size))

    def root(self, item: int) -> int:
        parent = self.parent
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    def tie(self, first: int, second: int) -> None:
        a, b = self.root(first), self.root(second)
        if a != b:
            self.parent[max(a, b)] = min(a, b)


def outline(messages: Iterable[Message]) -> Outline:
    """The outline of `messages`, in O(parts).

    A result belongs to a call with its id that stands before it: the oldest one that has no
    result yet, otherwise the last. What has no id is paired the same way.
    """
    messages = tuple(messages)
    results, orphans = _pairs(messages)
    groups = _Groups(len(messages))
    for (call, _), places in results.items():
        for result, _ in places:
            groups.tie(call, result)
    group = tuple(groups.root(i) for i in range(len(messages)))
    members: dict[int, list[int]] = {}
    for i, root in enumerate(group):
        members.setdefault(root, []).append(i)
    purpose = tuple(_purpose(message) for message in messages)
    return Outline(
        messages=messages,
        turn_starts=tuple(
            i
            for i, message in enumerate(messages)
            if any(part.kind is Kind.PROMPT for part in message.parts)
        ),
        group=group,
        members={root: tuple(found) for root, found in members.items()},
        open_calls=tuple(sorted(place for place, found in results.items() if not found)),
        orphans=tuple(orphans),
        index={message.id: i for i, message in enumerate(messages)},
        results={place: tuple(found) for place, found in results.items()},
        cuts=_cuts(messages, group, members, orphans),
        purpose=purpose,
    )


def _pairs(messages: tuple[Message, ...]) -> tuple[dict[Place, list[Place]], list[Place]]:
    results: dict[Place, list[Place]] = {}
    orphans: list[Place] = []
    waiting: dict[str | None, deque[Place]] = {}
    last: dict[str | None, Place] = {}
    images: list[tuple[Part, Place]] = []
    answered: dict[tuple[str | None, int], Place] = {}  # the call that a message answers, by id
    for i, message in enumerate(messages):
        for j, part in enumerate(message.parts):
            if part.type is PartType.TOOL_CALL:
                results[i, j] = []
                last[part.call_id] = (i, j)
                waiting.setdefault(part.call_id, deque()).append((i, j))
            elif part.type is PartType.TOOL_RESULT:
                queue = waiting.get(part.call_id)
                call = queue.popleft() if queue else last.get(part.call_id)
                if call is None:
                    orphans.append((i, j))
                else:
                    answered[part.call_id, i] = call
                    results[call].append((i, j))
            elif answers(part):
                images.append((part, (i, j)))
        for part, place in images:
            owner = answered.get((part.call_id, i))
            if owner is None:
                orphans.append(place)
            else:
                results[owner].append(place)
        images.clear()
    return results, sorted(orphans)


def _purpose(message: Message) -> Kind:
    if len(message.parts) == 1:
        return message.parts[0].kind
    kinds = (part.kind for part in message.parts)
    return max(kinds, key=_WEIGHT.__getitem__, default=Kind.NOTICE)


def _cuts(
    messages: tuple[Message, ...],
    group: tuple[int, ...],
    members: dict[int, list[int]],
    orphans: list[Place],
) -> tuple[int, ...]:
    reach = list(accumulate((members[root][-1] for root in group), max))
    lone = {i for i, _ in orphans}
    lost = set(orphans)
    return tuple(
        i
        for i in range(len(messages))
        if (i == 0 or reach[i - 1] < i)
        and not (i in lone and all((i, j) in lost for j in range(len(messages[i].parts))))
    )
