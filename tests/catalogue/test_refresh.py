"""The catalogue follows what happens to files, whatever interrupts it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.agents.discover import discover
from redline.catalogue import chunk as chunk_module
from redline.catalogue import indexing
from redline.catalogue import refresh as refreshing
from redline.catalogue.catalogue import Catalogue
from redline.catalogue.query import Query
from redline.catalogue.refresh import Phase, Progress, refresh
from redline.files import locked
from redline.model import Agent, SessionInfo
from tests.catalogue.world import World, name_of

Change = tuple[str, int, list[str], bool]
WORDS = ["alpha", "beta", "gamma", "配置", "C++"]
SAID = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
CHANGE = st.tuples(
    st.sampled_from(["write", "append", "append", "cut", "delete", "tear", "interrupt"]),
    st.integers(0, 1),
    st.lists(SAID, min_size=1, max_size=6),
    st.booleans(),
)


def apply(world: World, change: Change, lengths: dict[int, int]) -> None:
    what, number, texts, then_refresh = change
    path = world.path(number)
    match what:
        case "write":
            world.write(number, texts)
            lengths[number] = len(texts)
        case "append" if path.exists():
            world.append(number, texts, lengths[number])
            lengths[number] += len(texts)
        case "cut" if path.exists():
            path.write_bytes(path.read_bytes()[: len(texts) * 150])
            world.touch(path)
        case "tear" if path.exists():
            path.write_bytes(path.read_bytes().rstrip(b"\n}"))
            world.touch(path)
        case "delete":
            path.unlink(missing_ok=True)
        case "interrupt":
            left = iter(range(len(texts) * 3))
            world.refresh(cancelled=lambda: next(left, None) is None)
            world.open()
    if then_refresh:
        world.refresh()


@settings(max_examples=40)
@given(st.lists(CHANGE, max_size=12))
def test_whatever_happened_a_refresh_makes_it_right(
    tmp_path_factory: pytest.TempPathFactory, changes: list[Change]
) -> None:
    world, lengths = World(tmp_path_factory.mktemp("world")), dict[int, int]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunk_module, "SIZE", 15)
        patch.setattr(indexing, "_BATCH", 30)
        for change in changes:
            apply(world, change, lengths)
        world.refresh()
    for word in WORDS:
        assert world.found(word) == world.scanned(word)
    assert world.catalogue.sessions() == tuple(
        without_life(info) for info in discover(world.environment).sessions
    )


def without_life(info: SessionInfo) -> SessionInfo:
    from dataclasses import replace

    return replace(info, live=False, live_by="")


@pytest.fixture
def read_from(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Where the texts of Claude Code's sessions were read from, in turn."""
    from redline.agents.claude_code import passages as module

    starts: list[int] = []
    passages = module.passages

    def noted(info: SessionInfo, start: int = 0) -> Any:
        starts.append(start)
        return passages(info, start)

    monkeypatch.setattr(module, "passages", noted)
    return starts


def test_what_did_not_change_is_not_read_again(world: World, read_from: list[int]) -> None:
    world.write(0, ["alpha"])
    world.write(1, ["beta"])
    assert world.refresh().read == 2
    assert world.refresh().read == 0
    world.write(1, ["gamma"])
    assert world.refresh().read == 1
    assert read_from == [0, 0, 0]
    assert (world.found("beta"), len(world.found("gamma"))) == ([], 1)


def test_of_a_session_that_grew_only_the_end_is_read(
    world: World, read_from: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_module, "SIZE", 10)
    world.write(0, ["alpha beta gamma", "alpha", "beta"])
    world.refresh()
    world.append(0, ["delta"], 3)
    world.refresh()
    assert read_from[0] == 0
    assert read_from[1] > 0
    assert [record for _, record, _, _ in world.found("a")] == [1, 2, 3, 4]


def test_a_file_of_the_same_length_that_was_replaced_is_read_anew(
    world: World, read_from: list[int]
) -> None:
    world.write(0, ["alpha one", "alpha two"])
    world.refresh()
    world.write(0, ["gamma one", "gamma two"])
    world.refresh()
    assert read_from == [0, 0]
    assert (world.found("alpha"), len(world.found("gamma"))) == ([], 2)


def test_what_is_deleted_leaves(world: World) -> None:
    world.write(0, ["alpha"])
    world.write(1, ["alpha"])
    world.refresh()
    world.path(0).unlink()
    assert world.refresh().read == 0
    assert [name for name, _, _, _ in world.found("alpha")] == [name_of(1)]
    assert [info.id for info in world.catalogue.sessions()] == [name_of(1)]


def test_the_list_alone_is_quick_and_says_what_is_unread(
    world: World, read_from: list[int]
) -> None:
    world.write(0, ["alpha"])
    listed = world.refresh(texts=False)
    assert [info.id for info in listed.sessions] == [name_of(0)]
    assert (listed.sessions, read_from) == (world.catalogue.sessions(), [])
    assert world.catalogue.search(Query("alpha")).unread == 1
    assert world.catalogue.standing().read == 0
    world.refresh()
    assert world.catalogue.search(Query("alpha")).unread == 0
    assert world.catalogue.standing().read == 1


def test_an_interrupted_refresh_goes_on_where_it_ended(
    world: World, read_from: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_module, "SIZE", 10)
    monkeypatch.setattr(indexing, "_BATCH", 1)
    monkeypatch.setattr(indexing, "_AHEAD", 1)
    world.write(0, [f"alpha number {number}" for number in range(40)])
    reader = Catalogue(world.catalogue.file.path)
    first = world.refresh(cancelled=lambda: len(reader.search(Query("alpha")).hits) >= 5)
    assert not first.complete
    found = len(world.found("alpha"))
    assert 0 < found < 40
    world.open()
    assert world.refresh().complete
    assert read_from[1] > 0
    assert len(world.found("alpha")) == 40


def test_a_refresh_that_is_cancelled_while_it_looks_for_files_gives_what_was_known(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write(0, ["alpha"])
    known = world.refresh()
    world.write(1, ["alpha"])
    monkeypatch.setattr(refreshing, "_TOLD_EVERY", 1)
    done = world.refresh(cancelled=lambda: True)
    assert (done.sessions, done.looked) == (known.sessions, known.looked)
    assert (done.read, done.complete) == (0, False)


class Killed(BaseException):
    """Stands for the end of the process."""


def test_after_a_sudden_end_the_next_refresh_goes_on(
    world: World, read_from: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_module, "SIZE", 10)
    monkeypatch.setattr(indexing, "_BATCH", 1)
    world.write(0, [f"alpha number {number}" for number in range(40)])

    def killed(now: Progress) -> None:
        if len(world.found("alpha")) >= 5:
            raise Killed

    with pytest.raises(Killed):
        world.refresh(progress=killed)
    world.open()
    assert world.refresh().complete
    assert read_from[1] > 0
    assert world.found("alpha") == world.scanned("alpha")


def test_a_file_that_was_replaced_in_several_chunks_is_read_anew(
    world: World, read_from: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_module, "SIZE", 10)
    world.write(0, ["alpha one two three"] * 6)
    world.refresh()
    world.write(0, ["gamma one two three"] * 6)
    world.refresh()
    assert read_from == [0, 0]
    assert world.found("alpha") == []


def test_a_file_that_was_replaced_while_it_was_read_is_read_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from redline.agents.claude_code import passages as module

    monkeypatch.setattr(chunk_module, "SIZE", 10)
    world.write(0, ["alpha one two three"] * 40)
    passages = module.passages
    replaced: list[int] = []

    def replacing(info: SessionInfo, start: int = 0) -> Any:
        yield from passages(info, start)
        if not replaced:
            replaced.append(1)
            world.write(0, ["gamma and others"] * 60)

    monkeypatch.setattr(module, "passages", replacing)
    world.refresh()
    world.refresh()
    assert world.found("alpha") == []
    assert world.found("gamma") == world.scanned("gamma")


def test_results_are_there_while_the_rest_is_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "_BATCH", 1)
    for number in range(8):
        world.write(number, ["alpha"])
    reader = Catalogue(world.catalogue.file.path)
    seen: list[int] = []

    def progress(now: Progress) -> None:
        if now.phase is Phase.TEXTS:
            seen.append(len(reader.search(Query("alpha")).hits))

    world.refresh(progress=progress)
    assert seen == sorted(seen)
    assert any(0 < count < 8 for count in seen)


def test_the_newest_session_is_read_first(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_BATCH", 1)
    world.write(0, ["alpha"] * 3)
    world.write(1, ["alpha"] * 9)
    done: list[int] = []

    def stop() -> bool:
        return bool(done)

    def progress(now: Progress) -> None:
        if now.phase is Phase.TEXTS and now.done:
            done.append(now.done)

    ended = world.refresh(progress=progress, cancelled=stop)
    assert (ended.read, ended.complete) == (1, False)
    assert {name for name, _, _, _ in world.found("alpha")} == {name_of(1)}


def test_progress_goes_from_nothing_to_all_there_is(world: World) -> None:
    size = world.write(0, ["alpha"]).stat().st_size
    told: list[Progress] = []
    world.refresh(progress=told.append)
    assert told[0] == Progress(Phase.LIST, 0)
    assert (told[0].total, told[0].total_bytes) == (0, 0), "the whole is not known yet"
    texts = [now for now in told if now.phase is Phase.TEXTS]
    assert texts[0] == Progress(Phase.TEXTS, 0, 1, 0, size)
    assert told[-1] == Progress(Phase.TEXTS, 1, 1, size, size)


def test_another_process_that_is_at_it_is_not_disturbed(world: World) -> None:
    world.write(0, ["alpha"])
    world.refresh()
    world.write(1, ["alpha"])
    path = world.catalogue.file.path
    with locked(path, path.parent):
        done = world.refresh()
        assert (done.busy, done.complete, done.read) == (True, False, 0)
        assert len(done.sessions) == 2
        assert len(world.found("alpha")) == 1
        assert len(world.refresh(texts=False).sessions) == 2
    assert world.refresh().read == 1


def test_a_reader_that_fails_costs_its_session_only(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from redline.agents.claude_code import passages as module

    world.write(0, ["alpha"])
    world.write(1, ["alpha"])
    passages = module.passages

    def failing(info: SessionInfo, start: int = 0) -> Any:
        if info.id == name_of(1):
            raise TypeError("nobody thought of this")
        return passages(info, start)

    monkeypatch.setattr(module, "passages", failing)
    done = world.refresh()
    assert done.problems == (
        f"{world.path(1)}: its texts could not be read: nobody thought of this",
    )
    assert [name for name, _, _, _ in world.found("alpha")] == [name_of(0)]
    assert world.refresh().read == 0
    (told,) = world.catalogue.standing().unread
    assert told.startswith(str(world.path(1)))
    for agent, wrong in ((None, [world.path(1)]), (Agent.PI, [])):
        found = world.catalogue.search(Query("alpha", agent=agent))
        assert [path for path, _ in found.unreadable] == wrong


def test_a_folder_that_cannot_be_read_is_kept_in_mind(world: World) -> None:
    world.write(0, ["alpha"])
    world.folder.with_name("-a-file").write_text("no folder")
    world.refresh()
    assert {looked.path: looked.found for looked in world.catalogue.looked()}[
        world.folder.parent
    ] == 1
    assert world.catalogue.looked() == discover(world.environment).looked


def test_what_is_listed_is_what_discovery_finds(world: World) -> None:
    world.write(0, ["alpha"], cwd="/home/\ud800dev")
    odd = world.folder / os.fsdecode(b"no-utf8-\xff.jsonl")
    odd.write_bytes(world.path(0).read_bytes())
    world.refresh()
    found = [without_life(info) for info in discover(world.environment).sessions]
    assert world.catalogue.sessions() == tuple(found)
    assert len(found) == 2
    assert len(world.found("alpha")) == 2


def test_two_names_for_one_file_give_one_session(world: World) -> None:
    world.write(0, ["alpha"])
    world.folder.with_name("-link").symlink_to(world.folder, target_is_directory=True)
    world.refresh()
    assert len(world.found("alpha")) == 1


def test_an_empty_home_is_no_fault(world: World) -> None:
    done = world.refresh()
    assert (done.sessions, done.complete, done.problems) == ((), True, ())
    assert world.catalogue.search(Query("alpha")).complete
    assert refresh(Catalogue(Path(world.home / "other.sqlite")), {}).sessions == ()


def test_sessions_of_one_file_are_read_again_only_where_they_changed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from redline.agents import discover as module
    from tests.catalogue.shelf import Shelf

    shelf = Shelf(world.home / "shelf.json")
    monkeypatch.setattr(module, "finders", lambda: (shelf.finder,))
    shelf.write({"one": ["alpha"], "two": ["alpha", "beta"]})
    world.refresh()
    assert [name for name, _, _, _ in world.found("alpha")] == ["two", "one"]
    shelf.read.clear()
    shelf.write({"one": ["alpha"], "two": ["alpha", "gamma"]})
    world.refresh()
    assert shelf.read == ["two"]
    assert (world.found("beta"), len(world.found("gamma"))) == ([], 1)
    shelf.write({"two": ["alpha", "gamma"]})
    world.refresh()
    assert [name for name, _, _, _ in world.found("alpha")] == ["two"]
