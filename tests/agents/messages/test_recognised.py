"""No file of an agent and no other JSON is taken for a list of messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.messages.reader import open_session, scan
from redline.agents.opening import open_session as open_any
from redline.errors import RedlineError
from redline.shipped import shipped
from tests.agents.messages.bodies import anthropic, reply, user, write, write_lines

OTHERS: dict[str, Any] = {
    "package": {
        "name": "shop",
        "version": "1.0.0",
        "scripts": {"test": "jest"},
        "dependencies": {},
    },
    "lint": [{"filePath": "/x.js", "messages": [{"ruleId": "semi", "message": "Missing"}]}],
    "texts": {"messages": {"hello": "Hallo"}},
    "export": {"title": "x", "mapping": {"a": {"message": {"author": {"role": "user"}}}}},
    "people": [{"sender": "human", "text": "hi"}, {"sender": "assistant", "text": "hello"}],
    "channel": {"messages": [{"user": "U1", "text": "hi", "ts": "1.2"}]},
    "users": [{"role": "admin", "name": "Ann"}, {"role": "user", "name": "Bob"}],
    "embedding": {"model": "text-embedding-3-small", "input": "Fix the login"},
    "speech": {"model": "tts-1", "voice": "alloy", "input": "Fix the login"},
    "rules": {"input": [1, 2, 3], "model": "x"},
    "list": [1, 2, 3],
    "text": "role: user",
    "number": 7,
    "nothing": None,
    "empty": [],
    "object": {},
    "trajectory": {"conversations": [{"from": "human", "value": "hi"}]},
    "gateway": [{"role": "session_meta", "model": "x"}, user(), reply()],
    "snapshot": {"session_id": "s", "message_count": 2, "messages": [user(), reply()]},
    "row": {"id": "s", "source": "cli", "message_count": 2, "messages": [user(), reply()]},
    "pi": [{"type": "session", "id": "s"}, {"type": "message", "message": user()}],
    "claude": [{"type": "user", "uuid": "u", "parentUuid": None, "message": user()}],
    "codex": [{"type": "response_item", "payload": {"type": "message", **user()}}],
    "flat": [{"id": "s", "timestamp": "t", "instructions": "x"}, {"type": "message", **user()}],
    "states": [{"record_type": "state"}, user(), reply()],
    "logs": [{"level": "info", "message": "user logged in"}, {"level": "warn", "content": "x"}],
    "data": [{"type": "custom", "parentId": "a", "data": anthropic()}],
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_json_is_no_conversation(tmp_path: Path, name: str) -> None:
    value = OTHERS[name]
    paths = [write(tmp_path, value, "other.json")]
    paths += [write_lines(tmp_path, *(value if isinstance(value, list) else [value]))]
    for path in paths:
        assert scan(path) == ()
        with pytest.raises(RedlineError, match="holds no conversation") as told:
            open_session(path)
        assert "`messages`" in (told.value.hint or "")


@pytest.mark.parametrize(
    "raw", [b"", b"\n", b"\xff\xfe\x00", b"SQLite format 3\x00", b'{"messages": [', b"[" * 100_000]
)
def test_what_is_no_json_is_no_conversation(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(raw)
    assert scan(path) == ()
    with pytest.raises(RedlineError, match="other"):
        open_session(path)


def test_the_samples_of_the_agents_are_not_taken_for_messages() -> None:
    samples = sorted(shipped("sample_sessions").rglob("*.json*"))
    assert samples
    for path in samples:
        assert scan(path) == (), path


@pytest.mark.real
def test_no_real_session_is_taken_for_messages(real_sessions: Path) -> None:
    paths = sorted(path for path in real_sessions.rglob("*.json*") if "golden" not in path.name)
    assert paths
    for path in paths:
        assert scan(path) == (), path


def test_the_error_says_what_a_file_could_have_been(tmp_path: Path) -> None:
    path = write(tmp_path, OTHERS["package"])
    with pytest.raises(RedlineError) as told:
        open_any(path)
    assert str(path) in told.value.message
    assert "message" in (told.value.hint or "")


def test_a_session_of_the_screens_opens_by_its_path(tmp_path: Path) -> None:
    session = open_any(write(tmp_path, anthropic()))
    assert json.loads(session.text(session.context[0].parts[1]))
