from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from redline.compaction.plan import STAYING, Action
from redline.errors import RedlineError
from redline.ledger.rule import Ledger, RuleState
from redline.ledger.store import LedgerStore
from redline.model import Session
from redline.ui.desk import DeskScreen
from redline.ui.handoff import HandoffScreen
from redline.ui.items import Items
from redline.ui.sessions import SessionsScreen
from redline.ui.transcript import Transcript
from tests.sessions_in_memory import call, ran, reply, result, session, together, user
from tests.ui.stage import Stage, shop, site, stage


def transcript(on: Stage) -> Transcript:
    found: Transcript = on.screen.query_one("#transcript", Transcript)
    return found


async def test_the_desk_shows_bars_transcript_and_plan_and_pins_what_belongs_together(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        text = on.text()
        assert "now " in text
        assert "after " in text
        assert "Never touch src/legacy" in text
        assert "strategy" in text
        assert "w write" in on.frame()[-1]
        transcript(on).go_to(4)
        await on.press("minus")
        plan = on.screen.review.plan
        assert plan.actions[3] is plan.actions[4] is Action.DROP, "a result takes its call along"
        transcript(on).go_to(0)
        await on.press("space", "space", "minus")
        actions = on.screen.review.plan.actions
        assert actions[0] is actions[1] is Action.DROP, "picked messages get one action together"
        assert not transcript(on).picked


MARKS = {
    "plus": Action.KEEP,
    "minus": Action.DROP,
    "quotation_mark": Action.QUOTE,
    "S": Action.SUMMARISE,
}


async def test_a_mark_pins_the_message_under_the_cursor(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        transcript(on).go_to(0)
        for key, action in MARKS.items():
            await on.press(key)
            assert on.screen.review.plan.actions[0] is action
            assert transcript(on).cursor == 1
            await on.press("k", "equals_sign", "k")
            assert not on.screen.review.pins.actions


async def test_the_cut_moves_by_turn_and_by_message(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        transcript(on).go_to(14)
        await on.press("c")
        assert on.screen.review.plan.cut.index == 14
        await on.press("left_curly_bracket", "left_curly_bracket")
        assert on.screen.review.plan.cut.index == 7
        assert transcript(on).cursor == 7
        await on.press("right_square_bracket")
        assert on.screen.review.plan.cut.index > 7
        await on.press("u", "u")
        assert on.screen.review.plan.cut.index == 13
        await on.press("ctrl+r")
        assert on.screen.review.plan.cut.index == 7


async def test_the_frame_after_a_moved_cut_is_that_of_a_fresh_screen(tmp_path: Path) -> None:
    """Only what changed is painted again; nothing that changed may be forgotten."""
    drafts = [
        piece
        for turn in range(30)
        for piece in (user(f"turn {turn}"), reply("yes"), *ran("ls", "x", call_id=str(turn)))
    ]
    made = session(drafts, model="claude-opus-4-6")
    async with stage(tmp_path, first=made) as on:
        keys = ["left_curly_bracket", "left_curly_bracket", "minus", "k", "k", "plus"]
        for key in [*keys, "right_square_bracket", "u", "space", "pageup", "c"]:
            await on.press(key)
            painted = on.frame()
            transcript(on).refresh()
            on.screen.query_one("#bars").refresh()
            on.screen.query_one("#plan").refresh()
            await on.settle()
            assert painted == on.frame()


async def test_enter_opens_a_message_whole_and_closes_it(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        transcript(on).go_to(4)
        await on.press("enter")
        assert "result Read, " in on.text()
        assert "def total():" in on.text()
        assert transcript(on).heights.height(4) > 40
        await on.press("enter")
        assert transcript(on).heights.height(4) == 1


async def test_a_huge_message_is_shown_in_part_and_says_so(tmp_path: Path) -> None:
    made = session(user("go"), reply("word " * 500_000), model="claude-opus-4-6")
    async with stage(tmp_path, first=made) as on:
        transcript(on).go_to(1)
        await on.press("enter")
        assert transcript(on).heights.height(1) < 1_100
        await on.press("end", "G")
        transcript(on).scroll_end(animate=False)
        await on.settle()
        assert "characters more" in on.text()


async def test_strategy_tail_and_focus_are_asked_for(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("t")
        await on.type("20k", "enter")
        assert on.screen.review.settings.tail_tokens == 20_000
        await on.press("t", "ctrl+u")
        await on.type("[/x]", "enter")
        assert on.screen.review.settings.tail_tokens == 20_000
        assert any("[/x]" in notice for notice in on.notices())
        await on.press("s")
        assert "fresh" in on.text()
        await on.press("end", "enter")
        assert on.screen.review.strategy == "fresh"
        await on.press("f")
        await on.type("the failing test q", "enter")
        assert on.screen.review.focus == "the failing test q"
        assert transcript(on).has_focus


async def test_a_text_is_found_in_bodies_and_the_cursor_goes_there(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("slash")
        await on.type("assertionerror", "enter")
        assert transcript(on).cursor == 6
        await on.press("slash")
        await on.type("totals", "enter")
        first = transcript(on).cursor
        await on.press("n")
        assert transcript(on).cursor != first
        await on.press("N")
        assert transcript(on).cursor == first


async def test_rules_are_confirmed_dismissed_worded_added_and_revoked(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:

        def states() -> dict[str, RuleState]:
            return {rule.text: rule.state for rule in on.screen.review.ledger.rules}

        assert set(states().values()) == {RuleState.PROPOSED}
        await on.press("2", "y")
        assert list(states().values()).count(RuleState.ACTIVE) == 1
        confirmed = on.screen.review.ledger.active[0].text
        await on.press("a")
        await on.type("Be kind", "enter")
        assert states()["Be kind"] is RuleState.ACTIVE
        await on.press("home", "d")
        assert RuleState.DISMISSED in states().values()
        pane = on.screen.query_one("#rules")
        row = next(row for row, item in enumerate(pane.items) if item.text == confirmed)
        pane.go_to(row)
        await on.press("e")
        await on.type(", never", "enter")
        assert states()[f"{confirmed}, never"] is RuleState.ACTIVE
        await on.press("v")
        assert RuleState.REVOKED in states().values()


async def test_one_key_goes_through_the_proposed_rules(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path), size=(80, 24)) as on:
        await on.press("2")
        assert "[rules 2?]" in on.text()
        await on.pilot.press("y", "y")
        await on.settle()
        assert len(on.screen.review.ledger.active) == 2


async def test_decisions_are_there_again_in_the_next_run(tmp_path: Path) -> None:
    made = shop(tmp_path)
    async with stage(tmp_path, first=made) as on:
        transcript(on).go_to(0)
        await on.press("minus", "2", "y")
        active = on.screen.review.ledger.active
        await on.press("q")
    async with stage(tmp_path, first=made) as on:
        assert on.screen.review.plan.actions[0] is Action.DROP
        assert on.screen.review.ledger.active == active


async def test_what_is_decided_while_the_handoff_is_written_is_in_it(tmp_path: Path) -> None:
    made = shop(tmp_path)
    async with stage(tmp_path, first=made, open_session=lambda _where: made) as on:
        transcript(on).go_to(0)
        on.screen.action_write()
        on.screen.action_pin("drop")
        await on.settle()
        assert on.screen.review.plan.actions[0] is Action.DROP
        await on.press("escape", "k")
        on.screen.action_read_again()
        on.screen.action_unpin()
        await on.settle()
        assert not on.screen.review.pins.actions


async def test_reading_again_says_what_is_new(tmp_path: Path) -> None:
    made = shop(tmp_path)
    more = replace(made.context[-1], id="more")
    now = [made]
    async with stage(tmp_path, first=made, reopen=lambda _session: now[0]) as on:
        now[0] = replace(made, context=(*made.context, more))
        await on.press("f5")
        assert on.notices() == ["Read again: 1 message more."]
        assert "18 messages" in on.text()


async def test_decisions_that_cannot_be_stored_are_told_when_redline_is_left(
    tmp_path: Path,
) -> None:
    (tmp_path / "redline").mkdir()
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        (tmp_path / "redline" / "state").write_text("a file in the way")
        await on.press("minus")
        assert on.notices()
        await on.pilot.press("q")
        assert "Fix the rounding" in on.app.outcome.lost
        assert on.app.return_code == 1


async def test_what_a_search_could_not_read_is_not_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = shop(tmp_path)

    def gone(_part: object) -> str:
        raise RedlineError("it is gone")

    async with stage(tmp_path, first=made) as on:
        monkeypatch.setattr(type(made.source), "text", lambda _self, part: gone(part))
        await on.press("slash")
        await on.type("zebra", "enter")
        assert on.notices() == ["17 messages could not be read"]


async def test_enter_on_a_fact_goes_to_its_message(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("3")
        pane = on.screen.query_one("#facts")
        row = next(row for row, item in enumerate(pane.items) if "Exact totals" in item.text)
        pane.go_to(row)
        message = pane.current.message
        await on.press("enter")
        assert transcript(on).has_focus
        assert on.screen.review.outline.messages[transcript(on).cursor].id == message


async def test_a_fact_from_before_the_last_compaction_is_shown_on_a_card(tmp_path: Path) -> None:
    made = shop(tmp_path)
    made = replace(made, context=made.context[10:])
    async with stage(tmp_path, first=made) as on:
        on.screen.go_to_message("m1")
        await on.settle()
        assert "not in the context any more" in on.text()
        assert "Never touch src/legacy" in on.text()
        await on.press("escape")
        assert isinstance(on.screen, DeskScreen)


async def test_escape_leads_back_step_by_step(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("slash", "escape")
        assert transcript(on).has_focus
        await on.press("3", "escape")
        assert transcript(on).has_focus
        await on.press("escape")
        assert isinstance(on.screen, SessionsScreen)


async def test_a_click_selects_and_a_double_click_opens(tmp_path: Path) -> None:
    async with stage(tmp_path, first=site(tmp_path)) as on:
        await on.pilot.click("#transcript", offset=(20, 2))
        await on.settle()
        assert transcript(on).cursor == 2 or transcript(on).cursor == 1
        row = transcript(on).cursor
        await on.pilot.click("#transcript", offset=(20, 2), times=2)
        await on.settle()
        assert transcript(on).heights.height(row) > 1


async def test_ctrl_c_copies_the_whole_message_and_never_ends_redline(tmp_path: Path) -> None:
    """D11."""
    copied: list[str] = []
    async with stage(tmp_path, first=shop(tmp_path), copied=copied) as on:
        transcript(on).go_to(0)
        await on.press("ctrl+c")
        assert copied == ["Never touch src/legacy. Fix the rounding in the order totals."]
        assert on.app.is_running


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_there_are_two_keys_to_leave(tmp_path: Path, key: str) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.pilot.press(key)
        await on.pilot.pause()
        assert on.app.return_value is not None


async def test_an_empty_session_can_be_looked_at(tmp_path: Path) -> None:
    async with stage(tmp_path, first=session(model="m")) as on:
        for key in ("j", "enter", "minus", "c", "left_curly_bracket", "x", "space", "ctrl+c", "2"):
            await on.press(key)
        assert isinstance(on.screen, DeskScreen)


async def test_the_row_at_the_cursor_stays_in_sight_when_the_size_changes(tmp_path: Path) -> None:
    drafts = [piece for turn in range(60) for piece in (user(f"turn {turn}"), reply("yes"))]
    async with stage(tmp_path, first=session(drafts, model="m")) as on:
        transcript(on).go_to(70)
        for size in ((60, 20), (200, 60), (80, 24), (30, 5), (120, 40)):
            await on.pilot.resize_terminal(*size)
            await on.settle()
        assert transcript(on).cursor == 70
        assert "turn 35" in on.text()


async def test_the_heading_above_the_first_row_is_seen_with_it(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path), size=(60, 20)) as on:
        await on.press("3")
        pane = on.screen.query_one("#facts")
        assert pane.heights.total > pane.page
        pane.scroll_to(y=1, animate=False)
        await on.press("j", "k")
        assert pane.scroll_offset.y == 0


async def test_one_of_three_results_of_a_message_is_cleared(tmp_path: Path) -> None:
    made = session(
        user("Read all three."),
        together(*(call("Read", {"path": name}, call_id=name) for name in "abc")),
        together(*(result(f"body of {name}", call_id=name) for name in "abc")),
        reply("Read."),
        user("And now the rest."),
        *ran("ls", "nothing", call_id="d"),
    )
    async with stage(tmp_path, first=made) as on:
        await on.press("g", "j", "j", "p")
        assert "body of b" in on.text()
        # The second part's heading, and "clear it" below it, behind those of the first part.
        choices = on.screen.query_one("#choices", Items)
        keys = [item.key for item in choices.items]
        choices.cursor = keys.index("1:clear")
        await on.press("enter")
        review = on.screen.review
        assert [review.plan.action_of(2, part) for part in range(3)][1] is Action.CLEAR
        assert review.plan.action_of(2, 0) is not Action.CLEAR
        await on.press("u")
        assert on.screen.review.plan.action_of(2, 1) is not Action.CLEAR
        await on.press("G", "k", "p")
        assert any("No part" in notice for notice in on.notices())


async def test_a_session_that_a_resume_would_lose_messages_of_is_told_on_opening(
    tmp_path: Path,
) -> None:
    broken = replace(shop(tmp_path), resume_messages=5, resume_lost=12)
    async with stage(tmp_path, first=broken) as on:
        assert any("5 of 17 messages" in notice for notice in on.notices())
        assert any("--repair" in notice for notice in on.notices())


async def test_what_was_there_before_a_compaction_is_no_broken_chain(tmp_path: Path) -> None:
    earlier = replace(shop(tmp_path), resume_messages=5, resume_lost=12, before=1)
    async with stage(tmp_path, first=earlier) as on:
        await on.press("4")
        assert not on.notices()
        assert "would lose" not in on.text()


async def test_the_newest_pin_counts_for_a_call_and_its_result(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        call, found = (message.id for message in on.screen.review.outline.messages[3:5])
        for first, second in (("minus", "plus"), ("plus", "minus"), ("minus", "tilde")):
            transcript(on).go_to(3)
            await on.press(first)
            transcript(on).go_to(4)
            await on.press(second)
            assert not on.notices()
            plan = on.screen.review.plan
            assert (plan.actions[3] in STAYING) == (plan.actions[4] in STAYING)
            wanted = {"plus": Action.KEEP, "minus": Action.DROP, "tilde": Action.CLEAR}[second]
            assert plan.actions[4] is wanted
            transcript(on).go_to(3)
            await on.press("equals_sign")
            assert not {call, found} & set(on.screen.review.pins.actions)


async def test_the_tail_that_is_asked_for_is_told_first(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        tail = on.screen.review.plan.settings["tail_tokens"]
        await on.press("t")
        assert f"now {tail:,}" in on.text()
        await on.press("escape", "s", "end", "enter", "t")
        assert on.screen.review.strategy == "fresh"
        assert any("no tail" in notice for notice in on.notices())


async def test_a_choice_tells_its_keys_and_the_whole_names(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path), size=(80, 24)) as on:
        await on.press("s")
        assert "enter takes it, esc leaves it" in on.text()
        assert "codex-remote-v1" in on.text()


async def test_a_rule_confirmed_just_before_writing_is_in_the_handoff(tmp_path: Path) -> None:
    stored = Event()
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        desk: DeskScreen = on.screen
        rule = desk.review.ledger.proposed[0]

        def slowly(store: LedgerStore, session: Session, name: str) -> Ledger:
            stored.wait(10)
            return store.confirm(session, [name])

        desk.rule_step(rule.id, "confirm", slowly)
        desk.action_write()
        await on.pilot.pause()
        assert on.screen is desk
        stored.set()
        await on.settle()
        assert isinstance(on.screen, HandoffScreen)
        assert [one.id for one in on.screen.review.ledger.active] == [rule.id]
        assert "[unconfirmed] Never touch" not in on.screen.review.text
