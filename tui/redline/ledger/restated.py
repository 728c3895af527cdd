"""Which rule takes the place of which: what was said again later, and what was asked anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from redline.ledger.rule import Rule, RuleState

_WORDS = re.compile(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+")
_MOST = 6  # words of a change that is told; of a longer one both rules are read whole
_CHINESE = re.compile(r"[\u3400-\u9fff]")


def with_restatements(rules: Iterable[Rule], opposed: Mapping[str, str]) -> list[Rule]:
    """`rules` with who replaces whom.

    `opposed` names for rules the later ones whose words ask the opposite of them, or another limit.
    An active rule is not replaced by words that wait for a decision: the newer one `replaces` it
    once it is confirmed.
    """
    found = {rule.id: rule for rule in rules}
    for older, newer in opposed.items():
        old, new = found.get(older), found.get(newer)
        if (
            old is not None
            and new is not None
            and old.state is RuleState.ACTIVE
            and new.state is RuleState.PROPOSED
        ):
            found[newer] = replace(new, replaces=older, changed=changed(old.text, new.text))
    for rule in list(found.values()):
        by = found.get(rule.by or "")
        if rule.state is RuleState.SUPERSEDED and by is not None and not rule.changed:
            found[rule.id] = replace(rule, changed=changed(rule.text, by.text))
    return list(found.values())


def changed(older: str, newer: str) -> str:
    """What differs in the wording, short: `port 5432 -> 5433`; empty where nothing or much does.
    One word that stays stands before it, to tell what it is about."""
    before, after = _split(older), _split(newer)
    low = [[word.lower() for word in words] for words in (before, after)]
    found = [
        block
        for block in SequenceMatcher(None, low[0], low[1], autojunk=False).get_opcodes()
        if block[0] != "equal"
    ]
    if not found:
        return ""
    start, end = found[0][1], found[-1][2]
    first, last = found[0][3], found[-1][4]
    if max(end - start, last - first) > _MOST or not (start or end < len(before)):
        return ""
    about = [before[start - 1]] if start else []
    gone, come = _joined(before[start:end]), _joined(after[first:last])
    return f"{_joined([*about, gone or 'nothing'])} -> {come or 'nothing'}"


def _split(text: str) -> list[str]:
    return [word for found in _WORDS.findall(text) if (word := found.strip(".,;:!?，。；：！？"))]


def _joined(words: list[str]) -> str:
    """Words with blanks between them, Chinese characters without."""
    text = ""
    for word in filter(None, words):
        apart = text and not (_CHINESE.match(text[-1]) and _CHINESE.match(word))
        text += f" {word}" if apart else word
    return text
