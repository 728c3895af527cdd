"""Whatever is wrong with the cache, searching goes on and nobody sees a traceback."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from redline.catalogue import cache_file
from redline.catalogue.catalogue import Catalogue
from redline.catalogue.query import Query
from tests.catalogue.world import World, name_of


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


def text(path: Path) -> None:
    path.write_text("this is no database\n" * 999)


def without_tables(path: Path) -> None:
    path.unlink()
    with apsw.Connection(str(path)) as connection:
        connection.execute(f"PRAGMA user_version = {cache_file.VERSION}")
        connection.execute("CREATE TABLE sessions (id INTEGER PRIMARY KEY)")


def of_an_older_redline(path: Path) -> None:
    path.unlink()
    with apsw.Connection(str(path)) as connection:
        connection.execute("CREATE TABLE sessions (id INTEGER PRIMARY KEY)")


def removed(path: Path) -> None:
    path.unlink()


def with_foreign_values(path: Path) -> None:
    with apsw.Connection(str(path)) as connection:
        connection.execute("UPDATE sessions SET info = '[]'")
        connection.execute("UPDATE bodies SET text = x'00'")


WRONGS = [
    emptied,
    cut,
    cut_short,
    text,
    without_tables,
    of_an_older_redline,
    removed,
    with_foreign_values,
]


@pytest.fixture
def filled(world: World) -> World:
    world.write(0, ["alpha one", "beta"] * 30)
    world.write(1, ["alpha two", "gamma"])
    world.refresh()
    return world


@pytest.mark.parametrize("wrong", WRONGS)
def test_a_damaged_file_is_made_anew(filled: World, wrong: Callable[[Path], None]) -> None:
    path = filled.catalogue.file.path
    wrong(path)
    for opened in (filled.catalogue, Catalogue(path)):
        filled.catalogue = opened
        opened.search(Query("alpha"))
        opened.sessions()
        opened.looked()
        opened.standing()
        filled.refresh()
        assert filled.found("alpha") == filled.scanned("alpha")
        assert len(opened.sessions()) == 2
        assert opened.standing().problem == ""


@pytest.mark.parametrize("wrong", WRONGS)
def test_a_list_alone_is_right_whatever_the_file_is(
    filled: World, wrong: Callable[[Path], None]
) -> None:
    wrong(filled.catalogue.file.path)
    filled.open()
    assert {info.id for info in filled.refresh(texts=False).sessions} == {name_of(0), name_of(1)}


def test_a_lost_page_is_noticed_wherever_it_is(filled: World) -> None:
    path = filled.catalogue.file.path
    whole = path.read_bytes()
    page = int.from_bytes(whole[16:18], "big")
    for start in range(0, len(whole), page):
        path.write_bytes(whole[:start] + bytes(page) + whole[start + page :])
        catalogue = filled.open()
        filled.refresh()
        if catalogue.search(Query("alpha")).problem:
            filled.refresh()
        assert filled.found("alpha") == filled.scanned("alpha")
        assert filled.found("beta") == filled.scanned("beta")


def test_damage_that_a_search_meets_is_told_and_mended_by_a_refresh(filled: World) -> None:
    with apsw.Connection(str(filled.catalogue.file.path)) as connection:
        connection.execute("UPDATE bodies SET text = x'00'")
    found = filled.catalogue.search(Query("alpha"))
    assert (found.hits, found.complete) == ((), False)
    assert "made anew" in found.problem
    filled.refresh()
    assert filled.found("alpha") == filled.scanned("alpha")


def test_of_a_damaged_file_it_is_told_how_it_stands(filled: World) -> None:
    text(filled.catalogue.file.path)
    standing = filled.open().standing()
    assert (standing.sessions, standing.problem) == (0, "it is damaged and will be made anew")


def test_a_file_of_a_newer_redline_stays_as_it_is(filled: World) -> None:
    path = filled.catalogue.file.path
    with apsw.Connection(str(path)) as connection:
        connection.execute("PRAGMA user_version = 9999")
    before = path.read_bytes()
    filled.open()
    assert filled.catalogue.sessions() == ()
    done = filled.refresh()
    assert any("a newer redline made it" in problem for problem in done.problems)
    assert filled.found("alpha") == filled.scanned("alpha")
    assert len(filled.catalogue.sessions()) == 2
    assert path.read_bytes() == before
    filled.write(2, ["alpha three"])
    filled.refresh()
    assert filled.found("alpha") == filled.scanned("alpha")


def test_where_no_folder_can_be_made_memory_serves(world: World) -> None:
    world.write(0, ["alpha"])
    (world.home / "cache").write_text("a file in its place")
    done = world.refresh()
    assert any("only in memory" in problem for problem in done.problems)
    assert world.found("alpha") == world.scanned("alpha")
    assert "not a folder" in world.catalogue.standing().problem.lower() or done.problems


def test_where_the_file_cannot_be_opened_memory_serves(filled: World) -> None:
    path = filled.catalogue.file.path
    removed(path)
    path.mkdir()
    filled.open()
    assert filled.catalogue.sessions() == ()
    assert filled.catalogue.search(Query("alpha")).hits == ()
    assert filled.catalogue.standing().size == 0
    done = filled.refresh()
    assert done.problems == ("the index is only in memory: it cannot be opened",)
    assert filled.found("alpha") == filled.scanned("alpha")


def test_a_file_that_cannot_be_written_serves_while_it_is_right(
    filled: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = filled.catalogue.file.path
    filled.open()

    def refused(self: object) -> None:
        raise apsw.ReadOnlyError("attempt to write a readonly database")

    monkeypatch.setattr(cache_file.CacheFile, "_writer", refused)  # root may write everything
    assert filled.refresh().problems == ()
    assert not filled.catalogue.file.in_memory
    filled.write(2, ["alpha three"])
    assert len(filled.refresh(texts=False).sessions) == 3
    done = filled.refresh()
    assert any("cannot be written" in problem for problem in done.problems)
    assert filled.found("alpha") == filled.scanned("alpha")
    assert len(Catalogue(path).sessions()) == 2


def test_a_damaged_file_that_cannot_be_written_is_done_without(
    filled: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    text(filled.catalogue.file.path)
    filled.open()

    def refused(self: object) -> None:
        raise apsw.ReadOnlyError("attempt to write a readonly database")

    monkeypatch.setattr(cache_file.CacheFile, "_writer", refused)  # root may write everything
    assert len(filled.refresh(texts=False).sessions) == 2
    assert any("only in memory" in problem for problem in filled.refresh().problems)
    assert filled.found("alpha") == filled.scanned("alpha")


def test_a_file_in_a_folder_that_cannot_be_written_can_be_read(
    filled: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = cache_file._connect

    def refused(address: str, flags: int) -> apsw.Connection:
        if "immutable" not in address:
            raise apsw.CantOpenError("unable to open database file")
        return connect(address, flags)

    monkeypatch.setattr(cache_file, "_connect", refused)
    assert len(filled.open().sessions()) == 2
    log = filled.catalogue.file.path.with_name("catalogue.sqlite-wal")
    log.write_bytes(b"")
    assert filled.open().sessions() == (), "what stands in the log would be missed"


def test_a_reader_sees_one_state_from_its_start_to_its_end(filled: World) -> None:
    file = filled.catalogue.file

    def count(connection: apsw.Connection | None) -> object:
        assert connection is not None
        return connection.execute("SELECT count(*) FROM sessions").fetchone()

    with file.reading() as connection:
        assert count(connection) == (2,)
        with file.writing() as other:
            other.execute("DELETE FROM sessions")
        with file.reading() as inner:
            assert count(inner) == (2,), "a reading inside another one sees the same"
        assert count(connection) == (2,)
    with file.reading() as connection:
        assert count(connection) == (0,)


def test_only_its_user_may_read_it(filled: World) -> None:
    path = filled.catalogue.file.path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    for beside in path.parent.iterdir():
        assert stat.S_IMODE(beside.stat().st_mode) & 0o077 == 0


def test_a_full_disk_leaves_what_there_was_and_memory_serves(world: World) -> None:
    world.write(0, [f"alpha {number} {os.urandom(3_000).hex()}" for number in range(60)])
    program = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from redline.catalogue.catalogue import Catalogue\n"
        "from redline.catalogue.query import Query\n"
        "from redline.catalogue.refresh import refresh\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))\n"
        "catalogue = Catalogue(Path(sys.argv[1]))\n"
        "done = refresh(catalogue, {'HOME': sys.argv[2]})\n"
        "assert any('only in memory' in told for told in done.problems), done.problems\n"
        "assert len(catalogue.search(Query('alpha')).hits) == 60\n"
    )
    path = world.catalogue.file.path
    done = subprocess.run(
        [sys.executable, "-c", program, str(path), str(world.home)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    world.refresh()
    assert len(world.found("alpha")) == 60


def test_a_process_that_was_killed_leaves_no_lock(world: World) -> None:
    world.write(0, ["alpha"])
    program = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from redline.catalogue.catalogue import Catalogue\n"
        "from redline.catalogue.refresh import Phase, refresh\n"
        "def killed(now):\n"
        "    if now.phase is Phase.TEXTS: os._exit(9)\n"
        "refresh(Catalogue(Path(sys.argv[1])), {'HOME': sys.argv[2]}, progress=killed)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(world.catalogue.file.path), str(world.home)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 9
    assert world.refresh().read == 1
    assert len(world.found("alpha")) == 1


def test_a_file_that_is_replaced_under_an_open_catalogue_is_seen(filled: World) -> None:
    path = filled.catalogue.file.path
    assert len(filled.catalogue.sessions()) == 2
    shutil.rmtree(path.parent)
    assert filled.catalogue.sessions() == ()
    filled.refresh()
    assert len(filled.catalogue.sessions()) == 2
    assert filled.found("alpha") == filled.scanned("alpha")
