"""A sentence in clauses, with what it names and the values it gives, as a session is read for what
was said before.

`claims` reads one sentence for what it surely says. Here every word that may be a value is one, of
its type; which of them took the place of which shows only beside an earlier sentence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from redline.ledger import claim_cues as cues
from redline.ledger import claim_words as words
from redline.ledger import sketch_words as plain
from redline.ledger.claim_tokens import NAMES, VALUES, Token, concept, one_word, tokens
from redline.ledger.claim_values import Value, value_of
from redline.ledger.sketch_tokens import types_of, whole_tokens

LONGEST = 400  # characters of a sentence that is read
_BREAK = re.compile(
    r"[;；，。!！—–()（）]+|,(?!\d)|[:：](?=\s)|：|\s-+\s|\.{2,}|…|\.(?=\s)|[?？]"
    r"|\b(?:and|but|so|because|since(?! \d)|as (?=we|they|it\b|he\b|she\b)"
    r"|due to|thanks to|because of|according to|as per|until further notice"
    r"|after (?=the\b|our\b|this\b|that\b|last\b|yesterday|today)"
    r"|(?:until|till) (?=the\b|further)|(?:before|until|after) (?=we|i\b|they|it\b|you|he\b|she\b"
    r"|that))\b|因为|所以|但是?|不过",
    re.I,
)
_SWITCH = re.compile(
    r"\b(?:turn|switch|leave|keep)(?:ed|s|ing)?\b[^,;]*?\b(?P<a>on|off)\b"
    r"|\b(?:is|are|be|stays?|goes|=|:)(?: now| back| set to| turned| switched)* (?P<b>on|off)\b"
    r"(?!\s+(?:the|a|an|port|my|our|(?-i:[A-Z`/\d])|\w+-\d)|- ?limits)"
    r"|\bmode (?P<c>on|off)\b|(?P<on>\b(?:enabl|activat)\w*|开启|启用|打开|开着)"
    r"|(?P<off>\b(?:disabl|deactivat)\w*|关闭|关掉|禁用|停用|关了|关着)",
    re.I,
)
_PAST = re.compile(
    r"(?:\b(?:instead of|rather than|in place of|no longer|replac(?:e|es|ing)|scratch|forget|drop"
    r"|ditch|away from|from(?=[^,;]{1,40} to\b)|not|no|than)"
    r"|不是|不用|别用|不再用?|不要从?|弃用|而不是|替换|从(?=[^,，]{1,20}[改换迁移切升降调到]))\s*"
    r"(?:(?:the|a|in|on|with|at|to|port|under|by|from|using|use|against|via)\s+)*"
    r"(?P<v>#?[^\s,，;；。]+)",
    re.I,
)
_VERBAL = re.compile(
    r"\b(?:i|we|they|he|she|it|you|i'm|we're|they're|it's|that's|is|are|was|were|has|have|had|got"
    r"|gets?|will|can|can't|isn't|aren't|wants?|says?|said|left|went|asked|needs?|wasn't|blows?"
    r"|breaks?|fills?|starves?|drains?|clash(?:es)?|keeps?|makes?|takes?|left|ha[ds]n't|let"
    r"|[a-z]{2,}ed|don't|doesn't|drop|use|should|must|be|need|may|shall|would|could)\b|了|太|已经|要求",
    re.I,
)
_OF_PEOPLE = re.compile(r"^\W*(?:\w+ )?(?:i|we|they|he|she|you|i'm|we're|they're)\b", re.I)
_POINTING = re.compile(r"\b(?:it|its|there|them|their|that one|those)\b", re.I)
_WITHIN = re.compile(r"\b(?:in|on|at|via|under|inside|within) (?:the |a |our |my )?$", re.I)
_ENDED = re.compile(r"\s*(?:now|instead|please|了|吧|啦)?\s*(?:[,.;!，。；！]|$)", re.I)
_CALLING = re.compile(r"\b(?:call|name|rename|label|tag)\b", re.I)
_A_UNIT = re.compile(
    r"\b(is|are|to|for|after|of|in|every|at|than|be|least|most|under|within|max|by|live|:|=)"
    r" (?:now )?(?:an?|one) (second|minute|hour|day|week|month|year)\b",
    re.I,
)
_HALF = re.compile(r"\bhalf an hour\b", re.I)
_OF_A_KIND = frozenset(("read", "writ", "write", "connect"))
_BEFORE_NOUNS = frozenset(("the", "a", "an", "our", "my", "this", "that", "per", "of"))
_NEW = re.compile(r"\bnew\b", re.I)  # many a thing is
_IRREGULAR = {
    "shown": "show", "sent": "send", "written": "writ", "built": "build", "held": "hold",
    "drawn": "draw", "kept": "keep", "paid": "pay", "spoken": "speak", "thrown": "throw",
    "chosen": "choos", "taken": "tak", "given": "giv", "driven": "driv",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    """One word that names something, or that may be a value of the types `types`; `key` is what it
    is compared by, `lead` the word before it, `clause` the number of its clause. `past`: the
    sentence says that it is so no more. `unit` is what a number counts. `within`: it says
    where something is, and not what; `ends`: its clause
    ends with it."""

    key: str
    text: str
    start: int
    end: int
    clause: int
    types: frozenset[str] = frozenset()
    amount: Value | None = None
    past: bool = False
    lead: str = ""
    unit: str = ""
    named: bool = False
    within: bool = False
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """`topic`: it says of what the others speak. `told`: somebody tells what happened. `points`: it
    speaks of "it", which another clause names."""

    topic: bool
    told: bool
    points: bool
    negated: bool


@dataclass(frozen=True, slots=True)
class Sketch:
    """What a sentence names. `strong`, `weak`: how plainly it says that something is different now;
    `adds`: that something holds beside something else."""

    text: str
    words: tuple[Word, ...]
    clauses: tuple[Clause, ...]
    strong: bool
    weak: bool
    adds: bool
    negated: bool
    calls: bool
    acts: frozenset[str]


@lru_cache(maxsize=4096)
def sketch(text: str) -> Sketch:
    """`text`, one sentence, as sketched."""
    clean = " ".join(unicodedata.normalize("NFKC", text[:LONGEST]).replace("’", "'").split())
    clean = one_word(_HALF.sub("30 minutes", _A_UNIT.sub(r"\1 1 \2", clean)))
    original = clean
    for pattern, meant in plain.SAME:
        clean = pattern.sub(meant, clean)
    said = plain.ANNOUNCED.sub(lambda match: " " * len(match[0]), clean)
    for noise in (cues.NOISE, plain.SINCE):
        said = noise.sub(lambda match: " " * len(match[0]), said)
    breaks = [match.end() for match in _BREAK.finditer(said.rstrip(" .。!！;；"))]
    said = _BREAK.sub(
        lambda match: " " * len(match[0]) if match[0][0].isalpha() else match[0], said
    )
    strong = cues.STRONG.search(original) is not None or plain.STRONG.search(original) is not None
    leading = plain.NEXT.search(clean) is not None
    weak = not leading and (
        cues.IMPERATIVE.search(original) is not None
        or concept(original.partition(" ")[0].lower()) in plain.DOING
        or cues.CUES.search(_NEW.sub(" ", original)) is not None
        or plain.WEAK.search(original) is not None
    )
    found = tuple(_words(said, breaks))
    return Sketch(
        clean,
        found,
        tuple(_clauses(said, breaks, found)),
        strong or (weak and plain.LATER.search(clean) is not None),
        weak,
        cues.ADDS.search(clean) is not None or plain.ADDS.search(clean) is not None,
        cues.negated(_without_past(said, found)),
        _CALLING.search(clean) is not None,
        frozenset(
            token.key
            for token in tokens(said)
            if token.key in plain.DOING and token.key not in plain.NEUTRAL
        ),
    )


def _without_past(text: str, found: Sequence[Word]) -> str:
    for match in _PAST.finditer(text):
        if any(
            word.past and word.start < match.end() and match.start() < word.end for word in found
        ):
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return text


def _clauses(text: str, breaks: Sequence[int], found: Sequence[Word]) -> Iterator[Clause]:
    edges = [0, *breaks, len(text)]
    for number, (start, end) in enumerate(pairwise(edges)):
        piece = text[start:end]
        verbal = _VERBAL.search(piece) is not None
        last = number == len(edges) - 2
        own = [word for word in found if word.clause == number and word.past]
        rest = piece
        if own:
            rest = _without_past(text, found)[start:end]
        yield Clause(
            topic=cues.TOPIC.search(piece) is not None or (not verbal and not last),
            told=_OF_PEOPLE.search(piece) is not None,
            points=_POINTING.search(piece) is not None,
            negated=cues.negated(rest),
        )


def _words(text: str, breaks: Sequence[int]) -> Iterator[Word]:
    past = {match.start("v"): match.end("v") for match in _PAST.finditer(text)}
    found = list(whole_tokens(text))
    lead = ""
    for at, token in enumerate(found):
        clause = sum(1 for end in breaks if end <= token.start)
        if token.kind == "mark":
            lead = token.text if token.text in ":=→" else lead
            continue
        types = frozenset(types_of(token, text, lead))
        amount = value_of(token.kind, token.text) if token.kind in VALUES else None
        gone = any(start <= token.start < end for start, end in past.items())
        key = _IRREGULAR.get(token.text.lower(), token.key)
        if amount is not None:
            key = f"{amount.kind}:{amount.amount}"
        following = found[at + 1] if at + 1 < len(found) else None
        if types or _names(key, token, lead, following):
            unit = _counted(following) if amount is not None and following is not None else ""
            yield Word(
                plain.SYNONYMS.get(key, key), token.text, token.start, token.end, clause, types,
                amount, gone, lead, unit, bool(types) and token.kind in (*NAMES, *VALUES),
                _WITHIN.search(text[: token.start]) is not None,
                _ENDED.match(text, token.end) is not None,
            )  # fmt: skip
        moved = lead.startswith("mov") and token.text.lower() == "to"
        lead = "moved to" if moved else token.text.lower()
    switch = _SWITCH.search(text)
    if switch is not None:
        start, end = switch.span(switch.lastgroup or 0)
        on = "on" if switch.lastgroup == "on" else "off"
        said_last = switch.lastgroup in ("a", "b", "c")
        state = switch[0].lower()[-3:].strip() if said_last else on
        state = "off" if state.endswith("off") else "on"
        clause = sum(1 for place in breaks if place <= start)
        yield Word(
            f"switch:{state}", switch[switch.lastgroup or 0], start, end, clause,
            frozenset(("switch",)), lead="is",
        )  # fmt: skip


def _names(key: str, token: Token, lead: str, following: Token | None) -> bool:
    """Whether a word names something here: "read" does in "the read timeout"."""
    if key in _OF_A_KIND:
        return following is not None and following.key in words.ATTRIBUTES | {"max", "min"}
    if key == "s":
        return False
    if key in plain.DOING and lead in _BEFORE_NOUNS:
        return True
    if key == "live" and lead == "the" and following is not None:
        return following.kind == "word"
    if key == "new" and lead in ("the", "our", "my", "this") and following is not None:
        return following.key not in words.ATTRIBUTES and following.kind == "word"
    return token.text.lower() in plain.APART or (key not in plain.SOFT and token.kind != "soft")


def _counted(following: Token) -> str:
    """What a number counts: the word behind it."""
    if following.kind not in ("word", "han") or following.key in plain.SOFT:
        return ""
    return "" if following.text.endswith("ly") else following.key
