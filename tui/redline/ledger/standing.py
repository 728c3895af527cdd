"""How the rules of a session stand: what was detected, merged with what was decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from redline.ledger.detect import normal
from redline.ledger.restated import with_restatements
from redline.ledger.rows import Changes, Rows
from redline.ledger.rule import Elsewhere, Ledger, Rule, RuleFamily, RuleState, Scope
from redline.model import Session
from redline.stored import SessionKey, StoredRule

_OPEN = (RuleState.ACTIVE, RuleState.PROPOSED)


@dataclass(frozen=True, slots=True)
class Standing:
    """The ledger of a session with what it is made of, so that a decision can be stored."""

    key: SessionKey
    project: str | None
    ledger: Ledger
    detected: Mapping[str, Rule]
    rows: Rows

    def decided(self, rule: Rule, state: RuleState, *, successor: str | None = None) -> Changes:
        """The rows of a decision: about a rule of another session there, where it lies, but that it
        is none here, or is replaced by a rule for this session only, is decided here."""
        elsewhere = self.rows.elsewhere.get(rule.id)
        if elsewhere is None:
            return {(self.key, rule.id): self.row(rule, state, successor=successor)}
        key, row = elsewhere
        newer = self.ledger.named(successor) if successor else None
        own = newer is not None and newer.scope is Scope.SESSION and newer.origin is None
        said = self.detected.get(rule.id)
        by = said.by if said is not None else None
        here = replace(
            row,
            state=state.value,
            by=by,
            successor=successor,
            project=None,
            ended=None,
            origin=f"{key.agent} {key.session}",
        )
        match state:
            case RuleState.DISMISSED:
                return {(self.key, rule.id): here}
            case RuleState.SUPERSEDED if own:
                return {(self.key, rule.id): here}
            case RuleState.ACTIVE:
                mine: Changes = {(self.key, rule.id): here if by is not None else None}
                if row.state == RuleState.ACTIVE.value:
                    return mine
                return {**mine, (key, rule.id): replace(row, state=state.value, successor=None)}
            case RuleState.REVOKED:
                return {(self.key, rule.id): here, (key, rule.id): replace(row, state=state.value)}
            case _:
                return {(key, rule.id): replace(row, state=state.value, successor=successor)}

    def reworded(self, rule: Rule) -> Changes:
        """The rows of a rule with other words or another scope. That is no new decision: what has
        ended the rule since then still ends it."""
        elsewhere = self.rows.elsewhere.get(rule.id)
        if elsewhere is not None:
            key, row = elsewhere
            return {(key, rule.id): replace(row, text=rule.text, scope=rule.scope.value,
                                            edited=rule.edited)}  # fmt: skip
        known = self.rows.own.get(rule.id)
        state = RuleState(known.state) if known else RuleState.PROPOSED
        row = self.row(rule, state, successor=known.successor if known else None)
        return {(self.key, rule.id): replace(row, by=known.by, ended=known.ended) if known else row}

    def row(self, rule: Rule, state: RuleState, *, successor: str | None = None) -> StoredRule:
        """The row of a decision; it remembers what had ended the rule when it was made."""
        detected, known = self.detected.get(rule.id), self.rows.own.get(rule.id)
        said = detected.text if detected else known.said if known else rule.text
        by = detected.by if detected else known.by if known else None
        return StoredRule(
            id=rule.id,
            text=rule.text,
            said=said,
            family=rule.family.value,
            state=state.value,
            scope=rule.scope.value,
            message=rule.message,
            time=rule.time.isoformat() if rule.time else None,
            objects=rule.objects,
            by=by,
            edited=rule.edited,
            project=self.project,
            successor=successor,
        )

    def news(self) -> dict[str, StoredRule]:
        """The session's own rows with what became known of them: which words ended a rule that is
        decided to be active, so that it holds in no other session either."""
        changed = {}
        stands = {rule.id: rule for rule in self.ledger.rules}
        for name, row in self.rows.own.items():
            rule = stands.get(name)
            if rule is None or row.origin is not None:
                continue
            over = rule.state not in _OPEN and row.state == RuleState.ACTIVE.value
            ended = (rule.by or "") if over else None
            project = row.project or self.project
            if (ended, project) != (row.ended, row.project):
                changed[name] = replace(row, ended=ended, project=project)
        return changed


@dataclass(frozen=True, slots=True)
class Detected:
    """What a session says: its rules in order, and what its words did to those it was given, which
    `given` names."""

    rules: tuple[Rule, ...]
    given: frozenset[str] = frozenset()


def standing(
    session: Session, key: SessionKey, project: str | None, detected: Detected, rows: Rows
) -> Standing:
    """How the rules stand by what the session says and by what is stored."""
    own = {name: row for name, row in rows.own.items() if row.origin is None}
    known = {rule.id: rule for rule in from_elsewhere(rows)}
    said = [rule for rule in detected.rules if rule.id in known or rule.id not in detected.given]
    found = {rule.id: rule for rule in _adopted(said, own)}
    rules = [
        _holding(session, rule, rows.elsewhere[name][1], found.get(name), rows.own.get(name))
        for name, rule in known.items()
    ]
    rules += [_merged(rule, own.get(name)) for name, rule in found.items() if name not in known]
    rules += [_restored(row) for name, row in own.items() if name not in found]
    rules += [
        _gone(row)
        for name, row in rows.own.items()
        if name not in own and name not in known and row.state == RuleState.REVOKED.value
    ]
    states = {rule.id: rule.state for rule in rules}
    held = {name: row for name, (_, row) in rows.elsewhere.items()} | dict(rows.own)
    rules = [_settled(rule, found.get(rule.id), held.get(rule.id), states) for rule in rules]
    opposed = {
        rule.id: rule.by
        for rule in found.values()
        if rule.state is RuleState.SUPERSEDED and rule.by is not None
    }
    return Standing(key, project, Ledger(tuple(with_restatements(rules, opposed))), found, rows)


def from_elsewhere(rows: Rows) -> list[Rule]:
    """The rules that hold from other sessions of the project. One that this session has decided
    about in the same words is its own."""
    said = {normal(row.said): name for name, row in rows.own.items() if row.origin is None}
    said |= {normal(row.text): name for name, row in rows.own.items() if row.origin is None}
    held: dict[str, Rule] = {}
    for name, (key, row) in rows.elsewhere.items():
        words = normal(row.text)
        if name in rows.own and rows.own[name].origin is None:
            continue
        if said.get(words, name) == name and words not in held:
            origin = Elsewhere(key.agent, key.session, row.message)
            held[words] = replace(_restored(row), message=None, origin=origin)
    return list(held.values())


def _holding(
    session: Session, rule: Rule, row: StoredRule, said: Rule | None, here: StoredRule | None
) -> Rule:
    """A rule of another session as it stands in this one: `said` is what its words did to it,
    `here` what was decided for this session only."""
    if here is not None and here.state == RuleState.DISMISSED.value:
        return replace(rule, state=RuleState.DISMISSED, by=None)
    if row.successor is not None and rule.state is RuleState.SUPERSEDED:
        return replace(rule, by=row.successor)
    if here is not None and here.state == RuleState.SUPERSEDED.value:
        return replace(rule, state=RuleState.SUPERSEDED, by=here.successor)
    if rule.state is RuleState.ACTIVE and said is not None and said.state is RuleState.REVOKED:
        known = here is not None and here.by == said.by
        if not known and not _earlier(session, said.by, rule.time):
            return replace(rule, may_be_lifted=said.by)
    return rule


def _gone(row: StoredRule) -> Rule:
    """A rule of another session that was revoked from this one, and holds nowhere any more."""
    agent, _, session = (row.origin or "").partition(" ")
    return replace(_restored(row), message=None, origin=Elsewhere(agent, session, row.message))


def _earlier(session: Session, message: str | None, time: datetime | None) -> bool:
    """Whether the message was said before `time`."""
    when = next((found.time for found in session.prompts() if found.id == message), None)
    return when is not None and time is not None and when < time


def _adopted(rules: Iterable[Rule], stored: Mapping[str, StoredRule]) -> list[Rule]:
    """`rules` under the ids of decisions on the same sentence in a message that is not there any
    more: pi gives messages other ids when it migrates a file, and a rewound prompt is said anew."""
    found = list(rules)
    present = {rule.id for rule in found}
    lost = {normal(row.said): row.id for row in stored.values() if row.id not in present}
    names: dict[str, str] = {}
    for rule in found:
        name = lost.pop(normal(rule.text), None) if rule.id not in stored else None
        if name is not None:
            names[rule.id] = name
    return [
        replace(rule, id=names.get(rule.id, rule.id), by=names.get(rule.by or "", rule.by))
        for rule in found
    ]


def _merged(rule: Rule, row: StoredRule | None) -> Rule:
    """A detected rule with what was decided on it, before supersession is settled."""
    if row is None:
        return rule
    decided = _state(row.state)
    text = row.text if row.edited else rule.text
    merged = replace(rule, text=text, edited=row.edited, scope=_scope(row.scope))
    match decided:
        case RuleState.ACTIVE if rule.state is RuleState.REVOKED and rule.by != row.by:
            return replace(merged, state=RuleState.ACTIVE, by=None, may_be_lifted=rule.by)
        case RuleState.ACTIVE:
            return replace(merged, state=RuleState.ACTIVE)
        case RuleState.SUPERSEDED if row.successor is not None:
            return replace(merged, state=decided, by=row.successor)
        case RuleState.DISMISSED | RuleState.REVOKED:
            return replace(merged, state=decided, by=None)
        case _:
            return merged


def _settled(
    rule: Rule,
    detected: Rule | None,
    row: StoredRule | None,
    states: Mapping[str, RuleState],
) -> Rule:
    """`rule` with its supersession: a dismissed rule supersedes nothing, a proposed one supersedes
    nothing that was confirmed but is to replace it."""
    if row is not None and row.successor is not None and rule.state is RuleState.SUPERSEDED:
        if states.get(row.successor) is RuleState.DISMISSED:
            return replace(rule, state=RuleState.PROPOSED, by=None)
        return rule
    if detected is None or detected.state is not RuleState.SUPERSEDED:
        return rule if rule.state is not RuleState.ACTIVE else replace(rule, by=None)
    newer = states.get(detected.by or "", RuleState.DISMISSED)
    if rule.state is RuleState.ACTIVE:
        known = row is not None and row.by == detected.by
        if newer is RuleState.ACTIVE and not known:
            return replace(rule, state=RuleState.SUPERSEDED, by=detected.by)
        return replace(rule, by=None)
    if rule.state is RuleState.SUPERSEDED and newer in (RuleState.DISMISSED, RuleState.REVOKED):
        return replace(rule, state=RuleState.PROPOSED, by=None)
    return rule


def _restored(row: StoredRule) -> Rule:
    """A rule that is only stored: added by hand, or not found in its message any more."""
    return Rule(
        id=row.id,
        text=row.text,
        family=_family(row.family),
        state=_state(row.state),
        scope=_scope(row.scope),
        message=row.message,
        time=_time(row.time),
        objects=row.objects,
        by=row.successor,
        edited=row.edited,
    )


def _state(name: str) -> RuleState:
    try:
        return RuleState(name)
    except ValueError:
        return RuleState.PROPOSED


def _family(name: str) -> RuleFamily:
    try:
        return RuleFamily(name)
    except ValueError:
        return RuleFamily.REQUIRE


def _scope(name: str) -> Scope:
    return Scope.SESSION if name == Scope.SESSION.value else Scope.PROJECT


def _time(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
