"""The difference a change makes, as lines of a unified diff. Making them safe is the face's job."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from redline.targets.target import Change

_CONTEXT = 3
_MOST = 3_000  # changed lines of one side up to which they are matched with each other
_NO_NEWLINE = "\\ no newline at the end"


def difference(change: Change) -> tuple[str, ...]:
    """What `change` does to its file; empty where it does nothing."""
    name = str(change.path) if change.path else change.label
    return compare(change.before, change.after, name)


def compare(before: bytes | None, after: bytes | None, name: str | Path) -> tuple[str, ...]:
    """The unified diff from `before` to `after`; None stands for no file."""
    if before == after:
        return ()
    return tuple(_compare(before, after, str(name)))


def _compare(before: bytes | None, after: bytes | None, name: str) -> Iterator[str]:
    yield f"--- {'no file' if before is None else name}"
    yield f"+++ {'no file' if after is None else name}"
    old, new = before or b"", after or b""
    if b"\0" in old or b"\0" in new:
        yield f"binary content: {len(old)} bytes before, {len(new)} bytes after"
        return
    # A carriage return is only worth showing where line ends are mixed or change.
    drop = all(side.count(b"\r\n") == side.count(b"\n") for side in (old, new) if side)
    a, b = _lines(old, drop), _lines(new, drop)
    start = _alike(a, b)
    end = _alike(a[start:][::-1], b[start:][::-1])
    head, tail = max(start - _CONTEXT, 0), max(end - _CONTEXT, 0)
    a, b = a[head : len(a) - tail], b[head : len(b) - tail]
    if max(len(a), len(b)) > _MOST:
        yield f"@@ -{head + 1},{len(a)} +{head + 1},{len(b)} @@"
        for mark, lines in (("-", a), ("+", b)):
            for line in lines:
                yield from _marked(mark, line)
        return
    for group in difflib.SequenceMatcher(None, a, b, autojunk=False).get_grouped_opcodes(_CONTEXT):
        yield (
            f"@@ -{_range(head, group[0][1], group[-1][2])} "
            f"+{_range(head, group[0][3], group[-1][4])} @@"
        )
        for kind, a_from, a_to, b_from, b_to in group:
            if kind == "equal":
                for line in a[a_from:a_to]:
                    yield from _marked(" ", line)
                continue
            for line in a[a_from:a_to]:
                yield from _marked("-", line)
            for line in b[b_from:b_to]:
                yield from _marked("+", line)


def _lines(data: bytes, drop: bool) -> list[str]:
    """Lines with their new line, so that a missing one at the end is a difference."""
    text = data.decode(errors="backslashreplace")
    if drop:
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def _marked(mark: str, line: str) -> Iterator[str]:
    yield mark + line.removesuffix("\n")
    if not line.endswith("\n"):
        yield _NO_NEWLINE


def _alike(a: list[str], b: list[str]) -> int:
    count = 0
    for one, other in zip(a, b, strict=False):
        if one != other:
            break
        count += 1
    return count


def _range(head: int, start: int, end: int) -> str:
    length = end - start
    return f"{head + start + (1 if length else 0)},{length}"
