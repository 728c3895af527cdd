"""Numbers of tokens as people write and read them."""

from __future__ import annotations

import re

_AMOUNT = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*([km]?)")
_SCALE = {"": 1, "k": 1_000, "m": 1_000_000}


def tokens_of(text: str) -> int | None:
    """`20000`, `20,000`, `20_000`, `20k`, `1.5 K`, `1m` as tokens; None where it is no such."""
    found = _AMOUNT.fullmatch(text.strip().lower().replace(",", "").replace("_", ""))
    return round(float(found[1]) * _SCALE[found[2]]) if found else None


def short(tokens: int) -> str:
    """`tokens` in at most 5 characters: 14, 999, 1.1k, 41k, 1.2M."""
    sign, size = ("-" if tokens < 0 else ""), abs(tokens)
    if size < 1000:
        return f"{sign}{size}"
    if size < 9_950:
        return f"{sign}{size / 1000:.1f}k"
    if size < 999_500:
        return f"{sign}{round(size / 1000)}k"
    return f"{sign}{size / 1_000_000:.1f}M"
