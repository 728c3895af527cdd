"""The table of a comparison: its columns, which of them have room, and a letter a strategy."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from redline.amounts import short
from redline.compaction.plan import Action
from redline.comparison.compare import Comparison, Row
from redline.comparison.staying import Thing
from redline.money import dollars

WAITING = "."  # not counted yet
NOTHING = "-"  # there is nothing of the kind
GAP = 1  # blanks between columns


@dataclass(frozen=True, slots=True)
class Column:
    """A figure of each row, set to the right. The higher its `rank`, the sooner it is left out
    where there is no room. `means` says in a few words what it is, `thing` what is counted."""

    head: str
    rank: int
    means: str
    text: Callable[[Row, Comparison], str]
    thing: Thing | None = None


@dataclass(frozen=True, slots=True)
class Fitted:
    """A column with its cells."""

    column: Column
    width: int

    @property
    def head(self) -> str:
        return self.column.head.rjust(self.width)

    def cell(self, row: Row, comparison: Comparison) -> str:
        return self.column.text(row, comparison).rjust(self.width)


def fitted(comparison: Comparison, room: int) -> tuple[Fitted, ...]:
    """The columns that have room in `room` cells, each with a blank before it."""
    sized = [
        Fitted(
            column,
            max(
                len(column.head),
                *(len(column.text(row, comparison)) for row in comparison.planned),
                0,
            ),
        )
        for column in COLUMNS
    ]
    taken: set[str] = set()
    for one in sorted(sized, key=lambda one: one.column.rank):
        if one.width + GAP > room:
            break
        room -= one.width + GAP
        taken.add(one.column.head)
    return tuple(one for one in sized if one.column.head in taken)


def letters(names: Iterable[str]) -> tuple[str, ...]:
    """A character of its own for each name: the first letter of one of its words, small or large,
    where none before it has that, else any other."""
    found: list[str] = []
    for name in names:
        words = name.replace("_", "-").replace(" ", "-").split("-")
        firsts = [letter for word in words for letter in (word[:1].lower(), word[:1].upper())]
        others = (*firsts, *name.lower(), *string.ascii_letters, *string.digits)
        free = (one for one in others if one in _USABLE and one not in found)
        found.append(next(free, "?"))
    return tuple(found)


_USABLE = frozenset(string.ascii_letters + string.digits)


def _count(*actions: Action) -> Callable[[Row, Comparison], str]:
    def text(row: Row, _comparison: Comparison) -> str:
        return "" if row.counts is None else f"{sum(row.counts[action] for action in actions)}"

    return text


def _stays(thing: Thing) -> Callable[[Row, Comparison], str]:
    def text(row: Row, _comparison: Comparison) -> str:
        if row.stays is None:
            return WAITING
        found = row.stays[thing]
        return f"{found.both}/{found.of}" if found.of else NOTHING

    return text


def _after(row: Row, _comparison: Comparison) -> str:
    return "" if row.total is None else f"~{short(row.total)}"


def _share(row: Row, comparison: Comparison) -> str:
    limit = comparison.window.limit
    return f"{round(100 * row.total / limit)}%" if limit and row.total is not None else ""


def _paid(amount: float | None) -> str:
    return dollars(amount).replace("under ", "<")


def _once(row: Row, _comparison: Comparison) -> str:
    return "" if row.cost is None else _paid(row.cost.once)


def _each(row: Row, _comparison: Comparison) -> str:
    return "" if row.cost is None else _paid(row.cost.saves_each)


def _back(row: Row, _comparison: Comparison) -> str:
    if row.cost is None or row.cost.once is None:
        return "?"
    back = row.cost.pays_back_after
    return "never" if back is None else str(back)


def _acts(row: Row, _comparison: Comparison) -> str:
    return NOTHING if row.acts_at is None else short(row.acts_at)


COLUMNS: Sequence[Column] = (
    Column("after", 0, "tokens of the next window", _after),
    Column("full", 1, "of the model's limit", _share),
    Column("kept", 2, "messages that stay word for word", _count(Action.KEEP)),
    Column("clrd", 3, "messages with tool results cleared", _count(Action.CLEAR)),
    Column("shrt", 12, "messages that are shortened", _count(Action.SHORTEN)),
    Column("quot", 10, "messages whose prompts are quoted", _count(Action.QUOTE)),
    Column("summ", 4, "messages that are retold", _count(Action.SUMMARISE)),
    Column("drop", 11, "messages that go without a trace", _count(Action.DROP)),
    Column("rules", 6, "rules that stay word for word", _stays(Thing.RULES), Thing.RULES),
    Column("words", 5, "prompts that stay word for word", _stays(Thing.WORDS), Thing.WORDS),
    Column("files", 8, "changed files that are still named", _stays(Thing.FILES), Thing.FILES),
    Column("errs", 14, "open errors that stay word for word", _stays(Thing.ERRORS), Thing.ERRORS),
    Column(
        "anch",
        13,
        "commits, issues, URLs and commands that stay",
        _stays(Thing.ANCHORS),
        Thing.ANCHORS,
    ),
    Column("once", 7, "what it costs once", _once),
    Column("each", 15, "what each later request saves", _each),
    Column("back", 9, "requests until it has paid back", _back),
    Column("acts", 16, "tokens at which its agent does it by itself", _acts),
)
