"""Made-up Hermes databases: the tables of its schema, and rows as its compressor writes them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any

from redline.agents.hermes.summaries import BELOW, END, PRIOR

SESSION = "20260528_101500_a1b2c3"
SUMMARY = "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted.\n## Goal\nRounding"
ALONE = f"{SUMMARY}\n\n{END}"

_SESSIONS = (
    "id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, model_config TEXT, system_prompt TEXT,"
    " parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, cwd TEXT,"
    " git_repo_root TEXT, title TEXT, message_count INTEGER DEFAULT 0,"
    " rewind_count INTEGER NOT NULL DEFAULT 0"
)
_MESSAGES = (
    "id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,"
    " content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL,"
    " finish_reason TEXT, reasoning TEXT, reasoning_content TEXT, reasoning_details TEXT,"
    " codex_reasoning_items TEXT, codex_message_items TEXT, observed INTEGER DEFAULT 0,"
    " active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, api_content TEXT"
)
_NEWER = (
    "ALTER TABLE sessions ADD COLUMN system_prompt_hash TEXT",
    "ALTER TABLE messages ADD COLUMN _compressed_summary INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE messages ADD COLUMN display_kind TEXT",
    "CREATE TABLE system_prompts (hash TEXT PRIMARY KEY, prompt TEXT NOT NULL)",
    "CREATE TABLE session_turn_leases (conversation_id TEXT PRIMARY KEY, holder TEXT,"
    " acquired_at REAL, expires_at REAL)",
)


class Made:
    """A database that is being made; each row gets the next id and a time of its own."""

    def __init__(self, path: Path, *, schema: int = 22, wal: bool = False) -> None:
        self.path = path
        self.clock = 1_780_000_000.0
        self.connection = sqlite3.connect(path, isolation_level=None)
        if wal:
            self.run("PRAGMA journal_mode=WAL")
        self.run("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        self.run("INSERT INTO schema_version VALUES (?)", schema)
        self.run(f"CREATE TABLE sessions ({_SESSIONS})")
        self.run(f"CREATE TABLE messages ({_MESSAGES})")
        self.run("CREATE INDEX idx_messages_session ON messages(session_id, timestamp)")
        self.run("CREATE INDEX idx_active ON messages(session_id, active, timestamp)")
        self.run(
            "CREATE TABLE compression_locks (session_id TEXT PRIMARY KEY, holder TEXT,"
            " acquired_at REAL, expires_at REAL)"
        )
        for statement in _NEWER if schema > 22 else ():
            self.run(statement)

    def run(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        return self.connection.execute(statement, values).fetchall()

    def session(self, id: str = SESSION, **columns: object) -> str:  # noqa: A002
        columns = {"id": id, "source": "cli", "started_at": self.clock, **columns}
        marks = ", ".join("?" * len(columns))
        self.run(f"INSERT INTO sessions ({', '.join(columns)}) VALUES ({marks})", *columns.values())
        return id

    def row(
        self, role: str, content: object = None, *, session: str = SESSION, **columns: object
    ) -> int:
        """A row with its id; lists are stored as Hermes stores them."""
        self.clock += 1
        if isinstance(content, list | dict):
            content = "\0json:" + json.dumps(content)
        if isinstance(columns.get("tool_calls"), list):
            columns["tool_calls"] = json.dumps(columns["tool_calls"])
        columns = {
            "session_id": session, "role": role, "content": content,
            "timestamp": self.clock, **columns,
        }  # fmt: skip
        marks = ", ".join("?" * len(columns))
        self.run(f"INSERT INTO messages ({', '.join(columns)}) VALUES ({marks})", *columns.values())
        return int(self.run("SELECT last_insert_rowid()")[0][0])

    def call(self, name: str, call_id: str, *, session: str = SESSION, **arguments: object) -> int:
        """A reply with one call."""
        return self.row(
            "assistant", "", session=session, tool_calls=[call(name, call_id, **arguments)]
        )

    def result(
        self, name: str, call_id: str, text: str, *, session: str = SESSION, **columns: object
    ) -> int:
        return self.row(
            "tool", text, session=session, tool_call_id=call_id, tool_name=name, **columns
        )

    def turns(self, count: int, *, session: str = SESSION, start: int = 0) -> list[int]:
        """Turns of four rows: a prompt, a call, its result, a reply."""
        found = []
        for n in range(start, start + count):
            found += [
                self.row("user", f"prompt {n}", session=session),
                self.call("read_file", f"call_{n}", session=session, path=f"src/{n}.py"),
                self.result("read_file", f"call_{n}", f"body {n}", session=session),
                self.row("assistant", f"reply {n}", session=session),
            ]
        return found

    def archive(self, session: str = SESSION) -> None:
        """What an in-place compaction does with the rows before it."""
        self.run(
            "UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1",
            session,
        )

    def copy(self, ids: list[int], *, session: str = SESSION, **columns: object) -> list[int]:
        """Rows carried over: written again as active ones."""
        names = [row[1] for row in self.run("PRAGMA table_info(messages)") if row[1] != "id"]
        found = []
        for id in ids:  # noqa: A001
            values = self.run(f"SELECT {', '.join(names)} FROM messages WHERE id = ?", id)[0]
            stored = dict(zip(names, values, strict=True))
            stored |= {"session_id": session, "active": 1, "compacted": 0, **columns}
            marks = ", ".join("?" * len(stored))
            self.run(
                f"INSERT INTO messages ({', '.join(stored)}) VALUES ({marks})", *stored.values()
            )
            found.append(int(self.run("SELECT last_insert_rowid()")[0][0]))
        return found

    def close(self) -> Path:
        self.connection.close()
        return self.path


def call(name: str, call_id: str, **arguments: object) -> dict[str, object]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": call_id, "type": "function", "function": function}


def behind(said: str) -> str:
    """A summary merged into a row behind what it said (0.19)."""
    return f"{PRIOR}\n{said}\n\n{BELOW}\n\n{ALONE}"


def in_front(said: str) -> str:
    """A summary merged into a row in front of what it says (0.22)."""
    return f"{ALONE}\n\n{said}"


def folder_bytes(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Every file of a folder: when it was written, its size, a digest of its bytes."""
    return {
        path.name: (
            path.stat().st_mtime_ns,
            path.stat().st_size,
            blake2b(path.read_bytes()).hexdigest(),
        )
        for path in sorted(folder.iterdir())
    }


def count(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
