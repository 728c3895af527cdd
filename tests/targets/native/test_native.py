"""The agent's own session as a target: what is refused, what is said, and how it is published."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from redline.agents.claude_code.finding import find, slug
from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.places import places
from redline.targets.commit import commit
from redline.targets.native.native import NativeSession, command, later
from tests.agents.claude_code.writing import SESSION_ID, reply, start, text, user, write
from tests.targets.native.making import NOW, review_of, whole_work, work

PROJECT = "/home/dev/shop"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A session where Claude Code keeps them, with another beside it; both untouched for long."""
    folder = tmp_path / ".claude/projects" / slug(PROJECT)
    records = [*start(), user("u2", "a1", "And now?"), reply("a2", "u2", "m2", text("Done."))]
    write(folder, start(), "7e550000-0000-4000-8000-000000000001.jsonl")
    return write(folder, records)


def plan_of(path: Path) -> NativeSession:
    review = review_of(path, pins=Pins(cut="u2"))
    return NativeSession(work(review, {"HOME": str(path.parents[3])}))


def held(folder: Path) -> dict[Path, tuple[bytes, int]]:
    found = folder.rglob("*.jsonl")
    return {one: (one.read_bytes(), one.stat().st_mtime_ns) for one in found}


def test_plain_messages_have_no_form_of_an_agent(tmp_path: Path) -> None:
    listed = tmp_path / "messages.json"
    said = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
    listed.write_text(json.dumps(said))
    with pytest.raises(RedlineError, match="no form of their own"):
        NativeSession(whole_work(open_session(listed), {})).preview()


def test_a_plan_that_leaves_nothing_is_refused(path: Path) -> None:
    review = review_of(path, "fresh")
    with pytest.raises(RedlineError, match="leaves nothing"):
        NativeSession(work(review, {})).preview()


def test_the_preview_writes_nothing(path: Path) -> None:
    before = held(path.parents[3])
    target = plan_of(path)
    change = target.preview()
    assert held(path.parents[3]) == before
    assert change.before is None
    assert change.path is not None
    assert not change.path.exists()
    assert change.mode == 0o600


def test_a_session_that_nobody_has_open_is_not_warned_of(path: Path) -> None:
    task = plan_of(path).work
    assert later(replace(task, now=datetime.now(UTC) + timedelta(days=1))) == ()


def test_a_live_session_says_where_it_was_taken(path: Path) -> None:
    task = plan_of(path).work
    (said,) = later(replace(task, now=datetime.now(UTC)))
    assert said.startswith("taken at message a2; the session is open (it changed in")


def test_messages_that_came_since_are_counted(path: Path) -> None:
    task = plan_of(path).work
    with path.open("ab") as file:
        for record in (user("u3", "a2", "More"), reply("a3", "u3", "m3", text("Yes."))):
            file.write(json.dumps(record).encode() + b"\n")
    (said,) = later(replace(task, now=datetime.now(UTC) + timedelta(days=1)))
    assert said == "taken at message a2; 2 messages came after it and will not be in it"


def test_what_is_retold_nowhere_is_said(path: Path) -> None:
    review = review_of(path, "clear", pins=Pins(actions={"u1": Action.SUMMARISE}))
    said = NativeSession(work(review, {"HOME": "/nowhere"})).preview().warnings
    assert any("puts no summary into the context" in one for one in said)


def test_the_command_is_one_line_for_a_shell(path: Path) -> None:
    target = plan_of(path)
    target.preview()
    assert target.draft is not None
    assert command(target.draft) == f"cd {PROJECT} && claude --resume {target.draft.id}"
    spaced = replace(target.draft, folder=Path("/home/my project"))
    assert command(spaced).startswith("cd '/home/my project' && ")
    assert command(replace(spaced, folder=None)) == f"claude --resume {target.draft.id}"


def test_until_it_is_published_no_agent_finds_it_and_then_it_is_whole(path: Path) -> None:
    """Ended at every single step: the agent's folder holds none of it, or all of it."""
    root = path.parents[3]
    before = held(root)
    target = plan_of(path)
    change = target.preview()
    assert change.path is not None
    where = places({"REDLINE_HOME": str(root / "redline")})
    seen: list[str] = []

    def walk(name: str) -> None:
        seen.append(name)
        found = set(find({"HOME": str(root)}))
        assert found - before.keys() <= {change.path}
        if change.path in found:
            assert change.path is not None
            assert change.path.read_bytes() == change.after
        assert {one: kept for one, kept in held(root).items() if one in before} == before

    commit((change,), session=target.work.session.info, places=where, now=NOW, step=walk)
    assert len(seen) > 5
    assert set(find({"HOME": str(root)})) == {*before, change.path}


@pytest.mark.parametrize("ended", range(14))
def test_a_commit_that_is_cut_short_leaves_no_half_session(path: Path, ended: int) -> None:
    root = path.parents[3]
    before = held(root)
    target = plan_of(path)
    change = target.preview()
    where = places({"REDLINE_HOME": str(root / "redline")})
    count = 0

    def cut(_name: str) -> None:
        nonlocal count
        count += 1
        if count > ended:
            raise KeyboardInterrupt

    try:
        commit((change,), session=target.work.session.info, places=where, now=NOW, step=cut)
    except KeyboardInterrupt:
        assert held(root) == before
    else:
        assert held(root).keys() - before.keys() == {change.path}


def test_a_file_of_its_name_is_never_written_over(path: Path) -> None:
    target = plan_of(path)
    change = target.preview()
    assert change.path is not None
    change.path.write_bytes(b"mine\n")
    where = places({"REDLINE_HOME": str(path.parents[3] / "redline")})
    with pytest.raises(RedlineError):
        commit((change,), session=target.work.session.info, places=where, now=NOW)
    assert change.path.read_bytes() == b"mine\n"


def test_the_name_is_a_session_of_the_agents_own(path: Path) -> None:
    target = plan_of(path)
    change = target.preview()
    assert change.path is not None
    assert change.path.parent == path.parent
    assert change.path.name != f"{SESSION_ID}.jsonl"
