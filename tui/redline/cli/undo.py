"""`redline undo`: a commit taken back, file by file."""

from __future__ import annotations

import argparse
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.cli.output import SCHEMA, console, note, print_json
from redline.cli.recovering import recovered
from redline.cli.workplace import Workplace, workplace
from redline.errors import RedlineError
from redline.text import counted, safe

if TYPE_CHECKING:
    from redline.targets.receipt import Receipt
    from redline.targets.receipts import Receipts
    from redline.targets.undoing import FileUndone, UndoResult

_LINES, _WIDTH = 40, 300  # of a difference that are printed
_NAMED = 3  # files of a commit
_GONE = "+++ no file"  # where a difference leads to none


def run(options: argparse.Namespace) -> int:
    from redline.targets.receipts import Receipts

    place = workplace()
    receipts = Receipts(place.places)
    result = _finished(options.receipt, place, receipts)
    if result is None:
        named = options.receipt or _last_done(place, receipts).id
        result = receipts.undo(named, now=datetime.now(UTC))
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
    without a name can mean."""
    if named is not None:
        if receipts.get(named).id not in receipts.cut_short():  # else it is taken back by its name
            recovered(place)
        return None
    results = (one.result for one in recovered(place))
    return next((result for result in results if result is not None), None)


def _last_done(place: Workplace, receipts: Receipts) -> Receipt:
    """The commit that a command without a name means, once it has been said which that is. Raises
    RedlineError where the last thing done was an undo (the commit before it may be one that nobody
    means), is damaged, or is of another folder."""
    from redline.targets.receipts import takes_back

    listed = {receipt.id: receipt for receipt in receipts.list()}
    newest = next(iter(listed.values()), None)
    if newest is not None and newest.undone is None and takes_back(newest, listed):
        how, rest = "already", ""
        if not newest.complete:
            how, rest = "in part", f"`redline undo {newest.undoes}` tries the rest, "
        raise RedlineError(
            f"commit {newest.undoes}{_of(newest)} was taken back {how}, and that was the last "
            "thing done",
            f"{rest}`redline undo {newest.id}` writes it again; an older commit goes back by its "
            "id, see `redline receipts`",
            status=1,
        )
    chosen = receipts.latest()
    if not _is_of(chosen, place.cwd):
        raise _of_another_folder(chosen, place, receipts)
    note(f"redline: undoing {chosen.id}{_of(chosen)}: {_files(chosen)}")
    return chosen


def _of_another_folder(chosen: Receipt, place: Workplace, receipts: Receipts) -> RedlineError:
    mine = next((one for one in receipts.standing_commits() if _is_of(one, place.cwd)), None)
    ways = f"`redline undo {chosen.id}` takes it back ({_files(chosen)})"
    if mine is not None:
        ways += f"\n`redline undo {mine.id}` the newest of this folder ({_files(mine)})"
    return RedlineError(
        f"the newest commit, {chosen.id}, is{_of(chosen)}, and you are in {place.cwd}",
        ways,
        status=1,
    )


def _is_of(receipt: Receipt, folder: Path) -> bool:
    """Whether a commit is of the project at `folder` or of one above it, as `last` has it, or wrote
    a file just there. One whose session names no project is of every folder."""
    if receipt.project is None or not os.path.isabs(receipt.project):
        return True
    folder = Path(os.path.realpath(folder))
    if folder in (path.parent for path in receipt.paths):
        return True
    try:
        project = Path(os.path.realpath(receipt.project))
    except ValueError:  # a session may say what it likes
        return False
    return folder.is_relative_to(project)


def _of(receipt: Receipt) -> str:
    return f" of {receipt.project}" if receipt.project else ""


def _files(receipt: Receipt) -> str:
    names = [str(path) for path in receipt.paths]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


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
    from redline.targets.receipts import takes_back

    listed = {receipt.id: receipt for receipt in receipts.list()}
    again = result.of in listed and takes_back(listed[result.of], listed)
    done, back = ("taken back", "writes it again")
    if again:
        done, back = ("written again", "takes it back")
    left = sum(file.refused for file in result.files)
    if result.receipt is None:
        return f"nothing {done}; `redline receipts show {result.of} FILE` gives a file as it was"
    what = f"{len(result.files) - left} of {counted(len(result.files), 'file')}"
    return f"{what if left else 'commit'} {done}; `redline undo {result.receipt}` {back}"
