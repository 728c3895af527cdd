"""Receipts taken away with the copies they keep, to free room."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from redline.files import locked
from redline.places import Places
from redline.targets import journal
from redline.targets.commit import locks
from redline.targets.receipt import CUT, DAMAGED, WRITING, Receipt
from redline.targets.receipts import Receipts


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was taken away, newest first, and what would have been but for `why` it stays. `younger`
    are how many were not asked for: made later, or among the newest. `freed` are bytes on the disk.
    """

    receipts: tuple[Receipt, ...]
    kept: tuple[tuple[Receipt, str], ...]
    younger: int
    freed: int


def prune(
    places: Places,
    *,
    before: datetime | None = None,
    keep: int = 0,
    dry_run: bool = False,
) -> Pruned:
    """Takes away the receipts made before `before` (None: all), but never the newest `keep`.

    One stays that is being written, that a crash cut short, that cannot be read (what it keeps
    might be all that is left of a file), that is the newest which keeps what a file held before it,
    or whose commit is still there to be taken back by an undo that stays. One that only made new
    files goes. With `dry_run` nothing is taken away.
    """
    with locked(places.receipts, locks(places)):
        receipts = Receipts(places).list()
        asked = [receipt for receipt in receipts[keep:] if not before or receipt.time < before]
        stays = _stays(receipts)
        gone = [receipt for receipt in asked if receipt.id not in stays]
        freed = 0
        for receipt in gone:
            folder = places.receipts / receipt.id
            freed += _size(folder)
            if not dry_run:
                journal.discard(folder)
        if not dry_run:
            journal.sweep(places.receipts)
    kept = tuple((receipt, stays[receipt.id]) for receipt in asked if receipt.id in stays)
    return Pruned(tuple(gone), kept, len(receipts) - len(asked), freed)


def _stays(receipts: tuple[Receipt, ...]) -> dict[str, str]:
    """Why receipts (newest first) stay, by their id."""
    found: dict[str, str] = {}
    newest: set[Path] = set()
    for receipt in receipts:
        held = {written.path for written in receipt.written if written.before is not None}
        match receipt.state:
            case s if s == WRITING:
                found[receipt.id] = "it is being written"
            case s if s == DAMAGED:
                found[receipt.id] = "it is damaged: see to its copies by hand"
            case s if s == CUT and receipt.undone is None:
                found[receipt.id] = "a crash cut it short: undo it first"
            case _ if back := sorted(held - newest):
                found[receipt.id] = f"an undo of it brings {back[0]} back as it was"
        newest |= held
    for receipt in reversed(receipts):  # an undo stays with what it took back
        if receipt.undoes in found:
            found.setdefault(receipt.id, f"it is the undo of {receipt.undoes}, which stays")
    return found


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
