"""A row of Hermes' database that is not what it should be costs itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

import pytest

from redline.agents.opening import open_session, recognise
from tests.faults.dialects import ASK, HERMES, ID, MODEL, Prompt, Reply
from tests.faults.surfaces import Commands, said, window

STRANGE: list[object] = [
    None,
    "",
    "120",
    -5,
    2.5,
    2**62,
    float("inf"),
    b"\xff\xfe\x00",
    "\0json:{",
    "\0json:[null, 7]",
    '[{"id": null}]',
    "[1, 2",
    "x\ud7ffy" * 10,
]
TEXTS = ["Fix the login", "login.py", "Fixed.", "Go on", "Went on."]
STEPS = (*ASK, Prompt("Go on"), Reply("Went on."))


def columns(path: Path, table: str) -> list[str]:
    with closing(sqlite3.connect(path)) as made:
        return [row[1] for row in made.execute(f"PRAGMA table_info({table})")]


def insert(made: sqlite3.Connection, table: str, row: Mapping[str, object]) -> None:
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    made.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", [*row.values()])


def changed(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as made, made:
        made.execute(statement, values)


@pytest.mark.parametrize("value", STRANGE, ids=lambda value: repr(value)[:20])
def test_no_column_of_a_message_is_fatal(home: Path, commands: Commands, value: object) -> None:
    """A22, A32, A34, A47: in each column, in a row of each role; the others are read."""
    path = HERMES.write(home, *STEPS)
    with closing(sqlite3.connect(path)) as made, made:
        for name in columns(path, "messages"):
            for role in ("user", "assistant", "tool"):
                if name in ("id", "session_id"):
                    continue
                usual = {"session_id": ID, "role": role, "content": "Odd", "timestamp": 1.8e9}
                with suppress(sqlite3.IntegrityError):  # the schema itself forbids it
                    insert(made, "messages", {**usual, name: value})
    session = open_session(path)
    assert [text for text in said(session) if text in TEXTS] == TEXTS
    assert said(session).count("Odd") >= 3
    assert window(session).used >= 0
    assert commands.json("inspect", str(path))["window"]["used"] >= 0


@pytest.mark.parametrize("value", STRANGE, ids=lambda value: repr(value)[:20])
def test_no_column_of_a_session_is_fatal(home: Path, commands: Commands, value: object) -> None:
    """A22, A47: title, model, times, folder, counts."""
    path = HERMES.write(home, *STEPS)
    others = []
    with closing(sqlite3.connect(path)) as made, made:
        for name in columns(path, "sessions"):
            if name in ("id", "parent_session_id"):
                continue
            usual = {"id": f"s_{name}", "source": "cli", "started_at": 1.7e9}
            said_in = {"session_id": f"s_{name}", "role": "user", "timestamp": 1.7e9}
            try:
                insert(made, "sessions", {**usual, name: value})
            except sqlite3.IntegrityError:
                continue
            insert(made, "messages", {**said_in, "content": f"Ask {name}"})
            others.append(f"s_{name}")
    listed = {one["id"] for one in commands.json("sessions")["sessions"]}
    assert listed == {ID, *others}
    for name in others[::5]:
        assert commands.json("inspect", f"{path}#{name}")["counts"]["prompts"] == 1


def test_a_row_of_25_megabytes_is_read(home: Path, commands: Commands) -> None:
    """A28: and every row after it."""
    path = HERMES.write(home, *STEPS)
    changed(path, "UPDATE messages SET content = ? WHERE role = 'tool'", 'x "}{ ' * 4_200_000)
    found = commands.json("inspect", str(path))
    assert found["counts"]["context_messages"] == len(STEPS)
    assert found["damage"] == []


def test_times_that_run_backwards_change_no_order(home: Path) -> None:
    """Rows go by their ids (formats/hermes.md)."""
    path = HERMES.write(home, *STEPS)
    changed(path, "UPDATE messages SET timestamp = 2e9 - timestamp")
    assert said(open_session(path)) == TEXTS


def test_a_model_that_nobody_knows_has_no_window(home: Path, commands: Commands) -> None:
    """A43: tokens only."""
    path = HERMES.write(home, *ASK[:3], Reply("Fixed.", None, "quantum-9-ultra"))
    figures = commands.json("inspect", str(path))["window"]
    assert (figures["limit"], figures["free"]) == (None, None)
    assert "limit unknown" in commands.run("inspect", str(path))[1]


def test_another_database_of_that_name_is_no_session(home: Path, commands: Commands) -> None:
    """A46: a state.db of another program, or with a table of the same name."""
    path = HERMES.place(home)
    path.parent.mkdir(parents=True)
    for statement in ("CREATE TABLE kv (key, value)", "CREATE TABLE messages (role, content)"):
        path.unlink(missing_ok=True)
        changed(path, statement)
        assert commands.json("sessions")["sessions"] == []
        status, _, err = commands.run("inspect", str(path))
        assert status == 2
        assert str(path) in err
    HERMES.write(home, *ASK)
    assert (recognise(path).id, recognise(path).model) == (ID, MODEL)
