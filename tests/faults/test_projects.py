"""Sessions are found for the folder they are of, once each, and nothing else is listed."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path

import pytest

from redline.agents.claude_code.finding import slug
from redline.agents.opening import open_session
from tests.faults.dialects import (
    AGENTS,
    ASK,
    CLAUDE_CODE,
    ID,
    PLAIN,
    Dialect,
    Prompt,
    Reply,
    line,
)
from tests.faults.surfaces import Commands

NAMES = [
    "我的_proj.v1 @x",
    "a b\tc",
    "dots...and---dashes",
    "été (copy) [2] {3}",
    "emoji \U0001f600",
    "#hash%20&?*'\"",
    "~tilde",
    "日本語/深い/フォルダ",
    "x" * 180,
]


def listed(commands: Commands, *words: str) -> list[str]:
    return [one["id"] for one in commands.json("sessions", *words)["sessions"]]


@pytest.mark.parametrize(
    ("agent", "name"),
    [*((CLAUDE_CODE, name) for name in NAMES), *((one, NAMES[0]) for one in AGENTS[1:])],
)
def test_a_folder_of_any_name_has_its_sessions(
    home: Path, tmp_path: Path, agent: Dialect, commands: Commands, name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A38: every character but letters and digits is a dash in the name of Claude Code's folder."""
    project = tmp_path / "work" / name
    project.mkdir(parents=True)
    agent.write(home, *ASK, cwd=str(project))
    monkeypatch.chdir(project)
    assert listed(commands, "--project", ".") == [ID]
    assert listed(commands, "--project", str(tmp_path / "other")) == []
    found = commands.json("inspect", "last")
    assert found["session"]["project"] == str(project)


def test_the_slug_is_a_dash_for_each_unit() -> None:
    """A38: the row itself."""
    assert slug("/tmp/我的_proj.v1 @x") == "-tmp----proj-v1--x"
    assert slug("/tmp/\U0001f600") == "-tmp---"


def test_a_name_in_another_normal_form_is_the_same_folder(
    home: Path, tmp_path: Path, commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A38: an agent may write the composed form of a name that lies decomposed on disk."""
    project = tmp_path / unicodedata.normalize("NFD", "été")
    project.mkdir()
    CLAUDE_CODE.write(home, *ASK, cwd=unicodedata.normalize("NFC", str(project)))
    assert listed(commands) == [ID]


def test_a_folder_reached_through_a_link_has_its_sessions_once(
    home: Path, tmp_path: Path, agent: Dialect, commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A39: the working folder is a link, or the session says the link's name."""
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    for stated in (real, link):
        path = agent.write(home, *ASK, cwd=str(stated))
        for here in (real, link):
            monkeypatch.chdir(here)
            monkeypatch.setenv("PWD", str(here))
            assert listed(commands, "--project", ".") == [ID]
            assert listed(commands, "--project", str(here)) == [ID]
            assert commands.json("inspect", "last")["session"]["id"] == ID
        path.unlink()


@pytest.mark.parametrize("what", ["home", "folder", "file"])
def test_what_two_names_lead_to_is_listed_once(
    home: Path, tmp_path: Path, agent: Dialect, commands: Commands, what: str
) -> None:
    """A39: the agent's home, a project's folder or a file is a link to, or beside, the real one."""
    path = agent.write(home, *ASK)
    if what == "home":
        real = tmp_path / "elsewhere"
        os.rename(home / agent.home, real)
        (home / agent.home).symlink_to(real)
    elif what == "folder":
        (path.parent.parent / "also").symlink_to(path.parent)
    else:
        path.with_name(f"copy-{path.name}").symlink_to(path)
    assert listed(commands) == [ID]


def _subagent(groups: list[list[bytes]], name: str) -> list[list[bytes]]:
    records = [json.loads(one) for group in groups for one in group]
    return [[line({**one, "isSidechain": True, "agentId": name}) for one in records]]


@pytest.mark.parametrize("many", [1, 40])
@pytest.mark.parametrize("where", ["{id}/subagents", "{id}/subagents/workflows/wf_1", "."])
def test_subagents_are_no_sessions_and_hang_from_theirs(
    home: Path, commands: Commands, where: str, many: int
) -> None:
    """A10, A11: found by their files, though no record of the session names one."""
    path = CLAUDE_CODE.write(home, *ASK)
    folder = path.parent / where.format(id=ID)
    for number in range(many):
        said = CLAUDE_CODE.lines(Prompt(f"Look at {number}"), Reply("Looked."))
        groups = _subagent(said, f"a{number:07x}")
        other = folder / f"agent-a{number:07x}.jsonl"
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_bytes(b"".join(one + b"\n" for group in groups for one in group))
    assert listed(commands) == [ID]
    assert commands.json("inspect", ID)["session"]["title"] == "Fix the login"
    session = open_session(path)
    assert len(session.context) == len(ASK)
    assert len(session.subagents) == many
    for one in session.subagents[:2]:
        inner = open_session(one.path)
        assert inner.info.title.startswith("Look at")
        assert len(inner.context) == 2


def test_chats_of_other_programs_are_not_listed(home: Path, commands: Commands) -> None:
    """A46: beside the sessions of an agent, with role and content."""
    chats: dict[str, list[object]] = {
        "export": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}],
        "log": [{"messages": [{"role": "user", "content": "hi"}], "model": "gpt-5"}],
        "tuning": [{"prompt": "hi", "completion": "hello"}],
        "typed": [{"type": "user", "content": "hi"}, {"type": "assistant", "content": "hello"}],
        "events": [{"type": "message", "text": "hi", "user": "U1"}],
        "empty": [],
    }
    for agent in AGENTS:
        path = agent.write(home, *ASK)
        for name, values in chats.items():
            usual = path.name.replace(ID, f"{name}-{ID[:8]}")
            other = path.with_name(usual if ID in path.name else f"{name}.jsonl")
            other.write_bytes(b"".join(line(one) + b"\n" for one in values))
    ids = listed(commands)
    assert ids == [ID] * len(AGENTS)
    assert {one["agent"] for one in commands.json("sessions")["sessions"]} == {
        agent.name for agent in AGENTS
    }


def test_a_chat_of_another_program_opens_as_what_it_is(home: Path, commands: Commands) -> None:
    """A46: by its path, and never under the name of an agent."""
    path = PLAIN.write(home, *ASK)
    assert commands.all(path)["session"]["agent"] == "messages"
    path.write_bytes(b'{"prompt": "hi", "completion": "hello"}\n')
    status, _, err = commands.run("inspect", str(path))
    assert status == 2
    assert "no session" in err
