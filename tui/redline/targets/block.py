"""A managed block: a stretch of somebody's Markdown file that is ours, everything else is not.

The block stands between two marker lines, each an HTML comment of its own, which Claude Code takes
out before the model reads the file. Works on bytes: what is outside the block is never decoded,
and stays as it is. Markers inside a closed code fence are somebody's example and not ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from redline.errors import RedlineError
from redline.fences import BOM, Line, fences, lines_of

DEFAULT = "project"  # the id of the block of rules
STATE = "state"
COMPACT = "compact-instructions"
OWN = (DEFAULT, STATE, COMPACT)  # the ids of all blocks that the commands write
RULES = "rules"
HEADING = "## Rules of this project"
INTRODUCTION = "Stated by the user and still in force. They hold until the user takes them back."

NAME = re.compile(r"[A-Za-z0-9_.:-]+")  # what an id may be made of

# Any version and any further words: a block of another version of redline is the same block.
_MARKER = re.compile(
    rb" {0,3}<!--\s*redline:(?:([a-z-]+):)?(begin|start|end)"
    rb"((?:[ \t]+[\w.-]+(?:=[^\s<>]*)?)*)\s*-->[ \t]*\Z",
    re.I,
)
# Where a block is open an end counts also behind any indent, and before text that was appended.
_LOOSE_END = re.compile(
    rb"[ \t]*<!--\s*redline:(?:[a-z-]+:)?end((?:[ \t]+[\w.-]+(?:=[^\s<>]*)?)*)\s*-->[ \t]*", re.I
)
_ANY_MARK = re.compile(r"[ \t]*<!--\s*redline:(?:[a-z-]+:)?(?:begin|start|end)\b", re.I)
_ADDED = b" final-newline=added"  # in the first marker: the file had none before the block
_ATTRIBUTE = re.compile(rb"([\w-]+)=(\S*)")
_ITEM = re.compile(r" {0,3}[-*+] \S")
_NOBODY = "-"  # stands for the id of a rule that a person wrote in


@dataclass(frozen=True, slots=True)
class BlockRule:
    """A rule of a block: its id ("" for a line that a person added) and its line of Markdown."""

    id: str
    line: str


@dataclass(frozen=True, slots=True)
class Content:
    """What stands in a block: its kind, its heading, the lines below, and what its first marker
    says besides the id."""

    kind: str
    heading: str
    lines: tuple[str, ...]
    attributes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """Blocks of one id in a file: byte spans of whole lines, and how lines end around them."""

    spans: tuple[tuple[int, int], ...]
    newline: bytes


@dataclass(frozen=True, slots=True)
class _Mark:
    line: Line
    number: int
    begins: bool
    id: str | None  # None for an end that does not say which
    loose: bool = False


def find(data: bytes, block: str) -> Found:
    """Where the blocks with just this id stand in `data`.

    Raises RedlineError where the file is no UTF-8 text or its markers do not pair up: then nobody
    knows which text is ours.
    """
    _refuse_other_encodings(data)
    spans: list[tuple[int, int]] = []
    opened: _Mark | None = None
    for mark in _marks(data):
        if mark.loose and (opened is None or mark.id not in (None, opened.id)):
            continue
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


def put(data: bytes, block: str, rules: Iterable[BlockRule], without: Iterable[str] = ()) -> bytes:
    """`data` with `rules` in the block; `without` are ids of rules that are to stay out of it. See
    `put_content`."""
    return put_content(data, block, rules_content(rules, without))


def put_content(data: bytes, block: str, content: Content) -> bytes:
    """`data` with `content` in the block: in the first one's place, or at the end of the file.

    Further blocks of the same id go. The line ends and the missing final newline of the file are
    followed. Writing the same again gives the same bytes.
    """
    found = find(data, block)
    heading = _heading(data, found, block, content.heading)
    text = found.newline.join(line.encode() for line in _render(block, content, heading))
    if not found.spans:
        return _append(data, text, found.newline)
    for start, end in reversed(found.spans[1:]):
        data = _cut(data, start, end)
    start, end = found.spans[0]
    return _in_place(data, start, end, _noted(text, _has_added(data[start:end])), found.newline)


def remove(data: bytes, block: str) -> bytes:
    """`data` without any block of this id: what it was before the block was put there."""
    for start, end in reversed(find(data, block).spans):
        data = _cut(data, start, end)
    return data


def rules_of(data: bytes, block: str) -> tuple[BlockRule, ...]:
    """The rules in the block as they stand there, also those a person wrote into it. Where it is
    there several times, those of all, each once."""
    found: dict[str, BlockRule] = {}
    for start, end in find(data, block).spans:
        first, *below = data[start:end].decode(errors="replace").replace("\r\n", "\n").split("\n")
        written = list(_items(below))
        ids = ["" if name == _NOBODY else name for name in listed_ids(first)]
        if len(ids) != len(written):  # somebody added or took out lines: no id is certain
            ids = [""] * len(written)
        for name, line in zip(ids, written, strict=True):
            # An id that stands for another line already is nobody's there.
            taken = any(name == rule.id for rule in found.values())
            found.setdefault(line, BlockRule("" if taken else name, line))
    return tuple(found.values())


def added_lines(data: bytes, block: str) -> tuple[str, ...]:
    """What somebody wrote into the block of rules that is no rule, and goes with the next write."""
    found = []
    for start, end in find(data, block).spans:
        lines = data[start:end].decode(errors="replace").replace("\r\n", "\n").split("\n")
        item = False
        for line in lines[1:]:
            mark = is_mark(line)
            item = not mark and (bool(_ITEM.match(line)) or (item and line.startswith("  ")))
            ours = mark or line.startswith(HEADING) or line == INTRODUCTION
            if line.strip() and not item and not ours:
                found.append(line.strip())
    return tuple(found)


def _items(lines: Iterable[str]) -> Iterator[str]:
    """The items of a list, each on one line, also those that an editor has wrapped."""
    item = ""
    for line in lines:
        if _ITEM.match(line):
            if item:
                yield item
            item = line.strip()[2:].strip()
        elif item and line.startswith("  ") and line.strip() and not is_mark(line):
            item += f" {line.strip()}"
        elif item:
            yield item
            item = ""
    if item:
        yield item


def is_mark(line: str) -> bool:
    """Whether a line inside a block is one of its markers."""
    return _ANY_MARK.match(line) is not None


def listed_ids(first: str) -> list[str]:
    """The ids of rules that the first line of a block lists, "-" for a line that a person added."""
    return _listed(first, "rules")


def kept_out(data: bytes, block: str) -> tuple[str, ...]:
    """The ids of rules that a person retired from the block, so that they stay out of it."""
    spans = find(data, block).spans
    first = data[slice(*spans[0])].split(b"\n")[0] if spans else b""
    return tuple(_listed(first.decode(errors="replace").removesuffix("\r"), "without"))


def body(data: bytes | None, block: str) -> tuple[bytes, ...]:
    """The lines of each block, ends normalised: to tell whether a block has changed. `block` may be
    several ids with commas between."""
    if data is None:
        return ()
    spans = [span for one in block.split(",") for span in find(data, one).spans]
    return tuple(data[start:end].replace(b"\r\n", b"\n").strip(b"\n") for start, end in spans)


def swap(now: bytes, block: str, then: bytes | None) -> bytes:
    """`now` with its block as it was in `then`, or without it where `then` has none. `block` may be
    several ids with commas between."""
    for one in block.split(","):
        now = _swapped(now, one, then)
    return now


def _swapped(now: bytes, block: str, then: bytes | None) -> bytes:
    spans = find(then, block).spans if then is not None else ()
    if then is None or not spans:
        return remove(now, block)
    found = find(now, block)
    lines = then[spans[0][0] : spans[0][1]].rstrip(b"\r\n").split(b"\n")
    text = found.newline.join(line.rstrip(b"\r") for line in lines)
    if not found.spans:
        return _append(now, text, found.newline)
    return _in_place(now, *found.spans[0], text, found.newline)


def rules_content(rules: Iterable[BlockRule], without: Iterable[str] = ()) -> Content:
    """The content of a block of rules."""
    listed = list(rules)
    ids = [rule.id if NAME.fullmatch(rule.id) else _NOBODY for rule in listed]
    attributes = [("rules", ",".join(ids))] if ids else []
    if out := ",".join(name for name in without if NAME.fullmatch(name)):
        attributes.append(("without", out))
    lines = (INTRODUCTION, "", *(f"- {rule.line}" for rule in listed))
    return Content(RULES, HEADING, lines, tuple(attributes))


def _render(block: str, content: Content, heading: str) -> list[str]:
    """The lines of a block, markers and heading with them."""
    told = "".join(f" {name}={value}" for name, value in content.attributes)
    return [
        f"<!-- redline:{content.kind}:begin id={block}{told} -->",
        heading,
        "",
        *content.lines,
        f"<!-- redline:{content.kind}:end id={block} -->",
    ]


def _heading(data: bytes, found: Found, block: str, heading: str) -> str:
    """`heading`, with the block's id where the rest of the file has the same one already."""
    words = heading.lstrip("# ").encode().lower()
    lines = lines_of(data)
    inside, _ = fences(lines)
    for number, line in enumerate(lines, 1):
        text = line.text.strip()
        if not text.startswith(b"#") or text.strip(b"# \t").lower() != words or number in inside:
            continue
        if not any(start <= line.start < end for start, end in found.spans):
            return f"{heading} ({'redline' if block == DEFAULT else block})"
    return heading


def _append(data: bytes, text: bytes, newline: bytes) -> bytes:
    if data.removeprefix(BOM) == b"":
        return data + text + newline
    if data.endswith(b"\n"):
        return data + newline + _noted(text, False) + newline
    return data + newline + newline + _noted(text, True) + newline


def _in_place(data: bytes, start: int, end: int, text: bytes, newline: bytes) -> bytes:
    """`data` with `text` for a block; what somebody appended to its last line gets a line."""
    apart = data[start:end].endswith(b"\n") or data[end:] != b""
    return data[:start] + text + (newline if apart else b"") + data[end:]


def _has_added(block: bytes) -> bool:
    return _ADDED in block.split(b"\n", 1)[0]


def _noted(text: bytes, added: bool) -> bytes:
    """`text`, a block, whose first marker says whether the file's last line had no end before."""
    first, newline, below = text.replace(_ADDED, b"", 1).partition(b"\n")
    if added:
        first = first.replace(b" -->", _ADDED + b" -->", 1)
    return first + newline + below


def _cut(data: bytes, start: int, end: int) -> bytes:
    """`data` without a block and the blank line that was put before it."""
    newline = _newline(data, [(start, end)])
    block, before, behind = data[start:end], data[:start], data[end:]
    if _has_added(block) and before.endswith(newline * 2):
        return before.removesuffix(newline * (1 if behind else 2)) + behind
    # Without a line end behind it, it stands at the end of a file that had none, as older ones do.
    ends = block.endswith(b"\n") or behind != b""
    taken = newline if ends else newline * 2
    blank = before.removesuffix(newline)
    if before.endswith(taken) and (blank.endswith(b"\n") or not ends):
        before = before.removesuffix(taken)
    return before + behind


def _newline(data: bytes, spans: Iterable[tuple[int, int]]) -> bytes:
    """The line end of most lines outside `spans`, LF where there are as many of both."""
    both, pairs = data.count(b"\n"), data.count(b"\r\n")
    for start, end in spans:
        both -= data.count(b"\n", start, end)
        pairs -= data.count(b"\r\n", start, end)
    if both == 0 and data:  # nothing but the block itself
        both, pairs = data.count(b"\n"), data.count(b"\r\n")
    return b"\r\n" if pairs * 2 > both else b"\n"


def _marks(data: bytes) -> list[_Mark]:
    if b"redline:" not in data.lower():
        return []
    lines = lines_of(data)
    inside, _ = fences(lines)
    marks = []
    for number, line in enumerate(lines, 1):
        if number in inside:
            continue
        if not (found := _MARKER.match(line.text)):
            if loose := _LOOSE_END.match(line.text):
                named = dict(_pairs(loose.group(1))).get("id")
                behind = len(line.text) > loose.end()
                end = line.start + loose.end() if behind else line.end
                place = Line(line.start, end, line.text[: loose.end()])
                marks.append(_Mark(place, number, False, named, loose=True))
            continue
        begins = found.group(2).lower() != b"end"
        named = _attributes(line.text).get("id")
        if begins and named is None:  # a block of a version that had one a kind
            kind = (found.group(1) or RULES.encode()).decode().lower()
            named = DEFAULT if kind == RULES else kind
        marks.append(_Mark(line, number, begins, named))
    return marks


def _attributes(line: bytes) -> dict[str, str]:
    found = _MARKER.match(line)
    return dict(_pairs(found.group(3))) if found else {}


def _pairs(words: bytes) -> Iterator[tuple[str, str]]:
    for key, value in _ATTRIBUTE.findall(words):
        yield key.decode().lower(), value.decode(errors="replace")


def _listed(line: str, attribute: str) -> list[str]:
    """What a marker lists under `attribute`."""
    return [name for name in _attributes(line.encode()).get(attribute, "").split(",") if name]


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
