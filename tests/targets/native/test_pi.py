"""pi's own form: what is written, where, and that it reads back as planned."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.agents.opening import open_session
from redline.compaction.plan import Action
from tests.targets.native.making import (
    STRATEGIES,
    made,
    possible,
    review_of,
    whole_work,
    work,
)

REAL = (
    "before-compaction.v3-migrated.jsonl",
    "edge-abandoned-compaction.jsonl",
    "edge-malformed-line.jsonl",
    "edge-no-trailing-newline.jsonl",
    "edge-unknown-firstkept.jsonl",
    "large-session.jsonl",
    "large-session.v3-migrated.jsonl",
    "synthetic-pi-1.6.0-all-entry-types.jsonl",
)


@pytest.mark.real
@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_real_session_reads_back_as_planned(
    real_sessions: Path, name: str, strategy: str
) -> None:
    made(work(review_of(real_sessions / "pi" / name, strategy), {}))


_pins = st.lists(
    st.tuples(st.integers(0, 99), st.none() | st.integers(0, 9), st.sampled_from(Action)),
    max_size=25,
)


@pytest.mark.real
@given(wanted=_pins, strategy=st.sampled_from(STRATEGIES))
@settings(max_examples=120)
def test_any_plan_reads_back_as_planned(
    real_sessions: Path, wanted: list[tuple[int, int | None, Action]], strategy: str
) -> None:
    path = real_sessions / "pi/synthetic-pi-1.6.0-all-entry-types.jsonl"
    task = work(possible(path, strategy, wanted), {})
    if task.plan.staying or task.summary:
        made(task)


@pytest.mark.real
@pytest.mark.parametrize("name", REAL)
def test_a_whole_copy_reads_back_as_it_was(real_sessions: Path, name: str) -> None:
    session = open_session(real_sessions / "pi" / name)
    made(whole_work(session, {}))
