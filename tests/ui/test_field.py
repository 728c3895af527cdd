from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Key
from textual.widgets import Input

from tests.ui.stage import Stage, shop, stage

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


BURSTS = [
    ([*"qqqq", "ctrl+u", *"hook"], "hook"),
    ([*"hoof", "backspace", "k"], "hook"),
    ([*"ook", "home", "h", "end", "s"], "hooks"),
    ([*"one two", "ctrl+w", *"three"], "one three"),
    ([*"hook", "left", "left", "ctrl+k", *"t"], "hot"),
]


def send(on: Stage, keys: list[str]) -> None:
    """All of them at once, as a paste without marks, a slow line or a quick hand does."""
    for key in keys:
        on.app.post_message(Key("space" if key == " " else key, key if len(key) == 1 else None))


@pytest.mark.parametrize(("burst", "text"), BURSTS, ids=[text for _, text in BURSTS])
async def test_keys_that_are_sent_at_once_act_in_their_order(
    tmp_path: Path, burst: list[str], text: str
) -> None:
    async with stage(tmp_path, shop(tmp_path)) as on:
        for keys in FIELDS.values():
            await on.press(*keys)
            field = on.screen.focused
            assert isinstance(field, Input)
            field.value = ""
            send(on, burst)
            await on.settle()
            await on.pilot.pause(0.05)
            assert field.value == text
            field.value = ""
            await on.press("escape", "escape")
