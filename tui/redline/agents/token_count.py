"""A count of tokens as a record states it."""

from __future__ import annotations

_MOST = 1_000_000_000  # a thousand times the largest window there is


def token_count(value: object) -> int | None:
    """`value` as a count of tokens; None where it is none: null, text, below zero, a fraction, a
    flag, or more than any request can have (what no table of figures could hold)."""
    return value if type(value) is int and 0 <= value <= _MOST else None
