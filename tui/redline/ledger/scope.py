"""How long a rule is meant to hold."""

from __future__ import annotations

import re

from redline.ledger.rule import Scope

_SESSION = re.compile(
    r"\bfor (?:now|today|the moment|the time being|this (?:\w+ )?(?:task|commit|pr|change"
    r"|session|branch|round|fix|one|step|refactor\w*|release))\b|\b(?:in|during|throughout) this"
    r" (?:session|task|conversation|chat|pr|commit|round|step|branch)\b|\bthis (?:time|session"
    r"|commit|round|task|pr)\b|\b(?:rest|remainder) of (?:this|the|our) (?:session|conversation"
    r"|task|chat|day)\b|\bright now\b|\btoday\b|\b(?:not|don'?t .{1,60}) yet\b|\buntil (?:i|we"
    r"|my|the|then|tomorrow|next)|\btemporar(?:y|ily)\b|\bthe next (?:step|commit|task)\b|\bwhen"
    r" you(?:'re| are) (?:done|finished)\b|这(?:次|一次|个任务|个会话|轮|个提交|个分支|一步|个PR"
    r"|个 PR)|本(?:次|轮|会话)|先(?:不|别)|暂时|暂且|目前|今天|眼下|现阶段|等我|这期间|这段时间",
    re.I,
)
_PROJECT = re.compile(
    r"\b(?:always|never|from now on|going forward|every|any)\b|以后|今后|始终|永远|每次|从现在",
    re.I,
)


def scope_of(sentence: str) -> Scope:
    """SESSION for what is said of the work at hand ("for now", "this commit", 这次), else"
    " PROJECT."""
    if _SESSION.search(sentence) and not _PROJECT.search(sentence[:30]):
        return Scope.SESSION
    return Scope.PROJECT
