"""Prints what survives of planted statements, in phrasings that were seen before and others.

    python benchmarks/evaluate.py [--sessions N] [--show] [PLANTS.json ...]

1. Dense short sessions (8 kB, 20 planted things), five rounds, offline writer, budgets of 30, 20
   and 10 % of the first session's characters.
2. Every pair of a restatement, no budget: resolved where the newer value is there and the older
   one is not given as current. Beside it what the comparison of the two sentences says.
3. Every statement, no budget: lost where it is not there.
4. Near-duplicates, no budget: a false merge is one that is not there as what holds. Beside it the
   comparison of the pair in both orders, and of every two sentences that speak of different things.

With `--show` the failures are printed, but not those of the phrasings that are kept aside. Files of
plants, see docs/evaluate.md, take the place of those that redline brings.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from redline.compaction.strategies.strategy import StrategySettings  # noqa: E402
from redline.evaluate.compactors import Offline  # noqa: E402
from redline.evaluate.evaluation import Asked, evaluate, trials  # noqa: E402
from redline.evaluate.figures import Result, Share  # noqa: E402
from redline.evaluate.plants import SHIPPED, Plants, plants_in, shipped_plants  # noqa: E402
from redline.evaluate.rounds import Place, Verdict, run_rounds  # noqa: E402
from redline.evaluate.scene import Form, Thing, scene_of  # noqa: E402
from redline.handoff.budget import size_of  # noqa: E402
from redline.ledger.restating import restates  # noqa: E402
from redline.settings import Settings  # noqa: E402

_T = TypeVar("_T")
PLACE = Place(Settings())
BUDGETS = ("30%", "20%", "10%")
TOGETHER = 10  # things in a session of the parts without a budget


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sessions", type=int, default=12)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("plants", nargs="*", type=Path)
    options = parser.parse_args()
    given = [plants_in(path) for path in options.plants]
    for plants in given or map(shipped_plants, SHIPPED):
        show = options.show and not plants.name.startswith("held_out")
        started = time.perf_counter()
        print(f"\n== {plants.name} phrasings ==")
        _dense(plants, options.sessions, show)
        _restated(plants, show)
        _singles(plants, show)
        _near(plants, show)
        print(f"({time.perf_counter() - started:.1f} s)")


def _dense(plants: Plants, sessions: int, show: bool) -> None:
    print(f"dense sessions ({sessions}), survival in % by round; after five: by kind")
    asked = Asked(
        plants,
        trials(["fresh"], [Offline()], [(words, size_of(words)) for words in BUDGETS]),
        sessions=sessions,
    )
    for result in evaluate(asked, PLACE):
        _print_result(result)
        if show:
            for text in result.lost:
                print(f"        lost: {text}")


def _print_result(result: Result) -> None:
    rounds = result.rounds
    course = " ".join(f"{_percent(one.all):>6}" for one in rounds)
    last = rounds[-1]
    kinds = ", ".join(f"{kind.value} {_percent(share)}" for kind, share in last.survival.items())
    print(f"  {result.way.budget:>4}  {course}   {kinds}")
    print(
        f"        restated, new value only {_percent(last.restated)}; stale as current "
        f"{_of(sum((one.stale for one in rounds), Share()))} over all rounds; both of a pair "
        f"{_percent(last.pairs)}; false merges {sum(one.merged.there for one in rounds)}; invented "
        f"{sum(one.invented for one in rounds)}; over budget {sum(one.over for one in rounds)}"
    )


def _restated(plants: Plants, show: bool) -> None:
    things = [
        Thing(pair.kind, Form.RESTATED, ((1, pair.older), (1, pair.newer)))
        for pair in plants.restatements
    ]
    found = list(_judged(things, "restated"))
    resolved = [one.survives and not one.stale for one in found]
    alone = [restates(pair.older.text, pair.newer.text) for pair in plants.restatements]
    print(
        f"restatements resolved {_of(_share(resolved))}, newer value there "
        f"{_of(_share([one.survives for one in found]))}, older given as current "
        f"{_of(_share([one.stale > 0 for one in found]))}, the newer told beside it in "
        f"{sum(one.noted > 0 for one in found)}; of the pairs alone: "
        f"{sum(one is not None and one.sure for one in alone)} sure, "
        f"{sum(one is not None and not one.sure for one in alone)} unsure"
    )
    if show:
        for one in found:
            if one.stale or not one.survives:
                older, newer = (statement.text for _, statement in one.thing.said)
                print(f"    {one.standing.value}, {one.stale} stale: {older} -> {newer}")


def _singles(plants: Plants, show: bool) -> None:
    things = [Thing(one.kind, Form.SINGLE, ((1, one.statement),)) for one in plants.singles]
    found = list(_judged(things, "singles"))
    print(f"statements lost without a budget {_of(_share([not one.survives for one in found]))}")
    if show:
        for one in found:
            if not one.survives:
                print(f"    {one.standing.value}: {one.thing.current(1).text}")


def _near(plants: Plants, show: bool) -> None:
    things = [
        Thing(near.kind, Form.NEAR, ((1, statement),), place)
        for place, near in enumerate(plants.near_duplicates)
        for statement in (near.first, near.second)
    ]
    found = list(_judged(things, "near"))
    pairs = [(near.first.text, near.second.text) for near in plants.near_duplicates]
    orders = [*pairs, *((second, first) for first, second in pairs)]
    print(f"false merges of near-duplicates {_of(_share([not one.survives for one in found]))}")
    told = _told(orders, "near-duplicates alone, in both orders")
    told += _told(list(_different(plants)), "sentences about different things")
    if show:
        for first, second in told:
            print(f"    {first} -> {second}")
        for one in found:
            if not one.survives:
                print(f"    {one.standing.value}: {one.thing.current(1).text}")


def _told(pairs: Sequence[tuple[str, str]], what: str) -> list[tuple[str, str]]:
    """Prints how many of `pairs` are taken for a restatement, and gives them."""
    found = [(pair, one) for pair in pairs if (one := restates(*pair)) is not None]
    sure = sum(one.sure for _, one in found)
    print(f"of {len(pairs)} pairs of {what}: {sure} sure, {len(found) - sure} unsure")
    return [pair for pair, _ in found]


def _different(plants: Plants) -> Iterator[tuple[str, str]]:
    """Every two sentences of different things, in both orders."""
    texts = [
        *([one.statement.text] for one in plants.singles),
        *([one.older.text, one.newer.text] for one in plants.restatements),
        *([one.first.text] for one in plants.near_duplicates),
    ]
    for first, second in combinations(texts, 2):
        for one in first:
            for other in second:
                yield one, other
                yield other, one


def _judged(things: Sequence[Thing], name: str) -> Iterator[Verdict]:
    """The verdicts on `things`, so many in a session, without a budget."""
    for number, chunk in enumerate(_chunks(things, TOGETHER)):
        scene = scene_of(chunk, name=f"{name}{number}", rounds=1)
        for one in run_rounds(
            scene,
            Offline(),
            strategy="fresh",
            settings=StrategySettings(),
            size=None,
            place=PLACE,
        ):
            yield from one.verdicts


def _chunks(items: Sequence[_T], size: int) -> Iterator[list[_T]]:
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


def _share(values: Sequence[bool]) -> Share:
    return Share(sum(values), len(values))


def _percent(share: Share) -> str:
    return "-" if share.percent is None else f"{share.percent:.1f}%"


def _of(share: Share) -> str:
    return f"{share.there}/{share.of} ({_percent(share)})"


if __name__ == "__main__":
    main()
