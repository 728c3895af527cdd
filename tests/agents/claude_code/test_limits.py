"""What Claude Code says of its window and its threshold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.claude_code.limits import limits
from redline.agents.limits import Limits


def asked(model: str | None = "claude-opus-4-5-20251101", **options: Any) -> Limits:
    options.setdefault("environment", {})
    return limits(model, **options)


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("claude-opus-4-5-20251101", 200_000),
        ("claude-opus-4-8[1m]", 1_000_000),
        ("claude-sonnet-5", 1_000_000),
        ("claude-fable-5-20260901", 1_000_000),
        ("claude-sonnet-4-5-20250929", 200_000),
        ("claude-sonnet-50", 200_000),
        ("gpt-5", None),
        (None, None),
    ],
)
def test_the_window_is_the_model_s(model: str | None, window: int | None) -> None:
    assert asked(model).window == window


def test_more_use_than_the_usual_window_means_the_long_one() -> None:
    found = asked(used=420_000)
    assert (found.window, found.window_source) == (1_000_000, "more was used")


@pytest.mark.parametrize(
    ("version", "threshold"),
    [("2.1.20", 155_000), ("2.1.21", 167_000), ("2.1.270", 167_000), (None, 167_000)],
)
def test_the_threshold_is_the_measured_one(version: str | None, threshold: int) -> None:
    found = asked(version=version)
    assert (found.threshold, found.threshold_source) == (threshold, "estimated")
    assert found.reserve == 200_000 - threshold


def test_a_model_with_the_long_window_compacts_at_967_thousand() -> None:
    assert asked("claude-sonnet-5").threshold == 967_000


@pytest.mark.parametrize(
    ("environment", "threshold"),
    [
        ({"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}, 117_000),
        ({"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "500k"}, 67_000),
        ({"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "900000"}, 167_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"}, 90_000),
        ({"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "99"}, 167_000),
        ({"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "8000"}, 179_000),
        ({"DISABLE_AUTO_COMPACT": "1"}, None),
        ({"DISABLE_AUTO_COMPACT": "0"}, 167_000),
    ],
)
def test_the_environment_changes_the_threshold(
    environment: dict[str, str], threshold: int | None
) -> None:
    assert asked(environment=environment).threshold == threshold


def test_settings_files_are_read_nearest_last(tmp_path: Path) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    for folder, settings in (
        (home / ".claude", {"autoCompactEnabled": False, "autoCompactWindow": 120_000}),
        (project / ".claude", {"autoCompactEnabled": True}),
    ):
        folder.mkdir(parents=True)
        (folder / "settings.json").write_text(json.dumps(settings))
    environment = {"HOME": str(home)}
    assert asked(environment=environment).threshold is None
    found = asked(environment=environment, project=project)
    assert (found.threshold, found.threshold_source) == (87_000, "settings")


@pytest.mark.parametrize("content", ["", "[]", "{", '{"autoCompactWindow": "x", "env": 3}'])
def test_broken_settings_are_no_settings(tmp_path: Path, content: str) -> None:
    (tmp_path / "settings.json").write_text(content)
    environment = {"CLAUDE_CONFIG_DIR": str(tmp_path)}
    assert asked(environment=environment).threshold == 167_000
