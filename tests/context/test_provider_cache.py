from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from redline.context.provider_cache import ProviderCache, Warmth, provider_cache
from redline.model import Session, Usage
from tests.sessions_in_memory import START, Draft, reply, session, user

READ = Usage(10, 5_000, 100, 20)


def asked(model: str, *usages: Usage) -> Session:
    replies: list[Draft] = [reply("done", time=START, usage=u, model=model) for u in usages]
    return session(user("go"), *replies)


@pytest.mark.parametrize(
    ("model", "seconds", "warmth"),
    [
        ("claude-opus-4-8", 0, Warmth.WARM),
        ("claude-opus-4-8", 299, Warmth.WARM),
        ("anthropic/claude-opus-4-8", 300, Warmth.COLD),
        ("gpt-5.3-codex", 299, Warmth.WARM),
        ("openai/gpt-5.3-codex", 301, Warmth.PERHAPS),
        ("gpt-5.3-codex", 3_601, Warmth.COLD),
        ("gpt-5.5", 3_601, Warmth.PERHAPS),
        ("gpt-5.5", 86_401, Warmth.COLD),
        ("deepseek-chat", 10, Warmth.UNKNOWN),
        ("gemini-2.5-pro", 10, Warmth.UNKNOWN),
    ],
)
def test_a_cache_is_warm_as_long_as_its_provider_keeps_it(
    model: str, seconds: int, warmth: Warmth
) -> None:
    now = START + timedelta(seconds=seconds)
    assert provider_cache(asked(model, READ), now).warmth is warmth


def test_what_was_written_for_an_hour_stays_for_an_hour() -> None:
    hour = Usage(10, 5_000, 100, 20, cache_write_1h=100)
    only_read = Usage(10, 5_100, 0, 20, cache_write_1h=0)
    opened = asked("claude-opus-4-8", READ, hour, only_read)
    cache = provider_cache(opened, START + timedelta(minutes=59))
    assert cache == ProviderCache(Warmth.WARM, 3_540.0, 3_600.0, hour=True)
    assert cache.words == "warm for 1 minute more"
    cold = provider_cache(opened, START + timedelta(minutes=61))
    assert cold.cold
    assert cold.words == "cold, last asked 61 minutes ago"


def test_later_writes_for_five_minutes_end_the_hour() -> None:
    hour = Usage(10, 5_000, 100, 20, cache_write_1h=100)
    opened = asked("claude-opus-4-8", hour, Usage(10, 5_000, 100, 20, cache_write_1h=0))
    assert provider_cache(opened, START + timedelta(minutes=6)).cold


def test_without_a_request_or_its_time_nothing_is_known() -> None:
    assert provider_cache(session(user("go"), reply("done")), START) == ProviderCache()
    opened = asked("claude-opus-4-8", READ)
    context = tuple(replace(message, time=None) for message in opened.context)
    cache = provider_cache(replace(opened, context=context), START)
    assert (cache.warmth, cache.idle) == (Warmth.UNKNOWN, None)


def test_a_clock_that_is_behind_makes_no_cache_colder() -> None:
    cache = provider_cache(asked("claude-opus-4-8", READ), START - timedelta(days=1))
    assert (cache.warmth, cache.idle) == (Warmth.WARM, 0.0)


def test_requests_that_never_read_from_it_make_no_use_of_the_cache() -> None:
    none = Usage(5_000, 0, None, 20)
    assert provider_cache(asked("qwen3-coder", none, none, none), START).warmth is Warmth.UNUSED
    assert provider_cache(asked("claude-opus-4-8", none, none), START).warmth is Warmth.WARM
    assert provider_cache(asked("gpt-5", none, none, none, READ), START).warmth is Warmth.WARM
