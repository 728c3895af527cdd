"""The originals that receipts keep: opened and searched, long after they were written over."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redline.errors import RedlineError
from redline.places import Places
from redline.targets import journal
from redline.targets.receipt import DAMAGED, Receipt
from redline.targets.receipts import Receipts

BEFORE: Final = "before"
AFTER: Final = "after"


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a kept file in which something was found. `number` is the file's in its receipt,
    `side` "before" or "after" it, `line` counts from 1, `at` is where in `text` the match is."""

    receipt: Receipt
    number: int
    side: journal.Side
    line: int
    text: str
    at: tuple[int, int]

    @property
    def path(self) -> Path:
        """Where the file was."""
        return self.receipt.written[self.number].path


class Archive:
    """What the receipts in one state folder keep."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def open(self, receipt: Receipt, number: int, side: journal.Side = BEFORE) -> bytes | None:
        """The whole content of file `number` before or after a commit, None for no file. Of a deed
        "after" is only what it puts there.

        Raises RedlineError where the copy is gone or damaged.
        """
        folder = self._places.receipts
        if receipt.written[number].in_place and side == AFTER:
            return journal.deed(folder, receipt, number).shown(AFTER)
        return journal.archived(folder, receipt, number, side)

    def search(
        self,
        text: str,
        *,
        limit: int = 200,
        cancelled: Callable[[], bool] = lambda: False,
        damaged: Callable[[str], None] = lambda _: None,
    ) -> Iterator[Place]:
        """The lines that hold `text`, newest receipt first, in capitals or not; what several
        receipts keep alike is searched once. `damaged` is told of every copy that cannot be read.
        """
        wanted = re.compile(re.escape(text), re.IGNORECASE)
        found, seen = 0, set[str]()
        for receipt in Receipts(self._places).list():
            if receipt.state == DAMAGED:
                damaged(f"receipt {receipt.id}: {receipt.detail}")
            for number, side, digest in _copies(receipt):
                if cancelled() or found >= limit:
                    return
                if digest in seen:
                    continue
                seen.add(digest)
                try:
                    data = self.open(receipt, number, side)
                except RedlineError as error:
                    damaged(error.message)
                    continue
                for place in _places(wanted, data or b"", receipt, number, side):
                    yield place
                    found += 1
                    if found >= limit:
                        return


def _copies(receipt: Receipt) -> Iterator[tuple[int, journal.Side, str]]:
    for number, written in enumerate(receipt.written):
        if written.before:
            yield number, BEFORE, written.before
        if written.after:
            yield number, AFTER, written.after


def _places(
    wanted: re.Pattern[str], data: bytes, receipt: Receipt, number: int, side: journal.Side
) -> Iterator[Place]:
    text = data.decode(errors="replace")
    line, at, until = 1, 0, -1
    for match in wanted.finditer(text):
        if match.start() < until:
            continue  # a line is told once
        line += text.count("\n", at, match.start())
        at = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.end())
        until = len(text) if end < 0 else end
        spans = (match.start() - at, match.end() - at)
        yield Place(receipt, number, side, line, text[at:until], spans)
        at = match.start()
