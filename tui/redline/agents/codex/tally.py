"""What a walk over a rollout keeps count of: figures, turns, and what rollbacks took back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from redline.agents.codex.compacting import Compaction
from redline.agents.codex.item import MESSAGE, Item
from redline.agents.codex.parts import content_kinds
from redline.model import Kind


@dataclass(slots=True)
class Tally:
    """Figures of the whole file, then those of the live branch."""

    records: int = 0
    unknown: int = 0
    tool_pairs: int = 0
    messages: int = 0
    prompts: int = 0
    turns: int = 0

    def add(self, items: Iterable[Item], sign: int = 1) -> None:
        """Counts items that are no copies; all of a reply are one message."""
        replies: set[int] = set()
        for item in items:
            if item.copied or id(item.reply) in replies:
                continue
            self.messages += sign
            if item.reply is not None:
                replies.add(id(item.reply))
            elif item.type == MESSAGE and item.role == "user" and not item.summary:
                self._prompted(item, sign)

    def put_in(self, item: Item) -> None:
        """`item` turns out to be no prompt."""
        self._prompted(item, -1)
        item.spoken = False

    def spoken(self, item: Item) -> None:
        """`item` turns out to be a prompt after all."""
        item.spoken = True
        self._prompted(item, 1)

    def _prompted(self, item: Item, sign: int) -> None:
        prompts = prompts_in(item.value["content"]) if item.spoken else 0
        self.prompts += sign * prompts
        self.turns += sign * (prompts > 0)


def prompts_in(content: Any) -> int:
    """How many parts of a user message are a human's own words or pictures."""
    kinds = content_kinds("user", content)
    return sum(kind is Kind.PROMPT for pieces in kinds for kind, _span in pieces)


@dataclass(slots=True)
class Turn:
    """A turn of Codex. `known` says that its start is written, `counts` that a rollback counts it.

    `unmarked` are its messages of the user's role that no event told of so far, `marked` says that
    an event told of one, `expected` that one is still to come, `put_in` is the last message if it
    was settled to be none. `replaced` are the compactions in it
    that a rollback of it undoes, by sequence; `undecided` is a compaction whose trigger what
    follows will tell.
    """

    known: bool = False
    counts: bool = False
    done: bool = False
    marked: bool = False
    expected: bool = False
    unmarked: list[Item] = field(default_factory=list)
    put_in: Item | None = None
    replaced: list[int] = field(default_factory=list)
    undecided: Compaction | None = None

    def mark(self) -> Item | None:
        """Codex tells of a prompt: the last message of the user's, or the next one. Gives it where
        it was taken for put in: the walk had ended between the two records."""
        self.marked = True
        late, self.put_in = self.put_in, None
        if self.unmarked:
            self.unmarked.pop()
        elif late is not None:
            return late
        else:
            self.expected = True
        return None

    def spoke(self, item: Item) -> None:
        """A message of the user's role that is no context which Codex knows."""
        if self.expected:
            self.expected = False
        else:
            self.unmarked.append(item)

    def decide(self, trigger: str) -> None:
        if self.undecided is not None:
            self.undecided.trigger, self.undecided = trigger, None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What a rollback took back: records `first` to `last` (both counted), by sequence.

    `leaf` is the id of its last item, `fork` the message it leaves after, `items` its first ones.
    """

    first: int
    last: int
    leaf: str
    fork: str | None
    answered: bool
    items: tuple[Item, ...]
