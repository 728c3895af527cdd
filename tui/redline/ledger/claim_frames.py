"""Frames of sentences that say who owns a thing, what is used for it, where it is, what it is set
to: where the value stands in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from redline.ledger.claim_cues import ON_OFF
from redline.ledger.claim_owners import owners
from redline.ledger.claim_words import LANGUAGES
from redline.patterns import lazy

_THING = r"(?:`[^`\n]{1,80}`|\"[^\"\n]{1,80}\"|[^\s,;，；。（(]+)"
_STOP = (
    r"(?=\s*(?:[,;，；。.!！—(（]|$|\s(?:instead|because|since|now|not|rather|as of|from now|please"
    r"|for|in|when|so|and|but|after|with|from)\b))"
)


@dataclass(frozen=True, slots=True)
class Frame:
    """What a sentence says a value in: the span of the value, of one that it says is past, the
    relation's name, and the role that is part of the key."""

    relation: str
    value: tuple[int, int]
    old: tuple[int, int] | None = None
    role: str = ""


_USE = (
    r"(?:(?:us(?:e|es|ing)|go(?:ing)? with|(?:switch(?:ed|ing)?|mov(?:e|ed|ing)) (?:over )?to"
    r"|migrat(?:e|ed|ing) to|stick(?:ing)? (?:with|to)|prefer|adopt(?:ed)?|standardi[sz]ed? on"
    r"|settled? on|chang(?:e|ed) to|opt(?:ed)? for|pick(?:ed)?|cho(?:ose|se)|run(?:s)? (?:on|with)"
    r"|written (?:in|with)|built (?:on|with)|based on|powered by|rely on"
    r"|swap(?:ped)? (?:it |that )?(?:for|to)|via|try)\b)"
)
_HAN_SET = (
    r"(?:(?:从\s*(?P<o>[^\s,，到改换]+))?\s*(?:现在是|改成了?|改为|改叫|换成了?|换为|变成了?|变为"
    r"|改名为|改名叫"
    r"|设为|设置为|设成|定为|定在|调成|调到|叫|应该是|是|为|：|:)\s*)"
)
# The relation, the letters that the pattern needs, the pattern.
_PATTERNS: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = tuple(
    (relation, tuple(needed.split("|")), lazy(pattern, re.I | re.A))
    for relation, needed, pattern in (
        (
            "tool",
            "replac|swap|ditch|drop",
            r"\b(?:replac(?:e|ed|ing)|swap(?:ped)?(?: out)?|ditch(?:ed)?|drop(?:ped)?)"
            rf" (?P<o>{_THING})(?:.*?) (?:with|for|by|in favou?r of|to) (?P<v>{_THING}?){_STOP}",
        ),
        (
            "tool",
            " from ",
            rf"\b(?:switch|mov|migrat|chang|go)(?:e|ed|ing)?\b[^,;]*? from (?P<o>{_THING})"
            rf" (?:over )?to (?P<v>{_THING}?){_STOP}",
        ),
        (
            "tool",
            "us|go|to|stick|prefer|adopt| on|for|pick|cho|with|in|by|via|try",
            rf"\b{_USE} (?:the |a |an |plain |only |just )?(?P<v>{_THING}?){_STOP}",
        ),
        (
            "tool",
            "用|换成|选|切|迁",
            r"(?:(?:不用|别用|不再用|不要用|弃用|放弃)(?P<o>\s*[\w.+-]+)了?\s*[,，]?.*?)?"
            r"(?:改用|换成|换用|使用|采用|统一用|就用|用的是|用|选|切到|切换到|迁到|迁移到)\s*"
            r"(?P<v>[A-Za-z][\w.+-]*)",
        ),
        (
            "place",
            "/|.",
            r"(?:(?:\b(?:lives?|sits?|goes|go|is|are|belongs?|stored|located|found|kept|placed|put"
            r"|store|save|saved|keep|place|write|written|served|loaded|moved?|moving|relocated?"
            r"|reside[sd]?|point(?:s|ed)?|now)\b(?:\s+(?:now|to be|from (?P<o>`[^`]+`|\S+)))*\s+"
            r"(?:\S+\s+){0,6}?(?:in|at|under|to|into|inside|on|from)|[:=]|\bis|\bnow)\s+"
            r"(?:now |the )?|(?:放在|放到|搬到|移到|挪到|迁到|迁移到|位于|存在|存到|在|改到|改成"
            r"|改为|路径是|路径改成|目录是|写到|到)\s*)(?P<v>`[^`\n]{1,120}`"
            r"|https?://[^\s,;，；。]+"
            r"|[~.\w*@-]*/[\w./*@-]*(?<!\.)|[\w-]+(?:\.[A-Za-z]\w*)+)",
        ),
        (
            "setting",
            "branch|分支",
            r"\b(?:from|on|to|into|against|off|of|in|use|is) (?:the )?(?P<v>[\w./-]+) branch\b"
            r"(?! (?:is|was|has|name|should|must|will))|\b(?:on|to|from|use|is|into"
            r"|against) (?:the )?(?:[\w-]+ )?branch (?P<w>[\w.-]*[/\d_-][\w./-]*)"
            r"|(?:在|到|从|用|是)\s*(?P<x>[A-Za-z][\w./-]*)\s*分支",
        ),
        (
            "setting",
            "use |make ",
            rf"\buse (?P<v>{_THING}?) as (?:the|our|a) (?=\w)"
            r"|\bmake (?:the |our )?(?:[\w-]+ ){0,3}(?:colou?r|theme|level|mode|format|region"
            r"|timezone|default|language|name|strategy|layout|font|icon|title)"
            rf" (?P<w>{_THING}?){_STOP}",
        ),
        (
            "setting",
            "set|chang|renam|switch|mov|mak|updat|call|adjust|rais|lower|bump",
            r"\b(?:set|change|changed|rename|renamed|switch|switched|move|moved|make|update|updated"
            r"|call|adjust|raise|lower|bump)\b [^,;]*?(?:(?: from (?P<o>"
            rf"{_THING}))? (?:to|as|=)) (?:be )?(?P<v>{_THING}(?: [\w-]+)?){_STOP}",
        ),
        (
            "setting",
            " is | are | be |becom|became|stays|:|=| to ",
            r"^(?:(?:the|our|my|this|that) )?(?:[^\s,;]+ ){0,7}?[^\s,;]+?(?:'s)?(?:\s*[:=]\s*"
            r"| (?:is|are|should be|will be|must be|becomes?|became|shall be|stays|is set to"
            r"|(?:was |has been |got )?(?:changed|renamed|set|moved|switched|updated) to) )"
            r"(?:now |called |named |going to be |set to |the |just |actually )*"
            rf"(?P<v>{_THING}(?: [\w-]+){{0,2}}?){_STOP}",
        ),
        (
            "setting",
            "端口|缀|版本|分支|地址|域名|单|编号|账号",
            r"(?:前缀|后缀|版本|分支|地址|域名|工单号?|单号|编号"
            r"|账号)\s*(?P<v>[A-Za-z][^\s,，。;；]*)",
        ),
        (
            "setting",
            "是|成|为|叫|定|到|：|:",
            rf"{_HAN_SET}(?P<v>`[^`]+`|[^\s,，。;；了吧]+)",
        ),
    )
)
_LANGUAGE = lazy("|".join(sorted(LANGUAGES, key=len, reverse=True)), re.I)
_IN = lazy(r"(?:\bin|\bto|\buse|\bspeak|用|成|是|为|讲|说)\s*(?:plain |simple )?$", re.I)


def frames(text: str) -> Iterator[Frame]:
    """The frames that `text` may be read in; the more telling first."""
    for match, role in owners(text):
        yield Frame("owner", match.span("v"), _old(match), role)
    lower = text.lower()
    for relation, needed, pattern in _PATTERNS:
        found = any(word in lower for word in needed) and pattern.search(text)
        if found and found.lastgroup is not None:
            value = next(found.span(name) for name in "vwx" if found.groupdict().get(name))
            yield Frame(relation, value, _old(found))
    said = [match for match in _LANGUAGE.finditer(text) if _IN.search(text[: match.start()])]
    if said:
        yield Frame("language", said[-1].span())
    for state, switch in ON_OFF.items():
        turned = switch.search(text)
        if turned is not None:
            yield Frame("switch", turned.span(), role=state)


def _old(match: re.Match[str]) -> tuple[int, int] | None:
    return match.span("o") if match.groupdict().get("o") else None
