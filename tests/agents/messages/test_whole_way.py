"""Everything that is done with a session is done with a request body too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.messages.reader import open_session
from redline.cli.main import main
from tests.agents.messages.bodies import (
    anthropic,
    anthropic_response,
    chat,
    chat_response,
    reply,
    responses,
    responses_response,
    user,
    write,
    write_lines,
)
from tests.ui.stage import stage

RULE = "Never touch src/legacy."
LONG = [one for n in range(12) for one in (user(f"{RULE} Step {n}"), reply(f"Did {n}. " * 300))]
BODIES = {
    "anthropic": {"request": anthropic(*LONG), "response": anthropic_response()},
    "chat": {
        "request": chat(*LONG),
        "response": chat_response() | {"usage": {"prompt_tokens": 12_000, "completion_tokens": 5}},
    },
    "responses": {
        "request": responses(*({"type": "message", **one} for one in LONG)),
        "response": responses_response(),
    },
    "list": anthropic(*LONG)["messages"],
}


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("REDLINE_HOME", str(tmp_path / "redline"))
    monkeypatch.chdir(tmp_path)


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """What a command answers as JSON; it must not fail."""
    status = main(words)
    told = capsys.readouterr()
    assert status == 0, told.err
    return json.loads(told.out) if "--json" in words else told.out


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("lines", [False, True], ids=["document", "lines"])
def test_every_command_works_on_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, lines: bool
) -> None:
    body = BODIES[name]
    values = body if isinstance(body, list) else [body]
    path = str(write_lines(tmp_path, *values) if lines else write(tmp_path, body))
    seen = answer(capsys, "inspect", path, "--json")
    window = seen["window"]
    assert sum(window["categories"].values()) == window["used"]
    assert window["threshold"] is None
    assert (window["limit"] is None) == (name == "list")  # a list names no model
    assert (window["source"] == "measured") == (name != "list")
    assert [rule["text"] for rule in seen["rules"]] == [RULE]
    shown = answer(capsys, "show", path, "--json")["blocks"]
    sent = answer(capsys, "show", path, "--resume", "--json")["blocks"]
    assert len(shown) >= len(sent) > 20
    plan = answer(capsys, "plan", path, "--tail", "1k", "--json")
    assert {one["action"] for one in plan["messages"]} >= {"keep", "summarise"}
    handoff = tmp_path / "handoff.md"
    answer(capsys, "handoff", path, "-o", str(handoff))
    assert RULE in handoff.read_text()
    audit = answer(capsys, "audit", path, "--handoff", str(handoff), "--json")
    assert audit["totals"]["rule"]["missing"] == 0
    assert RULE in answer(capsys, "rules", path)
    for words in (("inspect", path), ("show", path), ("plan", path)):
        assert "\x1b" not in answer(capsys, *words)


def test_it_is_in_no_list_of_sessions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "home" / ".claude" / "projects" / "-tmp-x"
    other = tmp_path / "home" / ".pi" / "agent" / "sessions"
    for place in (folder, other):
        place.mkdir(parents=True)
        write_lines(place, user(), reply())
        write(place, anthropic())
    assert main(("sessions",)) == 1
    assert "no sessions" in capsys.readouterr().err


async def test_it_is_shown_at_the_desk(tmp_path: Path) -> None:
    session = open_session(write(tmp_path, BODIES["anthropic"]))
    async with stage(tmp_path, first=session, size=(120, 40)) as on:
        assert "Fix the login" in on.text()
        assert "claude-opus-4-8" in on.text()
        await on.press("enter")
        assert "You are an agent." in on.text() or "Fix the login" in on.text()
        await on.press("escape", "w")
        assert RULE in on.text()
