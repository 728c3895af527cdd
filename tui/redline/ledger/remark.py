"""What is to be said of a rule beside its words."""

from __future__ import annotations

from redline.ledger.rule import Rule, RuleState, Scope


def remarks(rule: Rule) -> tuple[str, ...]:
    """Who replaced it and what changed, what it is to replace, for whom it holds, where it comes
    from: each in a few words, empty for a rule that needs none."""
    told: list[str] = []
    if rule.by is not None:
        what = "replaced" if rule.state is RuleState.SUPERSEDED else "ended"
        told.append(_with(f"{what} by {rule.by}", rule.changed))
    if rule.replaces is not None:
        told.append(_with(f"replaces {rule.replaces} once confirmed", rule.changed))
    elif rule.may_replace is not None:
        told.append(_with(f"may replace {rule.may_replace}", rule.changed))
    if rule.scope is Scope.SESSION:
        told.append("this session only")
    if rule.origin is not None:
        told.append(f"from session {rule.origin.session[:8]}")
    return tuple(told)


def _with(words: str, changed: str) -> str:
    return f"{words}: {changed}" if changed else words
