"""The strategies side by side on a screen."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.widgets import ContentSwitcher

from redline.compaction.plan import Action
from redline.compaction.strategies import registry
from redline.compaction.strategies.registry import names
from redline.comparison import compare as comparing
from redline.comparison.compare import Comparison, Row
from redline.model import Session
from redline.review import Review
from redline.ui.compare import CompareScreen
from redline.ui.compare_messages import ComparedMessages
from redline.ui.compare_rows import Strategies
from redline.ui.desk import DeskScreen
from redline.ui.items import Items
from redline.ui.panes import PaneTabs
from tests.sessions_in_memory import ran, reply, session, user
from tests.ui.stage import Stage, ambiguous, harmful, shop, stage
from tests.ui.test_hostile import EVIL, evil_session

SIZES = ((60, 20), (80, 24), (120, 40), (200, 60))


def table(on: Stage) -> Strategies:
    return on.screen.query_one("#strategies", Strategies)  # type: ignore[no-any-return]


def messages(on: Stage) -> ComparedMessages:
    return on.screen.query_one("#compared", ComparedMessages)  # type: ignore[no-any-return]


def long_session() -> Session:
    turns = [
        (user(f"Step {n}."), ran("make", "x " * 600, call_id=str(n)), reply(f"Did {n}."))
        for n in range(12)
    ]
    return session(*(piece for turn in turns for piece in turn), model="claude-opus-4-6")


async def test_every_strategy_is_there_with_its_figures(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_session(), size=(160, 50)) as on:
        await on.press("C")
        assert isinstance(on.screen, CompareScreen)
        assert on.screen.found.whole
        lines = on.frame()
        for letter, row in zip(table(on).letters, on.screen.found.rows, strict=True):
            line = next(line for line in lines if f"{letter} {row.strategy} " in line)
            assert row.counts is not None
            assert f" {row.counts[Action.KEEP]} " in line
            assert row.stays is not None
        assert f"{len(names())} strategies" in lines[0]


async def test_the_table_starts_at_the_plan_of_the_desk_and_its_bars(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("left_curly_bracket")
        bars = [line for line in on.frame() if line.startswith((" now ", " after "))]
        await on.press("C")
        assert table(on).current == on.screen.review.strategy
        assert [line for line in on.frame() if line.startswith((" now ", " after "))] == bars
        row = on.screen.found.row(on.screen.review.strategy)
        assert row is not None
        assert row.plan == on.screen.review.plan


async def test_the_bar_after_follows_the_cursor(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_session()) as on:
        await on.press("C")
        seen = set()
        for _ in range(3):
            seen.add(next(line for line in on.frame() if line.startswith(" after ")))
            await on.press("j")
        assert len(seen) == 3


async def test_enter_makes_a_strategy_the_plan_and_undo_takes_it_back(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_session()) as on:
        before = on.screen.review
        await on.press("C")
        table(on).go_to(names().index("pi"))
        await on.press("enter")
        assert isinstance(on.screen, DeskScreen)
        assert on.screen.review.strategy == "pi"
        assert on.screen.review.plan == before.use_strategy("pi").plan
        await on.press("u")
        assert on.screen.review.choice == before.choice


@pytest.mark.parametrize(
    "keys", [("enter",), ("escape",), ("j", "escape"), ("1", "escape", "escape")]
)
async def test_the_plan_stays_where_none_other_is_taken(
    tmp_path: Path, keys: tuple[str, ...]
) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("left_curly_bracket")
        before = on.screen.review
        await on.press("C", *keys)
        assert isinstance(on.screen, DeskScreen)
        assert on.screen.review is before


async def test_a_double_click_takes_a_strategy(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("C")
        await on.pilot.click("#strategies", offset=(10, names().index("fresh")), times=2)
        await on.settle()
        assert isinstance(on.screen, DeskScreen)
        assert on.screen.review.strategy == "fresh"


async def test_each_message_has_the_mark_of_each_strategy_under_its_letter(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path), size=(120, 50)) as on:
        await on.press("C")
        lines = on.frame()
        letters = "".join(table(on).letters)
        heads = next(line for line in lines if line.startswith(f"  {letters}"))
        first = lines[lines.index(heads) + 1]
        for column, row in enumerate(on.screen.found.rows):
            mark = first[heads.index(letters) + column]
            action = row.plan.actions[0]
            assert mark == {"keep": "+", "quote": '"', "summarise": "s", "drop": "-"}[action.value]


async def test_only_messages_that_differ_from_the_plan_are_shown_when_asked(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_session()) as on:
        await on.press("C")
        table(on).go_to(names().index("pi"))
        await on.settle()
        found, chosen = on.screen.found, on.screen.review.strategy
        differing = found.differing("pi", chosen)
        assert 0 < len(differing) < len(on.screen.review.outline.messages)
        assert f"{len(differing)} of" in on.text()
        await on.press("d")
        lines = messages(on)
        shown = [lines.message_at(row).id for row in range(lines.row_count())]  # type: ignore[union-attr]
        assert shown == [on.screen.review.outline.messages[i].id for i in differing]
        table(on).go_to(names().index("codex"))
        await on.settle()
        assert lines.row_count() == len(found.differing("codex", chosen))
        await on.press("d")
        assert lines.row_count() == len(on.screen.review.outline.messages)


async def test_n_goes_through_the_messages_that_differ(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_session()) as on:
        await on.press("C")
        table(on).go_to(names().index("pi"))
        await on.settle()
        differing = on.screen.found.differing("pi", on.screen.review.strategy)
        lines, seen = messages(on), []
        lines.go_to(0)
        for _ in range(3):
            await on.press("n")
            seen.append(lines.cursor)
        assert seen == [i for i in differing if i > 0][:3]
        lines.go_to(differing[-1])
        await on.press("n")
        assert "No message that differs further down." in on.notices()
        await on.press("N")
        assert lines.cursor == differing[-2]


async def test_a_message_opens_whole_beneath_its_line(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path), size=(120, 50)) as on:
        await on.press("C", "1", "enter")
        assert isinstance(on.screen, CompareScreen)
        assert "Fix the rounding in the order totals." in on.text()
        await on.press("1")
        assert table(on).has_focus


async def test_the_figures_tell_price_what_stays_and_triggers(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_session(), size=(120, 60)) as on:
        await on.press("C", "2")
        assert on.screen.query_one("#panes", ContentSwitcher).current == "figures"
        assert on.screen.query_one("#tabs", PaneTabs).active == "figures"
        await on.press("escape")
        table(on).go_to(names().index("codex"))
        await on.settle()
        text = on.text()
        assert "what stays word for word" in text
        assert "12 of 12 prompts" in text
        assert "when its agent does it" in text
        assert "pays back" in text


async def test_figures_that_do_not_fit_are_scrolled_with_the_arrows(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_session(), size=(80, 24)) as on:
        await on.press("C", "2", "j", "j", "j")
        assert on.screen.query_one("#figures", Items).scroll_offset.y == 3
        await on.press("k")
        assert on.screen.query_one("#figures", Items).scroll_offset.y == 2


class Refusing:
    name = "refusing"
    about = "refuses"

    def triggers(self, *given: object) -> tuple[()]:
        return ()

    def propose(self, *given: object) -> None:
        raise RuntimeError(f"cannot {EVIL}")


async def test_a_strategy_of_another_package_may_fail_and_say_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = registry.strategy

    def found(name: str) -> Any:
        return Refusing() if name == f"x{EVIL}" else known(name)

    many = (*names(), f"x{EVIL}")
    monkeypatch.setattr(comparing, "strategy", found)
    monkeypatch.setattr(comparing, "names", lambda: many)
    monkeypatch.setattr("redline.ui.compare.names", lambda: many)
    monkeypatch.setattr("redline.review.strategy", found)
    async with stage(tmp_path, first=evil_session(tmp_path), size=(140, 50)) as on:
        await on.press("C")
        assert "no plan: the strategy" in on.text()
        for keys in (("G",), ("2",), ("escape", "enter"), ("1", "enter"), ("d",), ("f1",)):
            await on.press(*keys)
            assert not harmful(on.text()), keys
        assert isinstance(on.app.screen_stack[-2], CompareScreen)


async def test_leaving_early_ends_the_comparison(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, told = Event(), list[bool]()

    def waiting(review: Review, *_given: object, cancelled: Any, **_more: object) -> Any:
        yield Comparison(review.window, "redline", (Row("pi", why_not="later"),))
        left.wait(60)
        told.append(cancelled())

    async with stage(tmp_path, first=shop(tmp_path)) as on:
        monkeypatch.setattr("redline.ui.compare.compared", waiting)
        await on.pilot.press("C")
        await on.pilot.pause()
        assert "comparing, 1 of" in on.text()
        await on.pilot.press("escape")
        await on.pilot.pause()
        left.set()
        await on.settle()
        assert isinstance(on.screen, DeskScreen)
    assert told in ([], [True])


@pytest.mark.parametrize("size", SIZES)
async def test_it_holds_at_every_size_without_characters_of_uncertain_width(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with stage(tmp_path, first=long_session(), size=size) as on:
        await on.press("C")
        for keys in ((), ("j",), ("d",), ("2",), ("escape", "G")):
            await on.press(*keys)
            assert not ambiguous(on.text())
            for strip in on.app.screen._compositor.render_strips():
                assert strip.cell_length == size[0]
        assert any("f fresh " in line for line in on.frame())
        await on.pilot.resize_terminal(size[0] + 20, size[1] + 5)
        await on.settle()
        lines = on.frame()
        heads, row = (next(x for x in lines if mark in x) for mark in ("full kept", "f fresh "))
        ends = [found.end() for found in re.finditer(r"\S+", heads)][1:]
        assert [found.end() for found in re.finditer(r"\S+", row)][-len(ends) :] == ends


async def test_an_empty_context_can_be_compared(tmp_path: Path) -> None:
    async with stage(tmp_path, first=session(user("Hello."))) as on:
        await on.press("C", "d", "n", "1", "2")
        assert isinstance(on.screen, CompareScreen)
