"""What happened to a rule: when, and by whose words or hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from redline.ledger.rule import Rule, RuleState
from redline.ledger.standing import Standing
from redline.model import Session
from redline.stored import SessionKey, StoredChange, StoredRule

UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Event:
    """One step in the life of a rule.

    `what` is the verb of a person's step, "said" for the words it was found in, "lifted",
    "may lift" and "superseded" for later words. `state` is the rule's own after it (None: it was
    gone). `message` is the message whose words caused it, None where a person did by hand,
    `session` where that was. `detail` says more: the words before an edit, the rule that replaced
    it.
    """

    time: datetime | None
    what: str
    state: RuleState | None
    message: str | None = None
    session: SessionKey | None = None
    detail: str = ""

    @property
    def by_hand(self) -> bool:
        return self.message is None


def events(
    session: Session, stands: Standing, rule: Rule, steps: Iterable[StoredChange]
) -> tuple[Event, ...]:
    """What happened to `rule`, oldest first; what has no time comes where it was said."""
    deeds = [*_deeds(steps)]
    found = [*_words(session, stands, rule, deeds), *deeds]
    first, rest = found[:1], found[1:]
    rest.sort(key=lambda event: event.time.timestamp() if event.time is not None else 0.0)
    return (*first, *rest) if first and first[0].what == "said" else tuple(found)


def _words(
    session: Session, stands: Standing, rule: Rule, deeds: Iterable[Event]
) -> Iterator[Event]:
    """What the user's words did: stated it, lifted it, asked something else. A rule that was
    confirmed by then they end no more: they only may have meant it."""
    here = stands.key
    if rule.origin is not None:
        there = SessionKey(rule.origin.agent, rule.origin.session)
        if rule.origin.message is not None:
            yield Event(rule.time, "said", RuleState.PROPOSED, rule.origin.message, there)
    elif rule.message is not None:
        yield Event(rule.time, "said", RuleState.PROPOSED, rule.message, here)
    said = stands.detected.get(rule.id)
    times = {message.id: message.time for message in session.prompts()}
    if said is not None and said.by is not None and said.state is RuleState.REVOKED:
        time = times.get(said.by)
        if rule.may_be_lifted == said.by or _held(deeds, time):
            yield Event(time, "may lift", RuleState.ACTIVE, said.by, here)
        elif rule.origin is None:
            yield Event(time, "lifted", RuleState.REVOKED, said.by, here)
    newer = stands.ledger.named(rule.by or "")
    own = stands.rows.own.get(rule.id)
    decided = own is not None and own.successor == rule.by
    if newer is not None and rule.state is RuleState.SUPERSEDED and not decided:
        time = times.get(newer.message or "", newer.time)
        what = f"by {newer.id}: {newer.text}"
        yield Event(time, "superseded", rule.state, newer.message, here, what)


def _deeds(steps: Iterable[StoredChange]) -> Iterator[Event]:
    """What a person did by hand, and took back."""
    for step in steps:
        time = _time(step.time)
        yield Event(time, step.verb, _state(step.after), None, step.made, _detail(step))
        if step.undone is not None:
            yield Event(
                _time(step.undone), UNDO, _state(step.before), None, step.made, f"of {step.verb}"
            )


def _held(deeds: Iterable[Event], time: datetime | None) -> bool:
    """Whether a person had confirmed the rule by `time`, and not ended it."""
    state = None
    for deed in deeds:
        if time is not None and deed.time is not None and deed.time <= time:
            state = deed.state
    return state is RuleState.ACTIVE


def _detail(step: StoredChange) -> str:
    before, after = step.before, step.after
    if after is None:
        return "holds as in its own session"
    if after.successor is not None and (before is None or before.successor != after.successor):
        return f"by {after.successor}"
    if before is None:
        return "for this session only" if after.origin is not None else ""
    if before.text != after.text:
        return f"before: {before.text}"
    if before.scope != after.scope:
        return f"{before.scope} -> {after.scope}"
    return "for this session only" if after.origin is not None else ""


def _state(row: StoredRule | None) -> RuleState | None:
    try:
        return RuleState(row.state) if row is not None else None
    except ValueError:
        return None


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
