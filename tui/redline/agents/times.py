"""Times as agents write them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any


def read_time(value: Any) -> datetime | None:
    """An ISO-8601 time as aware UTC, None where it is none."""
    if not isinstance(value, str):
        return None
    try:
        parsed = datetime.fromisoformat(value)
        return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def seconds(value: Any) -> float | None:
    """The same in seconds since 1970."""
    if isinstance(value, str) and value.endswith("Z"):  # as most are; three times as fast
        try:
            return datetime.fromisoformat(value).timestamp()
        except (ValueError, OverflowError):
            return None
    time = read_time(value)
    return None if time is None else time.timestamp()
