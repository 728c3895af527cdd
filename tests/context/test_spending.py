"""What sessions have cost: each request once, whatever its records repeat."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from redline.agents.opening import open_session, scan
from redline.context.spending import Spending, spending, spent_on
from redline.model import Billed, Usage
from redline.money import Rates
from redline.settings import Settings
from tests.agents.claude_code import writing as claude

M = 1e-6
OPUS = Rates(5 * M, 25 * M, 0.5 * M, 6.25 * M, 10 * M)
SETTINGS = Settings(prices={"claude-*": OPUS})


def billed(sent: int, output: int, **more: int) -> dict[str, Any]:
    return {"input_tokens": sent, "output_tokens": output, **more}


def of(path: Path, settings: Settings = SETTINGS) -> Spending:
    return spending(open_session(path), settings)


class TestOneRequestCountsOnce:
    def test_whatever_its_records_repeat(self, tmp_path: Path) -> None:
        """A01: three records of one reply, the last with the whole output."""
        more = {"cache_read_input_tokens": 15_030, "cache_creation_input_tokens": 8_655}
        records = [
            claude.user("u1", None, "go"),
            claude.reply("a1", "u1", "m1", claude.thinking("hm"), usage=billed(2, 1, **more)),
            claude.reply("a2", "a1", "m1", claude.text("so"), usage=billed(2, 1, **more)),
            claude.reply("a3", "a2", "m1", claude.call("t1"), usage=billed(2, 300, **more)),
        ]
        (spent,) = of(claude.write(tmp_path, records)).own
        assert (spent.requests, spent.usage) == (1, Usage(2, 15_030, 8_655, 300))
        assert spent.dollars == pytest.approx(
            2 * 5 * M + 15_030 * 0.5 * M + 8_655 * 6.25 * M + 300 * 25 * M
        )

    def test_also_on_a_branch_that_was_left_and_before_a_compaction(self, tmp_path: Path) -> None:
        records = [
            claude.user("u1", None, "go"),
            claude.reply("a1", "u1", "m1", claude.text("one"), usage=billed(100, 10)),
            claude.user("u2", "a1", "no"),
            claude.reply("a2", "u2", "m2", claude.text("left"), usage=billed(200, 20)),
            claude.user("u3", "a1", "yes"),
            claude.reply("a3", "u3", "m3", claude.text("live"), usage=billed(300, 30)),
            claude.boundary("b1", logical="a3"),
            claude.summary("s1", "b1"),
            claude.reply("a4", "s1", "m4", claude.text("on"), usage=billed(50, 5)),
        ]
        (spent,) = of(claude.write(tmp_path, records)).own
        assert (spent.requests, spent.usage.input, spent.usage.output) == (4, 650, 65)

    def test_what_no_model_said_costs_nothing(self, tmp_path: Path) -> None:
        records = [
            *claude.start(),
            claude.reply("a2", "a1", "m2", claude.text("error"), model="<synthetic>",
                         usage=billed(900, 9)),
        ]  # fmt: skip
        assert of(claude.write(tmp_path, records)) == Spending()

    def test_subagents_are_told_apart_and_their_copies_of_the_session_are_not_counted(
        self, tmp_path: Path
    ) -> None:
        main = claude.reply("a1", "u1", "m1", claude.text("one"), usage=billed(100, 10))
        path = claude.write(tmp_path, [claude.user("u1", None, "go"), main])
        folder = f"{claude.SESSION_ID}/subagents"
        aside: Any = {"isSidechain": True}
        claude.write(
            tmp_path,
            [
                claude.user("x1", None, "look", **aside),
                claude.reply("x2", "x1", "m1", claude.text("copy"), usage=billed(100, 10), **aside),
                claude.reply("x3", "x2", "m9", claude.text("own"), usage=billed(40, 4),
                             model="claude-haiku-4-5", **aside),
            ],
            f"{folder}/agent-a1.jsonl",
        )  # fmt: skip
        claude.write(
            tmp_path,
            [claude.reply("y1", None, "m7", claude.text("sum"), usage=billed(90, 9), **aside)],
            f"{folder}/agent-acompact-1.jsonl",
        )
        found = of(path)
        assert [(s.model, s.usage.input) for s in found.own] == [(claude.MODEL, 190)]
        assert [(s.model, s.usage.input) for s in found.aside] == [("claude-haiku-4-5", 40)]
        assert found.words == "under $0.01, under $0.01 of it by subagents"
        alone = of(tmp_path / folder / "agent-a1.jsonl")
        assert not alone.aside, "opened by itself it is the session"


class TestUnknownStaysUnknown:
    def test_one_model_without_a_price_leaves_a_least_sum(self) -> None:
        found = spent_on(
            [
                Billed("1", "claude-x", Usage(1_000_000, 0, 0, 0)),
                Billed("2", "nobody-knows-me", Usage(10, 0, 0, 1)),
            ],
            SETTINGS,
        )
        assert found.dollars is None
        assert found.known_dollars == pytest.approx(5.0)
        assert found.words == "at least $5.00 (price of nobody-knows-me unknown)"

    def test_nothing_told_is_not_nothing_paid(self, tmp_path: Path) -> None:
        found = of(claude.write(tmp_path, claude.start()))
        assert (found, found.dollars, found.words) == (Spending(), None, "")

    def test_what_the_agent_took_it_to_cost_stands_in_for_a_price(self) -> None:
        usage = Usage(10, 0, 0, 1)
        requests = [Billed("1", "their-own", usage, dollars=0.25), Billed("2", "their-own", usage)]
        (one,) = spent_on(requests[:1]).own
        assert (one.dollars, one.by_agent) == (0.25, True)
        (both,) = spent_on(requests).own
        assert (both.dollars, both.by_agent) == (None, False)


# -- against a sum of its own kind over the raw files of real sessions ----------------------------


@dataclass
class Naive:
    sent: int = 0
    read: int = 0
    written: int = 0
    output: int = 0


def raw_objects(path: Path) -> Iterator[dict[str, Any]]:
    """Every object of every line, glued or not, with nothing of the program's."""
    decoder = json.JSONDecoder()
    for line in path.read_bytes().decode("utf-8", "replace").split("\n"):
        at = 0
        while (at := line.find("{", at)) >= 0:
            try:
                value, at = decoder.raw_decode(line, at)
            except ValueError:
                break
            if isinstance(value, dict):
                yield value


def naive_claude(files: Sequence[Path]) -> Naive:
    replies: dict[str, Mapping[str, Any]] = {}
    outputs: dict[str, int] = {}
    for path in files:
        for value in raw_objects(path):
            message = value.get("message")
            if value.get("type") != "assistant" or not isinstance(message, dict):
                continue
            if message.get("model") == "<synthetic>" or not message.get("usage"):
                continue
            name = message["id"]
            replies[name] = message["usage"]
            outputs[name] = max(outputs.get(name, 0), message["usage"]["output_tokens"])
    found = Naive(output=sum(outputs.values()))
    for usage in replies.values():
        found.sent += usage["input_tokens"]
        found.read += usage.get("cache_read_input_tokens") or 0
        found.written += usage.get("cache_creation_input_tokens") or 0
    return found


def totals(found: Spending) -> Naive:
    usages = [spent.usage for spent in (*found.own, *found.aside)]
    return Naive(
        sum(u.input or 0 for u in usages),
        sum(u.cache_read or 0 for u in usages),
        sum(u.cache_write or 0 for u in usages),
        sum(u.output or 0 for u in usages),
    )


@pytest.mark.real
def test_a_session_of_claude_code_adds_up_to_its_raw_records(real_sessions: Path) -> None:
    seen = 0
    for path in sorted((real_sessions / "claude_code").rglob("*.jsonl")):
        if "subagents" in path.parts:
            continue
        aside = sorted(path.with_suffix("").glob("subagents/*.jsonl"))
        found = of(path)
        assert totals(found) == naive_claude([path, *aside]), path
        assert found.dollars is not None
        assert 0.05 < found.dollars < 50, path
        seen += 1
    assert seen >= 10


@pytest.mark.real
def test_a_session_of_codex_adds_up_to_its_own_total(real_sessions: Path) -> None:
    seen = 0
    for path in sorted((real_sessions / "codex").glob("*.jsonl")):
        infos = [v["payload"]["info"] for v in raw_objects(path)
                 if isinstance(v.get("payload"), dict) and v["payload"].get("type") == "token_count"
                 and v["payload"].get("info")]  # fmt: skip
        if not infos or path.name.startswith(("sipcode", "kvsankar_compaction")):
            continue  # only a beginning, and one whose counts are made up
        total = infos[-1]["total_token_usage"]
        found = totals(of(path))
        assert found.sent + found.read + found.written == total["input_tokens"], path
        assert found.read == total["cached_input_tokens"], path
        assert found.output == total["output_tokens"], path
        seen += 1
    assert seen >= 4


@pytest.mark.real
def test_a_session_of_pi_costs_what_pi_itself_wrote_down(real_sessions: Path) -> None:
    for name in ("before-compaction.v3-migrated.jsonl", "large-session.jsonl"):
        path = real_sessions / "pi" / name
        usages = [
            value["message"]["usage"]
            for value in raw_objects(path)
            if isinstance(value.get("message"), dict) and value["message"].get("usage")
        ]
        found = spending(open_session(path))
        assert totals(found) == Naive(
            sum(u["input"] for u in usages),
            sum(u["cacheRead"] for u in usages),
            sum(u["cacheWrite"] for u in usages),
            sum(u["output"] for u in usages),
        )
        theirs = sum(u["cost"]["total"] for u in usages)
        assert found.dollars == pytest.approx(theirs, rel=0.01)


@pytest.mark.real
def test_a_session_of_hermes_costs_what_its_row_counts(real_sessions: Path) -> None:
    prices = Settings(prices={"*": Rates(1 * M, 2 * M, 0.5 * M)})
    for name in ("state.db", "state_v31.db", "export_sessions.jsonl"):
        info = next(i for i in scan(real_sessions / "hermes" / name) if "a1b2c3" in i.id)
        found = spending(open_session(info), prices)
        assert totals(found) == Naive(412_000, 350_000, 0, 18_400)
        assert found.dollars == pytest.approx(0.412 + 0.175 + 0.0368)
