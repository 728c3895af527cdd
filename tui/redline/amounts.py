"""Numbers of tokens as people write them."""

from __future__ import annotations

import re

_AMOUNT = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*([km]?)")
_SCALE = {"": 1, "k": 1_000, "m": 1_000_000}


def tokens_of(text: str) -> int | None:
    """`20000`, `20,000`, `20_000`, `20k`, `1.5 K`, `1m` as tokens; None where it is no such."""
    found = _AMOUNT.fullmatch(text.strip().lower().replace(",", "").replace("_", ""))
    return round(float(found[1]) * _SCALE[found[2]]) if found else None
