"""Frames of sentences that say who owns a thing, what is used for it, where it is, what it is set
to: where the value stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from redline.ledger.claim_words import LANGUAGES, ON_OFF

_NAME = (
    r"(?:@[\w-]+|(?i:team) [A-Z][\w-]*|(?:(?i:the|our) )?(?:[A-Za-z][\w-]* ){0,2}(?i:team|squad|group|guild)"
    r"|(?!(?:The|Our|My|This|That|These|Those|It|We|You|They|He|She|If|When|And|But|Who|Actually"
    r"|Now|Please|No|Yes|Always|Never|There|What|Which|Also)\b)[A-Z][\w-]*(?: [A-Z][\w-]*)?)"
)
_HAN_NAME = (
    r"(?:@?[A-Za-z][\w-]*|(?:小|老|阿)[\u4e00-\u9fff]{1,2}|[\u4e00-\u9fff]{1,4}(?:组|团队"
    r"|部门?)|[\u4e00-\u9fff]{2,3}(?:工|总|哥|姐)?)"
)
_THING = r"(?:`[^`\n]{1,80}`|\"[^\"\n]{1,80}\"|[^\s,;，；。（(]+)"
_STOP = (
    r"(?=\s*(?:[,;，；。.!！—(（]|$|\s(?:instead|because|since|now|not|rather|as of|from now"
    r"|please|for|in|when|so|and|but|after|with|from)\b))"
)
_AUX = (
    r"(?:(?i:now|will|is|has|have|been|was|are|going|to|be|should|must|gets?|got|just|officially"
    r"|currently|the|new|fully) )*"
)


@dataclass(frozen=True, slots=True)
class Frame:
    """What a sentence says a value in: the span of the value, of one that it says is past, the
    relation's name, and the role that is part of the key."""

    relation: str
    value: tuple[int, int]
    old: tuple[int, int] | None = None
    role: str = ""
    strong: bool = False


def _owner(pattern: str, role: str, *, han: bool = False) -> tuple[str, re.Pattern[str], str, bool]:
    return "owner", re.compile(pattern), role, han


_OWNS = (
    r"(?i:owns?|owned|maintains?|manages?|looks? after|takes? care of|handles?|is responsible for"
    r"|(?:is|'s) in charge of|(?:is|'s)(?: the)?(?: new| current)? (?:owner|maintainer|dri) (?:of"
    r"|for)"
    r"|is accountable for)"
)
_FRAMES = (
    _owner(rf" (?i:is|are) {_AUX}(?P<v>{_NAME})'s(?=\s*[.!,;]|\s*$| (?i:job|responsibility|area|baby|task|call|now|from))", "owner"),
    _owner(rf"(?:换|改由|换由|由)\s*(?P<v>{_HAN_NAME}?)\s*(?:来)?(?:负责|管|接手)", "owner", han=True),
    _owner(rf"找\s*(?P<v>{_HAN_NAME})", "contact", han=True),
    _owner(
        rf"(?P<o>{_NAME}) {_AUX}(?i:hand|pass|transfer|g[ai]v)\w*\b.*? to (?P<v>{_NAME})(?![\w/-]|\.\w)",
        "",
    ),
    _owner(rf"\b(?i:ask|ping|contact|talk to|check with) (?P<v>{_NAME})\b", "contact"),
    _owner(rf"(?P<v>{_NAME}) (?:(?i:now|also|will|still|currently|officially) )*{_OWNS} ", "owner"),
    _owner(rf"(?P<v>{_NAME}) {_AUX}(?i:own|be responsible for|owning|maintain|handle) ", "owner"),
    _owner(rf"(?P<v>{_NAME}) {_AUX}(?i:takes? over|took over|taken over|taking over|taking|took on"
        rf"|takes on|picks up|picked up)\b(?:.*\bfrom (?P<o>{_NAME}))?", ""),
    _owner(rf"(?P<v>{_NAME}) {_AUX}(?i:leads?|lead (?:of|for|on)|leading) ", "lead"),
    _owner(rf"(?P<v>{_NAME}) {_AUX}(?i:on[- ]call) ", "oncall"),
    _owner(rf"(?P<v>{_NAME}) {_AUX}(?i:reviews?|reviewing|reviewer (?:of|for)) ", "reviewer"),
    _owner(rf"(?P<v>{_NAME}) {_AUX}(?i:contact|point of contact|point person|go-to person"
        rf"|person to ask|one to ask) (?i:for|on|about) ", "contact"),
    _owner(rf"(?i:owned|maintained|managed|handled|looked after) by (?P<v>{_NAME})", "owner"),
    _owner(rf"(?i:led) by (?P<v>{_NAME})", "lead"),
    _owner(rf"(?i:reviewed) by (?P<v>{_NAME})", "reviewer"),
    _owner(rf"(?i:belongs?|belonging) {_AUX}to (?P<v>{_NAME})", "owner"),
    _owner(rf"(?i:ownership|responsibility)\b.*\b(?i:to|with|is) (?P<v>{_NAME})", "owner"),
    _owner(rf"(?i:assign(?:ed)?|reassign(?:ed)?|hand(?:ed|ing)?|pass(?:ed)?|transferr?(?:ed)?"
        rf"|moved?|given|goes|go|went|giving|give)\b.*?(?: from (?P<o>{_NAME}))?(?: over)? to"
        rf" (?P<v>{_NAME})(?![\w/-]|\.\w)", ""),
    _owner(rf"\b(?i:owner|maintainer|dri)\b[^,;]{{0,60}}?(?: (?i:is|will be|becomes|changed to|to"
        rf"|should be)|:|=) (?:(?i:now) )?(?P<v>{_NAME})", "owner"),
    _owner(rf"\b(?i:lead)\b[^,;]{{0,60}}?(?: (?i:is|will be|becomes|changed to|to)|:"
        rf"|=) (?:(?i:now) )?(?P<v>{_NAME})", "lead"),
    _owner(rf"\b(?i:reviewer)\b[^,;]{{0,60}}?(?: (?i:is|will be|becomes|changed to|to)|:"
        rf"|=) (?:(?i:now) )?(?P<v>{_NAME})", "reviewer"),
    _owner(rf"\b(?i:contact)\b[^,;]{{0,60}}?(?: (?i:is|will be|becomes|changed to|to)|:"
        rf"|=) (?:(?i:now) )?(?P<v>{_NAME})", "contact"),
    _owner(rf"(?:^|[，,。；\s]|现在|以后|改由|改成|换成|由)(?P<v>{_HAN_NAME})\s*(?:来|在|全权)?(?:负责"
        rf"|接手|接管|维护)(?!人)", "owner", han=True),
    _owner(rf"(?:负责人|owner)(?:现在|已经)?(?:是|改成了?|换成了?|改为|变成了?|："
        rf"|:)\s*(?P<v>{_HAN_NAME})", "owner", han=True),
    _owner(rf"(?:归|交给了?|转给了?|移交给了?)\s*(?P<v>{_HAN_NAME})(?:来|管|负责|维护|了|处理"
        rf"|$)", "owner", han=True),
)  # fmt: skip
_USE = (
    r"(?:(?:us(?:e|es|ing)|go(?:ing)? with|switch(?:ed|ing)? (?:over )?to|mov(?:e|ed"
    r"|ing) (?:over )?to"
    r"|migrat(?:e|ed|ing) to|stick(?:ing)? (?:with|to)|prefer|adopt(?:ed)?|standardi[sz]ed? on"
    r"|settled? on"
    r"|chang(?:e|ed) to|opt(?:ed)? for|pick(?:ed)?|cho(?:ose|se)|run(?:s)? (?:on|with)"
    r"|written (?:in|with)"
    r"|built (?:on|with)|based on|powered by|rely on|swap(?:ped)? (?:it |that )?(?:for|to)|via"
    r"|try)\b)"
)
_PATTERNS: tuple[tuple[str, re.Pattern[str], str, bool], ...] = (
    *_FRAMES,
    (
        "tool",
        re.compile(
            rf"\b(?:replac(?:e|ed|ing)|swap(?:ped)?(?: out)?|ditch(?:ed)?"
            rf"|drop(?:ped)?) (?P<o>{_THING})"
            rf"(?:.*?) (?:with|for|by|in favou?r of|to) (?P<v>{_THING}?){_STOP}", re.I,
        ), "", True,
    ),
    (
        "tool",
        re.compile(
            rf"\b(?:switch|mov|migrat|chang|go)(?:e|ed|ing)?\b[^,;]*? from (?P<o>{_THING}) (?:over"
            rf" )?to (?P<v>{_THING}?){_STOP}", re.I,
        ), "", True,
    ),
    (
        "tool",
        re.compile(rf"\b{_USE} (?:the |a |an |plain |only |just )?(?P<v>{_THING}?){_STOP}", re.I),
        "", False,
    ),
    (
        "tool",
        re.compile(
            r"(?:(?:不用|别用|不再用|不要用|弃用|放弃)(?P<o>\s*[\w.+-]+)了?\s*[,，]?.*?)?"
            r"(?:改用|换成|换用|使用|采用|统一用|就用|用的是|用|选|切到|切换到|迁到"
            r"|迁移到)\s*(?P<v>[A-Za-z][\w.+-]*)", re.I | re.A,
        ), "", False,
    ),
    (
        "place",
        re.compile(
            r"(?:(?:\b(?:lives?|sits?|goes|go|is|are|belongs?|stored|located|found|kept|placed|put"
            r"|store|save|saved|keep|place|write|written|served|loaded"
            r"|moved?|moving|relocated?|reside[sd]?|point(?:s|ed)?|now)\b(?:\s+(?:now|to be"
            r"|from (?P<o>`[^`]+`|\S+)))*\s+(?:\S+\s+){0,6}?"
            r"(?:in|at|under|to|into|inside|on|from)|[:=]|\bis|\bnow)\s+(?:now |the )?"
            r"|(?:放在|放到|搬到|移到|挪到|迁到|迁移到|位于|存在|存到|在|改到|改成|改为|路径是"
            r"|路径改成|目录是|到)\s*)"
            r"(?P<v>`[^`\n]{1,120}`|https?://[^\s,;，；。]+|[~.\w*@-]*/[\w./*@-]*(?<!\.)"
            r"|[\w-]+(?:\.[A-Za-z]\w*)+)", re.I,
        ), "", False,
    ),
    (
        "setting",
        re.compile(
            r"\b(?:from|on|to|into|against|off|of|in|use|is) (?:the )?(?P<v>[\w./-]+) branch\b"
            r"(?! (?:is|was|has|name|should|must|will))|\bbranch (?P<w>[\w.-]*[/\d_-][\w./-]*)"
            r"|(?:在|到|从|用|是)\s*(?P<x>[A-Za-z][\w./-]*)\s*分支", re.I,
        ), "", False,
    ),
    (
        "setting",
        re.compile(
            rf"\buse (?P<v>{_THING}?) as (?:the|our|a) (?=\w)"
            rf"|\bmake (?:the |our )?(?:[\w-]+ ){{0,3}}(?:colou?r|theme|level|mode|format|region|timezone|default"
            rf"|language|name|strategy|layout|font|icon|title) (?P<w>{_THING}?){_STOP}", re.I,
        ), "", False,
    ),
    (
        "setting",
        re.compile(
            rf"\b(?:set|change|changed|rename|renamed|switch|switched|move|moved|make|update"
            rf"|updated|call|adjust|raise|lower|bump)\b [^,;]*?"
            rf"(?:(?: from (?P<o>{_THING}))? (?:to|as|=)) (?:be )?(?P<v>{_THING}(?:"
            rf" [\w-]+)?){_STOP}", re.I,
        ), "", False,
    ),
    (
        "setting",
        re.compile(
            r"^(?:(?:the|our|my|this|that) )?(?:[^\s,;]+ ){0,7}?[^\s,;]+?(?:'s)?(?:\s*[:=]\s*"
            r"| (?:is|are|should be|will be|must be|becomes?|became|shall be|stays|is set to"
            rf"|(?:was |has been |got )?(?:changed|renamed|set|moved|switched|updated) to) )(?:now "
            rf"|called |named |going to be |set to |the |just "
            rf"|actually )*(?P<v>{_THING}(?: [\w-]+){{0,2}}?){_STOP}", re.I,
        ), "", False,
    ),
    (
        "setting",
        re.compile(
            r"(?:(?:从\s*(?P<o>[^\s,，到改换]+))?\s*(?:现在是|改成了?|改为|改叫|换成了?|换为"
            r"|变成了?|变为|设为|设置为|设成|定为|定在|调成|调到|叫|应该是|是|为|：|:)\s*)"
            r"(?P<v>`[^`]+`|[^\s,，。;；了吧]+)",
        ), "", False,
    ),
)  # fmt: skip
_LANGUAGE = re.compile("|".join(sorted(LANGUAGES, key=len, reverse=True)), re.I)
_IN = re.compile(r"(?:\bin|\bto|\buse|\bspeak|用|成|是|为|讲|说)\s*(?:plain |simple )?$", re.I)


def frames(text: str) -> Iterator[Frame]:
    """The frames that `text` may be read in; the more telling first."""
    for relation, pattern, role, strong in _PATTERNS:
        match = pattern.search(text)
        if match is None:
            continue
        value = next((match.span(g) for g in "vwx" if g in pattern.groupindex and match[g]), None)
        if value is None:
            continue
        old = match.span("o") if "o" in pattern.groupindex and match.start("o") >= 0 else None
        yield Frame(relation, value, old, role, strong)
    found = list(_LANGUAGE.finditer(text))
    said = [match for match in found if _IN.search(text[: match.start()])]
    if said:
        last = said[-1]
        yield Frame("language", last.span())
    for state, pattern in ON_OFF.items():
        match = pattern.search(text)
        if match is not None:
            yield Frame("switch", match.span(), role=state)
