"""Prints how many stated rules the detection finds, and how many other sentences it leaves alone.

    python benchmarks/detection.py [--misses]

Recall is the share of the rules that are found, specificity the share of the other sentences in
which none is found, on sentences labelled by hand (tests/ledger/labelled). The patterns were tuned
on one half; only the held-out half says how they do on what people type next. By family: found, and
of these found in that family. Then the time for 150 kB of backticks in one prompt.

`--misses` lists what goes wrong in the tuning half instead. It never lists the held-out half.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from tests.ledger.labelled_sets import HALVES, LANGUAGES, labelled, score  # noqa: E402
from tests.sessions_in_memory import session, user  # noqa: E402

from redline.ledger.detect import detect  # noqa: E402
from redline.ledger.rule import RuleFamily  # noqa: E402
from redline.model import Session  # noqa: E402

BACKTICKS = 150_000  # bytes
TARGET = 0.1  # seconds for them
ROUNDS = 5


def main() -> None:
    if "--misses" in sys.argv[1:]:
        print_misses()
        return
    for language in LANGUAGES:
        for half in HALVES:
            print_half(language, half)
    for name, text in (
        ("one run", "`" * BACKTICKS),
        ("in pairs", "`a` " * (BACKTICKS // 4)),
        ("in fences", "```\n" * (BACKTICKS // 4)),
        ("odd runs", "`` ``` " * (BACKTICKS // 7)),
    ):
        given = session(user(text + "\nNever touch src/legacy."))
        taken = min(_seconds(given) for _ in range(ROUNDS))
        print(f"150 kB of backticks, {name:<10} {1000 * taken:6.1f} ms (at most {TARGET:g} s)")


def print_half(language: str, half: str) -> None:
    """Both figures of a half, then one line a family."""
    items = labelled(language, half)
    whole = score(items)
    print(
        f"{language} {half:<9} recall {whole.recall:4.0%} of {whole.rules}, "
        f"specificity {whole.specificity:4.0%} of {whole.others}"
    )
    for family in RuleFamily:
        own = [item for item in items if item.family is family]
        if own:
            found = sum(item.right for item in own)
            as_such = sum(family in item.found for item in own)
            print(
                f"    {family.value:<10} {found:3} of {len(own):3}, as {family.value} {as_such:3}"
            )


def print_misses() -> None:
    """What is missed and what is taken for a rule, in the tuning halves."""
    for language in LANGUAGES:
        for item in labelled(language, "tuning"):
            if not item.right:
                said = f"missed {item.family.value}" if item.family else "no rule"
                taken = ", ".join(sorted(family.value for family in item.found))
                print(f"{language}  {said:<16} {taken:<10} {item.text}")


def _seconds(given: Session) -> float:
    begin = time.perf_counter()
    detect(given)
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
