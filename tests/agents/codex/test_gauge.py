"""Codex's own figures: the percentage on its screen and the count it compacts by."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from redline.agents.codex.gauge import percent_left
from redline.agents.codex.reader import open_session
from redline.model import Gauge
from tests.agents.codex.files import said
from tests.agents.codex.rolling import (
    call,
    compacted,
    count,
    estimate,
    image,
    message,
    opened,
    output,
    sealed,
    user,
)


@pytest.mark.parametrize(
    ("total", "left"),
    [(0, 100), (12_000, 100), (135_200, 50), (244_800, 6), (258_400, 0), (940_499, 0)],
)
def test_the_percentage_leaves_out_what_every_window_holds(total: int, left: int) -> None:
    assert percent_left(258_400, total) == left


@pytest.mark.parametrize(("window", "left"), [(None, None), (12_000, 0), (12_001, 100)])
def test_a_window_that_holds_nothing_else_is_empty(window: int | None, left: int | None) -> None:
    assert percent_left(window, 12_000) == left


def test_the_count_adds_earlier_reasoning_and_what_came_after_the_last_item(
    tmp_path: Path,
) -> None:
    session = opened(
        tmp_path,
        user("one"),
        sealed(1_267),  # 950 bytes, 650 of them no reasoning
        said("assistant", "A"),
        count(900, 900),
        user("two"),
        sealed(9_000),  # since the last prompt: the count holds it
        call("c"),
        count(2_000, 2_900),
        output("c", "x" * 35),
    )
    after = len('{"type":"function_call_output","call_id":"c","output":""}')
    assert session.gauge == Gauge(100, 2_010 + 75 + -(-(after + 35) // 4), 244_800)
    assert session.gauge.until == 244_800 - (session.gauge.active or 0)


def test_an_image_weighs_the_same_whatever_its_base64(tmp_path: Path) -> None:
    weights = []
    for size in (100, 5_000_000):
        session = opened(tmp_path, said("assistant", "A"), count(900, 900), user(image("A" * size)))
        assert session.gauge is not None
        weights.append(session.gauge.active)
    assert weights[0] == weights[1]
    assert weights[0] is not None
    assert 1_844 < weights[0] - 910 < 1_900


def test_after_a_compaction_the_figures_are_those_of_codex_own_estimate(tmp_path: Path) -> None:
    kept = [message("user", "one"), {"type": "compaction", "encrypted_content": "g" * 100}]
    session = opened(
        tmp_path,
        user("one"),
        said("assistant", "A"),
        count(240_000, 240_000),
        compacted("", kept),
        estimate(36_640, 240_000),
    )
    assert session.gauge == Gauge(90, 36_640, 244_800)
    assert session.info.billed is None


def test_a_session_without_counts_has_no_gauge(tmp_path: Path) -> None:
    assert opened(tmp_path, user("hi")).gauge is None


def filled(value: Any) -> Any:
    """A redacted text as long as it was; of an image, one."""
    if isinstance(value, dict):
        return {name: filled(held) for name, held in value.items()}
    if isinstance(value, list):
        return [filled(held) for held in value]
    redacted = re.fullmatch(r"\[REDACTED_(\w+) len=(\d+) sha=\w+\]", str(value))
    if redacted is None:
        return value
    if redacted[1] == "IMAGE_URL":
        return "data:image/png;base64,AAAA"
    return "x" * int(redacted[2])


@pytest.mark.real
def test_the_count_passed_the_trigger_at_the_compaction_of_a_real_session(
    real_sessions: Path, tmp_path: Path
) -> None:
    (source,) = real_sessions.joinpath("codex").glob("madshn*T12-54-34*.jsonl")
    copy = tmp_path / "rollout.jsonl"
    with copy.open("w") as file:
        for record in source.read_text("utf-8").splitlines():
            file.write(json.dumps(filled(json.loads(record)), separators=(",", ":")) + "\n")
    gauge = open_session(copy, before=1).gauge
    assert gauge is not None
    assert gauge.trigger == 244_800
    # 245,544 by the real text of the last result, whose escapes the copy does not have
    assert gauge.active is not None
    assert 245_524 <= gauge.active <= 245_544
    assert gauge.percent_left == 19
    (past,) = open_session(copy).compactions
    assert (past.tokens_before, past.tokens_after) == (212_134, 48_297)
