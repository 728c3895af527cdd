from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

from redline.errors import RedlineError
from redline.model import (
    CompactionKind,
    Kind,
    Message,
    Origin,
    Part,
    PartType,
    PastCompaction,
    Session,
    SessionInfo,
    SideBranch,
    Subagent,
)
from redline.ui.card import Card
from redline.ui.desk import DeskScreen
from redline.ui.history import HistoryScreen
from redline.ui.history_lines import HistoryLines
from redline.ui.items import Items
from redline.ui.sessions import SessionsScreen
from redline.ui.transcript import Transcript
from tests.sessions_in_memory import MemorySource, call, ran, reply, result, session, summary, user
from tests.ui.stage import Stage, stage

View = Callable[[SessionInfo | Path, str | None, int | None], Session]


def long_one(folder: Path, *, sealed: bool = False) -> Session:
    """Eight messages, a compaction, and three in the context; a side branch and a subagent."""
    made = session(
        user("Never touch src/legacy. First thing.", id="p1"),
        ran("pytest -q", "E   AssertionError: no", 1, call_id="a"),
        reply("Here a branch leaves.", id="f"),
        user("Second thing.", id="p2"),
        call("Task", {"prompt": "look"}, call_id="t"),
        result("looked", call_id="t"),
        reply("Done with the second."),
        summary("What was done so far.", id="s"),
        user("Third thing.", id="p3"),
        reply("Working on it."),
        model="claude-opus-4-6",
        context_from=8,
        id="33333333-0000-4000-8000-000000000000",
    )
    part = Part(
        PartType.OPAQUE, Kind.SUMMARY, Origin(folder / "long.jsonl", 9), 4_321, "compaction"
    )
    past = PastCompaction(
        "c1",
        CompactionKind.FULL,
        9,
        trigger="auto",
        tokens_before=167_000,
        tokens_after=51_000,
        messages_before=8,
        summary=None if sealed else made.context[0],
        preserved=("p2",),
        sealed=part if sealed else None,
    )
    return replace(
        made,
        info=replace(made.info, title="A long session", path=folder / "long.jsonl"),
        compactions=(past,),
        side_branches=(SideBranch("leaf-1", "f", 3, True, "Another way."),),
        subagents=(Subagent("sub-1", folder / "sub.jsonl", "Explore", "Look around", "t"),),
    )


def views(made: Session) -> View:
    """The other views of `made`, as an agent's reader would give them."""

    def opened(_where: SessionInfo | Path, leaf: str | None, before: int | None) -> Session:
        if before is not None:
            history = tuple(made.source.history())[:8]
            return replace(
                made, context=history, before=before, asked_leaf=leaf, compactions=(), leaf="m8"
            )
        if leaf == "leaf-1":
            side = session(user("Another way.", id="b1"), reply("Tried.", id="b2"))
            return replace(side, info=made.info, asked_leaf=leaf)
        raise RedlineError(f"there is no leaf {leaf}")

    return opened


def sub(folder: Path) -> Session:
    made = session(user("Look around."), reply("Looked."), id="sub-1")
    return replace(made, info=replace(made.info, path=folder / "sub.jsonl"))


def lines(on: Stage) -> HistoryLines:
    found: HistoryLines = on.screen.query_one("#history", HistoryLines)
    return found


def contents(on: Stage) -> Items:
    found: Items = on.screen.query_one("#contents", Items)
    return found


async def test_the_line_above_the_transcript_says_what_came_before_and_opens_it(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, first=long_one(tmp_path)) as on:
        assert "8 messages not in the context" in on.text()
        await on.press("home", "up")
        assert on.screen.query_one("#transcript", Transcript).on_earlier
        await on.press("minus")
        assert not on.screen.review.pins.actions, "no message is under the cursor there"
        await on.press("enter")
        assert isinstance(on.screen, HistoryScreen)
        assert lines(on).place == 7, "the last message before the context"
        await on.press("escape")
        assert isinstance(on.screen, DeskScreen)
        await on.press("down")
        assert not on.screen.query_one("#transcript", Transcript).on_earlier
        assert on.screen.query_one("#transcript", Transcript).cursor == 0


async def test_without_anything_before_there_is_no_such_line(tmp_path: Path) -> None:
    async with stage(tmp_path, first=session(user("one"), reply("two"))) as on:
        assert "not in the context" not in on.text()
        await on.press("home", "up", "enter")
        assert isinstance(on.screen, DeskScreen)


async def test_the_history_marks_what_is_not_in_the_context(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_one(tmp_path)) as on:
        await on.press("h")
        frame = on.frame()
        assert any(".  1 user      Never touch" in line for line in frame)
        assert any("  10 user      Third thing." in line for line in frame)
        assert "3 in the context" in frame[0]
        assert any("compaction 1: full, auto, 8 messages before" in line for line in frame)
        assert any("167k>51k" in line for line in frame)
        assert any("side branch: Another way." in line for line in frame)
        assert any("subagent: Look around" in line for line in frame)


async def test_tokens_of_the_context_are_those_of_the_desk_and_others_are_estimated(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, first=long_one(tmp_path), size=(120, 40)) as on:
        tokens = on.screen.review.window.tokens
        (desk,) = (line for line in on.frame() if "Third thing." in line)
        await on.press("h")
        frame = on.frame()
        (there,) = (line for line in frame if " 10 user      Third thing." in line)
        assert there.split()[-1] == str(tokens[1])
        assert f" {tokens[1]} " in desk
        (gone,) = (line for line in frame if ".  5 user      Second thing." in line)
        assert gone.split()[-1] == "~3"
        assert "11 messages, ~ estimated" in on.text()


async def test_the_history_opens_at_the_message_under_the_cursor(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_one(tmp_path)) as on:
        on.screen.query_one("#transcript", Transcript).go_to(1)
        await on.press("h")
        assert lines(on).place == 9


async def test_keys_jump_by_turn_compaction_and_error(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_one(tmp_path)) as on:
        await on.press("h", "home", "t")
        assert lines(on).place == 4
        await on.press("t")
        assert lines(on).place == 9
        await on.press("T", "T")
        assert lines(on).place == 0
        await on.press("e")
        assert lines(on).place == 2
        await on.press("c")
        assert lines(on).cursor == lines(on).rows.boundaries[0]
        await on.press("c")
        assert on.notices()[-1] == "No compaction further down."
        await on.press("home", "J")
        assert lines(on).place == 4, "as in the transcript"


async def test_the_two_lists_go_together(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_one(tmp_path)) as on:
        await on.press("h", "home")
        assert contents(on).cursor == 0
        await on.press("t")
        item = contents(on).current
        assert item is not None
        assert item.text == "Second thing."
        await on.press("shift+tab")
        assert contents(on).has_focus
        await on.press("home")
        assert lines(on).place == 0
        await on.press("end", "enter")
        assert lines(on).has_focus
        assert lines(on).place == 9


async def test_a_compaction_opens_to_its_summary_and_what_it_kept(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_one(tmp_path), size=(120, 40)) as on:
        await on.press("h", "home", "c", "enter")
        text = on.text()
        assert "kept word for word: 1 message, 1 of them yours" in text
        assert "summary, 21 characters" in text
        assert text.count("What was done so far.") == 2
        await on.press("enter")
        assert on.text().count("What was done so far.") == 1


async def test_what_nobody_can_read_is_told_with_what_can_be_rebuilt(tmp_path: Path) -> None:
    made = long_one(tmp_path, sealed=True)
    async with stage(tmp_path, first=made, size=(120, 40), open_view=views(made)) as on:
        await on.press("h", "home", "c", "enter")
        text = on.text()
        assert "cannot be read: encrypted by the provider, 4,321" in text
        assert "the records before it hold" in text
        assert "8 messages, 2 calls, 2 prompts of yours:" in text


async def test_a_message_out_of_the_context_opens_whole(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_one(tmp_path)) as on:
        await on.press("h", "home", "enter")
        assert "prompt, 36 characters" in on.text()
        copied = on.screen.copied_text()
        assert copied is not None
        assert copied() == "Never touch src/legacy. First thing."


async def test_a_side_branch_opens_at_a_desk_of_its_own_and_escape_comes_back(
    tmp_path: Path,
) -> None:
    made = long_one(tmp_path)
    async with stage(tmp_path, first=made, open_view=views(made)) as on:
        await on.press("h", "home")
        row = lines(on).rows.row_of_hung("branch leaf-1")
        assert row is not None
        lines(on).go_to(row)
        await on.press("enter")
        assert isinstance(on.screen, DeskScreen)
        assert [message.id for message in on.screen.review.session.context] == ["b1", "b2"]
        assert "[leaf leaf-1] A long session" in on.frame()[0]
        await on.press("escape")
        assert isinstance(on.screen, HistoryScreen)
        assert lines(on).cursor == row
        assert "opening" not in on.frame()[0]


async def test_a_subagent_opens_at_a_desk_that_says_so(tmp_path: Path) -> None:
    made = long_one(tmp_path)

    def opened(where: SessionInfo | Path) -> Session:
        assert isinstance(where, SessionInfo)
        assert where.path == tmp_path / "sub.jsonl"
        return sub(tmp_path)

    async with stage(tmp_path, first=made, open_session=opened) as on:
        await on.press("4", "end")
        await on.press("enter")
        assert isinstance(on.screen, DeskScreen)
        assert "[subagent Look around]" in on.frame()[0]
        assert on.screen.review.session.info.id == "sub-1"
        await on.press("escape")
        assert on.screen.review.session.info.id == made.info.id


async def test_p_plans_where_the_message_is_in_the_context(tmp_path: Path) -> None:
    made = long_one(tmp_path)
    async with stage(tmp_path, first=made, open_view=views(made)) as on:
        await on.press("h", "home", "t", "p")
        assert isinstance(on.screen, DeskScreen)
        assert on.screen.review.session.before == 1
        assert "[before compaction 1] A long session" in on.frame()[0]
        transcript = on.screen.query_one("#transcript", Transcript)
        assert on.screen.review.outline.messages[transcript.cursor].id == "p2"
        await on.press("escape")
        assert isinstance(on.screen, HistoryScreen)
        await on.press("end", "p")
        assert isinstance(on.screen, DeskScreen)
        assert on.screen.review.session.before is None
        assert on.screen.query_one("#transcript", Transcript).cursor == 2


async def test_what_is_decided_before_a_compaction_leaves_the_live_plan_alone(
    tmp_path: Path,
) -> None:
    made = long_one(tmp_path)
    async with stage(tmp_path, first=made, open_view=views(made)) as on:
        await on.press("4", "p")
        assert on.screen.review.session.before == 1
        await on.press("home", "minus")
        assert on.screen.review.pins.actions
        await on.press("escape")
        await on.press("f5")
        assert on.screen.review.session.before is None
        assert not on.screen.review.pins.actions


async def test_the_pane_of_the_desk_opens_a_compaction_and_plans_before_it(tmp_path: Path) -> None:
    made = long_one(tmp_path)
    async with stage(tmp_path, first=made, open_view=views(made)) as on:
        await on.press("4", "enter")
        assert isinstance(on.screen, Card)
        assert "What was done so far." in on.text()
        assert "yours  Second thing." in on.text()
        await on.press("enter")
        assert isinstance(on.screen, DeskScreen)
        assert on.screen.review.session.before == 1
        await on.press("escape")
        assert on.screen.review.session.before is None


async def test_a_view_that_cannot_be_opened_is_a_notice_and_nothing_more(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_one(tmp_path)) as on:
        await on.press("4", "p")
        assert on.screen.review.session.before is None
        assert "there is no view" in on.notices()[-1]
        await on.press("h", "home", "c", "p")
        assert isinstance(on.screen, HistoryScreen)
        assert "opening" not in on.frame()[0]


async def test_the_filter_leaves_the_contents_that_hold_it(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_one(tmp_path)) as on:
        await on.press("h", "slash")
        await on.type("third")
        assert [item.text for item in contents(on).items] == ["Third thing."]
        await on.press("enter")
        assert contents(on).has_focus
        await on.press("escape")
        assert len(contents(on).items) > 3
        assert isinstance(on.screen, HistoryScreen)
        await on.press("slash")
        await on.type("nothing holds this")
        assert "Nothing fits the filter." in on.text()


async def test_a_desk_opens_at_a_message_wherever_it_lies(tmp_path: Path) -> None:
    made = long_one(tmp_path)
    async with stage(tmp_path, made, open_view=views(made)) as on:
        assert isinstance(on.screen, SessionsScreen)
        on.app.open_desk(made.info, at=(10, 1_000))
        await on.settle()
        assert isinstance(on.screen, DeskScreen)
        assert on.screen.query_one("#transcript", Transcript).cursor == 1
        await on.press("escape")
        on.app.open_desk(made.info, at=(5, 500))
        await on.settle()
        assert isinstance(on.screen, HistoryScreen)
        assert lines(on).place == 4
        await on.press("escape", "escape")
        assert isinstance(on.screen, SessionsScreen)
        on.app.open_desk(made.info, at=(77, 7))
        await on.settle()
        assert isinstance(on.screen, DeskScreen)
        assert on.notices()[-1] == "The message is not on any branch of this session any more."


class Slow(MemorySource):
    """A history that waits in the middle until it may go on."""

    def __init__(self, made: Session, go_on: Event) -> None:
        self._made = made
        self._go_on = go_on

    def text(self, part: Part) -> str:
        return self._made.source.text(part)

    def value(self, part: Part) -> object:
        return self._made.source.value(part)

    def history(self):  # type: ignore[no-untyped-def]
        for number, message in enumerate(self._made.source.history()):
            if number == 5:
                self._go_on.wait(5)
            yield message


async def test_a_history_that_is_still_read_can_be_left(tmp_path: Path) -> None:
    made = long_one(tmp_path)
    go_on = Event()
    async with stage(tmp_path, first=made) as on:
        on.screen.review = replace(
            on.screen.review, session=replace(made, source=Slow(made, go_on))
        )
        await on.pilot.press("h")
        await on.pilot.pause()
        assert re.search(r"reading [01] of 11 messages", on.frame()[0])
        await on.pilot.press("escape")
        await on.pilot.pause()
        assert "stopped at" in on.frame()[0]
        go_on.set()
        await on.settle()
        assert lines(on).contents.messages < 11
        await on.press("escape")
        assert isinstance(on.screen, DeskScreen)
        await on.press("h")
        assert lines(on).contents.messages == 11, "what was stopped is read again"


async def test_a_history_that_was_read_is_there_at_once_the_next_time(tmp_path: Path) -> None:
    async with stage(tmp_path, first=long_one(tmp_path)) as on:
        await on.press("h")
        reading = on.screen.reading
        await on.press("escape", "h")
        assert on.screen.reading is reading


async def test_a_file_that_changed_is_a_notice_and_what_was_read_stays(tmp_path: Path) -> None:
    made = long_one(tmp_path)

    class Broken(Slow):
        def history(self):  # type: ignore[no-untyped-def]
            yield from tuple(made.source.history())[:4]
            raise RedlineError("the file has changed since it was opened")

    async with stage(tmp_path, first=made) as on:
        on.screen.review = replace(
            on.screen.review, session=replace(made, source=Broken(made, Event()))
        )
        await on.press("h")
        assert "the file has changed" in on.notices()[-1]
        await on.press("escape")
        assert isinstance(on.screen, DeskScreen)


async def test_hostile_text_is_harmless_in_the_history(tmp_path: Path) -> None:
    from tests.ui.stage import harmful

    evil = "[/b]\x1b[31m\u202e\u200b\ud83d [bold]x\r"
    made = session(user(evil), ran(evil, evil, 1, call_id="a"), summary("s", id="s"), user("x"))
    source: tuple[Message, ...] = tuple(made.source.history())
    past = PastCompaction(evil, CompactionKind.FULL, 1, trigger=evil, summary=source[3])
    made = replace(
        made,
        context=source[3:],
        compactions=(past,),
        side_branches=(SideBranch(evil, source[0].id, 1, True, evil),),
        subagents=(Subagent(evil, tmp_path, evil, evil),),
    )
    for size in ((60, 20), (80, 24), (120, 40)):
        async with stage(tmp_path, first=made, size=size) as on:
            await on.press("h", "home", "c", "enter")
            assert not harmful(on.text())
