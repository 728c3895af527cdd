from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.own import OwnSetting
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.context.window import Window
from redline.model import Agent
from tests.agents.codex.files import said, turn
from tests.agents.codex.rolling import count, opened, user
from tests.compaction.windows import window_of
from tests.sessions_in_memory import reply, session
from tests.sessions_in_memory import user as asked


def triggers(window: Window, name: str = "codex", **own: int | str) -> tuple[Trigger, ...]:
    told = {key: OwnSetting(value, "config.toml") for key, value in own.items()}
    return strategy(name).triggers(window, StrategySettings(own={Agent.CODEX: told}))


def of_codex(folder: Path) -> Window:
    records = turn(), user("one"), said("assistant", "A"), count(200_000, 200_000)
    return window_of(opened(folder, *records, user("x" * 40)), limit=258_400)


@pytest.mark.parametrize("name", ["codex", "codex-remote", "codex-remote-v1"])
def test_a_codex_session_is_compacted_at_90_percent_of_its_raw_window(
    tmp_path: Path, name: str
) -> None:
    before, within, other, by_hand = triggers(of_codex(tmp_path), name)
    assert (before.phase, within.phase) == ("before a turn", "within a turn")
    assert before.tokens == within.tokens == 244_800
    assert before.source == "Codex's default"
    assert "where the turn goes on" in within.compared
    assert (other.phase, other.tokens) == ("before a turn", None)
    assert (by_hand.phase, by_hand.tokens) == ("by hand", None)


def test_its_hidden_count_is_what_is_compared(tmp_path: Path) -> None:
    window = of_codex(tmp_path)
    assert window.session.gauge is not None
    assert f"now {window.session.gauge.active}" in triggers(window)[0].compared
    assert window.session.gauge.active != window.used


def test_the_settings_lower_the_limit_and_never_raise_it(tmp_path: Path) -> None:
    window = of_codex(tmp_path)
    low = triggers(window, model_auto_compact_token_limit=100_000)[0]
    assert (low.tokens, low.source) == (100_000, "config.toml")
    assert triggers(window, model_auto_compact_token_limit=250_000)[0].tokens == 244_800


def test_a_limit_of_what_was_added_leaves_the_whole_window_as_a_second_one(
    tmp_path: Path,
) -> None:
    found = triggers(
        of_codex(tmp_path),
        model_auto_compact_token_limit=50_000,
        model_auto_compact_token_limit_scope="body_after_prefix",
    )
    assert [trigger.tokens for trigger in found] == [50_000, 50_000, 258_400, None, None]
    assert "first request" in found[0].compared


def test_a_window_of_another_agent_is_treated_as_a_raw_one() -> None:
    opened_session = session(asked("one"), reply("R"))
    assert triggers(window_of(opened_session))[0].tokens == 180_000
    assert (
        f"now {window_of(opened_session).used}" in triggers(window_of(opened_session))[0].compared
    )
    assert triggers(window_of(opened_session, limit=None))[0].tokens is None
    assert triggers(window_of(opened_session, limit=None))[0].source == "unknown"
