"""Active rules as a block in CLAUDE.md, AGENTS.md or any other Markdown file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from redline.errors import RedlineError
from redline.files import changed_meanwhile
from redline.targets.block import (
    NAME,
    BlockRule,
    body,
    find,
    open_fence,
    put,
    remove,
    rules_of,
)
from redline.targets.memory_files import Place, in_file, place_for
from redline.targets.rule_line import rule_line
from redline.targets.secrets import Redact, taken_out, without_secrets
from redline.targets.target import RULES_BLOCK, Change
from redline.text import hidden_characters

MOST = 20  # rules of one block; agents follow long lists badly
DEFAULT = "project"


class RulesBlock:
    """Writes rules between markers; everything else in the file stays byte for byte.

    `rules` are (id, text) of active rules. Rules that the block already holds stay, so that
    sessions of one project add up; those named by `retired` go. With neither, the block goes.
    """

    def __init__(
        self,
        rules: Iterable[tuple[str, str]],
        *,
        to: Path,
        retired: Iterable[str] = (),
        block: str = DEFAULT,
        redact: Redact | None = None,
    ) -> None:
        if not NAME.fullmatch(block):
            raise RedlineError(
                f"{block!r} cannot be the id of a block", "use letters, digits, - and _"
            )
        self.name = f"rules:{to}"
        self.to = to
        self.block = block
        self._rules = tuple(rules)
        self._retired = frozenset(retired)
        self._redact = redact or without_secrets

    def preview(self) -> Change:
        """The file as it would become. Raises RedlineError where it cannot be told which text is
        the block, where more than 20 rules would stand in it, or where no file can be."""
        place = place_for(self.to, self.block)
        lines, warnings = self._lines()
        try:
            after = self._after(place.before, lines)
            about = self._about(place)
        except RedlineError as error:
            raise in_file(error, place.path) from error
        before = b"" if place.before is None and not after else place.before

        def again(now: bytes | None) -> bytes:
            if body(now, self.block) != body(place.before, self.block):
                raise changed_meanwhile(place.path)
            return self._after(now, lines)

        return Change(
            target=self.name,
            label=f"rules in {place.path.name}",
            after=after,
            before=before,
            path=place.path,
            named=self.to,
            warnings=(*place.notes, *warnings, *about),
            kind=RULES_BLOCK,
            block=self.block,
            again=again,
        )

    def _after(self, before: bytes | None, lines: Sequence[BlockRule]) -> bytes:
        if not self._rules and not self._retired:
            return remove(before or b"", self.block)
        given = {rule.id for rule in lines}
        texts = {rule.line for rule in lines}
        kept = [
            rule
            for rule in rules_of(before or b"", self.block)
            if rule.id not in given | self._retired and rule.line not in texts
        ]
        rules = [*kept, *lines]
        if len(rules) > MOST:
            raise RedlineError(
                f"{len(rules)} rules would stand in the block, {MOST} are the most an agent "
                "follows well",
                "retire some of them, or name those to write with --rule",
                status=1,
            )
        return put(before or b"", self.block, rules) if rules else remove(before or b"", self.block)

    def _lines(self) -> tuple[list[BlockRule], list[str]]:
        """The rules as they are written, each once, and what was taken out of them."""
        lines: list[BlockRule] = []
        warnings: list[str] = []
        for name, text in self._rules:
            clean, found = self._redact(text)
            warnings += [f"rule {name}: {warning}" for warning in taken_out(found)]
            if hidden := hidden_characters(clean):
                warnings.append(f"rule {name}: {hidden} hidden characters taken out")
            line = rule_line(clean)
            if not line:
                warnings.append(f"rule {name} is left out: it holds no visible text")
            elif line not in {rule.line for rule in lines}:
                lines.append(BlockRule(name, line))
        return lines, warnings

    def _about(self, place: Place) -> list[str]:
        """What a person should know of the file as it is."""
        if place.before is None:
            return []
        warnings = []
        found = find(place.before, self.block).spans
        if len(found) > 1:
            warnings.append(f"the block stands in the file {len(found)} times: one stays")
        if not found and (line := open_fence(place.before)):
            warnings.append(f"the code fence in line {line} is never closed: the block comes in it")
        return warnings
