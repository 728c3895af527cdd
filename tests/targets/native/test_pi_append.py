"""pi's session gone on with in its place: when that is done, what is written, and taken back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.places import Places, places
from redline.targets.commit import commit
from redline.targets.native.damaged import why_damaged
from redline.targets.native.draft import Work
from redline.targets.native.native import NativeSession
from redline.targets.receipts import Receipts
from tests.agents.pi.made_up import call, chain, header, ids, reply, result, user, write
from tests.targets.native.making import NOW, made, possible, review_of, whole_work, work
from tests.targets.native.pi_session import everything
from tests.targets.native.test_pi_read_back import REAL

Lines = list[dict[str, Any]]
LONG_AGO = 1_790_000_000
CUT = Pins(cut="u3")


def rested(path: Path) -> Path:
    """A file that nobody has touched for long."""
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return rested(write(tmp_path, header(), everything()))


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


def in_place(path: Path, strategy: str = "redline", pins: Pins | None = CUT) -> Work:
    return work(review_of(path, strategy, pins=pins), {}, in_place=True)


def appended(task: Work, home: Places) -> str:
    """Commits it and gives the receipt's id."""
    change = NativeSession(task).preview()
    return commit((change,), session=task.session.info, places=home, now=NOW, environment={}).id


def test_one_line_is_written_behind_all_that_is_there(path: Path, home: Places) -> None:
    before = path.read_bytes()
    appended(in_place(path), home)
    after = path.read_bytes()
    assert after.startswith(before)
    line = json.loads(after[len(before) :])
    assert after.endswith(b"}\n")
    assert line["parentId"] == "m2"  # the last entry, whatever it is
    assert line["firstKeptEntryId"] == "u3"
    assert line["id"] not in {entry["id"] for entry in everything()}
    assert line["systemMessage"]["content"] == "And kind"
    assert "fromHook" not in line
    session = open_session(path)
    assert ids(session)[1:] == ["u3", "a4"]
    assert session.resume_lost == 0


def test_undo_brings_the_same_bytes_and_the_time_back(path: Path, home: Places) -> None:
    before = path.read_bytes()
    receipt = appended(in_place(path), home)
    assert path.stat().st_mtime != LONG_AGO
    result = Receipts(home).undo(receipt, NOW, environment={})
    assert result.complete
    assert (path.read_bytes(), path.stat().st_mtime) == (before, LONG_AGO)


def test_the_file_keeps_its_time_where_that_is_asked_for(path: Path, home: Places) -> None:
    before = path.stat().st_size
    appended(replace(in_place(path), keep_time=True), home)
    assert path.stat().st_mtime == LONG_AGO
    assert path.stat().st_size > before


def test_a_last_line_without_an_end_gets_one(tmp_path: Path, home: Places) -> None:
    path = write(tmp_path, header(), everything())
    path.write_bytes(path.read_bytes()[:-1])
    before = rested(path).read_bytes()
    receipt = appended(in_place(path), home)
    assert path.read_bytes().startswith(before + b"\n{")
    assert not open_session(path).damage
    Receipts(home).undo(receipt, NOW, environment={})
    assert path.read_bytes() == before


def test_the_session_behind_a_link_goes_on_and_the_link_stays(path: Path, home: Places) -> None:
    link = path.parent / "link.jsonl"
    link.symlink_to(path)
    size = path.stat().st_size
    appended(in_place(link), home)
    assert link.is_symlink()
    assert path.stat().st_size > size


def test_nothing_but_the_summary_may_be_left(path: Path, home: Places) -> None:
    actions = {message.id: Action.SUMMARISE for message in open_session(path).context}
    appended(in_place(path, pins=Pins(actions=actions)), home)
    (only,) = open_session(path).context
    line = json.loads(path.read_bytes().splitlines()[-1])
    assert line["firstKeptEntryId"] == line["id"] == only.id


def refused(task: Work) -> str:
    before = task.session.info.path.read_bytes()
    with pytest.raises(RedlineError) as caught:
        NativeSession(task).preview()
    assert caught.value.hint
    assert task.session.info.path.read_bytes() == before
    return caught.value.message


def older(lines: Lines) -> Lines:
    return [
        {key: value for key, value in line.items() if key not in ("id", "parentId")}
        for line in lines
    ]


def plain() -> Lines:
    return chain(
        user("u1", None, "Hi"), reply("a1", None, "Hello"), user("u2", None, "And now?"),
        reply("a2", None, "Done."),
    )  # fmt: skip


@pytest.mark.parametrize("version", [None, 2])
def test_a_file_of_an_older_version_is_never_appended_to(
    tmp_path: Path, version: int | None
) -> None:
    lines = plain() if version else older(plain())
    path = rested(write(tmp_path, header(version), lines))
    cut = "u2" if version else "line:4"
    assert "which pi first writes anew" in refused(in_place(path, pins=Pins(cut=cut)))


@pytest.mark.parametrize(
    ("strategy", "pins", "why"),
    [
        ("clear", None, "first"),
        ("codex", None, "first"),
        ("redline", Pins(cut="u3", actions={"u1": Action.KEEP}), "more, or less, than one tail"),
        ("redline", Pins(cut="u2", parts={("r3", 0): Action.CLEAR}), "than one tail word for word"),
        ("redline", Pins(cut="u3", actions={"a4": Action.DROP}), "than one tail word for word"),
    ],
)
def test_only_one_tail_word_for_word_can_be_kept(
    path: Path, strategy: str, pins: Pins | None, why: str
) -> None:
    assert why in refused(in_place(path, strategy, pins))


def test_another_view_than_the_live_one_is_not_gone_on_with(path: Path) -> None:
    task = work(review_of(path, pins=Pins(cut="a0"), before=1), {}, in_place=True)
    assert "another view" in refused(task)
    leaf = open_session(path, leaf="a2")
    assert "another view" in refused(replace(whole_work(leaf, {}), in_place=True))


def test_a_damaged_file_is_not_appended_to(tmp_path: Path) -> None:
    lines = plain()
    lines[1]["parentId"] = "nobody"
    path = rested(write(tmp_path, header(), lines))
    assert "damaged" in refused(in_place(path, pins=Pins(cut="u2")))


def test_inside_a_round_of_calls_nothing_is_appended(tmp_path: Path) -> None:
    both = (call("t1"), call("t2"))
    lines = chain(*plain(), reply("a3", None, *both, stop="toolUse"), result("r1", None, "t1"))
    path = rested(write(tmp_path, header(), lines))
    actions = {message.id: Action.SUMMARISE for message in open_session(path).context}
    assert "waits for the results" in refused(in_place(path, pins=Pins(actions=actions)))


def test_a_session_that_changed_a_moment_ago_may_be_open(path: Path) -> None:
    os.utime(path, (NOW.timestamp() - 5, NOW.timestamp() - 5))
    assert "may be: it changed in the last two minutes" in refused(in_place(path))
    with pytest.raises(RedlineError) as told:
        NativeSession(in_place(path)).preview()
    assert told.value.status == 1, "it is no wrong use: it can be tried again"


def test_what_has_grown_since_it_was_opened_is_not_appended_to(path: Path) -> None:
    task = in_place(path)
    more = user("u9", "m2", "One thing more")
    with path.open("ab") as file:
        file.write(json.dumps(more).encode() + b"\n")
    rested(path)
    assert "changed" in refused(task)


def test_what_grows_between_preview_and_write_is_not_appended_to(path: Path, home: Places) -> None:
    task = in_place(path)
    change = NativeSession(task).preview()
    with path.open("ab") as file:
        file.write(json.dumps(user("u9", "m2", "One thing more")).encode() + b"\n")
    grown = rested(path).read_bytes()
    with pytest.raises(RedlineError, match="changed"):
        commit((change,), session=task.session.info, places=home, now=NOW, environment={})
    assert path.read_bytes() == grown


def test_a_session_is_compacted_in_its_place_again_and_again(path: Path, home: Places) -> None:
    appended(in_place(path), home)
    again = rested(path.rename(path.with_name("again.jsonl")))
    appended(in_place(again, pins=Pins(cut="a4")), home)
    session = open_session(again)
    assert len(session.compactions) == 3
    assert ids(session)[1:] == ["a4"]


# -- round trips -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return rested(write(tmp_path_factory.mktemp("everything"), header(), everything()))


_cuts = st.lists(
    st.tuples(st.integers(0, 99), st.none() | st.integers(0, 3), st.sampled_from(Action)),
    max_size=4,
)


@given(wanted=_cuts, strategy=st.sampled_from(("redline", "pi", "scored", "claude-code")))
@settings(max_examples=80)
def test_what_is_not_refused_reads_back_as_planned(
    kept: Path, wanted: Iterable[tuple[int, int | None, Action]], strategy: str
) -> None:
    task = work(possible(kept, strategy, wanted), {}, in_place=True)
    why = ""
    try:
        made(task)
    except RedlineError as error:
        why = error.message
    assert not why or "cannot go on compacted in its place" in why


@pytest.mark.real
@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("strategy", ["redline", "pi"])
def test_real_sessions_go_on_compacted(
    real_sessions: Path, tmp_path: Path, home: Places, name: str, strategy: str
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes((real_sessions / "pi" / name).read_bytes())
    before = rested(path).read_bytes()
    session = open_session(path)
    task = work(review_of(path, strategy), {}, in_place=True)
    if session.version != "v3" or not task.plan.changes or why_damaged(session):
        assert refused(task)
        return
    receipt = appended(task, home)
    assert len(open_session(path).context) == len(task.plan.staying) + 1
    Receipts(home).undo(receipt, NOW, environment={})
    assert (path.read_bytes(), path.stat().st_mtime) == (before, LONG_AGO)
