"""What is to be told of a session that goes on: alarms, triggers, the moment, compactions that do
not help. Each is told once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from redline.compaction.breaches import Breach, Watch
from redline.compaction.moment import Moment, moment
from redline.compaction.strategies.strategy import StrategySettings
from redline.compaction.thrash import Thrash, thrash
from redline.compaction.triggered import Met, Told, triggered
from redline.context.window import Window
from redline.ledger.rule import Ledger
from redline.model import Session
from redline.settings import Settings


@dataclass(frozen=True, slots=True)
class Advice:
    """`moment` is that of now. `met` are the triggers that are met now, `news` those of them that
    were not told yet. `breaches` and `thrash` are new too; `loop` is the thrash of now, told or
    not. `step_ended` says that a step of the agent's plan ended just now."""

    moment: Moment
    met: tuple[Met, ...] = ()
    news: tuple[Met, ...] = ()
    breaches: tuple[Breach, ...] = ()
    thrash: Thrash | None = None
    loop: Thrash | None = None
    step_ended: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """What is to be said of it now, alarms first."""
        said = [f"alarm: {breach.line}" for breach in self.breaches]
        if self.thrash is not None:
            said.append(f"compacting does not help: {self.thrash.words}")
        if self.news:
            why = "; ".join(met.words for met in self.news)
            said.append(f"time to compact: {why}; moment {self.moment.line}")
        return tuple(said)

    def settled(self) -> Advice:
        """The same with nothing new in it."""
        return replace(self, news=(), breaches=(), thrash=None, step_ended=False)


class Adviser:
    """Follows one session. Methods read its bodies, and raise RedlineError as its source does."""

    def __init__(
        self, window: Window, ledger: Ledger, settings: Settings, agents: StrategySettings | None
    ) -> None:
        self._settings = settings
        self._agents = agents
        self._told = Told()
        self._thrash = 0
        self._steps: frozenset[str] = frozenset()
        self._ledger = ledger
        self._watch = Watch(window.session, ledger)
        self._watched = False
        self._seen: dict[str, int] | None = None  # parts of the messages that were advised on

    @property
    def found(self) -> tuple[Breach, ...]:
        """All breaches of the session as far as it was read."""
        return self._watch.found

    def use(self, session: Session, ledger: Ledger) -> None:
        """The rules as they are now. What was done before one was known is no alarm."""
        if ledger.active != self._ledger.active:
            self._watch = Watch(session, ledger)
            self._watched = False
        self._ledger = ledger

    def advise(self, window: Window, now: datetime) -> Advice:
        """What is new since the last time. The first time only what holds now is told: breaches of
        long ago are listed by an audit."""
        session = window.session
        self._watch.use(session, self._ledger)
        fresh = self._seen is not None
        breaches = self._take(session)
        latest = moment(session, now)
        met = triggered(window, self._settings, latest, agents=self._agents)
        loop = thrash(window) if len(session.compactions) > 1 else None
        new_loop = loop if loop is not None and loop.times > self._thrash else None
        self._thrash = loop.times if loop is not None else 0
        news, self._told = self._told.news(met)
        if loop is not None:
            news = ()  # one more try would be no better: the notice of the loop stands for it
        steps = frozenset(
            reason.message for reason in latest.good if reason.message and reason.step
        )
        ended, self._steps = bool(steps - self._steps) and fresh, steps
        return Advice(latest, met, news, breaches, new_loop, loop, ended)

    def again(self, window: Window, now: datetime) -> Advice | None:
        """Advice where time alone has changed it: the cache went cold. None where it did not."""
        latest = moment(window.session, now)
        met = triggered(window, self._settings, latest, agents=self._agents)
        news, told = self._told.news(met)
        if not news or self._thrash:
            return None
        self._told = told
        return Advice(latest, met, news)

    def _take(self, session: Session) -> tuple[Breach, ...]:
        """The breaches of what was not seen yet. Other rules are held against all of it."""
        seen = self._seen
        self._seen = {message.id: len(message.parts) for message in session.context}
        messages = session.context if self._watched else session.source.history()
        self._watched = True
        if not self._watch.watches:
            return ()
        found = [breach for message in messages for breach in self._watch.take(message)]
        if seen is None:
            return ()
        new = set(self._seen)
        return tuple(
            each for each in found if each.message in new and each.part >= seen.get(each.message, 0)
        )
