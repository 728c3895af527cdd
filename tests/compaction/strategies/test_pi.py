from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from redline.agents.own import OwnSetting
from redline.agents.pi.reader import open_session
from redline.compaction.plan import Action, Pins
from redline.compaction.saved import dump_plan
from redline.compaction.strategies.pi import prepare
from redline.compaction.strategies.pi_branch import branch_of
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.model import Agent
from tests.compaction.windows import propose, window_of
from tests.sessions_in_memory import call, ran, reply, result, session, user

FILES = ("large-session.jsonl", "large-session.v3-migrated.jsonl")


@pytest.mark.real
@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("version", ["0.74.2", "1.6.0"])
def test_pi_answers_as_pi_does(real_sessions: Path, file: str, version: str) -> None:
    golden = real_sessions / "pi" / f"golden-pi-{version}-large-session.json"
    (answer,) = json.loads(golden.read_text(encoding="utf-8"))
    opened = open_session(real_sessions / "pi" / file)
    window = window_of(opened)
    for expected in answer["prep"]:
        plan = propose(window, "pi", tail_tokens=expected["keep"])
        data = dump_plan(plan, window)
        assert data["cut"]["index"] == expected["firstKeptBranchIndex"]
        assert data["cut"]["splits_turn"] == expected["isSplitTurn"]
        assert data["details"]["messages_to_summarise"] == expected["messagesToSummarize"]
        assert data["details"]["turn_prefix_messages"] == expected["turnPrefixMessages"]
        assert data["details"]["tokens_before"] == expected["tokensBefore"]
        assert data["estimate"]["before"] == answer["estTotal"]
        assert sum(action.stays for action in plan.actions) == (
            answer["contextMessages"]
            - expected["messagesToSummarize"]
            - expected["turnPrefixMessages"]
        )


@pytest.mark.real
@pytest.mark.parametrize(
    ("budget", "index", "split", "summarised", "prefix"),
    [(20_000, 946, True, 383, 7), (60_000, 777, True, 218, 3), (5_000, 1_000, False, 444, 0)],
)
def test_a_second_compaction_starts_at_what_the_first_one_kept(
    real_sessions: Path, budget: int, index: int, split: bool, summarised: int, prefix: int
) -> None:
    """As pi 1.6.0 answered when it was run on this file."""
    branch = branch_of(open_session(real_sessions / "pi" / "before-compaction.v3-migrated.jsonl"))
    found = prepare(branch, budget)
    assert found is not None
    assert branch.tokens_before == 180_820
    assert branch.entries[found.first].index == index
    assert (found.turn is not None) == split
    assert (found.summarised, found.prefix) == (summarised, prefix)


def written(folder: Path, *entries: Mapping[str, object]) -> Path:
    """A v3 file with `entries` in a chain, their ids e0, e1, ..."""
    rows: list[dict[str, object]] = [
        {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": ""}
    ]
    for i, entry in enumerate(entries):
        chain = {"id": f"e{i}", "parentId": f"e{i - 1}" if i else None}
        rows.append({**entry, **chain, "timestamp": "2026-01-01T00:00:00Z"})
    path = folder / "session.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def said(text: str) -> dict[str, object]:
    return {"type": "message", "message": {"role": "user", "content": text}}


def answered(text: str, total: int = 0) -> dict[str, object]:
    usage = {"input": total, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    content = [{"type": "text", "text": text}]
    message = {"role": "assistant", "content": content, "usage": usage, "stopReason": "stop"}
    return {"type": "message", "message": message}


def test_what_the_first_compaction_kept_is_summarised_or_kept_by_the_second(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        *(said("u1"), answered("a1"), said("u2"), answered("a2"), said("u3"), answered("a3")),
        {"type": "compaction", "summary": "S", "firstKeptEntryId": "e2", "tokensBefore": 9},
        *(said("u4"), answered("a4")),
    )
    opened = open_session(path)
    plan = propose(window_of(opened), "pi", tail_tokens=2)
    told = {m.id: str(a) for m, a in zip(opened.context, plan.actions, strict=True)}
    assert told == {
        "e6": "summarise",
        **dict.fromkeys(("e2", "e3", "e4", "e5"), "summarise"),
        **dict.fromkeys(("e7", "e8"), "keep"),
    }
    assert plan.details["messages_to_summarise"] == 4
    assert plan.details["first_kept_index"] == 7
    assert plan.reasons[0] == "the agent's previous summary"


def test_metadata_before_the_cut_is_kept_with_it(tmp_path: Path) -> None:
    """pi then takes the turn for split, though the first kept message starts one."""
    label = {"type": "label", "targetId": "e0", "label": "x"}
    path = written(tmp_path, said("u" * 40), answered("a"), label, said("v" * 40), answered("b"))
    window = window_of(open_session(path))
    plan = propose(window, "pi", tail_tokens=5)
    data = dump_plan(plan, window)
    assert data["cut"] == {"message": "e2", "index": 2, "splits_turn": True}
    assert plan.details["turn_prefix_messages"] == 2
    assert plan.cut is not None
    assert (plan.cut.message, plan.cut.index) == ("e3", 2)


def test_characters_are_utf16_units(tmp_path: Path) -> None:
    path = written(tmp_path, said("\N{GRINNING FACE}" * 4), answered("b"))
    assert propose(window_of(open_session(path)), "pi").estimates == (2, 1)


def test_usage_counts_only_after_the_last_compaction(tmp_path: Path) -> None:
    before = (said("u" * 8), answered("a" * 8, total=5_000))
    compacted = {"type": "compaction", "summary": "S" * 8, "firstKeptEntryId": "e0"}
    assert branch_of(open_session(written(tmp_path, *before))).tokens_before == 5_000
    path = written(tmp_path, *before, compacted, said("v" * 8))
    assert branch_of(open_session(path)).tokens_before == 8


def test_a_context_that_fits_the_budget_is_left_as_it_is(tmp_path: Path) -> None:
    window = window_of(open_session(written(tmp_path, said("u"), answered("a"))))
    plan = propose(window, "pi")
    assert set(plan.actions) == {Action.KEEP}
    assert plan.details["nothing_to_compact"] is True
    assert plan.summary_at is None
    assert dump_plan(plan, window)["cut"] is None


def test_a_split_turn_says_that_the_last_prompt_is_not_kept() -> None:
    opened = session(user("go"), *(d for i in range(9) for d in ran("x", "y" * 99, call_id=f"{i}")))
    plan = propose(window_of(opened), "pi", tail_tokens=100)
    assert plan.cut is not None
    assert plan.cut.splits_turn
    assert "the last prompt is neither kept nor quoted: pi splits the turn" in plan.warnings


def test_a_result_whose_call_pi_leaves_behind_goes_with_it() -> None:
    opened = session(
        user("go"),
        call("Bash", {}, call_id="a"),
        user("wait"),
        result("done", call_id="a"),
        reply("r" * 400),
    )
    plan = propose(window_of(opened), "pi", tail_tokens=102)
    assert plan.cut is not None
    assert plan.cut.message == "m3"
    assert plan.actions[3] is Action.SUMMARISE
    assert any("between a call and its results" in warning for warning in plan.warnings)


def test_the_tail_never_starts_with_a_result_whatever_its_budget() -> None:
    opened = session(
        user("go"),
        *(piece for n in range(9) for piece in ran(f"ls {n}", "x" * 400, call_id=f"c{n}")),
        reply("Done."),
    )
    branch = branch_of(opened)
    found = [prepare(branch, budget) for budget in range(20, 900, 20)]
    roles = {branch.entries[one.first].role for one in found if one is not None}
    assert roles == {"assistant"}


def test_a_pinned_cut_gives_pis_figures_for_it() -> None:
    opened = session(user("go"), reply("a"), user("on"), reply("b"), reply("c"))
    plan = propose(window_of(opened), "pi", pins=Pins(cut="m4"))
    assert plan.details["messages_to_summarise"] == 2
    assert plan.details["turn_prefix_messages"] == 1
    assert plan.actions[:3] == (Action.SUMMARISE,) * 3


def of_pi(**own: int | bool) -> StrategySettings:
    told = {f"compaction.{name}": OwnSetting(value, "settings.json") for name, value in own.items()}
    return StrategySettings(own={Agent.PI: told})


def test_pi_compacts_where_its_reserve_begins_before_a_turn_and_within_one() -> None:
    window = window_of(session(user("one"), reply("A")), limit=200_000)
    before, within, refused, by_hand = strategy("pi").triggers(window, StrategySettings())
    assert before.tokens == within.tokens == 200_000 - 16_384
    assert (before.phase, within.phase) == ("before a turn", "within a turn")
    assert before.source == "pi's default"
    assert (refused.name, refused.tokens) == ("overflow", None)
    assert (by_hand.phase, by_hand.tokens) == ("by hand", None)


def test_pi_s_own_settings_say_when_it_compacts_and_what_it_keeps() -> None:
    talk = [each for i in range(20) for each in (user(f"{i}"), reply("A" * 400))]
    window = window_of(session(*talk), limit=200_000)
    low = strategy("pi").triggers(window, of_pi(reserveTokens=50_000))[0]
    assert (low.tokens, low.source) == (150_000, "settings.json")
    off = strategy("pi").triggers(window, of_pi(enabled=False))
    assert all(trigger.tokens is None for trigger in off)
    assert (off[0].compared, off[0].source) == ("switched off", "settings.json")
    plan = propose(window, "pi", own=of_pi(keepRecentTokens=300).own)
    assert plan.settings == {"tail_tokens": 300}
    assert plan.actions == propose(window, "pi", tail_tokens=300).actions


def test_in_an_unknown_window_nothing_tells_where_pi_compacts() -> None:
    window = window_of(session(user("one"), reply("A")), limit=None)
    (before, *_) = strategy("pi").triggers(window, StrategySettings())
    assert (before.tokens, before.source) == (None, "the model's window is not known")
