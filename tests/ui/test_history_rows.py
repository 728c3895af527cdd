from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from redline.facts.contents import Boundary, Contents, Fork, Started
from redline.model import CompactionKind, PastCompaction, SideBranch, Subagent
from redline.ui.history_rows import HistoryRows, Hung, name_of_hung

PLACES = st.lists(st.integers(0, 30), max_size=6)


def made(messages: int, cuts: list[int], forks: list[int], starts: list[int]) -> Contents:
    past = PastCompaction("c", CompactionKind.FULL, 1)
    return Contents(
        messages=messages,
        compactions=tuple(
            Boundary(number, past, min(place, messages), 0)
            for number, place in enumerate(sorted(cuts), start=1)
        ),
        branches=tuple(
            Fork(SideBranch(f"l{n}", "x" if place < messages else None, 1, True), place_or_none)
            for n, place in enumerate(forks)
            for place_or_none in [place if place < messages else None]
        ),
        subagents=tuple(
            Started(Subagent(f"a{n}", Path("a")), place if place < messages else None)
            for n, place in enumerate(starts)
        ),
    )


def plainly(contents: Contents) -> list[int | Hung]:
    """The rows as a list, written down one by one."""
    rows: list[int | Hung] = [
        fork for fork in contents.branches if fork.place is None and fork.branch.fork is None
    ]
    for place in range(contents.messages + 1):
        rows += [one for one in contents.compactions if one.place == place]
        if place < contents.messages:
            rows.append(place)
            rows += [one for one in contents.subagents if one.place == place]
            rows += [one for one in contents.branches if one.place == place]
    return rows + [one for one in contents.subagents if one.place is None]


@given(st.integers(0, 25), PLACES, PLACES, PLACES)
def test_rows_are_those_of_a_list_written_down(
    messages: int, cuts: list[int], forks: list[int], starts: list[int]
) -> None:
    contents = made(messages, cuts, forks, starts)
    rows, expected = HistoryRows(contents), plainly(contents)
    assert rows.count == len(expected)
    found = [rows.at(row) for row in range(rows.count)]
    assert [one for one in found if isinstance(one, int)] == list(range(messages))
    assert sorted(map(repr, found)) == sorted(map(repr, expected))
    for row, one in enumerate(found):
        if isinstance(one, int):
            assert rows.row_of(one) == row
            assert rows.place_at(row) == one
        else:
            assert rows.row_of_hung(name_of_hung(one)) == row
            assert rows.named(name_of_hung(one)) == one
    for row in rows.boundaries:
        boundary = rows.at(row)
        assert isinstance(boundary, Boundary)
        places = [one for one in found[:row] if isinstance(one, int)]
        assert len(places) == boundary.place


def test_what_hangs_on_nothing_waits_until_all_is_read() -> None:
    contents = made(3, [], [], [99])
    assert HistoryRows(contents, whole=False).count == 3
    assert HistoryRows(contents).count == 4
