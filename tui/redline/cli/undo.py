"""`redline undo`: a commit taken back, file by file."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from redline.cli.output import SCHEMA, console, note, print_json
from redline.cli.workplace import workplace
from redline.errors import RedlineError
from redline.text import safe

if TYPE_CHECKING:
    from redline.targets.receipts import Receipts

_LINES, _WIDTH = 60, 300  # of a difference that are printed


def run(options: argparse.Namespace) -> int:
    from redline.targets.receipts import Receipts

    receipts = Receipts(workplace().places)
    if options.receipt is None:
        _refuse_after_an_undo(receipts)
    result = receipts.undo(options.receipt, now=datetime.now(UTC))
    if options.json:
        print_json(
            {
                "schema": SCHEMA,
                "undone": result.of,
                "receipt": result.receipt,
                "complete": result.complete,
                "files": [
                    {
                        "path": str(done.path),
                        "outcome": done.outcome.value,
                        "detail": done.detail,
                        "since": done.since,
                        "back": done.back,
                    }
                    for done in result.files
                ],
            }
        )
    else:
        for done in result.files:
            console().print(safe(f"{done.outcome.value:<10} {done.path}"))
            if done.detail:
                console().print(safe(f"           {done.detail}"))
            for title, lines in (
                ("from what was written to what it holds now:", done.since),
                ("from what it holds now to what it held before:", done.back),
            ):
                if lines:
                    console().print(safe(f"           {title}"))
                for line in lines[:_LINES]:
                    console().print(safe(f"           {line[:_WIDTH]}"))
                if len(lines) > _LINES:
                    note(f"redline: {len(lines) - _LINES} more lines (--json gives all)")
        if result.receipt:
            note(f"redline: undo that with `redline undo {result.receipt}`")
    return 0 if result.complete else 1


def _refuse_after_an_undo(receipts: Receipts) -> None:
    """Raises RedlineError where the last thing done was an undo: the commit before it may be one
    that nobody means."""
    newest = next(iter(receipts.list()), None)
    if newest is not None and newest.undoes is not None and newest.undone is None:
        raise RedlineError(
            f"the last thing done was to take {newest.undoes} back",
            f"redline undo {newest.id} undoes that; for an older commit name its id, "
            "`redline receipts` lists them",
            status=1,
        )
