"""`redline undo`: a commit taken back, file by file."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from redline.cli.output import SCHEMA, console, note, print_json
from redline.cli.recovering import recovered
from redline.cli.workplace import Workplace, workplace
from redline.errors import RedlineError
from redline.text import counted, safe

if TYPE_CHECKING:
    from redline.targets.receipts import Receipts
    from redline.targets.undoing import FileUndone, UndoResult

_LINES, _WIDTH = 40, 300  # of a difference that are printed
_GONE = "+++ no file"  # where a difference leads to none


def run(options: argparse.Namespace) -> int:
    from redline.targets.receipts import Receipts

    place = workplace()
    receipts = Receipts(place.places)
    result = _finished(options.receipt, place, receipts)
    if result is None:
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
            _print(done)
        note(f"redline: {_ended(result, receipts)}")
    return 0 if result.complete else 1


def _finished(named: str | None, place: Workplace, receipts: Receipts) -> UndoResult | None:
    """What was taken back because a crash had cut it short, where that is all that a command
    without a name can mean. Raises RedlineError where it can mean nothing."""
    if named is not None:
        if receipts.get(named).id not in receipts.cut_short():  # else it is taken back by its name
            recovered(place)
        return None
    for one in recovered(place):
        if one.result is not None:
            return one.result
    _refuse_after_an_undo(receipts)
    return None


def _refuse_after_an_undo(receipts: Receipts) -> None:
    """Raises RedlineError where the last thing done was an undo: the commit before it may be one
    that nobody means. What was written again is a commit like any other."""
    listed = {receipt.id: receipt for receipt in receipts.list()}
    newest = next(iter(listed.values()), None)
    if newest is None or newest.undoes is None or newest.undone is not None:
        return
    of, depth = newest.undoes, 1
    while (one := listed.get(of)) is not None and one.undoes is not None:
        of, depth = one.undoes, depth + 1
    if depth % 2:
        how, rest = "already", ""
        if not newest.complete:
            how, rest = "in part", f"`redline undo {of}` tries the rest, "
        raise RedlineError(
            f"commit {of} was taken back {how}, and that was the last thing done",
            f"{rest}`redline undo {newest.id}` writes it again; an older commit goes back by its "
            "id, see `redline receipts`",
            status=1,
        )


def _print(done: FileUndone) -> None:
    """One line for a file. Where it stays, its difference in two parts: what came since, and what
    an undo would have done to it."""
    out = console()
    word = "left" if done.refused else done.outcome.value
    out.print(safe(f"{word:<9}  {done.path}" + (f": {done.detail}" if done.detail else "")))
    if done.since[1:2] == (_GONE,):  # all of what was written, once more
        return
    _print_lines("since it was written", done.since)
    if done.back[1:2] == (_GONE,):
        out.print("  to be as before: it would go")
    else:
        _print_lines("to be as before", done.back)


def _print_lines(title: str, lines: tuple[str, ...]) -> None:
    shown = lines[2:]  # without the names of the file
    if shown:
        console().print(f"  {title}:")
    for line in shown[:_LINES]:
        console().print(safe(f"    {line[:_WIDTH]}"))
    if len(shown) > _LINES:
        note(f"redline: {counted(len(shown) - _LINES, 'more line')} (--json gives all)")


def _ended(result: UndoResult, receipts: Receipts) -> str:
    """What came of it, and the way on."""
    again = receipts.get(result.of).undoes is not None
    done, back = ("taken back", "writes it again")
    if again:
        done, back = ("written again", "takes it back")
    left = sum(file.refused for file in result.files)
    if result.receipt is None:
        return f"nothing {done}; `redline receipts show {result.of} FILE` gives a file as it was"
    what = f"{len(result.files) - left} of {counted(len(result.files), 'file')}"
    return f"{what if left else 'commit'} {done}; `redline undo {result.receipt}` {back}"
