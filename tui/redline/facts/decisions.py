"""Choices that were stated, with their reason where the sentence gives one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.facts.prose import sentences
from redline.patterns import lazy

_REASON = lazy(
    r"[,;，；]?\s*(?:\b(?:because|since|as it|so that|due to)\b|因为|由于|以便|原因是)\s*[:：]?\s*",
    re.I,
)

_BY_USER = lazy(
    r"\b(?:let'?s|we(?:'ll| will| should| want to)?|i(?:'d| would)? (?:want|like)(?: you)? to"
    r"|please|ok(?:ay)?,?|then)\s+(?:just\s+)?(?:use|go with|switch to|stick (?:with|to)|stay with"
    r"|keep using|store|put|drop)\s+\S"
    r"|^\W*(?:ok(?:ay)?,?\s+|yes,?\s+|no,?\s+|then\s+)?(?:go with|go for|use|take|pick|choose)\s"
    r"+\S.*\b(?:instead(?: of)?|rather than|not)\b"
    r"|\b(?:go|going) with\s+(?:the|option|a|an|plan|variant|your|my)\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:decided|settled|agreed|opted|chose)\s+"
    r"(?:to|on|for|against|that)\b"
    r"|\binstead of\s+\S+.*\b(?:use|take)\b"
    r"|^\W*(?:就|那就|还是|先|统一|一律)?(?:用|选|采用|改用|换成)[^，。？?]{1,30}"
    r"(?:吧|方案|就行|就好|，?不用|，?不要|而不是|代替)"
    r"|决定(?:了|用|采用|不|改|把|先)|(?:就|那就)(?:这么|按|用|选)[^？?]{1,30}",
    re.I,
)
_BY_AGENT = lazy(
    r"\b(?:i|we)(?:'ve| have)? (?:decided|chose|chosen|opted|settled|picked|went)\s+"
    r"(?:to|on|for|against|with|the|a|an)\b"
    r"|\b(?:i'?ll|i will|i am going to|i'm going to|we'?ll|we will|let'?s)\s+(?:use|go with|keep"
    r"|switch to|stick with|choose|take|store|put)\b.*"
    r"(?:\bbecause\b|\bsince\b|\binstead of\b|\brather than\b|\bso that\b)"
    r"|^instead of [^,]+,\s*(?:i'?ll|i will|let me|let'?s|we'?ll)\b"
    r"|\bi'?d go with\b|^the (?:fix|plan|approach) is\b.*\b(?:use|instead of)\b"
    r"|^\W*(?:\*\*)?(?:decision|decided|design choice)(?:\*\*)?\s*[:：]\s*(?:\*\*)?\s*\S"
    r"|(?:我|我们)(?:决定|选择了?|选用|采用了?|改用)[^？?]{2,}"
    r"|(?:^|[，,])(?:决定|最终选择|因此采用|改用)[^？?]{2,}",
    re.I,
)
_HINT = lazy(
    r"decid|decision|instead|rather than|go with|go for|going with|because|since|so that|settled"
    r"|opted|chose|choice|picked|switch to|stick|let'?s|\buse\b|\bwe\b|决定|选|用|就这么|就按|换成",
    re.I,
)
_OPEN = lazy(
    r"[?？]\s*$|^\W*(?:should|could|would|can|do|does|did|if|whether|why|how|what)\b|吗|呢$", re.I
)
_THEN_ASKS = lazy(r"[,;]\s*(?:but |and )?(?:can|could|would|will|do) you\b.*\?\s*$", re.I | re.S)


def decisions(text: str, *, by_user: bool) -> Iterator[tuple[str, str | None]]:
    """(sentence, reason) of each choice in `text`. Careful: a plain plan of work is no decision,
    nor is a question."""
    cue = _BY_USER if by_user else _BY_AGENT
    for whole in sentences(text, _HINT):
        sentence = _THEN_ASKS.sub("", whole)
        if cue.search(sentence) and not _OPEN.search(sentence):
            yield _with_reason(sentence)


def _with_reason(sentence: str) -> tuple[str, str | None]:
    match = _REASON.search(sentence)
    if match is None or match.start() < 4:
        return sentence, None
    reason = sentence[match.end() :].strip(" .。!！;；")
    return sentence, reason or None
