"""Whether this is a good moment to compact: what speaks for it, what against, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from redline.compaction.recent import Event, Happened, Recent, recent
from redline.context.provider_cache import ProviderCache, provider_cache
from redline.model import Kind, Message, PartType, Role, Session
from redline.text import one_line

NO_CALL_OPEN = "no call open"
WAITING = "waiting for input after compaction"
_LONGEST = 80  # characters of what a reason is about
_SETTLING = frozenset(
    (Happened.TESTS_PASSED, Happened.FAILED, Happened.COMMITTED, Happened.STEP_ENDED, Happened.RAN)
)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why, in a few words; `about` what, and the message it rests on (None: on the time). `step`
    marks a step of the agent's plan that ended."""

    text: str
    about: str = ""
    message: str | None = None
    step: bool = False

    @property
    def words(self) -> str:
        return f"{self.text}: {one_line(self.about, _LONGEST)}" if self.about else self.text


@dataclass(frozen=True, slots=True)
class Moment:
    """`good` and `bad` are reasons, the most telling first. While `open_call` or `edits_open` holds
    no compaction may be made. `waiting` says that nobody has said anything since the last one."""

    good: tuple[Reason, ...] = ()
    bad: tuple[Reason, ...] = ()
    open_call: bool = False
    edits_open: bool = False
    waiting: bool = False

    @property
    def held(self) -> str:
        """What holds a compaction back, "" where nothing does."""
        if self.open_call or self.edits_open:
            return self.bad[0].words
        return ""

    @property
    def verdict(self) -> str:
        """`good`, `bad`, or `neither`."""
        return "bad" if self.bad else "good" if self.good else "neither"

    @property
    def line(self) -> str:
        """`good: tests just passed, no call open`."""
        if self.bad:
            return f"bad: {', '.join(reason.words for reason in self.bad)}"
        state = WAITING if self.waiting else NO_CALL_OPEN
        if not self.good:
            return f"neither good nor bad: {state}"
        return f"good: {', '.join((*(reason.text for reason in self.good), state))}"


def moment(session: Session, now: datetime) -> Moment:
    """What `session` is in the middle of at `now` (aware). Raises RedlineError where its file has
    changed under it."""
    return weighed(
        recent(session.context, session.source),
        provider_cache(session, now),
        live=session.info.live,
        waiting=_waits(session),
    )


def weighed(
    latest: Recent, cache: ProviderCache, *, live: bool = True, waiting: bool = False
) -> Moment:
    """The moment after the events of `latest`. Of a session that is not `live` an open call is one
    that the agent was interrupted in."""
    edits = _edits_open(latest)
    bad = []
    if latest.wait:
        first = latest.wait[0]
        text = "a call is open" if live else "interrupted in a call"
        bad.append(Reason(text, first.words, first.message))
    if edits:
        about = ", ".join(dict.fromkeys(event.words for event in edits))
        bad.append(Reason("edits in flight", about, edits[-1].message))
    if (error := _unresolved(latest.events)) is not None:
        bad.append(Reason("an error is unresolved", error.words, error.message))
    good = list(_good(latest))
    if cache.cold:
        good.append(Reason("the provider's cache has gone cold"))
    return Moment(tuple(good), tuple(bad), bool(latest.wait), bool(edits), waiting)


_GOOD = (
    (Happened.TESTS_PASSED, "tests just passed"),
    (Happened.COMMITTED, "a git commit was made"),
    (Happened.STEP_ENDED, "a step of the plan ended"),
)


def _good(latest: Recent) -> Sequence[Reason]:
    """What ended well and was not worked over since."""
    found: dict[Happened, Event] = {}
    for event in latest.events:
        if event.happened in (Happened.EDITED, Happened.FAILED):
            found.clear()
        elif any(event.happened is each for each, _ in _GOOD):
            found[event.happened] = event
    reasons = [
        Reason(text, found[each].words, found[each].message, each is Happened.STEP_ENDED)
        for each, text in _GOOD
        if each in found
    ]
    if latest.handed_back is not None:
        reasons.append(Reason("the turn has ended", "", latest.handed_back))
    return reasons


def _edits_open(latest: Recent) -> list[Event]:
    """The run of file edits that nothing has ended yet: no command that did something, no step of
    the plan, no word to the person."""
    found: list[Event] = []
    if latest.handed_back is None:
        for event in reversed(latest.events):
            if event.happened in _SETTLING:
                break
            if event.happened is Happened.EDITED:
                found.insert(0, event)
    return found


def _unresolved(events: Sequence[Event]) -> Event | None:
    """The last failure that was not followed by a success of the same command or file, or of any
    tests. A tool that looked for something and did not find it has not failed."""
    open_errors: dict[str, Event] = {}
    for event in events:
        if event.happened is Happened.FAILED:
            open_errors.pop(event.key, None)
            open_errors[event.key] = event
        elif event.happened is Happened.TESTS_PASSED:
            open_errors.clear()
        else:
            open_errors.pop(event.key, None)
    return next(reversed(open_errors.values()), None)


def _waits(session: Session) -> bool:
    """Whether nothing but a summary and what was put in with it stands after the last compaction:
    the agent waits for a person, it does not run."""
    if not session.compactions:
        return False
    kept = {name for past in session.compactions[-1:] for name in past.preserved}
    last = session.compactions[-1].summary
    seen = False
    for message in session.context:
        if _is_summary(message) or (last is not None and message.id == last.id):
            seen = True
        elif message.id in kept or not seen:
            continue
        elif _speaks(message):
            return False
    return seen


def _is_summary(message: Message) -> bool:
    return any(part.kind is Kind.SUMMARY for part in message.parts)


def _speaks(message: Message) -> bool:
    return message.role is Role.ASSISTANT or any(
        part.kind is Kind.PROMPT or part.type is PartType.TOOL_RESULT for part in message.parts
    )
