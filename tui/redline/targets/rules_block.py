"""Active rules as a block in CLAUDE.md, AGENTS.md or any other Markdown file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from redline.errors import RedlineError
from redline.ledger.asked import values_apart
from redline.ledger.opposite import opposite
from redline.places import Places
from redline.targets.block import (
    DEFAULT,
    BlockRule,
    added_lines,
    kept_out,
    put,
    remove,
    rules_of,
)
from redline.targets.block_target import BlockTarget, Made, left_by_hand
from redline.targets.by_hand import taken_out
from redline.targets.loaded_files import Reader
from redline.targets.rule_line import alone, replacing, rule_line
from redline.targets.said_already import Already, said_already
from redline.targets.secrets import Redact, without_secrets
from redline.targets.secrets import taken_out as secrets_told
from redline.text import hidden_characters, one_line

MOST = 20  # rules of one block; agents follow long lists badly
_SHOWN = 60  # characters of a rule in a message
_QUOTED = 100  # characters of a line of the file in a rule that replaces it


class TooManyRules(RedlineError):
    """More rules than an agent follows. `oldest` are those that are proposed for retirement."""

    def __init__(self, count: int, oldest: Sequence[tuple[BlockRule, str]]) -> None:
        listed = "; ".join(
            f"{rule.id or 'without an id'} “{one_line(rule.line, _SHOWN)}” ({why})"
            for rule, why in oldest
        )
        ids = [rule.id for rule, _ in oldest if rule.id]
        retire = f"--retire {' '.join(ids)}" if ids else "by hand"
        super().__init__(
            f"{count} rules would stand in the block, {MOST} are the most an agent follows well; "
            f"the oldest: {listed}",
            f"retire what is no longer needed ({retire}), or name those to write with --rule",
            status=1,
        )
        self.oldest = tuple(rule for rule, _ in oldest)


class RulesBlock(BlockTarget):
    """Writes rules between markers; everything else in the file stays byte for byte.

    `rules` are (id, text) of active rules, oldest first. Rules that the block already holds stay,
    so that sessions of one project add up; those named by `retired` go. Those named by `without` go
    as well, and stay out of this file until they are named by `insist`. With none of these the
    block goes, but for what a person wrote into it; `known` are texts of rules by which that is
    told. `lifted` are texts that hold no more: where the block says one of them it is told. A rule
    that the rest of the file says already is not written again; one that gives
    another value says which line it replaces, and that line stays.
    """

    def __init__(
        self,
        rules: Iterable[tuple[str, str]],
        *,
        to: Path,
        retired: Iterable[str] = (),
        without: Iterable[str] = (),
        insist: Iterable[str] = (),
        block: str = DEFAULT,
        known: Iterable[str] = (),
        lifted: Iterable[str] = (),
        redact: Redact | None = None,
        reader: Reader | None = None,
        places: Places | None = None,
    ) -> None:
        super().__init__("rules", "rules", to=to, block=block, reader=reader, places=places)
        self._rules = tuple(rules)
        self._without = tuple(dict.fromkeys(without))
        self._retired = frozenset(retired) | frozenset(self._without)
        self._insist = frozenset(insist)
        self._redact = redact or without_secrets
        self._lifted = tuple(lifted)
        self._known = frozenset(rule_line(self._redact(text)[0]) for text in known)

    def _made(self, before: bytes | None) -> Made:
        data = before or b""
        if not self._rules and not self._retired:
            after, by_hand = taken_out(data, self.block, self._known)
            return Made(after, left_by_hand(by_hand))
        lines, warnings = self._lines()
        there = [BlockRule(rule.id, alone(rule.line)) for rule in rules_of(data, self.block)]
        out = self._out(data)
        said = said_already(data, self.block, [(rule.id, text) for rule, text in lines])
        warnings += _told(said)
        new: list[BlockRule] = []
        for rule, _ in lines:
            if rule.id in out:
                warnings.append(
                    f"rule {rule.id} was retired from this file; --rule {rule.id} writes it again"
                )
            elif rule.id not in said or not said[rule.id].same:
                new.append(rule)
        gone = {rule.id for rule, _ in lines} - {rule.id for rule in new} | self._retired | {*out}
        rules, told = _standing([rule for rule in there if rule.id not in gone], new)
        warnings += told
        for line in added_lines(data, self.block):
            warnings.append(f"a line in the block that is no rule goes: {one_line(line, _SHOWN)}")
        if len(rules) > MOST:
            raise TooManyRules(len(rules), _oldest(rules, new))
        warnings += _disputed(rules, new)
        warnings += [
            f"rule {rule.id or 'without an id'} in the block says what was taken back in this "
            f"session: “{one_line(rule.line, _SHOWN)}”; retire it if it holds no more"
            for rule in rules
            if rule not in new and any(says_the_same(rule.line, text) for text in self._lifted)
        ]
        old = said_already(data, self.block, [(str(n), rule.line) for n, rule in enumerate(rules)])
        lines_of_file = {rule.id: said.get(rule.id) for rule in new}
        written = [
            self._replacing(rule, lines_of_file[rule.id] if rule in new else old.get(str(n)))
            for n, rule in enumerate(rules)
        ]
        after = put(data, self.block, written, out) if rules else remove(data, self.block)
        return Made(after, warnings)

    def _out(self, data: bytes) -> tuple[str, ...]:
        """The ids that stay out of the block."""
        names = dict.fromkeys((*kept_out(data, self.block), *self._without))
        return tuple(name for name in names if name not in self._insist)

    def _replacing(self, rule: BlockRule, already: Already | None) -> BlockRule:
        """`rule` with the line of the file that it gives another value, which stays as it is."""
        if already is None or already.same:
            return rule
        quoted, _ = self._redact(one_line(already.said.text, _QUOTED))
        return BlockRule(rule.id, replacing(rule.line, quoted))

    def _lines(self) -> tuple[list[tuple[BlockRule, str]], list[str]]:
        """The rules as they are written, each once, with their text, and what was taken out."""
        lines: list[tuple[BlockRule, str]] = []
        warnings: list[str] = []
        for name, text in self._rules:
            clean, found = self._redact(text)
            warnings += [f"rule {name}: {warning}" for warning in secrets_told(found)]
            if hidden := hidden_characters(clean):
                warnings.append(f"rule {name}: {hidden} hidden characters taken out")
            line = rule_line(clean)
            if not line:
                warnings.append(f"rule {name} is left out: it holds no visible text")
            elif line not in {rule.line for rule, _ in lines}:
                lines.append((BlockRule(name, line), clean))
        return lines, warnings


def _standing(
    there: Sequence[BlockRule], new: Sequence[BlockRule]
) -> tuple[list[BlockRule], list[str]]:
    """The rules of the block in the order in which they stand there, those that are not there yet
    behind them; and what becomes of another wording. What the block says already in other words, as
    a rule of another session, stays as it stands."""
    by_id = {rule.id: rule for rule in new}
    rules: list[BlockRule] = []
    told: list[str] = []
    for old in there:
        now = by_id.pop(old.id, None) if old.id else None
        if now is None and not old.id:  # a person's, or one that has lost its id
            now = next((rule for rule in by_id.values() if rule.line == old.line), None)
            by_id.pop(now.id if now else "", None)
        rules.append(now or old)
        if now and now.line != old.line:
            told.append(f"rule {now.id} stood in the block as “{one_line(old.line, _SHOWN)}”")
    for rule in tuple(by_id.values()):
        old_one = next((old for old in rules if says_the_same(old.line, rule.line)), None)
        if old_one is None:
            rules.append(rule)
        elif old_one.line != rule.line:
            text = one_line(old_one.line, _SHOWN)
            told.append(f"rule {rule.id} is not repeated: the block says “{text}”")
    return rules, told


def says_the_same(one: str, other: str) -> bool:
    """Whether two rules say the same, in whatever words."""
    return one == other or values_apart(one, other) == ("", "")


def _disputed(rules: Sequence[BlockRule], new: Sequence[BlockRule]) -> list[str]:
    """Which rules of the block give another value than one of the new ones, or say the opposite."""
    told = []
    for at, old in enumerate(rules):
        for rule in rules[at + 1 :]:
            if rule not in new and old not in new:
                continue
            values = values_apart(old.line, rule.line)
            if values is None and opposite(old.line, rule.line):
                values = one_line(old.line, _SHOWN), one_line(rule.line, _SHOWN)
            if values is not None and values[0] != values[1]:
                told.append(
                    f"rule {old.id or 'without an id'} in the block says “{values[0]}” where rule "
                    f"{rule.id or 'without an id'} says “{values[1]}”: retire the one that does "
                    "not hold"
                )
    return told


def _oldest(rules: Sequence[BlockRule], new: Sequence[BlockRule]) -> list[tuple[BlockRule, str]]:
    """As many of the oldest rules as are too many, each with why it is one of them."""
    aged = [(rule, "in the block the longest") for rule in rules if rule not in new]
    aged += [(rule, "stated the longest ago") for rule in rules if rule in new]
    return aged[: len(aged) - MOST]


def _told(said: Mapping[str, Already]) -> list[str]:
    warnings = []
    for name, already in said.items():
        text = one_line(already.said.text, _SHOWN)
        where = f"line {already.said.line}"
        if already.same:
            warnings.append(f"rule {name} is not repeated: {where} says “{text}”")
        elif already.opposed:
            warnings.append(
                f"{where} contradicts rule {name}: “{text}” there, "
                f"“{one_line(already.newer, _SHOWN)}” in the rule; the line stays as it is, the "
                "rule in the block says that it replaces it"
            )
        else:
            warnings.append(
                f"{where} says “{already.older}” where rule {name} says “{already.newer}”: "
                f"“{text}” stays as it is, the rule in the block says that it replaces it"
            )
    return warnings
