"""Private keys, whole or cut off at either end.

A key goes with everything between its marks, and what is there of one goes line by line for as
long as the lines are a key's; a mark that text merely speaks of takes nothing with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.patterns import lazy
from redline.secrets.span import Span

LONGEST = 24_000  # characters between the marks of one key; RSA with 16,384 bits has 13,000
_MARK = lazy(r"-----(?P<word>BEGIN|END) (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_BODY = lazy(r"[A-Za-z0-9+/=]{20,}+")
# Nothing but a part of the body, behind a line number, a quotation or a sign of a difference.
_BODY_LINE = lazy(r"[ \t>|+\"'-]*+(?:\d++[→|:\t ])?[ \t]*+[A-Za-z0-9+/=\\]++[\"',; \t\r]*+")
_ON_THE_LINE = lazy(r"[A-Za-z0-9+/=\\]*+")
_LONG_RUN = lazy(r"[A-Za-z0-9+/=]{40,}+")  # in a line of a log
_BETWEEN = lazy(
    r"[ \t\r]*+|[A-Z][A-Za-z-]{2,20}: [^\n]{0,200}"
    r"|[^\n]{0,80}(?:\.\.\.|…|omitted|truncated)[^\n]{0,80}"
)


def private_keys(text: str) -> Iterator[Span]:
    """Whole keys, and what is there of one that is cut off: never half of it."""
    done = 0
    marks = list(_MARK.finditer(text))
    for number, mark in enumerate(marks):
        if mark.start() < done:
            continue
        if mark["word"] == "BEGIN":
            first = mark.start()
            last = _closed(text, mark, marks[number + 1 : number + 3]) or _below(text, mark.end())
        else:
            first, last = _above(text, mark.start(), done), mark.end()
        done = mark.end()
        if last > mark.end() or first < mark.start():
            done = last
            yield Span(first, last, "private key")


def _closed(text: str, begin: re.Match[str], later: list[re.Match[str]]) -> int:
    """Where the key that begins ends, 0 where its end is not there."""
    for mark in later:
        if mark.start() - begin.end() > LONGEST:
            break
        if mark["word"] == "END":
            return mark.end() if _BODY.search(text, begin.end(), mark.start()) else 0
    return 0


def _below(text: str, at: int) -> int:
    """The end of what is there of a body that starts at `at`; `at` where there is none."""
    reached = _ON_THE_LINE.match(text, at)
    end = reached.end() if reached else at
    found = end if _BODY.search(text, at, end) else at
    stop = text.find("\n", at)
    if stop < 0 or text[end:stop].strip("\"',; \t\r"):
        return found
    begun = found > at
    while 0 <= stop < len(text):
        start = stop + 1
        stop = text.find("\n", start)
        line = text[start : stop if stop >= 0 else len(text)]
        begun = _is_body(line, begun=begun)
        if begun:
            found = start + len(line)
        elif not _BETWEEN.fullmatch(line):
            break
    return found


def _above(text: str, at: int, limit: int) -> int:
    """The start of what is there of a body that ends at `at`; `at` where there is none."""
    start = max(text.rfind("\n", limit, at) + 1, limit)
    found = start if _BODY.search(text, start, at) else at
    while start > limit:
        end = start - 1
        start = max(text.rfind("\n", limit, end) + 1, limit)
        if _is_body(line := text[start:end], begun=True):
            found = start
        elif not line.strip() or not _BETWEEN.fullmatch(line):
            break
    return found


def _is_body(line: str, *, begun: bool) -> bool:
    """Whether `line` is a part of a key's body; once it has begun, a short last line is."""
    if _BODY_LINE.fullmatch(line):
        return begun or bool(_BODY.search(line))
    run = _LONG_RUN.search(line)
    return run is not None and 3 * len(run.group()) > len(line)
