"""What pi says of its window and of when it compacts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.pi.limits import limits


def settings(path: Path, **stated: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(stated))
    return path


def test_without_settings_the_defaults_hold() -> None:
    found = limits("claude-opus-4-5", None, {})
    assert (found.window, found.reserve, found.keep_recent) == (None, 16384, 20000)
    assert found.threshold(200_000) == 183_616
    assert found.threshold() is None
    assert found.source == "pi's default"


def test_the_project_wins_over_the_agents_folder(tmp_path: Path) -> None:
    settings(
        tmp_path / "agent/settings.json", compaction={"reserveTokens": 1, "keepRecentTokens": 2}
    )
    own = settings(tmp_path / "shop/.pi/settings.json", compaction={"reserveTokens": 30_000})
    found = limits(None, tmp_path / "shop", {"PI_CODING_AGENT_DIR": str(tmp_path / "agent")})
    assert (found.reserve, found.keep_recent) == (30_000, 2)
    assert found.source == str(own)


def test_an_override_for_the_model_wins_over_all(tmp_path: Path) -> None:
    settings(
        tmp_path / "agent/settings.json",
        compaction={"modelOverrides": {"anthropic/claude-opus-4-5": {"reserveTokens": 50_000}}},
    )
    settings(tmp_path / "shop/.pi/settings.json", compaction={"reserveTokens": 30_000})
    environment = {"PI_CODING_AGENT_DIR": str(tmp_path / "agent")}
    for model in ("claude-opus-4-5", "anthropic/claude-opus-4-5"):
        assert limits(model, tmp_path / "shop", environment).reserve == 50_000
    assert limits("claude-sonnet-4-5", tmp_path / "shop", environment).reserve == 30_000


def test_where_pi_does_not_compact_there_is_no_threshold(tmp_path: Path) -> None:
    settings(tmp_path / "settings.json", compaction={"enabled": False})
    assert limits(None, None, {"PI_CODING_AGENT_DIR": str(tmp_path)}).threshold(200_000) is None


def test_the_window_of_a_model_the_user_added_is_known(tmp_path: Path) -> None:
    models = [{"id": "qwen3-coder", "contextWindow": 86_016}, {"id": "other"}, 5]
    settings(tmp_path / "models.json", providers={"llama": {"models": models}, "odd": []})
    environment = {"PI_CODING_AGENT_DIR": str(tmp_path)}
    assert limits("qwen3-coder", None, environment).window == 86_016
    assert limits("other", None, environment).window is None


@pytest.mark.parametrize(
    "stated",
    [
        None,
        [],
        {"reserveTokens": "many"},
        {"reserveTokens": -1},
        {"reserveTokens": True, "modelOverrides": 5},
    ],
)
def test_settings_of_the_wrong_type_are_passed_over(tmp_path: Path, stated: Any) -> None:
    settings(tmp_path / "settings.json", compaction=stated)
    assert limits("m", None, {"PI_CODING_AGENT_DIR": str(tmp_path)}).reserve == 16384
