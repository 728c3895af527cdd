"""What `token_count` events say: each count once, estimates told apart from what was billed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from redline.agents.token_count import token_count
from redline.model import Usage


@dataclass(frozen=True, slots=True)
class Count:
    """One new count. `usage` is None for an estimate of Codex's own: it has a total only."""

    total: int
    usage: Usage | None = None


@dataclass(slots=True)
class Counter:
    """Follows the counts of a rollout.

    Codex writes most counts twice: a fresh figure of the rate limits goes with the last count. Only
    where the total of the whole thread has moved was something billed. `thread` is that total,
    `last` the newest one as Codex shows it, also an estimate; `billed` and `billed_before` are the
    last two that were billed.
    """

    window: int | None = None
    seen: bool = False
    last: int | None = None
    billed: int | None = None
    billed_before: int | None = None
    estimate: int | None = None
    thread: tuple[object, ...] | None = None
    _info: object = None

    def take(self, info: object) -> Count | None:
        """The count that `info` brings, None for a repeated or an empty one."""
        self.seen = True
        if not isinstance(info, dict) or info == self._info:
            return None
        self._info = info
        self.window = token_count(info.get("model_context_window")) or self.window
        last = info.get("last_token_usage")
        if not isinstance(last, dict):
            return None
        sent, total = token_count(last.get("input_tokens")), token_count(last.get("total_tokens"))
        if total is None and sent is not None:
            total = sent + (token_count(last.get("output_tokens")) or 0)
        if total is None:
            return None
        self.last = total
        if not sent:
            repeated, self.estimate = total == self.estimate, total
            return Count(total) if total and not repeated else None
        thread = _figures(info.get("total_token_usage"), last)
        if thread == self.thread:
            return None
        self.thread = thread
        self.estimate = None
        self.billed_before, self.billed = self.billed, total
        return Count(total, read_usage(last))


def _figures(total: object, last: Mapping[str, Any]) -> tuple[object, ...]:
    whole = total if isinstance(total, dict) else last
    return tuple(whole.get(name) for name in ("input_tokens", "output_tokens", "total_tokens"))


def read_usage(last: Mapping[str, Any]) -> Usage:
    """One request as billed. Codex counts what was read from the cache (and, since 2026-07, written
    to it) as input, too."""
    sent = token_count(last.get("input_tokens"))
    read = token_count(last.get("cached_input_tokens"))
    written = token_count(last.get("cache_write_input_tokens"))
    fresh = None if sent is None else max(0, sent - (read or 0) - (written or 0))
    return Usage(fresh, read, written, token_count(last.get("output_tokens")))
