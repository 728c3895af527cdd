from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from redline.context.limits import find_limits
from redline.context.measure import measure
from redline.model import Agent, CompactionKind, PastCompaction, Session, Usage
from redline.settings import Settings
from tests.sessions_in_memory import reply, session, user


def used(
    tokens: int,
    model: str | None,
    agent: Agent = Agent.CLAUDE_CODE,
    version: str | None = "2.1.200",
) -> Session:
    usage = Usage(input=1, cache_read=tokens - 1)
    opened = session(
        user("go"), reply("ok", usage=usage, model=model), agent=agent, model=model, project=None
    )
    return replace(opened, version="2.1.200")


def test_a_model_that_says_1m_is_measured_against_a_million() -> None:
    # A43
    window = measure(used(420_000, "claude-opus-4-8[1m]"), Settings(), {})

    assert window.limit == 1_000_000
    assert window.billed == 420_000


def test_a_claude_session_that_used_more_than_200k_has_the_long_window() -> None:
    # A43
    assert measure(used(420_000, "claude-opus-4-8"), Settings(), {}).limit == 1_000_000
    assert measure(used(120_000, "claude-opus-4-8"), Settings(), {}).limit == 200_000


@pytest.mark.parametrize("tokens", [9_000, 420_000])
@pytest.mark.parametrize("agent", [Agent.CLAUDE_CODE, Agent.PI, Agent.CODEX])
def test_a_model_that_nobody_knows_has_no_limit(agent: Agent, tokens: int) -> None:
    # A43
    window = measure(used(tokens, "made-up-model-9", agent), Settings(), {})

    assert (window.limit, window.limit_source) == (None, "unknown")
    assert (window.threshold, window.reserve, window.free) == (None, None, None)


def test_settings_beat_the_session_and_the_session_beats_the_agent() -> None:
    opened = replace(used(9_000, "claude-opus-4-6"), window=300_000)

    by_hand = find_limits(opened, "claude-opus-4-6", Settings(limits={"claude-*": 150_000}), {})
    stated = find_limits(opened, "claude-opus-4-6", Settings(), {})
    default = find_limits(replace(opened, window=None), "claude-opus-4-6", Settings(), {})

    assert (by_hand.limit, by_hand.limit_source) == (150_000, "settings")
    assert (stated.limit, stated.limit_source) == (300_000, "session")
    assert (default.limit, default.limit_source) == (200_000, "agent default")


def test_the_threshold_follows_the_limit_by_the_agents_reserve() -> None:
    opened = used(9_000, "claude-opus-4-6")

    default = find_limits(opened, "claude-opus-4-6", Settings(), {})
    longer = find_limits(opened, "claude-opus-4-6", Settings(limits={"*": 500_000}), {})

    assert default.threshold == 167_000
    assert default.threshold_source == "estimated"
    assert longer.threshold == 467_000

    window = measure(opened, Settings(), {})
    assert (window.reserve, window.free) == (33_000, 167_000 - window.used)


def test_a_threshold_the_session_states_is_taken() -> None:
    opened = replace(used(9_000, "gpt-5", Agent.CODEX), threshold=240_000)

    found = find_limits(opened, "gpt-5", Settings(), {})

    assert (found.threshold, found.threshold_source) == (240_000, "session")
    assert (found.limit, found.limit_source) == (258_400, "Codex's default")


def test_a_window_smaller_than_what_was_billed_is_not_believed() -> None:
    assert find_limits(used(150_000, "gpt-4o", Agent.PI), "gpt-4o", Settings(), {}).limit is None

    compacted = PastCompaction("b", CompactionKind.FULL, 1, tokens_before=150_000)
    earlier = replace(used(9_000, "gpt-4o", Agent.PI), compactions=(compacted,))
    assert find_limits(earlier, "gpt-4o", Settings(), {}).limit is None

    by_hand = Settings(limits={"gpt-4o": 128_000})
    assert find_limits(used(150_000, "gpt-4o", Agent.PI), "gpt-4o", by_hand, {}).limit == 128_000


def test_what_another_model_was_billed_proves_nothing_of_this_one() -> None:
    big, small = "gpt-4.1", "gpt-4o"
    opened = session(
        user("go"),
        reply("a", usage=Usage(input=400_000), model=big),
        reply("b", usage=Usage(input=100_000), model=small),
        agent=Agent.PI,
        project=None,
    )

    assert find_limits(opened, small, Settings(), {}).limit == 128_000
    assert find_limits(opened, big, Settings(), {}).limit == 1_047_576


def test_pi_holds_back_its_reserve_of_whatever_window(tmp_path: Path) -> None:
    opened = used(9_000, "claude-opus-4-5", Agent.PI)
    found = find_limits(opened, "claude-opus-4-5", Settings(), {"HOME": str(tmp_path)})
    assert (found.limit, found.threshold) == (200_000, 200_000 - 16_384)

    folder = tmp_path / ".pi" / "agent"
    folder.mkdir(parents=True)
    (folder / "settings.json").write_text(json.dumps({"compaction": {"enabled": False}}))
    off = find_limits(opened, "claude-opus-4-5", Settings(), {"HOME": str(tmp_path)})
    assert (off.limit, off.threshold) == (200_000, None)
    assert "off" in off.threshold_source


def test_claude_code_that_does_not_compact_has_no_threshold() -> None:
    opened = used(9_000, "claude-opus-4-6")

    found = find_limits(opened, "claude-opus-4-6", Settings(), {"DISABLE_AUTO_COMPACT": "1"})

    assert (found.limit, found.threshold) == (200_000, None)
    assert "off" in found.threshold_source
