"""The ledger of a session: what was detected, merged with what a person decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from redline.database import Database
from redline.errors import RedlineError
from redline.ledger.detect import detect, family_of, normal, rule_id
from redline.ledger.masking import mask
from redline.ledger.objects import about
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState, Scope
from redline.ledger.scope import scope_of
from redline.ledger.sentences import Sentence
from redline.model import Session
from redline.stored import SessionKey, StoredRule


class LedgerStore:
    """Loads and changes ledgers. Every change is stored at once and gives the new ledger.

    A decision outlives the detection: a rule that was confirmed, edited or added stays, also when
    its sentence is not found any more. A later message can end a confirmed rule in two ways:

    * words that lift it and name one of its objects make it REVOKED;
    * a rule that asks the opposite makes it SUPERSEDED, but only once that rule is confirmed.

    Both are undone by confirming the rule again: what was known then does not end it a second time,
    only newer words do.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def load(self, session: Session) -> Ledger:
        """The ledger of `session` as it stands."""
        return self._load(session)[0]

    def confirm(self, session: Session, ids: Iterable[str]) -> Ledger:
        """Make rules ACTIVE, whatever they were. Raises RedlineError for an id nobody knows."""
        return self._decide(session, ids, RuleState.ACTIVE)

    def dismiss(self, session: Session, ids: Iterable[str]) -> Ledger:
        """Mark rules as none. They are not proposed again."""
        return self._decide(session, ids, RuleState.DISMISSED)

    def revoke(self, session: Session, ids: Iterable[str]) -> Ledger:
        """End rules that were meant, but do not hold any more."""
        return self._decide(session, ids, RuleState.REVOKED)

    def edit(self, session: Session, id: str, text: str) -> Ledger:  # noqa: A002
        """Give a rule another wording. Its id and its state stay."""
        wording = _wording(text)
        ledger, detected, stored = self._load(session)
        rule = _named(ledger, id)
        known = stored.get(rule.id)
        state = known.state if known else RuleState.PROPOSED.value
        changed = replace(rule, text=wording, edited=True)
        row = _row(changed, RuleState(state), detected.get(rule.id), known)
        # Another wording is no new decision: what has ended the rule since then still ends it.
        self._save(session, [replace(row, by=known.by) if known else row])
        return self.load(session)

    def add(self, session: Session, text: str) -> Ledger:
        """Add a rule by hand, ACTIVE. One that was detected in the same words is confirmed."""
        wording = _wording(text)
        ledger = self.load(session)
        for rule in ledger.rules:
            if normal(rule.text) == normal(wording):
                return self.confirm(session, [rule.id])
        masked = mask(wording).strip() or wording
        family = family_of(Sentence(wording, masked)) or RuleFamily.REQUIRE
        rule = Rule(
            id=rule_id(session.info.agent, session.info.id, None, wording),
            text=wording,
            family=family,
            state=RuleState.ACTIVE,
            scope=scope_of(wording),
            objects=about(wording, mask(wording), against=False).order,
        )
        self._save(session, [_row(rule, RuleState.ACTIVE, None, None)])
        return self.load(session)

    def _decide(self, session: Session, ids: Iterable[str], state: RuleState) -> Ledger:
        ledger, detected, stored = self._load(session)
        rules = [_named(ledger, name) for name in ids]
        if not rules:
            return ledger
        self._save(
            session,
            [_row(rule, state, detected.get(rule.id), stored.get(rule.id)) for rule in rules],
        )
        return self.load(session)

    def _save(self, session: Session, rows: Iterable[StoredRule]) -> None:
        self._database.save_rules(_key(session), rows)

    def _load(
        self, session: Session
    ) -> tuple[Ledger, Mapping[str, Rule], Mapping[str, StoredRule]]:
        stored = {row.id: row for row in self._database.rules(_key(session))}
        detected = {rule.id: rule for rule in _adopted(detect(session).rules, stored)}
        rules = [_merged(rule, stored.get(name)) for name, rule in detected.items()]
        rules += [_restored(row) for name, row in stored.items() if name not in detected]
        states = {rule.id: rule.state for rule in rules}
        rules = [
            _settled(rule, detected.get(rule.id), stored.get(rule.id), states) for rule in rules
        ]
        return Ledger(tuple(rules)), detected, stored


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
    merged = replace(rule, text=text, edited=row.edited)
    match decided:
        case RuleState.ACTIVE if rule.state is RuleState.REVOKED and rule.by != row.by:
            return merged
        case RuleState.ACTIVE:
            return replace(merged, state=RuleState.ACTIVE)
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
    nothing that was confirmed."""
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
        scope=Scope.SESSION if row.scope == Scope.SESSION.value else Scope.PROJECT,
        message=row.message,
        time=_time(row.time),
        objects=row.objects,
        edited=row.edited,
    )


def _row(
    rule: Rule, state: RuleState, detected: Rule | None, known: StoredRule | None
) -> StoredRule:
    """The row of a decision; it remembers what had ended the rule when it was made."""
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
    )


def _named(ledger: Ledger, name: str) -> Rule:
    """The rule with this id, or with the only id that starts so."""
    found = [rule for rule in ledger.rules if rule.id == name]
    found = found or [rule for rule in ledger.rules if name and rule.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise RedlineError(f"{len(found)} rules have an id that starts with {name}")
    raise RedlineError(f"there is no rule {name} in this session", "`redline rules` lists them")


def _wording(text: str) -> str:
    wording = " ".join(text.split())
    if not wording:
        raise RedlineError("a rule needs words", "dismiss it instead, to be rid of it")
    return wording


def _key(session: Session) -> SessionKey:
    return SessionKey(session.info.agent.value, session.info.id)


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


def _time(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
