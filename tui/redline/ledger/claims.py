"""What a sentence says of what: a value, and the thing and attribute that it is the value of.

A claim is read from the words alone: its key is the set of what the sentence names, its value what
is said of it. Two claims are of the same thing where their keys hold the same concepts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from redline.ledger import claim_words as words
from redline.ledger.claim_frames import Frame, frames
from redline.ledger.claim_values import VALUE, Value, value_of

LONGEST = 400  # characters of a sentence that is read for a claim
_TOKEN = re.compile(
    r"(?P<code>`[^`\n]{1,200}`|\"[^\"\n]{1,100}\"|“[^”\n]{1,100}”)"
    r"|(?P<url>[a-z]{2,10}://[^\s,;，；。)]+)"
    + "|" + VALUE
    + r"|(?P<path>~?[\w.@*-]*(?:/[\w.@*+-]*[\w*])+/?|[\w-]*\w(?:\.[A-Za-z]\w*)+|\.[A-Za-z][\w.]*)"
    r"|(?P<flag>--?[A-Za-z][\w-]*)"
    r"|(?P<ident>@[\w-]+|[A-Za-z]+\d\w*|[A-Za-z]\w*_\w+|_\w+|[a-z]+[A-Z]\w*"
    r"|\w*[A-Z]{2,}[a-z]?\w*(?=[^\w]|$))"
    r"|(?P<word>[A-Za-z]+(?:['’][a-z]+)?(?:-[A-Za-z0-9]+)*)"
    r"|(?P<digits>[\w.#-]*\d[\w.-]*)"
    r"|(?P<han>[\u3400-\u9fff]+)"
    r"|(?P<mark>[^\s])",
    re.A,
)  # fmt: skip
_VALUES = frozenset(("date", "version", "number", "spelled"))
_NAMES = frozenset(("code", "url", "path", "flag", "ident", "digits"))
_REASON = re.compile(
    r"[,，;；—–(（]?\s*(?:\b(?:because|since (?!\d)|due to|as it|so that|given that)\b|因为|由于"
    r"|以便)"
    r"[^,，;；]*$",
    re.I,
)
_OLD = re.compile(
    r"(?:\b(?:instead of|rather than|in place of|not|no longer|isn'?t|from|was|previously|formerly"
    r"|used to be|over|replacing|and not|drop(?:ping)?|ditch(?:ing)?|used to (?:use|run on))\b"
    r"|而不是|不是|不用|别用|不再用?|不再是|从|原来是?|之前是?|以前是?|原先是?)"
    r"\s*(?:the |a |port |at |on |version |in |to )*$",
    re.I,
)
_CLAUSE = re.compile(r"[;；,，—–()（）]+|\s-\s|\b(?:and|but|so)\b|。|(?<=[a-z0-9])\.\s|!|！")
_INDEXED = re.compile(
    r"^(?:version|python|node|nodejs|java|go|golang|ruby|php|rust|postgres|postgresql|mysql|react"
    r"|vue"
    r"|django|rails|swift|typescript|angular|dotnet|ubuntu|debian|kotlin|ios|android|jdk|gcc|clang"
    r"|max|min|limit|port|timeout|retry|size|width|length|level|threshold|rate|quota|interval|ttl"
    r"|budget|price|coverage|listen|concurrency|deadline|retention|memory|every|word|count"
    r"|priority)$"
)
_SWITCHING = frozenset("on off turn turned switch switched leave keep".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Claim:
    """`key`: the concepts and words of what it is about, in `order`; `names` of them the
    identifiers, paths and code. `value` compares, `shown` is as written. `old`: values that it
    says are past. `negated`: it says not to, or that it is not so."""

    relation: str
    key: frozenset[str]
    names: frozenset[str]
    value: tuple[str, ...]
    shown: str
    kinds: tuple[Value, ...] = ()
    negated: bool = False
    old: frozenset[str] = frozenset()
    order: tuple[str, ...] = ()
    role: str = ""
    directed: bool = False
    capitals: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence as read: whole, and clause by clause where it has more than one; with what it
    says of itself."""

    text: str
    whole: tuple[Claim, ...]
    clauses: tuple[tuple[Claim, ...], ...]
    changed: bool
    adds: bool

    @property
    def keys(self) -> frozenset[str]:
        """Words of which two sentences of one thing share one: what any of its claims is about,
        and the categories of its tools."""
        found: set[str] = set()
        for claims in (self.whole, *self.clauses):
            for claim in claims:
                found |= claim.key
                if claim.relation == "tool":
                    found.update(
                        words.CATEGORY[name] for name in claim.value if name in words.CATEGORY
                    )
        return frozenset(found)


@lru_cache(maxsize=4096)
def read(text: str) -> Read:
    """The claims of `text`, one sentence."""
    clean = unicodedata.normalize("NFKC", text[:LONGEST]).replace("’", "'").strip()
    clean = " ".join(clean.split())
    changed = words.CUES.search(clean) is not None
    adds = words.ADDS.search(clean) is not None
    body = _REASON.sub("", clean).strip() or clean
    whole = tuple(_claims(body))
    pieces = [piece.strip() for piece in _CLAUSE.split(body)]
    pieces = [piece for piece in pieces if len(piece) > 3]
    clauses = tuple(tuple(_claims(piece)) for piece in pieces) if len(pieces) > 1 else ()
    return Read(clean, whole, clauses, changed, adds)


def _claims(text: str) -> Iterator[Claim]:
    tokens = tuple(_tokens(text))
    numbers = [token for token in tokens if token.kind in _VALUES]
    old = [token for token in numbers if _OLD.search(text[: token.start])]
    values = [token for token in numbers if token not in old]
    if values:
        yield _claim("number", text, tokens, values, old, setting=True)
    for frame in frames(text):
        yield from _framed(frame, text, tokens)
    yield _claim("plain", text, tokens, [], [], setting=False)


def _framed(frame: Frame, text: str, tokens: tuple[_Token, ...]) -> Iterator[Claim]:
    start, end = frame.value
    inside = [t for t in tokens if start <= t.start and t.end <= end]
    past = [t for t in tokens if frame.old and frame.old[0] <= t.start and t.end <= frame.old[1]]
    if frame.relation == "switch":
        rest = tuple(
            t for t in tokens if not (start <= t.start and t.end <= end) or t.kind in _NAMES
        )
        if text[start:end].lower().startswith(("turn", "switch", "leave", "keep")):
            rest = tuple(t for t in tokens if t.text.lower() not in _SWITCHING)
        claim = _claim("switch", text, rest, [], [], setting=True)
        yield Claim(
            "switch", claim.key, claim.names, (frame.role,), frame.role, (), claim.negated,
            frozenset(), claim.order, "", claim.directed, claim.capitals,
        )  # fmt: skip
        return
    if not inside:
        return
    relation = frame.relation
    yield _claim(relation, text, tokens, inside, past, setting=True, role=frame.role)


def _claim(
    relation: str,
    text: str,
    tokens: tuple[_Token, ...],
    values: list[_Token],
    old: list[_Token],
    *,
    setting: bool,
    role: str = "",
) -> Claim:
    soft = words.SOFT if setting else words.GRAMMAR
    rest = [t for t in tokens if t not in values and t not in old and t.kind != "mark"]
    order: list[str] = []
    names: set[str] = set()
    capitals: set[str] = set()
    for at, token in enumerate(rest):
        if token.key in soft and not (token.key == "new" and not _before_attribute(rest, at)):
            continue
        if token.key == "new":
            continue
        order.append(token.key)
        if token.kind in _NAMES or token.kind in _VALUES:
            names.add(token.key)
        elif token.kind == "word" and token.text[0].isupper() and token.start > 0:
            capitals.add(token.key)
    shown = text[values[0].start : values[-1].end].strip('`"“” ') if values else ""
    kinds = tuple(value_of(t.kind, t.text) for t in values) if relation == "number" else ()
    value = (
        tuple(sorted(kind.amount for kind in kinds))
        if relation == "number"
        else tuple(t.key for t in values if t.key not in words.ARTICLES and t.kind != "mark")
    )
    old_values = frozenset(
        value_of(t.kind, t.text).amount if relation == "number" and t.kind in _VALUES else t.key
        for t in old
    )
    told = _blank(text, [*values, *old])
    return Claim(
        relation, frozenset(order), frozenset(names), value, shown, kinds,
        words.negated(told), old_values, tuple(order), role,
        any(word in words.DIRECTIONAL for word in _directions(rest, values)), frozenset(capitals),
    )  # fmt: skip


def _before_attribute(rest: list[_Token], at: int) -> bool:
    return at + 1 < len(rest) and rest[at + 1].key in words.ATTRIBUTES


def _directions(rest: list[_Token], values: list[_Token]) -> Iterator[str]:
    """The words that give the order of two things a meaning; not those before a value."""
    starts = {value.start for value in values}
    for at, token in enumerate(rest):
        if token.key in ("to", "into", "from"):
            following = rest[at + 1] if at + 1 < len(rest) else None
            nearest = min((s for s in starts if s > token.start), default=None)
            if following is None or (nearest is not None and nearest < following.start):
                continue
        yield token.key


def _blank(text: str, tokens: list[_Token]) -> str:
    for token in tokens:
        text = text[: token.start] + " " * (token.end - token.start) + text[token.end :]
    return text


def _tokens(text: str) -> Iterator[_Token]:
    last: _Token | None = None
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "mark"
        said, start, end = match.group(), match.start(), match.end()
        if kind == "han":
            for token in _han(said, start):
                yield token
                last = token
            continue
        if kind == "number" and _is_index(said, start, last, text):
            kind = "digits"
        if kind == "ident" and said.isalpha() and (said.lower() in words.CONCEPT or said.isupper()):
            kind = "word"
        token = _Token(kind, said, _key(kind, said), start, end)
        yield token
        last = token


def _is_index(said: str, start: int, last: _Token | None, text: str) -> bool:
    """Whether a number names one of many things: "shard 2", "第3个"."""
    if not said[-1].isdigit() or last is None or text[last.end : start].strip():
        return start > 0 and text[start - 1] == "#"
    if last.kind not in ("word", "han"):
        return last.text == "#"
    if last.text in ("第",):
        return True
    return last.key not in words.SOFT and not _INDEXED.match(last.key) and last.kind != "soft"


def _han(run: str, start: int) -> Iterator[_Token]:
    for match in words.HAN_PIECE.finditer(run):
        piece = match.group()
        at = start + match.start()
        kind = "soft" if match.lastgroup == "soft" else "han"
        key = words.CONCEPT.get(piece, piece) if match.lastgroup == "concept" else piece
        if match.lastgroup == "language":
            key = words.LANGUAGES[piece]
        if kind == "soft":
            key = "的" if piece not in words.DIRECTIONAL else piece
        yield _Token(kind, piece, key, at, at + len(piece))


def _key(kind: str, said: str) -> str:
    lower = said.lower().strip('`"“”').rstrip("/")
    if kind == "code" or kind in _NAMES:
        return lower.removeprefix("./").lstrip("@")
    if kind != "word":
        return lower
    return _concept(lower)


@lru_cache(maxsize=8192)
def _concept(word: str) -> str:
    if word.endswith("'s"):
        word = word[:-2]
    found = words.CONCEPT.get(word)
    if found is not None:
        return found
    if word in words.SOFT or word in words.CATEGORY:
        return word
    if word in words.LANGUAGES:
        return words.LANGUAGES[word]
    stem = word
    if len(word) > 4 and word.endswith("ies"):
        stem = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        stem = word[:-1]
    elif len(word) > 5 and word.endswith("ing"):
        stem = word[:-3]
    elif len(word) > 4 and word.endswith("ed"):
        stem = word[:-2]
    if len(stem) > 3 and stem.endswith("e"):
        stem = stem[:-1]
    return words.CONCEPT.get(stem, words.CONCEPT.get(stem + "e", stem))
