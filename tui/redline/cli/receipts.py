"""`redline receipts`: what was written, newest first."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from redline.cli.output import SCHEMA, console, note, print_json, when
from redline.cli.workplace import workplace
from redline.text import safe

if TYPE_CHECKING:
    from redline.targets.receipt import Receipt


def run(options: argparse.Namespace) -> int:
    from redline.targets.receipts import Receipts

    found = Receipts(workplace().places).list()
    if options.json:
        print_json({"schema": SCHEMA, "receipts": [receipt_json(receipt) for receipt in found]})
        return 0
    if not found:
        note("redline: nothing was written yet")
    for receipt in found:
        state = f"undone {when(receipt.undone)}" if receipt.undone else receipt.state
        console().print(safe(f"{receipt.id}  {state}  session {receipt.session}"))
        for written in receipt.written:
            verb = "made" if written.before is None else "changed"
            console().print(safe(f"  {verb} {written.path}"))
    return 0


def receipt_json(receipt: Receipt) -> dict[str, Any]:
    """One receipt with the hashes of what was there and what was written."""
    return {
        "id": receipt.id,
        "time": when(receipt.time),
        "session": receipt.session,
        "project": receipt.project,
        "state": receipt.state,
        "undone": when(receipt.undone),
        "written": [
            {
                "target": written.target,
                "path": str(written.path),
                "before": written.before,
                "after": written.after,
            }
            for written in receipt.written
        ],
    }
