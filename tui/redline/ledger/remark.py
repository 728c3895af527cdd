"""What is to be said of a rule beside its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from redline.ledger.rule import Ledger, Rule, RuleState, Scope


def remarks(rule: Rule, name: Callable[[str], str] = str) -> tuple[str, ...]:
    """Who replaced it and what changed, what it is to replace, what may lift it, for whom it
    holds, where it comes from: each in a few words, none for a rule that needs none. `name` gives
    what a rule or message with an id is called."""
    told: list[str] = []
    if rule.by is not None:
        what = "replaced" if rule.state is RuleState.SUPERSEDED else "ended"
        told.append(_with(f"{what} by {name(rule.by)}", rule.changed))
    if rule.replaces is not None:
        told.append(_with(f"replaces {name(rule.replaces)} once confirmed", rule.changed))
    elif rule.may_replace is not None:
        told.append(_with(f"may replace {name(rule.may_replace)}", rule.changed))
    if rule.may_be_lifted is not None:
        called = name(rule.may_be_lifted)
        message = f"message {called}" if called == rule.may_be_lifted else called
        told.append(f"{message} may lift it: revoke it, or confirm it to keep it")
    if rule.scope is Scope.SESSION:
        told.append("this session only")
    if rule.origin is not None:
        told.append(f"from session {rule.origin.session[:8]}")
    return tuple(told)


def replacements(before: Ledger, after: Ledger) -> Iterator[tuple[Rule, Rule]]:
    """The rules that a step has replaced, each with the one that took its place."""
    for rule in after.in_state(RuleState.SUPERSEDED):
        known, newer = before.named(rule.id), after.named(rule.by or "")
        if newer is not None and (known is None or known.by != rule.by):
            yield rule, newer


def differing(before: Ledger, after: Ledger) -> tuple[Rule, ...]:
    """The rules that a step has changed, as they were and as they are."""
    gone = [rule for rule in before.rules if after.named(rule.id) != rule]
    return (*gone, *(rule for rule in after.rules if before.named(rule.id) != rule))


def _with(words: str, changed: str) -> str:
    return f"{changed}, {words}" if changed else words
