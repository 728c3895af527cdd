"""Sentences that lift a rule, and which rule each lifts."""

from __future__ import annotations

import re
from collections.abc import Hashable

from redline.ledger.objects import About
from redline.patterns import lazy

LIFTING = lazy(
    r"\b(?:you|we) (?:can|may|could|are (?:free|allowed|welcome) to)(?: now| again| go ahead and"
    r"| freely| also| still)* \w+.*?\b(?:now|again|after all|anyway|if (?:you )?(?:need|want)"
    r"|freely)\b|\b(?:you|we) (?:can|may) (?:now|again|go ahead)\b|\bnow (?:you|we) (?:can"
    r"|may)\b|\b(?:it'?s|that'?s|is|are) (?:now )?(?:ok|okay|fine|allowed|alright|all right)(?:"
    r" now| again)? (?:to|for you to)\b|\b(?:fine|free|ok|okay|safe) to \w+.*\bnow\b|\bfeel free"
    r" to\b|\b(?:is|are) (?:now )?(?:ok|okay|fine|allowed|fair game|back on the table|unlocked"
    r"|unfrozen)(?: now| again| after all)\b|\bfair game\b|\bscratch (?:that|the)\b|\bforget"
    r" (?:what i said|about the|the|that|my)\b|\bdisregard\b|\bignore (?:what i said|my"
    r" (?:earlier|previous)|the (?:earlier|previous|rule)|that rule)|\b(?:is|are) (?:now"
    r" )?(?:lifted|over|off|gone|void|obsolete)\b|\bno longer (?:need|have to|applies|apply"
    r"|required|necessary|a rule|forbidden|off[- ]limits|frozen|in (?:force|effect))|\b(?:don'?t"
    r"|do not|doesn'?t|needn'?t) (?:need|have|apply)?\b.{0,60}\b(?:anymore|any more|any longer)"
    r"|^\W*(?:ok(?:ay)?,? )?actually,? [^,.]{2,40} (?:is|are) (?:fine|ok|okay|allowed)\b"
    r"|\b(?:no need|(?:don'?t|do not) (?:need|have)) to (?:ask|check with|wait for)\b"
    r"|\bchanged my mind\b|\bnever ?mind (?:the|about|what|my)\b|\b(?:drop|lift|remove|cancel"
    r"|waive|relax) (?:the|that|this|my) (?:\w+ )?(?:rule|restriction|constraint|requirement"
    r"|limit|freeze|ban)\b|\b(?:can|may) be (?:changed|touched|edited|modified|deleted|used)"
    r" (?:now|again|after all)\b",
    re.I,
)
_CHINESE = lazy(
    r"现在(?:就|也|又)?(?:可以|能|允许)[^，。]{0,30}|(?:可以|能)(?:随便|放心|自由)?(?:改|动|碰"
    r"|修改|用|使用|删|提交|推|加|引入|升级|重构|跑)[^，。？?]{0,30}了|(?:取消|解除|作废|撤销"
    r"|收回|废除|放开|去掉|忽略)[^，。]{0,20}(?:限制|规则|要求|约束|规定|禁令|的话|说的|那条"
    r"|这条|冻结)?|(?:不用|不必|无需|不需要)(?:再)?(?:遵守|管|理会|考虑|限制|坚持)[^，。]*"
    r"|(?:不用|不必|无需|不需要)(?:再)?(?:每次)?(?:都)?(?:先)?(?:问|等|征求|通知|告诉|请示)[^，。]{0,8}"
    r"|(?:不用|不必|无需|不需要)再[^，。]{1,12}了"
    r"|不再(?:需要|要求|限制|禁止|适用|有效|必须)|当我没说|改主意|我收回|算了[，,。！]?|(?:限制"
    r"|规则|要求|约束|规定|禁令|冻结)[^，。]{0,10}(?:取消|解除|作废|失效|结束|没了|不算)|(?:刚才"
    r"|刚刚|之前|前面|上面|先前|早上|昨天)(?:我)?(?:说|提|要求)(?:过)?的?[^，。]{1,20}(?:不用"
    r"|不要|不必|不需要|不算)(?:数)?了"
)  # fmt: skip
_NOT_LIFTED = lazy(
    r"\?\s*$|？\s*$|吗\W*$|\b(?:do not|don'?t|never|must not) (?:lift|relax|drop|ignore|forget"
    r"|disregard|cancel)|(?:不要|别|不能|不许|不得)(?:取消|解除|撤销|忽略|去掉|放开)",
    re.I,
)

_OF_LIFTING = frozenset(
    """
    rule restriction constraint requirement limit ban freeze freezing frozen force effect mind
    changed lifted obsolete void gone over required necessary forbidden need applies applied fair
    game back table actually nevermind
    """.split()  # noqa: SIM905
)
_OF_LIMITS = frozenset(
    """
    below above under over within beyond most least max maximum min minimum grow byte kb mb gb tb
    kib mib gib ms sec second minute hour day percent
    """.split()  # noqa: SIM905
)


def lifts(sentence: str, *, english: bool = True, chinese: bool = True) -> bool:
    """Whether the masked `sentence` says that something asked before need not be kept any more.

    `english` and `chinese` are false where it is known to hold no words of that kind. Which rule
    that is follows from what they share; one that names nothing lifts nothing.
    """
    found = (english and LIFTING.search(sentence)) or (chinese and _CHINESE.search(sentence))
    return bool(found) and not _NOT_LIFTED.search(sentence)


def things(subject: About) -> frozenset[str]:
    """What a rule, or a sentence that lifts one, is about: without amounts, and without the words
    that only say that there is a rule or a limit."""
    return _names(subject) - _OF_LIFTING - _OF_LIMITS


def place_of(subject: About) -> Hashable:
    """What is the same for a rule and for all that can lift it: the paths it names, else its other
    things."""
    said = things(subject)
    return frozenset(filter(_is_path, said)) or said


def lifted_by(rule: About, said: About) -> bool:
    """Whether what is `said` to hold no more is just what `rule` is about. A path inside a folder
    is an exception to a rule on the folder, and what shares only a word with it is another thing.
    Where neither names a thing, all that the rule is about doing has to be said."""
    kept, free = _names(rule), _names(said)
    if not kept & free and not things(rule):
        if kept - _OF_LIMITS or things(said):
            return False
        return bool(rule.deeds) and rule.deeds <= said.deeds
    if rule.verbs and said.verbs and not rule.verbs & said.verbs:
        return False
    if free - kept - _OF_LIFTING - _OF_LIMITS:
        return False
    paths = frozenset(filter(_is_path, kept))
    return paths <= free if paths else kept - free <= _OF_LIMITS


def _names(subject: About) -> frozenset[str]:
    return frozenset(name for name in subject.objects if not name[0].isdigit())


def _is_path(name: str) -> bool:
    return "/" in name or "." in name
