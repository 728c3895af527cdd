"""Prints how long each strategy takes to plan a context of 10,000 messages, up to the new bars.

    python benchmarks/plan.py [MESSAGES]

The measure: propose, check the invariants, weigh, split by category; what a key press on the desk
waits for. `first` is the first plan of a window, with the strategy's own cut; the others move a
pinned cut. Beside it a bare loop over as many items.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from tests.compaction.windows import window_of  # noqa: E402
from tests.sessions_in_memory import call, ran, reply, result, session, together, user  # noqa: E402

from redline.compaction.cuts import next_cut  # noqa: E402
from redline.compaction.effect import after, plan_tokens  # noqa: E402
from redline.compaction.outline import outline  # noqa: E402
from redline.compaction.plan import Action, Pins  # noqa: E402
from redline.compaction.strategies.registry import names, strategy  # noqa: E402
from redline.compaction.strategies.strategy import StrategySettings  # noqa: E402
from redline.facts.fact import Facts  # noqa: E402
from redline.ledger.rule import Ledger  # noqa: E402

MESSAGES = 10_000
ROUNDS = 60
FIRST_ROUNDS = 10


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else MESSAGES
    turns = [
        (
            user("please go on"),
            *ran("pytest -q", "passed " * 400, call_id=f"a{i}"),
            together(call("Read", {}, call_id=f"b{i}"), call("Read", {}, call_id=f"c{i}")),
            together(result("x" * 3_000, call_id=f"b{i}"), result("y", call_id=f"c{i}")),
            reply("done, as asked"),
        )
        for i in range(size // 6 + 1)
    ]
    window = window_of(session(*(draft for turn in turns for draft in turn)))
    context = window.session.context
    begin = time.perf_counter()
    shape = outline(context)
    print(f"{len(context)} messages, outline {1000 * (time.perf_counter() - begin):.1f} ms, once")
    print_times("a bare loop over as many items", lambda _: _loop(len(context)))
    pinned = {context[i].id: Action.KEEP for i in range(0, len(context), len(context) // 20)}
    for name in names():

        def first(_: int, name: str = name) -> None:
            fresh = replace(window, session=replace(window.session))
            plan = strategy(name).propose(
                fresh, shape, Facts(), Ledger(), StrategySettings(), Pins()
            )
            plan_tokens(plan, fresh)
            after(plan, fresh, 3_000)

        print_times(f"{name}, first", first, FIRST_ROUNDS)
        for label, actions in (("no pins", {}), ("20 pins", pinned)):

            def move(place: int, name: str = name, actions: dict[str, Action] = actions) -> None:
                pins = Pins(cut=context[place].id, actions=actions)
                plan = strategy(name).propose(
                    window, shape, Facts(), Ledger(), StrategySettings(), pins
                )
                plan_tokens(plan, window)
                after(plan, window, 3_000)

            place = [len(context) // 3]

            def step(_: int, move: Callable[[int], None] = move, at: list[int] = place) -> None:
                at[0] = next_cut(shape, at[0], 17) or 0
                move(at[0])

            step(0)  # the columns are made once a window
            print_times(f"{name}, {label}", step)


def _loop(size: int) -> None:
    for _ in range(size):
        pass


def print_times(label: str, run: Callable[[int], object], rounds: int = ROUNDS) -> None:
    """How long `run` takes, each of many rounds."""
    taken = []
    for i in range(rounds):
        begin = time.perf_counter()
        run(i)
        taken.append(1000 * (time.perf_counter() - begin))
    print_taken(label, taken)


def print_taken(label: str, taken: list[float]) -> None:
    """Median and 95th percentile of times in milliseconds."""
    taken.sort()
    late = taken[int(len(taken) * 0.95)]
    print(f"{label:<34} median {statistics.median(taken):6.2f} ms   p95 {late:6.2f} ms")


if __name__ == "__main__":
    main()
