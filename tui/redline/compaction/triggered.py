"""Which triggers are met: redline's own, and those by which the session's agent acts itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from redline.amounts import short
from redline.compaction.moment import Moment
from redline.compaction.strategies.registry import names, strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.context.window import Window
from redline.model import PartType, Session
from redline.settings import Settings
from redline.text import counted

SHARE, CALLS, BY_HAND, AGENT = "share", "calls", "by hand", "agent"


@dataclass(frozen=True, slots=True)
class Met:
    """A trigger that is met: `value` has come to `at` (tokens or calls; 0 by hand). `words` say so;
    `held` is what it is held back by, "" where a compaction may be made now."""

    name: str
    value: int
    at: int
    words: str
    held: str = ""


def triggered(
    window: Window,
    settings: Settings,
    moment: Moment,
    *,
    agents: StrategySettings | None = None,
    by_hand: bool = False,
) -> tuple[Met, ...]:
    """The triggers that are met in `window`. `agents` are the settings of the agents' own (None:
    these are not looked at), `by_hand` that a person asks for it now.

    None is free between a call and its result, nor while a run of file edits is open.
    """
    found = list(_own(window, settings, moment.held))
    if agents is not None:
        found += _agents(window, agents, moment.held)
    if by_hand:
        found.append(Met(BY_HAND, 0, 0, "asked for by hand", moment.held))
    return tuple(found)


def calls_since(session: Session) -> int:
    """Tool calls since the last compaction; those it preserved are older."""
    preserved = set(session.compactions[-1].preserved) if session.compactions else set()
    return sum(
        part.type is PartType.TOOL_CALL
        for message in session.context
        if message.id not in preserved
        for part in message.parts
    )


@dataclass(frozen=True, slots=True)
class Told:
    """What was told already. A trigger is told once, until it is no longer met; one that was held
    back is told when it is free."""

    names: frozenset[str] = frozenset()

    def news(self, met: Iterable[Met]) -> tuple[tuple[Met, ...], Told]:
        """What is to be told now, and what has been told then."""
        free = [each for each in met if not each.held]
        there = {each.name for each in met}
        new = tuple(each for each in free if each.name not in self.names)
        return new, Told((self.names & there) | {each.name for each in new})


def _own(window: Window, settings: Settings, held: str) -> Iterator[Met]:
    limit = window.limit
    if limit and window.used >= (at := round(limit * settings.trigger_share)):
        words = f"{short(window.used)} of {short(limit)} used, {settings.trigger_share:.0%} is set"
        yield Met(SHARE, window.used, at, words, held)
    calls = calls_since(window.session)
    if calls >= settings.trigger_calls:
        words = f"{counted(calls, 'tool call')} since the last compaction"
        if not window.session.compactions:
            words = f"{counted(calls, 'tool call')} since the start"
        yield Met(CALLS, calls, settings.trigger_calls, words, held)


def _agents(window: Window, agents: StrategySettings, held: str) -> Iterator[Met]:
    """What the agent itself acts upon: its own count where the session tells it."""
    session = window.session
    gauge = session.gauge
    if gauge is not None and gauge.active is not None and gauge.trigger is not None:
        if gauge.active >= gauge.trigger:
            yield _agent(session, gauge.active, gauge.trigger, held)
        return
    name = session.info.agent.value
    if name not in names():
        return
    at = min(
        (
            trigger.tokens
            for trigger in strategy(name).triggers(window, agents)
            if trigger.tokens is not None and trigger.phase != BY_HAND
        ),
        default=None,
    )
    if at is not None and window.used >= at:
        yield _agent(session, window.used, at, held)


def _agent(session: Session, value: int, at: int, held: str) -> Met:
    words = f"{session.info.agent.value} compacts at {short(at)}, now {short(value)}"
    return Met(AGENT, value, at, words, held)
