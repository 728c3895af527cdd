"""Watched files: what became of them is told once."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from queue import Queue

import pytest

from redline.agents.following import Change, Following, Look

Told = Queue[tuple[Path, Change]]
TIMEOUT = 10  # seconds after which a test has failed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "session.jsonl"
    found.write_bytes(b'{"one": 1}\n')
    return found


def append(path: Path, content: bytes = b'{"more": 1}\n') -> None:
    with path.open("ab") as file:
        file.write(content)


def replace_by(path: Path, content: bytes) -> None:
    fresh = path.with_suffix(".new")
    fresh.write_bytes(content)
    os.replace(fresh, path)


def test_a_file_that_nobody_touched_has_not_changed(path: Path) -> None:
    look = Look(path)
    assert look.again() is None
    path.read_bytes()
    assert look.again() is None


def test_a_file_that_grew_is_told_once(path: Path) -> None:
    look = Look(path)
    append(path)
    append(path)
    assert look.again() is Change.GROWN
    assert look.again() is None


def test_a_file_that_was_cut_short_is_truncated(path: Path) -> None:
    append(path)
    look = Look(path)
    os.truncate(path, 5)
    assert look.again() is Change.TRUNCATED
    append(path)
    assert look.again() is Change.GROWN
    os.truncate(path, 0)
    assert look.again() is Change.TRUNCATED


@pytest.mark.parametrize(
    "content", [b"other\n", b'{"two": 2}\n', b"another one, which is longer\n"]
)
def test_a_file_with_other_content_is_replaced_however_that_was_done(
    content: bytes, path: Path
) -> None:
    look = Look(path)
    replace_by(path, content)
    assert look.again() is Change.REPLACED
    path.write_bytes(content[::-1])
    assert look.again() is Change.REPLACED


def test_a_new_file_with_the_same_content_and_more_has_grown(path: Path) -> None:
    look = Look(path)
    replace_by(path, path.read_bytes())
    assert look.again() is None
    replace_by(path, path.read_bytes() + b"more\n")
    assert look.again() is Change.GROWN


def test_a_touched_file_has_not_changed(path: Path) -> None:
    look = Look(path)
    os.utime(path, (1, 1))
    assert look.again() is None


def test_a_file_that_is_gone_and_comes_back_is_told_both_times(path: Path) -> None:
    look = Look(path)
    aside = path.with_suffix(".aside")
    path.rename(aside)
    assert look.again() is Change.GONE
    assert look.again() is None
    aside.rename(path)
    assert look.again() is Change.BACK
    append(path)
    assert look.again() is Change.GROWN


def test_a_file_that_is_not_there_yet_is_back_when_it_is(tmp_path: Path) -> None:
    look = Look(tmp_path / "later" / "session.jsonl")
    assert look.again() is None
    look.path.parent.mkdir()
    look.path.write_bytes(b"here\n")
    assert look.again() is Change.BACK


def test_what_is_written_to_the_log_of_a_database_is_a_change_of_it(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    database = sqlite3.connect(path)
    database.execute("pragma journal_mode = wal")
    database.execute("create table rows (number)")
    database.commit()
    look = Look(path)
    database.execute("insert into rows values (1)")
    database.commit()
    assert look.again() is Change.GROWN
    assert look.again() is None
    assert look.concerns(frozenset({str(tmp_path / "state.db-wal")}))
    assert not look.concerns(frozenset({str(tmp_path / "state.db-shm")}))
    database.execute("pragma wal_checkpoint(truncate)")
    assert look.again() is Change.GROWN
    database.close()
    path.unlink()
    assert look.again() is Change.GONE


def test_a_folder_has_grown_when_its_entries_are_others(tmp_path: Path) -> None:
    look = Look(tmp_path)
    (tmp_path / "new.jsonl").touch()
    os.utime(tmp_path, (1, 1))
    assert look.again() is Change.GROWN
    assert look.concerns(frozenset({str(tmp_path / "new.jsonl")}))


def test_of_a_link_both_folders_are_watched(path: Path, tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "named.jsonl"
    link.symlink_to(path)
    look = Look(link)
    assert look.folders() == {tmp_path, link.parent}
    assert look.concerns(frozenset({str(path)}))
    append(path)
    assert look.again() is Change.GROWN
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"other\n")
    link.unlink()
    link.symlink_to(other)
    assert look.again() is Change.REPLACED


class ByHand:
    """Notices that a test gives, and the folders that were watched for them."""

    def __init__(self) -> None:
        self.told: Queue[frozenset[str] | OSError] = Queue()
        self.folders: Queue[set[Path]] = Queue()

    def __call__(self, folders: Iterable[Path], stop: threading.Event) -> Iterator[frozenset[str]]:
        yield frozenset()
        self.folders.put(set(folders))  # after the first look
        while not stop.is_set():
            told = self.told.get(timeout=TIMEOUT)
            if isinstance(told, OSError):
                raise told
            yield told


def test_changes_are_told_for_each_file_and_only_where_something_happened(
    path: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"")
    told: Told = Queue()
    hand = ByHand()
    following = Following(lambda *change: told.put(change), notices=hand)
    following.follow([path, other])
    assert hand.folders.get(timeout=TIMEOUT) == {tmp_path}
    append(path)
    hand.told.put(frozenset({str(tmp_path / "unrelated")}))
    append(other)
    hand.told.put(frozenset({str(other)}))
    assert told.get(timeout=TIMEOUT) == (other, Change.GROWN)
    hand.told.put(frozenset({str(path), str(other)}))
    assert told.get(timeout=TIMEOUT) == (path, Change.GROWN)
    following.close()
    hand.told.put(frozenset())
    assert told.empty()


def test_what_changed_before_the_watch_began_is_told(path: Path) -> None:
    told: Told = Queue()

    def late(folders: Iterable[Path], stop: threading.Event) -> Iterator[frozenset[str]]:
        append(path)
        yield frozenset()
        stop.wait(TIMEOUT)

    following = Following(lambda *change: told.put(change), notices=late)
    following.follow([path])
    assert told.get(timeout=TIMEOUT) == (path, Change.GROWN)
    following.close()


def test_other_files_are_watched_from_the_moment_they_are_named(path: Path, tmp_path: Path) -> None:
    told: Told = Queue()
    hand = ByHand()
    following = Following(lambda *change: told.put(change), notices=hand)
    following.follow([path])
    assert hand.folders.get(timeout=TIMEOUT) == {tmp_path}
    (tmp_path / "more").mkdir()
    other = tmp_path / "more" / "other.jsonl"
    other.write_bytes(b"")
    following.follow([other])
    hand.told.put(frozenset())
    assert hand.folders.get(timeout=TIMEOUT) == {other.parent}
    append(path)
    append(other)
    hand.told.put(frozenset())
    assert told.get(timeout=TIMEOUT) == (other, Change.GROWN)
    following.close()
    hand.told.put(frozenset())


def test_a_folder_that_is_another_one_is_watched_anew(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    inside = folder / "session.jsonl"
    inside.write_bytes(b"one\n")
    told: Told = Queue()
    hand = ByHand()
    following = Following(lambda *change: told.put(change), notices=hand)
    following.follow([inside])
    assert hand.folders.get(timeout=TIMEOUT) == {folder}
    folder.rename(tmp_path / "aside")
    folder.mkdir()
    hand.told.put(frozenset())
    assert told.get(timeout=TIMEOUT) == (inside, Change.GONE)
    assert hand.folders.get(timeout=TIMEOUT) == {folder}
    inside.write_bytes(b"one\n")
    hand.told.put(frozenset())
    assert told.get(timeout=TIMEOUT) == (inside, Change.BACK)
    following.close()
    hand.told.put(frozenset())


def test_where_the_system_tells_nothing_the_files_are_looked_at(path: Path) -> None:
    told: Told = Queue()

    def refusing(folders: Iterable[Path], stop: threading.Event) -> Iterator[frozenset[str]]:
        raise OSError("no more watches")
        yield frozenset()

    following = Following(lambda *change: told.put(change), notices=refusing)
    following.follow([path])
    append(path)
    assert told.get(timeout=TIMEOUT) == (path, Change.GROWN)
    following.close()


def test_nothing_is_told_and_no_thread_is_left_once_it_is_closed(path: Path) -> None:
    told: Told = Queue()
    before = threading.active_count()
    following = Following(lambda *change: told.put(change))
    following.follow([path])
    following.close()
    following.follow([path])
    assert threading.active_count() == before
    append(path)
    assert told.empty()


def test_the_system_tells_of_a_new_record_of_a_rename_and_of_the_end(path: Path) -> None:
    told: Told = Queue()
    following = Following(lambda *change: told.put(change))
    following.follow([path])
    append(path)
    assert told.get(timeout=TIMEOUT) == (path, Change.GROWN)
    replace_by(path, b"another one\n")
    assert told.get(timeout=TIMEOUT) == (path, Change.REPLACED)
    path.unlink()
    assert told.get(timeout=TIMEOUT) == (path, Change.GONE)
    following.close()
