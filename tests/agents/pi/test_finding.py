"""Where pi's sessions are looked for."""

from __future__ import annotations

import json
from pathlib import Path

from redline.agents.pi.finding import agent_folder, find, roots
from tests.agents.pi.made_up import header, user, write


def session_in(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return write(folder, header(), user("a", None, "one"))


def test_sessions_lie_in_folders_named_after_the_project(tmp_path: Path) -> None:
    path = session_in(tmp_path / ".pi/agent/sessions/--home-dev-shop--")
    (path.parent / "notes.txt").write_text("no session")
    assert list(find({"HOME": str(tmp_path)})) == [path]


def test_a_chosen_session_folder_is_flat_and_comes_first(tmp_path: Path) -> None:
    old = session_in(tmp_path / ".pi/agent/sessions/--home-dev-shop--")
    new = session_in(tmp_path / "chosen")
    environment = {"HOME": str(tmp_path), "PI_CODING_AGENT_SESSION_DIR": "~/chosen"}
    assert list(find(environment)) == [new, old]


def test_the_settings_may_name_the_session_folder(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    (agent / "settings.json").write_text(json.dumps({"sessionDir": str(tmp_path / "there")}))
    environment = {"PI_CODING_AGENT_DIR": str(agent)}
    assert roots(environment) == (tmp_path / "there", agent / "sessions")


def test_broken_settings_leave_the_default(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    for text in ("{", "[]", '{"sessionDir": 5}', "\ufeff{}"):
        (agent / "settings.json").write_text(text)
        assert roots({"PI_CODING_AGENT_DIR": str(agent)}) == (agent / "sessions",)


def test_without_a_home_folder_there_is_no_place_to_look(tmp_path: Path) -> None:
    assert agent_folder({}) is None
    assert roots({}) == ()
    assert list(find({})) == []


def test_a_session_that_two_links_lead_to_is_found_once(tmp_path: Path) -> None:
    path = session_in(tmp_path / ".pi/agent/sessions/--a--")
    (tmp_path / ".pi/agent/sessions/--b--").symlink_to(path.parent)
    (tmp_path / ".pi/agent/sessions/--broken--").symlink_to(tmp_path / "nowhere")
    assert list(find({"HOME": str(tmp_path)})) == [path]
