"""The audit of a handoff, and of what an agent's own compaction left.

Asked is what the next window will hold: the handoff's text and the messages that stay, as they
stay (a cleared or shortened body does not count). Rules and the user's words count only where
they have their authority: in the handoff and in kept prompts, never in what a tool printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from redline.compaction.plan import Action, Plan
from redline.facts.fact import Facts
from redline.handoff.anchoring import commit_verdict, error_verdict, path_verdict, token_verdict
from redline.handoff.audit import Audit, AuditClass, AuditItem, Verdict
from redline.handoff.escapes import decode_line
from redline.handoff.quoting import quoted_ends
from redline.handoff.standing import denied
from redline.handoff.survival import Index, Piece, Place, joined, needle
from redline.handoff.survivors import HANDOFF, Survivors, survivors
from redline.handoff.verdicts import (
    MISSING,
    Finding,
    contradicted,
    graded,
    in_prompt,
    rule_verdict,
    spoken,
    stated,
    tokens,
    verbatim,
)
from redline.ledger.rule import Ledger, Rule, RuleState
from redline.model import (
    CompactionKind,
    Kind,
    Message,
    Part,
    PartType,
    PastCompaction,
    Session,
)
from redline.redaction import redact

_FEW, _MOST_OF_FEW, _MOST = 8, 0.75, 0.6  # words of a prompt that its retelling has
_START = 60  # characters by which a prompt that was cut off is found


def audit(session: Session, plan: Plan | None, text: str, ledger: Ledger, facts: Facts) -> Audit:
    """What of the ledger and the facts the handoff `text` (Markdown, as edited) and the kept
    messages of `plan` (None: nothing is kept) hold. Raises RedlineError where the session's file
    has changed under it."""
    messages = plan.outline.messages if plan is not None else ()

    def stays(index: int, part: Part) -> bool:
        return plan is not None and plan.action_of(index, part.index) is Action.KEEP

    kept = [(i, message) for i, message in enumerate(messages)]
    kept_text = survivors(session, HANDOFF, text, kept, stays)
    return Audit(HANDOFF, _sorted(_items(kept_text, ledger, facts)))


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
    kept_text = survivors(session, compaction.id, text, kept, lambda _, part: left(part))
    kept_text.readable = readable
    if compaction.summary is not None and text:
        kept_text.authority = [
            _named(piece, compaction.summary.id) for piece in kept_text.authority
        ]
        kept_text.said = [_named(piece, compaction.summary.id) for piece in kept_text.said]
        kept_text.words = [_named(piece, compaction.summary.id) for piece in kept_text.words]
    past_ledger = Ledger(
        tuple(rule for rule in ledger.rules if rule.message is not None and rule.message in ids)
    )
    return Audit(compaction.id, _sorted(_items(kept_text, past_ledger, facts, ids)))


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


class _Said:
    """What the user said: `prompts` by message, and whether any of it `holds` a sentence."""

    def __init__(self, facts: Facts, ledger: Ledger) -> None:
        self.prompts: dict[str, list[str]] = {}
        self.places: dict[str, list[tuple[str, int]]] = {}  # (message, part) by text
        for prompt in facts.prompts:
            self.places.setdefault(prompt.text, []).append((prompt.message, prompt.part))
            self.prompts.setdefault(prompt.message, []).append(prompt.text)
        self._ledger = ledger

    def replaced(self, rule: Rule) -> Iterable[str]:
        """What `rule` said before it was stated anew."""
        return (other.text for other in self._ledger.rules if other.by == rule.id)

    @cached_property
    def _all(self) -> Index:
        texts = [text for texts in self.prompts.values() for text in texts]
        texts += [rule.text for rule in self._ledger.rules]
        return Index.of(Piece("", text) for text in texts)

    def holds(self, sentence: str) -> bool:
        """Whether the user said `sentence`, as it is, at some time."""
        return any(True for _ in self._all.clauses(sentence.strip("\"'* .。")))


# -- items -----------------------------------------------------------------------------------------


def _sorted(items: Iterable[AuditItem]) -> tuple[AuditItem, ...]:
    order = {verdict: place for place, verdict in enumerate(Verdict)}
    classes = {cls: place for place, cls in enumerate(AuditClass)}
    return tuple(sorted(items, key=lambda i: (order[i.verdict], not i.required, classes[i.cls])))


def _items(
    left: Survivors,
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

    said = _Said(facts, ledger)
    seen: set[str] = set()
    for prompt in facts.prompts:
        if not counts(prompt.message) or not prompt.text.strip():
            continue
        if prompt.text not in seen:
            seen.add(prompt.text)
            finding = _prompt(left, prompt.text, said.places[prompt.text])
            yield item(AuditClass.USER_WORDS, prompt.text, prompt.message, finding, True)
    for rule in ledger.live:
        active = rule.state is RuleState.ACTIVE
        yield item(AuditClass.RULE, rule.text, rule.message, _rule(left, rule, said), active)
    changed = [fact for fact in facts.changed if counts(fact.first or fact.message)]
    names = [fact.path for fact in facts.files]
    paths = {fact.path for fact in changed}
    for cls, files in (
        (AuditClass.FILE_CHANGED, changed),
        (AuditClass.FILE_REFERENCED, [f for f in facts.read if f.path not in paths]),
    ):
        for file in files:
            if counts(file.first or file.message):
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
            finding = _decision(left, decision.text)
            yield item(AuditClass.DECISION, decision.text, decision.message, finding, False)


def _cut(found: str | None) -> str | None:
    return found if found is None or len(found) <= 300 else found[:297] + "..."


def _open(resolved: str | None, before: Mapping[str, int] | None) -> bool:
    return resolved is None or (before is not None and resolved not in before)


def _forms(text: str) -> list[str]:
    """`text` as it is in the session, and as it leaves it: without secrets."""
    redacted = redact(text)
    return [text, redacted.text] if redacted.found else [text]


def _signs_only(pieces: list[Piece], text: str) -> Finding | None:
    """The verdict on a text of which nothing is left when list and quote marks go (`>`, `- `):
    it is there where lines end with its lines, in their order."""
    if needle(text):
        return None
    wanted = [line.split() for line in text.split("\n") if line.strip()]
    for piece in pieces:
        lines = (decode_line(line) if piece.markdown else line for line in piece.text.split("\n"))
        ends = (line.replace("`", " ").split() for line in lines)
        if all(any(end[-len(signs) :] == signs for end in ends) for signs in wanted):
            return Finding(Verdict.VERBATIM, text.strip(), piece.where)
    return MISSING


def _prompt(left: Survivors, text: str, places: list[tuple[str, int]]) -> Finding:
    """`places` are the (message, part) it was said in."""
    for place in left.kept.intersection(places):
        return Finding(Verdict.VERBATIM, text.strip().split("\n")[0], place[0])
    if found := _signs_only(left.said, text):
        return found
    forms, apart = _forms(text), "\n" in text.strip()
    worse: Finding | None = None
    for form in forms:
        for spelling in dict.fromkeys((needle(form), joined(form))):
            found = spoken(left.spoken, spelling, apart=apart)
            if found is not None and found.verdict is Verdict.VERBATIM:
                return found
            worse = worse or found
    if worse is not None:
        return worse
    if found := _by_its_ends(left.spoken, needle(forms[-1]), {message for message, _ in places}):
        return found
    finding = graded(left.near_spoken, forms[-1])
    if finding.found is None:
        return _cut_off(left.spoken, needle(forms[-1]))
    said, now = set(tokens(needle(forms[-1]))), set(tokens(finding.found))
    if len(said & now) < len(said) * (_MOST_OF_FEW if len(said) < _FEW else _MOST):
        return replace(finding, verdict=Verdict.MISSING)  # a line that shares a few words with it
    return finding


def _by_its_ends(index: Index, text: str, messages: Iterable[str]) -> Finding | None:
    """Where a long prompt stands by its two ends, word for word, with the message that holds the
    whole of it."""
    for message in messages:
        if ends := quoted_ends(index.flat, text, message):
            place = Place(*ends, index.line_at(ends[0]))
            verdict = Verdict.CHANGED if denied(index, place) else Verdict.VERBATIM
            return Finding(verdict, index.lines[place.line], index.wheres[place.line])
    return None


def _cut_off(index: Index, text: str) -> Finding:
    """What is missing, with the line that holds its start."""
    start = text[:_START].rpartition(" ")[0]
    if len(text) > _START and len(start) > _START // 2:
        for place in index.words(start):
            return Finding(Verdict.MISSING, index.lines[place.line], index.wheres[place.line])
    return MISSING


def _rule(left: Survivors, rule: Rule, said: _Said) -> Finding:
    """A rule is there, too, where the prompt it was said in is there whole, with nothing beside it
    that could take it back. Where another sentence says the contrary, it is changed."""
    if signs := _signs_only(left.authority, rule.text):
        return signs
    finding = _rule_stated(left, rule, said)
    if finding.verdict is Verdict.VERBATIM:
        return contradicted(left.near_rules, rule.text, said.holds) or finding
    for older in said.replaced(rule):
        found = stated(left.rules, older, active=False)
        if found is not None and found.verdict is Verdict.VERBATIM:
            return replace(found, verdict=Verdict.CHANGED)
    return finding


def _rule_stated(left: Survivors, rule: Rule, said: _Said) -> Finding:
    active = rule.state is RuleState.ACTIVE
    best: Finding | None = None
    for form in _forms(rule.text):
        finding = rule_verdict(left.rules, left.near_rules, form, active=active)
        if finding.verdict is Verdict.VERBATIM:
            return finding
        best = best or finding
    if not rule.edited:
        for prompt in said.prompts.get(rule.message or "", ()):
            if place := in_prompt(left.rules, _forms(prompt), needle(_forms(rule.text)[-1])):
                line = left.rules.lines[place.line]
                return Finding(Verdict.VERBATIM, line, left.rules.wheres[place.line])
    return best or MISSING


def _anchor(left: Survivors, text: str, judge: Callable[[Index, str], Finding]) -> Finding:
    """First in the handoff; the kept bodies are read only for what is not found there."""
    if signs := _signs_only(left.words, text):
        return signs
    best: Finding | None = None
    for form in _forms(text):
        finding = judge(left.text, form)
        if finding.verdict is Verdict.VERBATIM:
            return finding
        if best is None or finding.verdict is not Verdict.MISSING:
            best = finding
    finding = judge(left.bodies, text)
    return best if best and finding.verdict is Verdict.MISSING else finding


def _decision(left: Survivors, text: str) -> Finding:
    """A decision is stated in the handoff as a rule is; in the message it comes from, it stands."""
    best: Finding | None = None
    for form in _forms(text):
        found = stated(left.text, form, active=False)
        if found is not None and found.verdict is Verdict.VERBATIM:
            return found
        best = best or found
    if found := verbatim(left.bodies, needle(text), clause=False):
        return found
    return best or graded(left.near_text, _forms(text)[-1])
