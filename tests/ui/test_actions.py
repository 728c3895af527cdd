from __future__ import annotations

from pathlib import Path

import pytest
from textual.keys import Keys
from textual.keys import _character_to_key as key_of

from redline.settings import Settings
from redline.ui.actions import COMMANDS, display, footer_runs, wrong_keys
from redline.ui.app import RedlineApp
from redline.ui.commit import CommitScreen
from redline.ui.compactions import CompactionsScreen
from redline.ui.compare import CompareScreen
from redline.ui.compare_rows import Strategies
from redline.ui.desk import DeskScreen
from redline.ui.desk_panes import HistoryPane, RulesPane
from redline.ui.handoff import HandoffScreen
from redline.ui.history import HistoryScreen
from redline.ui.lines import LineList
from redline.ui.receipts import ReceiptsScreen
from redline.ui.rules import RulesScreen
from redline.ui.search import SearchScreen
from redline.ui.sessions import SessionsScreen
from redline.ui.transcript import Transcript
from tests.ui.stage import shop, stage

OWNERS = {
    "app": RedlineApp,
    "list": LineList,
    "sessions": SessionsScreen,
    "search": SearchScreen,
    "desk": DeskScreen,
    "transcript": Transcript,
    "rules": RulesPane,
    "register": RulesScreen,
    "past": HistoryPane,
    "history": HistoryScreen,
    "compactions": CompactionsScreen,
    "compare": CompareScreen,
    "strategies": Strategies,
    "handoff": HandoffScreen,
    "commit": CommitScreen,
    "receipts": ReceiptsScreen,
}


def test_every_context_of_commands_has_an_owner() -> None:
    assert set(OWNERS) == set(COMMANDS)


@pytest.mark.parametrize("context", sorted(COMMANDS))
def test_every_command_can_be_carried_out(context: str) -> None:
    for command in COMMANDS[context]:
        name = command.action.partition("(")[0]
        assert callable(getattr(OWNERS[context], f"action_{name}", None)), command.name


def test_names_of_commands_are_unique() -> None:
    names = [command.name for commands in COMMANDS.values() for command in commands]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("context", sorted(COMMANDS))
def test_no_key_means_two_things_in_one_place(context: str) -> None:
    keys = [key for command in COMMANDS[context] for key in command.keys.split(",")]
    assert len(keys) == len(set(keys))


def test_every_key_has_a_name_that_textual_knows() -> None:
    named = {key.value for key in Keys} | {"space"} | {f"f{number}" for number in range(1, 10)}
    for commands in COMMANDS.values():
        for command in commands:
            for key in command.keys.split(","):
                bare = key.removeprefix("ctrl+")
                assert bare in named or key_of(display(bare)) == bare, key


def test_a_key_for_no_command_is_told() -> None:
    assert wrong_keys({"desk.drop": "x", "desk.fly": "y"}) == ["desk.fly: there is no such command"]


def test_neighbours_with_one_label_share_it() -> None:
    runs = footer_runs(COMMANDS["desk"], {"desk.turn_up": "f2"})
    assert ("f2 }", "by turn", "cut_turn(-1)") in runs


async def test_a_key_from_the_settings_takes_the_place_of_the_other(tmp_path: Path) -> None:
    settings = Settings(keymap={"desk.drop": "f2", "desk.fly": "f3"})
    async with stage(tmp_path, first=shop(tmp_path), settings=settings) as on:
        assert "desk.fly: there is no such command" in on.notices()[0]
        assert "f2 drop" in on.frame()[-1]
        await on.press("minus")
        assert not on.screen.review.pins.actions
        await on.press("f2")
        assert on.screen.review.pins.actions


async def test_the_palette_finds_a_command_and_does_it(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        before = on.screen.review
        await on.pilot.resize_terminal(1, 1)
        await on.press("ctrl+p", "pagedown", "pageup", "escape")
        await on.pilot.resize_terminal(100, 30)
        await on.press("ctrl+p")
        await on.press(*"drop")
        await on.press("enter", "enter")
        assert on.screen.review is not before


async def test_help_tells_the_keys_of_the_focused_pane(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("2", "f1")
        text = on.text()
        assert "The constraints you stated" in text
        assert "Confirm: the rule binds" in text
        assert text.index("Write the handoff") < len(text)
        assert "One row down" not in text.split("Confirm")[0]
        await on.press("escape")
        assert isinstance(on.screen, DeskScreen)


async def test_a_click_on_a_key_does_what_the_key_does(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        line = on.frame()[-1]
        await on.pilot.click("KeyLine", offset=(line.index("- drop") + 2, 0))
        await on.settle()
        assert on.screen.review.pins.actions


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_way_back_is_named_however_narrow_it_is(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with stage(tmp_path, first=shop(tmp_path), size=size) as on:
        for keys in (("w",), ("w",), ("escape", "escape", "h"), ("escape", "C"), ("escape", "R"),
                     ("escape", "f8"), ("escape", "F")):  # fmt: skip
            await on.press(*keys)
            assert "esc back" in on.frame()[-1], on.screen
            assert "quit" in on.frame()[-1]


async def test_keys_that_have_nothing_to_act_on_are_not_named(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path), size=(120, 40)) as on:
        await on.press("4")
        assert "plan before" not in on.frame()[-1]
        await on.press("A")
        assert "take over" not in on.frame()[-1]
        await on.press("escape", "f8")
        assert "find" in on.frame()[-1]
        assert "undo" not in on.frame()[-1]
        await on.press("escape", "w", "w")
        assert "tick" in on.frame()[-1]
        assert "copy command" not in on.frame()[-1]
        await on.press("enter")
        assert "y copy command  U undo commit" in on.frame()[-1]
        await on.press("f8")
        assert "U undo" in on.frame()[-1]
        await on.press("escape", "U")
        assert "copy command" not in on.frame()[-1]


async def test_a_field_says_how_one_leaves_it(tmp_path: Path) -> None:
    async with stage(tmp_path, shop(tmp_path), size=(60, 20)) as on:
        await on.press("slash")
        assert "esc show all" in on.frame()[-1]
        await on.press("escape", "enter", "slash")
        assert "esc back" in on.frame()[-1]
        await on.press("escape", "f")
        assert "esc back" in on.frame()[-1]
