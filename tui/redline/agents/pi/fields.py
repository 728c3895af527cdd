"""Single fields of pi's records, whatever stands in them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from redline.agents.token_count import token_count
from redline.model import Usage

BASH = "bashExecution"  # the role of a command that the user ran


def text_of(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def number_of(value: object) -> int | None:
    """A whole number that is one (no flag, no fraction)."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def version_of(header: Mapping[str, Any]) -> int:
    """The file's version; 1 where the header states none."""
    stated = header.get("version")
    if isinstance(stated, str) and stated.isdigit():
        return int(stated)
    return number_of(stated) or 1


def time_of(value: Mapping[str, Any]) -> datetime | None:
    """The time of an entry: ISO text, or the milliseconds of its message."""
    stated = value.get("timestamp")
    if isinstance(stated, str):
        try:
            found = datetime.fromisoformat(stated)
        except ValueError:
            found = None
        if found is not None:
            return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    message = value.get("message")
    millis = message.get("timestamp") if isinstance(message, dict) else stated
    if isinstance(millis, int | float) and not isinstance(millis, bool):
        try:
            return datetime.fromtimestamp(millis / 1000, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    return None


def model_of(message: Mapping[str, Any]) -> str | None:
    return text_of(message.get("model"))


def failed(stop: str | None) -> bool:
    """Whether pi leaves the reply out of what it sends (it keeps it in the session)."""
    return stop in ("error", "aborted")


def read_usage(usage: object) -> Usage | None:
    """One request as billed, None where `usage` is no record of one."""
    if not isinstance(usage, dict):
        return None
    names = ("input", "cacheRead", "cacheWrite", "output", "cacheWrite1h")
    return Usage(*(token_count(usage.get(name)) for name in names))


def billed_of(usage: object) -> int | None:
    """The input side of a reply in tokens, None where nothing was billed."""
    if not isinstance(usage, dict):
        return None
    parts = (token_count(usage.get(key)) for key in ("input", "cacheRead", "cacheWrite"))
    total = sum(part for part in parts if part is not None)
    return total or None
