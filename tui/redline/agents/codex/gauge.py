"""Codex's own figures of its window: the percentage it shows, and the count it acts upon.

Rules of Codex 0.171. What it shows is made of the last count alone. What it compares with its
trigger adds what that count does not hold: reasoning from before the last prompt, as if the server
counted it anew, and whatever came after the model's last item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from redline.agents.codex.item import COMPACTIONS, REASONING, Item
from redline.agents.codex.retaining import IMAGE_BYTES
from redline.agents.codex.shortening import BYTES_PER_TOKEN
from redline.agents.codex.usage import Counter
from redline.model import Gauge

BASELINE = 12_000  # tokens that it takes for the instructions, in every window
_ENVELOPE = 650  # bytes of encrypted content that are no reasoning
_TRIGGER = 9, 10  # of the raw window; settings can only lower it


def percent_left(window: int | None, total: int | None) -> int | None:
    """What Codex shows as left of `window`, in percent (since 2025-09-04)."""
    if window is None or total is None:
        return None
    if window <= BASELINE:
        return 0
    whole = window - BASELINE
    used = max(0, total - BASELINE)
    return (200 * max(0, whole - used) + whole) // (2 * whole)


def gauge_of(window: Sequence[Item], counter: Counter, raw: int | None) -> Gauge | None:
    """The figures of a history; None where the session holds no count. `raw` is the model's whole
    window in tokens. A lower trigger of the user's settings is not in the session."""
    if counter.last is None:
        return None
    trigger = raw * _TRIGGER[0] // _TRIGGER[1] if raw is not None else None
    left = percent_left(counter.window, counter.last)
    return Gauge(left, active_tokens(window, counter.last), trigger)


def active_tokens(window: Sequence[Item], last: int) -> int:
    """Codex's hidden count: `last` and its estimates of what that does not hold."""
    turn = next((at for at in range(len(window) - 1, -1, -1) if window[at].boundary), 0)
    reasoned = sum(
        estimate(item)
        for item in window[:turn]
        if item.type == REASONING and isinstance(item.value.get("encrypted_content"), str)
    )
    after = next(
        (
            at + 1
            for at in range(len(window) - 1, -1, -1)
            if window[at].answered or window[at].type in COMPACTIONS
        ),
        len(window),
    )
    return last + reasoned + sum(map(estimate, window[after:]))


def estimate(item: Item) -> int:
    """Codex's estimate of one item in tokens."""
    value = item.value
    sealed = value.get("encrypted_content")
    if isinstance(sealed, str) and (item.type == REASONING or item.type in COMPACTIONS):
        return sealed_tokens(len(sealed))
    size = len(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)) + _pictures(value)
    return -(-size // BYTES_PER_TOKEN)


def sealed_tokens(size: int) -> int:
    """Codex's estimate of encrypted content of `size` characters."""
    return -(-max(0, size * 3 // 4 - _ENVELOPE) // BYTES_PER_TOKEN)


def _pictures(value: Mapping[str, Any]) -> int:
    """What the images of an item weigh more or less than their base64, in bytes."""
    more = 0
    for field in ("content", "output"):
        blocks = value.get(field)
        for block in blocks if isinstance(blocks, list) else ():
            url = block.get("image_url") if isinstance(block, dict) else None
            if isinstance(url, str) and url[:11].lower() == "data:image/":
                head, comma, data = url.partition(",")
                if comma and ";base64" in head.lower():
                    more += IMAGE_BYTES - len(data)
    return more
