"""A session that is followed: what each change of its file comes to."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from redline.agents.following import Change
from redline.agents.growth import Growth, growth
from redline.agents.liveness import mark_live
from redline.agents.opening import open_session, reopen
from redline.agents.successor import successor
from redline.cli.advice_json import advice_json
from redline.cli.advising import Advising
from redline.cli.figures import compaction_json, gauge_json, window_json
from redline.cli.output import SCHEMA, when
from redline.cli.sessions import session_json
from redline.cli.workplace import Workplace
from redline.compaction.advice import Advice
from redline.context.measure import measure
from redline.context.window import Window
from redline.errors import RedlineError
from redline.model import Message, Session, SessionInfo
from redline.text import one_line

_SHARE = 100  # looking for a newer session takes at most this part of the time
_HEAD = 200  # characters


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Step:
    """One change. `event` is `opened`, `grown`, `compacted`, `rewound` (messages are gone that no
    compaction took), `truncated`, `replaced`, `gone`, `back`, `unreadable`, `live` (whether it is
    in use has changed), `newer` (the project has a newer session, `next`) or `moved` (that one is
    followed from now on) or `advice` (time alone, or a decision on the rules, has changed what is
    advised). `problem` says why a file is unreadable, or a handoff could not be written; `handoff`
    is where it was written."""

    event: str
    at: datetime
    session: Session
    window: Window
    growth: Growth = field(default_factory=Growth)
    next: SessionInfo | None = None
    problem: str = ""
    advice: Advice | None = None
    handoff: Path | None = None


class Followed:
    """The session as it is now. Every change gives a step, or None where nothing is other."""

    def __init__(
        self,
        place: Workplace,
        session: Session,
        now: Callable[[], datetime] = _now,
        handoff: Path | None = None,
    ) -> None:
        self._place = place
        self._now = now
        self._told: set[str] = set()
        self._looked = 0.0
        self.session = self._marked(session)
        self.window = measure(self.session, place.settings, place.environment)
        self._advising = Advising(place, now, handoff)

    def opened(self) -> Step:
        advice = self._advising.start(self._now_window())
        return self._step("opened", Growth(new=self.session.context), advice=advice)

    def after(self, change: Change) -> Step | None:
        """What a change of the file comes to. Where it cannot be read the last state stays."""
        if change is Change.GONE:
            return self._step("gone")
        before, window = self.session, self.window
        try:
            now = reopen(before)
            if now is not before:
                window = measure(now, self._place.settings, self._place.environment, before=window)
        except RedlineError as error:
            return self._step("unreadable", problem=error.message)
        if now is before:
            return self._step("back") if change is Change.BACK else self.pulse()
        grown = growth(before, now)
        now = self._marked(now)
        same = change is Change.GROWN and _shown(before, self.window) == _shown(now, window)
        if same and grown == Growth():  # half a record, or one that changes nothing that is shown
            info = replace(now.info, live=before.info.live, live_by=before.info.live_by)
            self.session, self.window = replace(now, info=info), window
            return self.pulse()
        self.session, self.window = now, window
        event = change.value
        if change is Change.GROWN and grown.compactions:
            event = "compacted"
        elif change is Change.GROWN and grown.gone:
            event = "rewound"
        if event in (Change.GROWN.value, "compacted", "rewound"):
            more = event == Change.GROWN.value
            advice = self._advising.after(self._now_window(), grown=more, prompts=grown.prompts)
        else:
            advice = self._advising.start(self._now_window())
        return self._step(event, grown, advice=advice)

    def pulse(self) -> Step | None:
        """Whether the session is in use may change without its file."""
        before = self.session.info
        self.session = self._marked(self.session)
        after = self.session.info
        same = (before.live, before.live_by) == (after.live, after.live_by)
        advice = self._advising.pulse(self._now_window())
        if same:
            return None if advice is None else self._step("advice", advice=advice)
        return self._step("live", advice=advice)

    def newer(self, *, move: bool) -> Step | None:
        """Whether the agent went on to another session of the project, told once of each; with
        `move` that one is followed instead. It is looked for a small part of the time only."""
        begun = time.monotonic()
        if begun < self._looked:
            return None
        other = successor(self.session.info, self._place.environment)
        ended = time.monotonic()
        self._looked = ended + (ended - begun) * _SHARE
        if other is None or other.id in self._told:
            return None
        self._told.add(other.id)
        if not move:
            return self._step("newer", next=other)
        try:
            session = open_session(other)
            window = measure(session, self._place.settings, self._place.environment)
        except RedlineError as error:
            return self._step("newer", next=other, problem=error.message)
        self.session, self.window = self._marked(session), window
        self._told = {other.id}
        advice = self._advising.start(self._now_window())
        return self._step("moved", Growth(new=session.context), advice=advice)

    def _now_window(self) -> Window:
        """The window with what is known of the session now: whether it is in use."""
        return replace(self.window, session=self.session)

    def _marked(self, session: Session) -> Session:
        (info,) = mark_live([session.info], self._place.environment, self._now())
        return replace(session, info=info)

    def _step(self, event: str, grown: Growth | None = None, **more: Any) -> Step:
        if more.get("advice") is not None:
            more["handoff"] = self._advising.saved
        if self._advising.problem and not more.get("problem") and "advice" in more:
            more["problem"] = self._advising.problem
        return Step(event, self._now(), self.session, self.window, grown or Growth(), **more)


def step_json(step: Step) -> dict[str, Any]:
    """The object of a step, as `redline follow --json` prints it; see `redline.cli.follow`."""
    session, tokens = step.session, _tokens(step)
    info = session.info
    return {
        "schema": SCHEMA,
        "event": step.event,
        "at": when(step.at),
        "session": session_json(info),
        "window": window_json(step.window),
        "gauge": gauge_json(session.gauge),
        "context_messages": len(session.context),
        "messages": [
            _message_json(message, tokens)
            for message in (*step.growth.new, *step.growth.more)
            if step.event not in ("opened", "moved")
        ],
        "gone": step.growth.gone,
        "compactions": [compaction_json(past) for past in step.growth.compactions],
        "damage": len(session.lasting_damage),
        "next": session_json(step.next) if step.next is not None else None,
        "problem": step.problem or None,
        **advice_json(step.advice),
        "handoff": str(step.handoff) if step.handoff is not None else None,
    }


def _shown(session: Session, window: Window) -> tuple[object, ...]:
    """What is told of a session beside its messages."""
    info = session.info
    told = (info.title, info.model, info.project, session.gauge, session.lasting_damage)
    return (*told, window.limit, window.used, window.billed, window.categories)


def _tokens(step: Step) -> dict[str, int]:
    context = step.session.context
    return {message.id: tokens for message, tokens in zip(context, step.window.tokens, strict=True)}


def _message_json(message: Message, tokens: dict[str, int]) -> dict[str, Any]:
    return {
        "id": message.id,
        "role": message.role.value,
        "kinds": sorted({part.kind.value for part in message.parts}),
        "time": when(message.time),
        "tokens": tokens.get(message.id),
        "head": one_line(message.head, _HEAD),
    }
