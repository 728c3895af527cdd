"""All that an audit asks for: each rule, prompt, file, commit, error and so on, once.

Made once for a session and asked of as many summaries as there are, so that what is the same for
all of them (a text without its secrets, its words) is worked out once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from redline.facts.fact import Facts
from redline.handoff.audit import AuditClass
from redline.handoff.survival import Index, Piece, needle, words_of
from redline.ledger.rule import Ledger, Rule, RuleState
from redline.redaction import redact

_START = 40  # characters of an error line by which it is found where it was cut off
_RUN = re.compile(r"[A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Thing:
    """`text` is what is asked for; `forms` are it as it is and, where that differs, without its
    secrets. `message` is where it comes from, `mentions` are the messages it is known to stand in,
    the first of them first; none for what was added by hand. `words` are such that it stands
    nowhere where one of them does not. `signs` says that it is made of list and quote marks only.
    `resolved` are, of an error, each occurrence and the message
    that shows it gone. `rule` is the rule itself."""

    cls: AuditClass
    text: str
    message: str | None
    mentions: tuple[str, ...]
    forms: tuple[str, ...]
    required: bool = False
    words: frozenset[str] = frozenset()
    signs: bool = False
    resolved: tuple[tuple[str, str | None], ...] = ()
    rule: Rule | None = None


class Asked:
    """What `ledger` and `facts` ask for, and what the user said."""

    def __init__(self, ledger: Ledger, facts: Facts) -> None:
        self.ledger = ledger
        self.facts = facts
        self.prompts: dict[str, list[str]] = {}  # by message
        self.places: dict[str, list[tuple[str, int]]] = {}  # (message, part) by text
        for prompt in facts.prompts:
            self.places.setdefault(prompt.text, []).append((prompt.message, prompt.part))
            self.prompts.setdefault(prompt.message, []).append(prompt.text)
        self._prompt_forms: dict[str, tuple[str, ...]] = {}
        self.paths = [fact.path for fact in facts.files]

    @cached_property
    def things(self) -> tuple[Thing, ...]:
        """Everything once, in the order of the classes."""
        return (*self._prompts(), *self._rules(), *self._files(), *self._anchors())

    def replaced(self, rule: Rule) -> Iterable[str]:
        """What `rule` said before it was stated anew."""
        return (other.text for other in self.ledger.rules if other.by == rule.id)

    @cached_property
    def _said(self) -> Index:
        texts = [text for texts in self.prompts.values() for text in texts]
        texts += [rule.text for rule in self.ledger.rules]
        return Index.of(Piece("", text) for text in texts)

    def forms(self, prompt: str) -> tuple[str, ...]:
        """A prompt as it is and, where that differs, without its secrets."""
        if prompt not in self._prompt_forms:
            self._prompt_forms[prompt] = _forms(prompt)
        return self._prompt_forms[prompt]

    def holds(self, sentence: str) -> bool:
        """Whether the user said `sentence`, as it is, at some time."""
        return any(True for _ in self._said.clauses(sentence.strip("\"'* .。")))

    # -- the things ----------------------------------------------------------------------------

    def _prompts(self) -> Iterator[Thing]:
        for text, places in self.places.items():
            if text.strip():
                mentions = tuple(dict.fromkeys(message for message, _ in places))
                cls = AuditClass.USER_WORDS
                signs = not needle(text)
                forms = self.forms(text)
                yield Thing(cls, text, mentions[0], mentions, forms, True, signs=signs)

    def _rules(self) -> Iterator[Thing]:
        for rule in self.ledger.rules:
            if rule.state is not RuleState.DISMISSED:
                mentions = (rule.message,) if rule.message is not None else ()
                active = rule.state is RuleState.ACTIVE
                cls = AuditClass.RULE
                forms, signs = _forms(rule.text), not needle(rule.text)
                yield Thing(
                    cls, rule.text, rule.message, mentions, forms, active, signs=signs, rule=rule
                )

    def _files(self) -> Iterator[Thing]:
        changed = {fact.path for fact in self.facts.changed}
        files = [fact for fact in self.facts.read if fact.path not in changed]
        for fact in (*self.facts.changed, *files):
            of_changed = fact.path in changed
            cls = AuditClass.FILE_CHANGED if of_changed else AuditClass.FILE_REFERENCED
            mentions = tuple(dict.fromkeys(filter(None, (fact.first, fact.message))))
            name = needle(fact.path).rstrip("/").rpartition("/")[2]
            yield self._anchor(cls, fact.path, fact.message, mentions, of_changed, name)

    def _anchors(self) -> Iterator[Thing]:
        for sha, mentions in _mentions((c.sha, c.message) for c in self.facts.commits):
            yield self._anchor(AuditClass.GIT_COMMIT, sha, mentions[0], mentions, True, "")
        resolved: dict[str, list[tuple[str, str | None]]] = {}
        for error in self.facts.errors:
            resolved.setdefault(error.line, []).append((error.message, error.resolved))
        for line, mentions in _mentions((e.line, e.message) for e in self.facts.errors):
            cls, start = AuditClass.ERROR, _certain(needle(line))
            thing = self._anchor(cls, line, mentions[0], mentions, False, start)
            yield replace(thing, resolved=tuple(resolved[line]))
        for cls, found in (
            (AuditClass.ISSUE, ((one.text, one.message) for one in self.facts.references)),
            (AuditClass.URL, ((one.text, one.message) for one in self.facts.urls)),
            (AuditClass.COMMAND, ((one.command, one.message) for one in self.facts.commands)),
        ):
            for text, mentions in _mentions(found):
                yield self._anchor(cls, text, mentions[0], mentions, False, needle(text))
        for text, mentions in _mentions((d.text, d.message) for d in self.facts.decisions):
            yield Thing(AuditClass.DECISION, text, mentions[0], mentions, _forms(text))

    def _anchor(
        self,
        cls: AuditClass,
        text: str,
        message: str,
        mentions: tuple[str, ...],
        required: bool,
        told_by: str,
    ) -> Thing:
        """`told_by` is the part of it that no form of it goes without."""
        forms = _forms(text)
        words = words_of(told_by) if len(forms) == 1 else frozenset()
        return Thing(cls, text, message, mentions, forms, required, words, not needle(text))


def _certain(line: str) -> str:
    """The words of an error line that each form of it has: cut off, or with other numbers."""
    start = line if len(line) <= _START else line[:_START].rpartition(" ")[0]
    return " ".join(word for word in _RUN.findall(start) if not any(map(str.isdigit, word)))


def _mentions(found: Iterable[tuple[str, str]]) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Each text once, with its messages in their order."""
    gathered: dict[str, dict[str, None]] = {}
    for text, message in found:
        if text.strip():
            gathered.setdefault(text, {})[message] = None
    return ((text, tuple(messages)) for text, messages in gathered.items())


def _forms(text: str) -> tuple[str, ...]:
    redacted = redact(text)
    return (text, redacted.text) if redacted.found else (text,)


@dataclass(frozen=True, slots=True)
class Until:
    """The messages before a boundary: `places` are those of the whole history, by id."""

    places: Mapping[str, int]
    end: int

    def holds(self, message: str | None) -> bool:
        return message is not None and self.places.get(message, self.end) < self.end
