"""What Hermes loads of a session that it resumes, told by rows and by Hermes itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from redline.agents.bodies import call_text, texts
from redline.agents.hermes.reader import open_session

from .made_up import SESSION, Made, call

_LOADS = """
import json, pathlib, sys
from hermes_state import SessionDB
database = SessionDB(db_path=pathlib.Path(sys.argv[1]))
ids = [row[0] for row in database._conn.execute("SELECT id FROM sessions")]
print(json.dumps({
    id: database.get_messages_as_conversation(id, repair_alternation=True) for id in ids
}))
"""

Sent = tuple[str, str, str | None, str]


def _sent(path: Path, id: str = SESSION) -> list[Sent]:  # noqa: A002
    session = open_session(path, id=id)
    return [(block.role, block.type, block.id, block.text) for block in session.source.resume()]


def _texts(path: Path) -> list[tuple[str, str]]:
    return [(role, text) for role, _, _, text in _sent(path)]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    made = Made(tmp_path / "state.db")
    made.session()
    return made


def test_prompts_that_follow_each_other_are_sent_as_one(made: Made) -> None:
    made.row("user", "first", api_content="first, as sent")
    made.row("user", "second")
    made.row("user", [{"type": "text", "text": "third"}])
    assert _texts(made.path) == [("user", "first\n\nsecond"), ("user", "third")]


def test_replies_that_follow_each_other_are_sent_as_one(made: Made) -> None:
    made.row("assistant", " one ", tool_calls=[call("a", "1")])
    made.row("assistant", "two", tool_calls=[call("b", "2")])
    made.row("assistant", "candidate", finish_reason="verification_required", active=0)
    assert _sent(made.path) == [
        ("assistant", "text", None, "one\ntwo"),
        ("assistant", "function", "1", "{}"),
        ("assistant", "function", "2", "{}"),
    ]


def test_a_candidate_gives_way_and_steps_of_the_responses_api_stay_apart(made: Made) -> None:
    made.row("assistant", "candidate", finish_reason="verification_required")
    made.row("assistant", "final")
    made.row("user", "go on")
    made.row("assistant", "step 1", finish_reason="incomplete")
    made.row("assistant", "step 2", finish_reason="incomplete")
    assert [text for _, text in _texts(made.path)] == ["final", "go on", "step 1", "step 2"]


def test_results_without_their_call_and_second_results_are_left_out(made: Made) -> None:
    made.result("terminal", "nobody", "stray")
    made.call("terminal", "1", command="ls")
    made.result("terminal", "1", "out")
    made.result("terminal", "1", "out again")
    made.row("user", "next")
    made.result("terminal", "1", "late")
    session = open_session(made.path, id=SESSION)
    assert [text for role, text in _texts(made.path) if role == "tool"] == ["out"]
    assert (session.resume_messages, session.resume_lost) == (3, 3)


def test_recalled_memory_is_taken_out_and_what_was_sent_is_sent_again(made: Made) -> None:
    made.row("user", "hi <memory-context>secret</memory-context> there ")
    made.row("assistant", "ok")
    made.row("user", "clean", api_content="clean\n\n<memory-context>x</memory-context>")
    assert [text for _, text in _texts(made.path)] == [
        "hi  there", "ok", "clean\n\n<memory-context>x</memory-context>",
    ]  # fmt: skip


def test_what_a_review_left_behind_is_not_sent(made: Made) -> None:
    made.row("user", "Review the conversation above and update the skill library: …")
    made.row("assistant", "curated")
    made.row("assistant", "hello")
    assert _texts(made.path) == [("assistant", "hello")]


def _expected(messages: list[dict[str, Any]]) -> Iterator[Sent]:
    """The blocks of what Hermes loaded."""
    for message in messages:
        role, content = message["role"], message.get("api_content") or message.get("content")
        if role == "tool":
            yield role, "tool", message.get("tool_call_id"), texts(content)
            continue
        for block in content if isinstance(content, list) else [content] if content else []:
            kind = block["type"] if isinstance(block, dict) else "text"
            yield role, kind, None, texts(block)
        for made_call in message.get("tool_calls") or ():
            arguments = made_call["function"]["arguments"]
            yield (
                role,
                "function",
                made_call.get("call_id") or made_call["id"],
                call_text(arguments),
            )


@pytest.mark.real
@pytest.mark.parametrize("name", ["state.db", "state_v31.db"])
def test_hermes_itself_loads_every_session_so(
    real_sessions: Path, tmp_path: Path, name: str
) -> None:
    python = Path(os.environ.get("REDLINE_AGENTS", ""), "hermes", "bin", "python")
    if not os.environ.get("REDLINE_AGENTS") or not python.exists():
        pytest.skip("REDLINE_AGENTS names no folder with Hermes in it")
    path = tmp_path / "state.db"
    shutil.copyfile(real_sessions / "hermes" / name, path)
    environment = {"HOME": str(tmp_path), "HERMES_HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    run = subprocess.run(
        [python, "-c", _LOADS, path], capture_output=True, text=True, check=True, env=environment
    )
    loaded = json.loads(run.stdout)
    assert len(loaded) == 9
    for session, messages in loaded.items():
        sent = _sent(real_sessions / "hermes" / name, session)
        assert sent == list(_expected(messages)), session
