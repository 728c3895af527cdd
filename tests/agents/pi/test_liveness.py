from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from redline.agents.liveness import SINCE
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
    folder.mkdir(parents=True, exist_ok=True)
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


BOOT = 1_790_000_000


def started(processes: Path, number: int, seconds: int) -> None:
    """When a process was started, in seconds after the machine was."""
    (processes / "stat").write_text(f"cpu 1 2 3\nbtime {BOOT}\n")
    ticks = seconds * os.sysconf("SC_CLK_TCK")
    fields = ["S", *["0"] * 18, str(ticks), "0"]
    (processes / str(number) / "stat").write_text(f"{number} (p (i) x) {' '.join(fields)}\n")


@pytest.mark.parametrize(("changed", "open_"), [(900, True), (990, True), (500, False)])
def test_a_session_that_was_written_since_a_pi_elsewhere_started_may_be_its(
    processes: Path, tmp_path: Path, changed: int, open_: bool
) -> None:
    process(processes, 7, tmp_path / "elsewhere")
    started(processes, 7, 900)
    one = session(tmp_path / "here", "a", BOOT + changed)
    said = f"{SINCE}a pi was started in {tmp_path / 'elsewhere'}"
    told = {"a": said} if open_ else {}
    assert live([one], {"HOME": str(tmp_path)}, processes) == told


def test_a_pi_elsewhere_that_writes_a_session_of_its_own_folder_has_that_one(
    processes: Path, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    process(processes, 7, tmp_path / "elsewhere")
    started(processes, 7, 900)
    one = session(tmp_path / "here", "a", BOOT + 950)
    own = session(tmp_path / ".pi/agent/sessions", "own", BOOT + 800).path
    own.write_text(json.dumps({"type": "session", "cwd": str(tmp_path / "elsewhere")}) + "\n")
    os.utime(own, (BOOT + 800, BOOT + 800))
    environment = {"HOME": str(tmp_path)}
    assert live([one], environment, processes)
    os.utime(own, (BOOT + 901, BOOT + 901))
    assert live([one], environment, processes) == {}
    own.write_text("not at all\n")
    os.utime(own, (BOOT + 901, BOOT + 901))
    assert live([one], environment, processes)


def test_of_a_list_a_pi_elsewhere_has_none(processes: Path, tmp_path: Path) -> None:
    process(processes, 7, tmp_path / "elsewhere")
    started(processes, 7, 900)
    two = [session(tmp_path / "here", name, BOOT + 950) for name in ("a", "b")]
    assert live(two, {"HOME": str(tmp_path)}, processes) == {}


def test_a_pi_whose_start_cannot_be_told_is_not_taken_for_it(
    processes: Path, tmp_path: Path
) -> None:
    process(processes, 7, tmp_path / "elsewhere")
    one = session(tmp_path / "here", "a", BOOT + 950)
    assert live([one], {"HOME": str(tmp_path)}, processes) == {}


def test_what_ended_or_cannot_be_read_is_passed_over(processes: Path, tmp_path: Path) -> None:
    process(processes, 7, tmp_path, starts=False)
    (processes / "8").mkdir()
    assert folders_of_running(processes) == ()
    assert folders_of_running(tmp_path / "nowhere") == ()
