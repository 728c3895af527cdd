"""What a sentence says of what: a value, and the thing and attribute that it is the value of.

A claim is read from the words alone: its key is the set of what the sentence names, its value what
is said of it. Two claims are of the same thing where their keys hold the same concepts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from redline.ledger import claim_cues as cues
from redline.ledger import claim_words as words
from redline.ledger.claim_frames import Frame, frames
from redline.ledger.claim_tokens import NAMES, SOFT_OF, VALUES, Token, one_word, tokens
from redline.ledger.claim_values import Value, value_of
from redline.ledger.swapping import Slots, slots
from redline.patterns import lazy

LONGEST = 400  # characters of a sentence that is read for a claim
_REASON = lazy(
    r"[,，;；—–(（]?\s*(?:\b(?:because|since (?!\d)|due to|as it|so that|given that|as (?:we|they"
    r"|he|she)\b)"
    r"|因为|由于|以便)[^,，;；]*$",
    re.I,
)
_OLD = lazy(
    r"(?:\b(?:instead of|rather than|in place of|not|no longer|isn't|aren't|from|was|were"
    r"|previously"
    r"|formerly|used to be|over|replacing|and not|dropp?(?:ing|ed)?|ditch(?:ing|ed)?|used to (?:use"
    r"|run on)"
    r"|off|away from|than)\b|而不是|不是|不用|别用|不再用?|不再是|从|原来是?|之前是?|以前是?"
    r"|原先是?)"
    r"\s*(?:the |a |port |at |on |version |in |to |under |with |用 ?)*$",
    re.I,
)
_PAST = lazy(
    r"(?:\b(?:instead of|rather than|in place of|no longer|replacing)|[,;(]\s*(?:and )?not"
    r"|\bnot(?=[^,;]*\bbut\b))"
    r"\s+(?:(?:the|a|in|on|with|at|to|port|under|by|from|using|use|against)\s+)*(?P<a>`[^`\n]+`"
    r"|[^\s,;，；。)]+[^\s,;，；。).!])"
    r"|(?:而不是|不是|不用|别用|不再用)\s*(?P<b>[A-Za-z][\w./-]*)"
    r"|(?:而不是)(?P<c>[\u3400-\u9fff]+)",
    re.I,
)
_MORE = lazy(
    r"(?:more|less|fewer|later|longer|larger|bigger|smaller|older|newer|higher|lower) than\s*$",
    re.I,
)
_CLAUSE = lazy(r"[;；,，—–()（）]+|\s-\s|\.{2,}|…|\b(?:and|but|so)\b|。|(?<=[a-z0-9])\.\s|[!！]")
_PULL_REQUEST = lazy(r"\b(?:pull|merge)[ -]requests?\b", re.I)
_NO_MORE = lazy(
    r"\b(?:no|not|do not|don't|doesn't|never|must not|cannot|can't|shouldn't"
    r"|without)\b([^,;]{0,60}?)\b"
    r"(?:more|longer|larger|bigger|wider|higher|later|over|above|beyond"
    r"|exceed(?:ing)?)(?: than)?\b(?=[^,;]{0,12}\d)",
    re.I,
)
_NO_LESS = lazy(
    r"\b(?:no|not|do not|don't|doesn't|never|must not|cannot|can't|shouldn't)\b([^,;]{0,60}?)\b"
    r"(?:less|fewer|lower|below|under|smaller|shorter)(?: than)?\b(?=[^,;]{0,12}\d)",
    re.I,
)
_TIME_OUT = lazy(r"\btime[sd]? out\b(?: after)?", re.I)
_ASIDE = lazy(r"[(（][^()（）]*\w\W+\w+\W+\w[^()（）]*[)）]")
_STARTS = lazy(r"(?:^|[,:;])\s*$")
_FOR = lazy(r"\s+for\b", re.I)
_SWITCHING = frozenset("on off turn turned switch switched leave keep".split())  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Claim:
    """`key`: the concepts and words of what it is about, in `order`; `names` of them the
    identifiers, paths and code. `value` compares, `shown` is as written, `said` each of several.
    `old`: values that it says are past. `negated`: it says not to, or that it is not so. `role`: of
    what owner it speaks. `directed`: the order of its words has a meaning."""

    relation: str
    key: frozenset[str]
    names: frozenset[str]
    value: tuple[str, ...]
    shown: str
    kinds: tuple[Value, ...] = ()
    negated: bool = False
    old: frozenset[str] = frozenset()
    order: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    role: str = ""
    directed: bool = False

    @property
    def categories(self) -> frozenset[str]:
        """The kinds of tool that its value may be."""
        found = [words.CATEGORY.get(name, frozenset()) for name in self.value]
        return frozenset.intersection(*found) if found else frozenset()


class Read:
    """A sentence as read: whole, and clause by clause where it has more than one, each only once
    it is asked for. `changed`: it says that something is different now; `adds`: that something
    holds beside something else."""

    def __init__(self, text: str) -> None:
        clean = unicodedata.normalize("NFKC", text[:LONGEST]).replace("’", "'")
        clean = one_word(" ".join(clean.split()))
        clean = _PULL_REQUEST.sub("pr", clean)
        clean = _TIME_OUT.sub("timeout", clean)
        self.text = _NO_LESS.sub(r"\1 at least", _NO_MORE.sub(r"\1 at most", clean))
        self._body = _REASON.sub("", self.text).strip() or self.text

    @cached_property
    def changed(self) -> bool:
        return cues.CUES.search(self.text) is not None

    @cached_property
    def adds(self) -> bool:
        return cues.ADDS.search(self.text) is not None

    @cached_property
    def bounds(self) -> tuple[bool, bool]:
        """Whether it tells of the start of something, and of its end."""
        return cues.bounds(self.text)

    @cached_property
    def whole(self) -> tuple[Claim, ...]:
        """The claims of the whole sentence."""
        return tuple(_claims(*self._readings[0]))

    @cached_property
    def clauses(self) -> tuple[tuple[Claim, ...], ...]:
        """The claims of each of its clauses, where it has more than one."""
        return tuple(tuple(_claims(*each)) for each in self._readings[1:])

    @cached_property
    def slots(self) -> tuple[Slots, ...]:
        """What the whole names, and each of its clauses."""
        return tuple(slots(text, found, tuple(_past(text))) for text, found in self._readings)

    @cached_property
    def _readings(self) -> tuple[tuple[str, tuple[Token, ...]], ...]:
        """The sentence without noise, and its clauses, each with its tokens."""
        pieces = [piece.strip() for piece in _CLAUSE.split(self._body)]
        pieces = [piece for piece in pieces if len(piece) > 3]
        if pieces and _ASIDE.search(self._body):
            pieces.append(_ASIDE.sub(" ", self._body))
        readings = [self._body, *_with_topics(pieces)] if len(pieces) > 1 else [self._body]
        plain = [cues.NOISE.sub(" ", each) for each in readings]
        return tuple((text, tuple(tokens(text))) for text in plain)


def _with_topics(pieces: Sequence[str]) -> Iterator[str]:
    """Clauses, each with those that say of what it speaks."""
    topics = [piece for piece in pieces if cues.TOPIC.search(piece)]
    for piece in pieces:
        if piece not in topics:
            yield " ".join([*topics, piece])


@lru_cache(maxsize=4096)
def read(text: str) -> Read:
    """`text`, one sentence, as read."""
    return Read(text)


def _claims(text: str, found: Sequence[Token]) -> Iterator[Claim]:
    numbers = [token for token in found if token.kind in VALUES]
    old = [token for token in numbers if _is_old(text[: token.start])]
    values = [token for token in numbers if token not in old]
    if values:
        yield _claim("number", text, found, values, old)
    tools = _tools(text, found)
    if tools is not None:
        yield tools
    for frame in frames(text):
        yield from _framed(frame, text, found)
    yield _claim("plain", text, found, (), ())


def _past(text: str) -> Iterator[tuple[int, int]]:
    """The places of what is said to be past: "not tabs", "instead of npm", 不用 npm."""
    for match in _PAST.finditer(text):
        yield match.span(match.lastgroup or 0)


def _is_old(before: str) -> bool:
    return _OLD.search(before) is not None and not _MORE.search(before)


def _tools(text: str, found: Sequence[Token]) -> Claim | None:
    """The claim that a tool of a known category is used, where one is named where tools are."""
    named = [token for token in found if token.key in words.CATEGORY and token.kind != "soft"]
    if not named or len(named) > 4:
        return None
    old = [token for token in named if _is_old(text[: token.start])]
    values = [token for token in named if token not in old]
    if not old and (match := cues.REPLACES.search(text)):
        old = [token for token in values if token.start >= match.end()][:1]
        values = [token for token in values if token not in old][-1:]
    if len({token.key for token in values}) != 1 or not any(
        cues.TOOL_PLACE.search(text[: token.start])
        or cues.TOOL_AFTER.match(text, token.end)
        or (_STARTS.search(text[: token.start]) and _FOR.match(text, token.end))
        for token in values
    ):
        return None
    return _claim("tool", text, found, values[:1], [*old, *values[1:]])


def _framed(frame: Frame, text: str, found: Sequence[Token]) -> Iterator[Claim]:
    start, end = frame.value
    if frame.relation == "switch":
        if text[start:end].lower().startswith(("turn", "switch", "leave", "keep")):
            rest = [t for t in found if t.text.lower() not in _SWITCHING]
        else:
            rest = [t for t in found if not (start <= t.start and t.end <= end)]
        yield _claim("switch", text, rest, (), (), role=frame.role)
        return
    inside = [t for t in found if t.start < end and start < t.end and t.kind != "mark"]
    past = [t for t in found if frame.old and frame.old[0] <= t.start and t.end <= frame.old[1]]
    past += [t for t in found if any(a <= t.start and t.end <= b for a, b in _past(text))]
    inside = [t for t in inside if t not in past]
    if inside and not any(t.kind in VALUES for t in inside):
        yield _claim(frame.relation, text, found, inside, past, role=frame.role)


def _claim(
    relation: str,
    text: str,
    found: Sequence[Token],
    values: Sequence[Token],
    old: Sequence[Token],
    *,
    role: str = "",
) -> Claim:
    soft = words.GRAMMAR if relation == "plain" else SOFT_OF.get(relation, words.SOFT)
    taken = {token.start for token in (*values, *old)}
    rest = [t for t in found if t.start not in taken and t.kind != "mark" and t.kind != "soft"]
    order: list[str] = []
    names: set[str] = set()
    for at, token in enumerate(rest):
        if token.key in soft and token.kind not in NAMES:
            continue
        if token.key == "new" and at + 1 < len(rest) and rest[at + 1].key in words.ATTRIBUTES:
            continue
        order.append(token.key)
        if token.kind in NAMES or token.kind in VALUES:
            names.add(token.key)
    if relation == "number":
        kinds = tuple(value_of(t.kind, t.text) for t in values)
        value = tuple(sorted(kind.amount for kind in kinds))
        past = frozenset(value_of(t.kind, t.text).amount for t in old)
    else:
        kinds = ()
        value = tuple(t.key for t in values if t.key not in words.ARTICLES) if values else (role,)
        past = frozenset(t.key for t in old)
    return Claim(
        relation,
        frozenset(order),
        frozenset(names),
        value,
        text[values[0].start : values[-1].end].strip('`"“” ') if values else role,
        kinds,
        cues.negated(_blank(text, (*values, *old))),
        past,
        tuple(order),
        tuple(t.text for t in values),
        role if relation == "owner" else "",
        words.DIRECTIONAL.isdisjoint(_directions(found, values)) is False,
    )


def _directions(found: Sequence[Token], values: Sequence[Token]) -> Iterator[str]:
    """The words that give the order of two things a meaning; not those before a value."""
    starts = {value.start for value in values}
    for at, token in enumerate(found):
        if token.key in ("to", "into", "from") or token.text in ("从", "到"):
            following = found[at + 1] if at + 1 < len(found) else None
            nearest = min((s for s in starts if s > token.start), default=None)
            if following is None or (nearest is not None and nearest <= following.start + 12):
                continue
        yield token.text.lower() if token.kind == "soft" else token.key


def _blank(text: str, taken: Sequence[Token]) -> str:
    for token in taken:
        text = text[: token.start] + " " * (token.end - token.start) + text[token.end :]
    return text
