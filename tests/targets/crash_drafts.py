"""Commits that die: of several files of a project, and of what agents really resume.

The drafts are made by redline's own targets from small made-up sessions of pi and Hermes.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from redline.agents.hermes import writing
from redline.targets.native.draft import Work
from redline.targets.native.native import NativeSession
from redline.targets.rules_block import RulesBlock
from redline.targets.target import Change
from tests.agents.pi.made_up import header, write
from tests.targets.native.hermes_made import database, everything, task
from tests.targets.native.making import review_of, work
from tests.targets.native.pi_session import everything as everything_of_pi
from tests.targets.native.test_pi_append import CUT, rested

HERMES = "state.db"
_GIVEN = ("id", "message_uid", "display_order")
_NO_FILES = ("-journal", "-wal", "-shm")  # SQLite's own, which say nothing of the content


def several(folder: Path) -> list[Change]:
    """Two blocks, a handoff and the memory of a project: what one press of a key may write."""
    rules = [("r1", "Never push"), ("r2", "Use tabs")]
    found = []
    for name in ("CLAUDE.md", "AGENTS.md"):
        path = folder / name
        path.write_bytes(b"# Mine\r\n" + b"old\r\n" * 100)
        found.append(RulesBlock(rules, to=path, redact=lambda text: (text, {})).preview())
    handoff, memory = folder / "notes" / "handoff.md", folder / ".agent" / "memory.json"
    memory.parent.mkdir()
    memory.write_bytes(b'{"version": "1.0", "goal": "old"}\n')
    found.append(
        Change("handoff", "h", b"new\n" * 99, None, handoff, handoff, mode=0o600, folders=True)
    )
    after = b'{"version": "1.0", "goal": "new"}\n'
    found.append(Change("memory", "m", after, memory.read_bytes(), memory, memory))
    return found


def pi_append(folder: Path) -> list[Change]:
    path = rested(write(folder, header(), everything_of_pi()))
    return _drafted(work(review_of(path, "redline", pins=CUT), {}, in_place=True))


def hermes_in_place(folder: Path) -> list[Change]:
    return _drafted(task(database(folder / HERMES), in_place=True))


def hermes_beside(folder: Path) -> list[Change]:
    return _drafted(task(database(folder / HERMES, schema=31), in_place=False))


def hermes_with_files(folder: Path) -> list[Change]:
    """The session itself and several files in one commit."""
    return [*hermes_in_place(folder), *several(folder)]


def _drafted(work: Work) -> list[Change]:
    return [NativeSession(work).preview()]


def content(path: Path) -> bytes:
    """All rows of a Hermes database in order, once SQLite has taken back what was left half
    written; without the numbers that it gives new ones anew each time."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        known = connection.execute("PRAGMA table_info(messages)").fetchall()
        names = ", ".join(row[1] for row in known if row[1] not in _GIVEN)
        messages = connection.execute(f"SELECT {names} FROM messages ORDER BY id").fetchall()
    found = {**everything(path), "messages": messages}
    return "\n".join(f"{name}: {row}" for name, rows in found.items() for row in rows).encode()


def is_side_file(name: str) -> bool:
    """Whether a file is one that SQLite keeps beside a database."""
    return name.endswith(_NO_FILES)


@contextlib.contextmanager
def statements(reached: Callable[[str], None]) -> Iterator[None]:
    """Every statement to a Hermes database is told before it; pages that it changes are written at
    once and not at its end, so that a kill leaves the file itself half written."""
    opened = writing.opened

    def traced(path: Path) -> sqlite3.Connection:
        connection = opened(path)
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("PRAGMA cache_spill = 1")
        connection.set_trace_callback(reached)
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "opened", traced)
        yield
