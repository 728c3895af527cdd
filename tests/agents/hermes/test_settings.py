"""What a person set in Hermes' configuration."""

from __future__ import annotations

from pathlib import Path

from redline.agents.hermes.limits import limits_by
from redline.agents.hermes.settings import settings, stated
from redline.agents.own import own_settings
from redline.model import Agent

_CONFIG = """
model: {default: big-model, provider: x, max_tokens: 8000, api_key: hidden, context_length: 300000}
compression:
  threshold: 0.8
  tail_mode: legacy
  protect_first_n: 1
  idle_compact_after_seconds: 1800
  enabled: true
  model_thresholds: {big: 0.9, "openai-codex:big-model": 0.6}
  some_list: [1, 2]
auxiliary: {compression: {model: small, timeout: 90, key: hidden}}
"""


def _home(folder: Path, text: str = _CONFIG) -> dict[str, str]:
    (folder / "config.yaml").write_text(text)
    return {"HERMES_HOME": str(folder), "HOME": str(folder / "nowhere")}


def test_values_have_hermes_own_names_and_say_their_file(tmp_path: Path) -> None:
    found = settings(None, _home(tmp_path))
    assert {name: setting.value for name, setting in found.items()} == {
        "model.default": "big-model",
        "model.provider": "x",
        "model.max_tokens": 8000,
        "model.context_length": 300000,
        "compression.threshold": 0.8,
        "compression.tail_mode": "legacy",
        "compression.protect_first_n": 1,
        "compression.idle_compact_after_seconds": 1800,
        "compression.enabled": True,
        "compression.model_thresholds.big": 0.9,
        "compression.model_thresholds.openai-codex:big-model": 0.6,
        "auxiliary.compression.model": "small",
        "auxiliary.compression.timeout": 90,
    }
    assert {setting.source for setting in found.values()} == {str(tmp_path / "config.yaml")}


def test_keys_are_never_read(tmp_path: Path) -> None:
    assert "hidden" not in str(settings(None, _home(tmp_path)))


def test_they_are_among_the_agents_own_settings(tmp_path: Path) -> None:
    found = own_settings(None, _home(tmp_path))[Agent.HERMES]
    assert found["compression.threshold"].value == 0.8


def test_the_longest_name_that_fits_model_and_provider_sets_the_share(tmp_path: Path) -> None:
    own = settings(None, _home(tmp_path))
    assert limits_by(own, "big-model").share == 0.9
    assert limits_by(own, "big-model", provider="openai-codex").share == 0.6
    assert limits_by(own, "other").share == 0.8
    assert limits_by(own, "big-model", old=True).share == 0.8
    assert limits_by(own, "big-model").held == 8000


def test_a_configuration_that_is_missing_or_broken_says_nothing(tmp_path: Path) -> None:
    assert stated(None) == {}
    assert stated(tmp_path) == {}
    for text in ("compression: [", "\0", "[1, 2]", "compression: 7", "a: &a {b: *a}"):
        assert settings(None, _home(tmp_path, text)) == {}


def test_a_configuration_that_holds_itself_is_read_as_far_as_it_makes_sense(tmp_path: Path) -> None:
    own = settings(None, _home(tmp_path, "compression: &c {threshold: 0.7, again: *c}"))
    assert own["compression.threshold"].value == 0.7
    assert limits_by(own, "m").share == 0.7


def test_a_model_may_be_named_alone(tmp_path: Path) -> None:
    assert settings(None, _home(tmp_path, "model: m"))["model.default"].value == "m"
