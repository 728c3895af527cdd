"""Claude Code's own form reads back as planned, and what does not is found."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.targets.native.checking import check
from redline.targets.native.forms import draft_of
from tests.agents.claude_code.writing import (
    usage,
    write,
)
from tests.targets.native.claude_code_session import (
    Lines,
    everything,
    lines_of,
    place,
    said,
)
from tests.targets.native.making import (
    STRATEGIES,
    made,
    possible,
    review_of,
    whole_work,
    work,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path, everything())


# -- what the check finds --------------------------------------------------------------------------


def _refused(path: Path, change: Any) -> str:
    task = work(review_of(path, "redline", pins=Pins(cut="u3")), place(path.parent))
    draft = draft_of(task)
    lines = lines_of(draft.data)
    change(lines)
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    with pytest.raises(RedlineError) as refused:
        check(replace(draft, data=data), task)
    return refused.value.message


def test_a_record_too_few_is_found(path: Path) -> None:
    def drop(lines: Lines) -> None:
        gone = lines.pop(-3)
        lines[-2]["parentUuid"] = gone["parentUuid"]

    assert "is not in it" in _refused(path, drop) or "should be" in _refused(path, drop)


def test_a_record_too_many_is_found(path: Path) -> None:
    def add(lines: Lines) -> None:
        more = json.loads(json.dumps(lines[-2]))
        more |= {"uuid": "more", "parentUuid": lines[-2]["uuid"]}
        more["message"]["id"] = "other"
        lines[-1]["leafUuid"] = "more"
        lines.insert(-1, more)

    assert "should not be" in _refused(path, add)


def test_a_changed_text_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-2]["message"]["content"][0]["text"] = "Done!"

    assert "'Done!'" in _refused(path, change)


def test_another_summary_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        (told,) = (line for line in lines if line.get("isCompactSummary"))
        told["message"]["content"] = told["message"]["content"].replace("1. Primary", "1. Other")

    assert "summary" in _refused(path, change)


def test_a_usage_that_is_left_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-2]["message"]["usage"] = usage(150_000)

    assert "compact again" in _refused(path, change)


def test_a_broken_chain_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-2]["parentUuid"] = "nobody"
        lines[-2]["timestamp"] = "2026-10-01T23:00:00.000Z"

    assert "would not find" in _refused(path, change)


def test_an_old_id_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-2]["uuid"] = lines[-1]["leafUuid"] = "a8"

    assert "the id a8" in _refused(path, change)


# -- round trips -----------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_strategy_reads_back_as_planned(path: Path, strategy: str) -> None:
    review = review_of(path, strategy)
    _, session = made(work(review, place(path.parent)))
    assert session.resume_lost == 0


_pins = st.lists(
    st.tuples(st.integers(0, 99), st.none() | st.integers(0, 9), st.sampled_from(Action)),
    max_size=25,
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("everything"), everything())


@given(wanted=_pins, strategy=st.sampled_from(STRATEGIES))
@settings(max_examples=120)
def test_any_plan_reads_back_as_planned(
    kept: Path, wanted: list[tuple[int, int | None, Action]], strategy: str
) -> None:
    task = work(possible(kept, strategy, wanted), place(kept.parent))
    if task.plan.staying or task.summary:
        made(task)


@pytest.mark.real
@pytest.mark.parametrize("before", [None, 1])
def test_every_real_session_reads_back_as_planned(real_sessions: Path, before: int | None) -> None:
    found = sorted(real_sessions.joinpath("claude_code").rglob("*.jsonl"))
    assert found
    for path in found:
        if before and len(open_session(path).compactions) < before:
            continue
        few = before is not None or "subagents" in path.parts
        for strategy in ("redline", "hermes") if few else STRATEGIES:
            made(work(review_of(path, strategy, before=before), {"HOME": "/home/dev"}))


@pytest.mark.real
def test_a_repaired_copy_loses_nothing_on_resume(real_sessions: Path) -> None:
    broken = open_session(real_sessions / "claude_code/entire_38346dbf_dangling.jsonl")
    assert broken.resume_lost > 100
    _, session = made(whole_work(broken, {"HOME": "/home/dev"}))
    assert session.resume_lost == 0
    assert said(session) == said(broken)
