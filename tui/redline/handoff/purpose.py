"""Which prompts say what the work is for, and texts in short."""

from __future__ import annotations

import re
from collections.abc import Iterator

_GO_ON = re.compile(
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
_ASKS = re.compile(
    rf"^(?:next|now),? (?:the|for|to)\b|(?:^|[,:]\s+){_LEAD}(?:{_VERB})\b", re.IGNORECASE
)
_ASKS_CHINESE = re.compile(
    r"修复|修好|实现|添加|增加|加上|重构|编写|写一|创建|删除|修改|改成|改为|更新|迁移|分析|检查|调试|优化|"
    r"测试|运行|支持|帮我|请|把|解释|升级|部署|生成|设计"
)
# An order that is done with its answer: it holds for the moment only.
_PASSING = re.compile(
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
_AMENDS = re.compile(
    r"\W*(?:actually|forget|scratch that|never mind|nvm|undo|revert (?:that|this|it)|i said"
    r"|i told you|no[,.]|never|don'?t|do not|always|make sure|ensure|remember"
    r"|刚才|之前说|前面说|上面|算了|不用|别|取消|顺便|不要|不许|不准|禁止|必须|务必|一律|记得)",
    re.IGNORECASE,
)
# What it speaks of is told only by the sentences before it.
_POINTS_BACK = re.compile(
    r"\b(?:this|that|it|them|these|those|the same|again)\b"
    r"(?=\s*(?:$|[,.;:?!)])|\s+(?:is|are|was|were|to|for|in|on|and|or|as|less|more|too|also|again|now"
    r"|with|so|up|please|then|before|first|all|back|even|better|like|into|out|with)\b)"
    r"|^\W*(?:fix|do|check|show|explain|update|remove|add)\s+(?:this|that|it|them|these|those)\b",
    re.IGNORECASE,
)
_NAMES = re.compile(r"`|[\w-]/[\w-]|\w\.\w|#\d|[a-z][A-Z]|_")
_WORDS, _SIGNS, _SENTENCE_WORDS = 6, 6, 4
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n.*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.M | re.S)


def is_go_on(text: str) -> bool:
    """Whether a prompt only says to go on."""
    return len(text) < 80 and _GO_ON.fullmatch(text.strip()) is not None


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
    if is_go_on(start) or start.startswith("/"):
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
