"""Finding the sessions of all agents."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from redline.agents.claude_code.finding import slug
from redline.agents.discover import discover
from redline.model import Agent
from tests.agents.claude_code.writing import SESSION_ID, start, user, write

OTHER_ID = "5e550000-0000-4000-8000-000000000002"


def environment(home: Path) -> dict[str, str]:
    return {"HOME": str(home)}


def project(home: Path, name: str = "-home-dev-shop") -> Path:
    return home / ".claude" / "projects" / name


def test_sessions_are_listed_newest_first_and_subagents_are_not(tmp_path: Path) -> None:
    folder = project(tmp_path)
    write(folder, start())
    write(folder, [user("u1", None, "Later", at=90)], f"{OTHER_ID}.jsonl")
    aside = [user("k1", None, "Look", isSidechain=True)]
    write(folder, aside, f"{SESSION_ID}/subagents/agent-a1.jsonl")
    write(folder, aside, "agent-0123abcd.jsonl")
    found = discover(environment(tmp_path))
    assert [info.id for info in found.sessions] == [OTHER_ID, SESSION_ID]
    claude = next(looked for looked in found.looked if looked.agent is Agent.CLAUDE_CODE)
    assert (claude.found, claude.problem) == (2, "")


def test_what_is_reached_through_a_link_is_listed_once(tmp_path: Path) -> None:
    path = write(project(tmp_path), start())
    project(tmp_path, "-a-link").symlink_to(project(tmp_path), target_is_directory=True)
    (project(tmp_path) / f"{OTHER_ID}.jsonl").symlink_to(path)
    (info,) = discover(environment(tmp_path)).sessions
    assert info.path == path


def test_a_folder_that_is_only_a_link_is_found(tmp_path: Path) -> None:
    real = tmp_path / "elsewhere"
    write(real, start())
    project(tmp_path).parent.mkdir(parents=True)
    project(tmp_path).symlink_to(real, target_is_directory=True)
    assert len(discover(environment(tmp_path)).sessions) == 1


def test_the_folder_can_be_named(tmp_path: Path) -> None:
    write(tmp_path / "mine" / "projects" / "-x", start())
    found = discover({"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / "mine")})
    assert len(found.sessions) == 1


def test_foreign_files_are_not_listed(tmp_path: Path) -> None:
    write(project(tmp_path), [{"role": "user", "content": "hi"}], "export.jsonl")
    write(project(tmp_path), [b"{", b'"sessionId": 1', b"}"], "gemini.jsonl")
    assert discover(environment(tmp_path)).sessions == ()


def test_without_any_folder_nothing_is_wrong(tmp_path: Path) -> None:
    found = discover(environment(tmp_path))
    assert found.sessions == ()
    assert all(looked.problem == "" for looked in found.looked)
    assert discover({}).sessions == ()


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path) -> None:
    root = project(tmp_path).parent
    root.parent.mkdir(parents=True)
    root.write_text("no folder")
    problems = [looked for looked in discover(environment(tmp_path)).looked if looked.problem]
    assert [looked.path for looked in problems] == [root]
    assert problems[0].problem.startswith("cannot be read")


def test_links_in_a_circle_and_pipes_are_passed_by(tmp_path: Path) -> None:
    folder = project(tmp_path)
    flat = tmp_path / ".pi" / "agent" / "sessions"
    flat.mkdir(parents=True)
    write(folder, start())
    for place in (folder.parent, folder, flat):
        (place / "round.jsonl").symlink_to(place / "round.jsonl")
        os.mkfifo(place / "pipe.jsonl")
    assert [info.id for info in discover(environment(tmp_path)).sessions] == [SESSION_ID]


def test_a_session_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(project(tmp_path), start())
    opened = Path.open

    def denied(self: Path, *args: Any, **named: Any) -> Any:
        if self == path:
            raise PermissionError(errno.EACCES, "Permission denied", str(self))
        return opened(self, *args, **named)

    monkeypatch.setattr(Path, "open", denied)  # root may read everything
    monkeypatch.setattr(os, "access", lambda name, mode: Path(name) != path)
    found = discover(environment(tmp_path))
    assert found.sessions == ()
    assert [looked.path for looked in found.looked if looked.problem] == [path]


def test_a_session_that_a_running_process_holds_is_live(tmp_path: Path) -> None:
    write(project(tmp_path), start())
    write(project(tmp_path), start(), f"{OTHER_ID}.jsonl")
    registry = tmp_path / ".claude" / "sessions"
    registry.mkdir(parents=True)
    (registry / f"{os.getpid()}.json").write_text(json.dumps({"sessionId": SESSION_ID}))
    (registry / "999999999.json").write_text(json.dumps({"sessionId": OTHER_ID}))
    (registry / "7.ab.key").write_text("never read")
    live = {info.id: info.live for info in discover(environment(tmp_path)).sessions}
    assert live == {SESSION_ID: True, OTHER_ID: False}


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/tmp/我的_proj.v1 @x", "-tmp----proj-v1--x"),
        ("/a/😀b", "-a---b"),
        ("/Users/Ada/x", "-Users-Ada-x"),
    ],
)
def test_a_folder_is_named_after_each_unit_of_the_path(cwd: str, name: str) -> None:
    assert slug(cwd) == name


def test_a_folder_deep_below_that_cannot_be_listed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = tmp_path / ".codex" / "sessions" / "2026" / "11" / "20"
    day.mkdir(parents=True)
    scandir = os.scandir

    def denied(place: Any = ".") -> Any:
        if Path(place) == day:
            raise PermissionError(errno.EACCES, "Permission denied", str(place))
        return scandir(place)

    monkeypatch.setattr(os, "scandir", denied)  # root may read everything
    problems = {looked.path for looked in discover(environment(tmp_path)).looked if looked.problem}
    assert problems == {day}
