"""Active rules as a block in CLAUDE.md, AGENTS.md or any other Markdown file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from redline.errors import RedlineError
from redline.ledger.asked import values_apart
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
from redline.targets.block_target import BlockTarget, Made
from redline.targets.loaded_files import Reader
from redline.targets.rule_line import alone, replacing, rule_line
from redline.targets.said_already import Already, said_already
from redline.targets.secrets import Redact, taken_out, without_secrets
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
    block goes. A rule that the rest of the file says already is not written again; one that gives
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

    def _made(self, before: bytes | None) -> Made:
        data = before or b""
        if not self._rules and not self._retired:
            return Made(remove(data, self.block))
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
        given = {rule.id for rule, _ in lines}
        kept = [rule for rule in there if rule.id not in given | self._retired | set(out)]
        kept, disputed = _without_restated(kept, new)
        warnings += disputed
        for line in added_lines(data, self.block):
            warnings.append(f"a line in the block that is no rule goes: {one_line(line, _SHOWN)}")
        if len(kept) + len(new) > MOST:
            raise TooManyRules(len(kept) + len(new), _oldest(kept, new))
        old = said_already(data, self.block, [(str(n), rule.line) for n, rule in enumerate(kept)])
        rules = [self._replacing(rule, old.get(str(n))) for n, rule in enumerate(kept)]
        rules += [self._replacing(rule, said.get(rule.id)) for rule in new]
        after = put(data, self.block, rules, out) if rules else remove(data, self.block)
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
            warnings += [f"rule {name}: {warning}" for warning in taken_out(found)]
            if hidden := hidden_characters(clean):
                warnings.append(f"rule {name}: {hidden} hidden characters taken out")
            line = rule_line(clean)
            if not line:
                warnings.append(f"rule {name} is left out: it holds no visible text")
            elif line not in {rule.line for rule, _ in lines}:
                lines.append((BlockRule(name, line), clean))
        return lines, warnings


def _without_restated(
    kept: Sequence[BlockRule], new: Sequence[BlockRule]
) -> tuple[list[BlockRule], list[str]]:
    """The rules of other sessions that none of the new ones says again, and which of them are said
    with another value."""
    stays: list[BlockRule] = []
    disputed: list[str] = []
    for old in kept:
        found = [(rule, values_apart(old.line, rule.line)) for rule in new]
        if any(values == ("", "") for _, values in found):
            continue
        stays.append(old)
        disputed += [
            f"rule {old.id or 'without an id'} in the block says “{values[0]}” where rule "
            f"{rule.id} says “{values[1]}”: retire the one that does not hold"
            for rule, values in found
            if values is not None
        ]
    return stays, disputed


def _oldest(kept: Sequence[BlockRule], new: Sequence[BlockRule]) -> list[tuple[BlockRule, str]]:
    """As many of the oldest rules as are too many, each with why it is one of them."""
    aged = [(rule, "in the block the longest") for rule in kept]
    aged += [(rule, "stated the longest ago") for rule in new]
    return aged[: len(aged) - MOST]


def _told(said: Mapping[str, Already]) -> list[str]:
    warnings = []
    for name, already in said.items():
        text = one_line(already.said.text, _SHOWN)
        where = f"line {already.said.line}"
        if already.same:
            warnings.append(f"rule {name} is not repeated: {where} says “{text}”")
        else:
            warnings.append(
                f"{where} says “{already.older}” where rule {name} says “{already.newer}”: "
                f"“{text}” stays as it is, the rule in the block says that it replaces it"
            )
    return warnings
