"""`redline evaluate --ways`: ways of working compared in a simulated run of an agent.

The run is made up, the same in every way; what is not known of agents is assumed, and every
assumption is printed with its source. redline's plans and handoffs in it are real ones.

JSON: `{"schema": 1, "plants", "seed", "sessions", "requests", "window", "model", "complete",
"ways": [...], "assumptions": [{"what", "value", "source"}]}`. A way: `{"way", "runs", "requests",
"rounds", "billed", "new_tokens", "cached_tokens", "output_tokens", "dollars", "broken",
"interventions", "reread", "recalled"}`, all but the first two `{"mean", "spread"}` over the runs
(`dollars` null where the price is unknown): see `redline.evaluate.ways.simulation.Outcome`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from redline.cli.output import console, note, print_json, progress_line, thousands
from redline.money import dollars
from redline.text import counted, one_line

if TYPE_CHECKING:
    from rich.console import Console

    from redline.evaluate.plants import Plants
    from redline.evaluate.ways.comparison import AskedWays, WayFigures
    from redline.evaluate.ways.simulation import Outcome

INTERRUPTED = 130


def run_ways(options: argparse.Namespace, plants: Plants) -> int:
    """Compares the ways of working with `plants`; see the module."""
    from redline.cli.workplace import workplace
    from redline.evaluate.rounds import Place
    from redline.evaluate.ways.comparison import AskedWays, figures, runs

    place = workplace()
    asked = AskedWays(
        plants,
        requests=options.requests,
        window=options.window,
        model=options.model,
        sessions=options.sessions,
        seed=options.seed,
    )
    total = asked.sessions * len(asked.ways)
    outcomes: list[Outcome] = []
    interrupted = False
    try:
        with progress_line() as show:
            for outcome in runs(asked, Place(place.settings, place.environment)):
                outcomes.append(outcome)
                show(f"{len(outcomes)} of {total} runs: {outcome.way}")
    except KeyboardInterrupt:
        interrupted = True
        note("redline: interrupted, this is what was measured until then")
    found = figures(outcomes)
    if options.json:
        print_json(ways_json(asked, found, complete=len(outcomes) == total))
    else:
        _print(console(), asked, found)
    return INTERRUPTED if interrupted else 0


def ways_json(asked: AskedWays, found: tuple[WayFigures, ...], *, complete: bool) -> dict[str, Any]:
    """See the module."""
    from redline.evaluate.ways.assumptions import assumptions

    return {
        "schema": 1,
        "plants": asked.plants.name,
        "seed": asked.seed,
        "sessions": asked.sessions,
        "requests": asked.requests,
        "window": asked.window,
        "model": asked.model,
        "complete": complete,
        "ways": [
            {field.name: _json(getattr(one, field.name)) for field in fields(one)} for one in found
        ],
        "assumptions": [
            {"what": one.what, "value": one.value, "source": one.source}
            for one in assumptions(asked.rates, asked.model)
        ],
    }


def _json(value: Any) -> Any:
    from redline.evaluate.ways.comparison import Figure

    if isinstance(value, Figure):
        return {"mean": round(value.mean, 4), "spread": round(value.spread, 4)}
    return value


def _print(out: Console, asked: AskedWays, found: tuple[WayFigures, ...]) -> None:
    from rich.table import Table
    from rich.text import Text

    from redline.evaluate.ways.assumptions import assumptions

    out.print(
        f"{asked.requests} scripted requests, window of {thousands(asked.window)} tokens, prices "
        f"of {one_line(asked.model, 40)}, {counted(asked.sessions, 'run')} from seed "
        f"{asked.seed}: mean, and +/- the standard deviation of the runs"
    )
    out.print()
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    made.add_column("")
    for one in found:
        made.add_column(_HEADS[one.way], justify="right")
    for name, shown in _ROWS.items():
        values = [getattr(one, name) for one in found]
        means = ["?" if value is None else shown(value.mean) for value in values]
        spreads = ["" if value is None else shown(value.spread) for value in values]
        made.add_row(Text(_NAMES.get(name, name)), *map(Text, means))
        made.add_row(Text("  +/-"), *map(Text, spreads), style="dim")
    out.print(made)
    out.print()
    out.print("What is assumed, and by whom it is told:", style="bold")
    for assumption in assumptions(asked.rates, asked.model):
        out.print(f"- {assumption.what}: {assumption.value} [{assumption.source}]", style="dim")


def _count(value: float) -> str:
    return f"{value:.1f}"


def _tokens(value: float) -> str:
    return thousands(round(value))


_ROWS: dict[str, Callable[[float], str]] = {
    "requests": _count,
    "rounds": _count,
    "billed": _tokens,
    "new_tokens": _tokens,
    "output_tokens": _tokens,
    "dollars": dollars,
    "broken": _count,
    "interventions": _count,
    "reread": _count,
    "recalled": _count,
}
_NAMES = {
    "billed": "tokens billed",
    "new_tokens": "  not cached",
    "output_tokens": "  output",
    "dollars": "cost",
    "broken": "rules broken",
    "reread": "files re-read",
}
_HEADS = {
    "none": "none",
    "none, at best": "none, at best",
    "instructions block": "block",
    "proxy": "proxy",
    "proxy with memory": "with memory",
}
