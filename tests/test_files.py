from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.files import (
    left_by_a_crash,
    locked,
    make_folders,
    read_if_there,
    real_path,
    remove_file,
    write_atomic,
)

STEPS = ["open", "write", "flush", "replace"]


class Crash(BaseException):
    pass


def failing_at(name: str, error: BaseException) -> Callable[[str], None]:
    def step(reached: str) -> None:
        if reached == name:
            raise error

    return step


def test_a_new_file_holds_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "交接 📄.md"
    assert write_atomic(path, b"one") == path
    assert path.read_bytes() == b"one"
    assert os.listdir(tmp_path) == [path.name]


def test_a_new_file_gets_the_mode_that_was_asked_for(tmp_path: Path) -> None:
    write_atomic(tmp_path / "secret", b"x", mode=0o600)
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    old = os.umask(0o027)
    try:
        write_atomic(tmp_path / "plain", b"x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "plain").stat().st_mode) == 0o640


def test_an_existing_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_bytes(b"old")
    path.chmod(0o751)
    write_atomic(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o751


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_an_existing_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "theirs"
    path.write_bytes(b"old")
    os.chown(path, 1234, 2345)
    path.chmod(0o640)
    write_atomic(path, b"new")
    status = path.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (1234, 2345, 0o640)


def test_a_link_stays_a_link_and_the_file_behind_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "AGENTS.md").write_bytes(b"old")
    (tmp_path / "middle").symlink_to("deep/AGENTS.md")
    (tmp_path / "CLAUDE.md").symlink_to("middle")
    written = write_atomic(tmp_path / "CLAUDE.md", b"new")
    assert written == (tmp_path / "deep" / "AGENTS.md").resolve()
    assert (tmp_path / "CLAUDE.md").is_symlink()
    assert (tmp_path / "middle").is_symlink()
    assert (tmp_path / "deep" / "AGENTS.md").read_bytes() == b"new"


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("existed", [True, False])
def test_a_full_disk_changes_nothing(tmp_path: Path, name: str, existed: bool) -> None:
    path = tmp_path / "file"
    if existed:
        path.write_bytes(b"old")
    before = os.listdir(tmp_path)
    with pytest.raises(RedlineError, match="disk is full") as caught:
        write_atomic(path, b"new", step=failing_at(name, OSError(errno.ENOSPC, "no space")))
    assert caught.value.hint
    assert os.listdir(tmp_path) == before
    assert read_if_there(path) == (b"old" if existed else None)


@pytest.mark.parametrize("name", [*STEPS, "done"])
def test_a_process_that_dies_leaves_the_old_file_or_the_new_one(tmp_path: Path, name: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    child = os.fork()
    if child == 0:
        write_atomic(path, b"new", tag="t1", step=lambda at: os._exit(9) if at == name else None)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert path.read_bytes() == (b"new" if name == "done" else b"old")
    left = left_by_a_crash(tmp_path, "t1")
    assert len(left) == (1 if name in ("write", "flush", "replace") else 0)
    assert left_by_a_crash(tmp_path, "t2") == ()


def test_an_interrupt_takes_the_temporary_file_away(tmp_path: Path) -> None:
    with pytest.raises(Crash):
        write_atomic(tmp_path / "file", b"new", step=failing_at("replace", Crash()))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda path: path.mkdir(), "is a folder"),
        (lambda path: path.symlink_to("missing.md"), "is not there"),
        (lambda path: path.symlink_to(path.name), "leads back to itself"),
        (lambda path: os.mkfifo(path), "not a plain file"),
        (lambda path: (path.write_bytes(b"x"), path.chmod(0o444)), "read-only"),
    ],
)
def test_a_target_that_cannot_be_written_is_refused_and_left_alone(
    tmp_path: Path, make: Callable[[Path], object], match: str
) -> None:
    path = tmp_path / "CLAUDE.md"
    make(path)
    before = (sorted(os.listdir(tmp_path)), os.lstat(path))
    with pytest.raises(RedlineError, match=match) as caught:
        write_atomic(path, b"new")
    assert caught.value.hint
    assert before[0] == sorted(os.listdir(tmp_path))
    assert before[1].st_ino == os.lstat(path).st_ino
    assert not (tmp_path / "missing.md").exists()


def test_places_that_cannot_be_are_refused_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(RedlineError, match="name is too long"):
        write_atomic(tmp_path / ("长" * 200), b"new")
    with pytest.raises(RedlineError, match="there is no folder"):
        write_atomic(tmp_path / "no" / "file", b"new")
    with pytest.raises(RedlineError, match="is a file, not a folder"):
        write_atomic(tmp_path / "file" / "file", b"new")
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.EIO, errno.EDQUOT])
def test_every_refusal_of_the_system_says_what_to_do(tmp_path: Path, code: int) -> None:
    path = tmp_path / "file"
    with pytest.raises(RedlineError, match="nothing was changed") as caught:
        write_atomic(path, b"new", step=failing_at("open", OSError(code, os.strerror(code))))
    assert str(path) in caught.value.message
    assert caught.value.hint


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(RedlineError, match="no permission"):
            write_atomic(tmp_path / "file", b"new")
    finally:
        tmp_path.chmod(0o700)


def test_a_file_that_changed_since_the_preview_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"seen")

    def meanwhile(name: str) -> None:
        if name == "flush":
            path.write_bytes(b"edited")

    with pytest.raises(RedlineError, match="has changed since the preview"):
        write_atomic(path, b"new", expected=b"seen", step=meanwhile)
    assert path.read_bytes() == b"edited"
    with pytest.raises(RedlineError, match="has changed"):
        write_atomic(path, b"new", expected=None)
    with pytest.raises(RedlineError, match="has changed"):
        remove_file(path, expected=b"seen")
    write_atomic(path, b"new", expected=b"edited")
    remove_file(path, expected=b"new")
    assert os.listdir(tmp_path) == []


def test_reading_tells_no_file_from_one_that_cannot_be_read(tmp_path: Path) -> None:
    assert read_if_there(tmp_path / "none") is None
    (tmp_path / "file").write_bytes(b"\x00\xff")
    assert read_if_there(tmp_path / "file") == b"\x00\xff"
    with pytest.raises(RedlineError, match="is a folder"):
        read_if_there(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RedlineError, match="not a plain file"):
        read_if_there(tmp_path / "pipe")


def test_folders_are_made_and_named(tmp_path: Path) -> None:
    made = make_folders(tmp_path / "a" / "b")
    assert made == (tmp_path / "a", tmp_path / "a" / "b")
    assert make_folders(tmp_path / "a" / "b") == ()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RedlineError, match="not a folder"):
        make_folders(tmp_path / "file" / "x")


def test_a_lock_holds_off_others_by_any_name_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    with (
        locked(path, tmp_path / "locks"),
        pytest.raises(RedlineError, match="another redline"),
        locked(tmp_path / "CLAUDE.md", tmp_path / "locks", wait=0),
    ):
        pass
    with locked(tmp_path / "CLAUDE.md", tmp_path / "locks", wait=0):
        pass


def test_two_processes_that_write_in_turn_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"")
    children = []
    for mark in (b"a", b"b"):
        child = os.fork()
        if child == 0:
            for _ in range(20):
                with locked(path, tmp_path / "locks"):
                    write_atomic(path, path.read_bytes() + mark)
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    assert sorted(path.read_bytes()) == sorted(b"a" * 20 + b"b" * 20)


def test_the_real_path_follows_links_and_needs_no_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("there")
    assert real_path(tmp_path / "link") == (tmp_path / "there").resolve()
    assert real_path(tmp_path / "none") == (tmp_path / "none").resolve()


def test_a_name_in_a_folder_that_is_gone_is_refused_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(RedlineError) as told:
        real_path(Path("notes.md"))
    assert "leads back to itself" not in told.value.message


def left_by(process: int, folder: Path, *, hours: float = 2, name: str = "") -> Path:
    """What a process that was killed left while it wrote, so many hours ago."""
    path = folder / (name or f".redline-new-{process}-0123456789ab.tmp")
    path.write_bytes(b"half")
    then = path.stat().st_mtime - hours * 3600
    os.utime(path, (then, then))
    return path


def gone_process() -> int:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def test_what_a_killed_process_left_beside_a_file_is_swept_by_the_next_write(
    tmp_path: Path,
) -> None:
    left = left_by(gone_process(), tmp_path)
    write_atomic(tmp_path / "file", b"x")
    assert not left.exists()
    assert os.listdir(tmp_path) == ["file"]


def test_what_may_be_of_a_process_that_runs_or_of_somebody_else_stays(tmp_path: Path) -> None:
    gone = gone_process()
    stays = [
        left_by(os.getpid(), tmp_path),
        left_by(gone, tmp_path, hours=0.5),
        left_by(gone, tmp_path, name=".redline-new-0123456789ab.tmp"),
        left_by(gone, tmp_path, name=".redline-20260807-120000-000001-0123456789ab.tmp"),
        left_by(gone, tmp_path, name=f".redline-new-{gone}-mine.tmp"),
    ]
    link = tmp_path / f".redline-new-{gone}-aaaaaaaaaaaa.tmp"
    link.symlink_to(stays[0])
    write_atomic(tmp_path / "file", b"x")
    assert all(path.exists() for path in (*stays, link))
