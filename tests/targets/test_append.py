from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.model import Agent, SessionInfo
from redline.places import Places, places
from redline.targets.append import append
from redline.targets.commit import commit
from redline.targets.receipts import Receipts
from redline.targets.target import APPEND, Change
from redline.targets.undoing import Outcome

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)
LINE = b'{"type":"compaction"}\n'
OLD = b'{"type":"session"}\n{"type":"message"}\n'


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "work" / "s1.jsonl"
    path.parent.mkdir()
    path.write_bytes(OLD)
    os.utime(path, (1_600_000_000, 1_600_000_000))
    return path


def change(path: Path, line: bytes = LINE) -> Change:
    deed = append(SessionInfo(Agent.PI, "s1", path), line)
    return Change("session", "pi", line, b"", path, path, kind=APPEND, deed=deed)


def test_a_line_is_appended_and_undo_cuts_it_off_again(session: Path, home: Places) -> None:
    receipt = commit([change(session)], session="s1", places=home, now=NOW)
    assert session.read_bytes() == OLD + LINE
    receipts = Receipts(home)
    assert receipts.get(receipt.id) == receipt
    assert receipts.sides(receipt, 0) == (b"", LINE)
    result = receipts.undo(receipt.id, NOW)
    assert [file.outcome for file in result.files] == [Outcome.RESTORED]
    assert session.read_bytes() == OLD
    assert session.stat().st_mtime == 1_600_000_000
    assert receipts.undo(result.receipt, NOW).complete
    assert session.read_bytes() == OLD + LINE


def test_a_session_that_went_on_is_not_cut_and_shows_what_came(session: Path, home: Places) -> None:
    receipt = commit([change(session)], session="s1", places=home, now=NOW)
    session.write_bytes(session.read_bytes() + b'{"type":"more"}\n')
    before = session.read_bytes()
    (file,) = Receipts(home).undo(receipt.id, NOW).files
    assert (file.outcome, "gone on" in file.detail) == (Outcome.REFUSED, True)
    assert '+{"type":"more"}' in file.since
    assert '-{"type":"more"}' in file.back
    assert session.read_bytes() == before


def test_a_session_that_is_open_is_not_appended_to(session: Path, home: Places) -> None:
    wanted = change(session)
    os.utime(session)
    with pytest.raises(RedlineError, match="open") as caught:
        commit([wanted], session="s1", places=home, now=datetime.fromtimestamp(time.time(), UTC))
    assert "new session beside it" in caught.value.hint
    assert session.read_bytes() == OLD
    assert Receipts(home).list() == ()
