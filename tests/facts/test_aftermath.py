"""What an agent does again after its compactions."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from redline.facts.aftermath import aftermaths
from redline.model import CompactionKind, PastCompaction, Session
from tests.sessions_in_memory import START, Draft, call, ran, reply, result, session, summary, user


def _read(path: str, name: str) -> Draft:
    return call("Read", {"file_path": path}, call_id=name)


def _edit(path: str, name: str) -> Draft:
    return call("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, call_id=name)


def _compacted(*after: Draft) -> Session:
    made = session(
        user("go"),
        _read("src/a.py", "a"),
        result("x", call_id="a"),
        _edit("src/b.py", "b"),
        result("x", call_id="b"),
        ran("pytest -q", "1 failed", 1, call_id="c"),
        summary("It goes on."),
        *after,
        context_from=7,
    )
    past = PastCompaction("c1", CompactionKind.FULL, 8, messages_before=7, time=START)
    return replace(made, compactions=(past,))


def test_known_files_and_commands_are_told_when_they_come_again() -> None:
    (found,) = aftermaths(
        _compacted(
            _read("src/a.py", "d"),
            _read("src/new.py", "e"),
            _read("src/a.py", "f"),
            *ran("pytest -q", "1 failed", 1, call_id="g"),
            *ran("ls", call_id="h"),
        )
    )
    assert found.read_again == ("src/a.py",)
    assert found.ran_again == ("pytest -q",)
    assert (found.known, found.calls) == (2, 5)
    assert found.calls_to_edit is None


def test_the_way_to_the_first_edit_is_counted_in_calls_and_minutes() -> None:
    edit = replace(_edit("src/b.py", "e"), time=START + timedelta(minutes=12))
    (found,) = aftermaths(_compacted(_read("src/a.py", "d"), edit, _edit("src/c.py", "f")))
    assert found.calls_to_edit == 2
    assert found.minutes_to_edit == 12.0


def test_a_clock_that_went_back_gives_no_minutes() -> None:
    edit = replace(_edit("src/b.py", "e"), time=START - timedelta(minutes=12))
    (found,) = aftermaths(_compacted(edit))
    assert (found.calls_to_edit, found.minutes_to_edit) == (1, None)


def test_each_compaction_has_its_own_and_micro_ones_have_none() -> None:
    made = _compacted(_read("src/a.py", "d"), reply("on"), _read("src/b.py", "e"))
    first = made.compactions[0]
    micro = replace(first, id="c2", kind=CompactionKind.MICRO, messages_before=8)
    second = replace(first, id="c3", messages_before=10)
    last = replace(first, id="c4", messages_before=99)
    found = aftermaths(replace(made, compactions=(first, micro, second, last)))
    assert [one.number for one in found] == [1, 3, 4]
    assert [one.read_again for one in found] == [("src/a.py",), ("src/b.py",), ()]
    assert found[2].messages == 0


def test_nothing_is_gathered_once_it_is_cancelled() -> None:
    (found,) = aftermaths(_compacted(_read("src/a.py", "d")), cancelled=lambda: True)
    assert found.calls == 0
