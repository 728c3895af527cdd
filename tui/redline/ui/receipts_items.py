"""How receipts, and what is found in them, are listed and told."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.targets.receipt import DONE, Receipt, Written
from redline.text import counted
from redline.ui.items import Item
from redline.ui.marks import CHECK, CROSS
from redline.ui.session_items import ago

if TYPE_CHECKING:
    from redline.targets.archive import Place
    from redline.targets.pruning import Pruned

_AROUND = 40  # characters before what was found that are shown of its line


def receipt_item(receipt: Receipt, now: datetime) -> Item:
    """One receipt in the list; its key is the receipt."""
    return Item(
        name_of(receipt),
        mark=_mark(receipt),
        right=f"{_state(receipt)} {ago(receipt.time, now):>4}",
        style="faint" if receipt.undone else "good" if receipt.state == DONE else "bad",
        whole=receipt.undone is not None,
        key=receipt.id,
    )


def place_item(number: int, place: Place, now: datetime) -> Item:
    """One line that was found; its key is its number."""
    start = max(0, place.at[0] - _AROUND)
    name = file_name(place.receipt.written[place.number])
    return Item(
        f"{name} {place.line}: {place.text[start : place.at[1] + 200].strip()}",
        mark="-" if place.side == "before" else "+",
        right=f"{ago(place.receipt.time, now):>4}",
        lines=2,
        key=number,
    )


def pruned_lines(done: Pruned) -> Iterator[str]:
    """What a pruning takes away, and what of the old ones stays and why."""
    yield "These go, with the copies that they keep:"
    for receipt in done.receipts:
        yield f"  {receipt.time.astimezone():%Y-%m-%d %H:%M}  {name_of(receipt)}"
    if done.kept:
        yield ""
        yield "These stay, though they are as old:"
    for receipt, why in done.kept:
        yield f"  {receipt.time.astimezone():%Y-%m-%d %H:%M}  {name_of(receipt)}: {why}"
    if done.younger:
        yield ""
        stay = "stays" if done.younger == 1 else "stay"
        yield f"{counted(done.younger, 'younger receipt')} {stay} as well."


def name_of(receipt: Receipt) -> str:
    """Which project it was written for, and what: names of handoff files look all the same."""
    words = map(file_name, receipt.written)
    project = Path(receipt.project).name if receipt.project else ""
    return ": ".join(filter(None, (project, ", ".join(words) or receipt.detail)))


def file_name(written: Written) -> str:
    """A file as the list names it: those of handoffs would fill the line."""
    return "handoff" if written.target == "handoff" else written.path.name


def _mark(receipt: Receipt) -> str:
    if receipt.undone is not None:
        return "-"
    return CHECK if receipt.state == DONE else CROSS


def _state(receipt: Receipt) -> str:
    if receipt.undone is not None:
        return "taken back"
    if receipt.undoes is not None:
        return "undo"
    return "" if receipt.state == DONE else receipt.state
