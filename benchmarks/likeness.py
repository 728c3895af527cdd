"""Finds the weights of `redline.ledger.likeness` and prints how they do on other authors' pairs.

    python benchmarks/likeness.py [--weights] [--show]

The pairs of every author are judged by weights found from those of all others. Printed for several
thresholds: how many restatements are found by rules and by both, and how many pairs of
near-duplicates and of different things are marked. Where REDLINE_REAL_SESSIONS names a folder of
sessions, what was said in them is material too, as what is hardly ever said anew: the weights that
the module has are found with it. `--weights` prints those found from all, `--show` what is missed
and what is marked wrongly.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from redline.agents.opening import open_session, scan  # noqa: E402
from redline.errors import RedlineError  # noqa: E402
from redline.evaluate.plants import plants_in, shipped_plants  # noqa: E402
from redline.ledger.likeness import ENOUGH, candidates  # noqa: E402
from redline.ledger.resolving import resolved  # noqa: E402
from redline.ledger.restating import reworded, sketch  # noqa: E402
from redline.ledger.statements import statements  # noqa: E402
from redline.ledger.subject import agreement  # noqa: E402
from redline.ledger.two_things import only_once, told_apart  # noqa: E402

LEDGER = ROOT / "tests" / "ledger"
PHRASINGS = tuple(sorted((LEDGER / "phrasings").glob("tune_*.json")))
LISTS = (
    LEDGER / "restatements.txt",
    LEDGER / "two_things.txt",
    *sorted((LEDGER / "updates").glob("*.txt")),
)
THRESHOLDS = (0.1, ENOUGH, 0.2, 0.3)
OTHERS = 4000  # pairs of different things of one author, at most
BY_RULE, MISSED = 0.5, 3.0  # what a pair weighs that the rules see, and one that they do not
LISTED = 0.5  # what a pair of a list weighs, which was made to look alike
RIDGE = 1.0  # how strongly weights are held near 0
ROUNDS = 4  # of choosing the values anew by the weights found
Shown = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences, `kind`: same, near, other; `by_rule`: the rules see that it is the same."""

    author: str
    kind: str
    older: str
    newer: str
    shown: tuple[Shown, ...]
    by_rule: bool
    weight: float = 1.0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", action="store_true")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    started = time.perf_counter()
    found = list(gathered())
    print(f"{len(found)} pairs ({time.perf_counter() - started:.1f} s)")
    judged: list[tuple[Pair, float]] = []
    for author in sorted({pair.author for pair in found}):
        weights = fitted([pair for pair in found if pair.author != author])
        judged += [(pair, chance(pair, weights)) for pair in found if pair.author == author]
    for threshold in THRESHOLDS:
        _print(judged, threshold)
    if options.show:
        _show(judged)
    if options.weights:
        for name, value in fitted(found).items():
            print(f'    "{name}": {value:.2f},')
    print(f"({time.perf_counter() - started:.1f} s)")


def _print(judged: Sequence[tuple[Pair, float]], threshold: float) -> None:
    print(f"\nat {threshold}{' (as it is set)' if threshold == ENOUGH else ''}")
    names = sorted({pair.author for pair, _ in judged})
    phrasings = [name for name in names if name.startswith("tune")]
    for shown, authors in (
        *((name, [name]) for name in names),
        ("phrasings", phrasings),
        ("all", names),
    ):
        parts = []
        for kind in ("same", "near", "other"):
            some = [(one, p) for one, p in judged if one.author in authors and one.kind == kind]
            if some:
                rule = sum(one.by_rule for one, _ in some)
                marked = sum(p >= threshold or one.by_rule for one, p in some)
                share = f"{100 * marked / len(some):.2f} %"
                parts.append(f"{kind} {rule} by rule, {marked} of {len(some)} ({share})")
        print(f"  {shown:<16} {'; '.join(parts)}")


def _show(judged: Sequence[tuple[Pair, float]]) -> None:
    for pair, probability in sorted(judged, key=lambda one: one[1]):
        if not pair.by_rule and (pair.kind == "same") != (probability >= ENOUGH):
            print(f"  {probability:.2f} {pair.kind} {pair.author}: {pair.older} -> {pair.newer}")


# -- the material ---------------------------------------------------------------------------------


def gathered() -> Iterator[Pair]:
    choice = random.Random(1)
    for path in LISTS:
        lines = path.read_text("utf-8").splitlines()
        texts = [(line[0], *line[2:].split(" || ")) for line in lines if line[:2] in ("= ", "! ")]
        yield from _by(
            path.stem,
            [(older, newer) for mark, older, newer in texts if mark == "="],
            [(older, newer) for mark, older, newer in texts if mark == "!"],
            [],
            choice,
        )
    yield from _of_sessions(choice)
    for plants in (shipped_plants("known"), *map(plants_in, PHRASINGS)):
        yield from _by(
            plants.name,
            [(one.older.text, one.newer.text) for one in plants.restatements],
            [(one.first.text, one.second.text) for one in plants.near_duplicates],
            [one.statement.text for one in plants.singles],
            choice,
        )


def _of_sessions(choice: random.Random) -> Iterator[Pair]:
    """Sentences of real sessions that share their rarer words, hardly any of them said anew."""
    folder = os.environ.get("REDLINE_REAL_SESSIONS")
    found: dict[tuple[str, str], str] = {}
    files = Path(folder).rglob("*.*") if folder else ()
    for file in sorted(path for path in files if path.suffix in (".jsonl", ".db")):
        for info in scan(file, titles=False):
            try:
                texts = [one.short for one in statements(open_session(info))]
            except RedlineError:
                continue
            for older, newer in _met(texts):
                if "[REDACTED" not in texts[older] and texts[older] != texts[newer]:
                    found.setdefault((texts[older], texts[newer]), info.agent)
    for older_text, newer_text in choice.sample(list(found), min(OTHERS, len(found))):
        agent = found[older_text, newer_text]
        yield _pair(f"of {agent}", "other", older_text, newer_text)


def _met(texts: Sequence[str]) -> list[tuple[int, int]]:
    """The places of statements that would be read beside each other."""
    met: list[tuple[int, int]] = []

    def meets(older: int, newer: int) -> bool:
        met.append((older, newer))
        return False

    resolved(texts, meets=meets)
    return met


def _by(
    author: str,
    same: Sequence[tuple[str, str]],
    near: Sequence[tuple[str, str]],
    singles: Sequence[str],
    choice: random.Random,
) -> Iterator[Pair]:
    for older, newer in same:
        yield _pair(author, "same", older, newer)
    for first, second in near:
        yield _pair(author, "near", first, second)
        yield _pair(author, "near", second, first)
    groups = [*same, *near, *((text,) for text in singles)]
    others = [
        (one, other)
        for first in groups
        for second in groups
        if first is not second
        for one in first
        for other in second
    ]
    for first_text, second_text in choice.sample(others, min(OTHERS, len(others))):
        yield _pair(author, "other", first_text, second_text)


def _pair(author: str, kind: str, older: str, newer: str) -> Pair:
    old, new = sketch(older), sketch(newer)
    by_rule = reworded(old, new) is not None or agreement(old, new) is not None
    apart = only_once(older, newer) or told_apart(older, newer)
    by_rule = not apart and by_rule
    shown = () if apart else tuple(shown.features() for shown in candidates(old, new))
    weight = BY_RULE if by_rule else MISSED if kind == "same" else 1.0
    if kind == "near" and author in {path.stem for path in LISTS}:
        weight *= LISTED
    return Pair(author, kind, older, newer, shown, by_rule, weight)


# -- the weights ----------------------------------------------------------------------------------


def chance(pair: Pair, weights: Shown) -> float:
    return max((_chance(shown, weights) for shown in pair.shown), default=0.0)


def _chance(shown: Shown, weights: Shown) -> float:
    return 1 / (1 + math.exp(-sum(weights.get(name, 0) * value for name, value in shown.items())))


def fitted(found: Sequence[Pair]) -> Shown:
    """The weights by Newton's method; the values of a pair are those that are most probable by the
    weights of the round before."""
    usable = [pair for pair in found if pair.shown]
    names = sorted({name for pair in usable for shown in pair.shown for name in shown})
    weights: Shown = {"all else alike": 1, "of the older": 1, "of no form": -1, "no value": -2}
    for _ in range(ROUNDS):
        rows = []
        for pair in usable:
            best = max(pair.shown, key=lambda shown: _chance(shown, weights))
            rows.append(
                ([best.get(name, 0.0) for name in names], float(pair.kind == "same"), pair.weight)
            )
        weights = dict(zip(names, _newton(rows, len(names)), strict=True))
    return weights


def _newton(rows: Sequence[tuple[list[float], float, float]], size: int) -> list[float]:
    weights = [0.0] * size
    sparse = [([(at, x) for at, x in enumerate(row) if x], y, w) for row, y, w in rows]
    for _ in range(7):
        slope = [-RIDGE * value for value in weights]
        curve = [[RIDGE if a == b else 0.0 for b in range(size)] for a in range(size)]
        for row, label, weight in sparse:
            p = 1 / (1 + math.exp(-sum(weights[at] * x for at, x in row)))
            error, width = weight * (label - p), weight * p * (1 - p)
            for at, x in row:
                slope[at] += error * x
                line, scaled = curve[at], width * x
                for other, y in row:
                    line[other] += scaled * y
        step = _solved(curve, slope)
        weights = [value + change for value, change in zip(weights, step, strict=True)]
    return weights


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a set of linear equations, by elimination."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for other in range(size):
            if other != at:
                factor = rows[other][at] / rows[at][at]
                if factor:
                    rows[other] = [
                        a - factor * b for a, b in zip(rows[other], rows[at], strict=True)
                    ]
    return [rows[at][size] / rows[at][at] for at in range(size)]


if __name__ == "__main__":
    main()
