"""The context of the simulated run: its messages with their tokens, and what is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from redline.evaluate.finding import Standing, Text
from redline.evaluate.joining import Piece, joined, said
from redline.evaluate.ways.script import Told
from redline.model import Session


@dataclass(frozen=True, slots=True)
class Entry:
    """One message. `item` is its form, `tokens` what it weighs, `holds` the names of the things
    that stand in it, `reads` the path of a file whose content it is ("" for none)."""

    item: dict[str, Any]
    piece: Piece
    text: str
    tokens: int
    holds: frozenset[str]
    reads: str = ""


@dataclass(slots=True)
class Context:
    """The messages in order. `weigh` gives the tokens of a text; `archive` is everything that was
    ever said or printed, in order."""

    like: Session
    weigh: Callable[[str], int]
    system_tokens: int
    entries: list[Entry] = field(default_factory=list)
    archive: list[str] = field(default_factory=list)
    _made: int = 0
    _sent: list[Entry] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        """What the next request weighs."""
        return self.system_tokens + sum(entry.tokens for entry in self.entries)

    def has(self, thing: Told) -> bool:
        """Whether `thing` stands in the context, found word for word, never guessed."""
        return any(thing.name in entry.holds for entry in self.entries)

    def entry(self, item: dict[str, Any], *, looked: Iterable[Told] = (), reads: str = "") -> Entry:
        """`item` as a message, see `made`."""
        return self.made([item], looked=looked, reads=reads)[0]

    def made(
        self, items: Sequence[dict[str, Any]], *, looked: Iterable[Told] = (), reads: str = ""
    ) -> list[Entry]:
        """`items` as messages; of the things `looked` at, those in each are noted. `reads` is the
        file that the last one is."""
        self._made += 1
        things = tuple(looked)
        pieces = said(items, f"m{self._made}")
        made = []
        for place, (item, (message, source)) in enumerate(zip(items, pieces, strict=True), 1):
            text = "\n".join(source.text(part) for part in message.parts)
            holds: frozenset[str] = frozenset()
            if things:
                within = Text(text)
                holds = frozenset(
                    thing.name
                    for thing in things
                    if within.standing(thing.statement) is Standing.CURRENT
                )
            path = reads if place == len(items) else ""
            made.append(Entry(item, (message, source), text, self.weigh(text), holds, path))
        return made

    def add(self, *entries: Entry) -> None:
        """`entries` come next, and are never forgotten by the archive."""
        self.entries += entries
        self.archive += [entry.text for entry in entries]

    def session(self) -> Session:
        """The context as a session."""
        return joined([entry.piece for entry in self.entries], self.like, f"run.{self._made}")

    def cached(self) -> int:
        """How many tokens of the next request the last one began with, and notes it as sent. The
        system prompt is always among them but at the first."""
        same = 0
        for old, new in zip(self._sent, self.entries, strict=False):
            if old is not new:
                break
            same += new.tokens
        first = not self._sent
        self._sent = list(self.entries)
        return 0 if first else same + self.system_tokens
