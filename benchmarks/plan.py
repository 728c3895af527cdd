"""Prints how long each strategy takes to plan a context of 10,000 messages, up to the new bars.

    python benchmarks/plan.py [MESSAGES]

The measure: propose, check the invariants, weigh, split by category; what a key press on the desk
waits for. Before that the plan alone, in a window nobody has planned in yet. `first` is the first
plan of a window with its bars and the strategy's own cut; the others move a pinned cut. Beside it a
bare loop over as many items.
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
from redline.facts.extract import extract  # noqa: E402
from redline.ledger.detect import detect  # noqa: E402

MESSAGES = 10_000
ROUNDS = 60
FIRST_ROUNDS = 10
TARGET = 50  # milliseconds for a plan of 10,000 messages
_SAID = ("please go on", "Never touch src/legacy.", "Let's use integers for money.")


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else MESSAGES
    turns = [
        (
            user(_SAID[i % len(_SAID)]),
            *ran("pytest -q", "passed " * 400, 1 if i % 3 else 0, call_id=f"a{i}"),
            together(
                call("Read", {"file_path": f"src/{i % 300}.py"}, call_id=f"b{i}"),
                call("Edit", {"file_path": f"src/{i % 200}.py"}, call_id=f"c{i}"),
            ),
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
    begin = time.perf_counter()
    facts, ledger = extract(window.session), detect(window.session)
    print(f"facts and rules {1000 * (time.perf_counter() - begin):.1f} ms, once")
    print_times("a bare loop over as many items", lambda _: _loop(len(context)))
    slow = []
    pinned = {context[i].id: Action.KEEP for i in range(0, len(context), len(context) // 20)}
    for name in names():

        def plan(_: int, name: str = name) -> None:
            fresh, known = replace(window, session=replace(window.session)), replace(facts)
            strategy(name).propose(fresh, shape, known, ledger, StrategySettings(), Pins())

        if print_times(f"{name}, the plan alone", plan, FIRST_ROUNDS) > TARGET:
            slow.append(name)

        def first(_: int, name: str = name) -> None:
            fresh = replace(window, session=replace(window.session))
            made = strategy(name).propose(fresh, shape, facts, ledger, StrategySettings(), Pins())
            plan_tokens(made, fresh)
            after(made, fresh, 3_000)

        print_times(f"{name}, first, with its bars", first, FIRST_ROUNDS)
        for label, actions in (("no pins", {}), ("20 pins", pinned)):

            def move(place: int, name: str = name, actions: dict[str, Action] = actions) -> None:
                pins = Pins(cut=context[place].id, actions=actions)
                made = strategy(name).propose(
                    window, shape, facts, ledger, StrategySettings(), pins
                )
                plan_tokens(made, window)
                after(made, window, 3_000)

            place = [len(context) // 3]

            def step(_: int, move: Callable[[int], None] = move, at: list[int] = place) -> None:
                at[0] = next_cut(shape, at[0], 17) or 0
                move(at[0])

            step(0)  # the columns are made once a window
            print_times(f"{name}, {label}", step)
    print(f"over {TARGET} ms for the plan alone: {', '.join(slow) or 'none'}")


def _loop(size: int) -> None:
    for _ in range(size):
        pass


def print_times(label: str, run: Callable[[int], object], rounds: int = ROUNDS) -> float:
    """How long `run` takes, each of many rounds; gives the median in milliseconds."""
    taken = []
    for i in range(rounds):
        begin = time.perf_counter()
        run(i)
        taken.append(1000 * (time.perf_counter() - begin))
    print_taken(label, taken)
    return statistics.median(taken)


def print_taken(label: str, taken: list[float]) -> None:
    """Median and 95th percentile of times in milliseconds."""
    taken.sort()
    late = taken[int(len(taken) * 0.95)]
    print(f"{label:<36} median {statistics.median(taken):6.2f} ms   p95 {late:6.2f} ms")


if __name__ == "__main__":
    main()
