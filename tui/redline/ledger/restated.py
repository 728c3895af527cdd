"""Which rule takes the place of which: what was said again later, and what was asked anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from redline.ledger.rule import Rule, RuleState
from redline.patterns import lazy

if TYPE_CHECKING:
    from redline.ledger.restating import Restated

_WORDS = lazy(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+")
NOTHING = "nothing"
_OPEN = frozenset((RuleState.ACTIVE, RuleState.PROPOSED))
_MOST = 6  # words of a change that is told; of a longer one both rules are read whole
_CHINESE = lazy(r"[\u3400-\u9fff]")


def with_restatements(rules: Iterable[Rule], opposed: Mapping[str, str]) -> list[Rule]:
    """`rules` with who replaces whom, in their order.

    Later words that say a rule again replace it at once where it only waits for a decision. An
    active rule is not replaced by words that wait for one: the newer `replaces` it once it is
    confirmed. Where it is not sure that they say the same, both stay, and the newer
    `may_replace` the older. `opposed` names for rules the later ones whose words ask the opposite
    of them, or another limit.
    """
    found = {rule.id: rule for rule in rules}
    for older, newer in opposed.items():
        if older in found and newer in found:
            _waits(
                found, found[older], found[newer], difference(found[older].text, found[newer].text)
            )
    aged = [name for name in _by_age(found.values()) if found[name].state in _OPEN]
    if len(aged) > 1:
        _compare(found, aged)
    for rule in list(found.values()):
        by = found.get(rule.by or "")
        if rule.state is RuleState.SUPERSEDED and by is not None and not rule.changed:
            found[rule.id] = replace(rule, changed=difference(rule.text, by.text))
    return list(found.values())


def _compare(found: dict[str, Rule], aged: list[str]) -> None:
    from redline.ledger.resolving import resolved  # its patterns take a while to compile

    rules = [found[name] for name in aged]
    told = resolved(
        [rule.text for rule in rules],
        meets=lambda older, newer: _may_meet(rules[older], rules[newer]),
        stays=lambda older: rules[older].state is RuleState.ACTIVE,
    )
    for at, one in told.items():
        _resolved(found, found[aged[one.older]], found[aged[at]], one.restated)


def _by_age(rules: Iterable[Rule]) -> list[str]:
    """The ids in the order the rules were said; one of another session goes by its time."""
    ordered: list[Rule] = []
    others = [rule for rule in rules if rule.origin is not None]
    for rule in rules:
        if rule.origin is None:
            while others and _before(others[0], rule):
                ordered.append(others.pop(0))
            ordered.append(rule)
    return [rule.id for rule in (*ordered, *others)]


def _before(other: Rule, rule: Rule) -> bool:
    return other.time is None or rule.time is None or other.time <= rule.time


def _may_meet(older: Rule, newer: Rule) -> bool:
    """Whether one of them could take the other's place: two that were confirmed both stay."""
    states = {older.state, newer.state}
    return states <= _OPEN and states != {RuleState.ACTIVE}


def _resolved(found: dict[str, Rule], older: Rule, newer: Rule, again: Restated) -> None:
    words = difference(older.text, newer.text)
    if not again.sure:
        found[newer.id] = replace(newer, may_replace=older.id, changed=newer.changed or words)
    elif older.state is RuleState.PROPOSED:
        found[older.id] = replace(older, state=RuleState.SUPERSEDED, by=newer.id, changed=words)
        waited = found.get(older.replaces or "")
        if waited is not None and newer.state is RuleState.PROPOSED:
            _waits(found, waited, newer, difference(waited.text, newer.text))
    else:
        _waits(found, older, newer, words)


def _waits(found: dict[str, Rule], older: Rule, newer: Rule, words: str) -> None:
    """The newer rule is to replace the older, which is confirmed, once it is confirmed too."""
    if older.state is RuleState.ACTIVE and newer.state is RuleState.PROPOSED:
        found[newer.id] = replace(newer, replaces=older.id, changed=words)


def difference(older: str, newer: str) -> str:
    """What became of a rule in another that takes its place, short: `port 5432 -> 5433`; empty
    where only the wording differs, or so much that both have to be read."""
    from redline.ledger.restating import restates

    again = restates(older, newer)
    words = changed(older, newer)
    if again is None or not again.sure:
        return words
    if again.same:
        return ""
    before = _split(older.partition(again.older_value)[0]) if again.older_value else []
    values = f"{again.older_value or NOTHING} -> {again.newer_value or NOTHING}"
    told = f"{before[-1]} {values}" if before else values
    return min(filter(None, (words, told)), key=len)


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
    return f"{_joined([*about, gone or NOTHING])} -> {come or NOTHING}"


def _split(text: str) -> list[str]:
    return [word for found in _WORDS.findall(text) if (word := found.strip(".,;:!?，。；：！？"))]


def _joined(words: list[str]) -> str:
    """Words with blanks between them, Chinese characters without."""
    text = ""
    for word in filter(None, words):
        apart = text and not (_CHINESE.match(text[-1]) and _CHINESE.match(word))
        text += f" {word}" if apart else word
    return text
