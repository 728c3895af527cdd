"""The rules of a project on the screen: every step by key, and where each is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.ledger.rule import Ledger, RuleState, Scope
from redline.model import Session, SessionInfo
from redline.targets.receipts import Receipts
from redline.ui.card import Card
from redline.ui.desk import DeskScreen
from redline.ui.dialogs import Ask, Choose
from redline.ui.items import Item, Items
from redline.ui.rules import RulesScreen
from redline.ui.sessions import SessionsScreen
from redline.ui.transcript import Transcript
from tests.sessions_in_memory import reply, session, user
from tests.ui.stage import Stage, ambiguous, harmful, shop, site, stage
from tests.ui.test_frames import check

CHINESE = "不要修改 tests 目录。"
LEGACY = "Never touch src/legacy."
OLD, NEW = (
    "Always use port 5432 for the staging database.",
    ("The staging database must use port 5433 now."),
)


def checkout(folder: Path) -> Session:
    """Another session of the shop, three days older, with a value that moved."""
    made = session(
        user(f"{OLD} {LEGACY}"),
        reply("Understood."),
        user(NEW),
        project=str(folder / "shop"),
        id="33333333-0000-4000-8000-000000000000",
    )
    info = replace(
        made.info,
        title="Move checkout to Postgres",
        updated=datetime(2025, 12, 30, 9, 0, tzinfo=UTC),
        path=folder / "checkout.jsonl",
    )
    return replace(made, info=info)


def states(on: Stage) -> Mapping[str, RuleState]:
    return {one.rule.text: one.rule.state for one in on.screen.rules}


def ledger(on: Stage, of: Session) -> Ledger:
    return on.app.place.ledgers.load(of)


async def stand(on: Stage, text: str) -> None:
    """The cursor on the rule with these words."""
    pane = on.screen.query_one("#rules", Items)
    pane.go_to(next(row for row, item in enumerate(pane.items) if item.text == text))
    await on.settle()


def right(on: Stage, text: str) -> str:
    """What stands at the right end of the rule with these words."""
    items: tuple[Item, ...] = on.screen.query_one("#rules", Items).items
    return next(item.right for item in items if item.text == text)


def detail(on: Stage) -> str:
    return "\n".join(
        f"{item.word} {item.text} {item.right}" for item in on.screen.query_one("#rule").items
    )


async def test_the_rules_of_all_sessions_of_the_project_stand_in_one_list(tmp_path: Path) -> None:
    async with stage(tmp_path, shop(tmp_path), checkout(tmp_path), site(tmp_path)) as on:
        assert isinstance(on.screen, SessionsScreen)
        await on.press("R")
        assert isinstance(on.screen, RulesScreen)
        assert states(on) == {
            LEGACY: RuleState.PROPOSED,
            CHINESE: RuleState.PROPOSED,
            NEW: RuleState.PROPOSED,
            OLD: RuleState.SUPERSEDED,
        }
        assert "3 proposed" in on.text()
        assert right(on, LEGACY) == "x2"
        assert "port 5432 -> 5433" in on.text()
        await on.press("escape")
        assert isinstance(on.screen, SessionsScreen)


async def test_a_rule_is_confirmed_for_the_whole_project_and_taken_back(tmp_path: Path) -> None:
    one, two = shop(tmp_path), checkout(tmp_path)
    async with stage(tmp_path, one, two) as on:
        await on.press("R")
        await stand(on, LEGACY)
        await on.press("y")
        assert states(on)[LEGACY] is RuleState.ACTIVE
        assert [rule.text for rule in ledger(on, one).active] == [LEGACY]
        assert [rule.text for rule in ledger(on, two).active] == [LEGACY]
        assert right(on, LEGACY) == ""
        await on.press("z")
        assert states(on)[LEGACY] is RuleState.PROPOSED
        assert right(on, LEGACY) == "x2"
        assert not ledger(on, two).active
        await on.press("z")
        assert "nothing to take back" in on.notices()[-1]


async def test_a_rule_is_dismissed_in_every_session_that_says_it(tmp_path: Path) -> None:
    one, two = shop(tmp_path), checkout(tmp_path)
    async with stage(tmp_path, one, two) as on:
        await on.press("R")
        await stand(on, LEGACY)
        await on.press("d")
        for of in (one, two):
            assert ledger(on, of).in_state(RuleState.DISMISSED)[0].text == LEGACY
        await on.press("z")
        for of in (one, two):
            assert not ledger(on, of).in_state(RuleState.DISMISSED)


async def test_rules_are_worded_added_replaced_scoped_and_revoked(tmp_path: Path) -> None:
    one = shop(tmp_path)
    async with stage(tmp_path, one, checkout(tmp_path)) as on:
        await on.press("R", "a")
        assert isinstance(on.screen, Ask)
        await on.type("Be brief", "enter")
        assert states(on)["Be brief"] is RuleState.ACTIVE
        await stand(on, "Be brief")
        await on.press("e")
        await on.type(", and kind", "enter")
        assert states(on)["Be brief, and kind"] is RuleState.ACTIVE
        await stand(on, "Be brief, and kind")
        await on.press("o")
        assert ledger(on, one).active[0].scope is Scope.SESSION
        await stand(on, "Be brief, and kind")
        assert "this session only" in detail(on)
        await on.press("x")
        await on.type(" to all", "enter")
        assert states(on)["Be brief, and kind"] is RuleState.SUPERSEDED
        assert states(on)["Be brief, and kind to all"] is RuleState.ACTIVE
        assert any("replaces" in notice for notice in on.notices())
        await stand(on, "Be brief, and kind to all")
        await on.press("v")
        assert states(on)["Be brief, and kind to all"] is RuleState.REVOKED


async def test_a_rule_shows_who_changed_it_and_when(tmp_path: Path) -> None:
    async with stage(tmp_path, shop(tmp_path)) as on:
        await on.press("R")
        await stand(on, LEGACY)
        await on.press("y")
        await stand(on, LEGACY)
        assert "said in your words" in detail(on)
        assert "confirmed by hand" in detail(on)
        assert "Fix the rounding in order totals" in detail(on)


async def test_each_rule_shows_the_file_that_says_it_already(tmp_path: Path) -> None:
    one = shop(tmp_path)
    file = tmp_path / "shop" / "CLAUDE.md"
    file.write_text("# Shop\n\nNever touch\n**src/legacy**.\n", "utf-8")
    async with stage(tmp_path, one) as on:
        await on.press("R")
        assert (right(on, LEGACY), right(on, CHINESE)) == ("CLAUDE.md", "")
        await stand(on, LEGACY)
        assert "CLAUDE.md:3" in detail(on)


async def test_a_rule_is_written_into_a_file_after_a_look_at_it_and_taken_out_when_it_ends(
    tmp_path: Path,
) -> None:
    file = tmp_path / "shop" / "AGENTS.md"
    async with stage(tmp_path, shop(tmp_path)) as on:
        await on.press("R")
        await stand(on, LEGACY)
        await on.press("p")
        assert "Confirm it first" in on.notices()[-1]
        await on.press("y")
        await stand(on, LEGACY)
        await on.press("p")
        assert isinstance(on.screen, Choose)
        await on.press("down", "enter")
        assert isinstance(on.screen, Card)
        assert f"+- {LEGACY}" in on.text()
        assert not file.exists()
        await on.press("enter")
        assert f"- {LEGACY}" in file.read_text("utf-8")
        assert len(Receipts(on.app.place.places).list()) == 1
        assert right(on, LEGACY) == "AGENTS.md"
        await on.press("v")
        await stand(on, LEGACY)
        await on.press("p", "down", "enter", "enter")
        assert not file.exists()
        assert "is gone with its last rule" in on.notices()[-1]
        await on.press("p", "down", "enter")
        assert "does not hold it" in on.notices()[-1]


async def test_all_rules_in_force_are_written_at_once(tmp_path: Path) -> None:
    file = tmp_path / "shop" / "CLAUDE.md"
    async with stage(tmp_path, shop(tmp_path)) as on:
        await on.press("R", "P")
        assert "No rule is active" in on.notices()[-1]
        await on.press("y", "y", "P", "enter", "escape")
        assert not file.exists()
        await on.press("P", "enter", "enter")
        text = file.read_text("utf-8")
        assert LEGACY in text
        assert CHINESE in text
        await on.press("P", "enter")
        assert "says so already" in on.notices()[-1]


async def test_enter_shows_where_a_rule_was_said_and_leads_there(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("R")
        await stand(on, CHINESE)
        await on.press("enter")
        assert isinstance(on.screen, Card)
        assert "Then go on." in on.text()
        await on.press("enter")
        assert isinstance(on.screen, DeskScreen)
        row = on.screen.query_one("#transcript", Transcript).cursor
        assert on.screen.review.session.context[row].id == "m8"


async def test_a_rule_added_by_hand_has_no_message_to_show(tmp_path: Path) -> None:
    async with stage(tmp_path, shop(tmp_path)) as on:
        await on.press("R", "a")
        await on.type("Be brief", "enter")
        await stand(on, "Be brief")
        await on.press("enter")
        assert "by hand" in on.notices()[-1]


async def test_the_desk_has_the_rules_as_they_were_left(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("R")
        await stand(on, LEGACY)
        await on.press("y", "escape")
        assert isinstance(on.screen, DeskScreen)
        assert [rule.text for rule in on.screen.review.ledger.active] == [LEGACY]


async def test_the_pane_at_the_desk_has_the_same_steps(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path), size=(200, 40)) as on:

        def found() -> list[tuple[str, RuleState, Scope]]:
            return [(rule.text, rule.state, rule.scope) for rule in on.screen.review.ledger.rules]

        before = found()
        await on.press("2", "o")
        assert found()[0] == (LEGACY, RuleState.PROPOSED, Scope.SESSION)
        await on.press("x")
        await on.type(" at all", "enter")
        assert found()[0][1] is RuleState.SUPERSEDED
        assert "replaced by" in on.text()
        await on.press("z", "z")
        assert found() == before


async def test_one_key_goes_through_rules_that_have_remarks(tmp_path: Path) -> None:
    one = shop(tmp_path)
    async with stage(tmp_path, first=one) as on:
        await on.press("2", "o", "y", "y")
        assert [rule.state for rule in on.screen.review.ledger.rules] == [RuleState.ACTIVE] * 2


async def test_a_session_that_cannot_be_read_costs_only_its_own_rules(tmp_path: Path) -> None:
    one, two = shop(tmp_path), checkout(tmp_path)

    def open_session(where: SessionInfo | Path) -> Session:
        if where == two.info:
            raise RedlineError("it is gone")
        return one

    async with stage(tmp_path, one, two, open_session=open_session) as on:
        await on.press("R")
        assert set(states(on)) == {LEGACY, CHINESE}
        assert "1 session could not be read:\nit is gone" in on.notices()[-1]


async def test_a_session_of_no_project_has_its_own_rules_only(tmp_path: Path) -> None:
    lone = session(user(LEGACY), project=None, id="44444444")
    async with stage(tmp_path, shop(tmp_path), first=lone) as on:
        await on.press("R")
        assert list(states(on)) == [LEGACY]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_what_a_rule_says_does_no_harm_to_the_screen(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    nasty = "Never push \x1b[31mred\x1b[0m \x9b31m[/nope] [link=http://x]\u202e\u200b to main."
    made = session(user(nasty), project=str(tmp_path), id="5")
    made = replace(made, info=replace(made.info, title=nasty))
    async with stage(tmp_path, first=made, size=size) as on:
        await on.press("R")
        assert len(states(on)) == 1
        assert not harmful(on.text())


async def test_the_rules_screen_looks_as_it_should(tmp_path: Path) -> None:
    one, two = shop(tmp_path, Path("/home/dev/shop")), checkout(tmp_path)
    two = replace(two, info=replace(two.info, project="/home/dev/shop"))
    async with stage(tmp_path, one, two) as on:
        await on.press("R")
        await stand(on, LEGACY)
        await on.press("y")
        await stand(on, OLD)
        for size in ((80, 24), (120, 40), (60, 20)):
            await on.pilot.resize_terminal(*size)
            await on.settle()
            assert not ambiguous(on.text())
            check(on, f"rules-{size[0]}x{size[1]}", tmp_path)


async def test_the_keys_that_are_named_fit_the_rule_under_the_cursor(tmp_path: Path) -> None:
    async with stage(tmp_path, shop(tmp_path), size=(120, 40)) as on:
        await on.press("R", "g")
        assert "y confirm  d dismiss  e edit  a add  esc back" in on.frame()[-1]
        await on.press("y")
        await on.press("end")
        assert "d dismiss  e edit  a add  v revoke  p promote" in on.frame()[-1]
        assert "confirm" not in on.frame()[-1]
        await on.press("v")
        await on.press("end")
        assert "y confirm  e edit  a add  esc back" in on.frame()[-1]
