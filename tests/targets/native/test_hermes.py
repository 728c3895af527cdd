"""Hermes' own form: what is written reads back as planned, and goes away as it came."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redline.agents.hermes import writing
from redline.agents.hermes.encoding import handoff
from redline.agents.opening import open_session, recognise
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.files import no_step
from redline.model import Kind
from redline.places import Places, places
from redline.targets import deed as deeds
from redline.targets.commit import commit
from redline.targets.deed import State
from redline.targets.native.checking import check
from redline.targets.native.draft import Draft, Work
from redline.targets.native.forms import draft_of
from redline.targets.native.native import NativeSession, command
from redline.targets.receipts import Receipts
from redline.targets.target import Change
from redline.targets.undoing import Outcome
from tests.agents.hermes.made_up import SESSION, folder_bytes
from tests.targets.native.hermes_made import database, everything, run, said
from tests.targets.native.making import NOW, possible, review_of, whole_work, work

CUT = Pins(cut="15")
BOTH = pytest.mark.parametrize("in_place", [False, True])
SCHEMAS = pytest.mark.parametrize("schema", [22, 31])


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "redline")})


def environment(path: Path) -> dict[str, str]:
    return {"HERMES_HOME": str(path.parent)}


def task(path: Path, *, in_place: bool, strategy: str = "redline", id: str = SESSION) -> Work:  # noqa: A002
    review = review_of(recognise(path, id), strategy, pins=CUT if id == SESSION else None)
    return work(review, environment(path), in_place=in_place)


def published(work: Work, home: Places, **options: Any) -> tuple[Draft, str]:
    """The draft and the id of the receipt."""
    target = NativeSession(work)
    change = target.preview()
    options.setdefault("environment", work.environment)
    receipt = commit((change,), session=work.session.info, places=home, now=NOW, **options)
    assert target.draft is not None
    return target.draft, receipt.id


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


def test_the_copy_in_the_receipt_is_the_whole_database(tmp_path: Path, home: Places) -> None:
    import zstandard

    path = database(tmp_path / "state.db", wal=True)
    keeper = sqlite3.connect(path)
    keeper.execute("SELECT count(*) FROM messages").fetchall()
    said(path, "This stands in the -wal only")
    before = everything(path)
    _, receipt = published(task(path, in_place=True), home)
    copy = tmp_path / "copy.db"
    with (home.receipts / receipt / "0.before.zst").open("rb") as packed, copy.open("wb") as plain:
        zstandard.ZstdDecompressor().copy_stream(packed, plain)
    assert everything(copy) == before
    keeper.close()


def test_a_session_that_went_on_since_is_left_and_what_came_is_told(
    tmp_path: Path, home: Places
) -> None:
    for in_place in (False, True):
        folder = tmp_path / str(in_place)
        folder.mkdir()
        path = database(folder / "state.db")
        draft, receipt = published(task(path, in_place=in_place), home)
        said(path, "One thing more", session=draft.id)
        before = everything(path)
        (file,) = Receipts(home).undo(receipt, NOW, environment=environment(path)).files
        assert file.outcome is Outcome.REFUSED
        assert "+user: One thing more" in file.since
        assert everything(path) == before


def test_what_another_session_says_meanwhile_hinders_nothing(tmp_path: Path, home: Places) -> None:
    path = database(tmp_path / "state.db")
    before = everything(path)
    _, receipt = published(task(path, in_place=True), home)
    said(path, "Elsewhere", session="other")
    assert Receipts(home).undo(receipt, NOW, environment=environment(path)).complete
    assert everything(path)["messages"][:-1] == before["messages"]


@BOTH
def test_a_row_that_changed_since_the_preview_stops_it(
    tmp_path: Path, home: Places, in_place: bool
) -> None:
    path = database(tmp_path / "state.db")
    target = NativeSession(task(path, in_place=in_place))
    change = target.preview()
    run(path, "UPDATE messages SET content = 'other words' WHERE id = 20")
    before = everything(path)
    with pytest.raises(RedlineError, match="has changed since the preview"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert everything(path) == before
    assert Receipts(home).list() == ()


def test_a_message_after_the_preview_stops_it_in_place_and_is_told_beside(
    tmp_path: Path, home: Places
) -> None:
    path = database(tmp_path / "state.db")
    inside, beside = (NativeSession(task(path, in_place=where)) for where in (True, False))
    change = inside.preview()
    said(path, "One thing more")
    with pytest.raises(RedlineError, match="has changed since the preview"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert any("1 message came after it" in warning for warning in beside.preview().warnings)
    commit((beside.preview(),), session=SESSION, places=home, now=NOW, environment={})


def _locked(path: Path) -> None:
    run(
        path,
        "INSERT INTO compression_locks VALUES (?, 'pid=1:tid=1', ?, ?)",
        SESSION,
        time.time(),
        time.time() + 300,
    )


def _leased(path: Path) -> None:
    run(
        path,
        "INSERT INTO session_turn_leases VALUES (?, 'pid=1', ?, ?)",
        SESSION,
        time.time(),
        time.time() + 300,
    )


def _beating(path: Path) -> None:
    run(
        path,
        "INSERT INTO gateway_heartbeats VALUES ('work@host:7', 7, 1, ?, 'work', 'host')",
        time.time() - 60,
    )


REFUSALS = [
    (_locked, "lock"),
    (_leased, "lease"),
    (_beating, "a gateway of Hermes is running: work@host:7"),
]


@pytest.mark.parametrize(("hold", "reason"), REFUSALS)
def test_in_its_place_nothing_is_done_while_somebody_may_hold_it(
    tmp_path: Path, home: Places, hold: Callable[[Path], None], reason: str
) -> None:
    folder = tmp_path / "hermes"
    folder.mkdir()
    path = database(folder / "state.db", schema=31)
    change = NativeSession(task(path, in_place=True)).preview()
    hold(path)
    before = folder_bytes(folder)
    with pytest.raises(RedlineError, match=reason) as caught:
        commit((change,), session=SESSION, places=home, now=datetime.now(UTC), environment={})
    assert "new session beside it" in caught.value.hint
    with pytest.raises(RedlineError, match=reason):
        NativeSession(replace(task(path, in_place=True), now=datetime.now(UTC))).preview()
    assert folder_bytes(folder) == before
    assert Receipts(home).list() == ()


def test_a_session_that_spoke_just_now_is_not_compacted_in_its_place(tmp_path: Path) -> None:
    path = database(tmp_path / "state.db")
    said(path, "One thing more", time=time.time() - 5)
    with pytest.raises(RedlineError, match="a recent change"):
        NativeSession(replace(task(path, in_place=True), now=datetime.now(UTC))).preview()
    run(path, "UPDATE sessions SET ended_at = ?", time.time())
    NativeSession(replace(task(path, in_place=True), now=datetime.now(UTC))).preview()


_HOLDS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT count(*) FROM messages").fetchall()
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no /proc here")
def test_in_its_place_nothing_is_done_while_a_process_has_the_database_open(
    tmp_path: Path, home: Places
) -> None:
    folder = tmp_path / "hermes"
    folder.mkdir()
    path = database(folder / "state.db", wal=True)
    change = NativeSession(task(path, in_place=True)).preview()
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDS, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        before = folder_bytes(folder)
        with pytest.raises(RedlineError, match=f"process {process.pid} .* has its database open"):
            commit((change,), session=SESSION, places=home, now=NOW, environment={})
        assert folder_bytes(folder) == before
        beside = NativeSession(task(path, in_place=False)).preview()
        assert commit((beside,), session=SESSION, places=home, now=NOW, environment={}).id
        process.communicate("")


def test_beside_a_session_that_is_compacted_just_now_nothing_is_written(
    tmp_path: Path, home: Places
) -> None:
    path = database(tmp_path / "state.db")
    change = NativeSession(task(path, in_place=False)).preview()
    _locked(path)
    before = everything(path)
    with pytest.raises(RedlineError, match="Hermes is compacting session"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert everything(path) == before


def test_a_lock_that_ran_out_counts_for_nothing_and_none_is_left(
    tmp_path: Path, home: Places
) -> None:
    path = database(tmp_path / "state.db")
    run(path, "INSERT INTO compression_locks VALUES (?, 'pid=1', 1, 2)", SESSION)
    published(task(path, in_place=True), home)
    assert run(path, "SELECT * FROM compression_locks") == []


@BOTH
def test_a_database_that_another_writes_to_is_left_as_it_is(
    tmp_path: Path, home: Places, in_place: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "BUSY_SECONDS", 0.01)
    path = database(tmp_path / "state.db")
    change = NativeSession(task(path, in_place=in_place)).preview()
    with writing.transaction(path), pytest.raises(RedlineError, match="another program"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert Receipts(home).list() == ()


@BOTH
def test_a_full_disk_leaves_it_as_it_was(
    tmp_path: Path, home: Places, in_place: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = database(tmp_path / "state.db")
    change = NativeSession(task(path, in_place=in_place)).preview()
    opened = writing._opened

    def full(where: Path) -> Any:
        connection = opened(where)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(writing, "_opened", full)
    before = path.read_bytes()
    with pytest.raises(RedlineError, match="the disk is full; nothing was changed"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert path.read_bytes() == before
    assert Receipts(home).list() == ()


@BOTH
def test_a_read_only_database_is_refused(tmp_path: Path, home: Places, in_place: bool) -> None:
    path = database(tmp_path / "state.db")
    change = NativeSession(task(path, in_place=in_place)).preview()
    path.chmod(0o444)
    before = path.read_bytes()
    with pytest.raises(RedlineError, match="read-only"):
        commit((change,), session=SESSION, places=home, now=NOW, environment={})
    assert path.read_bytes() == before


def _killed(change: Change, home: Places, at: int, *, statements: bool) -> bool:
    """Whether a commit that dies at a step, or before a statement, was killed."""
    child = os.fork()
    if not child:
        try:
            reached = 0

            def count(_what: str) -> None:
                nonlocal reached
                reached += 1
                if reached == at:
                    os._exit(9)

            opened = writing._opened

            def traced(path: Path) -> Any:
                connection = opened(path)
                connection.set_trace_callback(count)
                return connection

            if statements:
                writing._opened = traced
            step = no_step if statements else count
            commit((change,), session=SESSION, places=home, now=NOW, environment={}, step=step)
            os._exit(0)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 9)
    return code == 9


@BOTH
@pytest.mark.parametrize(("wal", "statements"), [(False, False), (False, True), (True, True)])
def test_a_process_that_dies_leaves_either_and_undo_works(
    tmp_path: Path, home: Places, in_place: bool, wal: bool, statements: bool
) -> None:
    source = database(tmp_path / "source.db", wal=wal)
    before = everything(source)
    path = tmp_path / "state.db"
    shutil.copyfile(source, path)
    change = NativeSession(task(path, in_place=in_place)).preview()
    points, states = 0, set()
    while True:
        points += 4 if statements else 1
        for ending in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        shutil.rmtree(home.receipts, ignore_errors=True)
        shutil.copyfile(source, path)
        if not _killed(change, home, points, statements=statements):
            break
        receipts = Receipts(home).list()
        if receipts:
            result = Receipts(home).undo(receipts[0].id, NOW, environment=environment(path))
            states.add(result.files[0].outcome)
            assert result.complete
        assert everything(path) == before
    assert points > (6 if not statements else 30)
    assert Outcome.AS_BEFORE in states
    assert statements or Outcome.RESTORED in states


@BOTH
def test_what_a_receipt_holds_makes_the_same_deed_again(tmp_path: Path, in_place: bool) -> None:
    path = database(tmp_path / "state.db", schema=31)
    deed = NativeSession(task(path, in_place=in_place)).preview().deed
    assert deed is not None
    again = deeds.load(deeds.dump(deed))
    assert again.state() is State.BEFORE
    assert again.dump() == deed.dump()
    assert again.shown("after") == deed.shown("after")


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


@BOTH
def test_a_row_with_columns_that_nobody_can_read_costs_those_columns(
    tmp_path: Path, home: Places, in_place: bool
) -> None:
    path = database(tmp_path / "state.db")
    run(path, "UPDATE messages SET codex_reasoning_items = '[torn' WHERE id = 19")
    run(path, "UPDATE messages SET role = 'nobody', content = NULL WHERE id = 20")
    run(path, "UPDATE messages SET content = ? WHERE id = 21", b"There it is \xff right.")
    before = everything(path)
    _, receipt = published(task(path, in_place=in_place), home)
    assert Receipts(home).undo(receipt, NOW, environment=environment(path)).complete
    assert everything(path) == before


def test_flags_that_an_undo_could_not_bring_back_are_left_alone(tmp_path: Path) -> None:
    path = database(tmp_path / "state.db")
    run(path, "UPDATE messages SET compacted = 'no' WHERE id = 3")
    with pytest.raises(RedlineError, match="no numbers"):
        draft_of(task(path, in_place=True))
    draft_of(task(path, in_place=False))


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
