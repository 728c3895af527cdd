"""Prices of tokens, and sums of dollars as people read them."""

from __future__ import annotations

from dataclasses import dataclass

# Anthropic bills what is written to the cache for an hour at 2 times the input price, for five
# minutes at 1.25 times (its documentation of prompt caching, 2025-08).
_HOUR_OVER_MINUTES = 2 / 1.25
_CENT = 0.01
_WHOLE = 100.0  # dollars from which cents are left out


@dataclass(frozen=True, slots=True)
class Rates:
    """Dollars for one token. A price of the cache that is None, or of writing to it that is 0, is
    none of its own: the provider bills such tokens as any input."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None
    cache_write_1h: float | None = None

    @property
    def reading(self) -> float:
        """Of a token that is read from the cache."""
        return self.input if self.cache_read is None else self.cache_read

    def writing(self, hour: bool = False) -> float:
        """Of a token that is written to the cache, to stay for an hour or the shorter time."""
        if hour and self.cache_write_1h:
            return self.cache_write_1h
        if self.cache_write:
            return self.cache_write * (_HOUR_OVER_MINUTES if hour else 1)
        return self.input


def dollars(amount: float | None) -> str:
    """`$0.24`, `under $0.01`, `$1,240`; `?` where it is unknown."""
    if amount is None:
        return "?"
    if amount <= 0:
        return "$0"
    if amount < _CENT:
        return "under $0.01"
    return f"${amount:,.2f}" if amount < _WHOLE else f"${amount:,.0f}"


def about(amount: float | None) -> str:
    """`about $0.24`, for what is worked out from estimates."""
    text = dollars(amount)
    return f"about {text}" if amount is not None and amount >= _CENT else text
