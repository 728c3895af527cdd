"""Words by which a sentence says that something is different now, that it holds beside something
else, that it is not so, that it is an order, that a thing is on or off."""

from __future__ import annotations

import re

from redline.patterns import lazy

STRONG = lazy(
    r"\b(?:instead|rather than|in place of|no longer|on second thought|replac(?:e|es|ed|ing)"
    r"|switch(?:ed|ing)?"
    r"|renam(?:e|ed|ing)|swap(?:ped|ping|s)?"
    r"|mov(?:e|ed|ing) (?:[\w./`'-]+ ){0,5}?(?:in|over )?to|chang(?:e|ed|ing)|convert(?:ed"
    r"|ing)?|migrat(?:e|ed|ing)|took over"
    r"|tak(?:es|ing) over|upgrad\w+|relocat\w+|handed|scratch that|no wait|wait,? no|correction"
    r"|changed my mind"
    r"|i meant)\b|^\W*(?:no\s*[,:—–-]|actually\b)|改名|改成|换成|改用|改为|换到|改到|改由|不用|搬到"
    r"|挪到"
    r"|不再|不对"
    r"|改叫|改走|换为",
    re.I,
)
IMPERATIVE = lazy(
    r"^\W*(?:(?:ok|okay|now|then|next|also|and|so|please|pls|just|first|let's|lets|go ahead and"
    r"|you should"
    r"|we should|can you|could you|i want you to|now please)[,\s]+)*"
    r"(?:add|implement|create|build|write|make|fix|change|update|show|run|rerun|test|check|look"
    r"|find|search"
    r"|read|open|list|explain|describe|tell|give|move|rename|remove|delete|refactor|clean|install"
    r"|commit"
    r"|push|merge|deploy|start|stop|try|do|continue|go|review|see|investigate|debug|help|generate"
    r"|edit|copy"
    r"|set|put|use|convert|port|migrate|upgrade|bump|revert|undo|rewrite|split|extract|replace"
    r"|document"
    r"|improve|configure|enable|disable|verify|ensure|handle|support|summari[sz]e|compare|apply"
    r"|include"
    r"|draft|design|profile|finish|ship|let|work|host|sort|format|send|store|call|draw|keep|wait"
    r"|ask)\b"
    r"|^\W*(?:请|帮我?|麻烦|把|先|再|继续|看|加|添加|新增|实现|修|改|更新|删|移除|重构|重命名|写"
    r"|创建|跑|运行|执行|检查|查|找|解释|提交"
    r"|推送|合并|部署|安装|测试(?!库|环境|服|的|数据|用例|代码|文件|集|账)|优化|生成)",
    re.I,
)
CUES = lazy(
    r"\b(?:actually|no,? wait|wait,? no|wait,|correction|scratch that|my mistake|i misspoke|sorry"
    r"|oops|instead|now|new|no longer|not any ?more|anymore|from now on|as of (?:now|today)"
    r"|going forward|changed? (?:(?:the|my|our|to|from|it|that|mind)\b)|changed|switch(?:ed|ing)?"
    r"|mov(?:e|ed|ing) (?:[\w./`'-]+ ){0,5}?(?:in)?to|bump(?:ed)?|rais(?:e|ed)|lower(?:ed)?"
    r"|increased?"
    r"|decreased?|reduced?|updated?|renamed?|replac(?:e|ed)|swap(?:ped)?|upgrad(?:e|ed)"
    r"|downgrad(?:e|ed)|migrat(?:e|ed)|relocated?|extended|postponed|pushed (?:back|out) to"
    r"|brought forward|slipped|pushed to|took over|takes over|taking over|went (?:over )?to|handed"
    r"|reassigned"
    r"|transferred"
    r"|let'?s (?:go with|make|use|switch)|make (?:it|that)|on second thought|after all|ditch(?:ed)?"
    r"|drop(?:ped)?|rather than|in favou?r of|adjust(?:ed)?|revised?|forget (?:what|the|about)"
    r"|was wrong|is wrong|was a typo|i meant|rethought|has become|became|turns? out"
    r"|no, )|^\W*no\s*[,:—–-]|更正|纠正|不对|等等|等一下|说错|其实|改成|改为|改到|改用|改走|改叫"
    r"|换成|换为"
    r"|换到|换用"
    r"|变成|变为|现在|不再|不用|搬到|移到|迁到|挪到|迁移到|调到|调成|调整|调高|调低|提高到|降到"
    r"|升级|升到|推迟|提前|延期|延到|接手|接管|转给|交给"
    r"|重新|还是用|算了|更新为|更新成|降低到|以后",
    re.I,
)
ADDS = lazy(
    r"\btoo\b(?=\s*(?:[.,;!]|$))|\b(?:as well|in addition|additionally|another|both|co-?own\w*"
    r"|together with|a second"
    r"|besides|on top of|alongside|jointly|either|along with)\b|^\W*(?:and )?also\b|\b(?:is|are|we"
    r"|it|they|should|can|must|will) also\b|\balso (?:uses?|owns?|listens?|runs?|on|in|has|have"
    r"|allow|supports?)\b|另外|还有|(?<!不)也(?!许)|同时|外加|还(?=[要用在跑有支监负])|以及|共同"
    r"|一起",
    re.I,
)
NEGATION = lazy(
    r"\b(?:not|never|no|don'?t|doesn'?t|do not|does not|mustn'?t|must not|shouldn'?t|can'?t"
    r"|cannot|won'?t|avoid|stop|without|nobody|none|nothing|forbid(?:den)?|off[- ]limits)\b"
    r"|不|(?<![级类区特分性个识鉴告差])别(?![名墅])|勿|禁止|严禁|没",
    re.I,
)
_NO_NEGATION = lazy(
    r"\bno,? wait\b|\bwait,? no\b|^\W*no\b[,:!.]|\bno longer\b|\bnot any ?more\b|\bno more than\b"
    r"|\bnot? (?:more|later|longer|fewer|less) than\b|\b(?:do not|don'?t|must not|not"
    r"|never) exceed\b"
    r"|\bdon'?t (?:forget|worry)\b|\bnot\s*[,;.]|\bnot\s*$|\bnot (?:port|on|at|in|to|the|version"
    r"|from)\s*$"
    r"|不对|不超过|不再|不是\s*$|不用\s*$|不是\s*[,，]|不用\s*了?\s*[,，]|不好意思|别忘",
    re.I,
)


# A clause that says of what the others speak: "for the admin service", "when testing".
TOPIC = lazy(
    r"^\W*(?:for|in|on|at|with|within|inside|under|during|regarding|about|concerning|as for|when"
    r"|if|unless|while|whenever|only|except|outside|对于?|关于|至于|如果|当|在)\b|\bonly\b|仅",
    re.I,
)
_STARTS = lazy(r"\b(?:start|begin)(?:s|ning|ing|ed)?\b|\bbegan\b|开始", re.I)
_ENDS = lazy(r"\b(?:end|finish|stop)(?:s|es|ing|ed)?\b|结束|截止", re.I)
# What a sentence says of itself, and not of a thing.
NOISE = lazy(
    r"\b(?:these days|any ?more|no longer|from now on|for now|right now|at the moment|as of (?:now"
    r"|today"
    r"|this week)|going forward|after all|no,? wait|wait,? no|on second thought|ha[ds]? to"
    r"|for the time being"
    r"|from here on|to be (?:exact|precise)|instead of that|once (?:again|more)|up to|out of"
    r"|by the way"
    r"|(?:the team|we|everyone|they) (?:have |has |all )?(?:agreed|decided|settled|voted) (?:on"
    r"|that|to|for)"
    r"|in the end|at this point|i (?:said|meant|mean|think|guess|want)|(?:was|is) wrong|my mistake"
    r"|scratch that)\b",
    re.I,
)
_STANCE = lazy(rf"{NEGATION.pattern}|\b(?:always|must|can|may|do|please)\b|可以|必须|要", re.I)


def stance(text: str) -> str:
    """The word by which `text` says to do it or not to, empty where there is none."""
    match = _STANCE.search(text)
    return match[0] if match else ""


def negated(text: str) -> bool:
    """Whether `text`, without its values, says not to do something or that it is not so."""
    return NEGATION.search(_NO_NEGATION.sub(" ", text)) is not None


def bounds(text: str) -> tuple[bool, bool]:
    """Whether `text` tells of the start of something, and of its end."""
    return _STARTS.search(text) is not None, _ENDS.search(text) is not None


def opposed(one: tuple[bool, bool], other: tuple[bool, bool]) -> bool:
    """Whether of two `bounds` one is of the start and the other of the end."""
    return (one, other) in (((True, False), (False, True)), ((False, True), (True, False)))
