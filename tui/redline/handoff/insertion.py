"""Puts a missing item back into a handoff, where it belongs."""

from __future__ import annotations

from dataclasses import replace

from redline.handoff.audit import AuditClass, AuditItem
from redline.handoff.handoff import Constraint, Decision, Failure, Handoff, UserWords
from redline.handoff.markdown import parse, render
from redline.redaction import redact


def insert(text: str, item: AuditItem) -> str:
    """The handoff `text` with `item` in its section, word for word but for secrets. What a person
    wrote stays; a handoff that has the item already is given back as it is."""
    handoff = parse(text)
    with_item = _with(handoff, item, redact(item.text).text)
    return text if with_item == handoff else render(with_item)


def _with(handoff: Handoff, item: AuditItem, text: str) -> Handoff:
    source = item.message or ""
    match item.cls:
        case AuditClass.RULE:
            # A reworded copy stays: which of both is meant is the person's to say.
            if any(rule.text == text and rule.confirmed for rule in handoff.constraints):
                return handoff
            rule = Constraint(text, confirmed=item.required, message=source)
            return replace(handoff, constraints=(*handoff.constraints, rule))
        case AuditClass.USER_WORDS:
            words = UserWords(text, source)
            return replace(handoff, user_words=(*handoff.user_words, words))
        case AuditClass.FILE_CHANGED:
            files = replace(handoff.files, changed=_once(handoff.files.changed, text))
            return replace(handoff, files=files)
        case AuditClass.FILE_REFERENCED:
            files = replace(handoff.files, referenced=_once(handoff.files.referenced, text))
            return replace(handoff, files=files)
        case AuditClass.ERROR:
            return replace(handoff, errors=(*handoff.errors, Failure(text)))
        case AuditClass.DECISION:
            return replace(handoff, decisions=(*handoff.decisions, Decision(text)))
        case AuditClass.GIT_COMMIT:
            anchors = replace(handoff.anchors, commits=_once(handoff.anchors.commits, text))
        case AuditClass.ISSUE:
            anchors = replace(handoff.anchors, issues=_once(handoff.anchors.issues, text))
        case AuditClass.URL:
            anchors = replace(handoff.anchors, urls=_once(handoff.anchors.urls, text))
        case AuditClass.COMMAND:
            anchors = replace(handoff.anchors, commands=_once(handoff.anchors.commands, text))
    return replace(handoff, anchors=anchors)


def _once(items: tuple[str, ...], text: str) -> tuple[str, ...]:
    return items if text in items else (*items, text)
