"""The desk while the file of its session is written to."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from redline.agents.following import Change, Tell
from redline.compaction.plan import Action
from redline.errors import RedlineError
from redline.facts.extract import Gathering, extract
from redline.ledger.rule import Ledger
from redline.ledger.store import LedgerStore
from redline.model import CompactionKind, Damage, DamageKind, Message, PastCompaction, Session
from redline.ui.bar import Bars
from redline.ui.compare_messages import ComparedMessages
from redline.ui.transcript import Transcript
from tests.sessions_in_memory import MemorySource
from tests.ui.archives import MemoryArchive
from tests.ui.stage import NOW, Stage, WatchByHand, shop, stage


class Written:
    """A session that is written to by hand, and the watch that tells of it."""

    def __init__(self, folder: Path) -> None:
        self.first = self.now = shop(folder)
        self.watches: list[WatchByHand] = []
        self.problem = ""
        self.gate: threading.Event | None = None
        self.opened = 0

    def watch(self, tell: Tell) -> WatchByHand:
        self.watches.append(WatchByHand(tell))
        return self.watches[-1]

    def reopen(self, session: Session) -> Session:
        self.opened += 1
        if self.gate is not None:
            self.gate.wait(10)
        if self.problem:
            raise RedlineError(self.problem)
        same = session.context == self.now.context and session.compactions == self.now.compactions
        return session if same else self.now

    def add(self, *texts: str, like: int = -1) -> list[str]:
        """Messages at the end; gives their ids."""
        named = {f"new-{len(self.now.context)}-{at}": text for at, text in enumerate(texts)}
        model = self.now.context[like]
        new = [replace(model, id=name, head=text) for name, text in named.items()]
        self.write([*self.now.context, *new])
        return list(named)

    def write(self, context: Sequence[Message], *compactions: PastCompaction) -> None:
        self.now = replace(
            self.now,
            context=tuple(context),
            compactions=(*self.now.compactions, *compactions),
            source=MemorySource(tuple(context), self.now.source._bodies),  # type: ignore[attr-defined]
        )

    async def tell(self, on: Stage, change: Change = Change.GROWN) -> None:
        self.watches[-1].tell(self.first.info.path, change)
        await on.settle()


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return Written(tmp_path)


def desk(folder: Path, written: Written, **more: Any) -> Any:
    return stage(folder, first=written.first, reopen=written.reopen, watch=written.watch, **more)


def transcript(on: Stage) -> Transcript:
    found: Transcript = on.screen.query_one("#transcript", Transcript)
    return found


async def test_a_new_message_shows_at_the_end(tmp_path: Path, written: Written) -> None:
    async with desk(tmp_path, written, size=(120, 40)) as on:
        written.add("Now the tests are green")
        await written.tell(on)
        assert "Now the tests are green" in on.text()
        assert "18 messages" in on.text()
        assert not on.notices()


async def test_what_was_written_while_the_desk_was_opened_is_there(
    tmp_path: Path, written: Written
) -> None:
    written.add("Written just before")
    async with desk(tmp_path, written, size=(120, 40)) as on:
        assert "18 messages" in on.text()


async def test_cursor_scroll_picks_and_opened_messages_stay(
    tmp_path: Path, written: Written
) -> None:
    async with desk(tmp_path, written, size=(100, 24)) as on:
        lines = transcript(on)
        lines.go_to(4)
        lines.action_open()
        await on.press("space", "up", "up")
        cursor, top, picked = lines.cursor, lines.scroll_offset.y, lines.picked
        written.add("more", "and more")
        await written.tell(on)
        assert (lines.cursor, lines.scroll_offset.y, lines.picked) == (cursor, top, picked)
        assert lines.is_open(4)
        assert "2 new below" in on.text()


async def test_a_cursor_at_the_end_goes_along(tmp_path: Path, written: Written) -> None:
    async with desk(tmp_path, written, size=(100, 24)) as on:
        await on.press("end")
        written.add(*(f"line {number}" for number in range(30)))
        await written.tell(on)
        assert transcript(on).cursor == len(written.now.context) - 1
        assert "line 29" in on.text()
        assert "new below" not in on.text()


async def test_what_is_new_is_counted_until_it_is_looked_at(
    tmp_path: Path, written: Written
) -> None:
    async with desk(tmp_path, written) as on:
        transcript(on).go_to(0)
        for number in range(3):
            written.add(f"line {number}")
            await written.tell(on)
        assert "3 new below" in on.text()
        await on.press("end")
        assert "new below" not in on.text()


async def test_nothing_that_was_decided_is_lost(tmp_path: Path, written: Written) -> None:
    async with desk(tmp_path, written) as on:
        transcript(on).go_to(2)
        await on.press("k")
        on.screen.action_cut_turn(-1)
        cut = on.screen.review.pins.cut
        written.add("more")
        await written.tell(on)
        review = on.screen.review
        assert review.plan.actions[2] is Action.KEEP
        assert review.pins.cut == cut
        on.screen.action_undo()
        on.screen.action_undo()
        assert not on.screen.review.pins.actions
        on.screen.action_redo()
        assert on.screen.review.plan.actions[2] is Action.KEEP


async def test_a_decision_made_while_the_file_is_read_stays(
    tmp_path: Path, written: Written
) -> None:
    async with desk(tmp_path, written) as on:
        written.gate = threading.Event()
        written.add("more")
        written.watches[-1].tell(written.first.info.path, Change.GROWN)
        await on.pilot.pause()
        transcript(on).go_to(2)
        on.screen.action_pin("drop")
        written.gate.set()
        await on.settle()
        assert on.screen.review.plan.actions[2] is Action.DROP
        assert len(on.screen.review.outline.messages) == 18


async def test_many_changes_at_once_are_read_together(tmp_path: Path, written: Written) -> None:
    async with desk(tmp_path, written) as on:
        written.opened, written.gate = 0, threading.Event()
        for number in range(50):
            written.add(f"line {number}")
            written.watches[-1].tell(written.first.info.path, Change.GROWN)
        await on.pilot.pause()
        written.gate.set()
        await on.settle()
        assert len(on.screen.review.outline.messages) == 67
        assert written.opened <= 4


async def test_the_written_handoff_is_stale_and_its_words_stay(
    tmp_path: Path, written: Written
) -> None:
    async with desk(tmp_path, written) as on:
        await on.press("w")
        assert on.screen.NAME == "Handoff"
        text = on.screen.review.text
        written.add("more")
        await written.tell(on)
        assert on.screen.NAME == "Handoff"
        await on.press("escape")
        assert on.screen.NAME == "Desk"
        assert len(on.screen.review.outline.messages) == 18
        assert on.screen.review.text == text
        assert "handoff" in on.screen.review.stale


async def test_bars_and_facts_follow(tmp_path: Path, written: Written) -> None:
    async with desk(tmp_path, written) as on:
        used, facts = on.screen.review.window.used, on.screen.review.facts
        prompt = next(at for at, one in enumerate(written.first.context) if one.prompts)
        written.add("Never touch src/legacy", like=prompt)
        await written.tell(on)
        assert on.screen.review.window.used > used
        assert on.screen.query_one(Bars)._now.total == on.screen.review.window.used
        assert len(on.screen.review.facts.prompts) == len(facts.prompts) + 1


async def test_what_a_person_said_is_on_the_screen_before_the_rules_in_it_are_found(
    tmp_path: Path, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk(tmp_path, written) as on:
        before, found = on.screen.review.ledger, Ledger(())
        gate = threading.Event()

        def slowly(_store: LedgerStore, _session: Session) -> Ledger:
            gate.wait(10)
            return found

        monkeypatch.setattr(LedgerStore, "load", slowly)
        prompt = next(at for at, one in enumerate(written.first.context) if one.prompts)
        written.add("Never touch src/brand/new.py", like=prompt)
        transcript(on).action_last()
        written.watches[-1].tell(written.first.info.path, Change.GROWN)
        while "brand/new" not in on.text():
            await on.pilot.pause()
        assert on.screen.review.ledger == before != found
        gate.set()
        await on.settle()
        assert on.screen.review.ledger == found


async def test_all_of_the_history_is_read_for_facts_once_however_often_it_grows(
    tmp_path: Path, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Session] = []

    class Counted(Gathering):
        def __init__(self, session: Session, *more: Any) -> None:
            made.append(session)
            super().__init__(session, *more)

    monkeypatch.setattr("redline.facts.extract.Gathering", Counted)
    async with desk(tmp_path, written) as on:
        prompt = next(at for at, one in enumerate(written.first.context) if one.prompts)
        for number in range(3):
            written.add(f"Never touch src/legacy/{number}", like=prompt)
            await written.tell(on)
            assert on.screen.review.facts == extract(on.screen.review.session)
        assert len(made) == 1
        written.write(written.now.context[-4:])
        await written.tell(on)
        assert on.screen.review.facts == extract(on.screen.review.session), "it went back"
        assert len(made) == 2


async def test_a_compaction_is_told(tmp_path: Path, written: Written) -> None:
    async with desk(tmp_path, written) as on:
        transcript(on).go_to(9)
        kept = written.now.context[-2:]
        past = PastCompaction("c1", CompactionKind.FULL, 9, "auto", NOW, 167_000, 41_000)
        written.write(kept, past)
        await written.tell(on)
        assert on.notices() == [
            "The agent compacted: full, 167k to 41k; 15 messages left the context."
        ]
        assert transcript(on).cursor == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change.TRUNCATED, "The file was cut short; 7 messages left the context."),
        (Change.REPLACED, "The file is another one now; it was read anew."),
        (Change.BACK, "The file of this session is back."),
        (Change.GROWN, "The conversation went back: 7 messages left the context."),
    ],
)
async def test_what_became_of_the_file_is_told(
    change: Change, said: str, tmp_path: Path, written: Written
) -> None:
    async with desk(tmp_path, written) as on:
        written.write(written.now.context[:10])
        await written.tell(on, change)
        assert on.notices() == [said]
        assert len(on.screen.review.outline.messages) == 10


async def test_of_a_file_that_is_gone_the_last_state_stays(
    tmp_path: Path, written: Written
) -> None:
    async with desk(tmp_path, written) as on:
        written.problem = "cannot read it: no such file"
        await written.tell(on, Change.GONE)
        assert on.notices() == ["The file of this session is gone; this is its last state."]
        await written.tell(on)
        assert on.notices() == ["cannot read it: no such file; this is its last state"]
        assert len(on.screen.review.outline.messages) == 17
        written.problem = ""
        written.add("it is back")
        await written.tell(on, Change.BACK)
        assert len(on.screen.review.outline.messages) == 18


async def test_a_session_whose_file_is_gone_is_not_said_to_be_live(
    tmp_path: Path, written: Written
) -> None:
    archive = MemoryArchive([written.first.info])
    archive.live_by = {written.first.info.id: "registry"}
    async with desk(tmp_path, written, size=(140, 30), archive=archive) as on:
        assert "live (open)" in on.frame()[0]
        await written.tell(on, Change.GONE)
        assert "file gone" in on.frame()[0]
        assert "live" not in on.frame()[0]
        on.screen._look_whether_live()
        await on.settle()
        assert "live" not in on.frame()[0], "though its agent still runs"
        await written.tell(on, Change.BACK)
        on.screen._look_whether_live()
        await on.settle()
        assert "live (open)" in on.frame()[0]
        assert "file gone" not in on.frame()[0]


async def test_whether_and_by_what_it_is_in_use_is_told(tmp_path: Path, written: Written) -> None:
    archive = MemoryArchive([written.first.info])
    archive.live_by = {written.first.info.id: "registry"}
    async with desk(tmp_path, written, size=(140, 30), archive=archive) as on:
        assert "live (open)" in on.frame()[0]
        archive.live_by = {}
        on.screen._look_whether_live()
        await on.settle()
        assert "live" not in on.frame()[0]


async def test_a_line_that_is_being_written_becomes_damage_once_it_is_left(
    tmp_path: Path, written: Written
) -> None:
    torn = (Damage(15, DamageKind.TORN_TAIL, "half-written, 0 record(s) recovered"),)
    written.first = written.now = replace(written.first, damage=torn)
    archive = MemoryArchive([written.first.info])
    archive.live_by = {written.first.info.id: "registry"}
    async with desk(tmp_path, written, size=(140, 30), archive=archive) as on:
        await on.press("4")
        assert "record 15 is being written" in on.text()
        assert "damage" not in on.text()
        archive.live_by = {}
        on.screen._look_whether_live()
        await on.settle()
        assert "damage (1)" in on.text()
        assert "being written" not in on.text()


async def test_a_view_of_the_past_stands_still(tmp_path: Path, written: Written) -> None:
    written.first = replace(written.first, before=1)
    async with desk(tmp_path, written) as on:
        assert not written.watches
        assert len(on.screen.review.outline.messages) == 17


async def test_nothing_is_watched_once_the_desk_is_left(tmp_path: Path, written: Written) -> None:
    async with desk(tmp_path, written) as on:
        own = written.watches[-1]
        assert own.paths == {written.first.info.path}
        on.app.leave_desk()
        await on.settle()
        assert not own.paths


async def test_the_event_loop_goes_on_while_the_file_is_read(
    tmp_path: Path, written: Written
) -> None:
    async with desk(tmp_path, written) as on:
        written.gate = threading.Event()
        written.add("more")
        written.watches[-1].tell(written.first.info.path, Change.GROWN)
        transcript(on).go_to(0)
        await on.pilot.press("down", "down")
        assert transcript(on).cursor == 2
        written.gate.set()
        await asyncio.wait_for(on.settle(), 10)


async def test_the_comparison_says_that_the_session_went_on_and_compares_again(
    tmp_path: Path, written: Written
) -> None:
    async with desk(tmp_path, written, size=(140, 40)) as on:
        await on.press("C")
        before = on.screen.found
        on.screen.query_one("#compared", ComparedMessages).go_to(3)
        written.add("Said while they were compared")
        await written.tell(on)
        assert "changed, f5 compares again" in on.frame()[0]
        assert on.screen.found is before, "no row moves by itself"
        await on.press("f5")
        assert "f5" not in on.frame()[0]
        assert on.screen.found.whole
        assert len(on.screen.review.outline.messages) == 18
        messages = on.screen.query_one("#compared", ComparedMessages)
        assert (len(messages.review.outline.messages), messages.cursor) == (18, 3)
        assert all(len(row.plan.actions) == 18 for row in on.screen.found.planned)
        await on.press("f5")
        assert on.notices()[-1] == "Nothing was said since."
        await written.tell(on, Change.GONE)
        assert "file gone" in on.frame()[0]
        await on.press("escape")
        assert "18 messages" in on.text()
        assert len(written.watches) == 2
        assert not written.watches[-1].paths, "nothing is watched once it is left"


async def test_a_comparison_of_the_past_stands_still(tmp_path: Path, written: Written) -> None:
    written.first = replace(written.first, before=1)
    async with desk(tmp_path, written) as on:
        await on.press("C")
        assert not written.watches
