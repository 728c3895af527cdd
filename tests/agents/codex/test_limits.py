"""What Codex says of its window and of when it compacts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from redline.agents.codex.limits import effective, limits, raw_of
from redline.context.limits import find_limits
from redline.model import Agent
from redline.settings import Settings
from tests.sessions_in_memory import reply, session, user

MODEL = "gpt-5.5"


def config(home: Path, text: str) -> dict[str, str]:
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(text)
    return {"CODEX_HOME": str(home)}


def test_a_listed_model_compacts_at_90_percent_of_its_raw_window() -> None:
    found = limits(MODEL, None, None, {})
    assert (found.window, found.threshold, found.reserve) == (258_400, 244_800, 13_600)
    assert found.window_source == found.threshold_source == "Codex's default"


def test_the_window_that_the_session_states_wins_over_every_file(tmp_path: Path) -> None:
    environment = config(tmp_path, "model_context_window = 100000")
    found = limits(MODEL, 353_400, None, environment)
    assert (found.window, found.window_source, found.threshold) == (353_400, "session", 334_800)
    assert limits(MODEL, None, None, environment).window == 95_000


def test_a_model_that_codex_does_not_list_has_no_window() -> None:
    assert limits("my-own", None, None, {}).window is None
    assert limits(None, None, None, {}).reserve is None


@pytest.mark.parametrize("raw", [272_000, 372_000, 131_072, 872_000, 1_000_000, 200_000])
def test_the_raw_window_is_told_from_the_one_a_session_states(raw: int) -> None:
    assert raw_of(effective(raw)) == raw


def test_a_session_of_2025_that_states_the_raw_window_is_taken_at_its_word() -> None:
    assert raw_of(272_000) == 272_000
    assert limits("gpt-5-codex", 272_000, None, {}).threshold == 244_800


@pytest.mark.parametrize(("asked", "threshold"), [(150_000, 150_000), (250_000, 244_800)])
def test_the_trigger_can_be_lowered_but_not_raised(
    tmp_path: Path, asked: int, threshold: int
) -> None:
    environment = config(tmp_path, f"model_auto_compact_token_limit = {asked}")
    assert limits(MODEL, 258_400, None, environment).threshold == threshold


def test_the_profile_that_the_settings_choose_wins(tmp_path: Path) -> None:
    environment = config(
        tmp_path,
        'profile = "small"\nmodel_auto_compact_token_limit = 200000\n'
        "[profiles.small]\nmodel_auto_compact_token_limit = 100000\n",
    )
    found = limits(MODEL, None, None, environment)
    assert found.threshold == 100_000
    assert "profile small" in found.threshold_source


def test_the_settings_of_a_project_count_only_where_it_is_trusted(tmp_path: Path) -> None:
    project = tmp_path / "shop" / "api"
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (project / ".codex").mkdir(parents=True)
    (project / ".codex/config.toml").write_text("model_auto_compact_token_limit = 90000")
    trusting = f'[projects."{tmp_path / "shop"}"]\ntrust_level = "trusted"\n'
    assert limits(MODEL, None, project, config(tmp_path / "a", "")).threshold == 244_800
    found = limits(MODEL, None, project, config(tmp_path / "b", trusting))
    assert found.threshold == 90_000
    assert found.threshold_source == str(project / ".codex/config.toml")


@pytest.mark.parametrize(
    "text",
    [
        "model_context_window = [",
        "model_context_window = true",
        'model_context_window = "9"',
        "model_auto_compact_token_limit = -1\nprofile = 3\nprofiles = 4\nprojects = 5",
        "\ufeffmodel = 'x'",
    ],
)
def test_broken_settings_leave_the_defaults(tmp_path: Path, text: str) -> None:
    found = limits(MODEL, None, tmp_path, config(tmp_path, text))
    assert (found.window, found.threshold) == (258_400, 244_800)


def test_a_limit_on_what_follows_the_first_request_is_no_threshold(tmp_path: Path) -> None:
    text = 'model_auto_compact_token_limit_scope = "body_after_prefix"'
    found = limits(MODEL, None, None, config(tmp_path, text))
    assert found.threshold is None
    assert "first request" in found.threshold_source


def test_the_window_of_a_codex_session_comes_with_what_codex_holds_back() -> None:
    opened = session(user("go"), reply("ok"), agent=Agent.CODEX, model=MODEL, project=None)
    found = find_limits(replace(opened, window=258_400), MODEL, Settings(), {})
    assert (found.limit, found.limit_source) == (258_400, "session")
    assert (found.threshold, found.threshold_source) == (244_800, "Codex's default")
