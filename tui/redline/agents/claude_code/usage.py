"""What one API reply was billed, from `message.usage`."""

from __future__ import annotations

from typing import Any

from redline.agents.token_count import token_count
from redline.model import Usage

FIELDS = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)
HOUR = "ephemeral_1h_input_tokens"


def _cache_write(usage: dict[str, Any]) -> int | None:
    """Tokens written to the cache; Claude Code 2.1.152 left the sum at 0 beside its parts."""
    total = token_count(usage.get("cache_creation_input_tokens"))
    parts = usage.get("cache_creation")
    if total or not isinstance(parts, dict):
        return total
    known = [n for n in map(token_count, parts.values()) if n is not None]
    return sum(known) if known else total


def _for_an_hour(usage: dict[str, Any]) -> int | None:
    """Those of them that stay for an hour, where it is told."""
    parts = usage.get("cache_creation")
    return token_count(parts.get(HOUR)) if isinstance(parts, dict) else None


def read_usage(usage: Any) -> Usage | None:
    """The usage of one record, None where it says nothing usable."""
    if not isinstance(usage, dict):
        return None
    read = Usage(
        input=token_count(usage.get("input_tokens")),
        cache_read=token_count(usage.get("cache_read_input_tokens")),
        cache_write=_cache_write(usage),
        output=token_count(usage.get("output_tokens")),
        cache_write_1h=_for_an_hour(usage),
    )
    values = (read.input, read.cache_read, read.cache_write, read.output)
    return read if any(value is not None for value in values) else None


def later(first: Usage | None, second: Usage | None) -> Usage | None:
    """The usage of a reply of which both are records, `second` the later one.

    Output tokens are a placeholder on early records: the largest counts.
    """
    if first is None or second is None:
        return second or first

    newest, oldest = (second, first) if second.billed else (first, second)
    outputs = [n for n in (first.output, second.output) if n is not None]
    return Usage(
        input=oldest.input if newest.input is None else newest.input,
        cache_read=oldest.cache_read if newest.cache_read is None else newest.cache_read,
        cache_write=oldest.cache_write if newest.cache_write is None else newest.cache_write,
        output=max(outputs) if outputs else None,
        cache_write_1h=(
            oldest.cache_write_1h if newest.cache_write_1h is None else newest.cache_write_1h
        ),
    )
