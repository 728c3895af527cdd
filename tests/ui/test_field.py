from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from tests.ui.stage import shop, stage

FIELDS = {
    "#filter": ("/",),
    "#query": ("F",),
    "#hint": ("enter", "f"),
    "#find": ("enter", "/"),
}


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20)])
@pytest.mark.parametrize("keys", FIELDS.values(), ids=FIELDS)
async def test_of_a_text_longer_than_its_field_the_end_is_seen(
    tmp_path: Path, keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    async with stage(tmp_path, shop(tmp_path), size=size) as on:
        for key in keys:
            await on.press(key)
            await on.settle()
        field = on.screen.focused
        assert isinstance(field, Input)
        field.value = "x" * 300 + "the end"
        await on.press("home", "end")
        assert "xxxthe end" in on.text()
