"""`claude-code` against what Claude Code really kept and cleared at its boundaries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.opening import open_session
from redline.compaction.strategies.claude_code_micro import micro
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.model import CompactionKind, Session
from tests.compaction.windows import propose, window_of

FILES = [
    "spotter_fa812bfe_auto/fa812bfe-b295-4cca-9c2f-fdf01028cb46.jsonl",
    "entire_cd95adda_3auto.jsonl",
    "entire_25730c66_micro.jsonl",
    "entire_38346dbf_dangling.jsonl",
    "compacted_by_2.1.197_manual.jsonl",
]
pytestmark = pytest.mark.real


def records(path: Path) -> list[dict[str, Any]]:
    found = []
    for line in path.read_text(errors="replace").splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            found.append({})
    return found


def views(path: Path) -> list[tuple[Session, int]]:
    count = len(open_session(path).compactions)
    return [(open_session(path, before=number), number) for number in range(1, count + 1)]


@pytest.mark.parametrize("name", FILES)
def test_it_keeps_what_claude_code_kept(real_sessions: Path, name: str) -> None:
    path = real_sessions / "claude_code" / name
    rows = records(path)
    place = {row.get("uuid"): number for number, row in enumerate(rows, start=1)}
    compactions = open_session(path).compactions
    for opened, number in views(path):
        plan = propose(window_of(opened), "claude-code")
        kept = {part.origin.record for i in plan.staying for part in opened.context[i].parts}
        past = compactions[number - 1]
        if past.kind is CompactionKind.MICRO:
            past = compactions[number]  # its boundary stands just before a full one
        sent = {
            place[uuid]
            for uuid in past.preserved
            if rows[place[uuid] - 1]["type"] in ("user", "assistant", "attachment")
        }
        assert kept == sent, (name, number)


def test_it_clears_first_what_claude_code_cleared(real_sessions: Path) -> None:
    path = real_sessions / "claude_code/entire_25730c66_micro.jsonl"
    compactions = open_session(path).compactions
    seen = 0
    for opened, number in views(path):
        past = compactions[number - 1]
        if past.kind is not CompactionKind.MICRO:
            continue
        seen += 1
        places = micro(opened.context).places
        assert tuple(opened.context[i].parts[j].call_id for i, j in places) == past.cleared
        plan = propose(window_of(opened), "claude-code")
        assert plan.details["clears_first"] is True
        assert plan.details["results_cleared_first"] == len(past.cleared)
        auto, _, _, clearing = strategy("claude-code").triggers(
            window_of(opened), StrategySettings()
        )
        assert (auto.tokens, clearing.tokens) == (155_000, 135_000)
    assert seen == 2


def test_a_view_before_a_compaction_has_the_version_that_compacted(real_sessions: Path) -> None:
    path = real_sessions / "claude_code/compacted_by_2.1.197_manual.jsonl"
    assert open_session(path, before=1).version == "2.1.197"
    assert open_session(path).version == "2.1.197"
