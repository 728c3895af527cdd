"""Whether a file is there only because redline made it, as the receipts tell."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from redline.files import sha256
from redline.places import Places
from redline.targets.receipt import DONE
from redline.targets.target import RULES_BLOCK


@dataclass(frozen=True, slots=True)
class MadeHere:
    """The receipt by which redline made a file, and the folders that it made for it, outermost
    first."""

    receipt: str
    folders: tuple[Path, ...]


def made_here(path: Path, content: bytes, places: Places) -> MadeHere | None:
    """The receipt by which `path` was made where there was no file, None where nothing shows it.

    It is shown where the receipts lead without a gap from there to `content`: each found what the
    one before had left. Where somebody else wrote in between, the file is theirs as well.
    """
    from redline.targets.receipts import Receipts

    wanted: str | None = sha256(content)
    for receipt in Receipts(places).list():
        for written in receipt.written:
            if written.path != path or receipt.state != DONE or written.kind != RULES_BLOCK:
                continue
            if (written.after or None) != wanted:
                return None
            if written.before is None:
                return MadeHere(receipt.id, written.folders)
            wanted = written.before
    return None
