"""Prints at how many calls of the system a commit to a database was killed, and what was lost.

    python benchmarks/system_calls.py [KIND ...]

SQLite writes and syncs by itself, below Python: `strace` kills the process at each such call, of a
commit and of its undo. Afterwards as in benchmarks/crashes.py: old or new in every file, a journal
that says which, an undo and an undo of that which work. KIND is a name from
tests/targets/crash_drafts.py; it takes about a second a point.
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from tests.targets import crash_drafts  # noqa: E402
from tests.targets.crashing import COMMIT, NOW, UNDO, Case, World  # noqa: E402

from redline.errors import RedlineError  # noqa: E402
from redline.targets.commit import commit  # noqa: E402
from redline.targets.receipts import Receipts  # noqa: E402

KINDS = ("hermes_in_place", "hermes_beside")
CALLS = (
    *("write", "pwrite64", "fsync", "fdatasync", "ftruncate", "mkdir", "rmdir"),
    *("rename", "renameat", "unlink", "unlinkat"),
)
BEGUN = "/redline-begins"  # asked for, in vain, right before what is measured


def main() -> None:
    if sys.argv[1:2] == ["--act"]:
        act(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])
        return
    if shutil.which("strace") is None:
        sys.exit("strace is needed")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    lost = 0
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        for name in sys.argv[1:] or KINDS:
            for kind in (COMMIT, UNDO):
                case = Case(Path(folder).resolve() / "world", getattr(crash_drafts, name), kind)
                killed, bad = measure(case, Path(folder) / "changes")
                print(f"{name:<16} {kind:<8} killed {killed:4}   lost {bad}", flush=True)
                lost += bad
    sys.exit(1 if lost else 0)


def act(world: Path, changes: Path, named: str) -> None:
    """The commit, or the undo of the receipt `named`, in a process of its own."""
    home = World(world).home
    wanted = pickle.loads(changes.read_bytes())
    os.access(BEGUN, os.F_OK)
    if named:
        Receipts(home).undo(named, NOW, environment={})
    else:
        commit(wanted, session="s1", places=home, now=NOW, environment={})


def measure(case: Case, changes: Path) -> tuple[int, int]:
    """At how many calls it was killed, and after how many something was lost."""
    given = [replace(change, again=None) for change in case.changes]  # no file changes meanwhile
    changes.write_bytes(pickle.dumps(given))
    killed = lost = 0
    for call, first, last in _calls(case, changes):
        for when in range(first, last + 1):
            case.begin()
            done = _run(case, changes, f"inject={call}:signal=SIGKILL:when={when}", call)
            killed += done.returncode != 0
            try:
                case.check()
            except (AssertionError, RedlineError) as error:
                lost += 1
                print(f"lost at {call} {when}: {error}"[:2000])
    return killed, lost


def _calls(case: Case, changes: Path) -> list[tuple[str, int, int]]:
    """Each call, and which times it is made from the beginning to the end."""
    case.begin()
    log = changes.with_suffix(".log")
    _run(case, changes, f"trace={','.join(CALLS)},access", "access", log).check_returncode()
    names, before = Counter[str](), Counter[str]()
    for line in log.read_text("utf-8", "replace").splitlines():
        if BEGUN in line:
            before = names.copy()
        names[line.partition("(")[0]] += 1
    return [(call, before[call] + 1, names[call]) for call in CALLS if names[call] > before[call]]


def _run(
    case: Case, changes: Path, what: str, call: str, log: Path = Path(os.devnull)
) -> subprocess.CompletedProcess[bytes]:
    again = [sys.executable, __file__, "--act", str(case.world.root), str(changes), case.named]
    trace = ["strace", "-qq", "-o", str(log), "-e", what]
    if not what.startswith("trace="):
        trace += ["-e", f"trace={call}"]
    return subprocess.run([*trace, *again], capture_output=True, check=False)


if __name__ == "__main__":
    main()
