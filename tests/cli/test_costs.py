"""What plan and inspect say of money."""

from __future__ import annotations

import re
from typing import Any

import pytest

from redline.cli.costs import price_lines, spending_json, spending_lines
from redline.compaction.price import Asked, Cost
from redline.context.provider_cache import ProviderCache, Warmth
from redline.context.spending import spent_on
from redline.model import Billed, Usage
from tests.cli.conftest import Run

DOLLARS = ("rewrite", "once", "saves_first_request", "saves_each_request")


@pytest.mark.parametrize("strategy", ["redline", "pi", "fresh"])
def test_a_plan_has_a_price(run: Run, shop: str, strategy: str) -> None:
    price = run("plan", shop, "--strategy", strategy, "--json").json["price"]
    assert price["source"] == "model table"
    assert all(isinstance(price[name], float) and price[name] >= 0 for name in DOLLARS)
    assert price["cache"]["state"] == "cold", "the samples are long past"
    assert (price["summary_call"]["input_tokens"] > 0) is (strategy == "pi")
    assert price["once"] == pytest.approx(price["summary_call"]["dollars"] + price["rewrite"])
    text = run("plan", shop, "--strategy", strategy).out
    assert "nothing to lose: the cache is cold" in text


def test_inspect_says_what_the_session_has_cost(run: Run, shop: str) -> None:
    cost = run("inspect", shop, "--json").json["cost"]
    models = [*cost["models"], *cost["subagents"]]
    assert cost["dollars"] == pytest.approx(sum(each["dollars"] for each in models), abs=1e-5)
    assert cost["dollars"] > 0
    assert cost["unpriced"] == []
    assert re.search(r"^spent so far \$\d+\.\d\d", run("inspect", shop).out, re.MULTILINE)


def test_prices_of_ones_own_are_taken(run: Run, shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run("inspect", shop, "--json").json["cost"]
    monkeypatch.setenv("REDLINE_PRICES", "*=0/1000000")
    assert run("inspect", shop, "--json").status == 2, "a price is below a dollar a token"
    monkeypatch.setenv("REDLINE_PRICES", "*=0/1000/0/0/0")
    after = run("inspect", shop, "--json").json["cost"]
    output = sum(each["output"] for each in (*before["models"], *before["subagents"]))
    assert after["dollars"] == pytest.approx(output / 1000)
    assert run("plan", shop, "--json").json["price"]["source"] == "settings"


def test_unknown_prices_are_null_and_tokens_are_told() -> None:
    found = spent_on([Billed("1", "nobody-knows-me", Usage(1_000, 2_000, None, 30))])
    json: Any = spending_json(found)
    assert (json["dollars"], json["known_dollars"]) == (None, 0.0)
    assert json["models"][0]["input"] == 1_000
    assert spending_lines(found) == [
        "spent so far ? (price of nobody-knows-me unknown)",
        "  nobody-knows-me  ?  1 request, 3.0k in (2.0k from the cache), 30 out",
    ]
    assert spending_lines(spent_on([])) == []


def test_what_is_said_of_a_price_is_said_once() -> None:
    cold = Cost("m", ProviderCache(Warmth.COLD, 900.0, 300.0), Asked.NOTHING, 100, 90, 10, 0, 0,
                "settings", 0.0, 0.0, 0.5, 0.25)  # fmt: skip
    assert price_lines(cold) == [
        "cache  nothing to lose: the cache is cold; saves $0.50 with the next request, "
        "$0.25 with each after",
        "       the provider's cache: cold, last asked 15 minutes ago",
        "       less than a quarter freed",
    ]
