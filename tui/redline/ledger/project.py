"""The rules of a project, over all of its sessions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from redline.ledger.detect import normal
from redline.ledger.rule import Ledger, Rule, RuleState
from redline.model import SessionInfo


@dataclass(frozen=True, slots=True)
class ProjectRule:
    """A rule, and the sessions it stands in with the same words and the same state; the first is
    the one whose `rule` this is. `ids` are its ids there."""

    rule: Rule
    sessions: tuple[SessionInfo, ...]
    ids: tuple[str, ...]


@dataclass(slots=True)
class ProjectRules:
    """Collects the ledgers of a project's sessions, one after the other."""

    _found: dict[tuple[str, RuleState], list[tuple[Rule, SessionInfo]]] = field(
        default_factory=dict
    )

    def add(self, info: SessionInfo, ledger: Ledger) -> None:
        """Takes in the rules of a session; again, they take the place of those from before."""
        for place, rules in list(self._found.items()):
            left = [one for one in rules if one[1].id != info.id or one[1].agent != info.agent]
            self._found[place] = left
        for rule in ledger.rules:
            self._found.setdefault((normal(rule.text), rule.state), []).append((rule, info))

    def rules(self) -> tuple[ProjectRule, ...]:
        """The rules by state, those to decide about first; in each in the order they came."""
        made: list[ProjectRule] = []
        for found in self._found.values():
            own = [one for one in found if one[0].origin is None] or found[:1]
            if own:
                ids = tuple(rule.id for rule, _ in own)
                made.append(ProjectRule(own[0][0], tuple(info for _, info in own), ids))
        order = list(RuleState)
        return tuple(sorted(made, key=lambda one: order.index(one.rule.state)))


def project_rules(ledgers: Iterable[tuple[SessionInfo, Ledger]]) -> tuple[ProjectRule, ...]:
    """The rules of all `ledgers`, each wording in each state once."""
    whole = ProjectRules()
    for info, ledger in ledgers:
        whole.add(info, ledger)
    return whole.rules()
