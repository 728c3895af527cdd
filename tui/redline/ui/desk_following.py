"""The desk moves as the file of its session grows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from redline.agents.following import Change
from redline.agents.growth import Growth, growth
from redline.errors import RedlineError
from redline.model import PastCompaction, Session, SessionInfo
from redline.review import Review
from redline.text import counted
from redline.ui.desk_history import DeskHistory
from redline.ui.fillings import worked_out
from redline.ui.lines import LineList
from redline.ui.marks import short
from redline.ui.panes import PaneTitle
from redline.ui.threads import beside, giving_way, in_thread
from redline.ui.transcript import Transcript
from redline.ui.trouble import Severity
from redline.ui.watching import Changed, Watching

if TYPE_CHECKING:
    from redline.facts.extract import Gathering
    from redline.facts.fact import Facts
    from redline.ledger.rule import Ledger

_REST = 1.0  # times as long as an update took, until the next one: at most half a core
# The facts, which all of the history is read for, wait until nothing was written for a moment, but
# not longer than this many times what they take: a busy agent costs five per cent of a core.
_FACTS_WAIT = 20.0
_QUIET = 0.5  # seconds
_FILE = "the file"  # what notices are about of which only the latest stands
_OF_THE_FILE = frozenset({Change.REPLACED, Change.TRUNCATED, Change.BACK})
_BACK = "The file of this session is back."
_FACTS_BYTES = 30_000_000.0  # of a session whose facts are gathered in a second, about


@dataclass(frozen=True, slots=True)
class Update:
    """A review of the session as it is now, and what is other than in the review `of`."""

    review: Review
    of: Review
    growth: Growth


class DeskFollowing(DeskHistory):
    """The part of the desk that takes in what is written to the session while it is open.

    Only what the desk shows now is followed: a view of another branch or of the past stands still,
    and nothing moves beneath another screen. One update is made at a time, in a thread; the facts
    come later, and less often.
    """

    def __init__(self) -> None:
        super().__init__()
        self._watching: Watching | None = None
        self._changes: list[Change] = []
        self._updating = False
        self._facts_waiting = False
        self._gathering: Gathering | None = None
        self._other = False  # it did not only grow since the facts were gathered
        self._facts_took = 0.0  # seconds
        self._changed = 0.0  # when something was told of the file
        self.file_gone = False
        self._unseen = 0  # messages that came since the last one was looked at
        self._deciding = asyncio.Lock()

    def show_review(self, review: Review, *, whole: bool = False, decided: bool = True) -> None:
        """See `DeskScreen`."""
        raise NotImplementedError

    # -- what becomes of the file --------------------------------------------------------------

    def start_following(self) -> None:
        """Follows the session from now on, and takes in what was written since it was opened."""
        session = self.review.session
        if session.asked_leaf is not None or session.before is not None:
            return
        self._watching = Watching(self, self.place.watch)
        self._watching.follow([session.info.path])
        self.set_interval(self.place.every, self._look_whether_live)
        self._look_whether_live()
        self._take(Change.GROWN)

    def stop_following(self) -> None:
        if self._watching is not None:
            self._watching.close()
            self._watching = None

    def on_changed(self, event: Changed) -> None:
        event.stop()
        gone = event.change is Change.GONE
        if gone != self.file_gone:
            self.file_gone = gone
            self._tell_use(self._used(self.review.session.info))
        self._take(event.change)

    def on_screen_resume(self) -> None:
        if self._watching is not None:
            self._take(Change.GROWN)

    def action_read_again(self) -> None:
        """Takes in what was written since, also where that is not seen by itself."""
        self._changes.append(Change.GROWN)
        beside(self, partial(self._update, asked=True), "read again")

    def _take(self, change: Change) -> None:
        if change is Change.GONE:
            said = "The file of this session is gone; this is its last state."
            self.say(said, severity="warning", about=_FILE)
            return
        self._changes.append(change)
        self._changed = time.monotonic()
        if not self._updating and self.in_front:
            self._updating = True
            beside(self, self._keep_up, "follow")

    async def _keep_up(self) -> None:
        """Updates until nothing has changed any more."""
        try:
            while self._changes and self.in_front:
                begun = time.monotonic()
                await self._update()
                await asyncio.sleep((time.monotonic() - begun) * _REST)
        finally:
            self._updating = False

    async def _update(self, *, asked: bool = False) -> None:
        """Reads what was written and shows it. What the person does meanwhile is kept."""
        changes, self._changes = self._changes, []
        before = len(self.review.session.context)
        async with self._deciding:
            while True:
                try:
                    update = await in_thread(partial(self._read, self.review))
                except RedlineError as error:
                    said = f"{error.message}; this is its last state"
                    self.say(said, severity="warning", about=_FILE)
                    return
                if update is None or update.of is self.review:
                    break
        if update is not None:
            self._show(update, changes)
        elif Change.BACK in changes:
            self.say(_BACK, about=_FILE)
        if asked:
            more = len(self.review.session.context) - before
            change = f"{counted(abs(more), 'message')} {'more' if more > 0 else 'fewer'}"
            self.say(f"Read again: {change if more else 'as many messages as before'}.")

    async def up_to_date(self) -> Review:
        """The review of the session as it is now, for a screen over this one that asks for it."""
        await self._update()
        return self.review

    def _read(self, review: Review) -> Update | None:
        """The review of the session as it is now; not for the screen's own thread."""
        from redline.context.measure import measure

        place = self.place
        now = place.reopen(review.session)
        if now is review.session:
            return None
        now = self._marked(now)
        window = measure(now, place.settings, place.environment, before=review.window)
        grown = growth(review.session, now)
        made = worked_out(review.rebase(now, window, review.facts, review.ledger))
        return Update(made, review, grown)

    def _show(self, update: Update, changes: list[Change]) -> None:
        transcript = self.query_one("#transcript", Transcript)
        at_end = transcript.at_end
        self._unseen = 0 if at_end else self._unseen + len(update.growth.new)
        self.show_review(update.review, decided=False)
        self.show_count()
        grown = update.growth
        self._other = self._other or bool(grown.gone or grown.compactions)
        self._other = self._other or any(change is not Change.GROWN for change in changes)
        about = _FILE if _OF_THE_FILE.intersection(changes) else ""
        for notice in _notices(update, changes):
            severity: Severity = "warning" if update.growth.gone else "information"
            self.say(notice, severity=severity, about=about)
        if grown.prompts:
            beside(self, self._hear, "rules heard")
        self._facts_soon()

    async def _hear(self) -> None:
        """The rules in what the person said since: it is on the screen before they are found."""
        with suppress(RedlineError):  # another file now: it is read anew
            while True:
                known = self.review
                ledger = await in_thread(partial(self.place.ledgers.load, known.session))
                async with self._deciding:
                    review = self.review
                    if review.ledger is not known.ledger:  # something was decided meanwhile
                        continue
                    made = await in_thread(partial(_with_ledger, review, ledger))
                    if review is self.review:
                        self.show_review(made, decided=False)
                        return

    # -- facts ---------------------------------------------------------------------------------

    def _facts_soon(self) -> None:
        if not self._facts_waiting:
            self._facts_waiting = True
            beside(self, self._extract, "facts")

    async def _extract(self) -> None:
        """The facts of the session once it is quiet; again where it has changed since."""
        try:
            session = None
            while session is not self.review.session:
                await self._until_quiet()
                session, begun = self.review.session, time.monotonic()
                if self._other:
                    self._gathering, self._other = None, False
                try:
                    facts = await in_thread(partial(self._gathered, session, giving_way()))
                except RedlineError:
                    self._gathering = None
                    return  # another file now: it is read anew, and its facts after that
                self._facts_took = time.monotonic() - begun
                async with self._deciding:
                    review = self.review
                    if facts != review.facts:
                        made = await in_thread(partial(_with_facts, review, facts))
                        if review is self.review:
                            self.show_review(made, decided=False)
        finally:
            self._facts_waiting = False

    def _gathered(self, session: Session, give_way: Callable[[], None]) -> Facts:
        """All of the history is read once; after that only what is new in the context."""
        from redline.facts.extract import Gathering

        if self._gathering is None:
            self._gathering = Gathering(session, give_way)
        else:
            self._gathering.grown(session)
        return self._gathering.facts()

    async def _until_quiet(self) -> None:
        took = self._facts_took or self.review.session.info.size / _FACTS_BYTES
        latest = time.monotonic() + took * _FACTS_WAIT
        while (now := time.monotonic()) < latest:
            quiet_at = now + _QUIET if self._updating else self._changed + _QUIET
            if quiet_at <= now:
                return
            await asyncio.sleep(min(latest, quiet_at) - now)

    # -- whether it is in use ------------------------------------------------------------------

    def _look_whether_live(self) -> None:
        beside(self, self._look, "live")

    async def _look(self) -> None:
        session = self.review.session
        marked = await in_thread(partial(self._marked, session))
        known, now = session.info, marked.info
        if (known.live, known.live_by) != (now.live, now.live_by):
            self._tell_use(now)

    def _tell_use(self, now: SessionInfo) -> None:
        """Shows whether the session is in use as it is in `now`, or that its file is gone."""
        review = self.review
        info = replace(review.session.info, live=now.live, live_by=now.live_by)
        self.show_review(replace(review, session=replace(review.session, info=info)), decided=False)

    def _marked(self, session: Session) -> Session:
        (info,) = self.place.archive.live([session.info], self.place.now())
        return replace(session, info=self._used(info))

    def _used(self, info: SessionInfo) -> SessionInfo:
        """What is gone is not in use, whatever its agent's marks say."""
        return replace(info, live=False, live_by="") if self.file_gone else info

    # -- what is new ---------------------------------------------------------------------------

    def show_count(self) -> None:
        """How many messages there are, and how many of them came while nobody looked."""
        if self.looks_for_text:
            return
        new = f", {self._unseen} new below" if self._unseen else ""
        self.query_one("#transcript-title", PaneTitle).show(
            f"{len(self.review.session.context):,} messages{new}, tokens ~"
        )

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        if self._unseen and isinstance(event.lines, Transcript) and event.lines.at_end:
            self._unseen = 0
            self.show_count()


def _with_ledger(review: Review, ledger: Ledger) -> Review:
    return worked_out(review.with_ledger(ledger))


def _with_facts(review: Review, facts: Facts) -> Review:
    return worked_out(review.rebase(review.session, review.window, facts, review.ledger))


def _notices(update: Update, changes: list[Change]) -> Iterator[str]:
    """What is worth a notice: all but messages that were added."""
    grown = update.growth
    left = f"{counted(grown.gone, 'message')} left the context"
    if Change.REPLACED in changes:
        yield "The file is another one now; it was read anew."
    elif Change.TRUNCATED in changes:
        yield f"The file was cut short; {left}."
    elif Change.BACK in changes:
        yield _BACK
    elif grown.compactions:
        for past in grown.compactions:
            yield f"The agent compacted: {_compaction_words(past)}; {left}."
    elif grown.gone:
        yield f"The conversation went back: {left}."


def _compaction_words(past: PastCompaction) -> str:
    after = past.tokens_after if past.tokens_after is not None else past.reported_after
    before = "?" if past.tokens_before is None else short(past.tokens_before)
    return f"{past.kind.value}, {before} to {'?' if after is None else short(after)}"
