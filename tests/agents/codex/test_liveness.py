"""Which threads a running Codex has open, by its lock files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from redline.agents.codex import locks
from redline.agents.codex.locks import held_locks, live
from redline.agents.liveness import mark_live
from redline.model import SessionInfo
from tests.agents.codex.files import CHILD, PARENT, meta, only, rollout_file, write

fcntl = pytest.importorskip("fcntl")


@pytest.fixture
def infos(tmp_path: Path) -> list[SessionInfo]:
    (tmp_path / "thread-writer-locks").mkdir()
    return [only(write(rollout_file(tmp_path, thread), meta(thread))) for thread in (PARENT, CHILD)]


def lock_file(info: SessionInfo) -> Path:
    path = info.path.parents[4] / "thread-writer-locks" / f"{info.id}.lock"
    path.touch()
    return path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with path.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def environment(infos: list[SessionInfo]) -> dict[str, str]:
    return {"CODEX_HOME": str(infos[0].path.parents[4])}


@pytest.fixture(params=["listed", "tried"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "tried":
        monkeypatch.setattr(sys, "platform", "darwin")
    elif sys.platform != "linux":
        pytest.skip("only Linux lists its locks")
    return str(request.param)


def test_a_held_lock_tells_that_the_thread_is_open(infos: list[SessionInfo], way: str) -> None:
    with locked(lock_file(infos[0])):
        assert live(infos, environment(infos)) == {PARENT: "lock"}
        marked = mark_live(infos, environment(infos))
    assert [(info.live, info.live_by) for info in marked[:1]] == [(True, "lock")]


def test_a_lock_that_nobody_holds_tells_that_it_is_not(infos: list[SessionInfo], way: str) -> None:
    lock_file(infos[1])
    assert live(infos, environment(infos)) == {CHILD: ""}
    assert mark_live(infos, environment(infos))[1].live is False


def test_without_a_lock_file_the_lock_tells_nothing(infos: list[SessionInfo], way: str) -> None:
    assert live(infos, environment(infos)) == {}
    assert live(infos, {}) == {}
    assert live([], environment(infos)) == {}


def test_looking_takes_no_lock_and_writes_nothing(infos: list[SessionInfo], way: str) -> None:
    path = lock_file(infos[0])
    before = path.stat()
    live(infos, environment(infos))
    with locked(path):
        live(infos, environment(infos))
    after = path.stat()
    assert (after.st_mtime_ns, after.st_size) == (before.st_mtime_ns, 0)
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_session_of_another_home_is_told_by_its_own_locks(
    infos: list[SessionInfo], tmp_path: Path, way: str
) -> None:
    with locked(lock_file(infos[0])):
        assert live(infos, {"CODEX_HOME": str(tmp_path / "none")}) == {PARENT: "lock"}


def listing(path: Path, *lines: str) -> Path:
    file = path / "locks"
    file.write_text("".join(line + "\n" for line in lines))
    return file


def test_the_kernels_list_is_read_with_its_devices_in_hexadecimal(tmp_path: Path) -> None:
    file = listing(
        tmp_path,
        "1: FLOCK  ADVISORY  WRITE 11163 fe:1f:2777501 0 EOF",
        "1: -> FLOCK  ADVISORY  WRITE 12 fe:1f:2777502 0 EOF",
        "2: POSIX  ADVISORY  READ 7 fe:00:5 128 128",
        "3: OFDLCK ADVISORY  WRITE -1 00:2a:9 0 EOF",
        "nonsense",
    )
    assert held_locks(file) == {
        2777501: [(os.makedev(0xFE, 0x1F), 11163)],
        9: [(os.makedev(0, 0x2A), -1)],
    }
    assert held_locks(tmp_path / "none") is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists its locks")
def test_a_file_system_that_names_another_device_is_told_by_the_open_file(
    infos: list[SessionInfo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = lock_file(infos[0])
    inode = path.stat().st_ino
    held = f"1: FLOCK  ADVISORY  WRITE {os.getpid()} 00:99:{inode} 0 EOF"
    monkeypatch.setattr(locks, "LOCKS", listing(tmp_path, held))
    assert live(infos, environment(infos)) == {PARENT: ""}
    with path.open("rb"):
        assert live(infos, environment(infos)) == {PARENT: "lock"}
