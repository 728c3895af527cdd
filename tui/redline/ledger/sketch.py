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
from functools import cached_property
from itertools import pairwise

from redline.ledger import claim_cues as cues
from redline.ledger import claim_words as words
from redline.ledger import sketch_words as plain
from redline.ledger.claim_tokens import NAMES, VALUES, Token, concept, one_word
from redline.ledger.claim_values import Value, value_of
from redline.ledger.same_words import in_same_words
from redline.ledger.sketch_tokens import types_of, whole_tokens
from redline.patterns import lazy

LONGEST = 400  # characters of a sentence that is read
_BREAK = lazy(
    r"[;；，。!！—–()（）]+|,(?!\d)|[:：](?=\s)|：|\s-+\s|\.{2,}|…|\.(?=\s)|[?？]"
    r"|\b(?:and|but|so|because|while|since(?! \d)|as (?=we|they|it\b|he\b|she\b)"
    r"|due to|thanks to|because of|according to|as per|until further notice"
    r"|after (?=the\b|our\b|this\b|that\b|last\b|yesterday|today)"
    r"|(?:until|till) (?=the\b|further)|(?:before|until|after) (?=we|i\b|they|it\b|you|he\b|she\b"
    r"|that))\b|因为|所以|但是?|不过",
    re.I,
)
_SWITCH = lazy(
    r"\b(?:turn|switch|leave|keep)(?:ed|s|ing)?\b[^,;]*?\b(?P<a>on|off)\b"
    r"|\b(?:is|are|be|stays?|goes|=|:)(?: now| back| set to| turned| switched)* (?P<b>on|off)\b"
    r"(?!\s+(?:call|track|hold|time|top|board|demand)\b)"
    r"(?!\s+(?:the|a|an|port|my|our|(?-i:[A-Z`/\d])|\w+-\d)|- ?limits)"
    r"|\bmode (?P<c>on|off)\b|(?P<on>\b(?:enabl|activat)[a-z]*\b(?!_)|开启|启用|打开|开着)"
    r"|(?P<off>\b(?:disabl|deactivat)[a-z]*\b(?!_)|关闭|关掉|禁用|停用|关了|关着)",
    re.I,
)
_PAST = lazy(
    r"(?:\b(?:instead of|(?:took|takes|taking) the place of|rather than|in place of|no longer"
    r"|replac(?:es?|ing)\b|scratch|forget"
    r"|(?:drop|ditch)(?! (?:\S+ ){1,4}(?:to|by)\b)|away from|from(?=[^,;]{1,40} to\b)|not|no|than"
    r"|(?:is|are|was|do|does|can)n't)"
    r"|不是|不用|别用|不再用?|不要从?|弃用|而不是|替换|从(?=[^,，]{1,20}[改换迁移切升降调到]))\s*"
    r"(?:(?:the|a|in|on|with|at|to|port|under|by|from|using|use|against|via)\s+)*"
    r"(?P<v>#?[^\s,，;；。]+)",
    re.I,
)
# What something was, told of itself: "develop is gone".
_GONE = lazy(
    r"(?P<v>[^\s,;，；。]+)(?: \w+)? (?:is|are|was|were|got|has been|have been)(?: finally| now)?"
    r" (?:gone|dead|archived|deleted|removed|dropped|drained|deprecated|retired|on leave|closed"
    r"|shut|down|decommissioned|abandoned|obsolete|too \w+)\b",
    re.I,
)
_VERBAL = lazy(
    r"\b(?:i|we|they|he|she|it|you|i'm|we're|they're|it's|that's|is|are|was|were|has|have|had|got"
    r"|gets?|will|can|can't|isn't|aren't|wants?|says?|said|left|went|asked|needs?|wasn't|blows?"
    r"|breaks?|fills?|starves?|drains?|clash(?:es)?|keeps?|makes?|takes?|left|ha[ds]n't|let"
    r"|[a-z]{2,}ed|don't|doesn't|drop|use|should|must|be|need|may|shall|would|could)\b|了|太|已经|要求",
    re.I,
)
_OF_PEOPLE = lazy(r"^\W*(?:\w+ )?(?:i|we|they|he|she|you|i'm|we're|they're)\b", re.I)
_POINTING = lazy(r"\b(?:it|its|there|them|their|that one|those)\b", re.I)
_WITHIN = lazy(r"\b(?:in|on|at|via|under|inside|within) (?:the |a |our |my )?$", re.I)
_ENDED = lazy(
    r"\s*(?:now|instead|please|again|already|pls|了|吧|啦)?\s*(?:[,.;!，。；！]|:?\s*$)", re.I
)
_CALLING = lazy(r"\b(?:call|nam|renam|label|tag)(?:e|s|es|ed|ing|ged)?\b|叫|改名", re.I)
_A_UNIT = lazy(
    r"\b(is|are|to|for|after|of|in|every|at|than|be|least|most|under|within|max|by|live|:|=)"
    r" (?:now )?(?:an?|one) (second|minute|hour|day|week|month|year)\b",
    re.I,
)
_HALF = lazy(r"\bhalf an hour\b", re.I)
_NAMED = frozenset(("name", "path", "constant", "host", "region", "ticket"))
_OF_A_KIND = frozenset(("read", "writ", "write", "connect"))
_BEFORE_NOUNS = frozenset(("the", "a", "an", "our", "my", "this", "that", "per", "of"))
_LATIN = lazy(r"[a-z]+")
# Words that lead up to something, but not where they are what is spoken of.
_SOFT_NOUNS = frozenset(("reminder", "note", "updat", "update", "switch"))
_KINDS = plain.APART | {"read", "write"}
_NEW = lazy(r"\bnew\b", re.I)  # many a thing is
_IRREGULAR = {
    "shown": "show", "sent": "send", "written": "writ", "built": "build", "held": "hold",
    "drawn": "draw", "kept": "keep", "paid": "pay", "spoken": "speak", "thrown": "throw",
    "chosen": "choos", "taken": "tak", "given": "giv", "driven": "driv",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    """One word that names something, or that may be a value of the types `types`; `key` is what it
    is compared by, `lead` the word before it, `clause` the number of its clause. `past`: the
    sentence says that it is so no more. `unit` is what a number counts. `named`: it is an
    identifier, a path, a number."""

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


@dataclass(frozen=True, slots=True)
class Clause:
    """`topic`: it says of what the others speak. `told`: somebody tells what happened. `points`: it
    speaks of "it", which another clause names."""

    topic: bool
    told: bool
    points: bool
    negated: bool


class Sketch:
    """What a sentence names and how, each thing only once it is asked for: of most sentences it is
    enough to know what their values may be."""

    def __init__(self, text: str) -> None:
        clean = unicodedata.normalize("NFKC", text[:LONGEST]).replace("’", "'")
        clean = one_word(" ".join(clean.split()))
        self.text = _HALF.sub("30 minutes", _A_UNIT.sub(r"\1 1 \2", clean))

    @cached_property
    def clean(self) -> str:
        """It in the words that all sentences share."""
        return in_same_words(self.text)

    @cached_property
    def _read(self) -> tuple[str, tuple[Token, ...], tuple[int, ...]]:
        """It without what only leads up to something, its tokens, the ends of its clauses."""
        said = plain.ANNOUNCED.sub(_blank, self.clean)
        for noise in (cues.NOISE, plain.SINCE):
            said = noise.sub(_blank, said)
        breaks = tuple(match.end() for match in _BREAK.finditer(said.rstrip(" .。!！;；")))
        said = _BREAK.sub(_blank_word, said)
        return said, tuple(whole_tokens(said)), breaks

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """What it names, in order."""
        return tuple(_words(*self._read))

    @cached_property
    def names(self) -> frozenset[str]:
        """What its words are compared by."""
        return frozenset(word.key for word in self.words)

    @cached_property
    def keys(self) -> frozenset[str]:
        """All its words, those too that say little, and as they were said."""
        said = {concept(word) for word in _LATIN.findall(self.text.lower())}
        return (
            frozenset(said)
            | {token.key for token in self._read[1]}
            | {word.key for word in self.words}
        )

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Its clauses, as `Word.clause` numbers them."""
        return tuple(_clauses(self._read[0], self._read[2], self.words))

    @cached_property
    def types(self) -> frozenset[str]:
        """What its values may be."""
        return frozenset(kind for word in self.words for kind in word.types)

    @cached_property
    def past(self) -> frozenset[str]:
        """What it says holds no more."""
        return frozenset(word.key for word in self.words if word.past)

    @cached_property
    def strong(self) -> bool:
        """Whether it says plainly that something is different now."""
        if cues.STRONG.search(self.text) or plain.STRONG.search(self.text):
            return True
        return self.weak and plain.LATER.search(self.clean) is not None

    @cached_property
    def weak(self) -> bool:
        """Whether it may say so: it orders something, something should be so."""
        if plain.NEXT.search(self.clean):
            return False
        first = self.text.partition(" ")[0].lower()
        return (
            concept(first) in plain.DOING
            or cues.IMPERATIVE.search(self.text) is not None
            or cues.CUES.search(_NEW.sub(" ", self.text)) is not None
            or plain.WEAK.search(self.text) is not None
        )

    @cached_property
    def adds(self) -> bool:
        """Whether it says that something holds beside something else."""
        return cues.ADDS.search(self.clean) is not None or plain.ADDS.search(self.clean) is not None

    @cached_property
    def negated(self) -> bool:
        """Whether it says not to, or that it is not so."""
        return cues.negated(_without_past(self._read[0], self.words))

    @cached_property
    def calls(self) -> bool:
        """Whether it says that a thing is called so."""
        return _CALLING.search(self.clean) is not None

    @cached_property
    def acts(self) -> frozenset[str]:
        """Its verbs, but for those that only say that something is, or is another."""
        return frozenset(
            token.key
            for token in self._read[1]
            if token.key in plain.DOING and token.key not in plain.NEUTRAL
        )

    @cached_property
    def apart(self) -> frozenset[str]:
        """Its words that tell two things of a kind apart."""
        said = frozenset(_LATIN.findall(self.clean.lower()))
        return _KINDS & (said | {word[:-1] for word in said if word.endswith("s")})

    @cached_property
    def bounds(self) -> tuple[bool, bool]:
        """Whether it tells of the start of something, and of the end."""
        return cues.bounds(self.clean)

    def within(self, word: Word) -> bool:
        """Whether `word` says where something is, and not what."""
        return _WITHIN.search(self._read[0][: word.start]) is not None

    def ends(self, word: Word) -> bool:
        """Whether its clause ends with `word`."""
        return _ENDED.match(self._read[0], word.end) is not None


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _blank_word(match: re.Match[str]) -> str:
    return _blank(match) if match[0][0].isalpha() else match[0]


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
        named = not verbal and not last and (piece.isascii() or piece.rstrip()[-1:] in ":：")
        own = [word for word in found if word.clause == number and word.past]
        rest = piece
        if own:
            rest = _without_past(text, found)[start:end]
        yield Clause(
            topic=cues.TOPIC.search(piece) is not None or named,
            told=_OF_PEOPLE.search(piece) is not None,
            points=_POINTING.search(piece) is not None,
            negated=cues.negated(rest),
        )


def _words(text: str, found: Sequence[Token], breaks: Sequence[int]) -> Iterator[Word]:
    past = {match.start("v"): match.end("v") for match in _PAST.finditer(text)}
    past |= {match.start("v"): match.end("v") for match in _GONE.finditer(text)}
    lead = ""
    switch = _SWITCH.search(text)
    state = switch.span(switch.lastgroup or 0) if switch is not None else (-1, -1)
    for at, token in enumerate(found):
        if state[0] <= token.start < state[1]:
            lead = "is"
            continue
        clause = sum(1 for end in breaks if end <= token.start)
        if token.kind == "mark":
            lead = token.text if token.text in ":=→" else lead
            continue
        types = frozenset(types_of(token, text, lead))
        amount = value_of(token.kind, token.text) if token.kind in VALUES else None
        gone = any(start <= token.start < end for start, end in past.items())
        key = _IRREGULAR.get(token.text.lower(), token.key)
        if token.kind == "word" and len(key) > 6 and key.endswith("ly"):
            key = concept(key[:-2])
        if token.kind == "path" and "/" in token.text and "/" not in key:
            key += "/"  # a folder is not what it is called by
        if amount is not None:
            key = f"{amount.kind}:{amount.amount}"
        following = found[at + 1] if at + 1 < len(found) else None
        if types or _names(key, token, lead, following):
            unit = _counted(following) if amount is not None and following is not None else ""
            yield Word(
                plain.SYNONYMS.get(key, key), token.text, token.start, token.end, clause, types,
                amount, gone, lead, unit,
                (bool(types) and token.kind in (*NAMES, *VALUES)) or not types.isdisjoint(_NAMED),
            )  # fmt: skip
        moved = lead.startswith("mov") and token.text.lower() == "to"
        lead = "moved to" if moved else token.text.lower()
    if switch is not None:
        start, end = state
        on = "on" if switch.lastgroup == "on" else "off"
        said_last = switch.lastgroup in ("a", "b", "c")
        last = switch[0].lower()[-3:].strip() if said_last else on
        last = "off" if last.endswith("off") else "on"
        clause = sum(1 for place in breaks if place <= start)
        yield Word(
            f"switch:{last}", switch[switch.lastgroup or 0], start, end, clause,
            frozenset(("switch",)), lead="is",
        )  # fmt: skip


def _names(key: str, token: Token, lead: str, following: Token | None) -> bool:
    """Whether a word names something here: "read" does in "the read timeout"."""
    if key in _OF_A_KIND:
        return following is not None and following.key in words.ATTRIBUTES | {"max", "min"}
    if key == "s":
        return False
    if key == "us":
        return lead in ("is", "=", ":")
    if key in _SOFT_NOUNS and (lead in _BEFORE_NOUNS or (not lead and token.text.endswith("s"))):
        return True
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
    if following.text.endswith("ly") or following.key in words.ATTRIBUTES:
        return ""
    return following.key
