"""What a compaction costs once, and what each request after it saves.

The cache of a provider is one of prefixes: what stands before the first message that the plan
changes stays in it, everything after is written anew. Set against going on without the compaction:
once, the summary is paid for, and what is written anew instead of read; each request, what was
freed need not be read any more. What grows meanwhile grows either way and is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from redline.amounts import short
from redline.compaction.effect import after, plan_tokens
from redline.compaction.plan import Action, Plan
from redline.context.prices import Price, price_of
from redline.context.provider_cache import ProviderCache, Warmth
from redline.context.window import Window
from redline.money import about, dollars
from redline.settings import Settings

SENT = "sent_tokens"  # in the details of a plan: what its strategy sends the writer of the summary
COLD = "nothing to lose: the cache is cold"
FREES_NOTHING = "frees nothing live"
FREES_LITTLE = "less than a quarter freed"
_QUARTER = 4
_TINY = 1e-12  # dollars; two sums of the same amounts may differ by the order they were added in


class Asked(StrEnum):
    """What the writer of a summary is sent: nothing (there is no model, or no summary), the whole
    context once more, which the cache holds, or what is retold as a text of its own."""

    NOTHING = "nothing"
    CONTEXT = "context"
    TEXT = "text"


# By the agents' own code (formats/*.md). Those of redline write offline.
_ASKED: Mapping[str, Asked] = {
    "redline": Asked.NOTHING,
    "fresh": Asked.NOTHING,
    "scored": Asked.NOTHING,
    "clear": Asked.NOTHING,
    "claude-code": Asked.CONTEXT,
    "codex": Asked.CONTEXT,
    "codex-remote": Asked.CONTEXT,
    "codex-remote-v1": Asked.CONTEXT,
    "hermes": Asked.TEXT,
    "hermes-legacy": Asked.TEXT,
    "pi": Asked.TEXT,
}


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens are always told, dollars are None where the model's price is unknown.

    `used` and `after` are the window's tokens before and after, `kept_prefix` those that stay in
    the cache and `rewritten` those that do not. `sent` and `told` are the summary call's input and
    output. `summary` and `rewrite` are paid once; the first request saves `saves_first` (more where
    the cache is cold: less is written), each later one `saves_each`. `spent_so_far` is handed in.
    """

    model: str | None
    cache: ProviderCache
    asked: Asked
    used: int
    after: int
    kept_prefix: int
    sent: int
    told: int
    priced_by: str | None = None
    summary: float | None = None
    rewrite: float | None = None
    saves_first: float | None = None
    saves_each: float | None = None
    spent_so_far: float | None = None

    @property
    def freed(self) -> int:
        return max(0, self.used - self.after)

    @property
    def rewritten(self) -> int:
        return self.after - self.kept_prefix

    @property
    def once(self) -> float | None:
        """What is paid once, in dollars."""
        if self.summary is None or self.rewrite is None:
            return None
        return self.summary + self.rewrite

    @property
    def pays_back_after(self) -> int | None:
        """The number of requests after which it has paid back; None for never, or unknown."""
        once, first, each = self.once, self.saves_first, self.saves_each
        if once is None or first is None or each is None:
            return None
        if once <= _TINY:
            return 0
        if once <= first + _TINY:
            return 1
        return None if each <= 0 else 1 + math.ceil((once - first) / each - 1e-9)

    @property
    def words(self) -> tuple[str, ...]:
        """What is to be said plainly."""
        found = []
        if self.freed == 0:
            found.append(FREES_NOTHING)
        elif self.freed * _QUARTER < self.used:
            found.append(FREES_LITTLE)
        if self.cache.warmth is Warmth.COLD:
            found.append(COLD)
        elif self.cache.warmth is Warmth.PERHAPS:
            found.append("the cache may have gone cold: then there is nothing to lose")
        elif self.cache.warmth is Warmth.UNKNOWN:
            found.append("nothing tells whether the cache is warm")
        if self.once is None:
            found.append(f"the price of {self.model or 'the model'} is unknown")
        elif self.pays_back_after is None:
            found.append("never pays back")
        return tuple(found)

    @property
    def line(self) -> str:
        """All of it in a line: `rewrites 64k, about $0.24, saves $0.06 a request, pays back after 4
        (cold: nothing)`."""
        if self.once is None:
            return f"rewrites {short(self.rewritten)}, price unknown"
        back = self.pays_back_after
        pays = "never pays back" if back is None else f"pays back after {back}"
        if self.cache.cold:
            paid = f"the summary {about(self.summary)}, {pays}; " if self.summary else ""
            first, each = dollars(self.saves_first), dollars(self.saves_each)
            return f"{COLD}; {paid}saves {first} with the next request, {each} with each after"
        cold = " (cold: nothing)" if not self.summary and self.rewrite else ""
        rewrites = f"rewrites {short(self.rewritten)}, {about(self.once)}"
        return f"{rewrites}, saves {dollars(self.saves_each)} a request, {pays}{cold}"


def cost(
    plan: Plan,
    window: Window,
    *,
    model: str | None,
    summary_tokens: int,
    cache: ProviderCache,
    settings: Settings | None = None,
    spent: float | None = None,
) -> Cost:
    """What `plan` costs with `model`, which answers in the session and writes the summary.

    `summary_tokens` are those of the summary expected, or of the one written; `settings` hold a
    person's own prices; `spent` is what the session has cost so far, in dollars.
    """
    kept = sum(after(plan, window, summary_tokens).values())
    asked = _ASKED.get(plan.strategy, Asked.NOTHING)
    sent = _sent(plan, window, asked)
    tokens = Cost(
        model,
        cache,
        asked,
        used=window.used,
        after=kept,
        kept_prefix=min(kept, kept_prefix(plan, window)),
        sent=sent,
        told=max(0, summary_tokens) if sent else 0,
        spent_so_far=spent,
    )
    price = price_of(model, settings)
    return tokens if price is None else _priced(tokens, window, price)


def kept_prefix(plan: Plan, window: Window) -> int:
    """Tokens before the first message that the plan changes: system prompt and tools, then what
    stays whole from the start on."""
    limit = len(plan.actions) if plan.summary_at is None else plan.summary_at
    for overrides in (plan.parts, plan.stand_ins, plan.left):
        limit = min(limit, min((i for i, _ in overrides), default=limit)) if limit else 0
    kept = window.overhead
    for i, action in enumerate(plan.actions[:limit]):
        if action is not Action.KEEP:
            break
        kept += window.tokens[i]
    return kept


def _sent(plan: Plan, window: Window, asked: Asked) -> int:
    """What the writer of the summary is sent, in tokens; the wording of the request is not counted.
    A text of its own holds what goes out of the context."""
    if asked is Asked.NOTHING or plan.summary_at is None:
        return 0
    stated = plan.details.get(SENT)
    if isinstance(stated, int) and not isinstance(stated, bool):
        return max(0, stated)
    return window.used if asked is Asked.CONTEXT else plan_tokens(plan, window).summarised


@dataclass(frozen=True, slots=True)
class _Rates:
    """What requests cost: tokens read from the cache, and others that are written to it."""

    price: Price
    cache: ProviderCache

    def request(self, read: int, written: int) -> float:
        rates = self.price.at(read + written)
        if self.cache.warmth is Warmth.UNUSED:
            return (read + written) * rates.input
        writing = rates.writing(self.cache.hour)
        return read * min(rates.reading, writing) + written * writing


def _priced(tokens: Cost, window: Window, price: Price) -> Cost:
    rates = _Rates(price, tokens.cache)
    used, kept, prefix = tokens.used, tokens.after, tokens.kept_prefix
    saves = first = max(0.0, rates.request(used, 0) - rates.request(kept, 0))
    rewrite = 0.0
    if tokens.cache.cold:
        first = max(0.0, rates.request(0, used) - rates.request(0, kept))
    else:
        rewrite = max(0.0, rates.request(prefix, kept - prefix) - rates.request(kept, 0))
    return Cost(
        tokens.model,
        tokens.cache,
        tokens.asked,
        used,
        kept,
        prefix,
        tokens.sent,
        tokens.told,
        priced_by=price.source,
        summary=_summary(tokens, window, price, rates),
        rewrite=rewrite,
        saves_first=first,
        saves_each=saves,
        spent_so_far=tokens.spent_so_far,
    )


def _summary(tokens: Cost, window: Window, price: Price, rates: _Rates) -> float:
    """The summary call. The context once more is read from the cache as far as it is there."""
    told = tokens.told * price.at(tokens.sent).output
    if tokens.asked is Asked.TEXT:
        return tokens.sent * price.at(tokens.sent).input + told
    held = 0 if tokens.cache.cold else min(tokens.sent, window.billed or tokens.sent)
    return rates.request(held, tokens.sent - held) + told
