"""Hermes' own form: what is written reads back as planned, and goes away as it came."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redline.agents.hermes.encoding import handoff
from redline.agents.opening import open_session, recognise
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.model import Kind
from redline.places import Places, places
from redline.targets.native.checking import check
from redline.targets.native.forms import draft_of
from redline.targets.native.native import command
from redline.targets.receipts import Receipts
from redline.targets.undoing import Outcome
from tests.agents.hermes.made_up import SESSION
from tests.targets.native.hermes_made import (
    database,
    environment,
    everything,
    published,
    run,
    task,
)
from tests.targets.native.making import NOW, possible, review_of, whole_work, work

BOTH = pytest.mark.parametrize("in_place", [False, True])
SCHEMAS = pytest.mark.parametrize("schema", [22, 31])


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "redline")})


@BOTH
@SCHEMAS
def test_it_is_written_taken_back_and_written_again(
    tmp_path: Path, home: Places, schema: int, in_place: bool
) -> None:
    path = database(tmp_path / "state.db", schema=schema, wal=schema == 31)
    before = everything(path)
    draft, receipt = published(task(path, in_place=in_place), home)
    after = everything(path)
    session = open_session(recognise(path, draft.id))
    kinds = [part.kind for message in session.context for part in message.parts]
    assert kinds.count(Kind.SUMMARY) == 1
    receipts = Receipts(home)
    old, new = receipts.sides(receipts.get(receipt), 0)
    assert new is not None
    assert new.splitlines()[0].startswith(b"user: [CONTEXT SUMMARY]")
    assert old == b"" or in_place
    undone = receipts.undo(receipt, NOW, environment=environment(path))
    assert [file.outcome for file in undone.files] == [Outcome.RESTORED]
    assert everything(path) == before
    assert receipts.undo(undone.receipt, NOW, environment=environment(path)).complete
    again = everything(path)
    assert [row[1:5] for row in again["messages"]] == [row[1:5] for row in after["messages"]]


@SCHEMAS
def test_beside_the_old_session_nothing_of_it_changes(
    tmp_path: Path, home: Places, schema: int
) -> None:
    path = database(tmp_path / "state.db", schema=schema)
    before = everything(path)
    draft, _ = published(task(path, in_place=False), home)
    after = everything(path)
    assert after["messages"][: len(before["messages"])] == before["messages"]
    assert after["sessions"][: len(before["sessions"])] == before["sessions"]
    (row,) = run(
        path,
        "SELECT source, parent_session_id, title, model_config, cwd, message_count,"
        " tool_call_count, started_at, ended_at FROM sessions WHERE id = ?",
        draft.id,
    )
    assert row[:3] == ("cli", SESSION, "Rounding #2")
    assert json.loads(row[3]) == {"_branched_from": SESSION}
    assert row[4:6] == ("/home/dev/ledger", len(draft.stays) + 1)
    assert row[7:] == (NOW.timestamp(), None)
    assert draft.id.startswith(f"{NOW.astimezone():%Y%m%d_%H%M%S}_")
    assert command(draft) == f"hermes --resume {draft.id}"
    assert open_session(recognise(path, draft.id)).info.parent == SESSION


def test_in_its_place_what_went_is_archived_and_what_goes_on_is_found_once(
    tmp_path: Path, home: Places
) -> None:
    path = database(tmp_path / "state.db", schema=31)
    job = task(path, in_place=True)
    draft, _ = published(job, home)
    stays = {left.message.id for left in draft.stays if left.whole}
    query = "SELECT id, active, compacted FROM messages WHERE session_id = ?"
    flags = {str(row[0]): row[1:] for row in run(path, query, SESSION)}
    for message in job.session.context:
        carried = message.id in stays and flags[message.id] == (0, 0)
        assert carried or flags[message.id] == (0, 1)
    assert sum(flag == (1, 0) for flag in flags.values()) == len(draft.stays) + 1
    found = run(
        path,
        "SELECT count(*) FROM messages_fts f JOIN messages m ON m.id = f.rowid"
        " WHERE f.content MATCH 'assert' AND (m.active = 1 OR m.compacted = 1)",
    )
    assert found == [(1,)]
    counted = run(path, "SELECT message_count FROM sessions WHERE id = ?", SESSION)
    assert counted == [(len(draft.stays) + 1,)]
    session = open_session(recognise(path, SESSION))
    assert len(session.compactions) == 1
    again = open_session(recognise(path, SESSION), before=1)
    assert [m.id for m in again.context] == [m.id for m in job.session.context]


STRATEGIES = ("redline", "hermes", "hermes-legacy", "pi", "codex", "clear", "scored")
PARTS = st.lists(
    st.tuples(
        st.integers(0, 30),
        st.one_of(st.none(), st.integers(0, 5)),
        st.sampled_from((Action.KEEP, Action.CLEAR, Action.SHORTEN, Action.SUMMARISE, Action.DROP)),
    ),
    max_size=12,
)


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return database(tmp_path_factory.mktemp("hermes") / "state.db", schema=31)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(strategy=st.sampled_from(STRATEGIES), wanted=PARTS, in_place=st.booleans())
def test_any_plan_reads_back_as_planned(
    ready: Path, strategy: str, wanted: list[tuple[int, int | None, Action]], in_place: bool
) -> None:
    review = possible(recognise(ready, SESSION), strategy, wanted)
    job = work(review, environment(ready), in_place=in_place)
    if job.plan.changes and (job.plan.staying or job.summary):
        check(draft_of(job), job)


def test_a_session_that_another_goes_on_with_is_compacted_beside_only(
    tmp_path: Path, home: Places
) -> None:
    path = database(tmp_path / "state.db")
    run(path, "UPDATE sessions SET end_reason = 'compression', ended_at = 9 WHERE id = ?", SESSION)
    run(path, "UPDATE sessions SET parent_session_id = ? WHERE id = 'other'", SESSION)
    with pytest.raises(RedlineError, match="goes on with session other"):
        draft_of(task(path, in_place=True))
    draft, _ = published(task(path, in_place=False), home)
    assert open_session(recognise(path, draft.id)).info.parent == SESSION


def test_in_its_place_it_can_stay_as_old_as_it_was(tmp_path: Path, home: Places) -> None:
    path = database(tmp_path / "state.db")
    newest = run(path, "SELECT max(timestamp) FROM messages")
    published(replace(task(path, in_place=True), keep_time=True), home)
    assert run(path, "SELECT max(timestamp) FROM messages") == newest


def test_a_row_with_columns_that_nobody_can_read_costs_a_new_session_those_columns(
    tmp_path: Path, home: Places
) -> None:
    path = database(tmp_path / "state.db")
    run(path, "UPDATE messages SET codex_reasoning_items = '[torn' WHERE id = 19")
    run(path, "UPDATE messages SET role = 'nobody', content = NULL WHERE id = 20")
    run(path, "UPDATE messages SET content = ? WHERE id = 21", b"There it is \xff right.")
    before = everything(path)
    _, receipt = published(task(path, in_place=False), home)
    assert Receipts(home).undo(receipt, NOW, environment=environment(path)).complete
    with pytest.raises(RedlineError, match="it is damaged"):
        published(task(path, in_place=True), home)
    assert everything(path) == before


def test_every_spoiled_copy_is_found(tmp_path: Path) -> None:
    path = database(tmp_path / "state.db")
    job = task(path, in_place=False)
    draft = draft_of(job)
    spoils = (
        "DELETE FROM messages WHERE id = (SELECT max(id) FROM messages)",
        "UPDATE messages SET content = content || ' ' WHERE id = (SELECT max(id) FROM messages)",
        "UPDATE messages SET active = 0 WHERE id = (SELECT max(id) FROM messages)",
        "UPDATE messages SET role = 'user' WHERE id = (SELECT max(id) FROM messages)",
    )
    for spoil in spoils:

        def lay(folder: Path, spoil: str = spoil) -> Path:
            found = draft.put(folder)
            run(found, spoil)
            return found

        with pytest.raises(RedlineError, match="not what the plan says"):
            check(replace(draft, lay=lay), job)


@pytest.mark.parametrize(
    ("cut", "roles", "said"),
    [
        ("20", ["user", "assistant"], "\n\nAnd in b.py?"),
        ("16", ["user", "user", "assistant", "tool", "assistant", "user", "assistant"], ""),
        ("15", ["user", "assistant", "user", "assistant", "tool", "assistant", "user"], ""),
    ],
)
def test_a_handoff_goes_into_the_request_behind_it_where_roles_would_come_twice(
    tmp_path: Path, home: Places, cut: str, roles: list[str], said: str
) -> None:
    """Unless blank lines in front of that would be lost: Hermes joins the two as it reads them."""
    path = database(tmp_path / "state.db", schema=31)
    review = review_of(recognise(path, SESSION), pins=Pins(cut=cut))
    job = replace(work(review, environment(path)), summary="The summary")
    draft, _ = published(job, home)
    query = (
        "SELECT role, content, _compressed_summary FROM messages WHERE session_id = ? ORDER BY id"
    )
    rows = run(path, query, draft.id)
    assert [row[0] for row in rows][: len(roles)] == roles
    assert rows[0] == ("user", handoff("The summary") + said, 1)
    assert sum(row[2] for row in rows) == 1


def test_an_export_is_to_be_imported_first(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    row = {"id": "one", "source": "cli", "started_at": 1.0}
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    path.write_text(json.dumps({**row, "messages": messages}) + "\n")
    session = open_session(path)
    with pytest.raises(RedlineError, match="is an export") as caught:
        draft_of(whole_work(session, {}))
    assert "import it into Hermes first" in caught.value.hint


def test_a_profile_is_named_and_so_is_a_database_elsewhere(tmp_path: Path) -> None:
    home = tmp_path / ".hermes"
    for folder, named in (
        (home / "profiles/work", ("hermes", "--profile", "work")),
        (home, ("hermes",)),
        (tmp_path / "elsewhere", ("env", f"HERMES_HOME={tmp_path / 'elsewhere'}", "hermes")),
    ):
        folder.mkdir(parents=True, exist_ok=True)
        path = database(folder / "state.db")
        draft = draft_of(replace(task(path, in_place=False), environment={"HOME": str(tmp_path)}))
        assert draft.argv[:-2] == named
        assert draft.path == path


def test_a_database_by_another_name_is_one_that_hermes_does_not_open(tmp_path: Path) -> None:
    for name, told in (("kept.db", True), ("state.db", False)):
        path = database(tmp_path / name)
        said = draft_of(task(path, in_place=False)).warnings
        assert any(f"only by the name state.db: {path}" in warning for warning in said) is told


def test_only_the_session_as_it_is_now_is_compacted_in_its_place(
    tmp_path: Path, home: Places
) -> None:
    path = database(tmp_path / "state.db")
    published(task(path, in_place=True), home)
    session = open_session(recognise(path, SESSION), before=1)
    job = whole_work(session, environment(path))
    with pytest.raises(RedlineError, match="only go on from where it is now"):
        draft_of(replace(job, in_place=True))
    draft = draft_of(job)
    check(draft, job)
    assert any("carried over and what was taken back alike" in said for said in draft.warnings)


@pytest.mark.real
@pytest.mark.parametrize("name", ["state.db", "state_v31.db"])
def test_every_real_session_reads_back_as_planned(
    tmp_path: Path, real_sessions: Path, home: Places, name: str
) -> None:
    path = tmp_path / "state.db"
    shutil.copyfile(real_sessions / "hermes" / name, path)
    made = 0
    for (id,) in run(path, "SELECT id FROM sessions ORDER BY id"):  # noqa: A001
        info = recognise(path, id)
        gone_on = run(path, "SELECT 1 FROM sessions WHERE id = ? AND end_reason IS NOT NULL", id)
        ways = (False,) if gone_on else (False, True)
        for strategy in STRATEGIES:
            review = review_of(info, strategy, tail=3000)
            for in_place in ways if review.plan.changes else ():
                job = work(review, environment(path), in_place=in_place)
                check(draft_of(job), job)
                made += 1
        for number in range(len(open_session(info).compactions)):
            job = whole_work(open_session(info, before=number + 1), environment(path))
            check(draft_of(job), job)
    assert made > 50
