"""Where the instruction files of a project already say a rule."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.errors import RedlineError
from redline.fences import BOM
from redline.files import read_if_there, real_path
from redline.ledger.detect import normal
from redline.ledger.masking import mask
from redline.ledger.sentences import sentences
from redline.targets.block import DEFAULT, find, rules_of
from redline.targets.lifted import tells_of, without_lifted
from redline.targets.memory_files import imports
from redline.targets.rule_line import rule_line
from redline.targets.rules_file import AGENTS, CLAUDE, OVERRIDE
from redline.targets.said_already import LARGEST, flowed, own_words

NAMES = (CLAUDE, ".claude/CLAUDE.md", "CLAUDE.local.md", OVERRIDE, AGENTS)
_DEPTH = 5  # imports that Claude Code (2.1.197) follows


@dataclass(frozen=True, slots=True)
class Written:
    """A file that says a rule, the line from 1, and whether it is in redline's block."""

    path: Path
    line: int
    block: bool


def written_in(
    project: str | None, rules: Iterable[tuple[str, str]]
) -> Mapping[str, tuple[Written, ...]]:
    """For each rule (id, text) where the files of the project say it, in the same words but for
    case, punctuation and line breaks. A rule that the block holds under its id counts also where
    its words are others by now. Files that cannot be read say nothing."""
    listed = list(rules)
    telling = {name for name, text in listed if tells_of(text)}
    wanted = [(name, normal(text), normal(rule_line(text))) for name, text in listed]
    found: dict[str, list[Written]] = {name: [] for name, _, _ in wanted}
    for path, data in _files(project):
        held, whole, ids = _said(data), _said(data, told=True), _ids(data)
        for name, words, line in wanted:
            said = whole if name in telling else held
            place = said.get(words) or said.get(line)
            if name in ids:
                found[name].append(Written(path, ids[name], True))
            elif place is not None:
                found[name].append(Written(path, *place))
    return {name: tuple(places) for name, places in found.items()}


def _files(project: str | None) -> Iterator[tuple[Path, bytes]]:
    """The instruction files of a project with what they hold, each once, also those that they
    import."""
    if not project or not os.path.isabs(project):
        return
    seen: set[Path] = set()
    waiting = [(Path(project) / name, 0) for name in NAMES]
    while waiting:
        named, depth = waiting.pop(0)
        try:
            path = real_path(named)
            if path in seen or not path.is_file() or path.stat().st_size > LARGEST:
                continue
            data = read_if_there(path) or b""
        except (OSError, ValueError, RedlineError):
            continue
        seen.add(path)
        yield named, data
        if depth < _DEPTH:
            waiting += [(path.parent / name, depth + 1) for name in imports(data)]


def _said(data: bytes, *, told: bool = False) -> dict[str, tuple[int, bool]]:
    """Every sentence of a file, normalised, with its line and whether it stands in the block;
    outside of it with `told` also those of which the file only tells."""
    inside = _block_lines(data)
    text = _text(data, inside, told)
    said: dict[str, tuple[int, bool]] = {}
    at = 0
    flowing = flowed(text)
    for sentence in sentences(flowing, mask(flowing)):
        first = sentence.text.split(" ", 1)[0]
        at = max(at, text.find(first, at))
        line = text.count("\n", 0, at) + 1
        said.setdefault(normal(sentence.text), (line, line in inside))
    for number, whole in enumerate(text.split("\n"), start=1):
        line_text = whole.strip().removeprefix("-").removeprefix("*").strip()
        if line_text:
            said.setdefault(normal(line_text), (number, number in inside))
    return said


def _text(data: bytes, inside: set[int], told: bool) -> str:
    lines = data.removeprefix(BOM).decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    try:
        own = own_words(data, DEFAULT)
    except RedlineError:  # its markers do not pair up
        return "\n".join(lines)
    outside = (own if told else without_lifted(own)).split("\n")
    pairs = enumerate(zip(lines, outside, strict=True), start=1)
    return "\n".join(line if number in inside else other for number, (line, other) in pairs)


def _ids(data: bytes) -> dict[str, int]:
    """The ids of the rules in the block, each with its line."""
    try:
        rules, lines = rules_of(data, DEFAULT), sorted(_block_lines(data))
    except RedlineError:
        return {}
    text = data.decode("utf-8", errors="replace").split("\n")
    found: dict[str, int] = {}
    for rule in rules:
        places = (line for line in lines if text[line - 1].strip()[2:].strip() == rule.line)
        if rule.id:
            found[rule.id] = next(places, lines[0] if lines else 1)
    return found


def _block_lines(data: bytes) -> set[int]:
    """The numbers of the lines inside the block; none where its marks do not pair up."""
    try:
        spans = find(data, DEFAULT).spans
    except RedlineError:
        return set()
    lines: set[int] = set()
    for start, end in spans:
        first = data.count(b"\n", 0, start) + 1
        lines |= set(range(first, first + data[start:end].rstrip(b"\n").count(b"\n") + 1))
    return lines
