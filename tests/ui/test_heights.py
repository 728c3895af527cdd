from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redline.ui.heights import Heights

ROWS = st.integers(0, 30)
EXTRA = st.dictionaries(st.integers(0, 35), st.integers(0, 7), max_size=6)


@given(ROWS, EXTRA)
def test_every_line_belongs_to_the_row_that_a_plain_list_says(
    rows: int, extra: dict[int, int]
) -> None:
    heights = Heights(rows, extra)
    lines = [(row, line) for row in range(rows) for line in range(1 + extra.get(row, 0))]
    assert heights.total == len(lines)
    assert [heights.locate(line) for line in range(len(lines))] == lines


@given(ROWS, EXTRA)
def test_the_top_of_a_row_is_its_first_line(rows: int, extra: dict[int, int]) -> None:
    heights = Heights(rows, extra)
    for row in range(rows):
        assert heights.locate(heights.top(row)) == (row, 0)
    assert heights.top(rows) == heights.total
