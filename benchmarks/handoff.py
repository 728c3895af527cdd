"""How long a handoff takes without a model, step by step, on a real session.

    REDLINE_REAL_SESSIONS=... python benchmarks/handoff.py [FILE]

The target is 0.5 s of work for the 3.4 MB of spotter_fa812bfe_auto. Reading the file with orjson
alone is printed beside it: nothing can be faster. The best of five runs in one process.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import orjson

from redline.agents.opening import open_session
from redline.compaction.outline import outline
from redline.compaction.plan import Pins
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.context.measure import measure
from redline.facts.extract import extract
from redline.handoff.audit import Audit
from redline.handoff.auditing import audit
from redline.handoff.markdown import render
from redline.handoff.offline import write
from redline.ledger.detect import detect
from redline.ledger.rule import Ledger, RuleState
from redline.settings import Settings

_T = TypeVar("_T")
RUNS = 5
TARGET = 0.5  # seconds


Times = dict[str, list[float]]


def main() -> int:
    file = _file()
    times: Times = {}
    for _ in range(RUNS):
        text, found = _run(file, times)
    print(f"{file.name}, {file.stat().st_size / 1e6:.1f} MB, best (first) of {RUNS} runs")
    for name, taken in times.items():
        print(f"  {name:<14} {min(taken) * 1000:7.1f} ms ({taken[0] * 1000:.1f} ms)")
    steps = [taken for name, taken in times.items() if name != "orjson alone"]
    best, first = sum(map(min, steps)), sum(taken[0] for taken in steps)
    print(
        f"  {'sum':<14} {best * 1000:7.1f} ms ({first * 1000:.1f} ms), target {TARGET * 1000:.0f}"
    )
    print(f"  handoff of {len(text)} characters, audit of {len(found.items)} items: ", end="")
    print("ok" if found.ok else "not ok")
    return 0 if first < TARGET and found.ok else 1


def _run(file: Path, times: Times) -> tuple[str, Audit]:
    def timed(name: str, step: Callable[[], _T]) -> _T:
        start = time.perf_counter()
        value = step()
        times.setdefault(name, []).append(time.perf_counter() - start)
        return value

    timed("orjson alone", lambda: [orjson.loads(line) for line in file.open("rb")])
    session = timed("open", lambda: open_session(file))
    window = timed("measure", lambda: measure(session, Settings(), {}))
    facts = timed("facts", lambda: extract(session))
    rules = timed("ledger", lambda: detect(session))
    ledger = Ledger(tuple(replace(rule, state=RuleState.ACTIVE) for rule in rules.live))
    plan = timed(
        "plan",
        lambda: strategy("redline").propose(
            window, outline(session.context), facts, ledger, StrategySettings(), Pins()
        ),
    )
    handoff = timed("write", lambda: write(session, plan, facts, ledger))
    text = timed("render", lambda: render(handoff))
    found = timed("audit", lambda: audit(session, plan, text, ledger, facts))
    return text, found


def _file() -> Path:
    if len(sys.argv) > 1:
        return Path(sys.argv[1])
    folder = os.environ.get("REDLINE_REAL_SESSIONS")
    if not folder:
        sys.exit("name a session file, or the folder of real ones in REDLINE_REAL_SESSIONS")
    return next((Path(folder) / "claude_code" / "spotter_fa812bfe_auto").glob("*.jsonl"))


if __name__ == "__main__":
    sys.exit(main())
