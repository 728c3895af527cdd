"""The table of a comparison: what has room, and a letter a strategy."""

from __future__ import annotations

from datetime import UTC, datetime

from redline.comparison.columns import COLUMNS, GAP, fitted, letters
from redline.comparison.compare import Comparison, compare
from redline.settings import Settings
from tests.comparison.test_staying import review_of
from tests.sessions_in_memory import reply, session, user


def _comparison() -> Comparison:
    turns = [draft for n in range(6) for draft in (user(f"Step {n}."), reply("Done." * 200))]
    return compare(review_of(session(*turns)), datetime(2026, 1, 2, tzinfo=UTC), Settings())


def test_cells_are_as_wide_as_the_widest_and_set_to_the_right() -> None:
    found = _comparison()
    for one in fitted(found, 400):
        texts = [one.column.text(row, found) for row in found.rows]
        assert one.width == max(map(len, [one.column.head, *texts]))
        assert [one.cell(row, found) for row in found.rows] == [f"{t:>{one.width}}" for t in texts]
        assert one.head == f"{one.column.head:>{one.width}}"


def test_where_there_is_no_room_the_least_wanted_columns_go_and_the_order_stays() -> None:
    found = _comparison()
    whole = fitted(found, 400)
    assert [one.column for one in whole] == list(COLUMNS)
    wanted = sorted(whole, key=lambda one: one.column.rank)
    for count in range(len(wanted) + 1):
        room = sum(one.width + GAP for one in wanted[:count])
        heads = {one.column.head for one in wanted[:count]}
        assert [one.column for one in fitted(found, room)] == [
            column for column in COLUMNS if column.head in heads
        ]


def test_letters_tell_any_names_apart() -> None:
    assert letters(("redline", "clear", "claude-code", "codex", "pi")) == (*"rcCop",)
    many = [f"codex-{number}" for number in range(40)]
    assert len(set(letters(many))) == 40
    strange = letters(("", "\x1b[31m", "中文", "中文"))
    assert len(set(strange)) == 4
    assert all(letter.isascii() and letter.isalnum() for letter in strange)
