"""How a sentence is said: whether it asks, is code, tells of oneself, is in doubt, orders work."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from redline.ledger.two_things import is_task
from redline.patterns import lazy

_ASKS = lazy(r"[?？]\W*$|^\W*(?:why|what|how|who|where|when|which|is|are|does|did)\b", re.I)
_CODE = lazy(r"\w\([^)]*[,)=]|[{}\[\]]|==|=>|\);?$|[:({]$")
_ONESELF = lazy(r"\b(?:i|i'm|i'll|i've|i'd|me|myself|you|your)\b|我|你", re.I)
_POINTS = lazy(r"\b(?:it|that|this|these|those|them|they)\b(?! (?:is|will) )|这|那|它", re.I)
_DOUBTS = lazy(
    r"\b(?:i (?:think|guess|suppose|feel|wonder|(?:would )?assume)|not sure|maybe|perhaps"
    r"|feels? like|seems?|looks? like|doesn't work|works|wrong|broken|should never|hm+|wtf"
    r"|crash\w*|error|bug|issue)\b|好像|似乎|不行|报错",
    re.I,
)
_WORK = lazy(
    r"^\W*(?:(?:ok(?:ay)?|now|then|next|also|and|so|please|pls|just|first|yes|yeah|no|hm+|let me"
    r"|let's|can you|could you|would you|(?:i|we|you)(?:'d| would)? (?:want|need|have|like)"
    r"(?: you)? to|go ahead and|make sure(?: to)?|consider)[,:\s]+)*"
    r"(?:adjust|analy[sz]e|add|apply|clean|commit|compare|copy|create|debug|delete|do|document"
    r"|draft|edit|ensure|explain|fetch|find|fix|generate|give me|implement|improve|install"
    r"|instruct|investigate|list|look|merge|modify|open|propose|push|read|refactor|reload|remove"
    r"|reply|review|rewrite|run|search|see|show|split|suggest|summari[sz]e|test|try|undo|update"
    r"|verify|work on|write (?:an?|the|some|up))\b"
    r"|^\W*(?:请|帮我?|先|再)?(?:分析|修复|检查|实现|看)",
    re.I,
)
_ALLOWS = lazy(r"\b(?:can|may|fine|ok|okay|allowed|welcome|feel free)\b|可以|允许", re.I)


@dataclass(frozen=True, slots=True)
class Manner:
    """`asks` a question, `is_code`, speaks `of_oneself`, `points` to what another sentence names,
    `doubts`, orders `work`, or what is done `once`, `allows`; it is `chinese`."""

    asks: bool
    is_code: bool
    of_oneself: bool
    points: bool
    doubts: bool
    work: bool
    once: bool
    allows: bool
    chinese: bool


@lru_cache(maxsize=8192)
def manner(text: str) -> Manner:
    """How `text`, one sentence, is said."""
    return Manner(
        asks=_ASKS.search(text) is not None,
        is_code=_CODE.search(text) is not None,
        of_oneself=_ONESELF.search(text) is not None,
        points=_POINTS.search(text) is not None,
        doubts=_DOUBTS.search(text) is not None,
        work=_WORK.search(text) is not None,
        once=is_task(text),
        allows=_ALLOWS.search(text) is not None,
        chinese=any(letter >= "\u3400" for letter in text),
    )
