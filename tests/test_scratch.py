"""Scratch folders: private, gone at the end, and swept by the next where a kill left them."""

from __future__ import annotations

import os
import signal
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.scratch import Left, Purpose, left_behind, scratch, sweep


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def killed_in(purpose: Purpose) -> Path:
    """The folder of a process that was killed while it worked there."""
    with _alive(purpose) as (folder, child):
        os.kill(child, signal.SIGKILL)
    return folder


@contextmanager
def _alive(purpose: Purpose) -> Iterator[tuple[Path, int]]:
    """A process that works in a scratch folder until it is killed."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        with scratch(purpose) as folder:
            (folder / "session.jsonl").write_text("what was said")
            os.write(tell, str(folder).encode())
            signal.pause()
    os.close(tell)
    folder = Path(os.read(told, 4096).decode())
    os.close(told)
    try:
        yield folder, child
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_folder_is_private_and_goes_with_what_is_in_it(temporary: Path) -> None:
    with scratch(Purpose.DRAFT) as folder:
        (folder / "deep").mkdir()
        (folder / "deep" / "file").write_bytes(b"x")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert folder.name.startswith(f"redline-draft-{os.getpid()}-")
    assert os.listdir(temporary) == []


def test_it_goes_also_where_the_work_in_it_fails(temporary: Path) -> None:
    with pytest.raises(ValueError, match="no"), scratch(Purpose.HERMES):
        raise ValueError("no")
    assert os.listdir(temporary) == []


def test_what_a_killed_process_left_is_swept_by_the_next(temporary: Path) -> None:
    left = killed_in(Purpose.HERMES)
    assert left_behind() == (Left(left, Purpose.HERMES),)
    assert (left / "session.jsonl").exists()
    with scratch(Purpose.DRAFT) as folder:
        assert os.listdir(temporary) == [folder.name]
    assert left_behind() == ()


def test_what_a_process_still_works_in_is_left_to_it(temporary: Path) -> None:
    with _alive(Purpose.WRITER) as (folder, _):
        sweep()
        assert left_behind() == ()
        assert (folder / "session.jsonl").exists()
        with scratch(Purpose.DRAFT) as own:
            sweep()
            assert own.exists()


def test_a_text_that_was_being_edited_is_never_swept() -> None:
    left = killed_in(Purpose.EDIT)
    with scratch(Purpose.EDIT):
        assert [(one.path, one.kept) for one in left_behind()] == [(left, True)]
    assert (left / "session.jsonl").exists()


@pytest.mark.parametrize(
    "name",
    [
        "redline-draft-abcdefgh",
        "redline-demo-12-abcdefg",
        "redline-other-12-abcdefgh",
        "redline-draft-1x-abcdefgh",
        "redline-draft-12-abcdefgh2",
        "redline-draft-12-ABCDEFGH",
        "my-redline-draft-12-abcdefgh",
    ],
)
def test_a_folder_of_another_name_is_not_ours(temporary: Path, name: str) -> None:
    (temporary / name).mkdir(mode=0o700)
    sweep()
    assert left_behind() == ()
    assert (temporary / name).exists()


def test_a_link_a_file_and_a_folder_open_to_others_are_not_ours(
    temporary: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    elsewhere.chmod(0o700)
    (elsewhere / "mine").write_bytes(b"x")
    (temporary / "redline-draft-1-linklink").symlink_to(elsewhere)
    (temporary / "redline-draft-1-filefile").write_bytes(b"x")
    (temporary / "redline-draft-1-openopen").mkdir(mode=0o755)
    sweep()
    assert left_behind() == ()
    assert (elsewhere / "mine").exists()
    assert len(os.listdir(temporary)) == 3


def test_a_folder_of_another_user_is_not_ours(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = killed_in(Purpose.DRAFT)
    monkeypatch.setattr(os, "geteuid", lambda: left.stat().st_uid + 1)
    sweep()
    assert left_behind() == ()
    assert left.exists()


def test_a_link_inside_a_folder_is_not_followed(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "mine").write_bytes(b"x")
    left = killed_in(Purpose.DRAFT)
    (left / "link").symlink_to(elsewhere)
    sweep()
    assert not left.exists()
    assert (elsewhere / "mine").exists()


def test_no_temporary_folder_is_an_error_that_names_it(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / "none"))
    with (
        pytest.raises(RedlineError, match="cannot make a scratch folder in"),
        scratch(Purpose.DRAFT),
    ):
        raise AssertionError
