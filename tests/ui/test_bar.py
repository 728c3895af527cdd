from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redline.context.window import Category
from redline.ui.bar import Filling, Share, stretch, widths


@given(st.lists(st.integers(0, 10**6), max_size=8), st.integers(0, 200))
def test_the_cells_of_a_bar_add_up_to_its_width(tokens: list[int], width: int) -> None:
    cells = widths(tokens, width)
    assert len(cells) == len(tokens)
    assert sum(cells) == (width if sum(tokens) else 0)
    assert all(count >= 0 for count in cells)


def test_what_is_there_at_all_gets_a_cell() -> None:
    assert widths([10, 199_990], 40) == [1, 39]


def test_shares_tell_the_whole_window() -> None:
    filling = Filling({Category.TOOL: 98_000, Category.USER: 2_000}, 200_000, 33_000, "measured")
    assert filling.free == 67_000
    assert sum(share.tokens for share in filling.shares(200_000)) == 200_000


def test_of_an_unknown_window_nothing_is_said_to_be_free() -> None:
    filling = Filling({Category.TOOL: 98_000}, None, 0, "estimated")
    assert filling.free is None
    assert {share.name for share in filling.shares(100_000)} == {"tool", "unknown"}


def test_a_window_that_is_overfull_has_no_free_stretch() -> None:
    filling = Filling({Category.TOOL: 250_000}, 200_000, 33_000, "measured")
    assert [share.tokens for share in filling.shares(250_000)] == [250_000, 0, 0]


@given(st.integers(0, 80))
def test_a_stretch_is_as_wide_as_its_cells(cells: int) -> None:
    assert len(stretch(Share("tool", ":", 98_000), cells)) == cells


def test_a_stretch_tells_its_name_where_there_is_room() -> None:
    assert stretch(Share("tool", ":", 98_000), 16) == "::: tool 98k :::"
    assert stretch(Share("tool", ":", 98_000), 7) == ": 98k :"
    assert stretch(Share("tool", ":", 98_000), 5) == ":::::"
