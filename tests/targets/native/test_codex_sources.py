"""Where a compacted thread of Codex comes from: every dialect, any plan, whatever is in it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.agents.codex.encoding import SUMMARY_MARK
from redline.agents.codex.source import RolloutSource
from redline.agents.opening import open_session
from redline.compaction.plan import Action
from redline.review import Review
from redline.targets.native.draft import Work
from tests.agents.codex.files import JSON, line, meta, text_of, write
from tests.agents.codex.rolling import (
    asked,
    call,
    compacted,
    message,
    output,
    rolled_back,
    user,
)
from tests.agents.codex.threads import DIALECTS, conversation, everything, in_dialect
from tests.targets.native.codex_drafts import (
    STRATEGIES,
    kept,
    lines_of,
    one_of,
    place,
    said,
    written,
)
from tests.targets.native.making import made, possible, review_of, whole_work, work


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / ".codex"


@pytest.fixture
def path(home: Path) -> Path:
    return in_dialect("legacy", home, everything())


# -- where it comes from ---------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_rollout_of_every_dialect_gives_one_that_codex_reads_today(
    home: Path, dialect: str
) -> None:
    path = in_dialect(dialect, home, everything())
    before = {one: one.read_bytes() for one in home.rglob("*") if one.is_file()}
    for strategy in ("redline", "clear", "codex"):
        draft, session = made(work(review_of(path, strategy), place(home.parent)))
        assert {one["type"] for one in lines_of(draft)} <= {
            "session_meta",
            "event_msg",
            "turn_context",
            "compacted",
        }
        assert session.resume_lost == 0
    assert {one: one.read_bytes() for one in home.rglob("*") if one.is_file()} == before


def test_a_flat_rollout_is_repaired_by_a_copy(home: Path) -> None:
    broken = open_session(in_dialect("flat", home, conversation()))
    assert broken.resume_lost == len(broken.context)
    draft, session = made(whole_work(broken, place(home.parent)))
    assert session.resume_lost == 0
    assert said(session) == said(broken)
    assert one_of(draft, "session_meta")["cwd"] == "/w/shop"


def test_lines_that_codex_passes_over_are_in_the_repaired_copy(tmp_path: Path) -> None:
    gone = [dict(one) for one in conversation()]
    del gone[4]["timestamp"]
    del gone[7]["timestamp"]
    broken = open_session(written(tmp_path, *gone))
    assert broken.resume_lost
    _, session = made(whole_work(broken, place(tmp_path)))
    assert said(session) == said(broken)
    assert session.resume_lost == 0


def compacted_twice() -> list[JSON]:
    sealed = {"type": "compaction", "encrypted_content": "gAAAfirst"}
    own = f"{SUMMARY_MARK}\nIt was mended."
    return [
        *conversation(),
        compacted("", [message("user", "Fix the login"), sealed]),
        *asked("t5", "Now the docs", call("c8"), output("c8", "written")),
        line("response_item", message("assistant", "It was mended.")),
        compacted(own, [message("user", "Now the docs"), message("user", own)]),
        *asked("t6", "What is left?"),
    ]


@pytest.mark.parametrize("before", [1, 2])
def test_what_was_before_a_compaction_comes_back(tmp_path: Path, before: int) -> None:
    path = written(tmp_path, *compacted_twice())
    earlier = open_session(path, before=before)
    draft, session = made(whole_work(earlier, place(tmp_path)))
    assert said(session) == said(earlier)
    seals = [one for one in kept(draft) if one["type"] == "compaction"]
    assert len(seals) == before - 1
    assert not any("It was mended" in one for one in said(session))
    for strategy in STRATEGIES:
        made(work(review_of(path, strategy, before=before), place(tmp_path)))


def test_what_a_compaction_of_2025_rebuilt_is_written_out(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        *asked("t1", "x" * 90_000),
        *asked("t2", "y" * 30_000),
        compacted("what was done"),
        *asked("t3", "go on"),
    )
    session = open_session(path)
    assert any("tokens truncated" in one for one in said(session))
    _, copy = made(whole_work(session, place(tmp_path)))
    assert said(copy) == said(session)


def test_words_that_are_hard_to_write_stay_as_they_were(tmp_path: Path) -> None:
    half = '{"timestamp":"2026-06-25T10:00:01.000Z","type":"response_item","payload":{"type":'
    half += '"message","role":"user","content":[{"type":"input_text","text":"a\\ud800b \\u0000"}]}}'
    huge = "\u4e2d" * 600_000 + "\n" * 5
    path = written(tmp_path, half, user(huge), user("\x1b]8;;x\x07\u202e @a.md <!-- -->"))
    session = open_session(path)
    assert said(session)[0] == "a\ufffdb \x00"
    draft, copy = made(whole_work(session, place(tmp_path)))
    assert said(copy) == said(session)
    assert said(copy)[1] == huge
    draft.data.decode("utf-8")


# -- round trips -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return in_dialect("legacy", tmp_path_factory.mktemp("home") / ".codex", everything())


_pins = st.lists(
    st.tuples(st.integers(0, 99), st.none() | st.integers(0, 9), st.sampled_from(Action)),
    max_size=25,
)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_strategy_reads_back_as_planned(shelf: Path, strategy: str) -> None:
    made(work(review_of(shelf, strategy), place(shelf.parents[5])))


@given(wanted=_pins, strategy=st.sampled_from(STRATEGIES))
@settings(max_examples=120)
def test_any_plan_reads_back_as_planned(
    shelf: Path, wanted: list[tuple[int, int | None, Action]], strategy: str
) -> None:
    task = work(possible(shelf, strategy, wanted), place(shelf.parents[5]))
    if task.plan.staying or task.summary:
        made(task)


@pytest.mark.real
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_real_rollout_reads_back_as_planned(real_sessions: Path, strategy: str) -> None:
    found = sorted(real_sessions.joinpath("codex").glob("*.jsonl"))
    assert found
    for path in found:
        for before in (None, *range(1, len(open_session(path).compactions) + 1)):
            task = work(review_of(path, strategy, before=before), {"HOME": "/home/dev"})
            made(task)


@pytest.mark.real
@given(data=st.data())
@settings(max_examples=25)
def test_any_plan_of_a_real_rollout_reads_back_as_planned(
    real_sessions: Path, data: st.DataObject
) -> None:
    found = sorted(real_sessions.joinpath("codex").glob("*.jsonl"))
    path = data.draw(st.sampled_from(found))
    strategy = data.draw(st.sampled_from(STRATEGIES))
    task = work(possible(path, strategy, data.draw(_pins)), {"HOME": "/home/dev"})
    if task.plan.staying or task.summary:
        made(task)


@pytest.mark.real
def test_every_real_rollout_is_copied_whole(real_sessions: Path) -> None:
    for path in sorted(real_sessions.joinpath("codex").glob("*.jsonl")):
        session = open_session(path)
        assert isinstance(session.source, RolloutSource)
        _, copy = made(whole_work(session, {"HOME": "/home/dev"}))
        assert copy.resume_lost == 0


# -- whatever is in it -----------------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    None,
    5,
    -1.5,
    True,
    "",
    "\x00",
    10**30,
    float("nan"),
    [],
    {},
    [5],
    ["a"],
    {"a": 1},
    [{"type": "input_image"}],
    [{"type": "input_text", "text": "t"}],
    {"type": "exec"},
    {"type": "search", "query": 5},
)


def places_in(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if place:
        yield place
    inner = value.items() if isinstance(value, dict) else ()
    for name, held in enumerate(value) if isinstance(value, list) else inner:
        yield from places_in(held, (*place, name))


def spoiled(random: Random) -> list[JSON]:
    """A thread with some fields gone or of another kind."""
    records = deepcopy([meta(), *everything()])
    for _ in range(random.randint(1, 8)):
        record = random.choice([one for one in records if len(one) > 1])
        *way, last = random.choice([one for one in places_in(record) if one != ("type",)])
        inside: Any = record
        for step in way:
            inside = inside[step]
        if random.random() < 0.3:
            del inside[last]
        else:
            inside[last] = random.choice(ODD)
    return records


@given(seed=st.integers(0, 1_000_000), strategy=st.sampled_from(STRATEGIES))
@settings(max_examples=30)
def test_a_spoiled_rollout_is_written_as_far_as_it_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, seed: int, strategy: str
) -> None:
    records = spoiled(Random(seed))
    path = write(tmp_path_factory.mktemp("spoiled") / "rollout.jsonl", *records)
    for task in (whole_work(open_session(path), {}), work(review_of(path, strategy), {})):
        if task.plan.staying or task.summary:
            made(task)


def test_a_branch_that_was_taken_back_goes_on_by_itself(tmp_path: Path) -> None:
    path = written(tmp_path, *asked("t1", "one"), *asked("t2", "two"), rolled_back(1))
    session = open_session(path)
    (branch,) = session.side_branches
    left = open_session(path, leaf=branch.leaf)
    _, copy = made(whole_work(left, place(tmp_path)))
    assert said(copy) == ["one", "Re: one", "two", "Re: two"]
    _, copy = made(whole_work(session, place(tmp_path)))
    assert said(copy) == ["one", "Re: one"]


def work_with_other_ids(review: Review) -> Work:
    return replace(work(review, {}), new_id=lambda: str(UUID(int=9)))


def test_a_compacted_session_is_compacted_again(tmp_path: Path) -> None:
    path = written(tmp_path, *conversation())
    draft, _ = made(work(review_of(path, "pi"), place(tmp_path)))
    again = tmp_path / draft.path.name
    again.write_bytes(draft.data + text_of(*asked("t9", "Now the docs")))
    for strategy in STRATEGIES:
        made(work_with_other_ids(review_of(again, strategy)))
    whole = replace(whole_work(open_session(again), {}), new_id=lambda: str(UUID(int=9)))
    assert said(made(whole)[1]) == said(open_session(again))
