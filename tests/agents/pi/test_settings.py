"""What pi's settings files say of compaction."""

from __future__ import annotations

import json
from pathlib import Path

from redline.agents.own import own_settings
from redline.agents.pi.settings import figure, settings
from redline.model import Agent


def stated(path: Path, compaction: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"compaction": compaction}), encoding="utf-8")
    return path


def test_pi_s_own_settings_are_listed_with_the_file_that_told_them_the_project_s_first(
    tmp_path: Path,
) -> None:
    home = stated(
        tmp_path / "agent" / "settings.json",
        {"enabled": False, "reserveTokens": 1_000, "keepRecentTokens": 3_000},
    )
    project = stated(tmp_path / "shop" / ".pi" / "settings.json", {"reserveTokens": 2_000})
    environment = {"PI_CODING_AGENT_DIR": str(tmp_path / "agent")}
    found = own_settings(tmp_path / "shop", environment)[Agent.PI]
    assert {name: (own.value, own.source) for name, own in found.items()} == {
        "compaction.enabled": (False, str(home)),
        "compaction.reserveTokens": (2_000, str(project)),
        "compaction.keepRecentTokens": (3_000, str(home)),
    }


def test_a_model_s_own_figure_comes_before_any_file_s_and_is_for_that_model_only(
    tmp_path: Path,
) -> None:
    override = {"anthropic/claude-opus-4-5": {"keepRecentTokens": 9_000, "reserveTokens": "x"}}
    stated(tmp_path / "settings.json", {"modelOverrides": override, "keepRecentTokens": 3_000})
    own = settings(None, {"PI_CODING_AGENT_DIR": str(tmp_path)})
    for name in ("claude-opus-4-5", "anthropic/claude-opus-4-5"):
        told = figure(own, name, "keepRecentTokens")
        assert told is not None
        assert told.value == 9_000
    other = figure(own, "gpt-5.5", "keepRecentTokens")
    assert other is not None
    assert other.value == 3_000
    assert figure(own, "claude-opus-4-5", "reserveTokens") is None


def test_a_settings_file_with_wrong_types_tells_nothing(tmp_path: Path) -> None:
    wrongs: tuple[object, ...] = (
        [],
        "x",
        {"enabled": 1, "reserveTokens": -1, "modelOverrides": [1]},
        {"modelOverrides": {"a/b": 3}, "keepRecentTokens": None},
    )
    for wrong in wrongs:
        stated(tmp_path / "settings.json", wrong)
        assert settings(None, {"PI_CODING_AGENT_DIR": str(tmp_path)}) == {}
