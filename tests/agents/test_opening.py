"""Opening a session of whichever agent wrote it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from redline.agents.opening import open_session, recognise
from redline.errors import RedlineError
from redline.model import Agent, DamageKind, SessionInfo
from tests.agents.claude_code.writing import start, write


def test_claude_code_is_told_by_the_content(tmp_path: Path) -> None:
    path = write(tmp_path, start(), "anything.txt")
    assert recognise(path).agent is Agent.CLAUDE_CODE
    assert len(open_session(path).context) == 2


def test_pi_is_told_by_the_content(tmp_path: Path) -> None:
    time = "2026-10-01T00:00:00.000Z"
    header = {"type": "session", "version": 3, "id": "s", "timestamp": time, "cwd": "/x"}
    message = {
        "type": "message",
        "id": "m",
        "parentId": None,
        "timestamp": time,
        "message": {"role": "user", "content": "hi", "timestamp": 1},
    }
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, (header, message))) + "\n")
    session = open_session(path)
    assert session.info.agent is Agent.PI
    assert len(session.context) == 1


def test_a_listed_session_opens_without_a_second_look(tmp_path: Path) -> None:
    path = write(tmp_path, start())
    info = SessionInfo(Agent.CLAUDE_CODE, "x", path)
    assert [message.id for message in open_session(info, leaf="u1").context] == ["u1"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"\x00\x01\xff" * 999, "no session"),
        (b'{"sender":"user","text":"hi"}\n', "no session"),
        (b'{\n  "sessionId": 1\n}\n', "no session"),
    ],
)
def test_what_is_no_session_is_told(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(RedlineError, match=says):
        open_session(path)


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(RedlineError, match="cannot read"):
        open_session(tmp_path / "none")
    with pytest.raises(RedlineError, match="is a folder"):
        open_session(tmp_path)


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.jsonl")
    with pytest.raises(RedlineError, match="not a plain file"):
        recognise(tmp_path / "x.jsonl")


def test_a_device_that_never_ends_is_refused_at_once() -> None:
    with pytest.raises(RedlineError, match="not a plain file"):
        recognise(Path("/dev/zero"))


def test_a_half_written_last_line_is_no_damage_while_the_session_is_in_use(tmp_path: Path) -> None:
    path = write(tmp_path, start())
    lines = path.read_bytes().splitlines(keepends=True)
    half = json.dumps({"type": "user", "message": "完成"}, ensure_ascii=False).encode()[:-5]
    path.write_bytes(b"".join([lines[0], b"nonsense\n", *lines[1:], half]))
    info = SessionInfo(Agent.CLAUDE_CODE, "x", path, live=True, live_by="a recent change")
    live = open_session(info)
    assert (live.info.live, live.being_written) == (True, len(lines) + 2)
    assert [found.record for found in live.lasting_damage] == [2]
    ended = open_session(replace(info, live=False))
    assert ended.being_written is None
    assert {found.kind for found in ended.lasting_damage} > {DamageKind.TORN_TAIL}
    assert ended.lasting_damage == ended.damage
