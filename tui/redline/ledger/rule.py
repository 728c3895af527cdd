"""A rule: a constraint the user stated, with its state and its source."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class RuleState(StrEnum):
    """Found, in force, replaced by a later rule, taken back by the user, no rule at all."""

    PROPOSED = "proposed"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    REVOKED = "revoked"
    DISMISSED = "dismissed"


class RuleFamily(StrEnum):
    """What a rule does (`quality.md` section 6)."""

    PROHIBIT = "prohibit"
    REQUIRE = "require"
    ONLY = "only"
    LIMIT = "limit"
    GATE = "gate"
    PREFER = "prefer"
    PRESERVE = "preserve"


class Scope(StrEnum):
    """Whether a rule holds for the work of its session only, or for the project."""

    SESSION = "session"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The session of the same project that a rule comes from, and the id of the message there, None
    where it was added by hand."""

    agent: str
    session: str
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One constraint in the user's own words.

    `id` is stable from run to run: derived from the session, the message and the text. `objects`
    are the things it is about (paths, identifiers, nouns), lower case. `message` is the id of the
    message it was said in, `None` for one that was added by hand or comes from another session,
    which `origin` names then. `by` is the id of the rule or message that superseded or revoked it.

    `replaces` is the id of an active rule that this proposed one says anew and takes the place of
    once it is confirmed, `may_replace` of one where that is not sure: both stay. `changed` says
    what became of it in the newer one ("port 5432 -> 5433"), on the rule that was superseded and on
    the one that replaces. `may_be_lifted` is the id of a message that names just what this active
    rule is about and lifts it: it stays until a person revokes it, or confirms it once more.
    """

    id: str
    text: str
    family: RuleFamily
    state: RuleState
    scope: Scope = Scope.PROJECT
    message: str | None = None
    time: datetime | None = None
    objects: tuple[str, ...] = ()
    by: str | None = None
    edited: bool = False
    origin: Elsewhere | None = None
    replaces: str | None = None
    may_replace: str | None = None
    changed: str = ""
    may_be_lifted: str | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """All rules of a session in the order they were said, those of other sessions first."""

    rules: tuple[Rule, ...] = ()

    def named(self, id: str) -> Rule | None:  # noqa: A002
        """The rule with this id, None where there is none."""
        return next((rule for rule in self.rules if rule.id == id), None)

    def in_state(self, *states: RuleState) -> tuple[Rule, ...]:
        """The rules in one of `states`, in the order they were stated."""
        return tuple(rule for rule in self.rules if rule.state in states)

    @property
    def active(self) -> tuple[Rule, ...]:
        """What a person confirmed or added: all that goes into rule files."""
        return self.in_state(RuleState.ACTIVE)

    @property
    def proposed(self) -> tuple[Rule, ...]:
        """What was found and waits for a decision."""
        return self.in_state(RuleState.PROPOSED)

    @property
    def ended(self) -> tuple[Rule, ...]:
        """What holds no more: replaced, taken back, or no rule at all."""
        return self.in_state(RuleState.SUPERSEDED, RuleState.REVOKED, RuleState.DISMISSED)

    @property
    def live(self) -> tuple[Rule, ...]:
        """Active and proposed: what a handoff carries."""
        return self.in_state(RuleState.ACTIVE, RuleState.PROPOSED)
