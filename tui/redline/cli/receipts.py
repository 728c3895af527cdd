"""`redline receipts`: what was written, what was there before, and what of it is still kept."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redline.cli.output import SCHEMA, console, note, print_json, when
from redline.cli.recovering import recovered
from redline.cli.workplace import workplace
from redline.errors import RedlineError
from redline.text import counted, safe

if TYPE_CHECKING:
    from redline.places import Places
    from redline.targets.archive import Place
    from redline.targets.receipt import Receipt
    from redline.targets.receipts import Receipts

_LONGEST = 160  # characters of a line that was found
_OLDER = timedelta(days=30)


def run(options: argparse.Namespace) -> int:
    place = workplace()
    recovered(place)
    places = place.places
    match options.verb:
        case "show":
            return _show(places, options)
        case "search":
            return _search(places, options)
        case "prune":
            return _prune(places, options)
        case _:
            return _list(places, options)


def _list(places: Places, options: argparse.Namespace) -> int:
    from redline.targets.receipts import Receipts

    found = Receipts(places).list()
    if options.json:
        print_json({"schema": SCHEMA, "receipts": [receipt_json(receipt) for receipt in found]})
        return 0
    if not found:
        note("redline: nothing was written yet")
    for receipt in found:
        _print(receipt)
    return 0


def _print(receipt: Receipt) -> None:
    console().print(safe(_heading(receipt)))
    for written in receipt.written:
        console().print(safe(f"  {_verb(receipt, written.before)} {written.path}"))


def _show(places: Places, options: argparse.Namespace) -> int:
    from redline.targets.archive import AFTER, BEFORE, Archive
    from redline.targets.receipts import Receipts

    if not options.words:
        raise RedlineError("show which receipt?", "redline receipts lists them")
    receipts = Receipts(places)
    receipt = receipts.get(options.words[0])
    if len(options.words) > 1:
        number = _file(receipt, " ".join(options.words[1:]))
        data = Archive(places).open(receipt, number, AFTER if options.written else BEFORE)
        if data is None:
            raise RedlineError(
                f"{receipt.written[number].path} was not there "
                f"{'afterwards' if options.written else 'before'}",
                "leave out --written" if options.written else "--written shows what was written",
                status=1,
            )
        _give(data)
        return 0
    standing = receipts.standing(receipt)
    if options.json:
        files = [
            {
                "number": number + 1,
                "now": now.value,
                "difference": _difference(receipts, receipt, number),
            }
            for number, now in enumerate(standing)
        ]
        print_json({"schema": SCHEMA, "receipt": receipt_json(receipt), "files": files})
        return 0
    console().print(safe(_heading(receipt)))
    if receipt.detail:
        console().print(safe(f"  {receipt.detail}"))
    for number, (written, now) in enumerate(zip(receipt.written, standing, strict=True)):
        verb = _verb(receipt, written.before)
        console().print(safe(f"{number + 1}. {verb} {written.path}, now {now.value}"))
        for line in _difference(receipts, receipt, number):
            console().print(safe(f"   {line}"))
    return 0


def _difference(receipts: Receipts, receipt: Receipt, number: int) -> list[str]:
    from redline.targets.difference import compare

    try:
        before, after = receipts.sides(receipt, number)
    except RedlineError as error:
        return [error.message]
    return list(compare(before, after, receipt.written[number].path))


def _file(receipt: Receipt, said: str) -> int:
    """Which file of a receipt is meant: by its number, its path, or the end of that."""
    paths = [written.path for written in receipt.written]
    if said.isdecimal() and 0 < int(said) <= len(paths):
        return int(said) - 1
    wanted = Path(said).parts
    fitting = [n for n, path in enumerate(paths) if path.parts[-len(wanted) :] == wanted]
    if len(fitting) == 1:
        return fitting[0]
    held = ", ".join(f"{number} {path.name}" for number, path in enumerate(paths, 1))
    raise RedlineError(f"receipt {receipt.id} has no one file {said!r}", f"it holds {held}")


def _give(data: bytes) -> None:
    """The bytes as they are; to a terminal only what is safe there."""
    if sys.stdout.isatty():
        for line in data.decode(errors="replace").splitlines():
            console().print(safe(line))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _search(places: Places, options: argparse.Namespace) -> int:
    from redline.targets.archive import Archive

    text = " ".join(options.words)
    if not text:
        raise RedlineError("search for what?", "redline receipts search TEXT")
    found = list(
        Archive(places).search(text, damaged=lambda what: note(f"redline: not searched: {what}"))
    )
    if options.json:
        print_json({"schema": SCHEMA, "text": text, "hits": [_hit_json(hit) for hit in found]})
        return 0 if found else 1
    for hit in found:
        label = "was there" if hit.side == "before" else "was written"
        where = f"{hit.receipt.id} {hit.number + 1}. {hit.path}:{hit.line} ({label})"
        console().print(safe(where))
        console().print(safe(f"  {_around(hit)}"))
    if not found:
        note(f"redline: no kept file holds {safe(text)}")
        return 1
    note(
        "redline: `redline receipts show ID NUMBER` opens one as it was, with --written as it was "
        "written"
    )
    return 0


def _around(hit: Place) -> str:
    start = max(0, hit.at[0] - _LONGEST // 3)
    return hit.text[start : start + _LONGEST].strip()


def _hit_json(hit: Place) -> dict[str, Any]:
    return {
        "receipt": hit.receipt.id,
        "file": hit.number + 1,
        "path": str(hit.path),
        "side": hit.side,
        "line": hit.line,
        "text": _around(hit),
    }


def _prune(places: Places, options: argparse.Namespace) -> int:
    from redline.catalogue.query import parse_since
    from redline.targets.pruning import prune

    now = datetime.now(UTC)
    before = None
    if options.older:
        before = parse_since(options.older, now)
    elif options.keep is None:
        before = now - _OLDER
    done = prune(places, before=before, keep=options.keep or 0, dry_run=options.dry_run)
    if options.json:
        print_json(
            {
                "schema": SCHEMA,
                "dry_run": options.dry_run,
                "pruned": [receipt.id for receipt in done.receipts],
                "kept": [{"id": receipt.id, "reason": why} for receipt, why in done.kept],
                "younger": done.younger,
                "freed": done.freed,
            }
        )
        return 0
    for receipt in done.receipts:
        _print(receipt)
    for receipt, why in done.kept:
        note(f"redline: receipt {receipt.id} stays: {why}")
    if done.younger:
        stay = "stays" if done.younger == 1 else "stay"
        note(f"redline: {counted(done.younger, 'younger receipt')} {stay}")
    went = "would go" if options.dry_run else "gone"
    note(f"redline: {counted(len(done.receipts), 'receipt')} {went}, {done.freed:,} bytes")
    return 0


def _heading(receipt: Receipt) -> str:
    state = f"undone {when(receipt.undone)}" if receipt.undone else receipt.state
    undo = f"  undo of {receipt.undoes}" if receipt.undoes else ""
    hint = f"  (`redline undo {receipt.id}` takes it back)" if state == "cut short" else ""
    return f"{receipt.id}  {state}{undo}  session {receipt.session}{hint}"


def _verb(receipt: Receipt, before: str | None) -> str:
    if receipt.undoes:
        return "put back"
    return "made" if before is None else "changed"


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    """One receipt with the hashes of what was there and what was written."""
    return {
        "id": receipt.id,
        "time": when(receipt.time),
        "session": receipt.session,
        "project": receipt.project,
        "state": receipt.state,
        "undone": when(receipt.undone),
        "undoes": receipt.undoes,
        "undo": f"redline undo {receipt.id}",
        "written": [
            {
                "target": written.target,
                "kind": written.kind,
                "path": str(written.path),
                "before": written.before,
                "after": written.after,
            }
            for written in receipt.written
        ],
    }
