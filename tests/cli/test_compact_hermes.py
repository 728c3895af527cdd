"""`redline compact` and `redline restore` on a session of Hermes: beside it, and in its place."""

from __future__ import annotations

import contextlib
import shlex
import sqlite3
from pathlib import Path

import pytest

from redline.agents.opening import open_session, recognise
from redline.model import Kind
from tests.agents.hermes.made_up import SESSION
from tests.cli.conftest import Run, newest_receipt
from tests.targets.native.hermes_made import database, everything

CUT = ("--tail", "20")


@pytest.fixture
def state(scratch: Path) -> Path:
    folder = scratch / "elsewhere"
    folder.mkdir()
    return database(folder / "state.db", schema=31)


def _summaries(path: Path, id: str) -> int:  # noqa: A002
    session = open_session(recognise(path, id))
    return sum(part.kind is Kind.SUMMARY for m in session.context for part in m.parts)


def test_a_new_session_lies_beside_and_the_command_names_it(run: Run, state: Path) -> None:
    before = everything(state)
    done = run("compact", f"{state}#{SESSION}", *CUT)
    assert done.status == 0
    words = shlex.split(done.out.strip())
    assert words[:-1] == ["env", f"HERMES_HOME={state.parent}", "hermes", "--resume"]
    assert _summaries(state, words[-1]) == 1
    assert run("undo", newest_receipt(run)).status == 0
    assert everything(state) == before


def test_in_place_the_session_goes_on_and_the_copy_is_named(run: Run, state: Path) -> None:
    before = everything(state)
    done = run("compact", f"{state}#{SESSION}", *CUT, "--in-place")
    assert done.status == 0
    compacted = done.err.rpartition("redline undo ")[2].split("`")[0]
    assert shlex.split(done.out.strip())[-1] == SESSION
    told = next(line for line in done.err.splitlines() if "a copy of what was there" in line)
    assert (Path(told.rpartition(" is in ")[2]) / "0.before.zst").is_file()
    assert _summaries(state, SESSION) == 1
    restored = run("restore", f"{state}#{SESSION}", "--before", "1", "--json").json
    session = open_session(recognise(state, restored["session"]))
    assert len(session.context) == restored["messages"]["before"] == 19
    assert run("undo", newest_receipt(run)).status == 0
    assert run("undo", compacted).status == 0
    assert everything(state) == before


@pytest.mark.parametrize("damage", ["tool_calls = '{'", "content = x'fffe'"])
def test_a_damaged_session_is_not_changed_in_its_place(run: Run, state: Path, damage: str) -> None:
    with contextlib.closing(sqlite3.connect(state)) as connection, connection:
        connection.execute(
            f"UPDATE messages SET {damage} WHERE id = (SELECT max(id) FROM messages WHERE "
            "session_id = ? AND role = 'assistant' AND active = 1)",
            (SESSION,),
        )
    before = everything(state)
    done = run("compact", f"{state}#{SESSION}", *CUT, "--in-place")
    assert (done.status, done.out) == (1, "")
    assert "it is damaged (record " in done.err
    assert "leave out --in-place" in done.err
    assert everything(state) == before


def test_nothing_is_written_on_a_dry_run(run: Run, state: Path) -> None:
    before = state.read_bytes()
    for more in ((), ("--in-place",)):
        done = run("compact", f"{state}#{SESSION}", *CUT, "--dry-run", *more)
        assert done.status == 0
        assert "nothing was written" in done.out
    assert state.read_bytes() == before
