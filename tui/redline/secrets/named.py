"""Secrets that show by what stands before them: a name, an option, a header, an address.

Names are searched in lower case by the literal they begin with, which the engine does fast, and
values are read from the text itself; a text is read a constant number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.patterns import lazy
from redline.secrets.span import Span
from redline.secrets.values import VALUE, inner, is_code, is_literal, is_secret

_VALUE = lazy(VALUE)
_MORE = lazy(
    r"(?:(?:[&|<>(){}\[\]]{1,3}|[,;](?=[^\s,;]{0,40}\d))(?![\w.-]{1,40}(?:\[\w{0,20}\])?[=:])"
    r"(?!\[?redacted)[^\s\"'`,;<>(){}\[\]|&，。；、）」”]++)*+"
)
_SIGN = (
    r"(?:\\{0,4}[\"'`])?+"
    r"(?:[ \t]{0,8}+(?P<sign>=>|:=|=|:|：|是|为)|[ \t]{1,8}+(?P<said>is|was)(?=[ \t]))"
    r"[ \t]{0,8}+(?:\\{1,4}(?=[\"']))?+"  # a string in a string
)
# (a name, its kind); `key` alone is none, see _KEY_OF.
_NAMES: tuple[tuple[str, re.Pattern[str], str], ...] = tuple(
    (literal, lazy(rf"{literal}{rest}(?P<name>){_SIGN}"), kind)
    for literal, rest, kind in (
        ("pass", r"(?:word|wd|phrase|code)s?+", "password"),
        ("pwd", "", "password"),
        ("secret", r"s?+(?:[ _-]?key)?+", "password"),
        ("token", "", "token"),
        ("key", r"(?:s|[_-]?id)?+", "api key"),
        ("credential", "s?+", "password"),
        ("密码", "", "password"),
        ("口令", "", "password"),
        ("密钥", "", "password"),
        ("令牌", "", "password"),
    )
)
_KEY_OF = lazy(r"(?:api|access|secret|account|private|encryption|signing)[ _-]?$")
_OPTION = lazy(r"--(?:[a-z-]{0,20}-)?(?P<name>password|passwd|secret|token|api-key)[ =][ ]{0,4}+")
_BASIC = lazy(r"-u(?P<long>ser)?[ =]{1,4}+['\"]?(?P<user>[^\s:'\"]{1,64}):(?P<value>[^\s'\"]{3,}+)")
_BEFORE_BASIC = {True: lazy(r"(?:^|\s)-$"), False: lazy(r"(?:^|\s)$")}
_HEADERS = tuple(
    (literal, lazy(rf"{literal}[\"']?[ \t]{{0,4}}+:[ \t]{{0,4}}+[\"']?(?:{schemes}[ \t]++)?"))
    for schemes in ("(?:bearer|basic|token|digest|apikey)",)
    for literal in ("authorization", "api-key", "x-auth-token")
)
_HEADER_VALUE = lazy(r"[^\s\"'`,;<>]{4,}+")
_BEARER = lazy(r"bearer[ \t]++")
_BEARER_VALUE = lazy(r"[\w.~+/=-]{8,}+", re.ASCII)
_COOKIE = lazy(r"cookie:[ \t]{0,4}+")
_COOKIE_VALUE = lazy(r"[^\s=]{1,64}=[^\r\n\"']{8,}+")
_ADDRESS = lazy(r"://[^\s:/@\"'<>]{0,128}:(?P<value>[^\s/@\"'<>]{1,256})@")


def named(text: str, lowered: str) -> Iterator[Span]:
    """Values of names, options, headers and addresses. `lowered` is as long as `text`."""
    yield from _values(text, lowered)
    yield from _headers(text, lowered)
    if "://" in text:
        for match in _ADDRESS.finditer(text):
            if not re.match(r"[$<{%*]|\[redacted", match["value"]):
                yield Span(*match.span("value"), "password")


def _values(text: str, lowered: str) -> Iterator[Span]:
    for literal, pattern, kind in _NAMES:
        if literal not in lowered:
            continue
        for match, value in _given(pattern, _VALUE, text, lowered):
            start = match.start()
            if literal == "key" and not _KEY_OF.search(lowered[max(0, start - 12) : start]):
                continue
            given, of = value.group(), "password" if match["said"] else kind
            constant = match["sign"] == "=" and text[start : match.start("name")].isupper()
            if is_secret(given, of) or (constant and is_literal(given.strip("\"'`"))):
                start, end = inner(given, value.start())
                yield Span(start, _end(text, end) if end == value.end() else end, kind)
    if "--" in text:
        for _, value in _given(_OPTION, _VALUE, text, lowered):
            if is_secret(value.group(), "password"):
                yield Span(*inner(value.group(), value.start()), "password")
    if "-u" in text:
        for match in _BASIC.finditer(text):
            before = text[max(0, match.start() - 2) : match.start()]
            if match["user"].isdigit() and match["value"].isdigit():
                continue  # a user and a group of the system
            if _BEFORE_BASIC[bool(match["long"])].search(before) and not is_code(match["value"]):
                yield Span(*match.span("value"), "password")


def _end(text: str, at: int) -> int:
    """Where a value without quotes ends that reads up to `at`: a sign of code or of an address may
    stand in the middle of a password, unless another name begins behind it."""
    more = _MORE.match(text, at)
    return more.end() if more else at


def _headers(text: str, lowered: str) -> Iterator[Span]:
    patterns = [(_BEARER, _BEARER_VALUE)] if "bearer" in lowered else []
    patterns += [(pattern, _HEADER_VALUE) for literal, pattern in _HEADERS if literal in lowered]
    for pattern, expected in patterns:
        for _, found in _given(pattern, expected, text, lowered):
            value = found.group()
            if not is_code(value) and (
                re.search(r"\d|[a-z][A-Z]", value) or len(value) >= 20 or value.isupper()
            ):
                yield Span(*found.span(), "token")
    if "cookie:" in lowered:
        for _, found in _given(_COOKIE, _COOKIE_VALUE, text, lowered):
            yield Span(*found.span(), "token")


def _given(
    name: re.Pattern[str], value: re.Pattern[str], text: str, lowered: str
) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Each name with the value after it; a name inside the value before it is a part of that, so
    that no character is read as a value twice."""
    done = 0
    for match in name.finditer(lowered):
        if match.start() >= done and (found := value.match(text, match.end())):
            done = found.end()
            yield match, found
