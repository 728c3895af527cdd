"""pi's own form reads back as planned, what was restored too, and what does not is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.targets.native.checking import check
from redline.targets.native.forms import draft_of
from tests.agents.pi.made_up import (
    JSON,
    header,
    write,
)
from tests.targets.native.making import (
    STRATEGIES,
    made,
    possible,
    review_of,
    whole_work,
    work,
)
from tests.targets.native.pi_session import Lines, everything, lines_of, said


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path, header(), everything())


# -- restored --------------------------------------------------------------------------------------


def test_the_context_of_before_a_compaction_comes_back(path: Path) -> None:
    _, session = made(whole_work(open_session(path, before=1), {}))
    assert said(session)[0] == "Long ago"
    assert not session.compactions


def test_a_repaired_copy_loses_nothing_on_resume(path: Path) -> None:
    lines = everything()
    lines[18]["parentId"] = "nobody"
    broken = open_session(write(path.parent, header(), lines))
    assert broken.resume_lost
    _, session = made(whole_work(broken, {}))
    assert session.resume_lost == 0
    assert said(session) == said(broken)


def test_a_torn_line_in_the_midst_is_no_loss(path: Path) -> None:
    lines: list[JSON | bytes] = [header(), *everything()]
    lines[12:12] = [b'{"type":"message","id":"torn","parent']
    broken = open_session(write(path.parent, *lines))
    _, session = made(whole_work(broken, {}))
    assert said(session) == said(broken)


# -- what the check finds --------------------------------------------------------------------------


def _refused(path: Path, change: Callable[[Lines], object]) -> str:
    task = work(review_of(path, "redline", pins=Pins(cut="u3")), {})
    draft = draft_of(task)
    lines = lines_of(draft.data)
    change(lines)
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    with pytest.raises(RedlineError) as refused:
        check(replace(draft, data=data), task)
    return refused.value.message


def test_a_first_kept_entry_that_is_not_there_is_found(path: Path) -> None:
    assert "is not in it" in _refused(path, lambda all_: all_[-1].update(firstKeptEntryId="no"))


def test_a_parent_that_is_not_there_is_found(path: Path) -> None:
    assert "would not find" in _refused(path, lambda all_: all_[-3].update(parentId="no"))


def test_a_changed_text_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-3]["message"]["content"][0]["text"] = "Done!"

    assert "'Done!'" in _refused(path, change)


def test_an_old_id_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-4]["id"] = lines[-3]["parentId"] = lines[-1]["firstKeptEntryId"] = "u3"

    assert "the id u3" in _refused(path, change)


# -- round trips -----------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_strategy_reads_back_as_planned(path: Path, strategy: str) -> None:
    made(work(review_of(path, strategy), {}))


_pins = st.lists(
    st.tuples(st.integers(0, 99), st.none() | st.integers(0, 9), st.sampled_from(Action)),
    max_size=25,
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("everything"), header(), everything())


@given(wanted=_pins, strategy=st.sampled_from(STRATEGIES))
@settings(max_examples=150)
def test_any_plan_reads_back_as_planned(
    kept: Path, wanted: list[tuple[int, int | None, Action]], strategy: str
) -> None:
    task = work(possible(kept, strategy, wanted), {})
    if task.plan.staying or task.summary:
        made(task)


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
@pytest.mark.parametrize("before", [None, 1])
def test_every_real_session_reads_back_as_planned(
    real_sessions: Path, name: str, before: int | None
) -> None:
    path = real_sessions / "pi" / name
    session = open_session(path)
    if before and len(session.compactions) < before:
        pytest.skip("it was never compacted")
    made(whole_work(open_session(path, before=before), {}))
    for strategy in STRATEGIES:
        made(work(review_of(path, strategy, before=before), {}))
