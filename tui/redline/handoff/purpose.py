"""Which prompts say what the work is for, and texts in short."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.patterns import lazy

_GO_ON = lazy(
    r"(?:please\s+)?(?:continue|go on|go ahead|proceed|yes|yeah|yep|ok(?:ay)?|sure|thanks?|"
    r"thank you|good|great|perfect|do it|resume|next|y|hi|hello|继续|好的?|可以|行|是的?|对|"
    r"谢谢|你好)"
    r"(?:[\s,.!。，！]+(?:please|then|thanks|go on|continue))?[\s.!。！]*",
    re.IGNORECASE,
)
_VERB = (
    r"add|fix|implement|build|create|write|refactor|make|migrate|move|draw|change|update|remove|"
    r"delete|replace|rename|support|investigate|debug|find|analy[sz]e|review|explain|test|run|port|"
    r"convert|extract|optimi[sz]e|improve|clean|set up|setup|deploy|release|document|design|plan|"
    r"work on|tackle|handle|finish|complete|address|resolve|"
    r"integrate|upgrade|check|verify|figure out|look (?:at|into)|help|show|split|merge|rewrite"
)
_LEAD = (
    r"(?:(?:ok(?:ay)?|now|then|so|and|also|next|please|first|great|cool|alright|yes|no|"
    r"just)[,:]?\s+){0,5}"
    r"(?:(?:can|could|would|will) (?:you|we)\s+|let'?s\s+|(?:i|we)(?:'d)? "
    r"(?:want|need|like|have)\s+(?:you\s+)?to\s+|you (?:should|need to|must)\s+|"
    r"the (?:task|goal) is to\s+)?"
    r"(?:please\s+|also\s+|just\s+){0,3}"
)
_ASKS = lazy(rf"^(?:next|now),? (?:the|for|to)\b|(?:^|[,:]\s+){_LEAD}(?:{_VERB})\b", re.IGNORECASE)
_ASKS_CHINESE = lazy(
    r"修复|修好|实现|添加|增加|加上|重构|编写|写一|创建|删除|修改|改成|改为|更新|迁移|分析|检查|调试|优化|"
    r"测试|运行|支持|帮我|请|把|解释|升级|部署|生成|设计"
)
# An order that is done with its answer: it holds for the moment only.
_PASSING = lazy(
    r"^\W*(?:(?:ok(?:ay)?|alright|now|then|next|so|and|also|please|great|good|thanks?"
    r"|looks? (?:fine|good)|first|can you|could you|let'?s|let me|just|yes|well|cool)\b[,.!:]?\s*)*"
    r"(?:go (?:on|ahead)|carry on|continue|proceed|keep going|re-?run|run|show|look|have a look|see"
    r"|read|open|check|list|tell|explain|describe|print|cat|try|start|next is|move on|give me"
    r"|(?:what|why|how|where)(?:'s)? (?:is|are|was|do|does|did|about)|is|are|does|do you|did)\b"
    r"|^\W*(?:好的?|现在|接下来|请|然后|可以|再|先|那)*[，,]?\s*(?:继续|看看|看一下|看|读一下|读|打开"
    r"|跑一[遍下]|再跑|运行|列出|解释|说说|检查一下|接下来是|再跑一遍)",
    re.I,
)
# A sentence that amends what was said before it, or says how to work, is no goal of its own.
_AMENDS = lazy(
    r"\W*(?:actually|forget|scratch that|never mind|nvm|undo|revert (?:that|this|it)|i said"
    r"|i told you|no[,.]|never|don'?t|do not|always|make sure|ensure|remember"
    r"|刚才|之前说|前面说|上面|算了|不用|别|取消|顺便|不要|不许|不准|禁止|必须|务必|一律|记得)",
    re.IGNORECASE,
)
# What it speaks of is told only by the sentences before it.
_POINTS_BACK = lazy(
    r"\b(?:this|that|it|them|these|those|the same|again)\b"
    r"(?=\s*(?:$|[,.;:?!)])|\s+(?:is|are|was|were|to|for|in|on|and|or|as|less|more|too|also|again|now"
    r"|with|so|up|please|then|before|first|all|back|even|better|like|into|out|with)\b)"
    r"|^\W*(?:fix|do|check|show|explain|update|remove|add)\s+(?:this|that|it|them|these|those)\b",
    re.IGNORECASE,
)
_NAMES = lazy(r"`|[\w-]/[\w-]|\w\.\w|#\d|[a-z][A-Z]|_")
_WORDS, _SIGNS, _SENTENCE_WORDS = 6, 6, 4
_SMALL_ORDER = 100  # characters
_COMMAND = lazy(r"/(?:[A-Za-z][\w:-]*(?:[ \t]+[!-~]{1,24})?)?")
_LABELLED = lazy(
    r"(?:[^.!?]{1,12}[.!]\s+)?\W*(?:(?:the|our|my|main|overall|final|new|current|project)\s+){0,3}"
    r"(?:goal|aim|objective|mission)s?(?:\s+(?:of|for)\s[^:.!?]{1,60}?)?"
    r"\s*(?:[:：]|(?:now\s+)?is(?:\s+now)?\s+to\b|is\b(?=[^?]*$))"
    r"|\W*(?:(?:我们的?|我的|本次|这次|最终|总|新|当前|现在的?|项目的?|主要)){0,3}(?:目标|目的)"
    r"\s*(?:[:：]|是|为|改[为成])",
    re.IGNORECASE,
)
_WANTED = lazy(
    r"\W*(?:(?:ok(?:ay)?|now|so|and|then|hi|hello|hey|today|first|well|basically|ultimately)"
    r"[,:.!]?\s+){0,3}(?:we|i)(?:'d| would)?\s+(?:really\s+)?(?:want|need|like|have|plan|aim)\b"
    r"(?!\s+(?:you\s+)?(?:to\s+)?(?:see|look|know|check|understand|run|read|show|think|go|wait"
    r"|it|that|this|them|these|those|a look|no|not|nothing|more (?:time|info\w*))\b)"
    r"(?:\s+(?:you\s+)?to\b|(?<=want|need)\s)"
    r"|\W*(?:今天|现在|这次|首先)?(?:我们|我|咱们)(?:想要?|需要|要|打算|计划|希望|准备)(?!看|知道|了解|问)",
    re.IGNORECASE,
)
# A value for something that is there already: it holds, but the work is for something else.
_SETS_VALUE = lazy(
    r"^\W*(?:(?:ok(?:ay)?|now|then|also|and|please|actually)[,:]?\s+){0,3}"
    r"(?:set|change|make|raise|lower|bump|increase|reduce|keep)\s+[^.;!?]{1,60}?\s(?:to|at)\s+"
    r"`?[\d$][^.;!?]{0,24}[.!]?$"
    r"|^\W*(?:把|将)?[^，。；！？,;]{1,24}(?:改[为成到]|设[为成]|调[到成至整]为?|换成|定为|为|是)\s*"
    r"`?\d[^，。；！？,;]{0,16}[。！]?$",
    re.IGNORECASE,
)
_END = lazy(r"(?<=[.!?])\s+|(?<=[。！？])")
_QUESTION = lazy(r"[?？]\W*$")
_HAN = lazy(r"[\u3400-\u9fff]")
_FENCE = lazy(r"^[ \t]*(?:```|~~~)[^\n]*\n.*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.M | re.S)


def is_go_on(text: str) -> bool:
    """Whether a prompt only says to go on."""
    return len(text) < 80 and _GO_ON.fullmatch(text.strip()) is not None


def is_command(text: str) -> bool:
    """Whether a prompt is nothing but a command of the agent's own, such as "/model" or "/new x".
    A lone slash is the start of one."""
    return _COMMAND.fullmatch(text.strip()) is not None


def stated_goal(text: str) -> str | None:
    """The sentence of a prompt that says outright what the work is for, one that is labelled
    before one that says what is wanted; None where there is none."""
    if is_command(text):
        return None
    found = [sentence for sentence in _sentences(text[:2_000]) if not _QUESTION.search(sentence)]
    for pattern in (_LABELLED, _WANTED):
        for sentence in found:
            if (match := pattern.match(sentence)) and _says_enough(sentence[match.end() :]):
                return sentence
    return None


def is_labelled(sentence: str) -> bool:
    """Whether a sentence calls what it says a goal."""
    return _LABELLED.match(sentence) is not None


def is_small(text: str) -> bool:
    """Whether a prompt is one short order, a step on the way to what the work is for."""
    return len(text) <= _SMALL_ORDER and len(list(_sentences(text))) == 1


def sets_value(text: str) -> bool:
    """Whether all that a prompt does is to give what is there another value: "超时改为 60 秒"."""
    return _SETS_VALUE.search(one_line(text[:200])) is not None and len(text) <= 200


def only_amends(text: str) -> bool:
    """Whether every sentence of a prompt forbids, says how to work, or amends an earlier one."""
    found = list(_sentences(text[:2_000]))
    return bool(found) and all(map(_AMENDS.match, found))


def _says_enough(text: str) -> bool:
    return len(text.split()) >= 2 or (_HAN.search(text) is not None and len(text) >= 4)


def as_typed(text: str) -> str:
    """`text` without the white space at its edges and line ends, which nobody sees: in Markdown it
    would have to be written as entities."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip()


def is_passing(sentence: str) -> bool:
    """Whether a sentence only asks to look, to run or to go on: nothing of it holds later."""
    return _PASSING.match(sentence) is not None


def asks_for_work(text: str) -> bool:
    """Whether a prompt asks for more than a look or a run."""
    return not is_go_on(text) and any(
        _asks(sentence) and not is_passing(sentence) for sentence in _sentences(text[:2_000])
    )


def sets_goal(text: str) -> bool:
    """Whether a prompt sets a scope that is more than a look or a run."""
    return sets_scope(text) and not is_passing(request(text))


def sets_scope(text: str) -> bool:
    """Whether a prompt says what to do, and says it so that it can be read alone."""
    start = text.strip()[:2_000]
    if is_go_on(start) or start.startswith("/") or sets_value(start):
        return False
    if not _is_chinese(start) and len(start.split()) < _WORDS:
        return False
    return any(_asks(sentence) for sentence in _sentences(start))


def one_line(text: str) -> str:
    return " ".join(text.split())


def request(text: str) -> str:
    """The sentence of a prompt that asks for something, rather for work than for a look; else its
    first one."""
    sentences = list(_sentences(text[:4_000]))
    asking = [sentence for sentence in sentences if _asks(sentence)]
    for sentence in asking:
        if not is_passing(sentence):
            return sentence
    if asking:
        return asking[0]
    for sentence in sentences:
        if sum(character.isalnum() for character in sentence[:200]) >= 4:
            return sentence
    return one_line(text)


def _sentences(text: str) -> Iterator[str]:
    """The sentences of the lines of `text` that are no code; one of a few letters goes with the
    next."""
    for line in (_FENCE.sub("\n", text) if "```" in text or "~~~" in text else text).split("\n"):
        begun = ""
        for piece in _END.split(one_line(line).lstrip("#>*- ")):
            begun = f"{begun} {piece}".strip() if begun.isascii() else begun + piece
            if len(begun) >= (12 if begun.isascii() else 4):
                yield begun
                begun = ""
        if begun:
            yield begun


def _asks(sentence: str) -> bool:
    """Whether `sentence` asks for work and names what it is about."""
    if _AMENDS.match(sentence):
        return False
    if _is_chinese(sentence):
        return _ASKS_CHINESE.search(sentence) is not None
    if len(sentence.split()) < _SENTENCE_WORDS or not _ASKS.search(sentence):
        return False
    clause = re.split(r"[,;:]\s|\sand\s", sentence, maxsplit=1)[0]
    return not _POINTS_BACK.search(clause) or _NAMES.search(sentence) is not None


def _is_chinese(text: str) -> bool:
    return sum("\u2e80" < character < "\ufb00" for character in text) >= _SIGNS


def short(text: str, limit: int) -> str:
    """`text` in about `limit` characters; what is taken out of its middle is said."""
    text = text.strip()
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    cut = len(text) - head - tail
    return f"{text[:head].rstrip()} [... {cut} characters ...] {text[-tail:].lstrip()}"
