"""How long it takes to audit all compactions of a long session.

    python benchmarks/past_audits.py [MESSAGES [COMPACTIONS]]

A made-up session of 10,000 messages with 44 compactions, each asked for all that came before it:
about a quarter of a million verdicts. The target is a few seconds for what `audit --all` does.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from tests.sessions_in_memory import Draft, ran, reply, session, summary, user  # noqa: E402

from redline.facts.aftermath import aftermaths  # noqa: E402
from redline.facts.extract import extract  # noqa: E402
from redline.handoff.past import past_audits  # noqa: E402
from redline.ledger.detect import detect  # noqa: E402
from redline.model import CompactionKind, PastCompaction, Session  # noqa: E402


def main() -> int:
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    compactions = int(sys.argv[2]) if len(sys.argv) > 2 else 44
    made = _session(messages, compactions)
    started = time.perf_counter()
    facts, ledger = extract(made), detect(made)
    read = time.perf_counter()
    found = list(past_audits(made, ledger, facts))
    audited = time.perf_counter()
    aftermaths(made)
    ended = time.perf_counter()
    verdicts = sum(len(one.audit.items) for one in found)
    print(f"{made.counts.messages:,} messages, {len(found)} compactions, {verdicts:,} verdicts")
    print(f"  facts and rules  {read - started:5.2f} s")
    print(f"  audits           {audited - read:5.2f} s")
    print(f"  afterwards       {ended - audited:5.2f} s")
    return 0


def _session(messages: int, compactions: int) -> Session:
    drafts: list[Draft] = []
    places: list[int] = []
    for turn in range(messages // 3):
        drafts += _turn(turn)
        if len(drafts) * compactions // messages > len(places):
            places.append(len(drafts))
            drafts.append(summary(_summary(turn)))
    made = session(*drafts, context_from=places[-1])
    history = tuple(made.source.history())
    past = tuple(
        PastCompaction(
            f"c{number}", CompactionKind.FULL, at + 1, messages_before=at, summary=history[at]
        )
        for number, at in enumerate(places, start=1)
    )
    return replace(made, compactions=past)


def _turn(turn: int) -> Iterator[Draft]:
    if turn % 25 == 0:
        words = "and say what you changed " * (turn % 7)
        yield user(f"Never touch src/legacy{turn}. Then fix module {turn}, please. {words}")
    failed = turn % 7 == 0
    command = f"pytest -q tests/test_{turn % 300}.py -k case{turn}"
    printed = f"E   AssertionError: expected {turn} rows, got {turn + 1}" if failed else "ok\n" * 50
    yield from ran(command, printed, int(failed), call_id=f"c{turn}")
    yield reply(f"I changed src/mod{turn}/x.py for #{turn}, see https://a.example/{turn}.")


def _summary(turn: int) -> str:
    lines = [
        f"- src/mod{turn - back}/x.py for #{turn - back}, the tests pass" for back in range(150)
    ]
    return "\n".join(("## Goal", "", "Fix it", "", "## Done", "", *lines))


if __name__ == "__main__":
    sys.exit(main())
