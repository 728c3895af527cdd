from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from redline.evaluate.joining import empty
from redline.evaluate.plants import Statement, shipped_plants
from redline.evaluate.rounds import Place
from redline.evaluate.ways.assumptions import Rates, assumptions
from redline.evaluate.ways.comparison import AskedWays, figures, runs
from redline.evaluate.ways.context import Context
from redline.evaluate.ways.native import compact, survives
from redline.evaluate.ways.recall import question, recall
from redline.evaluate.ways.script import Request, Told, script
from redline.evaluate.ways.simulation import Outcome, WayName, simulate
from redline.review import Review
from redline.settings import Settings

KNOWN = shipped_plants("known")
PLACE = Place(Settings(tokenizer="estimate"))
RATES = Rates(system_tokens=4_000, summary_characters=3_000, fact_needed_every=20)
WINDOW = 60_000
MODEL = "claude-opus-4-6"


@pytest.fixture(scope="module")
def requests() -> tuple[Request, ...]:
    return script(KNOWN, RATES, seed=1, requests=150)


def run(way: WayName, requests: Sequence[Request], rates: Rates = RATES) -> Outcome:
    return simulate(way, requests, rates, seed=1, window=WINDOW, model=MODEL, place=PLACE)


def test_the_script_is_the_same_from_the_same_seed_and_uses_only_what_was_told(
    requests: tuple[Request, ...],
) -> None:
    assert script(KNOWN, RATES, seed=1, requests=150) == requests
    assert script(KNOWN, RATES, seed=2, requests=150) != requests
    known: set[str] = set()
    for request in requests:
        assert {thing.name for thing in (*request.tests, *request.needs)} <= known
        assert all(thing.is_rule for thing in request.tests)
        assert not any(thing.is_rule for thing in request.needs)
        for thing in request.tells:
            assert thing.statement.text.rstrip(".") in request.prompt
        known |= {thing.name for thing in (*request.tells, *request.shows)}
    assert len(known) == 36
    assert any(request.tests for request in requests)
    assert any(request.needs for request in requests)


def test_a_run_is_the_same_from_the_same_seed(requests: tuple[Request, ...]) -> None:
    for way in (WayName.NONE, WayName.MEMORY):
        assert run(way, requests[:80]) == run(way, requests[:80])


def test_what_is_dropped_is_broken_and_what_is_in_the_context_is_not(
    requests: tuple[Request, ...],
) -> None:
    none, best, block = (run(way, requests) for way in (WayName.NONE, WayName.BEST, WayName.BLOCK))
    assert none.rounds >= 2
    assert none.broken > best.broken
    assert block.broken == 0, "the block holds every rule"
    assert none.interventions > block.interventions > 0, "but no facts"
    assert none.requests == len(requests) + none.interventions + none.reread + none.rounds


def test_where_nothing_is_broken_when_absent_nothing_is_broken(
    requests: tuple[Request, ...],
) -> None:
    assert run(WayName.NONE, requests, replace(RATES, broken_when_absent=0.0)).broken == 0


def test_after_its_own_compaction_an_agent_reads_the_newest_files_again_but_no_large_one() -> None:
    context = Context(empty("c", "/home/dev/app", MODEL), len, 0)
    for name, text in (("a", "x"), ("b", "y" * 900), ("c", "z"), ("d", "w"), ("c", "z2")):
        context.entries += context.made([{"role": "user", "content": text}], reads=name)
    context.entries += context.made([{"role": "assistant", "content": "Done."}])
    rates = replace(RATES, files_again=2, file_again_tokens=500)
    compact(context, (), rates, seed=1, round_number=1, at_best=False)
    assert [entry.reads for entry in context.entries] == ["", "", "c", "d"]
    assert "z2" in context.entries[2].text
    compact(context, (), replace(rates, files_again=9), seed=1, round_number=2, at_best=False)
    assert [entry.reads for entry in context.entries][-2:] == ["c", "d"]


def test_the_proxy_is_not_taken_to_keep_anything_but_searched_for_it(
    requests: tuple[Request, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = run(WayName.PROXY, requests)
    assert honest.rounds >= 2
    assert len(honest.handoff_tokens) == honest.rounds
    assert honest.broken == honest.interventions == 0

    def forgets(review: Review) -> Review:
        return replace(review, text="# Handoff\n\nAll is well.\n")

    monkeypatch.setattr(Review, "write", forgets)
    forgetful = run(WayName.PROXY, requests)
    assert forgetful.broken > 0
    assert forgetful.interventions > forgetful.broken
    assert max(forgetful.handoff_tokens) < min(honest.handoff_tokens)


def test_a_memory_finds_what_would_be_read_again_or_asked(
    requests: tuple[Request, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy, memory = run(WayName.PROXY, requests), run(WayName.MEMORY, requests)
    assert proxy.reread > 0
    assert proxy.recalled == 0
    assert memory.recalled > 0
    assert memory.reread < proxy.reread
    monkeypatch.setattr("redline.evaluate.ways.simulation.recall", lambda *_, **__: ["nothing"])
    empty_memory = run(WayName.MEMORY, requests)
    assert empty_memory.recalled == 0
    assert empty_memory.reread > 0


def test_every_request_is_billed_whole_and_the_cache_takes_no_more_than_was_sent_before(
    requests: tuple[Request, ...],
) -> None:
    one = simulate(
        WayName.NONE, requests[:1], RATES, seed=1, window=WINDOW, model=MODEL, place=PLACE
    )
    assert one.cached_tokens == 0
    assert one.new_tokens >= RATES.system_tokens
    two = simulate(
        WayName.NONE, requests[:2], RATES, seed=1, window=WINDOW, model=MODEL, place=PLACE
    )
    assert two.cached_tokens == one.new_tokens, "all of the first request is read from the cache"
    assert one.dollars is not None
    assert two.dollars is not None
    expected = two.new_tokens * 6.25e-06 + two.cached_tokens * 5e-07 + two.output_tokens * 2.5e-05
    assert two.dollars == pytest.approx(expected)


def test_after_a_compaction_only_the_system_prompt_is_cached() -> None:
    context = Context(empty("run", "/p", MODEL), len, 1_000)
    first, second, third = (
        context.entry({"role": "user", "content": text}) for text in ("a" * 10, "b" * 20, "c" * 30)
    )
    context.add(first, second)
    assert (context.tokens, context.cached()) == (1_030, 0)
    context.add(third)
    assert (context.tokens, context.cached()) == (1_060, 1_030)
    context.entries = [third]
    assert (context.tokens, context.cached()) == (1_030, 1_000)
    assert context.archive == ["a" * 10, "b" * 20, "c" * 30]


def test_a_model_without_a_price_costs_an_unknown_amount(requests: tuple[Request, ...]) -> None:
    asked = AskedWays(KNOWN, requests=20, model="nobody-1", sessions=2, ways=(WayName.NONE,))
    (only,) = figures(list(runs(asked, PLACE)))
    assert only.dollars is None
    assert only.runs == 2
    assert only.billed.mean > 0
    assert only.billed.spread > 0


@pytest.mark.parametrize(
    ("said", "rate"),
    [("port 8080", 0.07), ("see src/a.py", 0.72), ("broken by 9c41d7e", 0.58)],
)
def test_what_the_agents_own_summary_keeps_is_as_measured(said: str, rate: float) -> None:
    thing = Told("x", Statement(said, ((said,),)))
    random = Random(0)
    kept = [survives(thing, Rates(), at_best=False, chance=random.random()) for _ in range(4_000)]
    assert sum(kept) / len(kept) == pytest.approx(rate, abs=0.02)


def test_the_memory_is_asked_without_the_answer() -> None:
    port = Statement("the API listens on port 8080", (("API",), ("8080",)), "8080")
    assert "8080" not in question(port)
    owner = Statement("Priya owns the recommender", (("recommender",), ("Priya",)))
    assert "Priya" not in question(owner)


def test_recall_finds_the_passage_with_the_rarest_words() -> None:
    texts = [
        "the port of the store " * 40,
        "go on",
        "x " * 900 + "the API is on port 8080. " + "y " * 900,
    ]
    found = recall("the API port", texts, passages=1, characters=60)
    assert len(found) == 1
    assert "8080" in found[0]
    assert len(found[0]) <= 60
    assert recall("kumquat", texts, passages=3, characters=60) == []


def test_no_assumption_is_hidden() -> None:
    rates = Rates()
    told = assumptions(rates, MODEL)
    assert all(one.what and one.value and one.source for one in told)
    for field in fields(Rates):
        value = getattr(rates, field.name)
        change: dict[str, Any] = {field.name: value * 2 if value else 0.5}
        assert assumptions(replace(rates, **change), MODEL) != told, f"{field.name} is not told"
