"""What is done with rules on a screen: the keys, what they ask for, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from redline.ledger.rule import Ledger, Scope
from redline.ledger.store import LedgerStore, named
from redline.model import Session
from redline.ui.desk_panes import RulesPane
from redline.ui.dialogs import Ask
from redline.ui.screen import RedlineScreen, T

Step = Callable[[LedgerStore, Session, str], Ledger]


class RulesAsking(RedlineScreen[T]):
    """The part of a screen that answers a pane of rules. It says in `rule_step` which session's
    ledger a step goes to; the steps themselves are the same everywhere."""

    def rule_step(self, rule: str, verb: str, step: Step) -> None:
        """Carries out `step` on the rule with the id `rule` ("": on none) and shows the ledger."""
        raise NotImplementedError

    def on_rules_pane_asked(self, event: RulesPane.Asked) -> None:
        rule, verb = event.rule, event.verb
        decide = partial(self.rule_step, rule, verb)
        match verb:
            case "confirm":
                decide(lambda store, session, name: store.confirm(session, [name]))
            case "dismiss":
                decide(lambda store, session, name: store.dismiss(session, [name]))
            case "revoke":
                decide(lambda store, session, name: store.revoke(session, [name]))
            case "scope":
                decide(_other_scope)
            case "undo":
                decide(_taken_back)
            case "edit":
                self._word("Word the rule", event.text, "enter stores it", decide, LedgerStore.edit)
            case "supersede":
                hint = "the words or the id of the rule that takes its place; enter replaces it"
                self._word("Replace the rule", event.text, hint, decide, LedgerStore.supersede)
            case "add":
                self._word("Add a rule", "", "enter stores it", decide, _added)

    def _word(
        self,
        title: str,
        text: str,
        hint: str,
        decide: Callable[[Step], None],
        change: Callable[[LedgerStore, Session, str, str], Ledger],
    ) -> None:
        """Asks for words, and changes the rule with them."""

        def answered(answer: str | None) -> None:
            words = (answer or "").strip()
            if words and words != text.strip():
                decide(lambda store, session, name: change(store, session, name, words))

        ask: Any = Ask(title, text, f"{hint}, esc leaves it")
        self.app.push_screen(ask, answered)


def _added(store: LedgerStore, session: Session, _rule: str, words: str) -> Ledger:
    return store.add(session, words)


def _taken_back(store: LedgerStore, session: Session, _rule: str) -> Ledger:
    return store.undo(session).ledger


def _other_scope(store: LedgerStore, session: Session, name: str) -> Ledger:
    """The rule holds for its session only, or else for the project."""
    rule = named(store.load(session), name)
    scope = Scope.SESSION if rule.scope is Scope.PROJECT else Scope.PROJECT
    return store.rescope(session, [name], scope)
