"""A sentence in tokens: names, values, words by what they mean, Chinese runs piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from redline.ledger import claim_words as words
from redline.ledger.claim_values import HAN_VALUE, VALUE
from redline.patterns import lazy

VALUES = frozenset(("date", "version", "number", "spelled"))
NAMES = frozenset(("code", "url", "path", "flag", "ident", "digits"))
_TOKEN = lazy(
    r"(?P<code>`[^`\n]{1,200}`|\"[^\"\n]{1,100}\"|“[^”\n]{1,100}”)"
    r"|(?P<mask>\b[YyMDdHh]{1,4}(?:[-./:][YyMDdHhms]{1,4}){1,4}\b)"
    r"|(?P<url>[a-z]{2,10}://[^\s,;，；。)]+)"
    rf"|{VALUE}"
    r"|(?P<path>~?[\w.@*-]*(?:/[\w.@*+-]*[\w*])+/?|[\w.-]+/(?![\w/])|[\w-]*\w(?:\.[A-Za-z]\w*)+"
    r"|\.[A-Za-z][\w.]*)"
    r"|(?P<flag>--?[A-Za-z][\w-]*)"
    r"|(?P<ident>@[\w-]+|(?<=[\w,:(] )[A-HJ-Z](?![\w'.-])|[A-Za-z]+\d\w*|[A-Za-z]\w*_\w+|_\w+"
    r"|[a-z]+[A-Z]\w*"
    r"|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}\w*)"
    r"|(?P<word>[A-Za-z]+(?:'[a-z]+)?(?:-[A-Za-z0-9]+)*)"
    r"|(?P<digits>[\w.#-]*\d[\w.-]*)"
    rf"|(?P<han>(?:(?!{HAN_VALUE})[\u3400-\u9fff])+)"
    r"|(?P<mark>[^\s])",
    re.A,
)
# A number behind a word is a value where the word is one of these, else it names one of many.
_VALUED = frozenset(
    """
    version python node nodejs node.js java go golang ruby php rust postgres postgresql mysql react
    vue django rails swift typescript angular dotnet ubuntu debian kotlin ios android jdk gcc clang
    max min limit port timeout retry size width length level threshold rate quota interval ttl
    budget price coverage concurrency deadline retention memory word count priority redis
    kubernetes elasticsearch terraform status next.js es ecmascript
    """.split()  # noqa: SIM905
)
_COUNTED = lazy(
    r"\s*(?:times|x\b|attempts?|retries|per\b|%|/|days?|hours?|minutes?|seconds?|requests?|items?"
    r"|rows?)",
    re.I,
)


_ENDING = lazy(r"'(?:s|ve|ll|re|d|m)$")


_NAMED = lazy(r"[A-Z]{2,}$")  # "the US cluster" and "IT" are no pronouns
_BEFORE_HAN = lazy(r"\s*[\u3400-\u9fff]")
_LANGUAGE_GO = lazy(r"\s*(?:v?\d|版本|到|升|降|换|改|version)")


class Token(NamedTuple):
    """`key` is what it is compared by; the place is in the sentence."""

    kind: str
    text: str
    key: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """The tokens of `text`, one sentence in one normal form."""
    last: Token | None = None
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "mark"
        said, start, end = match[0], match.start(), match.end()
        if kind == "mask":
            kind = "code"
        if kind == "han":
            for token in _han(said, start):
                yield token
                last = token
            continue
        if (kind == "number" and _is_index(said, start, end, last, text)) or (
            kind == "version" and "." not in said and text[end : end + 2].strip().isalpha()
        ):
            kind = "digits"
        elif (
            kind == "ident"
            and said.isalpha()
            and len(said) > 1
            and (said.isupper() or _is_known(said))
        ) or (kind == "path" and said.lower() in words.CATEGORY):
            kind = "word"
        pronoun = said.lower() in words.SOFT and _NAMED.match(said)
        if kind == "word" and (pronoun or (said == "A" and _BEFORE_HAN.match(text, end))):
            kind = "ident"
        key = "golang" if said == "Go" and _LANGUAGE_GO.match(text, end) else _key(kind, said)
        last = Token(kind, said, key, start, end)
        yield last


_ROUGH = lazy(r"[A-Za-z_][A-Za-z0-9_'-]*|[\u3400-\u9fff]+")


@lru_cache(maxsize=8192)
def rough(text: str) -> frozenset[str]:
    """What `text` names, cheaply: two statements of one thing share most of it."""
    found: set[str] = set()
    for word in _ROUGH.findall(one_word(text)):
        if word[0] > "\u3000":
            found.update(token.key for token in _han(word, 0) if token.kind != "soft")
            continue
        key = concept(word.lower())
        found.add(key)
        found |= words.CATEGORY.get(key, frozenset())
    return frozenset(found - _SAYING_LITTLE)


def one_word(text: str) -> str:
    """`text` with names of two words as one: GitHub Actions."""
    return _TWO_WORDS.sub(lambda match: f"{match[1]}-{match[2]}".lower(), text)


_THINGS = {"job", "task", "area", "person", "contact", "question", "review", "lead"}
_SAYING_LITTLE = words.SOFT | (words.OWNING - _THINGS) | {"name", "renam"}
_TWO_WORDS = lazy(r"\b(github|gitlab) (actions|ci)\b", re.I)


def _is_known(said: str) -> bool:
    lower = said.lower()
    return lower in words.CONCEPT or lower in words.CATEGORY


def _is_index(said: str, start: int, end: int, last: Token | None, text: str) -> bool:
    """Whether a number names one of many things: "shard 2", "#12", 第3."""
    if start > 0 and text[start - 1] in "#第":
        return True
    if not said[-1].isdigit() or last is None or text[last.end : start].strip():
        return False
    if last.kind not in ("word", "han", "ident") or _COUNTED.match(text, end):
        return False
    return last.key not in words.SOFT | _VALUED and last.key not in words.CATEGORY


def _han(run: str, start: int) -> Iterator[Token]:
    for match in words.HAN_PIECE.finditer(run):
        piece, group = match[0], match.lastgroup
        at = start + match.start()
        kind, key = "han", piece
        if group == "concept":
            key = words.CONCEPT[piece]
        elif group == "language":
            key = words.LANGUAGES[piece]
        elif group == "soft":
            kind, key = "soft", "的" if piece not in words.DIRECTIONAL else piece
        yield Token(kind, piece, key, at, at + len(piece))


def _key(kind: str, said: str) -> str:
    if kind in NAMES:
        return said.lower().strip('`"“”').rstrip("/").removeprefix("./").lstrip("@")
    return concept(said.lower()) if kind == "word" else said.lower()


@lru_cache(maxsize=8192)
def concept(word: str) -> str:
    """What a word in lower case stands for: its concept, else its stem."""
    word = _ENDING.sub("", word)
    found = words.CONCEPT.get(word) or words.LANGUAGES.get(word)
    if found is not None:
        return found
    if word in words.SOFT or word in words.CATEGORY:
        return word
    stem = _stem(word)
    return words.CONCEPT.get(stem) or words.CONCEPT.get(stem + "e") or stem


def _stem(word: str) -> str:
    stem = word
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        stem = word[:-1]
    elif len(word) > 5 and word.endswith("ing"):
        stem = word[:-3]
    elif len(word) > 4 and word.endswith("ed"):
        stem = word[:-2]
    if len(stem) > 3 and stem[-1] == stem[-2] and stem != word and stem[-1] not in "ls":
        stem = stem[:-1]
    return stem[:-1] if len(stem) > 3 and stem.endswith("e") else stem
