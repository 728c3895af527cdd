"""Takes a block out of a file and leaves what a person wrote into it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from redline.targets.block import (
    COMPACT,
    HEADING,
    INTRODUCTION,
    STATE,
    find,
    is_mark,
    listed_ids,
    remove,
)
from redline.targets.rule_line import alone

_ITEM = re.compile(r" {0,3}[-*+] (?=\S)")
# How the lines of the other blocks begin, as `text_blocks` writes them.
_OURS = {
    STATE: re.compile(
        r"## Where the work stands|As of |Of session |- (?:Goal|State|Next): |- Next:\s*$|  \d+\. "
    ),
    COMPACT: re.compile(
        r"## Compact Instructions|When this conversation is compacted, the summary must hold"
        r"|- (?:Rules|Files|Errors): |- Names that cannot be told |- The user's last request"
    ),
}


def taken_out(
    data: bytes, block: str, known: Collection[str] = ()
) -> tuple[bytes, tuple[str, ...]]:
    """`data` without the block, and the lines that a person wrote into it, which stay where it was.
    `known` are rules as lines: what the block held is told by them where somebody has added lines
    to it and it is not told by its ids."""
    spans = find(data, block).spans
    told: list[str] = []
    for start, end in reversed(spans):
        first, *below = data[start:end].splitlines(keepends=True)
        lines = [line.decode(errors="replace").rstrip("\r\n") for line in below]
        ids = listed_ids(first.decode(errors="replace").rstrip("\r\n"))
        theirs = sorted(_theirs(lines, block, ids, known))
        if not theirs:
            continue
        told[:0] = [lines[at].strip() for at in theirs]
        kept = b"".join(below[at] for at in theirs)
        data = data[:start] + kept + data[end:]
    return remove(data, block), tuple(told)


def lines_by_hand(data: bytes, block: str) -> tuple[str, ...]:
    """What a person wrote into the block."""
    return taken_out(data, block)[1]


def _theirs(lines: list[str], block: str, ids: list[str], known: Collection[str]) -> Iterator[int]:
    """The numbers of the lines that a person wrote."""
    if block in _OURS:
        for at, line in enumerate(lines):
            if line.strip() and not is_mark(line) and not _OURS[block].match(line):
                yield at
        return
    items = list(_items(lines))
    mine = {at for item in items for at in item}
    for at, line in enumerate(lines):
        ours = is_mark(line) or line.startswith(HEADING) or line == INTRODUCTION
        if line.strip() and at not in mine and not ours:
            yield at
    for number, item in enumerate(items):
        if len(ids) == len(items):
            ours = ids[number] != "-"
        elif not ids:  # an older form lists none
            ours = True
        else:
            text = " ".join(lines[at].strip() for at in item)
            ours = len(items) < len(ids) or alone(_ITEM.sub("", text, count=1).strip()) in known
        if not ours:
            yield from item


def _items(lines: list[str]) -> Iterator[list[int]]:
    item: list[int] = []
    for at, line in enumerate(lines):
        goes_on = bool(item) and line.startswith("  ") and bool(line.strip()) and not is_mark(line)
        if goes_on and not _ITEM.match(line):
            item.append(at)
            continue
        if item:
            yield item
        item = [at] if _ITEM.match(line) else []
    if item:
        yield item
