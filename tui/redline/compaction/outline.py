"""The shape of a context: turns, and which messages a call ties together."""

from __future__ import annotations

from dataclasses import dataclass

from redline.model import Message


@dataclass(frozen=True, slots=True)
class Outline:
    """What every cut rule needs, computed once a session.

    `turn_starts` are indexes of messages with a prompt. `group[i]` is the smallest index of the
    messages tied to message i by calls and their results (i itself where it is alone). `members[g]`
    are the indexes of group g. `open_calls` are (message, part) of calls without a result,
    `orphans` those of results without a call.
    """

    messages: tuple[Message, ...]
    turn_starts: tuple[int, ...]
    group: tuple[int, ...]
    members: dict[int, tuple[int, ...]]
    open_calls: tuple[tuple[int, int], ...]
    orphans: tuple[tuple[int, int], ...]
    index: dict[str, int]


def outline(messages: tuple[Message, ...]) -> Outline:
    """The outline of `messages`, in O(parts)."""
    raise NotImplementedError
