"""The record of a commit on disk: written before anything else, so that a crash can be undone.

One folder per receipt, named by its id: `manifest.json`, and of each file what was there before
(`N.before.zst`) and what was written (`N.after.zst`; of a deed the deed), both compressed with
zstd, mode 0600. The folder appears whole, by a rename, before the first file is touched, and goes
as a whole. It is locked while its commit is being written; the manifest that says "done" lies ready
in it, so that a full disk does not stop the last step.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

from redline.errors import RedlineError
from redline.files import (
    cannot,
    flush_folder,
    locked,
    make_folders,
    read_if_there,
    sha256,
    write_atomic,
)
from redline.targets.deed import Deed
from redline.targets.deed import load as load_deed
from redline.targets.receipt import CUT, DAMAGED, DONE, WRITING, Receipt, Written

SCHEMA = 1
MANIFEST = "manifest.json"
_FINISHED = "manifest.done.json"
_NEW, _GONE = ".new-", ".gone-"
_CHUNK = 1 << 20
_LARGEST = 1 << 32  # bytes a copy may have; a damaged one must not fill the memory
_ID = re.compile(r"\d{8}-\d{6}-\d{6}")
_FORM = "%Y%m%d-%H%M%S-%f"

Side = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class Opened:
    """A receipt that is being written. `folder` is where its copies go until it is published."""

    receipts: Path
    id: str

    @property
    def folder(self) -> Path:
        return self.receipts / (_NEW + self.id)

    def publish(self, receipt: Receipt) -> None:
        """Lets the receipt appear, as one that is being written."""
        save(self.folder, receipt)
        save(self.folder, replace(receipt, state=DONE), name=_FINISHED)
        os.rename(self.folder, self.receipts / self.id)
        flush_folder(self.receipts)

    def finish(self) -> None:
        """Makes it one that is done."""
        finish(self.receipts / self.id)

    def discard(self) -> None:
        """Takes it away, published or not."""
        discard(self.receipts / self.id)
        discard(self.folder)


@contextlib.contextmanager
def begin(receipts: Path, locks: Path, now: datetime) -> Iterator[Opened]:
    """A new receipt, its id later than all others even if the clock is not; `locks` is where lock
    files lie. Leaves on the disk what was done with it."""
    with locked(receipts, locks):
        make_folders(receipts)
        sweep(receipts)
        opened = Opened(receipts, _new_id(receipts, now))
        make_folders(opened.folder)
        handle = os.open(opened.folder, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield opened
    finally:
        os.close(handle)


def busy(folder: Path) -> bool:
    """Whether a process is writing the receipt in `folder`."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def finish(folder: Path) -> None:
    """Makes the receipt in `folder` one that is done. Raises RedlineError where it cannot be."""
    try:
        os.replace(folder / _FINISHED, folder / MANIFEST)
    except OSError as error:
        raise cannot(error, folder, "write") from error
    flush_folder(folder)


def unfinished(receipts: Path) -> bool:
    """Whether any receipt may be of a commit that is being written, or was cut short."""
    with contextlib.suppress(OSError):
        return any((receipts / name / _FINISHED).exists() for name in os.listdir(receipts))
    return False


def discard(folder: Path) -> None:
    """Takes a receipt's folder away: no part of it is ever seen as a receipt."""
    gone = folder.parent / (_GONE + folder.name.removeprefix(_NEW))
    with contextlib.suppress(OSError):
        os.rename(folder, gone)
        flush_folder(folder.parent)
        shutil.rmtree(gone, ignore_errors=True)


def sweep(receipts: Path) -> None:
    """Takes away what commits that died left of receipts which were never, or no longer, there."""
    with contextlib.suppress(OSError):
        for path in receipts.iterdir():
            if path.name.startswith((_NEW, _GONE)) and not busy(path):
                shutil.rmtree(path, ignore_errors=True)


def _new_id(receipts: Path, now: datetime) -> str:
    names = (path.name.removeprefix(_NEW) for path in receipts.iterdir())
    last = max((name for name in names if _ID.fullmatch(name)), default="")
    name = now.astimezone(UTC).strftime(_FORM)
    if name <= last:
        following = datetime.strptime(last, _FORM).replace(tzinfo=UTC) + timedelta(microseconds=1)
        name = following.strftime(_FORM)
    return name


def archive(folder: Path, number: int, side: Side, data: bytes | None) -> None:
    """Keeps a copy of `data`; nothing where there was no file."""
    if data is None:
        return
    import zstandard

    packed = zstandard.ZstdCompressor(level=3).compress(data)
    write_atomic(_copy(folder, number, side), packed, mode=0o600)


def archive_file(folder: Path, number: int, path: Path) -> str:
    """Keeps a copy of the file at `path` as what was there before, and gives its SHA-256; its
    content never lies in the memory as a whole."""
    import zstandard

    digest = hashlib.sha256()

    def packed() -> Iterator[bytes]:
        packer = zstandard.ZstdCompressor(level=3).compressobj()
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                yield packer.compress(chunk)
        yield packer.flush()

    write_atomic(_copy(folder, number, "before"), packed(), mode=0o600)
    return digest.hexdigest()


def deed(receipts: Path, receipt: Receipt, number: int) -> Deed:
    """The deed that is file `number` of a receipt. Raises RedlineError for a damaged copy."""
    data = archived(receipts, receipt, number, "after")
    assert data is not None
    return load_deed(data)


def archived(receipts: Path, receipt: Receipt, number: int, side: Side) -> bytes | None:
    """What a file held before or after a commit; None where it was not there.

    Raises RedlineError where the copy is gone or is not what was written down.
    """
    written = receipt.written[number]
    expected = written.before if side == "before" else written.after
    if not expected:
        return None
    import zstandard

    path = _copy(receipts / receipt.id, number, side)
    packed = read_if_there(path)
    try:
        data = None if packed is None else _unpacked(packed)
    except (zstandard.ZstdError, MemoryError):
        data = None
    if data is None or sha256(data) != expected:
        raise RedlineError(
            f"the copy {path} is missing or damaged", f"{written.path} has to be put right by hand"
        )
    return data


def _unpacked(packed: bytes) -> bytes | None:
    import zstandard

    pieces, length = [], 0
    for piece in zstandard.ZstdDecompressor().read_to_iter(packed):
        length += len(piece)
        if length > _LARGEST:
            return None
        pieces.append(piece)
    return b"".join(pieces)


def save(folder: Path, receipt: Receipt, *, name: str = MANIFEST) -> None:
    """Writes the manifest of `receipt` in its folder."""
    # Escaped, because names of files and sessions may hold what is no UTF-8.
    data = json.dumps(_dump(receipt), indent=1).encode() + b"\n"
    write_atomic(folder / name, data, mode=0o600)


def load(folder: Path) -> Receipt:
    """The receipt in `folder`; one that cannot be read has the state "damaged"."""
    try:
        data = read_if_there(folder / MANIFEST)
        if data is None:
            return _damaged(folder, f"its {MANIFEST} is missing")
        manifest = json.loads(data.decode(errors="surrogateescape"))
        receipt = _load(manifest)
    except RedlineError as error:
        return _damaged(folder, error.message)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return _damaged(folder, f"its {MANIFEST} is not what redline wrote")
    if receipt.state == WRITING and not busy(folder):
        receipt = replace(receipt, state=CUT)
    return receipt if receipt.id == folder.name else replace(receipt, id=folder.name)


def is_receipt(folder: Path) -> bool:
    """Whether `folder` is one of a receipt."""
    return _ID.fullmatch(folder.name) is not None and folder.is_dir()


def _copy(folder: Path, number: int, side: Side) -> Path:
    return folder / f"{number}.{side}.zst"


def _damaged(folder: Path, detail: str) -> Receipt:
    time = datetime.strptime(folder.name, _FORM).replace(tzinfo=UTC)
    return Receipt(folder.name, time, "", None, (), state=DAMAGED, detail=detail)


def _dump(receipt: Receipt) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "id": receipt.id,
        "time": receipt.time.isoformat(),
        "session": receipt.session,
        "agent": receipt.agent,
        "project": receipt.project,
        "state": receipt.state,
        "undone": receipt.undone.isoformat() if receipt.undone else None,
        "undoes": receipt.undoes,
        "complete": receipt.complete,
        "files": [
            {
                "target": written.target,
                "label": written.label,
                "kind": written.kind,
                "block": written.block,
                "path": str(written.path),
                "named": str(written.named) if written.named else None,
                "before": written.before,
                "after": written.after or None,
                "mode": written.mode,
                "mode_before": written.mode_before,
                "folders": [str(path) for path in written.folders],
                "backwards": written.backwards,
            }
            for written in receipt.written
        ],
    }


def _load(manifest: dict[str, object]) -> Receipt:
    """Raises ValueError, KeyError or TypeError for anything that `_dump` does not write."""
    if manifest["schema"] != SCHEMA:
        raise RedlineError(
            f"its {MANIFEST} has the schema {manifest['schema']!r}, this version reads {SCHEMA}"
        )
    files = manifest["files"]
    if not isinstance(files, list):
        raise TypeError("files")
    undone = _text(manifest["undone"])
    return Receipt(
        id=_must(manifest["id"]),
        time=_time(_must(manifest["time"])),
        session=_must(manifest["session"]),
        project=_text(manifest["project"]),
        written=tuple(_written(file) for file in files),
        state=_must(manifest["state"]),
        undone=_time(undone) if undone else None,
        agent=_text(manifest["agent"]),
        undoes=_text(manifest["undoes"]),
        complete=manifest.get("complete") is not False,
    )


def _written(file: dict[str, object]) -> Written:
    folders = file["folders"]
    named = _text(file["named"])
    if not isinstance(folders, list):
        raise TypeError("folders")
    return Written(
        target=_must(file["target"]),
        path=Path(_must(file["path"])),
        before=_text(file["before"]),
        after=_text(file["after"]) or "",
        mode=_number(file["mode"]),
        mode_before=_number(file["mode_before"]),
        label=_must(file["label"]),
        named=Path(named) if named else None,
        kind=_must(file["kind"]),
        block=_text(file["block"]),
        folders=_paths(folders),
        backwards=file.get("backwards") is True,
    )


def _paths(values: Sequence[object]) -> tuple[Path, ...]:
    return tuple(Path(_must(value)) for value in values)


def _time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _must(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(repr(value))
    return value


def _text(value: object) -> str | None:
    return None if value is None else _must(value)


def _number(value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise TypeError(repr(value))
