"""The figures of a window, as JSON and as lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from redline.cli.output import share, thousands, when

if TYPE_CHECKING:
    from redline.context.window import Window
    from redline.model import Gauge, PastCompaction


def window_json(window: Window) -> dict[str, Any]:
    """The `window` object of `commands.md`."""
    return {
        "limit": window.limit,
        "limit_source": window.limit_source,
        "reserve": window.reserve,
        "threshold": window.threshold,
        "threshold_source": window.threshold_source,
        "billed": window.billed,
        "used": window.used,
        "source": window.source.value,
        "free": window.free,
        "categories": {name.value: tokens for name, tokens in window.categories.items()},
    }


def gauge_json(gauge: Gauge | None) -> dict[str, Any] | None:
    """The agent's own figures, None where it has none."""
    if gauge is None:
        return None
    return {
        "percent_left": gauge.percent_left,
        "active": gauge.active,
        "trigger": gauge.trigger,
        "until": gauge.until,
    }


def compaction_json(past: PastCompaction) -> dict[str, Any]:
    """A past compaction, without what its summary weighs."""
    return {
        "id": past.id,
        "kind": past.kind.value,
        "trigger": past.trigger,
        "time": when(past.time),
        "tokens_before": past.tokens_before,
        "tokens_after": past.tokens_after,
        "reported_after": past.reported_after,
        "messages_before": past.messages_before,
    }


def used_line(window: Window) -> str:
    """`used 118k of 200k (default)  59%`; no percentage of an unknown window."""
    sign = "" if window.source.value == "measured" else "~"
    of = (
        f" of {thousands(window.limit)} ({window.limit_source})"
        if window.limit
        else " of ? (limit unknown)"
    )
    return f"used {sign}{thousands(window.used)}{of}  {share(window.used, window.limit)}".rstrip()


def threshold_line(window: Window) -> str:
    """Where the agent compacts, "" where nothing tells it."""
    if window.threshold is None:
        return ""
    return (
        f"compacts at {thousands(window.threshold)} ({window.threshold_source}), "
        f"{thousands(window.free)} free before"
    )


def gauge_line(gauge: Gauge | None) -> str:
    """What the agent shows of its window, and what it acts upon; "" where it has no figures."""
    if gauge is None:
        return ""
    pieces = []
    if gauge.percent_left is not None:
        pieces.append(f"the agent shows {gauge.percent_left}% left")
    if gauge.until is not None:
        pieces.append(
            f"{thousands(gauge.until)} until it compacts "
            f"({thousands(gauge.active)} of {thousands(gauge.trigger)})"
        )
    return ", ".join(pieces)


def compaction_line(past: PastCompaction) -> str:
    """One compaction in a line."""
    after = past.tokens_after if past.tokens_after is not None else past.reported_after
    return (
        f"compaction: {past.kind.value}, {past.trigger or 'trigger unknown'}, "
        f"{thousands(past.tokens_before)} to {thousands(after)}"
    )
