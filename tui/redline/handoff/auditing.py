"""The audit of a handoff, and of what an agent's own compaction left.

Asked is what the next window will hold: the handoff's text and the messages that stay, as they
stay (a cleared or shortened body does not count). Rules and the user's words count only where
they have their authority: in the handoff and in kept prompts, never in what a tool printed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from redline.compaction.plan import Action, Plan
from redline.facts.fact import Facts
from redline.handoff.anchoring import commit_verdict, error_verdict, path_verdict, token_verdict
from redline.handoff.audit import Audit, AuditClass, AuditItem, Verdict
from redline.handoff.survival import Index, Piece, needle
from redline.handoff.verdicts import MISSING, Candidates, Finding, graded, rule_verdict, verbatim
from redline.ledger.rule import Ledger, Rule, RuleState
from redline.model import (
    CompactionKind,
    Kind,
    Message,
    Part,
    PartState,
    PartType,
    PastCompaction,
    Session,
)
from redline.redaction import redact

HANDOFF = "handoff"
# A list of what was lost does not keep it; a rejected or revoked rule is none.
_LOST = re.compile(r"missing|\blost\b|audit|not (?:kept|carried)|left out|缺失|丢失", re.IGNORECASE)
_NOT_IN_FORCE = re.compile(
    r"reject|revoked|superseded|dismissed|no longer|obsolete|dropped|lifted|old rules|"
    r"previous|作废|取消|废弃|不再",
    re.IGNORECASE,
)
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_COPIES = "kept word for word"  # the section of `document.py`
_CLAUSE_TOKENS = 4  # shorter texts are found word for word only where they stand alone


@dataclass
class _Survivors:
    """What is left. `authority` holds rules and prompts, `rest` the bodies of everything that
    stays, read when something is not found in the first. `kept` are (message, part) of prompts
    that stay as they are."""

    subject: str
    authority: list[Piece]
    words: list[Piece]
    rest: Callable[[], Iterable[Piece]]
    kept: frozenset[tuple[str, int]] = frozenset()
    readable: bool = True

    @cached_property
    def rules(self) -> Index:
        return Index.of(self.authority)

    @cached_property
    def near_rules(self) -> Candidates:
        return Candidates.of(self.rules)

    @cached_property
    def text(self) -> Index:
        return Index.of(self.words)

    @cached_property
    def near_text(self) -> Candidates:
        return Candidates.of(self.text)

    @cached_property
    def bodies(self) -> Index:
        return Index.of(self.rest())


def audit(session: Session, plan: Plan | None, text: str, ledger: Ledger, facts: Facts) -> Audit:
    """What of the ledger and the facts the handoff `text` (Markdown, as edited) and the kept
    messages of `plan` (None: nothing is kept) hold. Raises RedlineError where the session's file
    has changed under it."""
    messages = plan.outline.messages if plan is not None else ()

    def stays(index: int, part: Part) -> bool:
        return plan is not None and plan.action_of(index, part.index) is Action.KEEP

    kept = [(i, message) for i, message in enumerate(messages)]
    survivors = _survivors(session, HANDOFF, text, kept, stays)
    return Audit(HANDOFF, _sorted(_items(survivors, ledger, facts)))


def audit_compaction(
    session: Session, compaction: PastCompaction, ledger: Ledger, facts: Facts
) -> Audit:
    """What the agent's own `compaction` left of all that was said and done before it: in its
    summary and in the messages it preserved. `unknown` where the summary cannot be read."""
    before: list[Message] = []
    preserved: list[tuple[int, Message]] = []
    wanted = set(compaction.preserved)
    for number, message in enumerate(session.source.history()):
        if number < compaction.messages_before:
            before.append(message)
        if message.id in wanted:
            preserved.append((number, message))
    ids = {message.id: place for place, message in enumerate(before)}
    text = ""
    readable = True

    def left(part: Part) -> bool:
        return part.type is not PartType.TOOL_RESULT or part.call_id not in cleared

    cleared: set[str] = set()
    if compaction.kind is CompactionKind.MICRO:
        cleared = set(compaction.cleared)
        start = _window_start(session, compaction)

        kept = list(enumerate(before[start:]))
    else:
        summary = compaction.summary
        texts = [p for p in summary.parts if p.type is PartType.TEXT] if summary else []
        text = "\n".join(session.text(part) for part in texts if part.kind is Kind.SUMMARY)
        readable = bool(text.strip())

        kept = preserved
    survivors = _survivors(session, compaction.id, text, kept, lambda _, part: left(part))
    survivors.readable = readable
    if compaction.summary is not None and text:
        survivors.authority = [
            _named(piece, compaction.summary.id) for piece in survivors.authority
        ]
        survivors.words = [_named(piece, compaction.summary.id) for piece in survivors.words]
    past_ledger = Ledger(
        tuple(rule for rule in ledger.rules if rule.message is not None and rule.message in ids)
    )
    return Audit(compaction.id, _sorted(_items(survivors, past_ledger, facts, ids)))


def _named(piece: Piece, where: str) -> Piece:
    return Piece(where, piece.text, piece.markdown) if piece.where == HANDOFF else piece


def _window_start(session: Session, compaction: PastCompaction) -> int:
    """Where the context began that a micro compaction cleared results in."""
    start = 0
    for past in session.compactions:
        if past.id == compaction.id:
            break
        if past.kind is not CompactionKind.MICRO:
            start = past.messages_before
    return start


# -- what survives ---------------------------------------------------------------------------------


def _survivors(
    session: Session,
    subject: str,
    text: str,
    kept: list[tuple[int, Message]],
    stays: Callable[[int, Part], bool],
) -> _Survivors:
    prompts: list[Piece] = []
    places: set[tuple[str, int]] = set()
    others: list[tuple[Message, Part]] = []
    for index, message in kept:
        for part in message.parts:
            if not stays(index, part) or part.state is PartState.CLEARED:
                continue
            if part.type in (PartType.IMAGE, PartType.OPAQUE, PartType.THINKING):
                continue
            if part.kind is Kind.PROMPT:
                places.add((message.id, part.index))
                prompts.append(Piece(message.id, session.text(part)))
            else:
                others.append((message, part))
    in_force, everything = _sections(text)
    return _Survivors(
        subject,
        authority=[Piece(HANDOFF, in_force, markdown=True), *prompts],
        words=[Piece(HANDOFF, everything, markdown=True), *prompts],
        rest=lambda: (Piece(message.id, session.text(part)) for message, part in others),
        kept=frozenset(places),
    )


def _sections(text: str) -> tuple[str, str]:
    """The lines of a handoff that can state a rule, and those that can keep anything: without
    what stands under a heading that says it was lost, and for rules without copied tool output
    and what is not in force any more."""
    in_force: list[str] = []
    everything: list[str] = []
    lost_level = past_level = 0
    copies = copied = False
    for line in text.split("\n"):
        heading = _HEADING.match(line)
        if heading and not (copies and len(heading[1]) > 3):
            level, title = len(heading[1]), heading[2].strip().casefold()
            if level <= 2:
                copies = title == _COPIES
                copied = False
            if copies and level == 3:
                copied = title != "user"
            else:
                if not lost_level or level <= lost_level:
                    lost_level = level if _LOST.search(title) else 0
                if not past_level or level <= past_level:
                    past_level = level if _NOT_IN_FORCE.search(title) else 0
        if not lost_level:
            everything.append(line)
            in_force.append("" if past_level or copied else line)
    return "\n".join(in_force), "\n".join(everything)


# -- items -----------------------------------------------------------------------------------------


def _sorted(items: Iterable[AuditItem]) -> tuple[AuditItem, ...]:
    order = {verdict: place for place, verdict in enumerate(Verdict)}
    classes = {cls: place for place, cls in enumerate(AuditClass)}
    return tuple(sorted(items, key=lambda i: (order[i.verdict], not i.required, classes[i.cls])))


def _items(
    left: _Survivors,
    ledger: Ledger,
    facts: Facts,
    before: Mapping[str, int] | None = None,
) -> Iterator[AuditItem]:
    """Every item once. `before` (ids of messages in their order) limits them to what comes from
    these; an error that was resolved later was open then."""

    def counts(message: str | None) -> bool:
        return before is None or (message is not None and message in before)

    def item(
        cls: AuditClass, text: str, message: str | None, finding: Finding, required: bool
    ) -> AuditItem:
        verdict = finding.verdict
        if not left.readable and verdict is not Verdict.VERBATIM:
            return AuditItem(cls, text, Verdict.UNKNOWN, message, None, None, required)
        found, where = finding.found, finding.where
        return AuditItem(cls, text, verdict, message, _cut(found), where, required)

    whole: set[str] = set()
    seen: set[str] = set()
    for prompt in facts.prompts:
        if not counts(prompt.message) or not prompt.text.strip():
            continue
        finding = _prompt(left, prompt.text, (prompt.message, prompt.part))
        if finding.verdict is Verdict.VERBATIM:
            whole.add(prompt.message)
        if prompt.text not in seen:
            seen.add(prompt.text)
            yield item(AuditClass.USER_WORDS, prompt.text, prompt.message, finding, True)
    for rule in ledger.live:
        active = rule.state is RuleState.ACTIVE
        yield item(AuditClass.RULE, rule.text, rule.message, _rule(left, rule, whole), active)
    changed = [fact for fact in facts.changed if counts(fact.message)]
    names = [fact.path for fact in facts.files]
    paths = {fact.path for fact in changed}
    for cls, files in (
        (AuditClass.FILE_CHANGED, changed),
        (AuditClass.FILE_REFERENCED, [f for f in facts.read if f.path not in paths]),
    ):
        for file in files:
            if counts(file.message):
                finding = _anchor(left, file.path, lambda i, t: path_verdict(i, t, names))
                required = cls is AuditClass.FILE_CHANGED
                yield item(cls, file.path, file.message, finding, required)
    shas: set[str] = set()
    for commit in facts.commits:
        if counts(commit.message) and commit.sha not in shas:
            shas.add(commit.sha)
            finding = _anchor(left, commit.sha, commit_verdict)
            yield item(AuditClass.GIT_COMMIT, commit.sha, commit.message, finding, True)
    open_lines = {fact.line for fact in facts.errors if _open(fact.resolved, before)}
    lines: set[str] = set()
    for error in facts.errors:
        if counts(error.message) and error.line.strip() and error.line not in lines:
            lines.add(error.line)
            finding = _anchor(left, error.line, error_verdict)
            required = error.line in open_lines
            yield item(AuditClass.ERROR, error.line, error.message, finding, required)
    for cls, references in (
        (AuditClass.ISSUE, facts.references),
        (AuditClass.URL, facts.urls),
    ):
        for reference in references:
            if counts(reference.message):
                finding = _anchor(left, reference.text, token_verdict)
                yield item(cls, reference.text, reference.message, finding, False)
    commands: set[str] = set()
    for command in facts.commands:
        if counts(command.message) and command.command.strip() and command.command not in commands:
            commands.add(command.command)
            finding = _anchor(left, command.command, token_verdict)
            yield item(AuditClass.COMMAND, command.command, command.message, finding, False)
    decided: set[str] = set()
    for decision in facts.decisions:
        if counts(decision.message) and decision.text.strip() and decision.text not in decided:
            decided.add(decision.text)
            finding = _either(left, decision.text)
            yield item(AuditClass.DECISION, decision.text, decision.message, finding, False)


def _cut(found: str | None) -> str | None:
    return found if found is None or len(found) <= 300 else found[:297] + "..."


def _open(resolved: str | None, before: Mapping[str, int] | None) -> bool:
    return resolved is None or (before is not None and resolved not in before)


def _forms(text: str) -> list[str]:
    """`text` as it is in the session, and as it leaves it: without secrets."""
    redacted = redact(text)
    return [text, redacted.text] if redacted.found else [text]


def _prompt(left: _Survivors, text: str, place: tuple[str, int]) -> Finding:
    if place in left.kept:
        return Finding(Verdict.VERBATIM, text.strip().split("\n")[0], place[0])
    for form in _forms(text):
        if found := verbatim(left.text, needle(form), clause=True):
            return found
    return graded(left.near_text, _forms(text)[-1])


def _rule(left: _Survivors, rule: Rule, whole: set[str]) -> Finding:
    """A rule is there, too, where the prompt it was said in is there whole."""
    active = rule.state is RuleState.ACTIVE
    best: Finding | None = None
    for form in _forms(rule.text):
        finding = rule_verdict(left.rules, left.near_rules, form, active=active)
        if finding.verdict is Verdict.VERBATIM:
            return finding
        best = best or finding
    if rule.message in whole and not rule.edited:
        for place in left.rules.words(needle(_forms(rule.text)[-1])):
            line = left.rules.lines[place.line]
            return Finding(Verdict.VERBATIM, line, left.rules.wheres[place.line])
    return best or MISSING


def _anchor(left: _Survivors, text: str, judge: Callable[[Index, str], Finding]) -> Finding:
    """First in the handoff; the kept bodies are read only for what is not found there."""
    best: Finding | None = None
    for form in _forms(text):
        finding = judge(left.text, form)
        if finding.verdict is Verdict.VERBATIM:
            return finding
        if best is None or finding.verdict is not Verdict.MISSING:
            best = finding
    finding = judge(left.bodies, text)
    return best if best and finding.verdict is Verdict.MISSING else finding


def _either(left: _Survivors, text: str) -> Finding:
    for form in _forms(text):
        if found := verbatim(left.text, needle(form), clause=len(form.split()) < _CLAUSE_TOKENS):
            return found
    if found := verbatim(left.bodies, needle(text), clause=False):
        return found
    return graded(left.near_text, _forms(text)[-1])
