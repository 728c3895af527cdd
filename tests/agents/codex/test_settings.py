"""Which of Codex's settings bear on compaction, and which file wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.codex.settings import settings
from redline.agents.own import OwnSetting, own_settings
from redline.model import Agent


def config(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "config.toml"
    path.write_text(text)
    return path


def test_each_setting_is_told_with_its_file(tmp_path: Path) -> None:
    path = config(
        tmp_path,
        'model_auto_compact_token_limit = 100000\ncompact_prompt = "Be short."\n'
        "model_context_window = 200000\n"
        'model_provider = "mine"\n[model_providers.mine]\nname = "OpenAI"\n'
        "[features]\nremote_compaction_v2 = false\n",
    )
    found = settings(None, {"CODEX_HOME": str(tmp_path)})
    assert {key: setting.value for key, setting in found.items()} == {
        "model_auto_compact_token_limit": 100_000,
        "compact_prompt": "Be short.",
        "model_context_window": 200_000,
        "model_provider": "mine",
        "model_providers.name": "OpenAI",
        "features.remote_compaction_v2": False,
    }
    assert {setting.source for setting in found.values()} == {str(path)}


def test_a_trusted_project_wins_over_the_user_and_a_profile_over_both(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    config(project / ".codex", "model_context_window = 2\nmodel_auto_compact_token_limit = 2\n")
    home = tmp_path / "home"
    text = (
        'profile = "big"\nmodel_context_window = 1\nmodel_auto_compact_token_limit = 1\n'
        "tool_output_token_limit = 1\n[profiles.big]\nmodel_context_window = 3\n"
    )
    environment = {"CODEX_HOME": str(home)}
    config(home, text)
    assert settings(project, environment)["model_auto_compact_token_limit"].value == 1
    config(home, f'{text}[projects."{project}"]\ntrust_level = "trusted"\n')
    found = settings(project, environment)
    assert found["model_context_window"].value == 3
    assert found["model_context_window"].source.endswith("profile big")
    assert found["model_auto_compact_token_limit"].value == 2
    assert found["tool_output_token_limit"].value == 1


@pytest.mark.parametrize(
    "wrong", ["'many'", "-1", "0", "true", "1.5", "[1]", "{a = 1}", "2026-01-01"]
)
def test_a_setting_of_a_wrong_type_is_passed_over(tmp_path: Path, wrong: str) -> None:
    config(tmp_path, f"model_auto_compact_token_limit = {wrong}\nfeatures = {wrong}\n")
    assert settings(None, {"CODEX_HOME": str(tmp_path)}) == {}


def test_a_table_of_a_feature_switches_it_on_unless_it_says_otherwise(tmp_path: Path) -> None:
    environment = {"CODEX_HOME": str(tmp_path)}
    config(tmp_path, "[features.token_budget]\nreminder_interval = 5\n")
    assert settings(None, environment)["features.token_budget"].value is True
    config(tmp_path, "[features.token_budget]\nenabled = false\n")
    assert settings(None, environment)["features.token_budget"].value is False


@pytest.mark.parametrize("text", ["", "not toml [", "\x00", "model = "])
def test_a_missing_or_broken_file_tells_nothing(tmp_path: Path, text: str) -> None:
    assert settings(None, {"CODEX_HOME": str(tmp_path / "nowhere")}) == {}
    config(tmp_path, text)
    assert settings(tmp_path, {"CODEX_HOME": str(tmp_path)}) == {}


def test_they_are_among_the_agents_own_settings(tmp_path: Path) -> None:
    path = config(tmp_path, "model_auto_compact_token_limit = 7\n")
    environment = {"CODEX_HOME": str(tmp_path), "HOME": str(tmp_path)}
    codex = own_settings(None, environment)[Agent.CODEX]
    assert codex["model_auto_compact_token_limit"] == OwnSetting(7, str(path))
