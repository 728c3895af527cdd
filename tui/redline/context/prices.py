"""What a model's tokens cost: a person's own prices, then litellm's bundled table."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from redline.context.model_table import answer
from redline.model import Usage
from redline.money import Rates
from redline.settings import Settings

_FIELDS = {
    "input_cost_per_token": "input",
    "output_cost_per_token": "output",
    "cache_read_input_token_cost": "cache_read",
    "cache_creation_input_token_cost": "cache_write",
    "cache_creation_input_token_cost_above_1hr": "cache_write_1h",
}
_TIER = re.compile(rf"({'|'.join(_FIELDS)})_above_(\d+)k_tokens")
_TALKS = frozenset({None, "chat", "responses", "completion"})


@dataclass(frozen=True, slots=True)
class Tier:
    """What a request costs, all of it, whose input is more than `above` tokens."""

    above: int
    rates: Rates


@dataclass(frozen=True, slots=True)
class Price:
    """The prices of a model; `tiers` rise. `source` says who told them."""

    rates: Rates
    tiers: tuple[Tier, ...] = ()
    source: str = "model table"

    def at(self, tokens: int) -> Rates:
        """The prices of a request whose input, cached or not, is `tokens` tokens."""
        rates = self.rates
        for tier in self.tiers:
            if tokens > tier.above:
                rates = tier.rates
        return rates

    def of(self, usage: Usage, requests: int = 1) -> float:
        """What a request cost, in dollars. What its record does not tell counts as nothing. Of the
        sum of several `requests` (0: nobody knows how many) the mean size tells the tier."""
        read, written = _told(usage.cache_read), _told(usage.cache_write)
        hour = min(written, _told(usage.cache_write_1h))
        size = _told(usage.input) + read + written
        rates = self.at(size // requests if requests > 0 else 0)
        return (
            _told(usage.input) * rates.input
            + read * rates.reading
            + (written - hour) * rates.writing()
            + hour * rates.writing(hour=True)
            + _told(usage.output) * rates.output
        )


def _told(tokens: int | None) -> int:
    return max(0, tokens or 0)


def price_of(model: str | None, settings: Settings | None = None) -> Price | None:
    """The price of `model`, None where nobody tells it. The settings come first."""
    if not model:
        return None
    own = settings.price(model) if settings is not None else None
    return Price(own, source="settings") if own is not None else _listed(model)


@lru_cache(maxsize=256)
def _listed(model: str) -> Price | None:
    return listed_price(model)


def listed_price(model: str, table: Mapping[str, Any] | None = None) -> Price | None:
    """The price of `model` in litellm's table, or in one like it."""
    return answer(model, _price, table)


def _price(entry: object) -> Price | None:
    """The price an entry tells; one of 0 says that nobody wrote it down."""
    if not isinstance(entry, dict) or entry.get("mode") not in _TALKS:
        return None
    steps: dict[int, dict[str, float]] = {0: {}}
    for name, value in entry.items():
        amount = _amount(value)
        if amount is None:
            continue
        if name in _FIELDS:
            steps[0][_FIELDS[name]] = amount
        elif match := _TIER.fullmatch(name):
            steps.setdefault(1000 * int(match[2]), {})[_FIELDS[match[1]]] = amount
    _take_ranges(entry.get("tiered_pricing"), steps)
    first = steps.pop(0)
    if not (first.get("input") or first.get("output")) or not {"input", "output"} <= first.keys():
        return None
    rates = Rates(**first)
    found, last = Price(rates), rates
    for above in sorted(steps):
        step = {name: amount for name, amount in steps[above].items() if name in first}
        last = replace(last, **step)
        found = replace(found, tiers=(*found.tiers, Tier(above, last)))
    return found


def _take_ranges(ranges: object, steps: dict[int, dict[str, float]]) -> None:
    """The other form of tiers: a list of prices, each with the range of tokens it is for."""
    for step in ranges if isinstance(ranges, list) else ():
        match step:
            case {"range": [int() | float() as start, *_]} if 0 <= start < math.inf:
                for name, value in step.items():
                    if name in _FIELDS and (amount := _amount(value)) is not None:
                        steps.setdefault(int(start), {})[_FIELDS[name]] = amount


def _amount(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < math.inf else None
