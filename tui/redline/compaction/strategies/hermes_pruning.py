"""Hermes' pass over old tool results before it chooses what to summarise (0.19 and 0.22).

A result that comes again stays at its last place only; an old one is cut to a line, its pictures
to a word. 0.19 cuts long inputs of old calls too. 0.22 leaves what the model has not read yet and
skills that are in use, and where the tail alone is too large it goes on inside the tail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from redline.compaction.strategies.hermes_messages import TOOL, USER
from redline.compaction.strategies.hermes_rows import PRUNE_FROM, Row, line_price, without_images

DUPLICATE = "[Duplicate tool output — same content as a more recent call]"
MOST_PROTECTED = 8  # messages of the tail that stay whatever they weigh, at most
WINDOW_SHARE = 0.20  # of the window that 0.22's tail may take
_NEWEST_PICTURES = 3  # results with pictures that 0.22 leaves
_NEWEST_UNDER_PRESSURE = 3  # messages that 0.22 leaves until the last
_SKILL_RECENT = 10  # last messages in which a skill that was shown is in use


@dataclass(frozen=True, slots=True)
class Rules:
    """What Hermes goes by. `lean` is 0.22, else 0.19; `window`, `held` (for the reply) and `tail`
    (its budget) are in tokens; `first` and `last` are the messages protected at either end,
    `requests` how many of a person's stay; `recency` says that 0.22 keeps a short tail and cuts
    old results in it."""

    lean: bool
    window: int
    tail: int
    held: int = 0
    first: int = 3
    last: int = 20
    requests: int = 1
    recency: bool = True

    @property
    def ceiling(self) -> int:
        """How far the tail may go over its budget, so that whole messages fit."""
        most = int(self.tail * 1.5)
        if not self.lean:
            return most
        if self.window > 0:
            most = min(most, int(self.window * WINDOW_SHARE))
        return max(most, self.tail)


@dataclass(slots=True)
class Pruned:
    """What is left of the rows. `lines` are the texts that stand for results, `pictures` the
    results whose pictures words stand for, `shortened` the calls whose input is cut; `count` is
    Hermes' own count of pruned results."""

    rows: Sequence[Row]
    lean: bool
    lines: dict[int, str] = field(default_factory=dict)
    pictures: set[int] = field(default_factory=set)
    shortened: set[int] = field(default_factory=set)
    count: int = 0

    def price(self, index: int, *, thinking: bool = True) -> int:
        """Tokens of a row as it is now."""
        row = self.rows[index]
        left = self.lines.get(index)
        if left is not None:
            return line_price(left, lean=self.lean)
        if index in self.pictures:
            return without_images(row)
        if self.lean:
            return row.lean + row.thinking if thinking else row.lean
        return row.shortened if index in self.shortened and row.shortened else row.legacy


def prune(rows: Sequence[Row], rules: Rules, text: Callable[[Row], str]) -> Pruned:
    """The rows pruned by `rules`; `text` reads the text of one."""
    found = Pruned(rows, rules.lean)
    if rules.lean:
        _prune_lean(found, rules, text)
    else:
        _prune_legacy(found, rules)
    return found


def walk(
    prices: Callable[[int], int], size: int, first: int, most: int, least: int
) -> tuple[int, int, int]:
    """From the end to row `first`, while `most` tokens are not passed or `least` rows not reached.

    Gives the first row that fits, the row that did not (as the first, where all fit), and the
    tokens of those that fit."""
    total, at = 0, size
    for i in range(size - 1, first - 1, -1):
        price = prices(i)
        if total + price > most and size - i >= least:
            return at, i, total
        total += price
        at = i
    return at, at, total


def _boundary(found: Pruned, rules: Rules, least: int) -> int:
    """The first protected row."""
    size = len(found.rows)
    if rules.tail <= 0:
        return size - rules.last
    newest = _newest_reply(found.rows)
    if found.lean:
        _, at, _ = walk(lambda i: found.price(i, thinking=i == newest), size, 0, rules.tail, least)
    else:
        _, at, _ = walk(found.price, size, 0, rules.tail, least)
    return min(at, size - least)


def _newest_reply(rows: Sequence[Row]) -> int:
    return next((i for i in range(len(rows) - 1, -1, -1) if rows[i].role == "assistant"), -1)


def _prune_legacy(found: Pruned, rules: Rules) -> None:
    rows = found.rows
    boundary = _boundary(found, rules, min(rules.last, len(rows)))
    _drop_repeats(found)
    for i in range(boundary):
        row = rows[i]
        if row.role == TOOL and i not in found.lines:
            left = row.envelope or (row.lines[0] if row.lines else "")
            if left:
                found.lines[i] = left
            elif row.images:
                found.pictures.add(i)
            found.count += bool(left or row.images)
        elif row.shortened is not None:
            found.shortened.add(i)


def _drop_repeats(found: Pruned) -> None:
    seen: set[bytes] = set()
    for i in range(len(found.rows) - 1, -1, -1):
        digest = found.rows[i].digest
        if digest in seen:
            found.lines[i] = DUPLICATE
            found.count += 1
        elif digest is not None:
            seen.add(digest)


def _prune_lean(found: Pruned, rules: Rules, text: Callable[[Row], str]) -> None:
    rows = found.rows
    boundary = _boundary(found, rules, min(rules.last, len(rows), MOST_PROTECTED))
    spared = _unread(found, rules)
    if spared:
        boundary = min(boundary, spared.start)
    _drop_repeats(found)
    skills = _skills_in_use(rows, boundary, text)
    for i in range(boundary):
        if rows[i].skill is None or rows[i].skill not in skills:
            found.count += _cut(found, i)
    pictured = [i for i in range(len(rows) - 1, -1, -1) if _pictured(found, i)]
    for i in pictured[_NEWEST_PICTURES:]:
        if i not in spared:
            found.count += _cut(found, i)
    if rules.tail > 0:
        _relieve(found, max(0, boundary), rules.ceiling, spared)


def _pictured(found: Pruned, index: int) -> bool:
    row = found.rows[index]
    gone = index in found.lines or index in found.pictures
    return row.role == TOOL and row.images > 0 and not gone


def _cut(found: Pruned, index: int) -> bool:
    """Whether something of a row was cut. 0.22 cuts a line of its own again that is too long."""
    row, now = found.rows[index], found.lines.get(index)
    if row.role != TOOL or index in found.pictures:
        return False
    if now is not None:
        if row.again is None or len(now) <= PRUNE_FROM:
            return False
        found.lines[index] = row.again
        return True
    left = row.envelope or (row.lines[1] if row.lines else "")
    if left:
        found.lines[index] = left
    elif row.images:
        found.pictures.add(index)
    return bool(left or row.images)


def _skills_in_use(
    rows: Sequence[Row], boundary: int, text: Callable[[Row], str]
) -> frozenset[str]:
    """Skills that were shown a short while ago, or that a request in the tail names."""
    sites = [(i, skill.lower()) for i, row in enumerate(rows) for skill in row.skills]
    if not sites:
        return frozenset()
    tail = max(0, boundary)
    said = [text(row).lower() for row in rows[tail:] if row.role == USER]
    recent = min(max(0, len(rows) - _SKILL_RECENT), tail)
    return frozenset(
        skill for i, skill in sites if i >= recent or any(skill in words for words in said)
    )


def _unread(found: Pruned, rules: Rules) -> range:
    """The results at the end that the model has not read yet, with their call, where they are no
    more than a share of what the window leaves for input."""
    rows = found.rows
    end = len(rows)
    while end and rows[end - 1].steers:
        end -= 1
    start = end
    while start > 0 and rows[start - 1].role == TOOL:
        start -= 1
    if start == end:
        return range(0)
    if start > 0 and rows[start - 1].call_ids:
        start -= 1
    room = rules.window - rules.held if rules.window > rules.held else rules.window
    weight = sum(found.price(i) for i in range(start, end))
    return range(start, end) if weight <= int(room * WINDOW_SHARE) else range(0)


def _relieve(found: Pruned, start: int, ceiling: int, spared: range) -> None:
    """Cuts results inside the tail where it is larger than its ceiling, the newest last."""
    size = len(found.rows)
    end = size - min(_NEWEST_UNDER_PRESSURE, size)
    total = sum(found.price(i) for i in range(start, size))
    if end <= start or total <= ceiling:
        return

    def cut(index: int) -> None:
        nonlocal total
        before = found.price(index)
        if index not in spared and _cut(found, index):
            found.count += 1
            total += found.price(index) - before

    for i in range(start, end):
        cut(i)
        if total <= ceiling:
            return
    results = [i for i in range(size) if found.rows[i].role == TOOL]
    newest = results[-1] if results else -1
    for i in range(start, size):
        if i != newest:
            cut(i)
    if newest >= start and total > ceiling:
        cut(newest)
