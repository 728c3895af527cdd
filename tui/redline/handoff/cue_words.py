"""Words that change what a sentence says: negation, modality, exceptions, what ends a rule.

In English and Chinese. They are looked for beside a copy of a rule (`standing.py`) and in what may
be a retelling of it (`verdicts.py`). Sources: `quality.md` section 6, and every phrasing by which
a changed summary passed for a faithful one in `benchmarks/audit.py`.
"""

from __future__ import annotations

import re

NEGATION = re.compile(
    r"\b(?:not|never|no|nor|none|without|cannot|neither|avoid|refuse|forbid(?:den)?|prohibit(?:ed)?|"
    r"disallow(?:ed)?|off-limits)\b|n't\b|\bdont\b|(?:不(?!过|同)|别(?!的|人)|勿|禁止|严禁|没|无需|"
    r"避免|未经|未|拒绝|免)"
)
SOFT = re.compile(
    r"\b(?:should|could|might|may|try|tries|prefer(?:s|red|ably)?|preferably|ideally|avoid|consider|"
    r"generally|usually|normally|typically|mostly|often|sometimes|encouraged?|recommend(?:ed|s)?|"
    r"suggest(?:ed|s)?|optional(?:ly)?|nice to|would like|(?:if|where|when|as far as) possible|"
    r"aim to|attempt|careful|cautious|minimi[sz]e|reluctant|rather|better|perhaps|maybe|probably|"
    r"as few|if (?:you )?can|wants?|wish(?:es)?)\b"
    r"|应该|尽量|最好|建议|可能|避免|一般|通常|原则上|尽可能|希望|倾向|谨慎|小心|少|也许|大概"
)
EXCEPTION = re.compile(
    r"\b(?:unless|except|apart from|other than|but|however|if|when|until|only when|only if|for now|"
    r"temporarily|as needed|if needed|where needed|without (?:asking|approval|permission))\b"
    r"|除非|除了|但|如果|暂时|目前|必要时|例外|直到|只是"
)
LIFTED = re.compile(
    r"\b(?:no longer|not (?:a rule|so|true|valid|needed|required|in force)|revoked|lifted|"
    r"ignored?|disregard|forget|obsolete|outdated|superseded|withdr[ae]wn?|withdrew|cancell?ed|"
    r"dropped|used to|previously|formerly|removed|missing|lost|stop following|wrong|false|"
    r"rejected|abandoned|"
    r"deprecated|expired|replaced|overruled|overridden|void|waived|reversed|"
    r"changed (?:later|since)|(?:does|do)(?: not|n't) (?:apply|hold|count|matter)|"
    r"out of date|decided against|the opposite|\w+ the opposite of)\b"
    r"|作废|取消|解除|不再|忽略|忘掉|废弃|废除|失效|曾经|以前|缺失|放弃|否决|推翻|撤销|撤回|替代|替换"
    r"|取代|过时|过期|反过来"
)
# What was once so, where it stands before the copy.
ONCE = re.compile(
    r"\b(?:old|older|earlier|former|original(?:ly)?|initial(?:ly)?|first|before|until|was|were|once|"
    r"prior|past|history)\b|旧|之前|原来|原先|起初|最初|曾|过去"
)
# Whoever else says it, or says that it could be said, does not make it the user's rule.
REPORTED = re.compile(
    r"\b(?:docs?|documentation|readme|wiki|article|blog|guide|another|others?|upstream|tools?|"
    r"output|tests?|commands?|logs?|files?|samples?|examples?|e\.g|for instance|suppose|imagine|"
    r"assum(?:e|ing)|hypothetical(?:ly)?|could look like|contributing|template)\b|\baccording to\b"
    r"|文档|文章|别的|其他|他们|别人|例如|比如|示例|例子|假设|假如|模板|样例"
)
_PAIRS = (
    "before/after enable/disable enabled/disabled allow/forbid allowed/forbidden "
    "include/exclude add/remove start/stop above/below over/under more/less most/least "
    "minimum/maximum always/never "
    "first/last start/end on/off true/false all/none keep/delete keep/remove keep/change "
    "under/above below/over only/all with/without open/close increase/decrease up/down "
    "under/outside inside/outside everything/nothing fail/pass unchanged/changed pin/unpin only/or "
    "no/some no/any must/skip use/avoid ask/skip upgrade/keep 允/禁 前/后 多/少 加/删 开/关 上/下 "
    "禁/可 必/可 只/都"
)
OPPOSITES = tuple(frozenset(pair.split("/")) for pair in _PAIRS.split())
PERMITS = re.compile(
    r"\b(?:may|can|free to|fine to|fine|ok to|okay to|allowed to|permitted|no need to|"
    r"(?:do not|don't) wait)\b|可以|允许|准许"
)
# What gives a thing free that a rule was about.
FREES = re.compile(
    r"\bno longer (?:off[- ]limits|forbidden|frozen|protected|locked|required|needed|limited|appl|"
    r"hold|a (?:rule|limit))|\b(?:can|may) (?:now|again)\b|"
    r"\b(?:can|may) (?:be )?\w+ (?:now|again)\b|"
    r"\bis (?:now )?(?:fine|allowed|ok|okay|permitted|free)\b|\bfeel free\b|"
    r"\b(?:rule|ban|limit|restriction|freeze)\b.*\b(?:lifted|revoked|withdrawn|void|gone)\b"
    r"|现在(?:可以|能)|可以.*了|不再(?:禁止|限制|要求|需要)"
)
# What stands behind these words may not change places with what stands before them.
PIVOTS = frozenset(
    [
        "before",
        "after",
        "then",
        "first",
        "last",
        "not",
        "never",
        "no",
        "only",
        "instead",
        "than",
        "unless",
        "until",
        "先",
        "再",
        "前",
        "后",
        "不",
        "只",
        "别",
        "而",
    ]
)
# What says of a thing that it was not done, or of an error that it is gone: before and behind it.
_DONE = (
    r"chang\w+|touch\w*|modif\w+|edit\w*|writ\w+|creat\w+|alter\w*|made|commit\w*|push\w*|ran|run"
)
NOT_DONE_BEFORE = re.compile(
    rf"(?:\bnot|\bnever|n't|\bwithout)\s+(?:yet |been |be |even )?(?:{_DONE})\b[^.;,]*\Z"
    r"|\bno (?:\w+ )?(?:changes?|edits?|commits?)\b[^.;,]*\Z|\bleft\W*\Z|(?:没有?|未|尚未|不曾)"
    r"(?:修改|改动|改|动|提交|写|创建|编辑)[^，。；]*\Z"
)
NOT_DONE_BEHIND = re.compile(
    rf"\W*(?:(?:was|were|is|are|has|have|had|be|stays?|remains?|still|left)\s+)*"
    rf"(?:(?:not|never)\s+(?:yet |been )?(?:{_DONE})\b|(?:un(?:changed|touched|modified|edited))\b)"
    r"|\W*(?:没有?|未|尚未|不曾)(?:被)?(?:修改|改动|改|动|提交|写|创建|编辑)"
)
GONE_BEFORE = re.compile(
    r"\b(?:fixed|resolved|solved|gone|no longer (?:occurs?|fails?|appears?|happens?|seen)|"
    r"does not (?:occur|happen|appear) any ?more)\b[^.;]*\Z"
    r"|(?:已解决|已修复|修复了|不再出现)[^。；]*\Z"
)
GONE_BEHIND = re.compile(
    r"\W*(?:(?:is|was|has|been|now|already|which|that)\s+)*"
    r"(?:fixed|resolved|solved|gone|no longer)\b"
    r"|\W*(?:已经?|现已)?(?:解决|修复)"
)
# What points back at a rule that stands before it.
ANAPHORA = re.compile(
    r"\b(?:this|that|it|these|those|which|above|rule|constraint|instruction|restriction|"
    r"requirement|ban|limit)\b|以上|上述|该|这|此"
)
_POINTS_BACK = re.compile(
    r"\W*(?:(?:but |now |later |since |then |and |user:? ?)?(?:this|that|it|these|those|which|"
    r"the (?:above|rule|user|constraint|ban|instruction)|status|state)\b"
    r"|以上|上述|上面|前面|该|这|此|后来|状态)"
)
_WAS_ONLY = re.compile(
    r"\b(?:until|used to|(?:was|were|held) (?:only|true|so|then|before|earlier|once|for|until))"
    r"\b|曾"
)
_ANSWERS_NO = re.compile(r"\W*(?:no\b|wrong\b|false\b|not any ?more\b|不用|不必|不是|不对|否)")
_ADDS_EXCEPTION = re.compile(
    r"\W*(?:but|however|except|unless|though|although|only if|only when|or not|"
    r"除非|但|不过|例外|只是)"
)


def takes_back(sentence: str, *, apart: bool) -> bool:
    """Whether `sentence` (lower case), which follows a rule, says that it does not hold. `apart`:
    it stands in a block of its own, where only what points back at the rule is about it."""
    points = _POINTS_BACK.match(sentence)
    ended = LIFTED.search(sentence)
    if points and (ended or _WAS_ONLY.search(sentence)):
        return True
    if apart:
        return False
    if _ANSWERS_NO.match(sentence) and len(sentence.split()) < 5:
        return True
    return bool(
        ended and (ANAPHORA.search(sentence) or not sentence[: ended.start()].strip(" \"'([-~.,"))
    )


def adds_exception(sentence: str) -> bool:
    """Whether `sentence` (lower case), which follows a rule, begins with what limits it."""
    return bool(_ADDS_EXCEPTION.match(sentence))
