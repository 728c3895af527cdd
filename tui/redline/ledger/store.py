"""The ledger of a session: what was detected, merged with what a person decided."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from redline.database import Database
from redline.errors import RedlineError
from redline.ledger.detect import family_of, normal, rule_id, stated
from redline.ledger.masking import mask
from redline.ledger.objects import about
from redline.ledger.restated import with_restatements
from redline.ledger.rows import Changes, RuleRows
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState, Scope
from redline.ledger.scope import scope_of
from redline.ledger.sentences import Sentence
from redline.ledger.standing import Detected, Standing, from_elsewhere, standing
from redline.model import Session, SessionInfo
from redline.redaction import redact
from redline.stored import SessionKey, StoredRule
from redline.text import plain

if TYPE_CHECKING:
    from redline.ledger.history import Event

_ID = re.compile(r"r[0-9a-f]{4,8}")  # words that can only be meant as the id of a rule


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What `undo` took back: the verb of the step, the ids of its rules, the ledger after it."""

    verb: str
    rules: tuple[str, ...]
    ledger: Ledger


class LedgerStore:
    """Loads and changes ledgers. Every change is stored at once, whole, and gives the new ledger.

    A decision outlives the detection: a rule that was confirmed, edited or added stays, also when
    its sentence is not found any more. No words of a later message end a confirmed rule by
    themselves; what they may mean is shown, and a person decides:

    * words that lift it and name just what it is about leave it ACTIVE, and `may_be_lifted` names
      their message, until it is revoked or confirmed again;
    * a rule that asks the opposite, or says it anew, makes it SUPERSEDED once that rule is
      confirmed; until then the newer one is proposed as its replacement.

    What was known when a rule was confirmed again is not held against it a second time, only newer
    words are. A rule that only waits for a decision is revoked or replaced by newer words at once.

    No secret is stored in the words of a rule, or shown in them.

    An active rule of scope PROJECT holds in every other session of its project. There it is ACTIVE
    with its `origin`; what is decided about it is decided where it lies, only `dismiss` says that
    it is no rule for this one session. Words of a session may lift it for that session only.
    """

    def __init__(self, database: Database, now: Callable[[], datetime] = _now) -> None:
        self._rows = RuleRows(database)
        self._now = now

    def load(self, session: Session) -> Ledger:
        """The ledger of `session` as it stands. What its words ended since is noted, so that other
        sessions of the project know; nothing else is stored."""
        stands = self._stand(session)
        if (news := stands.news()) and session.asked_leaf is None and session.before is None:
            with suppress(RedlineError):  # a ledger that cannot be written can still be read
                self._rows.note(stands.key, news)
        return stands.ledger

    def confirm(self, session: Session, ids: Iterable[str]) -> Ledger:
        """Make rules ACTIVE, whatever they were; one that `replaces` another supersedes it. Raises
        RedlineError for an id nobody knows."""
        names = tuple(ids)

        def made(stands: Standing) -> Changes:
            rules = _all_named(stands.ledger, names)
            return _together(_confirmed(stands, rule, rules) for rule in rules)

        return self._change(session, "confirm", made)

    def dismiss(self, session: Session, ids: Iterable[str]) -> Ledger:
        """Mark rules as none. They are not proposed again."""
        return self._decide(session, "dismiss", ids, RuleState.DISMISSED)

    def revoke(self, session: Session, ids: Iterable[str]) -> Ledger:
        """End rules that were meant, but do not hold any more."""
        return self._decide(session, "revoke", ids, RuleState.REVOKED)

    def edit(self, session: Session, id: str, text: str) -> Ledger:  # noqa: A002
        """Give a rule another wording. Its id and its state stay."""
        wording = _wording(text)

        def made(stands: Standing) -> Changes:
            rule = named(stands.ledger, id)
            if rule.text == wording:
                return {}
            return stands.reworded(replace(rule, text=wording, edited=True))

        return self._change(session, "edit", made)

    def rescope(self, session: Session, ids: Iterable[str], scope: Scope) -> Ledger:
        """Let rules hold for the session they were said in only, or for its project."""
        names = tuple(ids)

        def made(stands: Standing) -> Changes:
            rules = _all_named(stands.ledger, names)
            other = [replace(rule, scope=scope) for rule in rules if rule.scope is not scope]
            return _together(map(stands.reworded, other))

        return self._change(session, "scope", made)

    def add(self, session: Session, text: str) -> Ledger:
        """Add a rule by hand, ACTIVE. One that is there in the same words is confirmed."""
        wording = _wording(text)
        return self._change(session, "add", lambda stands: _added(session, stands, wording)[1])

    def supersede(self, session: Session, old: str, new: str) -> Ledger:
        """Let the rule `old` be replaced by the rule with the id `new`, which becomes ACTIVE, or by
        a new rule with the words `new`."""

        def made(stands: Standing) -> Changes:
            older = named(stands.ledger, old)
            newer, changes = _named_or_added(session, stands, new)
            if newer.id == older.id:
                raise RedlineError("a rule cannot replace itself", "`edit` gives it other words")
            whole = replace(stands, ledger=Ledger((*stands.ledger.rules, newer)))
            ended = whole.decided(older, RuleState.SUPERSEDED, successor=newer.id)
            return _together((changes, ended))

        return self._change(session, "supersede", made)

    def undo(self, session: Session) -> TakenBack:
        """Take back the last step that was made from this session or changed one of its rules.
        Raises RedlineError where there is none, or its rules were changed from another session."""
        key, project = key_of(session), project_of(session)
        if not self._rows.stepped(key):
            raise _nothing()
        detected = self._detected(session)
        with self._rows.changing(key, project) as change:
            step = change.last_step()
            if not step:
                raise _nothing()
            for one in step:
                if _bare(change.now(one)) != _bare(one.after):
                    raise RedlineError(
                        f"the rule {one.id} was changed from another session since then",
                        "take that back there first",
                        status=1,
                    )
            change.take_back(step, self._time())
            stands = standing(session, key, project, detected, change.rows())
        ids = tuple(dict.fromkeys(one.id for one in step))
        return TakenBack(step[0].verb, ids, stands.ledger)

    def history(self, session: Session, id: str) -> tuple[Event, ...]:  # noqa: A002
        """What happened to a rule, oldest first, each with its cause. Raises RedlineError."""
        from redline.ledger.history import events

        stands = self._stand(session)
        rule = named(stands.ledger, id)
        return events(session, stands, rule, self._rows.steps(rule.id))

    # -- steps ---------------------------------------------------------------------------------

    def _decide(self, session: Session, verb: str, ids: Iterable[str], state: RuleState) -> Ledger:
        names = tuple(ids)

        def made(stands: Standing) -> Changes:
            rules = _all_named(stands.ledger, names)
            return _together(stands.decided(rule, state) for rule in rules)

        return self._change(session, verb, made)

    def _change(self, session: Session, verb: str, made: Callable[[Standing], Changes]) -> Ledger:
        """The ledger after one step. What another redline stored meanwhile is read again first, so
        that of two steps at once none is lost."""
        key, project = key_of(session), project_of(session)
        rows = self._rows.of(key, project)
        detected = self._detected(session)
        stands = standing(session, key, project, detected, rows)
        if not _differing(stands, made(stands)):  # an unknown id is refused before anything is made
            return stands.ledger
        with self._rows.changing(key, project) as change:
            stands = standing(session, key, project, detected, change.rows())
            if differing := _differing(stands, made(stands)):
                change.save(verb, self._time(), differing)
                stands = standing(session, key, project, detected, change.rows())
        return stands.ledger

    def _stand(self, session: Session) -> Standing:
        key, project = key_of(session), project_of(session)
        rows = self._rows.of(key, project)
        return standing(session, key, project, self._detected(session, from_elsewhere(rows)), rows)

    def _detected(self, session: Session, known: list[Rule] | None = None) -> Detected:
        if known is None:
            known = from_elsewhere(self._rows.of(key_of(session), project_of(session)))
        given = [replace(rule, origin=None) for rule in known]
        return Detected(stated(session, given), frozenset(rule.id for rule in given))

    def _time(self) -> str:
        return self._now().isoformat()


def named(ledger: Ledger, name: str) -> Rule:
    """The rule with this id, or with the only id that starts so. Raises RedlineError."""
    found = [rule for rule in ledger.rules if rule.id == name]
    found = found or [rule for rule in ledger.rules if name and rule.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise RedlineError(
            f"{len(found)} rules have an id that starts with {name}",
            f"rules: {', '.join(rule.id for rule in found)}",
        )
    raise RedlineError(
        f"there is no rule {name!r} in this session", "`redline rules SESSION` lists them"
    )


def key_of(session: Session) -> SessionKey:
    """Under which key the rules of a session are stored, for all of its views."""
    return SessionKey(session.info.agent.value, session.info.id)


def project_of(session: Session) -> str | None:
    """The folder whose sessions share their rules, None where the session names none."""
    return project_of_info(session.info)


def project_of_info(info: SessionInfo) -> str | None:
    """As `project_of`, for a session that is not opened."""
    known = info.project is not None and os.path.isabs(info.project)
    return os.path.normpath(info.project or "") if known else None


def _all_named(ledger: Ledger, names: Iterable[str]) -> list[Rule]:
    return list({rule.id: rule for rule in (named(ledger, name) for name in names)}.values())


def _confirmed(stands: Standing, rule: Rule, along: list[Rule]) -> Changes:
    """The rows of a confirmed rule, and of the one it takes the place of where that is not
    confirmed `along` with it."""
    older = stands.ledger.named(rule.replaces or "")
    if older is None or older in along:
        return stands.decided(rule, RuleState.ACTIVE)
    ended = stands.decided(older, RuleState.SUPERSEDED, successor=rule.id)
    return _together((stands.decided(rule, RuleState.ACTIVE), ended))


def _named_or_added(session: Session, stands: Standing, words: str) -> tuple[Rule, Changes]:
    """The rule that `words` name, else one that is added in these words."""
    if _ID.fullmatch(words) or any(rule.id == words for rule in stands.ledger.rules):
        rule = named(stands.ledger, words)
        return rule, stands.decided(rule, RuleState.ACTIVE)
    return _added(session, stands, _wording(words))


def _added(session: Session, stands: Standing, wording: str) -> tuple[Rule, Changes]:
    """A rule in these words, ACTIVE: one that is there, else a new one, which takes the place of
    what it says anew."""
    for rule in stands.ledger.rules:
        if normal(rule.text) == normal(wording):
            return rule, _confirmed(stands, rule, [])
    masked = mask(wording)
    rule = Rule(
        id=rule_id(session.info.agent, session.info.id, None, wording),
        text=wording,
        family=family_of(Sentence(wording, masked.strip() or wording)) or RuleFamily.REQUIRE,
        state=RuleState.PROPOSED,
        scope=scope_of(wording),
        objects=about(wording, masked, against=False).order,
    )
    known = with_restatements((*stands.ledger.rules, rule), {})
    return rule, _confirmed(replace(stands, ledger=Ledger(tuple(known))), known[-1], [])


def _together(changes: Iterable[Changes]) -> Changes:
    whole: dict[tuple[SessionKey, str], StoredRule | None] = {}
    for one in changes:
        whole |= one
    return whole


def _differing(stands: Standing, changes: Changes) -> Changes:
    """Those of `changes` that change something."""

    def there(place: tuple[SessionKey, str]) -> StoredRule | None:
        key, name = place
        return stands.rows.own.get(name) if key == stands.key else stands.rows.elsewhere[name][1]

    return {place: row for place, row in changes.items() if row != there(place)}


def _bare(row: StoredRule | None) -> StoredRule | None:
    """`row` without what is noted of it and nobody decided."""
    return row if row is None else replace(row, ended=None, project=None)


def _wording(text: str) -> str:
    """A rule as a person typed it, on one line, without secrets and what cannot be seen."""
    wording = redact(" ".join(plain(text).split())).text
    if not wording:
        raise RedlineError("a rule needs words", "dismiss it instead, to be rid of it")
    return wording


def _nothing() -> RedlineError:
    return RedlineError("there is nothing to take back in this ledger", status=1)
