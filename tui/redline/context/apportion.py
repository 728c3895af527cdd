"""Whole tokens out of estimates, without losing one."""

from __future__ import annotations

from collections.abc import Sequence


def apportion(values: Sequence[float], total: int) -> list[int]:
    """Whole numbers in the proportion of `values` that add up to `total` (largest remainder).

    All zeros where the values have no proportion. `values` and `total` are not below zero.
    """
    size = sum(values)
    if size <= 0 or total <= 0:
        return [0] * len(values)
    shares = [value / size * total for value in values]
    whole = [int(share) for share in shares]
    by_remainder = sorted(range(len(values)), key=lambda at: whole[at] - shares[at])
    for at in by_remainder[: total - sum(whole)]:
        whole[at] += 1
    return whole
