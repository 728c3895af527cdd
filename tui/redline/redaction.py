"""Secrets taken out of text that leaves a session, with a mark of what was taken.

Own rules instead of a detector library: the kept ones (detect-secrets 1.5.0 was looked at) judge
single lines by entropy, which takes git hashes for secrets, and know nothing of a key that is cut
off. Every rule here names a form that a secret has, or the name it is given; a bare hash, uuid or
path has neither. Reads the text a constant number of times, whatever is in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

_Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Redacted:
    """`text` without its secrets; `found` counts the marks by kind."""

    text: str
    found: Mapping[str, int] = field(default_factory=dict)


def redact(text: str) -> Redacted:
    """`text` with `[redacted: kind]` in place of every secret. Redacting twice changes nothing."""
    lowered = text.lower()
    if not any(trigger in lowered for trigger in _TRIGGERS):
        return Redacted(text)
    spans: list[_Span] = []
    for rule in _RULES:
        spans.extend(rule(text, lowered))
    if not spans:
        return Redacted(text)
    spans.extend(_accounts(text, spans))
    pieces: list[str] = []
    found: dict[str, int] = {}
    at = 0
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < at:  # inside or overlapping a longer one: the rest of it goes with that
            at = max(at, end)
            continue
        pieces.append(text[at:start])
        pieces.append(f"[redacted: {kind}]")
        found[kind] = found.get(kind, 0) + 1
        at = end
    pieces.append(text[at:])
    return Redacted("".join(pieces), found)


_MARK = re.compile(r"\[redacted: ([a-z][a-z ]{0,40})\]")


def marks(text: str) -> Mapping[str, int]:
    """How many marks of `redact` stand in `text`, by kind."""
    found: dict[str, int] = {}
    for kind in _MARK.findall(text):
        found[kind] = found.get(kind, 0) + 1
    return found


# -- keys that show by their form ------------------------------------------------------------------

# Each starts where no word goes on, so that a long run is tried once; `++` never gives back.
_FORMS: tuple[tuple[str, str, str], ...] = (
    ("sk-ant-", "api key", r"sk-ant-[\w-]{6,}+"),
    ("sk-", "api key", r"sk-(?=[\w-]{0,60}\d)[\w-]{20,}+"),
    ("_live_", "api key", r"[srp]k_live_\w{8,}+"),
    ("_test_", "api key", r"[sr]k_test_\w{8,}+"),
    ("gh", "token", r"gh[pousr]_\w{16,}+"),
    ("github_pat_", "token", r"github_pat_\w{16,}+"),
    ("glpat-", "token", r"glpat-[\w-]{16,}+"),
    ("npm_", "token", r"npm_[A-Za-z0-9]{30,}+"),
    ("pypi-age", "token", r"pypi-AgE[\w-]{16,}+"),
    ("hf_", "token", r"hf_[A-Za-z0-9]{30,}+"),
    ("xox", "token", r"xox[abeoprs]-[\w-]{8,}+"),
    ("xapp-", "token", r"xapp-[\w-]{16,}+"),
    ("hooks.slack.com", "token", r"(?<=hooks\.slack\.com/services/)[\w/]{16,}+"),
    ("dop_v1_", "token", r"dop_v1_[a-f0-9]{32,}+"),
    ("sg.", "api key", r"SG\.[\w-]{16,64}\.[\w-]{16,}+"),
    ("gocspx-", "api key", r"GOCSPX-[\w-]{16,}+"),
    ("ya29.", "token", r"ya29\.[\w-]{16,}+"),
    ("aiza", "api key", r"AIza[\w-]{30,}+"),
    ("aa", "token", r"\d{8,10}:AA[\w-]{30,}+"),
    ("akia", "access key", r"AKIA[A-Z0-9]{12,}+"),
    ("asia", "access key", r"ASIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("age-secret-key-", "private key", r"AGE-SECRET-KEY-1[A-Z0-9]{16,}+"),
    ("eyj", "token", r"eyJ[\w-]{8,}+\.[\w-]{8,}+(?:\.[\w-]*+){0,3}"),
)
_FORM_PATTERNS = tuple(
    (hint, kind, re.compile(rf"(?<![\w-])(?:{pattern})" if "(?<=" not in pattern else pattern))
    for hint, kind, pattern in _FORMS
)


def _forms(text: str, lowered: str) -> Iterator[_Span]:
    for hint, kind, pattern in _FORM_PATTERNS:
        if hint in lowered:
            for match in pattern.finditer(text):
                yield match.start(), match.end(), kind


# -- secrets that show by the name they are given --------------------------------------------------

_NAMES = (
    r"pass(?:word|wd|phrase|code)s?|pwd|secrets?|token|api[_-]?keys?|access[_-]?key(?:[_-]id)?"
    r"|secret[_-]?key|account[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key"
    r"|credentials?|密码|口令|密钥|令牌"
)
_VALUE = r"\"[^\"\n]{1,}+\"|'[^'\n]{1,}+'|`[^`\n]{1,}+`|[^\s\"'`,;<>(){}\[\]|&]++"
_ASSIGNED = re.compile(
    rf"(?:{_NAMES})[\"'`]?[ \t]{{0,8}}+(?P<sign>=>|:=|=|:|：|是|为)[ \t]{{0,8}}+"
    rf"(?P<value>{_VALUE})",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    rf"\b(?:password|passwd|passphrase|pwd|secret|token|api key)[ \t]++(?:is|was)[ \t]++"
    rf"(?P<value>{_VALUE})",
    re.IGNORECASE,
)
_OPTION = re.compile(
    rf"(?<![\w-])--(?:[a-z-]{{0,20}}-)?(?:password|passwd|secret|token|api-key)[ =][ ]{{0,4}}+"
    rf"(?P<value>{_VALUE})",
    re.IGNORECASE,
)
_BASIC = re.compile(
    r"(?<!\S)(?:-u|--user)[ =]{1,4}+(?P<quote>['\"]?)[^\s:'\"]{1,64}:(?P<value>[^\s'\"]{3,}+)"
)
_HEADER = re.compile(
    r"(?:(?:proxy-)?authorization|x-api-key|x-auth-token|api-key)[\"']?[ \t]{0,4}+:[ \t]{0,4}+"
    r"[\"']?(?:(?:bearer|basic|token|digest|apikey)[ \t]++)?(?P<value>[^\s\"'`,;<>]{4,}+)",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\bbearer[ \t]++(?P<value>[\w.~+/=-]{8,}+)", re.IGNORECASE)
_COOKIE = re.compile(
    r"\b(?:set-)?cookie:[ \t]{0,4}+(?P<value>[^\s=]{1,64}=[^\r\n\"']{8,}+)", re.IGNORECASE
)

# What stands where a secret would stand and is none.
_PLACEHOLDERS = (
    "required optional string str text bytes number int bool boolean true false null none nil "
    "undefined any object password passwd secret token key value example test default hidden "
    "missing invalid wrong incorrect expired redacted changeme change_me yourpassword unknown "
    "empty unset disabled enabled env environ is not the a and or input self this type"
)
_NO_SECRET = frozenset(_PLACEHOLDERS.split())
_CODE = re.compile(
    r"[\w.]++\(|\$|%|<|\{|\.\.\.|\*{3}|x{3,}|\[redacted|[a-z]++://"
    r"|(?:os|self|this|process|env|config|settings|request|args|options)\.|(?:import|await|new)\b",
    re.IGNORECASE,
)
_PATH = re.compile(r"[~.]{0,2}/[\w.-]++(?:/|$)|[\w.-]++/[\w./-]*\.\w{1,5}$|[A-Za-z]:\\")
_DOTTED = re.compile(r"[A-Za-z_]\w*+(?:\.\w++)++", re.ASCII)
_ENDING = ".!?。，、；）)"


def _is_secret(value: str, kind: str) -> bool:
    """Whether `value`, given to a name such as `password`, is a secret itself rather than code, a
    placeholder, a path or a word."""
    quoted = value[:1] in "\"'`" and len(value) > 1
    inner = value[1:-1] if quoted else value.rstrip(_ENDING)
    if not _is_literal(inner):
        return False
    digit, letter = re.search(r"\d", inner), re.search(r"[A-Za-z]", inner)
    if quoted:
        return " " not in inner or bool(digit)
    if digit and letter:
        return len(inner) >= 24 or not _DOTTED.fullmatch(inner)
    if digit:
        return kind == "password" and len(inner) >= 6 and inner.isascii()
    mixed = re.search(r"[a-z][A-Z]", inner) and re.search(r"[A-Z]{2}", inner)
    return bool(letter and inner.isascii() and (re.search(r"[!@#^&*]", inner) or mixed))


def _is_literal(inner: str) -> bool:
    """Whether `inner` can be a value at all: no placeholder, no code, no path."""
    return (
        len(inner) >= 4
        and inner.lower() not in _NO_SECRET
        and not _CODE.match(inner)
        and not _PATH.match(inner)
    )


def _inner(match: re.Match[str]) -> tuple[int, int]:
    """The span of the value without its quotes or the full stop after it."""
    start, end = match.span("value")
    if match["value"][:1] in "\"'`" and end - start > 1:
        return start + 1, end - 1
    return start, start + len(match["value"].rstrip(_ENDING))


def _named(text: str, lowered: str) -> Iterator[_Span]:
    for match in _ASSIGNED.finditer(text):
        name = lowered[match.start() : match.start("sign")] if len(lowered) == len(text) else ""
        kind = "token" if "token" in name else "api key" if "key" in name else "password"
        literal = match["sign"] == "=" and _environment_name(text, match.start())
        if _is_secret(match["value"], kind) or (
            literal and _is_literal(match["value"].strip("\"'`"))
        ):
            yield *_inner(match), kind
    for pattern in (_SPOKEN, _OPTION):
        for match in pattern.finditer(text):
            if _is_secret(match["value"], "password"):
                yield *_inner(match), "password"
    for match in _BASIC.finditer(text):
        if not _CODE.match(match["value"]):
            yield *match.span("value"), "password"
    for pattern, hint in ((_HEADER, "-key"), (_HEADER, "auth"), (_BEARER, "bearer")):
        if hint in lowered:
            for match in pattern.finditer(text):
                value = match["value"]
                if not _CODE.match(value) and (
                    re.search(r"\d|[a-z][A-Z]", value) or len(value) >= 20 or value.isupper()
                ):
                    yield *match.span("value"), "token"
    if "cookie:" in lowered:
        for match in _COOKIE.finditer(text):
            yield *match.span("value"), "token"


def _environment_name(text: str, at: int) -> bool:
    """Whether the name that goes on at `at` is written as an environment variable is."""
    name = re.match(r"[A-Za-z_]++", text[at : at + 40])
    return bool(name and name.group().isupper())


# -- passwords in addresses ------------------------------------------------------------------------

_ADDRESS = re.compile(r"://[^\s:/@\"'<>]{0,128}:(?P<value>[^\s/@\"'<>]{1,256})@")


def _addresses(text: str, lowered: str) -> Iterator[_Span]:
    if "://" in lowered:
        for match in _ADDRESS.finditer(text):
            if not re.match(r"[$<{%*]|\[redacted", match["value"]):
                yield *match.span("value"), "password"


# -- private keys ----------------------------------------------------------------------------------

_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_BODY = re.compile(r"[A-Za-z0-9+/=]{20,}+")
_BODY_ONLY = re.compile(r"(?:[ \t]*+\d*+[→|:\t ]*+)?[A-Za-z0-9+/=\\]++[ \t\r]*+")


def _private_keys(text: str, lowered: str) -> Iterator[_Span]:
    """Whole keys, and what is there of one that is cut off at either end: never half of it."""
    if "private key" not in lowered:
        return
    marks = [(m.start(), m.end(), True) for m in _BEGIN.finditer(text)]
    marks += [(m.start(), m.end(), False) for m in _END.finditer(text)]
    marks.sort()
    opened: int | None = None  # where a key began that has not ended yet
    after = before = 0
    for start, end, begins in marks:
        if begins:
            opened, after = (start, end) if opened is None else (opened, end)
        elif opened is not None:
            before = end
            yield opened, before, "private key"
            opened = None
        else:
            first = _start_of_body(text, start, before)
            before = end
            if first < start:
                yield first, end, "private key"
    if opened is not None:
        last = None
        for body in _BODY.finditer(text, after):
            last = body.end()
        if last is not None:
            yield opened, _rest_of_body(text, last, len(text)), "private key"


def _rest_of_body(text: str, at: int, limit: int) -> int:
    """The end of the line at `at` and of the lines below it that hold nothing but the body."""
    end = text.find("\n", at, limit)
    if end < 0:
        return limit
    while True:
        stop = text.find("\n", end + 1, limit)
        stop = limit if stop < 0 else stop
        line = text[end + 1 : stop]
        if not line.strip() or not _BODY_ONLY.fullmatch(line):
            return end
        if stop == limit:
            return limit
        end = stop


def _start_of_body(text: str, at: int, limit: int) -> int:
    """The start of the lines above `at` that hold nothing but a key's body."""
    start = max(text.rfind("\n", limit, at) + 1, limit)
    found = start if _BODY.search(text, start, at) else at
    while start > limit:
        above = text.rfind("\n", limit, start - 1)
        line = text[above + 1 : start - 1]
        if not line.strip() or not _BODY_ONLY.fullmatch(line):
            break
        start = max(above + 1, limit)
        found = start
        if above < 0:
            break
    return found


# -- environment files -----------------------------------------------------------------------------

_SETTING = re.compile(r"(?:[ \t]*+\d++[→|:\t])?[ \t]*+(?:export[ \t]++)?[A-Z][A-Z0-9_]*+=[^\n]*+")
_SECRET_NAME = re.compile(
    r"(?:PASS|PWD|SECRET|TOKEN|KEY|CREDENTIAL|_DSN|DATABASE_URL)[A-Z0-9_]{0,40}=\S"
)


def _environment_files(text: str, lowered: str) -> Iterator[_Span]:
    """Three or more settings on lines of their own, one of them named like a secret: the values
    of such a file cannot be told apart, so all of it goes."""
    if "=" not in lowered or not _SECRET_NAME.search(text):
        return
    at, start, count, secret = 0, 0, 0, False
    end = 0
    for line in (*text.split("\n"), " "):
        if _SETTING.fullmatch(line.rstrip("\r")):
            start = at if count == 0 else start
            count += 1
            secret = secret or bool(_SECRET_NAME.search(line))
            end = at + len(line)
        elif not line.startswith("#") and (line.strip() or count == 0):
            if count >= 3 and secret:
                yield start, end, "environment file"
            count, secret = 0, False
        at += len(line) + 1


# -- accounts --------------------------------------------------------------------------------------

_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}")
_NEAR = 400  # characters
_ACCOUNT = re.compile(
    r"\b(?:user(?:name)?|login|account|e-?mail)\b|用户|账号|登录|邮箱", re.IGNORECASE
)


def _accounts(text: str, spans: list[_Span]) -> Iterator[_Span]:
    """Mail addresses on the line of a password, or on the line above or below it where that line
    speaks of an account; no further away than a few hundred characters."""
    done = 0
    for start, end, kind in sorted(spans):
        if kind != "password":
            continue
        low, high = max(start - _NEAR, done), min(end + _NEAR, len(text))
        first = max(text.rfind("\n", low, start) + 1, low)
        last = text.find("\n", end, high)
        last = high if last < 0 else last
        above = max(text.rfind("\n", low, max(first - 1, low)) + 1, low)
        below = text.find("\n", last + 1, high)
        below = high if below < 0 else below
        for begin, stop in ((first, last), (above, first), (last, below)):
            if begin < stop and (begin == first or _ACCOUNT.search(text, begin, stop)):
                for match in _MAIL.finditer(text, begin, stop):
                    if "://" not in text[max(0, match.start() - 80) : match.start()]:
                        yield match.start(), match.end(), "account"
        done = max(done, last)


_RULES: tuple[Callable[[str, str], Iterator[_Span]], ...] = (
    _private_keys,
    _environment_files,
    _forms,
    _named,
    _addresses,
)
_TRIGGERS = (
    *(hint for hint, _, _ in _FORMS if len(hint) > 2),
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", ":aa", "pass", "pwd", "secret", "token", "key",
    "credential", "密码", "口令", "密钥", "令牌", "-u ", "--user", "bearer", "authorization",
    "cookie", "://", "_dsn",
)  # fmt: skip
