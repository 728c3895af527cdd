"""Prints what the price of a moved cut takes beside the plan, and what a session has cost so far.

    python benchmarks/price.py [SESSION ...]

The measure: whether the cache is warm, what stays in it, and the price in words, in a context of
10,000 messages; the plan and the weighed window, which the bars need too, are not in it
(benchmarks/plan.py). The first look-up of a price reads the table. For each SESSION named, the time
of the sum over all of its files, beside their size.
"""

from __future__ import annotations

import sys
import time
from datetime import timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from benchmarks.plan import ROUNDS, print_taken  # noqa: E402
from tests.compaction.windows import window_of  # noqa: E402
from tests.sessions_in_memory import START, ran, reply, session, user  # noqa: E402

from redline.agents.opening import open_session  # noqa: E402
from redline.compaction.cuts import next_cut  # noqa: E402
from redline.compaction.effect import after  # noqa: E402
from redline.compaction.outline import outline  # noqa: E402
from redline.compaction.plan import Pins  # noqa: E402
from redline.compaction.price import cost  # noqa: E402
from redline.compaction.strategies.registry import names, strategy  # noqa: E402
from redline.compaction.strategies.strategy import StrategySettings  # noqa: E402
from redline.context.prices import price_of  # noqa: E402
from redline.context.provider_cache import provider_cache  # noqa: E402
from redline.context.spending import spending  # noqa: E402
from redline.facts.fact import Facts  # noqa: E402
from redline.ledger.rule import Ledger  # noqa: E402
from redline.model import Usage  # noqa: E402

MESSAGES = 10_000
MODEL = "claude-opus-4-8"


def main() -> None:
    begin = time.perf_counter()
    price_of(MODEL)
    print(f"the table read, once: {1000 * (time.perf_counter() - begin):.1f} ms")
    usage = Usage(10, 90_000, 2_000, 30)
    turns = [
        draft
        for i in range(MESSAGES // 4)
        for draft in (
            user("please go on"),
            *ran("pytest -q", "passed " * 400, call_id=f"a{i}"),
            reply("done, as asked", usage=usage, model=MODEL, time=START),
        )
    ]
    window = window_of(session(*turns))
    shape = outline(window.session.context)
    context = window.session.context
    for name in names():
        taken = []
        at = len(context) // 3
        for _ in range(ROUNDS):
            at = next_cut(shape, at, 17) or 0
            plan = strategy(name).propose(
                window, shape, Facts(), Ledger(), StrategySettings(), Pins(cut=context[at].id)
            )
            after(plan, window, 3_000)  # what the bars have worked out by then
            begin = time.perf_counter()
            cache = provider_cache(window.session, START + timedelta(minutes=1))
            found = cost(plan, window, model=MODEL, summary_tokens=3_000, cache=cache)
            assert found.line
            taken.append(1000 * (time.perf_counter() - begin))
        print_taken(f"{name}, price", taken)
    for named in sys.argv[1:]:
        opened = open_session(Path(named))
        begin = time.perf_counter()
        spent = spending(opened)
        took = 1000 * (time.perf_counter() - begin)
        size = Path(named).stat().st_size / 1e6
        print(f"{Path(named).name[:40]:<42} {size:8.1f} MB {took:8.1f} ms   {spent.words}")


if __name__ == "__main__":
    main()
