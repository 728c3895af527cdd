"""The audit of a handoff: what of all that matters the next window will hold.

That is the handoff's text and the messages that stay, as they stay (a cleared or shortened body
does not count). Rules and the user's words count only where they have their authority: in the
handoff and in kept prompts, never in what a tool printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from redline.compaction.plan import Action, Plan
from redline.facts.fact import Facts
from redline.handoff.asked import Asked, Thing, Until
from redline.handoff.audit import Audit, AuditClass, AuditItem, Verdict
from redline.handoff.judging import judged
from redline.handoff.survivors import HANDOFF, Survivors, survivors
from redline.ledger.rule import Ledger, Rule, RuleState
from redline.model import Part, Session

_FOUND = 300  # characters of the line a verdict rests on
_LIVE = (RuleState.ACTIVE, RuleState.PROPOSED)
_VERDICTS = {verdict: place for place, verdict in enumerate(Verdict)}
_CLASSES = {cls: place for place, cls in enumerate(AuditClass)}


def audit(session: Session, plan: Plan | None, text: str, ledger: Ledger, facts: Facts) -> Audit:
    """What of the ledger and the facts the handoff `text` (Markdown, as edited) and the kept
    messages of `plan` (None: nothing is kept) hold. Raises RedlineError where the session's file
    has changed under it."""
    messages = plan.outline.messages if plan is not None else ()

    def stays(index: int, part: Part) -> bool:
        return plan is not None and plan.action_of(index, part.index) is Action.KEEP

    kept = [(i, message) for i, message in enumerate(messages)]
    left = survivors(session, HANDOFF, text, kept, stays)
    return Audit(HANDOFF, sorted_items(items_of(left, Asked(ledger, facts))))


def sorted_items(items: Iterable[AuditItem]) -> tuple[AuditItem, ...]:
    """Worst first, in it what is required first."""
    return tuple(
        sorted(items, key=lambda i: (_VERDICTS[i.verdict], not i.required, _CLASSES[i.cls]))
    )


def items_of(
    left: Survivors,
    asked: Asked,
    until: Until | None = None,
    lost: Callable[[Thing], bool] = lambda _: False,
) -> Iterator[AuditItem]:
    """Every item once. `until` limits them to what comes from before a boundary: an error that was
    resolved later was open then, a rule that was replaced later still held. `lost` says what was
    lost before."""
    rules = {rule.id: rule for rule in asked.ledger.rules}
    for thing in asked.things:
        if until is not None and not any(map(until.holds, thing.mentions)):
            continue
        required = thing.required
        if thing.cls is AuditClass.ERROR:
            required = _is_open(thing, until)
        elif thing.rule is not None and not _in_force(thing.rule, until, rules):
            continue
        finding = judged(left, thing, asked)
        verdict, found, where = finding.verdict, finding.found, finding.where
        if not left.readable and verdict is not Verdict.VERBATIM:
            verdict, found, where = Verdict.UNKNOWN, None, None
        message = thing.message
        if until is not None and not until.holds(message):
            message = next(filter(until.holds, thing.mentions))
        if found is not None and len(found) > _FOUND:
            found = found[: _FOUND - 3] + "..."
        already = verdict is not Verdict.VERBATIM and lost(thing)
        yield AuditItem(thing.cls, thing.text, verdict, message, found, where, required, already)


def _is_open(thing: Thing, until: Until | None) -> bool:
    """Whether an occurrence of an error was not resolved (then)."""
    if until is None:
        return any(resolved is None for _, resolved in thing.resolved)
    return any(
        until.holds(message) and not until.holds(resolved) for message, resolved in thing.resolved
    )


def _in_force(rule: Rule, until: Until | None, rules: dict[str, Rule]) -> bool:
    """Whether a rule holds, or held then: what replaced or revoked it came later."""
    if rule.state in _LIVE:
        return True
    if until is None or rule.by is None:
        return False
    other = rules.get(rule.by)
    return not until.holds(other.message if other is not None else rule.by)
