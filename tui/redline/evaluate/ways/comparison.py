"""The ways of working side by side, over several runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev

from redline.errors import RedlineError
from redline.evaluate.plants import Plants
from redline.evaluate.rounds import Place
from redline.evaluate.ways.assumptions import Rates
from redline.evaluate.ways.script import script
from redline.evaluate.ways.simulation import Outcome, WayName, simulate

_LEAST_REQUESTS = 10  # that fit between two compactions


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over runs, and the standard deviation between them."""

    mean: float
    spread: float


@dataclass(frozen=True, slots=True)
class WayFigures:
    """One way over all its runs; see `Outcome`. Of `dollars` None where the price is unknown."""

    way: WayName
    runs: int
    requests: Figure
    rounds: Figure
    billed: Figure
    new_tokens: Figure
    cached_tokens: Figure
    output_tokens: Figure
    dollars: Figure | None
    broken: Figure
    interventions: Figure
    reread: Figure
    recalled: Figure


@dataclass(frozen=True, slots=True)
class AskedWays:
    """What is compared."""

    plants: Plants
    requests: int = 400
    window: int = 200_000
    model: str = "claude-opus-4-6"
    sessions: int = 3
    seed: int = 0
    ways: tuple[WayName, ...] = tuple(WayName)
    rates: Rates = field(default_factory=Rates)


def runs(asked: AskedWays, place: Place) -> Iterator[Outcome]:
    """Every run as it is done, all ways of one seed before the next. Raises RedlineError for a
    window that leaves no room to work in."""
    rates = asked.rates
    needed = rates.system_tokens + _LEAST_REQUESTS * rates.growth_tokens
    if asked.window * rates.threshold * rates.proxy_at < needed:
        least = round(needed / rates.threshold / rates.proxy_at)
        raise RedlineError(
            f"a window of {asked.window:,} tokens leaves no room to work in",
            f"at least {least:,}: system prompt and tools alone take {rates.system_tokens:,}",
        )
    for seed in range(asked.seed, asked.seed + asked.sessions):
        requests = script(asked.plants, asked.rates, seed=seed, requests=asked.requests)
        for way in asked.ways:
            yield simulate(
                way,
                requests,
                asked.rates,
                seed=seed,
                window=asked.window,
                model=asked.model,
                place=place,
            )


def figures(outcomes: Sequence[Outcome]) -> tuple[WayFigures, ...]:
    """The `outcomes` by way, in the order the ways were first run."""
    ways = dict.fromkeys(outcome.way for outcome in outcomes)
    return tuple(_of_way(way, [one for one in outcomes if one.way is way]) for way in ways)


def _of_way(way: WayName, outcomes: Sequence[Outcome]) -> WayFigures:
    prices = [one.dollars for one in outcomes if one.dollars is not None]
    return WayFigures(
        way,
        len(outcomes),
        requests=_figure([one.requests for one in outcomes]),
        rounds=_figure([one.rounds for one in outcomes]),
        billed=_figure([one.billed for one in outcomes]),
        new_tokens=_figure([one.new_tokens for one in outcomes]),
        cached_tokens=_figure([one.cached_tokens for one in outcomes]),
        output_tokens=_figure([one.output_tokens for one in outcomes]),
        dollars=_figure(prices) if len(prices) == len(outcomes) else None,
        broken=_figure([one.broken for one in outcomes]),
        interventions=_figure([one.interventions for one in outcomes]),
        reread=_figure([one.reread for one in outcomes]),
        recalled=_figure([one.recalled for one in outcomes]),
    )


def _figure(values: Sequence[float]) -> Figure:
    return Figure(fmean(values), pstdev(values))
