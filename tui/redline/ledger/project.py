"""The rules of a project, over all of its sessions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from redline.ledger.detect import normal
from redline.ledger.rule import Ledger, Rule, RuleState
from redline.model import SessionInfo

Said = tuple[SessionInfo, Rule]


@dataclass(frozen=True, slots=True)
class ProjectRule:
    """A rule, and the sessions it stands in with the same words and in the same state; `rule` is
    the one of the first. `ids` are its ids there. One whose session is not there any more stands
    in the sessions in which it holds."""

    rule: Rule
    sessions: tuple[SessionInfo, ...]
    ids: tuple[str, ...]


@dataclass(slots=True)
class ProjectRules:
    """Collects the ledgers of a project's sessions, one after the other."""

    _ledgers: dict[tuple[str, str], tuple[SessionInfo, Ledger]] = field(default_factory=dict)

    def add(self, info: SessionInfo, ledger: Ledger) -> None:
        """Takes in the rules of a session; they take the place of those from before."""
        self._ledgers[info.agent.value, info.id] = info, ledger

    def rules(self) -> tuple[ProjectRule, ...]:
        """The rules by state, those to decide about first; in each in the order they came."""
        found: dict[tuple[str, RuleState], list[Said]] = {}
        for info, ledger in self._ledgers.values():
            for rule in ledger.rules:
                found.setdefault((normal(rule.text), rule.state), []).append((info, rule))
        made = [_one(said) for said in map(self._own, found.values()) if said]
        order = list(RuleState)
        return tuple(sorted(made, key=lambda one: order.index(one.rule.state)))

    def touched(self, rules: Iterable[Rule]) -> tuple[SessionInfo, ...]:
        """The sessions in which a decision about `rules` may have changed something: those that
        hold one of them, or say the same."""
        words = {normal(rule.text) for rule in rules}
        names = {rule.id for rule in rules}
        return tuple(
            info
            for info, ledger in self._ledgers.values()
            if any(rule.id in names or normal(rule.text) in words for rule in ledger.rules)
        )

    def _own(self, said: list[Said]) -> list[Said]:
        """Without the rules that only hold from another session which is here as well."""
        return [
            (info, rule)
            for info, rule in said
            if rule.origin is None
            or (rule.origin.agent, rule.origin.session) not in self._ledgers
            or rule.state is RuleState.DISMISSED
        ]


def _one(said: list[Said]) -> ProjectRule:
    infos = tuple(info for info, _ in said)
    return ProjectRule(said[0][1], infos, tuple(rule.id for _, rule in said))


def project_rules(ledgers: Iterable[tuple[SessionInfo, Ledger]]) -> tuple[ProjectRule, ...]:
    """The rules of all `ledgers`, each wording in each state once."""
    whole = ProjectRules()
    for info, ledger in ledgers:
        whole.add(info, ledger)
    return whole.rules()
