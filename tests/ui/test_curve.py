from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redline.ui.curve import columns, drawn

VALUES = st.lists(st.integers(0, 300_000), min_size=1, max_size=400)


@given(VALUES, st.integers(1, 90))
def test_the_highest_value_is_always_drawn(values: list[int], count: int) -> None:
    shown = columns(values, count)
    assert len(shown) == count
    assert max(shown) == max(values)
    assert set(shown) <= set(values)


@given(VALUES, st.integers(1, 60), st.integers(1, 5))
def test_a_drawing_has_its_size_and_is_full_only_at_its_top(
    values: list[int], width: int, height: int
) -> None:
    shown = drawn(values, width, height, 2 * max(values))
    assert [len(line) for line in shown] == [width] * height
    assert all(0x2800 <= ord(cell) <= 0x28FF for line in shown for cell in line)
    if height > 1 and max(values):
        assert set(shown[0]) == {"\u2800"}, "half of the height is not reached"


def test_a_place_without_cells_takes_a_drawing_without_any() -> None:
    assert drawn([5, 7], 0, 3, 10) == ["", "", ""]


def test_what_is_there_at_all_is_seen_and_nothing_is_blank() -> None:
    (line,) = drawn([1, 0, 200_000], 3, 1, 200_000)
    assert line[0] != "\u2800"
    assert line[1] == "\u2800"
    assert line[2] == "\u28ff"
