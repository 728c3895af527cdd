"""What a plan and a session cost, as JSON and as lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from redline.cli.output import thousands
from redline.money import about, dollars
from redline.text import counted

if TYPE_CHECKING:
    from redline.compaction.price import Cost
    from redline.context.spending import Spending, Spent

_DIGITS = 6  # of a dollar, in JSON


def price_json(cost: Cost) -> dict[str, Any]:
    """The `price` object of a plan: dollars, null where unknown; tokens are always told."""
    return {
        "model": cost.model,
        "source": cost.priced_by,
        "cache": {
            "state": cost.cache.warmth.value,
            "idle_seconds": None if cost.cache.idle is None else round(cost.cache.idle),
            "kept_seconds": cost.cache.lasts,
            "kept_prefix": cost.kept_prefix,
            "rewritten": cost.rewritten,
        },
        "summary_call": {
            "asked": cost.asked.value,
            "input_tokens": cost.sent,
            "output_tokens": cost.told,
            "dollars": _rounded(cost.summary),
        },
        "rewrite": _rounded(cost.rewrite),
        "once": _rounded(cost.once),
        "freed_tokens": cost.freed,
        "saves_first_request": _rounded(cost.saves_first),
        "saves_each_request": _rounded(cost.saves_each),
        "pays_back_after": cost.pays_back_after,
        "words": list(cost.words),
    }


def spending_json(spending: Spending) -> dict[str, Any]:
    """The `cost` object of a session: what it has cost so far."""
    return {
        "dollars": _rounded(spending.dollars),
        "known_dollars": _rounded(spending.known_dollars),
        "unpriced": list(spending.unpriced),
        "models": [_spent_json(spent) for spent in spending.own],
        "subagents": [_spent_json(spent) for spent in spending.aside],
    }


def _spent_json(spent: Spent) -> dict[str, Any]:
    usage = spent.usage
    return {
        "model": spent.model,
        "requests": spent.requests or None,
        "input": usage.input,
        "cache_read": usage.cache_read,
        "cache_write": usage.cache_write,
        "cache_write_1h": usage.cache_write_1h,
        "output": usage.output,
        "dollars": _rounded(spent.dollars),
        "told_by_agent": spent.by_agent,
    }


def _rounded(amount: float | None) -> float | None:
    return None if amount is None else round(amount, _DIGITS)


def price_lines(cost: Cost) -> list[str]:
    """What a plan costs and saves, in a few lines."""
    lines = [f"cache  {cost.line}", f"       the provider's cache: {cost.cache.words}"]
    if cost.sent:
        paid = f", {about(cost.summary)}" if cost.summary is not None else ""
        lines.append(
            f"       the summary: {thousands(cost.sent)} sent, {thousands(cost.told)} back{paid}"
        )
    told = cost.line
    return lines + [f"       {words}" for words in cost.words if words not in told]


def spending_lines(spending: Spending) -> list[str]:
    """What a session has cost so far; nothing where no request is told of."""
    if not spending.own and not spending.aside:
        return []
    lines = [f"spent so far {spending.words}"]
    for label, parts in (("", spending.own), ("subagents: ", spending.aside)):
        lines += [f"  {label}{_spent_words(spent)}" for spent in parts]
    return lines


def _spent_words(spent: Spent) -> str:
    usage = spent.usage
    read = usage.cache_read or 0
    requests = f"{counted(spent.requests, 'request')}, " if spent.requests else ""
    return (
        f"{spent.model or 'unknown model'}  {dollars(spent.dollars)}  {requests}"
        f"{thousands(usage.billed or 0)} in ({thousands(read)} from the cache), "
        f"{thousands(usage.output or 0)} out"
    )
