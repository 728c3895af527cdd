"""A handoff of both: what the session tells by itself, and what a writer wrote.

Rules, files, errors, identifiers and the user's words are the session's, whatever a writer says of
them; a writer fills the sections that need judgement.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from redline.facts.fact import Facts
from redline.handoff.finished import with_marks
from redline.handoff.handoff import Decision, Handoff
from redline.handoff.json_form import shortened
from redline.handoff.markdown import carry_sources
from redline.handoff.offline import without_secrets
from redline.handoff.writers.answer import Prose
from redline.redaction import redact

_TAKEN_UP = "The summary before this one is worked into the sections above."


def composed(base: Handoff, prose: Prose, facts: Facts) -> Handoff:
    """`base`, as the offline writer gives it, with `prose` where it says something; a next step
    that the session shows as finished says so."""
    todos = {_same(todo.text) for todo in facts.todos}
    retold = {_same(fact.text) for fact in facts.decisions if not fact.by_user}
    evidence = [item for item in base.done if _same(item) not in todos]
    stated = [
        decision
        for decision in base.decisions
        if not prose.decisions or _same(decision.content) not in retold
    ]
    written = replace(
        base,
        goal=shortened(" ".join(_first_line(prose.goal).split())) or base.goal,
        done=_joined(prose.done, evidence if prose.done else base.done),
        current_state=prose.current_state or base.current_state,
        next_plan=prose.next_plan if "next_plan" in prose.found else base.next_plan,
        decisions=_decisions(prose.decisions, stated),
        rejected=_joined(prose.rejected, base.rejected),
        blocked=_joined(prose.blocked, base.blocked),
        open_questions=prose.open_questions or base.open_questions,
        previous=_TAKEN_UP if base.previous and prose.current_state else base.previous,
    )
    return with_marks(carry_sources(without_secrets(replace(written, sources={})), base), facts)


def _first_line(text: str) -> str:
    return next((line.strip("-*• \t") for line in text.split("\n") if line.strip()), "")


def _joined(first: Iterable[str], then: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for item in (*first, *then):
        found.setdefault(_same(item), item)
    return tuple(found.values())


def _decisions(first: Iterable[Decision], then: Iterable[Decision]) -> tuple[Decision, ...]:
    found: dict[str, Decision] = {}
    for decision in (*first, *then):
        found.setdefault(_same(decision.content), decision)
    return tuple(found.values())


def _same(text: str) -> str:
    """Two texts with the same answer say the same, but for case, white space and a full stop."""
    return " ".join(redact(text).text.casefold().split()).rstrip(".。")
