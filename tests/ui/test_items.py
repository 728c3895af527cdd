"""Entries of a list: what does not fit is seen to go on."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from redline.ui.items import Item, Items
from redline.ui.themes import FALLBACKS


class Stage(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return FALLBACKS

    def compose(self) -> ComposeResult:
        yield Items(id="items")


@pytest.mark.parametrize(
    ("text", "lines", "shown"),
    [
        ("word " * 4, 2, ["word word word word"]),
        ("word " * 9, 3, ["word word word word", "word word word word", "word"]),
        ("word " * 9, 2, ["word word word word", "word word word wo..."]),
    ],
)
async def test_a_text_of_more_lines_than_it_may_take_ends_with_dots(
    text: str, lines: int, shown: list[str]
) -> None:
    app = Stage()
    async with app.run_test(size=(24, 6)) as pilot:
        app.query_one(Items).show([Item(text, lines=lines)])
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        assert [line.text.strip("\u276f ") for line in strips][: len(shown) + 1] == [*shown, ""]
