"""Every column of every row, replaced by what it should not be: nothing is fatal."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.hermes.finder import HERMES
from redline.agents.hermes.reader import open_session
from redline.facts.extract import extract
from redline.model import Session

from .made_up import ALONE, SESSION, Made

_VALUES: tuple[object, ...] = (
    None, -1, 2.5, 1e400, "", "x\0\x1b[2J", "\0json:", '\0json:[1, null, {"type": []}]',
    '\0json:{"content": [{"type": "text"}]}', b"\xff\xfe", "[]", '[null, 1, {"function": 3}]',
    '[{"id": [], "function": {"name": {}, "arguments": []}}]', "[" * 50_000, 2**62,
)  # fmt: skip


def _loose(made: Made) -> None:
    """The tables without what keeps wrong values out of them."""
    for table in ("messages", "sessions"):
        names = [row[1] for row in made.run(f"PRAGMA table_info({table})")]
        key = "id INTEGER PRIMARY KEY" if table == "messages" else "id"
        columns = ", ".join([key, *names[1:]])
        made.run(f"CREATE TABLE loose ({columns})")
        made.run(f"INSERT INTO loose SELECT * FROM {table}")
        made.run(f"DROP TABLE {table}")
        made.run(f"ALTER TABLE loose RENAME TO {table}")


def _use(session: Session) -> None:
    for message in session.source.history():
        for part in message.parts:
            session.text(part)
    list(session.source.resume())
    extract(session)


@pytest.mark.parametrize("schema", [22, 31])
@pytest.mark.parametrize("value", _VALUES, ids=lambda value: repr(value)[:20])
def test_a_wrong_value_in_any_column_costs_that_column(
    tmp_path: Path, schema: int, value: object
) -> None:
    made = Made(tmp_path / "state.db", schema=schema)
    made.session()
    made.turns(2)
    made.archive()
    made.row("user", ALONE)
    for at, _ in enumerate(row[1] for row in made.run("PRAGMA table_info(sessions)")):
        made.session(f"s{at}", parent_session_id=SESSION)
        made.turns(1, session=f"s{at}", start=at)
    columns = [row[1] for row in made.run("PRAGMA table_info(messages)") if row[1] != "id"]
    made.turns(len(columns) // 4 + 1, start=50)
    _loose(made)
    rows = [row[0] for row in made.run("SELECT id FROM messages WHERE active = 1 ORDER BY id DESC")]
    for column, row in zip(columns, rows, strict=False):
        made.run(f"UPDATE messages SET {column} = ? WHERE id = ?", value, row)
    for at, column in enumerate(row[1] for row in made.run("PRAGMA table_info(sessions)")):
        made.run(f"UPDATE sessions SET {column} = ? WHERE id = ?", value, f"s{at}")
    infos = HERMES.scan(made.path)
    assert any(info.id == SESSION for info in infos)
    HERMES.live(infos, None)
    for info in infos:
        assert len(list(HERMES.passages(info, 0))) > 0 or info.id != SESSION
        assert HERMES.mark(info, 5)
    session = open_session(made.path, id=SESSION)
    assert len(session.context) > 4
    _use(session)
