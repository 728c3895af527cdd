"""Prices by hand: each sum below was worked out on paper from dollars a million tokens."""

from __future__ import annotations

from typing import Any

import pytest

from redline.context.prices import Price, listed_price, price_of
from redline.model import Usage
from redline.money import Rates
from redline.settings import Settings

M = 1e-6


def entry(read_in: float, out: float, **more: float) -> dict[str, Any]:
    fields = {f"{name}_cost": amount * M for name, amount in more.items()}
    spelt = {name.removesuffix("_cost"): amount for name, amount in fields.items()}
    return {
        "mode": "chat",
        "input_cost_per_token": read_in * M,
        "output_cost_per_token": out * M,
        **spelt,
    }


READ, WRITE = "cache_read_input_token_cost", "cache_creation_input_token_cost"
TABLE: dict[str, Any] = {
    "claude-opus-4-8": entry(5, 25, **{READ: 0.5, WRITE: 6.25, f"{WRITE}_above_1hr": 10}),
    "anthropic.claude-sonnet-4-20250514-v1:0": entry(
        3,
        15,
        **{
            READ: 0.3,
            WRITE: 3.75,
            "input_cost_per_token_above_200k_tokens": 6,
            "output_cost_per_token_above_200k_tokens": 22.5,
            f"{READ}_above_200k_tokens": 0.6,
            f"{WRITE}_above_200k_tokens": 7.5,
        },
    ),
    "us.anthropic.claude-sonnet-4-20250514-v1:0": entry(3.3, 16.5),
    "gpt-5.4": entry(
        2.5,
        15,
        **{
            READ: 0.25,
            "input_cost_per_token_above_272k_tokens": 5,
            "output_cost_per_token_above_272k_tokens": 22.5,
            f"{READ}_above_272k_tokens": 0.5,
            "input_cost_per_token_priority": 99,
            "input_cost_per_token_above_272k_tokens_priority": 99,
        },
    ),
    "deepseek/deepseek-chat": entry(0.28, 0.42, **{READ: 0.028, WRITE: 0}),
    "gemini-2.5-pro": entry(
        1.25,
        10,
        **{
            READ: 0.125,
            "input_cost_per_token_above_200k_tokens": 2.5,
            "output_cost_per_token_above_200k_tokens": 15,
            f"{READ}_above_200k_tokens": 0.25,
            f"{WRITE}_above_200k_tokens": 0.25,  # no price to write: not below 200k, so nowhere
        },
    ),
    "plain/no-cache": entry(1, 2),
    "ranged": {
        "mode": "chat",
        "tiered_pricing": [
            {
                "range": [0, 256_000.0],
                "input_cost_per_token": 1 * M,
                "output_cost_per_token": 4 * M,
            },
            {"range": [256_000.0, 1e6], "input_cost_per_token": 2 * M},
        ],
    },
    "here/disputed": entry(1, 2),
    "there/disputed": entry(1, 3),
    "free": entry(0, 0),
    "picture": {**entry(1, 2), "mode": "image_generation"},
    "only-input": {"mode": "chat", "input_cost_per_token": 1 * M},
    "odd": {"mode": "chat", "input_cost_per_token": "1", "output_cost_per_token": True},
    "below": entry(-1, 2),
    "endless": entry(float("inf"), 2),
    "nothing": None,
}


def cost_of(model: str, usage: Usage) -> float:
    price = listed_price(model, TABLE)
    assert price is not None
    return price.of(usage)


@pytest.mark.parametrize(
    ("model", "usage", "cost"),
    [
        # 1000 x 5 + 90000 x 0.5 + 1500 x 6.25 + 500 x 10 (for an hour) + 400 x 25
        ("claude-opus-4-8[1m]", Usage(1_000, 90_000, 2_000, 400, 500), 0.074375),
        # 100000 x 3 + 50 x 15, then all of it at the second step
        ("claude-sonnet-4-20250514", Usage(100_000, 0, 0, 50), 0.30075),
        ("claude-sonnet-4-20250514", Usage(10, 210_000, 1_000, 100), 0.13581),
        # for an hour: twice the input, 1000 x 6
        ("claude-sonnet-4-20250514", Usage(0, 0, 1_000, 0, 1_000), 0.006),
        # 272000 tokens are not above 272k
        ("gpt-5.4", Usage(2_000, 270_000, None, 0), 0.0725),
        ("gpt-5.4-2026-03-05", Usage(2_001, 270_000, None, 0), 0.145005),
        ("openai/gpt-5.4", Usage(1_000, None, 4_000, 10), 0.01265),
        # a miss, whether counted as written or not, is input: (1000 + 3000) x 0.28 + ...
        ("deepseek-chat", Usage(1_000, 50_000, 3_000, 200), 0.002604),
        ("gemini/gemini-2.5-pro", Usage(5_000, 0, None, 100), 0.00725),
        ("gemini-2.5-pro", Usage(1_000, 199_000, 1_000, 0), 0.05475),
        ("no-cache", Usage(100, 900, 1_000, 10), 0.00202),
        ("ranged", Usage(256_000, 0, 0, 1_000), 0.26),
        ("ranged", Usage(256_001, 0, 0, 1_000), 0.516002),
        ("claude-opus-4-8", Usage(None, -5, None, None), 0.0),
    ],
)
def test_a_request_costs_what_it_costs_by_hand(model: str, usage: Usage, cost: float) -> None:
    assert cost_of(model, usage) == pytest.approx(cost, abs=1e-12)


@pytest.mark.parametrize(
    "model",
    [
        "",
        "nobody-knows-me",
        "disputed",
        "free",
        "picture",
        "only-input",
        "odd",
        "below",
        "endless",
        "nothing",
    ],
)
def test_an_unknown_price_stays_unknown(model: str) -> None:
    assert listed_price(model, TABLE) is None


def test_a_single_region_is_asked_only_by_its_own_name() -> None:
    here = listed_price("us.anthropic.claude-sonnet-4-20250514-v1:0", TABLE)
    assert here is not None
    assert here.rates.input == pytest.approx(3.3 * M)


def test_a_sum_of_many_requests_is_priced_by_their_mean_size() -> None:
    price = listed_price("gpt-5.4", TABLE)
    assert price is not None
    total = Usage(300_000, 0, 0, 0)
    assert price.of(total, requests=3) == pytest.approx(0.75)
    assert price.of(total, requests=0) == pytest.approx(0.75)
    assert price.of(total) == pytest.approx(1.5)


def test_a_persons_own_price_comes_first() -> None:
    settings = Settings(prices={"claude-*": Rates(1.0, 2.0), "gpt-*": Rates(3.0, 4.0)})
    assert price_of("Claude-Opus-4-8", settings) == Price(Rates(1.0, 2.0), source="settings")
    assert price_of(None, settings) is None


def test_litellms_own_table_knows_the_models_of_today() -> None:
    for model in ("claude-opus-4-5-20251101", "gpt-5.3-codex", "deepseek-chat", "gemini-2.5-pro"):
        price = price_of(model)
        assert price is not None
        assert price.source == "model table"
        assert 0 < price.rates.reading < price.rates.input < price.rates.output
    assert price_of("made-up/model-64k") is None
