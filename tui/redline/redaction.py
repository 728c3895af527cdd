"""Secrets taken out of text that leaves a session, with a mark of what was taken.

A kept detector library knows the forms that keys and tokens have (`secrets.known_forms`). What it
cannot do has rules here: keys that are cut off, as a session cuts long output; values that a name,
a header or an address gives away; files of settings; the account beside a password. A bare hash,
uuid or path is no secret to any of them. Time is linear in the text, whatever is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from redline.secrets.accounts import accounts
from redline.secrets.encoded_lines import encoded_lines
from redline.secrets.environment_files import environment_files
from redline.secrets.known_forms import known_forms
from redline.secrets.named import named
from redline.secrets.prefixes import by_beginning
from redline.secrets.private_keys import private_keys
from redline.secrets.span import Span

_ROUNDS = 4  # what is taken out can show the rest in another light; more was never needed
_NEAR = 2_000  # characters at both sides of what is taken out


@dataclass(frozen=True, slots=True)
class Redacted:
    """`text` without its secrets; `found` counts the marks by kind."""

    text: str
    found: Mapping[str, int] = field(default_factory=dict)


def redact(text: str) -> Redacted:
    """`text` with `[redacted: kind]` in place of every secret. Redacting twice changes nothing."""
    found: dict[str, int] = {}
    for _ in range(_ROUNDS):
        spans = _spans(text)
        if not spans:
            break
        text = _without(text, spans, found)
        if not _spans(_around_marks(text)):
            break
    return Redacted(text, found)


_MARK = re.compile(r"\[redacted: ([a-z][a-z ]{0,40})\]")


def marks(text: str) -> Mapping[str, int]:
    """How many marks of `redact` stand in `text`, by kind."""
    found: dict[str, int] = {}
    for kind in _MARK.findall(text):
        found[kind] = found.get(kind, 0) + 1
    return found


def listed(found: Mapping[str, int]) -> str:
    """What was taken out, by kind: `2 x token, 1 x password`; "" for nothing."""
    return ", ".join(f"{count} x {kind}" for kind, count in found.items() if count)


def _spans(text: str) -> list[Span]:
    """The secrets in `text` by place; the longer of two that begin together first."""
    spans = [*known_forms(text), *by_beginning(text), *encoded_lines(text)]
    spans.extend(_by_surroundings(text))
    if spans and "[redacted: " in text:
        marked = [match.span() for match in _MARK.finditer(text)]
        spans = _outside(spans, marked)
    if spans:
        spans.extend(accounts(text, spans))
    return sorted(spans, key=lambda span: (span.start, -span.end))


def _by_surroundings(text: str) -> Iterator[Span]:
    # The one letter that grows in lower case would move all places after it.
    lowered = text.replace("\u0130", "i").lower()
    if any(trigger in lowered for trigger in _TRIGGERS):
        yield from private_keys(text)
        yield from environment_files(text)
        yield from named(text, lowered)


def _around_marks(text: str) -> str:
    """What stands near the marks in `text`: all that looks different since they were set."""
    pieces: list[str] = []
    at = 0
    for match in _MARK.finditer(text):
        start, end = max(at, match.start() - _NEAR), min(len(text), match.end() + _NEAR)
        if start < end:
            joined = start == at and pieces
            pieces.append(text[start:end] if joined else f"\n\n{text[start:end]}")
            at = end
    return "".join(pieces)


def _outside(spans: list[Span], marked: list[tuple[int, int]]) -> list[Span]:
    """Those of `spans` in which no mark stands, and which stand in none: what is marked is done."""
    import bisect

    starts = [start for start, _ in marked]
    kept = []
    for span in spans:
        at = bisect.bisect_left(starts, span.end)
        if not at or marked[at - 1][1] <= span.start:
            kept.append(span)
    return kept


def _without(text: str, spans: list[Span], found: dict[str, int]) -> str:
    """`text` with marks in place of `spans`; counts them in `found`."""
    pieces: list[str] = []
    at = 0
    for start, end, kind in spans:
        if start < at:  # inside or overlapping a longer one: the rest of it goes with that
            at = max(at, end)
            continue
        pieces.append(text[at:start])
        pieces.append(f"[redacted: {kind}]")
        found[kind] = found.get(kind, 0) + 1
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


_TRIGGERS = (
    "pass", "pwd", "secret", "token", "key", "credential", "dsn", "database_url", "密码", "口令",
    "密钥", "令牌", "-u", "bearer", "authorization", "cookie", "://",
)  # fmt: skip
