"""What became of one thing in what survives: the verdict with its line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from redline.handoff.anchoring import commit_verdict, error_verdict, path_verdict, token_verdict
from redline.handoff.asked import Asked, Thing
from redline.handoff.audit import AuditClass, Verdict
from redline.handoff.escapes import decode_line
from redline.handoff.quoting import quoted_ends
from redline.handoff.standing import denied
from redline.handoff.survival import Index, Piece, Place, joined, needle
from redline.handoff.survivors import Survivors
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
from redline.ledger.rule import Rule, RuleState

_FEW, _MOST_OF_FEW, _MOST = 8, 0.75, 0.6  # words of a prompt that its retelling has
_START = 60  # characters by which a prompt that was cut off is found


def judged(left: Survivors, thing: Thing, asked: Asked) -> Finding:
    """What `left` holds of `thing`."""
    match thing.cls:
        case AuditClass.USER_WORDS:
            return _prompt(left, thing, asked.places[thing.text])
        case AuditClass.RULE:
            assert thing.rule is not None
            return _rule(left, thing, thing.rule, asked)
        case AuditClass.FILE_CHANGED | AuditClass.FILE_REFERENCED:
            return _anchor(left, thing, lambda i, t: path_verdict(i, t, asked.paths))
        case AuditClass.GIT_COMMIT:
            return _anchor(left, thing, commit_verdict)
        case AuditClass.ERROR:
            return _anchor(left, thing, error_verdict)
        case AuditClass.DECISION:
            return _decision(left, thing)
        case _:
            return _anchor(left, thing, token_verdict)


def _signs_only(pieces: list[Piece], text: str) -> Finding:
    """The verdict on a text of which nothing is left when list and quote marks go (`>`, `- `):
    it is there where lines end with its lines, in their order."""
    wanted = [line.split() for line in text.split("\n") if line.strip()]
    for piece in pieces:
        lines = (decode_line(line) if piece.markdown else line for line in piece.text.split("\n"))
        ends = (line.replace("`", " ").split() for line in lines)
        if all(any(end[-len(signs) :] == signs for end in ends) for signs in wanted):
            return Finding(Verdict.VERBATIM, text.strip(), piece.where)
    return MISSING


def _prompt(left: Survivors, thing: Thing, places: list[tuple[str, int]]) -> Finding:
    """`places` are the (message, part) it was said in."""
    text = thing.text
    if kept := [message for message, part in places if (message, part) in left.kept]:
        return Finding(Verdict.VERBATIM, text.strip().split("\n")[0], kept[0])
    if thing.signs:
        return _signs_only(left.said, text)
    apart = "\n" in text.strip()
    worse: Finding | None = None
    for form in thing.forms:
        for spelling in dict.fromkeys((needle(form), joined(form))):
            found = spoken(left.spoken, spelling, apart=apart)
            if found is not None and found.verdict is Verdict.VERBATIM:
                return found
            worse = worse or found
    if worse is not None:
        return worse
    if found := _by_its_ends(left.spoken, needle(thing.forms[-1]), thing.mentions):
        return found
    finding = graded(left.near_spoken, thing.forms[-1])
    if finding.found is None:
        return _cut_off(left.spoken, needle(thing.forms[-1]))
    said, now = set(tokens(needle(thing.forms[-1]))), set(tokens(finding.found))
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


def _rule(left: Survivors, thing: Thing, rule: Rule, asked: Asked) -> Finding:
    """A rule is there, too, where the prompt it was said in is there whole, with nothing beside it
    that could take it back. Where another sentence says the contrary, it is changed; also where
    what it replaced stands in its place."""
    if thing.signs:
        return _signs_only(left.authority, rule.text)
    finding = _stated(left, thing, rule, asked)
    if finding.verdict is Verdict.VERBATIM:
        return contradicted(left.near_rules, rule.text, asked.holds) or finding
    for older in asked.replaced(rule):
        found = stated(left.rules, older, active=False)
        if found is not None and found.verdict is Verdict.VERBATIM:
            return replace(found, verdict=Verdict.CHANGED)
    return finding


def _stated(left: Survivors, thing: Thing, rule: Rule, asked: Asked) -> Finding:
    active = rule.state is RuleState.ACTIVE
    best: Finding | None = None
    for form in thing.forms:
        finding = rule_verdict(left.rules, left.near_rules, form, active=active)
        if finding.verdict is Verdict.VERBATIM:
            return finding
        best = best or finding
    if not rule.edited:
        for prompt in asked.prompts.get(rule.message or "", ()):
            if place := in_prompt(left.rules, asked.forms(prompt), needle(thing.forms[-1])):
                line = left.rules.lines[place.line]
                return Finding(Verdict.VERBATIM, line, left.rules.wheres[place.line])
    return best or MISSING


def _anchor(left: Survivors, thing: Thing, judge: Callable[[Index, str], Finding]) -> Finding:
    """First in the handoff; the kept bodies are read only for what is not found there."""
    if thing.signs:
        return _signs_only(left.words, thing.text)
    best: Finding | None = None
    if not thing.words or left.text.may_hold(thing.words):
        for form in thing.forms:
            finding = judge(left.text, form)
            if finding.verdict is Verdict.VERBATIM:
                return finding
            if best is None or finding.verdict is not Verdict.MISSING:
                best = finding
    if thing.words and not left.bodies.may_hold(thing.words):
        return best or MISSING
    finding = judge(left.bodies, thing.text)
    return best if best and finding.verdict is Verdict.MISSING else finding


def _decision(left: Survivors, thing: Thing) -> Finding:
    """A decision is stated in the handoff as a rule is; in the message it comes from, it stands."""
    best: Finding | None = None
    for form in thing.forms:
        found = stated(left.text, form, active=False)
        if found is not None and found.verdict is Verdict.VERBATIM:
            return found
        best = best or found
    if found := verbatim(left.bodies, needle(thing.text), clause=False):
        return found
    return best or graded(left.near_text, thing.forms[-1])
