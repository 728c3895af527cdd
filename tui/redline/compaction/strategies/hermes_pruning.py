"""Hermes' pass over old tool results before it chooses what to summarise (0.19 and 0.22).

A result that comes again stays at its last place only; an old one is cut to a line, its pictures
to a word. 0.19 cuts long inputs of old calls too. 0.22 leaves what the model has not read yet and
skills that are in use, and where the tail alone is too large it goes on inside the tail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redline.compaction.strategies.hermes_messages import ASSISTANT, TOOL, USER
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


class Pruned:
    """What is left of the rows. `lines` are the texts that stand for results, `pictures` the
    results whose pictures words stand for, `shortened` the calls whose input is cut; `count` is
    Hermes' own count of pruned results. `prices` are those of the rows as they are now, in tokens,
    without what 0.22 charges for thinking."""

    def __init__(self, rows: Sequence[Row], *, lean: bool) -> None:
        self.rows = rows
        self.lean = lean
        self.lines: dict[int, str] = {}
        self.pictures: set[int] = set()
        self.shortened: set[int] = set()
        self.count = 0
        self.prices = [row.lean for row in rows] if lean else [row.legacy for row in rows]

    def replace(self, index: int, line: str) -> None:
        """Puts `line` in the place of a result."""
        self.lines[index] = line
        self.prices[index] = line_price(line, lean=self.lean)

    def take_pictures(self, index: int) -> None:
        """Puts words in the place of a result's pictures."""
        self.pictures.add(index)
        self.prices[index] = without_images(self.rows[index])

    def shorten(self, index: int, price: int) -> None:
        """Notes that the input of a call is cut."""
        self.shortened.add(index)
        self.prices[index] = price

    def price(self, index: int) -> int:
        """Tokens of a row as it is now, with its thinking."""
        return self.prices[index] + (self.rows[index].thinking if self.lean else 0)

    def newest(self) -> list[int]:
        """The prices, with the thinking of the newest reply."""
        found = self.prices[:]
        if self.lean:
            last = next((i for i in reversed(range(len(found))) if self._replies(i)), None)
            if last is not None:
                found[last] += self.rows[last].thinking
        return found

    def _replies(self, index: int) -> bool:
        return self.rows[index].role == ASSISTANT


def prune(rows: Sequence[Row], rules: Rules, text: Callable[[Row], str]) -> Pruned:
    """The rows pruned by `rules`; `text` reads the text of one."""
    found = Pruned(rows, lean=rules.lean)
    if rules.lean:
        _prune_lean(found, rules, text)
    else:
        _prune_legacy(found, rules)
    return found


def walk(prices: Sequence[int], first: int, most: int, least: int) -> tuple[int, int, int]:
    """From the end to row `first`, while `most` tokens are not passed or `least` rows not reached.

    Gives the first row that fits, the row that did not (as the first, where all fit), and the
    tokens of those that fit."""
    size = len(prices)
    total, at = 0, size
    for i in range(size - 1, first - 1, -1):
        price = prices[i]
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
    _, at, _ = walk(found.newest(), 0, rules.tail, least)
    return min(at, size - least)


def _prune_legacy(found: Pruned, rules: Rules) -> None:
    rows = found.rows
    boundary = _boundary(found, rules, min(rules.last, len(rows)))
    _drop_repeats(found)
    for i in range(boundary):
        row = rows[i]
        if row.role == TOOL and i not in found.lines:
            left = row.envelope or (row.lines[0] if row.lines else "")
            if left:
                found.replace(i, left)
            elif row.images:
                found.take_pictures(i)
            found.count += bool(left or row.images)
        elif row.shortened is not None:
            found.shorten(i, row.shortened)


def _drop_repeats(found: Pruned) -> None:
    seen: set[bytes] = set()
    for i in range(len(found.rows) - 1, -1, -1):
        digest = found.rows[i].digest
        if digest in seen:
            found.replace(i, DUPLICATE)
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
        row = rows[i]
        if row.role == TOOL and (row.skill is None or row.skill not in skills):
            found.count += _cut(found, i)
    pictured = [i for i, row in enumerate(rows) if row.images and _pictured(found, i)]
    for i in reversed(pictured[:-_NEWEST_PICTURES]):
        if i not in spared:
            found.count += _cut(found, i)
    if rules.tail > 0:
        _relieve(found, max(0, boundary), rules.ceiling, spared)


def _pictured(found: Pruned, index: int) -> bool:
    row = found.rows[index]
    gone = index in found.lines or index in found.pictures
    return row.role == TOOL and not gone


def _cut(found: Pruned, index: int) -> bool:
    """Whether something of a row was cut. 0.22 cuts a line of its own again that is too long."""
    row, now = found.rows[index], found.lines.get(index)
    if row.role != TOOL or index in found.pictures:
        return False
    if now is not None:
        if row.again is None or len(now) <= PRUNE_FROM:
            return False
        found.replace(index, row.again)
        return True
    left = row.envelope or (row.lines[1] if row.lines else "")
    if left:
        found.replace(index, left)
    elif row.images:
        found.take_pictures(index)
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
