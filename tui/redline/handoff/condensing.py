"""A sentence in as few words as still say it, for where room is short.

Names, numbers, what is in code or quotes, negations and words like "must" and "only" stay as they
are, and in their order.
"""

from __future__ import annotations

import re

from redline.ledger.brevity import brief
from redline.patterns import lazy

_SMALL = lazy(
    r"(?<![\w`'\"/.-])(?:the|an?|please|just|really|actually|basically|simply|very|currently"
    r"|at the moment|of course|as well|by the way)\s+(?=[\w`'\"(/]|$)",
    re.I,
)
_QUOTED = lazy(r"`[^`]*`|\"[^\"]*\"|'[^']{3,}'(?!\w)")
# A reason at the end: it names nothing and forbids nothing.
_REASON = lazy(
    r"(?:\s+(?=because\s)|[,;，；]\s*|\s+[-\u2013\u2014]\s+)(?:(?:because|since|so that|as)\s.{4,}"
    r"|(?:i|it|they|we|he|she|that|this|which)(?:'\w+)?\s.{4,}|因为.{2,}|由于.{2,})$",
    re.I,
)
_HOLDS = lazy(
    r"\d|[_/`]|[a-z][A-Z]|\w\.\w|(?i:\b(?:not|no|never|only|must|always|except|unless|until|without"
    r"|but|instead|cannot|can't|first|before|after)\b|n't)|不|别|勿|只|必"
)
_NAME = lazy(r"(?<=\s)[A-Z]\w+")
_WORD = lazy(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
_LEAST = 3  # words before a reason that say something alone


def tight(text: str) -> str:
    """`text` on one line, without fillers, articles and a reason at its end that names nothing."""
    line = brief(" ".join(text.split())).rstrip(".。 ")
    found = _REASON.search(line)
    if (
        found
        and len(_WORD.findall(line[: found.start()])) >= _LEAST
        and not _HOLDS.search(found[0])
        and not _NAME.search(found[0])
    ):
        line = line[: found.start()].rstrip(" ,;，；")
    pieces, at = [], 0
    for quote in _QUOTED.finditer(line):
        pieces += [_SMALL.sub("", line[at : quote.start()]), quote[0]]
        at = quote.end()
    return "".join([*pieces, _SMALL.sub("", line[at:])]).strip() or line
