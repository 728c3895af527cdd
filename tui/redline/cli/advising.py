"""What `redline follow` tells beyond the figures: the moment, triggers, alarms, thrash."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.cli.workplace import Workplace
from redline.compaction.advice import Advice, Adviser
from redline.compaction.strategies.tuned import tuned
from redline.context.window import Window
from redline.errors import RedlineError
from redline.ledger.rule import Ledger
from redline.model import Session

if TYPE_CHECKING:
    from redline.cli.followed_handoff import FollowedHandoff

_Stamp = tuple[int, int, int, int]


class Advising:
    """Advises on the session that is followed. What a decision on the rules changes is seen, also
    when it is made elsewhere. `handoff` is where the handoff is written whenever a trigger is met
    or a step ends."""

    def __init__(
        self, place: Workplace, now: Callable[[], datetime], handoff: Path | None = None
    ) -> None:
        self._place = place
        self._now = now
        self._path = handoff
        self._handoff: FollowedHandoff | None = None
        self._adviser: Adviser | None = None
        self._ledger = Ledger()
        self._stamp: _Stamp | None = None
        self.saved: Path | None = None
        self.problem = ""

    def start(self, window: Window) -> Advice | None:
        """For another session, or one that is another now."""
        return self._told(lambda: self._start(window))

    def after(self, window: Window, *, grown: bool, prompts: bool) -> Advice | None:
        """What is new in `window`; `grown` says that nothing left the context, `prompts` that a
        person may have said something."""
        return self._told(lambda: self._after(window, grown, prompts))

    def pulse(self, window: Window) -> Advice | None:
        """What time alone has changed, or a decision; None where nothing did."""

        def look() -> Advice | None:
            if self._adviser is None:
                return None
            self._read_rules(window.session, again=False)
            advice = self._adviser.again(window, self._now())
            if advice is not None:
                self._save(advice)
            return advice

        return self._told(look)

    def _told(self, step: Callable[[], Advice | None]) -> Advice | None:
        """What `step` gives; a file that changed under it is read anew with the next change."""
        self.saved, self.problem = None, ""
        try:
            return step()
        except RedlineError as error:
            self.problem = error.message
            return None

    def _start(self, window: Window) -> Advice:
        from redline.cli.followed_handoff import FollowedHandoff

        session, place = window.session, self._place
        self._stamp = self._rules_stamp()
        self._ledger = place.ledger_store().load(session)
        agents = tuned(place.settings, session, place.environment)
        self._adviser = Adviser(window, self._ledger, place.settings, agents)
        self._handoff = FollowedHandoff(session)
        return self._advise(self._adviser, window)

    def _after(self, window: Window, grown: bool, prompts: bool) -> Advice:
        if self._adviser is None or self._handoff is None:
            return self._start(window)
        self._read_rules(window.session, again=prompts)
        if grown:
            self._handoff.grown(window.session)
        else:
            self._handoff.anew(window.session)
        return self._advise(self._adviser, window)

    def _advise(self, adviser: Adviser, window: Window) -> Advice:
        advice = adviser.advise(window, self._now())
        self._save(advice)
        return advice

    def _save(self, advice: Advice) -> None:
        if self._path is None or self._handoff is None or not (advice.news or advice.step_ended):
            return
        try:
            self._handoff.save(self._path, self._ledger)
            self.saved = self._path
        except RedlineError as error:  # the advice stands all the same
            self.problem = error.message

    def _read_rules(self, session: Session, *, again: bool) -> None:
        stamp = self._rules_stamp()
        if self._adviser is not None and (again or stamp != self._stamp):
            self._stamp = stamp
            self._ledger = self._place.ledger_store().load(session)
            self._adviser.use(session, self._ledger)

    def _rules_stamp(self) -> _Stamp:
        """Other where a decision was stored since."""
        path = self._place.places.database
        return (*_stamp(path), *_stamp(path.with_name(path.name + "-wal")))


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)
