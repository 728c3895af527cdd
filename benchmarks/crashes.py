"""Prints at how many points a commit, its undo and the undo of that were killed, and what was lost.

    python benchmarks/crashes.py

For every kind of target, and all of them in one commit: the process is killed before each change of
a file, after half of each write, at each step of the program and at each statement to a database;
then the power is cut before each change, once with the names in folders written and once without.
After each: old or new in every file, a journal that says which, an undo and an undo of the undo
that work. The tests do the same for fewer kinds (tests/targets/test_crashes.py).
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from tests.targets.crashing import ACTS, KINDS, WITH_ROWS, Case  # noqa: E402

from redline.errors import RedlineError  # noqa: E402
from redline.targets.deed import FORMS  # noqa: E402


def main() -> None:
    FORMS["rows"] = "tests.targets.rows"
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    kills = cuts = lost = 0
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        root = Path(folder).resolve() / "world"
        for make in KINDS:
            for act in ACTS:
                case = Case(root, make, act)
                killed, bad = _losses(case, case.killed())
                cut = 0
                if make not in WITH_ROWS:
                    for names_kept in (False, True):
                        more, worse = _losses(case, case.cut_off(names_kept=names_kept))
                        cut, bad = cut + more, bad + worse
                name = f"{make.__name__:<14} {act:<17}"
                print(f"{name} killed {killed:4}   cut off {cut:4}   lost {bad}")
                kills, cuts, lost = kills + killed, cuts + cut, lost + bad
    print(f"{'in all':<32} killed {kills:4}   cut off {cuts:4}   lost {lost}")
    sys.exit(1 if lost else 0)


def _losses(case: Case, points: Iterator[int]) -> tuple[int, int]:
    count = lost = 0
    for _ in points:
        count += 1
        try:
            case.check()
        except (AssertionError, RedlineError) as error:
            lost += 1
            print(f"lost: {error}"[:2000])
    return count, lost


if __name__ == "__main__":
    main()
