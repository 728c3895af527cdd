"""What was billed is read for what it is, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.opening import open_session
from redline.context.window import Source
from tests.faults.dialects import (
    ASK,
    CLAUDE_CODE,
    CODEX,
    ID,
    JSON,
    PI,
    PLAIN,
    Call,
    Dialect,
    Prompt,
    Reply,
    Result,
    line,
)
from tests.faults.surfaces import Commands, said, window

STRANGE: list[Any] = [
    None,
    "120",
    "",
    -5,
    0,
    2.5,
    float("nan"),
    float("inf"),
    True,
    False,
    [],
    [120],
    {},
    {"tokens": 120},
    10**30,
    -(10**30),
]


# Codex counts in events of their own; what they may hold is tried below.
INSIDE = pytest.mark.parametrize("inside", [CLAUDE_CODE, PI, PLAIN], ids=lambda one: one.name)


@INSIDE
@pytest.mark.parametrize("field", ["input", "output", "read", "write"])
def test_a_count_that_is_none_costs_no_text_and_adds_up_to_nothing(
    home: Path, inside: Dialect, commands: Commands, field: str
) -> None:
    """A47: null, text, below zero, a fraction, true, a list, an object, NaN, absurdly many."""
    for value in STRANGE:
        usage = {"input": 10, "output": 40, "read": 900, "write": 90} | {field: value}
        path = inside.write(home, *ASK[:3], Reply("Fixed.", usage))
        session = open_session(path)
        assert said(session) == ["Fix the login", "login.py", "Fixed."]
        found = window(session)
        assert found.used >= 0
        assert min(found.tokens) >= 0
        known = {"input": 990, "output": 1000, "read": 100, "write": 910}[field]
        assert session.info.billed == known, value
        assert found.billed == known, value
    for value in (None, -5, "120"):
        usage = {"input": value, "output": value, "read": value, "write": value}
        found = window(open_session(inside.write(home, *ASK[:3], Reply("Fixed.", usage))))
        assert found.billed is None
        assert found.source is Source.ESTIMATED


@INSIDE
@pytest.mark.parametrize("usage", [None, [], "120", 5, True, {"input": {}}, {"other": 1}])
def test_a_usage_of_another_shape_is_none(
    home: Path, inside: Dialect, commands: Commands, usage: Any
) -> None:
    """A47: the whole usage is not what it should be."""
    groups = inside.lines(*ASK)
    last = json.loads(groups[-1][0])
    last.get("message", last)["usage"] = usage
    groups[-1][0] = line(last)
    found = commands.json("inspect", str(inside.write_lines(home, groups)))
    assert found["window"]["billed"] is None
    assert found["window"]["source"] == "estimated"


CODEX_FIELDS = ("input_tokens", "cached_input_tokens", "output_tokens", "total_tokens")


@pytest.mark.parametrize("field", [*CODEX_FIELDS, "last_token_usage", "info", "window"])
def test_a_count_of_codex_that_is_none_costs_no_text(
    home: Path, commands: Commands, field: str
) -> None:
    """A47: in the event that counts, in its place or one floor up."""
    for value in STRANGE[::2]:
        groups = CODEX.lines(*ASK)
        event = json.loads(groups[-1][-1])
        info = event["payload"]["info"]
        if field == "info":
            event["payload"]["info"] = value
        elif field == "window":
            info["model_context_window"] = value
        elif field == "last_token_usage":
            info[field] = value
        else:
            info["last_token_usage"][field] = value
            info["total_token_usage"][field] = value
        groups[-1][-1] = line(event)
        session = open_session(CODEX.write_lines(home, groups))
        assert said(session) == ["Fix the login", "login.py", "Fixed."]
        found = window(session)
        assert min(found.tokens) >= 0
        assert found.billed in (None, 1000)
        assert session.info.billed in (None, 1000)
        assert found.limit is None or found.limit > 0
        gauge = session.gauge
        if gauge is not None:
            assert gauge.percent_left is None or 0 <= gauge.percent_left <= 100
            assert gauge.active is None or gauge.active >= 0
    for value in (None, -5, float("nan"), 10**30):
        event["payload"]["info"] = {"last_token_usage": dict.fromkeys(CODEX_FIELDS, value)}
        groups[-1][-1] = line(event)
        assert commands.all(CODEX.write_lines(home, groups))["window"]["billed"] is None


def test_what_is_used_is_the_whole_input_side(home: Path, dialect: Dialect) -> None:
    """A05: a placeholder of 0 or 1 beside what the cache gave."""
    for sent in (0, 1, 2):
        usage = {"input": sent, "read": 90_000, "write": 2_000, "output": 1}
        found = window(open_session(dialect.write(home, *ASK[:3], Reply("Fixed.", usage))))
        assert found.billed == 92_000 + sent
        assert found.used >= 92_000


def _several(usages: list[JSON | None], **same: Any) -> list[list[bytes]]:
    """A prompt, then one reply of Claude Code as several records, one a usage."""
    usual = CLAUDE_CODE.lines(Prompt("Fix the login"), *(Reply(f"Part {n}.") for n in range(9)))
    groups = usual[: 2 + len(usages)]
    for at, usage in enumerate(usages):
        record = json.loads(groups[2 + at][0])
        record["message"] |= {"id": "msg_1", "usage": usage, **same}
        record["requestId"] = "req_1"
        groups[2 + at] = [line(record)]
    return groups


def _billed(output: Any, sent: Any = 2) -> JSON:
    return {
        "input_tokens": sent,
        "output_tokens": output,
        "cache_read_input_tokens": 15_030,
        "cache_creation_input_tokens": 8_655,
    }


@pytest.mark.parametrize(
    "outputs", [[1, 1, 300], [300], [1, 300, 300], [1] * 8 + [300], [300, 1, 1], [1, None, 300]]
)
def test_a_reply_of_many_records_is_billed_once(home: Path, outputs: list[Any]) -> None:
    """A01: each record repeats the usage of the whole reply, the early ones with a placeholder."""
    groups = _several([_billed(output) for output in outputs])
    session = open_session(CLAUDE_CODE.write_lines(home, groups))
    assert len(session.context) == 2
    usage = session.context[1].usage
    assert usage is not None
    assert (usage.input, usage.output, usage.cache_read, usage.cache_write) == (
        2,
        300,
        15_030,
        8_655,
    )
    assert said(session)[1:] == [f"Part {n}." for n in range(len(outputs))]
    assert window(session).billed == 2 + 15_030 + 8_655


@pytest.mark.parametrize("between", [False, True])
def test_calls_of_the_later_records_of_a_reply_are_kept(home: Path, between: bool) -> None:
    """A02: text and calls in records of their own, results behind them or between them."""
    steps = (Prompt("Fix it"), Reply("I look."), Call("t1"), Call("t2"))
    results = (Result("t1", "one"), Result("t2", "two"))
    order = (*steps[:3], results[0], steps[3], results[1]) if between else (*steps, *results)
    groups = CLAUDE_CODE.lines(*order)
    for at, group in enumerate(groups):
        record = json.loads(group[0]) if group else {}
        if record.get("type") == "assistant":
            record["message"] |= {"id": "msg_1", "usage": _billed(400)}
            groups[at] = [line(record)]
    session = open_session(CLAUDE_CODE.write_lines(home, groups))
    reply = session.context[1]
    assert [part.call_id for part in reply.parts] == [None, "t1", "t2"]
    assert session.counts.tool_pairs == 2
    assert session.damage == ()
    assert reply.usage is not None
    assert reply.usage.output == 400


def test_a_reply_that_lies_in_two_files_is_shown_in_both(home: Path, commands: Commands) -> None:
    """A04: a resumed copy holds the same message ids; each session has its own."""
    first = CLAUDE_CODE.write(home, *ASK)
    other = "5e550000-0000-4000-8000-00000000000f"
    copy = first.with_name(f"{other}.jsonl")
    copy.write_bytes(first.read_bytes().replace(ID.encode(), other.encode()))
    seen = [commands.json("inspect", str(path)) for path in (first, copy)]
    assert seen[0]["window"] == seen[1]["window"]
    assert {one["id"] for one in commands.json("sessions")["sessions"]} == {first.stem, other}


def _boundary(parent: str, **metadata: Any) -> list[bytes]:
    """A compaction of Claude Code behind the record `parent`, and its summary."""
    base = {"sessionId": "x", "timestamp": "2026-08-07T18:00:00.000Z", "isSidechain": False}
    start = {
        **base,
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "b",
        "parentUuid": None,
        "logicalParentUuid": parent,
        "content": "Conversation compacted",
        "compactMetadata": {"trigger": "manual", "preTokens": 236_000, **metadata},
    }
    text = "This session is being continued from a previous conversation.\nAll was fixed."
    message = {"role": "user", "content": text}
    summary = {**base, "type": "user", "uuid": "s", "parentUuid": "b", "message": message}
    return [line(start), line({**summary, "isCompactSummary": True})]


@pytest.mark.parametrize("after", [12_000, None, "12000", -1])
def test_after_a_compaction_the_size_before_it_is_gone(
    home: Path, commands: Commands, after: Any
) -> None:
    """A07, A15: the figure is what the agent wrote or an estimate; the summary is no prompt."""
    steps = (*ASK[:3], Reply("Fixed.", {"input": 1, "read": 235_999, "output": 40}))
    groups = CLAUDE_CODE.lines(*steps)
    metadata = {} if after is None else {"postTokens": after}
    path = CLAUDE_CODE.write_lines(home, [*groups, _boundary("r3", **metadata)])
    found = commands.all(path)
    assert found["window"]["billed"] is None
    assert found["window"]["source"] == "estimated"
    assert found["window"]["used"] == 12_000 if after == 12_000 else found["window"]["used"] < 500
    assert found["session"]["title"] == "Fix the login"
    assert found["counts"]["prompts"] == 1
    assert found["rules"] == []
    listed = commands.json("sessions")["sessions"]
    assert [one["title"] for one in listed] == ["Fix the login"]
    assert open_session(path).info.billed is None


def test_what_the_summary_cost_is_not_what_is_used(home: Path) -> None:
    """A08: the request that summarised was large; the next reply tells what is used."""
    groups = PI.lines(*ASK[:3], Reply("Fixed.", {"input": 144_000, "output": 40}))
    compaction = {
        "type": "compaction",
        "id": "c",
        "parentId": "r3",
        "timestamp": "2026-08-07T18:00:00.000Z",
        "summary": "All was fixed.",
        "firstKeptEntryId": "r3",
        "tokensBefore": 144_000,
    }
    spent = {
        "type": "usage",
        "id": "u",
        "parentId": "c",
        "timestamp": "2026-08-07T18:00:00.000Z",
        "usage": {"input": 144_000, "output": 2_000},
    }
    session = open_session(PI.write_lines(home, [*groups, [line(compaction), line(spent)]]))
    assert session.info.billed is None
    found = window(session)
    assert (found.billed, found.used < 1_000) == (None, True)


def test_the_model_decides_what_is_full(home: Path, dialect: Dialect, commands: Commands) -> None:
    """A43: 420k of a million, and no share of a window that nobody knows."""
    usage = {"input": 1, "read": 419_999, "output": 40}
    long = dialect.write(home, *ASK[:3], Reply("Fixed.", usage, "claude-opus-4-8[1m]"))
    figures = commands.json("inspect", str(long))["window"]
    assert (figures["limit"], figures["billed"]) == (1_000_000, 420_000)
    assert "42%" in commands.run("inspect", str(long))[1]
    unknown = dialect.write(home, *ASK[:3], Reply("Fixed.", usage, "quantum-9-ultra"))
    figures = commands.json("inspect", str(unknown))["window"]
    assert (figures["limit"], figures["free"], figures["billed"]) == (None, None, 420_000)
    _, out, _ = commands.run("inspect", str(unknown))
    assert "limit unknown" in out
    assert not [row for row in out.splitlines() if row.startswith("used") and "%" in row]
    assert "%" not in commands.run("plan", str(unknown))[1].split("\n\n")[0]
