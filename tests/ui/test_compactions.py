"""What the agent's own compactions lost, on a screen."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from redline.compaction.plan import Action
from redline.handoff.audit import AuditClass, AuditItem, Verdict
from redline.model import (
    CompactionKind,
    Kind,
    Origin,
    Part,
    PartType,
    PastCompaction,
    Session,
)
from redline.ui.card import Card
from redline.ui.compactions import CompactionsScreen
from redline.ui.desk import DeskScreen
from redline.ui.desk_compactions import taken_over
from redline.ui.history import HistoryScreen
from redline.ui.items import Items
from redline.ui.text_lines import TextLines
from tests.sessions_in_memory import START, call, ran, reply, result, session, summary, user
from tests.ui.stage import Stage, ambiguous, shop, stage
from tests.ui.test_frames import check

SIZES = ((60, 20), (80, 24), (120, 40))
FIRST = "The user wants the totals exact. You should run pytest -q before every commit."
SECOND = "Goal: exact totals. src/cart.py was changed."


def compacted() -> Session:
    """Two compactions: the first retells a rule more softly and keeps a path, the second loses what
    the first had kept."""
    made = session(
        user("You must run pytest -q before every commit. Make the totals exact."),
        call("Read", {"file_path": "src/totals.py"}, call_id="a"),
        result("x = 1", call_id="a", tool="Read"),
        ran("pytest -q", "E   AssertionError: total is 5 but 4 was expected", 1, call_id="b"),
        summary(FIRST + " src/totals.py was read."),
        user("Never touch src/legacy. Now the cart."),
        call("Read", {"file_path": "src/totals.py"}, call_id="c"),
        result("x = 1", call_id="c", tool="Read"),
        call(
            "Edit", {"file_path": "src/cart.py", "old_string": "a", "new_string": "b"}, call_id="d"
        ),
        result("done", call_id="d", tool="Edit"),
        summary(SECOND),
        user("Go on, please."),
        reply("I go on."),
        model="claude-opus-4-6",
        project="/home/dev/shop",
        context_from=11,
    )
    history = tuple(made.source.history())
    told = [at for at, message in enumerate(history) if _is_summary(message.parts)]
    past = tuple(
        PastCompaction(
            f"c{number}",
            CompactionKind.FULL,
            at,
            trigger="auto",
            time=START + timedelta(minutes=at),
            tokens_before=167_000,
            tokens_after=41_000,
            messages_before=at,
            summary=history[at],
        )
        for number, at in enumerate(told, start=1)
    )
    return replace(made, compactions=past)


def _is_summary(parts: tuple[Part, ...]) -> bool:
    return any(part.kind is Kind.SUMMARY for part in parts)


def lists(on: Stage) -> tuple[Items, Items]:
    return on.screen.query_one("#past", Items), on.screen.query_one("#lost", Items)


async def go_to(on: Stage, lines: Items, text: str) -> AuditItem:
    row = next(r for r, i in enumerate(lines.items) if i.text == text and lines.can_stand(r))
    lines.go_to(row)
    await on.settle()
    assert lines.current is not None
    assert isinstance(lines.current.key, AuditItem)
    return lines.current.key


async def test_every_compaction_is_listed_with_what_it_lost(tmp_path: Path) -> None:
    async with stage(tmp_path, first=compacted()) as on:
        await on.press("A")
        assert isinstance(on.screen, CompactionsScreen)
        past, lost = lists(on)
        rows = [item for item in past.items if not item.inert]
        assert [item.word for item in rows] == ["#1", "#2"]
        assert all(item.right.endswith("lost") for item in rows)
        assert past.current is rows[-1]
        assert "1 read again" in on.text()
        await on.press("k")
        texts = [item.text for item in lost.items]
        assert "You must run pytest -q before every commit." in texts
        assert "Never touch src/legacy." not in texts


async def test_a_loss_of_the_first_is_told_apart_from_one_of_the_second(tmp_path: Path) -> None:
    async with stage(tmp_path, first=compacted()) as on:
        await on.press("A")
        _, lost = lists(on)
        headings = [item.text for item in lost.items if item.heading]
        assert any(text.startswith("lost before") for text in headings)
        cut = next(r for r, i in enumerate(lost.items) if i.text.startswith("lost before"))
        before = {item.text for item in lost.items[cut:]}
        assert "AssertionError: total is 5 but 4 was expected" in " ".join(before)
        assert "Never touch src/legacy. Now the cart." in {i.text for i in lost.items[:cut]}


async def test_both_wordings_of_a_rule_stand_on_the_card_of_its_message(tmp_path: Path) -> None:
    async with stage(tmp_path, first=compacted()) as on:
        await on.press("A", "k", "enter")
        _, lost = lists(on)
        item = await go_to(on, lost, "You must run pytest -q before every commit.")
        assert item.verdict is Verdict.WEAKENED
        await on.press("enter")
        assert isinstance(on.screen, Card)
        shown = on.screen.query_one("#card-lines", TextLines).shown
        assert "-said  You must run pytest -q before every commit." in shown
        assert "+now   You should run pytest -q before every commit." in shown
        assert "Make the totals exact." in shown
        await on.press("escape")
        assert isinstance(on.screen, CompactionsScreen)


async def test_what_is_taken_over_stands_in_the_handoff(tmp_path: Path) -> None:
    async with stage(tmp_path, first=compacted()) as on:
        await on.press("A", "enter")
        _, lost = lists(on)
        await go_to(on, lost, "Never touch src/legacy. Now the cart.")
        await on.press("i")
        assert lost.current is not None
        assert lost.current.right == "taken over"
        await on.press("escape", "escape")
        assert isinstance(on.screen, DeskScreen)
        assert "Never touch src/legacy. Now the cart." in on.screen.review.text
        assert "1 item taken over, now in the handoff." in on.notices()


async def test_taken_over_twice_is_left_again(tmp_path: Path) -> None:
    async with stage(tmp_path, first=compacted()) as on:
        await on.press("A", "enter")
        _, lost = lists(on)
        await go_to(on, lost, "Never touch src/legacy. Now the cart.")
        await on.press("i", "i", "escape", "escape")
        assert isinstance(on.screen, DeskScreen)
        assert on.screen.review.text == ""


async def test_a_message_of_the_context_is_quoted_where_no_handoff_is_written(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        review = on.screen.review
        message = review.outline.messages[0].id
        words = next(prompt for prompt in review.facts.prompts if prompt.message == message)
        item = AuditItem(AuditClass.USER_WORDS, words.text, Verdict.MISSING, message, required=True)
        taken = taken_over(review, (item,))
        assert taken.text == ""
        assert taken.pins.actions == {message: Action.QUOTE}
        assert words.text.split(".")[0] in taken_over(review.write(), (item,)).text


async def test_the_history_leads_there_and_takes_nothing_over(tmp_path: Path) -> None:
    async with stage(tmp_path, first=compacted()) as on:
        await on.press("h", "A", "enter")
        assert isinstance(on.screen, CompactionsScreen)
        await on.press("i")
        assert any("taken over from the desk" in notice for notice in on.notices())
        await on.press("escape", "escape")
        assert isinstance(on.screen, HistoryScreen)


async def test_a_sealed_compaction_says_that_nobody_can_tell(tmp_path: Path) -> None:
    opened = compacted()
    sealed = Part(PartType.OPAQUE, Kind.SUMMARY, Origin(Path("x"), 1), 4_000, "compaction")
    last = replace(opened.compactions[-1], summary=None, sealed=sealed)
    opened = replace(opened, compactions=(opened.compactions[0], last))
    async with stage(tmp_path, first=opened) as on:
        await on.press("A")
        assert "sealed" in on.text()
        assert "nobody can tell" in on.text()


async def test_a_session_without_compactions_says_so(tmp_path: Path) -> None:
    async with stage(tmp_path, first=shop(tmp_path)) as on:
        await on.press("A")
        assert "never compacted" in on.text()
        await on.press("i", "enter", "escape")
        assert isinstance(on.screen, DeskScreen)


async def test_leaving_ends_the_audits(tmp_path: Path) -> None:
    async with stage(tmp_path, first=compacted()) as on:
        await on.pilot.press("A")
        screen = on.screen
        await on.press("escape")
        assert isinstance(on.screen, DeskScreen)
        assert not isinstance(screen, CompactionsScreen) or screen.stopped.is_set()


@pytest.mark.parametrize("size", SIZES)
async def test_it_has_room_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async with stage(tmp_path, first=compacted(), size=size) as on:
        await on.press("A", "enter")
        lines = on.frame()
        assert all(len(line) <= size[0] for line in lines)
        assert "what it lost" in on.text()
        assert not ambiguous(on.text())
        past, lost = lists(on)
        assert past.size.height >= 3
        assert lost.size.height >= 5


async def test_the_compactions_look_as_they_should(tmp_path: Path) -> None:
    async with stage(tmp_path, first=compacted()) as on:
        await on.press("A", "k", "enter")
        for size in SIZES:
            await on.pilot.resize_terminal(*size)
            await on.settle()
            check(on, f"compactions-{size[0]}x{size[1]}", tmp_path)
