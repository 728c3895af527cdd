"""What a plan costs: by hand, and what must hold for every plan."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.compaction.outline import outline
from redline.compaction.plan import Action, Plan
from redline.compaction.price import (
    COLD,
    FREES_LITTLE,
    FREES_NOTHING,
    SENT,
    Asked,
    Cost,
    cost,
    kept_prefix,
)
from redline.compaction.strategies.registry import names
from redline.context.provider_cache import ProviderCache, Warmth
from redline.context.window import Window
from redline.model import Session
from redline.money import Rates
from redline.settings import Settings
from tests.compaction.windows import OVERHEAD, propose, sessions, window_of
from tests.sessions_in_memory import call, reply, result, session, user

M = 1e-6
WARM = ProviderCache(Warmth.WARM, 60.0, 300.0)
GONE = ProviderCache(Warmth.COLD, 600.0, 300.0)
OPUS = Rates(5 * M, 25 * M, 0.5 * M, 6.25 * M, 10 * M)
GPT = Rates(1.25 * M, 10 * M, 0.125 * M)
DEEPSEEK = Rates(0.28 * M, 0.42 * M, 0.028 * M, 0.0)
GEMINI = Rates(2 * M, 12 * M, 0.2 * M)
PLAIN = Rates(1 * M, 2 * M)


def long_window() -> Window:
    """100,300 tokens: 700 of system prompt, 1,000, 98,300 and 300 of messages."""
    return window_of(session(user("p" * 1_000), reply("r" * 98_300), user("g" * 300)))


def plan_of(window: Window, *actions: Action, strategy: str = "redline", **details: int) -> Plan:
    return Plan(
        strategy=strategy,
        settings={},
        outline=outline(window.session.context),
        actions=actions,
        reasons=("",) * len(actions),
        estimates=(0,) * len(actions),
        summary_at=0 if Action.SUMMARISE in actions else None,
        details=details,
    )


def retold(window: Window, strategy: str = "redline", **details: int) -> Plan:
    """Keeps the last 300 tokens: 4,000 in the next window with a summary of 3,000."""
    summarise = Action.SUMMARISE
    return plan_of(window, summarise, summarise, Action.KEEP, strategy=strategy, **details)


def cost_of(
    plan: Plan,
    window: Window,
    rates: Rates | None = OPUS,
    cache: ProviderCache = WARM,
    summary: int = 3_000,
) -> Cost:
    settings = Settings(prices={"mine": rates}) if rates is not None else None
    return cost(plan, window, model="mine", summary_tokens=summary, cache=cache, settings=settings)


@pytest.mark.parametrize(
    ("rates", "rewrite", "saves"),
    [
        # 3300 written instead of read; 96300 need not be read again
        (OPUS, 3_300 * 5.75 * M, 96_300 * 0.5 * M),
        (GPT, 3_300 * 1.125 * M, 96_300 * 0.125 * M),
        (DEEPSEEK, 3_300 * 0.252 * M, 96_300 * 0.028 * M),
        (GEMINI, 3_300 * 1.8 * M, 96_300 * 0.2 * M),
        (PLAIN, 0.0, 96_300 * 1 * M),
    ],
)
def test_an_offline_summary_costs_only_what_is_written_anew(
    rates: Rates, rewrite: float, saves: float
) -> None:
    window = long_window()
    found = cost_of(retold(window), window, rates)
    assert (found.used, found.after, found.freed) == (100_300, 4_000, 96_300)
    assert (found.kept_prefix, found.rewritten) == (OVERHEAD, 3_300)
    assert (found.sent, found.told, found.summary) == (0, 0, 0.0)
    assert found.rewrite == pytest.approx(rewrite)
    assert found.saves_each == pytest.approx(saves)
    assert found.saves_first == found.saves_each
    assert found.pays_back_after == (1 if rewrite else 0)


def test_a_summary_of_the_agents_own_reads_the_context_once_more_from_the_cache() -> None:
    window = long_window()
    found = cost_of(retold(window, "claude-code"), window)
    assert found.asked is Asked.CONTEXT
    assert found.summary == pytest.approx(100_300 * 0.5 * M + 3_000 * 25 * M)
    assert found.once == pytest.approx(0.144125)
    assert found.pays_back_after == 3  # 0.04815 a request
    assert found.line == ("rewrites 3.3k, about $0.14, saves $0.05 a request, pays back after 3")


def test_what_came_after_the_last_request_is_not_in_the_cache() -> None:
    window = replace(long_window(), billed=100_000)
    found = cost_of(retold(window, "codex"), window)
    expected = 100_000 * 0.5 * M + 300 * 6.25 * M + 3_000 * 25 * M
    assert found.summary == pytest.approx(expected)


def test_a_summary_asked_as_a_text_of_its_own_is_sent_anew() -> None:
    window = long_window()
    found = cost_of(retold(window, "pi"), window)
    assert (found.asked, found.sent) == (Asked.TEXT, 99_300)
    assert found.once == pytest.approx(99_300 * 5 * M + 0.075 + 3_300 * 5.75 * M)
    assert found.pays_back_after == 13


def test_a_strategy_can_say_what_it_sends() -> None:
    window = long_window()
    found = cost_of(retold(window, "hermes", **{SENT: 20_000}), window)
    assert found.summary == pytest.approx(20_000 * 5 * M + 0.075)


def test_a_cold_cache_leaves_nothing_to_lose() -> None:
    window = long_window()
    found = cost_of(retold(window), window, cache=GONE)
    assert (found.rewrite, found.once, found.pays_back_after) == (0.0, 0.0, 0)
    assert found.saves_first == pytest.approx(96_300 * 6.25 * M)
    assert found.saves_each == pytest.approx(96_300 * 0.5 * M)
    assert COLD in found.words
    assert found.line.startswith(COLD)


def test_a_summary_asked_with_a_cold_cache_is_paid_in_full() -> None:
    window = long_window()
    found = cost_of(retold(window, "claude-code"), window, cache=GONE)
    assert found.once == pytest.approx(100_300 * 6.25 * M + 0.075)
    assert found.pays_back_after == 4  # 0.601875 at once, then 0.04815 each
    assert f"{COLD}; the summary about $0.70, pays back after 4" in found.line


def test_what_is_written_for_an_hour_costs_more() -> None:
    window = long_window()
    found = cost_of(retold(window), window, cache=replace(WARM, hour=True))
    assert found.rewrite == pytest.approx(3_300 * 9.5 * M)


def test_without_a_cache_in_use_all_is_input() -> None:
    window = long_window()
    found = cost_of(retold(window), window, cache=ProviderCache(Warmth.UNUSED))
    assert found.rewrite == 0
    assert found.saves_each == pytest.approx(96_300 * 5 * M)


def test_an_unknown_price_stays_unknown_and_tokens_are_told() -> None:
    window = long_window()
    found = cost_of(retold(window, "pi"), window, None)
    assert (found.once, found.saves_each, found.pays_back_after) == (None, None, None)
    assert (found.freed, found.sent, found.rewritten) == (96_300, 99_300, 3_300)
    assert "the price of mine is unknown" in found.words
    assert found.line == "rewrites 3.3k, price unknown"


@pytest.mark.parametrize(
    ("summary", "words"),
    [(3_000, None), (76_000, FREES_LITTLE), (99_300, FREES_NOTHING), (200_000, FREES_NOTHING)],
)
def test_a_plan_that_gains_little_is_told_plainly(summary: int, words: str | None) -> None:
    window = long_window()
    found = cost_of(retold(window), window, summary=summary)
    assert [w for w in found.words if w in (FREES_LITTLE, FREES_NOTHING)] == [words] * bool(words)
    if words == FREES_NOTHING:
        assert found.pays_back_after is None
        assert "never pays back" in found.words


def test_what_stands_before_the_first_change_stays_in_the_cache() -> None:
    window = window_of(
        session(
            user("u" * 100),
            call("Bash", {}, call_id="a"),
            result("x" * 5_000, call_id="a"),
            reply("r" * 50),
        )
    )
    first = sum(window.tokens[:2])
    keep, clear = Action.KEEP, Action.CLEAR
    cleared = plan_of(window, keep, keep, clear, keep, strategy="clear")
    assert kept_prefix(cleared, window) == OVERHEAD + first
    found = cost_of(cleared, window)
    assert (found.sent, found.summary) == (0, 0.0)
    assert found.rewritten == 12 + 50  # the placeholder and what follows it
    assert kept_prefix(plan_of(window, keep, keep, keep, keep), window) == window.used


def test_a_summary_at_the_end_leaves_the_kept_start_in_the_cache() -> None:
    window = long_window()
    plan = replace(plan_of(window, Action.KEEP, Action.SUMMARISE, Action.KEEP), summary_at=1)
    assert kept_prefix(plan, window) == OVERHEAD + 1_000
    assert kept_prefix(replace(plan, summary_at=0), window) == OVERHEAD


def test_a_part_that_is_treated_on_its_own_ends_the_prefix() -> None:
    window = window_of(
        session(user("u" * 100), call("A", {}, call_id="a"), result("x", call_id="a"))
    )
    keep = Action.KEEP
    plan = replace(plan_of(window, keep, keep, keep), parts={(2, 0): Action.CLEAR})
    assert kept_prefix(plan, window) == OVERHEAD + sum(window.tokens[:2])


_PRICES = st.floats(0, 1e-3)
_OPTIONAL = st.none() | _PRICES
_RATES = st.builds(Rates, _PRICES, _PRICES, _OPTIONAL, _OPTIONAL, _OPTIONAL)
_CACHES = st.builds(
    ProviderCache,
    st.sampled_from(Warmth),
    st.none() | st.floats(0, 1e6),
    st.just(300.0),
    st.booleans(),
)


@given(sessions, st.sampled_from(names()), _RATES, _CACHES, st.integers(0, 20_000))
def test_no_cost_is_below_zero_and_it_pays_back_when_it_says(
    opened: Session,
    name: str,
    rates: Rates,
    cache: ProviderCache,
    summary: int,
) -> None:
    window = window_of(opened)
    plan = propose(window, name)
    found = cost_of(plan, window, rates, cache, summary)
    assert 0 <= found.kept_prefix <= found.after
    assert min(found.freed, found.sent, found.told, found.rewritten) >= 0
    once, first, each = found.once, found.saves_first, found.saves_each
    assert once is not None
    assert first is not None
    assert each is not None
    assert min(once, first, each, found.summary or 0, found.rewrite or 0) >= 0
    slack = 1e-9 * (1 + once)

    def saved(requests: int) -> float:
        return first + (requests - 1) * each if requests else 0.0

    back = found.pays_back_after
    if back is None:
        assert saved(1) < once
        assert each == 0
    else:
        assert saved(back) >= once - slack
        assert back == 0 or saved(back - 1) < once + slack


@given(st.data(), sessions, _RATES, _CACHES, st.integers(0, 9_000), st.integers(0, 9_000))
def test_more_freed_never_saves_less(
    data: st.DataObject, opened: Session, rates: Rates, cache: ProviderCache, one: int, other: int
) -> None:
    window = window_of(opened)
    found = sorted(
        (
            cost_of(
                propose(window, data.draw(st.sampled_from(names()))), window, rates, cache, size
            )
            for size in (one, other)
        ),
        key=lambda each: each.freed,
    )
    less, more = ((each.saves_each or 0.0, each.saves_first or 0.0) for each in found)
    assert less[0] <= more[0] + 1e-12
    assert less[1] <= more[1] + 1e-12
