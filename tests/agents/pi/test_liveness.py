from __future__ import annotations

import os
from pathlib import Path

import pytest

from redline.agents.pi.liveness import RUNNING, folders_of_running, live
from redline.model import Agent, SessionInfo


@pytest.fixture
def processes(tmp_path: Path) -> Path:
    found = tmp_path / "proc"
    found.mkdir()
    (found / "self").mkdir()
    return found


def process(
    processes: Path, number: int, folder: Path, name: str = "pi", *told: str, starts: bool = True
) -> None:
    made = processes / str(number)
    made.mkdir()
    (made / "comm").write_text(f"{name}\n")
    if starts:
        (made / "cwd").symlink_to(folder)
    (made / "environ").write_bytes(b"\0".join(word.encode() for word in ("HOME=/root", *told)))


def session(folder: Path, name: str, changed: int) -> SessionInfo:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.jsonl"
    path.write_text("{}\n")
    os.utime(path, (changed, changed))
    return SessionInfo(Agent.PI, name, path, project=str(folder))


def test_where_no_pi_runs_none_is_open(processes: Path, tmp_path: Path) -> None:
    process(processes, 7, tmp_path, "node", f"PI_SESSION_FILE={tmp_path / 'a.jsonl'}")
    assert live([session(tmp_path, "a", 5)], None, processes) == {}


def test_a_session_of_the_folder_that_pi_runs_in_may_be_open(
    processes: Path, tmp_path: Path
) -> None:
    process(processes, 7, tmp_path / "here")
    here, there = session(tmp_path / "here", "a", 5), session(tmp_path / "there", "b", 9)
    assert live([here, there], None, processes) == {"a": RUNNING}


def test_of_a_list_only_as_many_are_open_as_run_there_the_newest_first(
    processes: Path, tmp_path: Path
) -> None:
    process(processes, 7, tmp_path / "here", "pi-rpc")
    old, new = session(tmp_path / "here", "old", 5), session(tmp_path / "here", "new", 9)
    assert live([old, new], None, processes) == {"new": RUNNING}
    assert live([old], None, processes) == {"old": RUNNING}
    process(processes, 8, tmp_path / "here")
    assert live([old, new], None, processes) == {"old": RUNNING, "new": RUNNING}


def test_the_session_that_a_command_of_pi_was_told_is_open(processes: Path, tmp_path: Path) -> None:
    process(processes, 7, tmp_path / "elsewhere")
    one = session(tmp_path / "here", "a", 5)
    process(processes, 9, tmp_path / "here", "sleep", f"PI_SESSION_FILE={one.path}")
    assert live([one], None, processes) == {"a": RUNNING}


def test_what_ended_or_cannot_be_read_is_passed_over(processes: Path, tmp_path: Path) -> None:
    process(processes, 7, tmp_path, starts=False)
    (processes / "8").mkdir()
    assert folders_of_running(processes) == ()
    assert folders_of_running(tmp_path / "nowhere") == ()
