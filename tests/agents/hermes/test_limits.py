"""Hermes' window and trigger, from its configuration and by its own figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redline.agents.hermes.limits import Limits, home_of, limits
from redline.agents.hermes.reader import open_session
from redline.context.limits import find_limits
from redline.context.measure import measure
from redline.settings import Settings

from .made_up import SESSION, Made


def _config(home: Path, text: str, name: str = "config.yaml") -> Path:
    (home / name).write_text(text)
    return home


@pytest.mark.parametrize(
    ("window", "trigger"),
    [(32_000, 27_200), (64_000, 54_400), (128_000, 96_000), (200_000, 150_000),
     (272_000, 204_000), (1_000_000, 500_000)],
)  # fmt: skip
def test_the_trigger_without_any_settings(window: int, trigger: int) -> None:
    assert limits("m", None).threshold(window) == trigger


@pytest.mark.real
@pytest.mark.parametrize("version", ["0.19.0", "0.22.2"])
def test_every_threshold_of_hermes_itself_is_met(real_sessions: Path, version: str) -> None:
    golden = json.loads((real_sessions / "hermes" / f"golden-hermes-{version}.json").read_text())
    assert len(golden["thresholds"]) == 44
    for told in golden["thresholds"]:
        found = Limits(
            share=told["threshold"],
            held=told["max_tokens"] or 0,
            capped_floor=version != "0.19.0",
        )
        assert found.threshold(told["context_length"]) == told["threshold_tokens"], told


def test_the_floor_leaves_room_since_it_was_capped() -> None:
    assert limits("m", None, old=True).threshold(70_000) == 64_000
    assert limits("m", None).threshold(70_000) == 59_500


def test_the_configuration_beside_the_database_holds(tmp_path: Path) -> None:
    home = _config(
        tmp_path,
        "model: {default: m, context_length: 400000, max_tokens: 8000, provider: x}\n"
        "compression: {threshold: 0.8, threshold_tokens: 200000, model_thresholds: {big: 0.9}}\n",
    )
    assert limits("m", home, old=True).threshold() == int(392_000 * 0.8)
    assert limits("m", home).threshold() == 200_000
    assert limits("too big", home).share == 0.9
    assert limits("other", home).window is None


def test_windows_that_hermes_found_out_are_known(tmp_path: Path) -> None:
    _config(tmp_path, "context_lengths: {'m@http://x/v1': 131072}\n", "context_length_cache.yaml")
    _config(tmp_path, "custom_providers: [{models: {n: {context_length: 9000}}}, 7]\n")
    assert (limits("m", tmp_path).window, limits("n", tmp_path).window) == (131_072, 9_000)


def test_the_codex_route_has_shares_of_its_own(tmp_path: Path) -> None:
    home = _config(tmp_path, "model: {default: gpt-5.5, provider: openai-codex}\n")
    assert limits("gpt-5.5", home).threshold(272_000) == 231_200
    assert limits("gpt-5.3-codex-spark", home).share == 0.70
    home = _config(tmp_path, "model: {provider: openai-codex}\n"
                   "compression: {codex_gpt55_autoraise: false}\n")  # fmt: skip
    assert limits("gpt-5.5", home).threshold(272_000) == 204_000


def test_compaction_that_is_switched_off_has_no_trigger(tmp_path: Path) -> None:
    home = _config(tmp_path, "compression: {enabled: false}\n")
    assert limits("m", home).threshold(200_000) is None


@pytest.mark.parametrize(
    "text",
    [
        "", "[1, 2]", "model: 7", "compression: []", "compression: {threshold: x, enabled: {}}",
        "model: {context_length: -4, max_tokens: [], default: {}}", "\t: {", "a: &a [*a]",
        "custom_providers: 5", "compression: {threshold: 9, model_thresholds: {m: [], 7: 0.5}}",
    ],
)  # fmt: skip
def test_a_configuration_that_is_wrong_is_passed_over(tmp_path: Path, text: str) -> None:
    assert limits("m", _config(tmp_path, text)).threshold(200_000) == 150_000


def test_a_session_is_measured_against_them(tmp_path: Path) -> None:
    _config(tmp_path, "model: {default: m, context_length: 64000}\n")
    made = Made(tmp_path / "state.db")
    made.session(model="m", system_prompt="You are Hermes.")
    made.turns(1)
    session = open_session(made.path, id=SESSION)
    found = find_limits(session, "m", Settings(), {})
    assert (found.limit, found.limit_source) == (64_000, "config.yaml")
    assert found.threshold == 54_400
    assert session.gauge is not None
    assert (session.gauge.trigger, session.gauge.active) == (54_400, None)
    assert home_of(made.path) == tmp_path


def test_a_stored_system_prompt_is_the_least_that_is_overhead(tmp_path: Path) -> None:
    made = Made(tmp_path / "state.db")
    made.session(model="m", system_prompt="You are Hermes. " * 500)
    made.turns(1)
    window = measure(open_session(made.path, id=SESSION), Settings(), {})
    assert window.overhead > 1_500
    assert window.billed is None
    assert window.used == window.overhead + sum(window.tokens)
