"""Whether the provider still holds what it was last sent, by the time of the last request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import islice

from redline.context.billed import billed_input
from redline.model import Message, Session

_MINUTE = 60
_HOUR = 60 * _MINUTE
# How long a prefix that nobody asks for stays, at least and at most, in seconds. Anthropic: five
# minutes, or an hour where it was written so. OpenAI: five to ten minutes, in quiet times up to an
# hour, from GPT-5.5 on up to a day (all by their documentation of prompt caching).
_ANTHROPIC = (5 * _MINUTE, 5 * _MINUTE)
_ANTHROPIC_HOUR = (_HOUR, _HOUR)
_OPENAI = (5 * _MINUTE, _HOUR)
_OPENAI_DAY = (5 * _MINUTE, 24 * _HOUR)
_CLAUDE = "claude"
_OPENAI_NAMES = re.compile(r"(?:gpt|o[1-9]|codex|chatgpt)(?:-(\d+)(?:\.(\d+))?)?")
_LONGER_FROM = (5, 5)
_ENOUGH = 3  # requests without a token from the cache, after which it is taken to be unused


class Warmth(StrEnum):
    """What is known of a provider's cache; `UNUSED` where the requests make no use of it."""

    WARM = "warm"
    PERHAPS = "perhaps"
    COLD = "cold"
    UNUSED = "unused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ProviderCache:
    """`idle` are the seconds since the last request, `lasts` those that it is kept at least after
    one; None where unknown. `hour` says that the agent writes to it for an hour."""

    warmth: Warmth = Warmth.UNKNOWN
    idle: float | None = None
    lasts: float | None = None
    hour: bool = False

    @property
    def cold(self) -> bool:
        return self.warmth is Warmth.COLD

    @property
    def words(self) -> str:
        """`warm for 3 more minutes`, `cold for 12 minutes`."""
        if self.warmth is Warmth.WARM and self.lasts is not None and self.idle is not None:
            return f"warm for {_span(self.lasts - self.idle)} more"
        if self.warmth is Warmth.COLD and self.lasts is not None and self.idle is not None:
            return f"cold, last asked {_span(self.idle)} ago"
        return _WORDS[self.warmth]


_WORDS = {
    Warmth.WARM: "warm",
    Warmth.PERHAPS: "perhaps still warm",
    Warmth.COLD: "cold",
    Warmth.UNUSED: "not used",
    Warmth.UNKNOWN: "unknown whether warm",
}


def provider_cache(session: Session, now: datetime) -> ProviderCache:
    """The cache of the provider that answered last, at `now` (aware)."""
    asked = _newest_requests(session)
    last = next(asked, None)
    if last is None:
        return ProviderCache()
    if _is_unused([last, *islice(asked, _ENOUGH - 1)]):
        return ProviderCache(Warmth.UNUSED)
    model = (last.model or session.info.model or "").lower()
    hour = _CLAUDE in model and _for_an_hour(session)
    kept = _kept(model, hour)
    idle = None if last.time is None else max(0.0, (now - last.time).total_seconds())
    if kept is None or idle is None:
        return ProviderCache(Warmth.UNKNOWN, idle, hour=hour)
    least, most = kept
    warmth = Warmth.WARM if idle < least else Warmth.PERHAPS if idle < most else Warmth.COLD
    return ProviderCache(warmth, idle, least, hour)


def _newest_requests(session: Session) -> Iterator[Message]:
    """The replies of the context that were billed, the newest first."""
    return (m for m in reversed(session.context) if billed_input(m) is not None)


def _is_unused(newest: Sequence[Message]) -> bool:
    usages = [message.usage for message in newest if message.usage is not None]
    return len(usages) == _ENOUGH and all(
        usage.cache_read == 0 and not usage.cache_write for usage in usages
    )


def _for_an_hour(session: Session) -> bool:
    """Whether the last request that wrote to the cache did so for an hour."""
    for message in _newest_requests(session):
        if message.usage is not None and message.usage.cache_write:
            return bool(message.usage.cache_write_1h)
    return False


def _kept(name: str, hour: bool) -> tuple[int, int] | None:
    if _CLAUDE in name:
        return _ANTHROPIC_HOUR if hour else _ANTHROPIC
    match = _OPENAI_NAMES.match(name.rsplit("/", 1)[-1])
    if match is None:
        return None
    longer = match[1] is not None and (int(match[1]), int(match[2] or 0)) >= _LONGER_FROM
    return _OPENAI_DAY if longer else _OPENAI


def _span(seconds: float) -> str:
    minutes = round(seconds / _MINUTE)
    if minutes < 1:
        return "less than a minute"
    if minutes < 120:
        return f"{minutes} minute{'s' if minutes != 1 else ''}"
    hours = round(minutes / 60)
    return f"{hours} hours" if hours < 72 else f"{round(hours / 24)} days"
