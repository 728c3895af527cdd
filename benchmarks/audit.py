"""What the audit says of summaries that were changed: verdicts per class, and the false ones.

    python benchmarks/audit.py [--false]

A row for each operator: how often each verdict fell, how many were wrongly called kept ("word for
word"), and, where the summary means something else, how many were called reworded (a person is
shown both, so that is no false certificate, but it costs a look). Of faithful
summaries all must be word for word. The target is none falsely kept. `--false` prints what was
judged wrongly.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from benchmarks.audit_case import Case  # noqa: E402
from benchmarks.audit_cases import cases  # noqa: E402

from redline.handoff.audit import Verdict  # noqa: E402

# A summary of these says something else; of the others a line may be a fair retelling.
OTHER_MEANING = (
    "weakened", "value", "identifier", "negated", "opposite", "reordered", "older value",
    "taken back elsewhere", "outdated", "example",
)  # fmt: skip


def wrong(case: Case, verdict: Verdict) -> bool:
    """Whether `verdict` certifies what is not there, or does not what is."""
    return case.faithful is not (verdict is Verdict.VERBATIM)


def main() -> int:
    started = time.perf_counter()
    judged = [(case, case.verdict()) for case in cases()]
    taken = time.perf_counter() - started
    columns = [verdict for verdict in Verdict if verdict is not Verdict.UNKNOWN]
    names = "".join(f"{verdict.value:>15}" for verdict in columns)
    print(f"{'operator':<22}{'cases':>7}{names}{'false kept':>12}{'false reworded':>16}")
    for operator in dict.fromkeys(case.operator for case, _ in judged):
        found = [(case, verdict) for case, verdict in judged if case.operator == operator]
        fell = Counter(verdict for _, verdict in found)
        kept = sum(not case.faithful and verdict is Verdict.VERBATIM for case, verdict in found)
        reworded = str(fell[Verdict.REWORDED]) if operator in OTHER_MEANING else ""
        row = "".join(f"{fell[verdict] or '.':>15}" for verdict in columns)
        print(f"{operator:<22}{len(found):>7}{row}{kept:>12}{reworded:>16}")
    mutated = [(case, verdict) for case, verdict in judged if not case.faithful]
    certified = sum(verdict is Verdict.VERBATIM for case, verdict in judged if case.faithful)
    false = sum(verdict is Verdict.VERBATIM for _, verdict in mutated)
    chinese = sum(case.language == "zh" for case, _ in judged)
    print(
        f"\n{len(mutated)} mutated summaries, {false} falsely kept; {certified} of "
        f"{len(judged) - len(mutated)} faithful ones certified; {chinese} of all in Chinese; "
        f"{taken:.1f} s"
    )
    if "--false" in sys.argv:
        for case, verdict in judged:
            if wrong(case, verdict):
                print(
                    f"\n--- {case.operator}, {case.cls.value}: {case.text!r} is {verdict.value!r}"
                )
                print(case.summary)
    return 1 if false or certified < len(judged) - len(mutated) else 0


if __name__ == "__main__":
    sys.exit(main())
