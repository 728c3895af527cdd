"""What was tried and not kept: said by the agent, taken back with git, or refused by the user."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.facts.prose import sentences

_TRIED = re.compile(
    r"\b(?:tried|trying|attempt(?:ed)?|approach|experiment(?:ed)?|workaround|first idea)\b"
    r".*\b(?:did(?:n't| not)|does(?:n't| not)|won't|wouldn't|couldn't|can(?:'t|not)|failed|fails"
    r"|no (?:effect|luck|difference)|breaks?|broke|too (?:slow|big|complex|fragile))\b"
    r"|\b(?:did(?:n't| not)|does(?:n't| not)|won't|wouldn't) (?:work|help|fix|solve)\b"
    r".*\b(?:instead|so (?:i|we|let)|revert|went back|another way|tried)\b"
    r"|\b(?:i|we)(?:'ve|'ll| have| will|'m| am)? (?:just )?(?:revert(?:ed|ing)?"
    r"|roll(?:ed|ing)? back|undid|undoing|back(?:ed|ing) out|abandon(?:ed|ing)?|gave up on"
    r"|ruled out|discard(?:ed|ing)?|decided against|rejected)\b"
    r"|^\W*(?:reverted|reverting|rolled back|ruled out|dead end|rejected)\b"
    r"|(?:试过|尝试(?:了|过)?).*(?:不行|失败|没用|无效|没有效果)|行不通|(?:已|先)?(?:回滚|撤销|放弃)了?",
    re.I,
)
_REFUSED = re.compile(
    r"^\W*(?:no|nope|nah|wrong)\s*[,.!]\s*\w"
    r"|\b(?:revert|undo|roll back|take back|back out) (?:that|this|it|your|the|those|all)\b"
    r"|\bi (?:really )?(?:don'?t|do not) (?:want|like)\b|\bi'?d rather not\b"
    r"|\b(?:that'?s|this is|it'?s) (?:wrong|not (?:what|how|right|it))\b|\bnot what i\b"
    r"|\bwe (?:already )?tried\b|\bdidn'?t work\b"
    r"|不对|不是这样|撤销|回滚|改回|不是我要的|试过.*(?:不行|没用)",
    re.I,
)
_HINT_TRIED = re.compile(
    r"tried|trying|attempt|approach|experiment|workaround|idea|n't|not |won't|revert|roll|und"
    r"|back|abandon|gave|rule|discard|against|reject|dead|试|行不通|回滚|撤销|放弃",
    re.I,
)
_HINT_REFUSED = re.compile(
    r"no|na|wrong|revert|undo|roll|back|don'?t|not|rather|tried|n't|不|撤销|回滚|改回|试", re.I
)
_OPEN = re.compile(r"[?？]\s*$|^\W*(?:if|should|could|would|whether)\b", re.I)
_TAKES_BACK = re.compile(
    r"\bgit\s+(?:-C\s+\S+\s+)?(?:checkout\s+(?:HEAD\S*\s+)?--\s+\S[^|;&\n]*"
    r"|restore\s+(?!--staged)\S[^|;&\n]*|revert\s+(?!--(?:abort|continue))\S[^|;&\n]*"
    r"|reset\s+--hard[^|;&\n]*)"
)


def rejected(text: str, *, by_user: bool) -> Iterator[str]:
    """The sentences of `text` that say what was not kept, or must not be."""
    hint, cue = (_HINT_REFUSED, _REFUSED) if by_user else (_HINT_TRIED, _TRIED)
    for sentence in sentences(text, hint):
        if cue.search(sentence) and not _OPEN.search(sentence):
            yield sentence


def taken_back(command: str) -> str:
    """The git command in `command` that takes changes back, "" where there is none."""
    found = _TAKES_BACK.search(command) if "git" in command else None
    return " ".join(found[0].split()) if found else ""
