"""One word for what is said in several ways, before two sentences are compared."""

from __future__ import annotations

import re

from redline.patterns import lazy

_FEW = "an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty"
_HANDED = r"\b(?:handed|passed|transferred|given)(?: over)?((?: \S+){0,4}?)(?: over)? to"
# The letters of which it needs some, the pattern, what it means.
_ENGLISH = tuple(
    (tuple(needed.split("|")), lazy(pattern, re.I), meant)
    for needed, pattern, meant in (
        (
            "hands|ended up|new ",
            r"\bchanged hands\b|\bended up\b|\b(?:have|has|got|gets|found) an? new"
            r" (?:home|name|address|place|number|value|owner|one)\b",
            "changed",
        ),
        (  # What happened to a thing says nothing of what it is.
            "got|was|were|been|gets",
            r"\b(?:got|was|were|been|gets)(?: just| finally| recently)?"
            r"(?! (?:switch|turn|enabl|disabl))"
            r" (?:[a-z]{2,}ed|[a-z]{3,}en|split|cut|put|set|sold|lost|spun|shut|rebuilt)"
            r"\b(?! by\b)",
            "changed",
        ),
        (
            "ed ",
            r"\b(is|are|be)(?: now| all)? (?!(?:enabl|disabl|activat|deactivat|turn|switch|need"
            r"|shar|nam|limit|own|sign|speed|fe|se|embed)"
            r"|(?:owned|handled|maintained|managed|reviewed|capped|used|retried|cached|logged"
            r"|deployed|released|merged|branched|kept|written) )"
            r"[a-z]{2,}ed(?= (?:in|on|at|to|as|with|by|from|for|under|via|through|into|every)\b)",
            r"\1",
        ),
        ("every", r"\bevery (?=\d|other )", "interval "),
        ("place of", r"\b(?:took|takes|taking) the place of\b", "instead of"),
        ("single", r"\b(?:a|only one|just one|one) single (?=[a-z])", "1 "),
        ("one ", r"\bone (?=[a-z]+ (?:per|a|each|is|for)\b)", "1 "),
        (
            "one ",
            r"\b(needs?|wants?|requires?|at least|at most|after|from|by|get|gets) one (?=[a-z])",
            r"\1 1 ",
        ),
        (
            "up|tim",
            r"\b(?:gives?|given|giving) up(?: after)?\b|\btim(?:es|ed?|ing) out(?: after)?\b",
            "timeout",
        ),
        (
            "live|valid|expire",
            r"\b(?:lives?|(?:(?:is|are|stays?|remains?) )?valid|expires?|expired?)"
            rf"(?= (?:for|after|in) (?:\d+|{_FEW})"
            r"[ -]?(?:s|sec|min|h|d|day|week|month|hour|minute|year)\w*\b)",
            "ttl",
        ),
        (
            "keep|kept|retain",
            r"\b(?:keep|kept|keeps|retain(?:ed|s)?)\b"
            r"(?=[^,;]{0,40}? for \S+ (?:days?|weeks?|months?|years?|hours?)\b)",
            "retention",
        ),
        (
            "most|more than|maximum|up to|cap|exceed|ceiling",
            r"\b(?:at most|no more than|not more than|a maximum of"
            r"|(?<!went )(?<!goes )(?<!bumped )(?<!moved )(?<!raised )(?<!upgraded )up to|capped at"
            r"|(?:may not|must not|never|don't) exceed|may be at most|cap(?: on| of)?|ceiling)\b",
            "max",
        ),
        (
            "larger|bigger|longer|more|wider|higher|slower|later|older|over|above|beyond|exceed",
            r"\b(?:(?:must|may|should|can|do|does|will|shall) ?no?[t']t?|cannot|never|no)\b"
            r"((?: [\w']+){0,5}?) (?:larger|bigger|longer|more|wider|higher|slower|later|older|over"
            r"|above|beyond|exceed)(?: than)?(?=[^,;]{0,12}\d)",
            r"\1 max",
        ),
        (
            "least|than|above|below|minimum",
            r"\b(?:at least|no fewer than|no less than|stays? above"
            r"|(?:may|must) not (?:fall|drop|go) below|never (?:fall|drop)s? below|not below"
            r"|a minimum of)\b",
            "min",
        ),
        (
            "within|under|below|than",
            r"\b(?:within|under|below|less than|fewer than|shorter than|not? longer than)\b"
            rf"(?= [\d$€£]| (?:{_FEW}) )",
            "max",
        ),
        (
            "look|sign|approve",
            r"\b(?:look(?:s|ed)? over|sign(?:s|ed)? off(?: on)?|approve[sd]?)\b",
            "review",
        ),
        (
            "belong|by|responsible|charge|look|care of",
            r"\b(?:belongs? to|(?:is|are|gets?) (?:now )?(?:owned|handled|maintained|managed"
            r"|looked after) by|responsible for|in charge of|looks? after|takes? care of)\b",
            "owner",
        ),
        ("ed |given", _HANDED, r"\1 owner"),
        (
            "over| to|owns",
            r"\b(?:went over to|took over|takes over|taking over|now owns)"
            r"(?= [\w'@`]|$)",
            "owner",
        ),
        ("'s", r"(?<=[a-z])'s(?= (?:now|job|from)\b|[.,]|$)", " owner"),
    )
)
_CHINESE = tuple(
    (lazy(pattern), meant)
    for pattern, meant in (
        (
            "(?:别|不要|不能|不得|不可|不许|不准|不应|不)再?超过|最多|至多|以内|之内|上限"
            "|(?<=[秒钟时天周月年]) ?内",
            " max ",
        ),
        ("至少|最少|不(?:能|得)?(?:少|低)于|下限", " min "),
        ("保留|留存", "retention "),
        ("负责|归(?=[^档类还])|交给|移交给?|接手|接管|转给", " owner "),
        ("从库|备库", "replica "),
        ("[砍减加增升降调提放缩延拉压扩收涨跌翻][高低大小长短]?[到成为至]", " 到"),
        ("(?:放宽|收紧|缩短|延长|扩大|缩小|增加|减少|提前|推迟|延期)到?", " 到"),
        ("(?<=审)会|例会|周会|晨会|站会", " meeting "),
        ("时间|每天|每次|机房|支持", " "),
    )
)


def in_same_words(text: str) -> str:
    """`text` with one word for what is said in several ways: "give up after", "no more than"."""
    lower = text.lower()
    for letters, pattern, meant in _ENGLISH:
        if any(each in lower for each in letters):
            text = pattern.sub(meant, text)
    for pattern, meant in () if text.isascii() else _CHINESE:
        text = pattern.sub(meant, text)
    return text
