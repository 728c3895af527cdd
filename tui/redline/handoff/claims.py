"""What a text claims to exist: paths, names, numbers, commits, addresses, versions, references.

A claim is a whole token, and its ways are those in which a session may write the same. No claims
are: small counts, the numbers of a list, how many items a list of the text has, names of well-known
things, what a mark of omission has cut, names and numbers in a heading.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

SMALL = 10  # whole numbers below are counts in prose


class ClaimKind(StrEnum):
    """What is claimed to exist."""

    URL = "url"
    PATH = "path"
    COMMIT = "commit"
    REFERENCE = "reference"
    VERSION = "version"
    DATE = "date"
    NAME = "name"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Form:
    """A way to write something: `literal` is in every text that `pattern` finds it in."""

    literal: str
    pattern: re.Pattern[str]

    @property
    def key(self) -> str:
        """The same for forms that find the same."""
        return self.pattern.pattern

    def stands_in(self, text: str) -> bool:
        return self.literal in text and self.pattern.search(text) is not None


@dataclass(frozen=True, slots=True)
class Claim:
    """One token of a text, from `start` up to `end`. It holds where all forms of one of its `ways`
    stand in the session."""

    start: int
    end: int
    text: str
    kind: ClaimKind
    ways: tuple[tuple[Form, ...], ...]


_WORD = r"[\w.@+-]"
_TOKEN = re.compile(
    r"(?<![\w/.@\\-])(?:"
    r"(?P<url>https?://[^\s<>()\[\]\"'`|]+)"
    r"|(?P<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-]))"
    r"|(?P<date>\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::[\d.]{2,12})?(?:Z|[+-]\d\d:\d\d)?)?(?!\w))"
    r"|(?P<clock>\d{1,2}:\d\d(?::\d\d)?(?![\w:]))"
    rf"|(?P<path>~?/?(?:{_WORD}++/)++{_WORD}*+|[~/]/?{_WORD}++)"
    r"|(?P<commit>(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}(?![\w-]))"
    r"|(?P<version>v\d+(?:\.\d+)++[\w.+-]*|\d+\.\d+\.\d+[\w.+-]*)"
    r"|(?P<reference>\#\d+(?!\w)|[A-Z][A-Z0-9]+-\d+(?![\w-]))"
    r"|(?P<flag>--[a-z][\w-]+)"
    r"|(?P<dotted>[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)++)"
    r"|(?P<name>[A-Za-z]\w*_\w+|_+[A-Za-z]\w+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z]\w+(?=\(\)))"
    r"|(?P<number>\d+(?:[,_]\d{3})*(?:\.\d+)?(?P<unit>[ ]?%|[A-Za-z]{0,7}))"
    r")",
    re.ASCII,
)
_QUOTED_NAME = re.compile(r"`([A-Za-z][\w-]{2,80})(?:\(\))?`", re.ASCII)
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t][^\n]*$", re.MULTILINE)
_BULLET = re.compile(r"^([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]", re.MULTILINE)
_CUT = re.compile(r"\[\.\.\.[^\n\[\]]*\]|\.\.\.|…")
_ARITY = re.compile(r"[a-z]\w*[?!]?/\d")
_ORDINAL = re.compile(r"(?:^[ \t]*|\b(?:step|phase|part|round|item|point|section) |第)$", re.I)
_TRAILING = ".,:;!?-+@"
_FILE_ENDING = re.compile(
    r"\.(?:py|pyi|js|jsx|ts|tsx|mjs|rs|go|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|sh|bash|sql|md|txt"
    r"|rst|json|jsonl|ya?ml|toml|ini|cfg|conf|lock|html|css|scss|xml|svg|png|csv|log|env|proto|tcss)$"
)
_SUFFIXES = {"k": 1_000, "m": 1_000_000}
# Written with capitals within, or with a number, and known to everybody.
_KNOWN_TO_ALL = (
    "github gitlab javascript typescript coffeescript postgresql mysql mariadb mongodb sqlite "
    "graphql openai chatgpt macos ios ipados nodejs node.js vue.js next.js devops youtube linkedin "
    "stackoverflow websocket websockets fastapi utf-8 utf-16 sha-1 sha-256 sha-512 md-5 gpt-4 "
    "iso-8601 base-64 x86-64 rfc-3339 e.g i.e a.m p.m etc vs ieee-754 http-2"
)
_COMMON = frozenset(_KNOWN_TO_ALL.split())
_FOLDERS = frozenset(
    ("src", "lib", "test", "tests", "docs", "app", "pkg", "cmd", "internal", "packages", "scripts")
)
_SPLITS = 4  # folders of an absolute path that a session may have gone into
_LONGEST_NUMBER = 30  # digits
_LONGEST = 300  # characters of a token


def claims(text: str, *, project: str = "") -> tuple[Claim, ...]:
    """The claims of `text` in the order they stand. `project` is the folder that relative paths
    start from."""
    quoted = [match.span(1) for match in _QUOTED_NAME.finditer(text)]
    starts = [start for start, _ in quoted]
    whole: set[tuple[int, int]] = set()
    headings = [match.span() for match in _HEADING.finditer(text)]
    counts = _list_lengths(text)
    cuts = _cuts(text)
    found: list[Claim] = []
    for match in _TOKEN.finditer(text):
        claim = _claim(match, project)
        if claim is None:
            continue
        span = (claim.start, claim.end)
        at = bisect_right(starts, claim.start) - 1
        if at >= 0 and claim.end <= quoted[at][1] and span != quoted[at]:
            continue  # a piece of a name that is quoted whole
        whole.add(span)
        if _is_cut(text, match, cuts):
            continue
        if not _is_exempt(text, claim, headings, counts):
            found.append(claim)
    for start, end in quoted:
        name = text[start:end]
        if (start, end) not in whole and name.lower() not in _COMMON:
            found.append(Claim(start, end, name, ClaimKind.NAME, _either(_name(name))))
    return tuple(sorted(found, key=lambda claim: claim.start))


def _claim(match: re.Match[str], project: str) -> Claim | None:
    """What the token found by `match` claims, None where it claims nothing."""
    group = str(match.lastgroup)
    if group == "number":
        return _number(match)
    token = match.group(group).rstrip(_TRAILING)
    if len(token) > _LONGEST or len(token) < 2 or token.lower() in _COMMON:
        return None
    start, end = match.start(group), match.start(group) + len(token)
    kind, ways = ClaimKind.NAME, _either(*_in_a_sentence(token, _name))
    match group:
        case "url":
            kind, ways = ClaimKind.URL, _either(_form(token.rstrip("/"), "", r"(?![\w-])"))
        case "path" if _ARITY.fullmatch(token):
            ways = _either(_name(token.rpartition("/")[0]))
        case "path":
            is_quoted = match.string[start - 1 : start] == "`"
            return _path(start, token, project, quoted=is_quoted)
        case "commit":
            kind, ways = ClaimKind.COMMIT, _either(_form(token, r"(?<![\w])", ""))
        case "version":
            bare = _form(token.removeprefix("v"), r"(?<![\d.])", r"(?!\w|\.\d)")
            kind, ways = ClaimKind.VERSION, _either(bare)
        case "reference":
            form = _numeral(token[1:]) if token[0] == "#" else _whole(token)
            kind, ways = ClaimKind.REFERENCE, _either(form)
        case "date" | "clock":
            day = token[:10] if group == "date" else token
            kind, ways = ClaimKind.DATE, _either(_form(day, r"(?<![\w-])", r"(?![\d:-])"))
        case "dotted" if _FILE_ENDING.search(token):
            kind, ways = ClaimKind.PATH, _either(*_in_a_sentence(token, _whole))
        case "dotted":
            names = tuple(_name(name) for name in token.split(".") if len(name) > 2)
            ways = (*ways, names) if names else ways
    return Claim(start, end, token, kind, ways)


def _either(*forms: Form) -> tuple[tuple[Form, ...], ...]:
    return tuple((form,) for form in forms)


def _in_a_sentence(token: str, form: Callable[[str], Form]) -> tuple[Form, ...]:
    """A token as it stands, and in small letters where a sentence may have made the first one
    large."""
    lowered = token[0].lower() + token[1:]
    return (form(token),) if lowered == token else (form(token), form(lowered))


def _path(start: int, token: str, project: str, *, quoted: bool) -> Claim | None:
    """A path by its parts below the project; an absolute one also as a folder and a path in it.
    Plain words with a slash between them are a path only where they are quoted or begin as one;
    then all of the words must be known, or all together."""
    shown = token
    if project and token.startswith(project.rstrip("/") + "/"):
        shown = token[len(project.rstrip("/")) :]
    shown = re.sub(r"^(?:~|\.{1,2})?/+|^~", "", shown).rstrip("/")
    while shown.startswith("../"):
        shown = shown[3:]
    if not re.search(r"[A-Za-z]", shown):
        return None
    names = shown.split("/")
    ways = _either(*_in_a_sentence(shown, _whole))
    if shown == token and not any(re.search(r"[\W_\d]", name) for name in names):
        if not quoted and names[0] not in _FOLDERS and len(names) < 3:
            return None
        ways = (*ways, tuple(_whole(name) for name in names))
    elif token[0] in "/~":
        for at in range(2, len(names) - 1)[-_SPLITS:]:
            ways = (*ways, (_whole("/".join(names[:at])), _whole("/".join(names[at:]))))
    return Claim(start, start + len(token), token, ClaimKind.PATH, ways)


def _number(match: re.Match[str]) -> Claim | None:
    """A number with its unit. One below ten is a count; a `k` or `m` may be written out."""
    unit = match["unit"]
    digits = match["number"][: len(match["number"]) - len(unit)]
    plain = re.sub(r"[,_]", "", digits)
    if len(plain) > _LONGEST_NUMBER:
        return None
    if "." not in plain and int(plain) < SMALL:
        return None
    end = match.end() if unit.strip().lower() in {"%", "k", "m", "kb", "mb", "gb", "ms", "s"} else 0
    end = end or match.start() + len(digits)
    if match.end() > end and re.match(r"[A-Za-z]*[\d_]", match["unit"]):
        return None
    forms = [_numeral(plain)]
    if plain.isdigit() and len(plain) > 3:
        forms += [_numeral(f"{int(plain):,}"), _numeral(f"{int(plain):_}")]
        for letter, times in _SUFFIXES.items():
            if int(plain) % times == 0:
                forms += [_numeral(f"{int(plain) // times}{c}") for c in (letter, letter.upper())]
    if (times := _SUFFIXES.get(unit[:1].lower(), 0)) and len(unit) == 1:
        value = round(float(plain) * times)
        forms += [_numeral(str(value)), _numeral(f"{value:,}"), _numeral(f"{value:_}")]
    text = match.string[match.start() : end]
    return Claim(match.start(), end, text, ClaimKind.NUMBER, _either(*forms))


def _is_exempt(text: str, claim: Claim, headings: list[tuple[int, int]], counts: set[int]) -> bool:
    """Whether `claim` only looks like one: in a heading, an item's number, a count of items."""
    if claim.kind in (ClaimKind.NUMBER, ClaimKind.NAME, ClaimKind.DATE):
        at = bisect_right(headings, (claim.start, len(text))) - 1
        if at >= 0 and claim.end <= headings[at][1]:
            return True
    if claim.kind is not ClaimKind.NUMBER or not claim.text.isdigit():
        return False
    line = text.rfind("\n", 0, claim.start) + 1
    before, after = text[max(line, claim.start - 12) : claim.start], text[claim.end : claim.end + 1]
    if _ORDINAL.search(before) and (before.strip() or after in (".", ")")):
        return True
    return int(claim.text) in counts


def _cuts(text: str) -> list[tuple[int, int]]:
    """Where a mark says that something was left out, with the white space around it."""
    found = []
    for match in _CUT.finditer(text):
        start, end = match.span()
        before = text[max(0, start - 8) : start]
        after = text[end : end + 8]
        start -= len(before) - len(before.rstrip())
        found.append((start, end + len(after) - len(after.lstrip(" \n>"))))
    return found


def _is_cut(text: str, token: re.Match[str], cuts: list[tuple[int, int]]) -> bool:
    """Whether a mark of omission has cut the token, or it stands in such a mark, or it is the
    beginning of many names."""
    at = bisect_right(cuts, (token.end(), len(text))) - 1
    if at >= 0 and cuts[at][1] >= token.start():
        return True
    return text[token.end() : token.end() + 1] in ("*", "{", "<", "$")


def _list_lengths(text: str) -> set[int]:
    """How many items the lists of `text` have."""
    found: set[int] = set()
    count, last, indent = 0, 0, ""
    for match in _BULLET.finditer(text):
        if count and match[1] == indent and "\n\n\n" not in text[last : match.start()]:
            count += 1
        else:
            count, indent = 1, match[1]
        last = match.end()
        found.add(count)
    return {length for length in found if length >= SMALL}


def _form(literal: str, before: str, after: str) -> Form:
    """The literal first, which the engine searches fast; then what must not stand before it."""
    escaped = re.escape(literal)
    behind = f"(?<={before}{escaped})" if before.startswith("(?<!") else ""
    pattern = re.compile(f"{escaped}{behind}{after}", re.ASCII)
    return Form(literal, pattern)


def _whole(token: str) -> Form:
    """The token with no letter, digit, dash or longer ending at its sides; a folder may stand
    before it, a file below it."""
    return _form(token, r"(?<![\w-])", r"(?![\w-]|\.\w)")


def _name(token: str) -> Form:
    """The same for a name, which may have parts of its own."""
    return _form(token, r"(?<![\w-])", r"(?![\w-])")


def _numeral(digits: str) -> Form:
    """A number with no more of it at its sides; a unit may follow."""
    before = r"(?<![\d.])" if "." in digits else r"(?<![\w.])"  # python3.11
    if len(digits) == 3:
        before += r"(?<!\d,)"  # the end of a longer one
    return _form(digits, before, r"(?!\d|[._]\d|,\d{3}(?!\d)|[A-Za-z]+\d)")
