"""What a file of instructions says by itself, outside of a block, and which rules that makes
needless."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from redline.fences import BOM, fences, lines_of
from redline.ledger.asked import values_apart
from redline.ledger.detect import normal
from redline.ledger.masking import mask
from redline.ledger.opposite import opposite
from redline.ledger.sentences import sentences
from redline.targets.block import COMPACT, STATE, find
from redline.targets.lifted import tells_of, without_lifted

# What begins a line that goes on with nothing before it.
_OPENING = re.compile(r"[ \t]*(?:$|[-+*]\s|[>|@#<]|`{3}|~{3}|\d{1,9}[.)]\s)")
_ENDING = re.compile(r"[ \t]*(?:$|#|<|`{3}|~{3}|\|)")
_COMMENT = re.compile(r"<!--.*?-->", re.S)


LARGEST = 1_000_000  # bytes of a file that is searched


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of a file and the number of its line, from 1."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Already:
    """Where the file says a rule: in the same words or others, or, where `older` is a value, with
    that one in place of the rule's `newer`; or, `opposed`, where it asks for the opposite."""

    said: Said
    older: str = ""
    newer: str = ""
    opposed: bool = False

    @property
    def same(self) -> bool:
        return self.older == self.newer and not self.opposed


def said_already(
    data: bytes, block: str, rules: Iterable[tuple[str, str]]
) -> Mapping[str, Already]:
    """For each rule (id, text) that `data` says outside of the block, where it does: what stands in
    code, quotes and comments says nothing."""
    listed = list(rules)
    if not data or not listed or len(data) > LARGEST:
        return {}
    whole = own_words(data, block)
    found: dict[str, Already] = {}
    # Of a rule that itself speaks of what is "deprecated" such a word says nothing.
    told = [rule for rule in listed if tells_of(rule[1])]
    _look(found, whole, told)
    _look(found, without_lifted(whole), [rule for rule in listed if rule not in told])
    return found


def _look(found: dict[str, Already], whole: str, rules: Iterable[tuple[str, str]]) -> None:
    said = tuple(_sentences(whole))
    by_words = {normal(one.text): one for one in (*_lines(whole), *reversed(said))}
    for name, text in rules:
        if (one := by_words.get(normal(text))) is not None:
            found[name] = Already(one)
        elif (other := _reworded(text, said)) is not None:
            found[name] = other


def _sentences(text: str) -> Iterator[Said]:
    flowing = flowed(text)
    at = 0
    for sentence in sentences(flowing, mask(flowing)):
        first = sentence.text.split(" ", 1)[0]
        at = max(at, text.find(first, at))
        yield Said(sentence.text, text.count("\n", 0, at) + 1)


def _lines(text: str) -> Iterator[Said]:
    for number, line in enumerate(text.split("\n"), start=1):
        if words := line.strip().lstrip("-+*#").strip():
            yield Said(words, number)


def flowed(text: str) -> str:
    """`text` with blanks for the line ends inside a paragraph or an item; as long as before."""
    lines = text.split("\n")
    flowing = lines[:1]
    for before, line in pairwise(lines):
        apart = _ENDING.match(before) or _OPENING.match(line)
        flowing += ("\n" if apart else " ", line)
    return "".join(flowing)


def _reworded(text: str, said: Iterable[Said]) -> Already | None:
    other = None
    for one in said:
        values = values_apart(one.text, text)
        if values == ("", ""):
            return Already(one)
        if values is not None:
            other = other or Already(one, *values)
        elif opposite(one.text, text):
            other = other or Already(one, one.text, text, opposed=True)
    return other


def own_words(data: bytes, block: str) -> str:
    """The text of `data` with empty lines for the block, code, quotes and comments."""
    ours = [find(data, block).spans, *(find(data, kind).spans for kind in (STATE, COMPACT))]
    spans = [span for each in ours for span in each]
    lines = lines_of(data.removeprefix(BOM))
    shift = len(BOM) if data.startswith(BOM) else 0
    inside, _ = fences(lines)
    kept = []
    for number, line in enumerate(lines, 1):
        hidden = number in inside or line.text.lstrip().startswith(b">")
        in_block = any(start <= line.start + shift < end for start, end in spans)
        kept.append("" if hidden or in_block else line.text.decode("utf-8", "replace"))
    return _COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), "\n".join(kept))
