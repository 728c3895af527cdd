"""A made-up Hermes database with search indexes that follow by triggers, as Hermes' own do."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from redline.agents.opening import recognise
from redline.compaction.plan import Pins
from redline.places import Places
from redline.targets.commit import commit
from redline.targets.native.draft import Draft, Work
from redline.targets.native.native import NativeSession
from tests.agents.hermes.made_up import SESSION, Made, call
from tests.targets.native.making import NOW, review_of, work

CUT = Pins(cut="15")
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
_SEARCH = (
    "CREATE VIRTUAL TABLE messages_fts USING fts5(content)",
    "CREATE TRIGGER fts_insert AFTER INSERT ON messages BEGIN"
    " INSERT INTO messages_fts(rowid, content) VALUES (new.id, coalesce(new.content, '')); END",
    "CREATE TRIGGER fts_delete AFTER DELETE ON messages BEGIN"
    " DELETE FROM messages_fts WHERE rowid = old.id; END",
    "CREATE TRIGGER fts_update AFTER UPDATE OF content ON messages BEGIN"
    " DELETE FROM messages_fts WHERE rowid = old.id;"
    " INSERT INTO messages_fts(rowid, content) VALUES (new.id, coalesce(new.content, '')); END",
    "ALTER TABLE sessions ADD COLUMN tool_call_count INTEGER DEFAULT 0",
)
_NEWER = (
    "ALTER TABLE messages ADD COLUMN message_uid TEXT",
    "ALTER TABLE messages ADD COLUMN display_order INTEGER",
    "CREATE TRIGGER uid_insert AFTER INSERT ON messages WHEN new.message_uid IS NULL BEGIN"
    " UPDATE messages SET message_uid = lower(hex(randomblob(16))) WHERE id = new.id; END",
    "CREATE TRIGGER order_insert AFTER INSERT ON messages WHEN new.display_order IS NULL BEGIN"
    " UPDATE messages SET display_order = new.id WHERE id = new.id; END",
    "CREATE TRIGGER order_update AFTER UPDATE OF active ON messages BEGIN"
    " UPDATE messages SET display_order = new.id + 1000 WHERE id = new.id; END",
    "CREATE TABLE gateway_heartbeats (backend_id TEXT PRIMARY KEY, pid INTEGER, started_at REAL,"
    " last_heartbeat REAL, profile TEXT, host TEXT)",
)


def database(path: Path, *, schema: int = 22, wal: bool = False) -> Path:
    """Two sessions: SESSION with all that a row can hold, and another one."""
    made = Made(path, schema=schema, wal=wal)
    for statement in (*_SEARCH, *(_NEWER if schema > 22 else ())):
        made.run(statement)
    made.session(title="Rounding", cwd="/home/dev/ledger", message_count=23)
    made.session("other", started_at=made.clock - 500)
    made.row("user", "What else?", session="other")
    made.row("user", "[Note: a file was attached]\n\nFix rounding in a.py, never touch the tests")
    made.row(
        "assistant",
        "I look at both.",
        reasoning_content="Two files.",
        reasoning_details='[{"type": "reasoning.encrypted", "data": "c2VhbGVk"}]',
        tool_calls=[call("read_file", "c1", path="a.py"), call("read_file", "c2", path="b.py")],
    )
    made.result("read_file", "c1", "def round_it(): ...\n" * 60)
    made.result("read_file", "c2", "assert round_it() == 2\n" * 60)
    made.row("assistant", "It rounds twice.", codex_message_items='[{"type": "message"}]')
    made.row("assistant", "Elsewhere.", session="other")
    made.row("user", "Then mend it", api_content="Then mend it\n\n(sent with a note)")
    made.call("terminal", "c3", command="sed -i s/a/b/ a.py")
    made.result("terminal", "c3", "[terminal] ran `sed -i s/a/b/ a.py` -> exit 0, 1 lines output")
    made.row("assistant", "Mended.", finish_reason="stop")
    made.row("user", [{"type": "text", "text": "Does it look like this?"}, PICTURE])
    made.call("look", "c5", at="screen")
    made.result("look", "c5", "")
    made.run(
        "UPDATE messages SET content = ? WHERE id = last_insert_rowid()",
        '\0json:{"_multimodal": true, "content": [{"type": "text", "text": "a window"},'
        ' {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]}',
    )
    made.row("assistant", [{"type": "text", "text": "Yes, "}, {"type": "text", "text": "just so."}])
    made.row("user", "\nRun the tests")
    made.call("terminal", "c4", command="pytest")
    made.result("terminal", "c4", "4 passed\n" * 80)
    made.row("assistant", "All 4 pass.")
    made.row("user", "And in b.py?")
    made.row("assistant", "There it is right.")
    return made.close()


def everything(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of a database, and what its search index holds."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("INSERT INTO messages_fts(messages_fts) VALUES('integrity-check')")
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        tables = ("sessions", "messages", "compression_locks", "messages_fts")
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables}


def run(path: Path, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """One statement of somebody else, committed."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement, values).fetchall()


def said(path: Path, text: str, *, session: str = SESSION, time: float = 1_780_000_900.0) -> None:
    """A message that comes later."""
    statement = "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, ?, ?, ?)"
    run(path, statement, session, "user", text, time)


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
