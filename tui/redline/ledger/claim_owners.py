"""Sentences that say who owns a thing, reviews it or leads it: where the name stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.patterns import lazy

_NAME = (
    r"(?:@[\w-]+|(?i:team) [A-Z][\w-]*"
    r"|(?:(?i:the|our) )?(?:[A-Za-z][\w-]* ){0,2}(?i:team|squad|group|guild)"
    r"|(?!(?:The|Our|My|This|That|These|Those|It|We|You|They|He|She|If|When|And|But|Who|Actually"
    r"|Now|Please|No|Yes|Always|Never|There|What|Which|Also|Ask|Talk|For|From|Until|Since)\b)"
    r"[A-Z][\w-]*(?: [A-Z][\w-]*)?)"
)
_HAN_NAME = (
    r"(?:@?[A-Za-z][\w-]*|(?:小|老|阿)[\u4e00-\u9fff]{1,2}|[\u4e00-\u9fff]{1,4}(?:组|团队|部门?)"
    r"|[\u4e00-\u9fff]{2,3}(?:工|总|哥|姐)?)"
)
_AUX = (
    r"(?:(?i:now|will|is|has|have|been|was|are|going|to|be|should|must|gets?|got|just|officially"
    r"|currently|the|new|fully) )*"
)
_BECOMES = rf"(?: (?i:is|will be|becomes|changed to|to|should be)|:|=) (?:(?i:now) )?(?P<v>{_NAME})"
_NOW = r"(?:(?i:now|also|will|still|currently|officially) )*"

# The letters that each needs, the pattern, the role.
_ENGLISH = tuple(
    (tuple(needed.split("|")), lazy(pattern), role)
    for needed, pattern, role in (
        (
            "'s",
            rf" (?i:is|are) {_AUX}(?P<v>{_NAME})'s"
            r"(?=\s*[.!,;]|\s*$| (?i:job|responsibility|area|baby|task|call|now|from))",
            "owner",
        ),
        (
            "hand|pass|transfer|gave|give",
            rf"(?P<o>{_NAME}) {_AUX}(?i:hand|pass|transfer|g[ai]v)\w*\b.*? to (?P<v>{_NAME})"
            r"(?![\w/-]|\.\w)",
            "",
        ),
        (
            "ask|ping|contact|talk|check",
            rf"\b(?i:ask|ping|contact|talk to|check with) (?P<v>{_NAME})\b",
            "contact",
        ),
        (
            "own|maintain|manage|look|care of|handle|responsible|charge|accountable|dri",
            rf"(?P<v>{_NAME}) {_NOW}(?i:owns?|owned|maintains?|manages?|looks? after|takes? care of"
            r"|handles?|is responsible for|(?:is|'s) in charge of"
            r"|(?:is|'s)(?: the)?(?: new| current)? (?:owner|maintainer|dri) (?:of|for)"
            r"|is accountable for) ",
            "owner",
        ),
        (
            "own|maintain|handle|responsible",
            rf"(?P<v>{_NAME}) {_AUX}(?i:own|be responsible for|owning|maintain|handle) ",
            "owner",
        ),
        (
            "tak|took|pick",
            rf"(?P<v>{_NAME}) {_AUX}(?i:takes? over|took over|taken over|taking over|taking|took on"
            rf"|takes on|picks up|picked up)\b(?:.*\bfrom (?P<o>{_NAME}))?",
            "",
        ),
        (
            "owner|maintainer|lead",
            rf"(?P<v>{_NAME}) (?i:is|becomes) {_NOW}(?i:the|our) (?:[\w-]+ ){{0,3}}"
            r"(?i:owner|maintainer|lead)(?=\W*$| now| instead)",
            "",
        ),
        ("lead", rf"(?P<v>{_NAME}) {_AUX}(?i:leads?|lead (?:of|for|on)|leading) ", "lead"),
        ("call", rf"(?P<v>{_NAME}) {_AUX}(?i:on[- ]call) ", "oncall"),
        (
            "review",
            rf"(?P<v>{_NAME}) {_AUX}(?i:reviews?|reviewing|reviewer (?:of|for)) ",
            "reviewer",
        ),
        (
            "contact|person|one to ask",
            rf"(?P<v>{_NAME}) {_AUX}(?i:contact|point of contact|point person|go-to person"
            r"|person to ask|one to ask) (?i:for|on|about) ",
            "contact",
        ),
        (
            "by",
            rf"(?i:owned|maintained|managed|handled|looked after) by (?P<v>{_NAME})",
            "owner",
        ),
        ("led by", rf"(?i:led) by (?P<v>{_NAME})", "lead"),
        ("reviewed by", rf"(?i:reviewed) by (?P<v>{_NAME})", "reviewer"),
        ("belong", rf"(?i:belongs?|belonging) {_AUX}to (?P<v>{_NAME})", "owner"),
        (
            "ownership|responsibility",
            rf"(?i:ownership|responsibility)\b.*\b(?i:to|with|is) (?P<v>{_NAME})",
            "owner",
        ),
        (
            " to ",
            r"(?i:assign(?:ed)?|reassign(?:ed)?|hand(?:ed|ing)?|pass(?:ed)?|transferr?(?:ed)?"
            rf"|moved?|given|goes|go|went|giving|give)\b.*?(?: from (?P<o>{_NAME}))?(?: over)? to"
            rf" (?P<v>{_NAME})(?![\w/-]|\.\w)",
            "",
        ),
        (
            "owner|maintainer|dri",
            rf"\b(?i:owner|maintainer|dri)\b[^,;]{{0,60}}?{_BECOMES}",
            "owner",
        ),
        ("lead", rf"\b(?i:lead)\b[^,;]{{0,60}}?{_BECOMES}", "lead"),
        ("reviewer", rf"\b(?i:reviewer)\b[^,;]{{0,60}}?{_BECOMES}", "reviewer"),
        ("contact", rf"\b(?i:contact)\b[^,;]{{0,60}}?{_BECOMES}", "contact"),
    )
)
_CHINESE = tuple(
    (tuple(needed.split("|")), lazy(pattern), role)
    for needed, pattern, role in (
        (
            "换|由",
            rf"(?:换|改由|换由|由)\s*(?P<v>{_HAN_NAME}?)\s*(?:来)?(?:负责|管|接手)",
            "owner",
        ),
        ("找", rf"找\s*(?P<v>{_HAN_NAME})", "contact"),
        (
            "负责|接手|接管|维护",
            rf"(?:^|[，,。；\s]|现在|以后|改由|改成|换成|由)(?P<v>{_HAN_NAME})\s*(?:来|在|全权)?"
            r"(?:负责|接手|接管|维护)(?!人)",
            "owner",
        ),
        (
            "负责人|owner",
            r"(?:负责人|owner)(?:现在|已经)?(?:是|改成了?|换成了?|改为|变成了?|：|:)\s*"
            rf"(?P<v>{_HAN_NAME})",
            "owner",
        ),
        (
            "归|交给|转给",
            rf"(?:归|交给了?|转给了?|移交给了?)\s*(?P<v>{_HAN_NAME})(?:来|管|负责|维护|了|处理|$)",
            "owner",
        ),
    )
)


def owners(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """The readings of `text` that name an owner, in the group "v" (the one before in "o"), and
    the owner's role."""
    lower = text.lower()
    for needed, pattern, role in _ENGLISH if text.isascii() else (*_CHINESE, *_ENGLISH):
        if any(letters in lower for letters in needed):
            match = pattern.search(text)
            if match is not None:
                yield match, role
