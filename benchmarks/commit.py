"""Prints what a commit, its undo and a search of the kept originals take for large files.

    python benchmarks/commit.py [MEGABYTES]

A file of records, half of it text that packs well and half random, is replaced (what was there and
what is written are both kept), a line is appended to it (all that was there is kept), and a new
file of that size is written; each is then taken back. Time on the clock, and how much the process's
memory grew at most, each in a process of its own.
"""

from __future__ import annotations

import base64
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui")]

from redline.model import Agent, SessionInfo  # noqa: E402
from redline.places import Places, places  # noqa: E402
from redline.targets.append import append  # noqa: E402
from redline.targets.archive import Archive  # noqa: E402
from redline.targets.commit import commit  # noqa: E402
from redline.targets.receipts import Receipts  # noqa: E402
from redline.targets.target import APPEND, Change  # noqa: E402

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)
MEGABYTE = 1_000_000
Make = Callable[[Path, bytes], Change]


def records(size: int) -> bytes:
    lines: list[bytes] = []
    length = 0
    while length < size:
        noise = base64.b64encode(os.urandom(600))
        lines.append(
            b'{"type":"message","text":"' + b"the tests pass again; " * 36 + noise + b'"}\n'
        )
        length += len(lines[-1])
    return b"".join(lines)


def replaced(path: Path, data: bytes) -> Change:
    path.write_bytes(data)
    return Change("benchmark", "replaced", data[::-1], data, path, path)


def appended(path: Path, data: bytes) -> Change:
    path.write_bytes(data)
    deed = append(SessionInfo(Agent.PI, "s1", path), b'{"type":"compaction"}\n')
    return Change("benchmark", "appended", deed.line, b"", path, path, kind=APPEND, deed=deed)


def new(path: Path, data: bytes) -> Change:
    return Change("benchmark", "new", data, None, path, path)


def measured(make: Make, data: Path) -> None:
    """Prints one line; to be run in a process of its own, which has not yet made anything big."""
    with tempfile.TemporaryDirectory(prefix="redline-commit-") as scratch:
        home: Places = places({"REDLINE_HOME": f"{scratch}/home"})
        change = make(Path(scratch).resolve() / "file", data.read_bytes())
        start = _peak()
        begin = time.perf_counter()
        receipt = commit([change], session="s1", places=home, now=NOW)
        written = time.perf_counter() - begin
        grown = _peak() - start
        begin = time.perf_counter()
        assert Receipts(home).undo(receipt.id, NOW).complete
        undone = time.perf_counter() - begin
        begin = time.perf_counter()
        assert not list(Archive(home).search("nobody said this"))
        searched = time.perf_counter() - begin
        kept = sum(path.stat().st_size for path in home.receipts.rglob("*") if path.is_file())
        print(
            f"{make.__name__:<9} commit {written:5.2f} s, memory grew by {grown:4.0f} MB   "
            f"undo {undone:5.2f} s, in all {_peak() - start:4.0f} MB   "
            f"search {searched:5.2f} s   kept {kept / MEGABYTE:5.1f} MB"
        )


def _peak() -> float:
    """The most memory that the process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    print(f"a file of {size} MB")
    with tempfile.TemporaryDirectory(prefix="redline-commit-") as scratch:
        data = Path(scratch) / "data"
        data.write_bytes(records(size * MEGABYTE))
        for make in (replaced, appended, new):
            process = multiprocessing.get_context("spawn").Process(
                target=measured, args=(make, data)
            )
            process.start()
            process.join()


if __name__ == "__main__":
    main()
