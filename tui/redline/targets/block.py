"""A managed block: a stretch of somebody's Markdown file that is ours, everything else is not.

The block stands between two marker lines, each an HTML comment of its own, which Claude Code takes
out before the model reads the file. Works on bytes: what is outside the block is never decoded,
and stays as it is. Markers inside a closed code fence are somebody's example and not ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from redline.errors import RedlineError

BOM = b"\xef\xbb\xbf"
HEADING = "## Rules of this project"
INTRODUCTION = "Stated by the user and still in force. They hold until the user takes them back."

NAME = re.compile(r"[A-Za-z0-9_.:-]+")  # what an id may be made of

# Any version and any further attributes: a block of another version of redline is the same block.
_MARKER = re.compile(
    rb" {0,3}<!--\s*redline:rules:(begin|end)((?:[ \t]+[\w-]+=[^\s<>]*)*)\s*-->[ \t]*\Z"
)
_ATTRIBUTE = re.compile(rb"([\w-]+)=(\S*)")
_FENCE = re.compile(rb" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")


@dataclass(frozen=True, slots=True)
class BlockRule:
    """A rule of a block: its id ("" for a line that a person added) and its line of Markdown."""

    id: str
    line: str


@dataclass(frozen=True, slots=True)
class Found:
    """Blocks of one id in a file: byte spans of whole lines, and how lines end around them."""

    spans: tuple[tuple[int, int], ...]
    newline: bytes


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: bytes  # without BOM and line end


@dataclass(frozen=True, slots=True)
class _Mark:
    line: _Line
    number: int
    begins: bool
    id: str | None


def find(data: bytes, block: str) -> Found:
    """Where the blocks with just this id stand in `data`.

    Raises RedlineError where the file is no UTF-8 text or its markers do not pair up: then nobody
    knows which text is ours.
    """
    _refuse_other_encodings(data)
    spans: list[tuple[int, int]] = []
    opened: _Mark | None = None
    for mark in _marks(data):
        if mark.begins:
            if opened and opened.id == block:
                raise _unpaired(opened, "is followed by another begin instead of its end")
            opened = mark
        elif opened is None or mark.id not in (None, opened.id):
            if block in (mark.id, opened.id if opened else None):
                raise _unpaired(mark, "is an end without its begin")
        else:
            if opened.id == block:
                spans.append((opened.line.start, mark.line.end))
            opened = None
    if opened and opened.id == block:
        raise _unpaired(opened, "has no end")
    return Found(tuple(spans), _newline(data, spans))


def put(data: bytes, block: str, rules: Iterable[BlockRule]) -> bytes:
    """`data` with `rules` in the block: in the first one's place, or at the end of the file.

    Further blocks of the same id go. The line ends and the missing final newline of the file are
    followed. Writing the same rules again gives the same bytes.
    """
    found = find(data, block)
    text = found.newline.join(line.encode() for line in render(block, rules))
    if not found.spans:
        return _append(data, text, found.newline)
    for start, end in reversed(found.spans[1:]):
        data = _cut(data, start, end)
    start, end = found.spans[0]
    ending = found.newline if data[start:end].endswith(b"\n") else b""
    return data[:start] + text + ending + data[end:]


def remove(data: bytes, block: str) -> bytes:
    """`data` without any block of this id: what it was before the block was put there."""
    for start, end in reversed(find(data, block).spans):
        data = _cut(data, start, end)
    return data


def rules_of(data: bytes, block: str) -> tuple[BlockRule, ...]:
    """The rules in the block as they stand there, also those a person wrote into it."""
    found = find(data, block)
    if not found.spans:
        return ()
    start, end = found.spans[0]
    text = data[start:end].decode(errors="replace")
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    written = [line.strip()[2:].strip() for line in lines if re.match(r" {0,3}- \S", line)]
    attributes = _attributes(lines[0].encode())
    ids = [name for name in attributes.get("rules", "").split(",") if name]
    if len(ids) != len(written):  # somebody added or took out lines: no id is certain
        ids = [""] * len(written)
    return tuple(BlockRule(*rule) for rule in zip(ids, written, strict=True))


def body(data: bytes | None, block: str) -> tuple[bytes, ...]:
    """The lines of each block, ends normalised: to tell whether a block has changed."""
    if data is None:
        return ()
    spans = find(data, block).spans
    return tuple(data[start:end].replace(b"\r\n", b"\n").strip(b"\n") for start, end in spans)


def swap(now: bytes, block: str, then: bytes | None) -> bytes:
    """`now` with its block as it was in `then`, or without it where `then` has none."""
    spans = find(then, block).spans if then is not None else ()
    if then is None or not spans:
        return remove(now, block)
    found = find(now, block)
    lines = then[spans[0][0] : spans[0][1]].rstrip(b"\r\n").split(b"\n")
    text = found.newline.join(line.rstrip(b"\r") for line in lines)
    if not found.spans:
        return _append(now, text, found.newline)
    start, end = found.spans[0]
    ending = found.newline if now[start:end].endswith(b"\n") else b""
    return now[:start] + text + ending + now[end:]


def render(block: str, rules: Iterable[BlockRule]) -> list[str]:
    """The lines of a block, markers and heading with them."""
    listed = list(rules)
    ids = ",".join(rule.id for rule in listed)
    known = f" rules={ids}" if all(NAME.fullmatch(rule.id) for rule in listed) else ""
    return [
        f"<!-- redline:rules:begin id={block}{known} -->",
        HEADING,
        "",
        INTRODUCTION,
        "",
        *(f"- {rule.line}" for rule in listed),
        f"<!-- redline:rules:end id={block} -->",
    ]


def open_fence(data: bytes) -> int | None:
    """The number of the line whose code fence is never closed, so that the file ends in code."""
    return _fences(_lines(data))[1]


def outside_fences(data: bytes) -> list[bytes]:
    """The lines of `data` that are not inside a closed code fence, without their ends."""
    lines = _lines(data)
    inside, _ = _fences(lines)
    return [line.text for number, line in enumerate(lines, 1) if number not in inside]


def _append(data: bytes, text: bytes, newline: bytes) -> bytes:
    if data.removeprefix(BOM) == b"":
        return data + text + newline
    if data.endswith(b"\n"):
        return data + newline + text + newline
    return data + newline + newline + text


def _cut(data: bytes, start: int, end: int) -> bytes:
    """`data` without a block and the blank line that was put before it."""
    newline = _newline(data, [(start, end)])
    taken = newline if data[start:end].endswith(b"\n") else newline * 2
    before = data[:start]
    blank = before.removesuffix(newline)
    if before.endswith(taken) and (blank.endswith(b"\n") or taken == newline * 2):
        before = before.removesuffix(taken)
    return before + data[end:]


def _newline(data: bytes, spans: Iterable[tuple[int, int]]) -> bytes:
    """The line end of most lines outside `spans`, LF where there are as many of both."""
    both, pairs = data.count(b"\n"), data.count(b"\r\n")
    for start, end in spans:
        both -= data.count(b"\n", start, end)
        pairs -= data.count(b"\r\n", start, end)
    if both == 0 and data:  # nothing but the block itself
        both, pairs = data.count(b"\n"), data.count(b"\r\n")
    return b"\r\n" if pairs * 2 > both else b"\n"


def _lines(data: bytes) -> list[_Line]:
    lines = []
    start = len(BOM) if data.startswith(BOM) else 0
    for raw in data[start:].split(b"\n"):
        end = min(start + len(raw) + 1, len(data))
        lines.append(_Line(start, end, raw.removesuffix(b"\r")))
        start = end
    return lines


def _fences(lines: list[_Line]) -> tuple[set[int], int | None]:
    """The numbers of lines inside closed fences, and that of a fence that is never closed."""
    inside: set[int] = set()
    opened: tuple[int, bytes] | None = None
    for number, line in enumerate(lines, 1):
        fence = _FENCE.match(line.text)
        if not fence:
            continue
        mark = fence.group(1)
        if opened is None:
            opened = (number, mark)
        elif mark.startswith(opened[1]) and not line.text[fence.end() :].strip():
            inside.update(range(opened[0], number + 1))
            opened = None
    return inside, opened[0] if opened else None


def _marks(data: bytes) -> list[_Mark]:
    if b"redline:rules:" not in data:
        return []
    lines = _lines(data)
    inside, _ = _fences(lines)
    marks = []
    for number, line in enumerate(lines, 1):
        if number not in inside and (found := _MARKER.match(line.text)):
            marks.append(
                _Mark(line, number, found.group(1) == b"begin", _attributes(line.text).get("id"))
            )
    return marks


def _attributes(line: bytes) -> dict[str, str]:
    found = _MARKER.match(line)
    pairs = _ATTRIBUTE.findall(found.group(2)) if found else []
    return {key.decode(): value.decode(errors="replace") for key, value in pairs}


def _refuse_other_encodings(data: bytes) -> None:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data:
        raise RedlineError(
            "the file is not UTF-8 text, so no block can be put into it",
            "save it as UTF-8, or name another file",
        )


def _unpaired(mark: _Mark, what: str) -> RedlineError:
    return RedlineError(
        f"the redline marker in line {mark.number} {what}; nothing was changed",
        "repair or delete the marker lines by hand, then write again",
    )
