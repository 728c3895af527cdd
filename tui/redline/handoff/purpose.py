"""Which prompts say what the work is for, and texts in short."""

from __future__ import annotations

import re

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
    r"integrate|upgrade|check|verify|figure out|look (?:at|into)|help|show|split|merge|rewrite"
)
_LEAD = (
    r"(?:(?:ok(?:ay)?|now|then|so|and|also|next|please|first|great|cool|alright|yes|no|"
    r"just)[,:]?\s+)*"
    r"(?:(?:can|could|would|will) (?:you|we)\s+|let'?s\s+|(?:i|we)(?:'d)? "
    r"(?:want|need|like|have)\s+(?:you\s+)?to\s+|you (?:should|need to|must)\s+|"
    r"the (?:task|goal) is to\s+)?"
    r"(?:please\s+|also\s+|just\s+)*"
)
_ASKS = re.compile(rf"(?:^|[.!?:\n]\s+|\n\s*){_LEAD}(?:{_VERB})\b[^\n]*", re.IGNORECASE)
_ASKS_CHINESE = re.compile(
    r"修复|实现|添加|增加|重构|编写|写一|创建|删除|修改|改成|改为|更新|迁移|分析|检查|调试|优化|测试|"
    r"运行|支持|帮我|请|把|解释|升级|部署|生成|设计"
)
_WORDS, _SIGNS = 6, 6


def is_go_on(text: str) -> bool:
    """Whether a prompt only says to go on."""
    return len(text) < 80 and _GO_ON.fullmatch(text.strip()) is not None


def sets_scope(text: str) -> bool:
    """Whether a prompt says what to do: a request with words enough, or signs enough where a
    language writes without spaces."""
    start = text.strip()[:2_000]
    if is_go_on(start) or start.startswith("/"):
        return False
    if sum("\u2e80" < character < "\ufb00" for character in start) >= _SIGNS:
        return _ASKS_CHINESE.search(start) is not None
    return len(start.split()) >= _WORDS and _ASKS.search(start) is not None


def one_line(text: str) -> str:
    return " ".join(text.split())


def request(text: str) -> str:
    """The sentence of a prompt that asks for something, else its first one."""
    found = _ASKS.search(text[:4_000])
    if found and found.group().strip():
        return _sentence(one_line(found.group().lstrip(".!?:")).lstrip("#>*- "))
    for line in text.split("\n"):
        line = one_line(line).lstrip("#>*- ")
        if sum(character.isalnum() for character in line[:200]) >= 4:
            return _sentence(line)
    return one_line(text)


def _sentence(line: str) -> str:
    found = re.match(r".{12,}?[.!?](?=\s)|.{4,}?[。！？]", line)
    return found.group() if found else line


def short(text: str, limit: int) -> str:
    """`text` in about `limit` characters; what is taken out of its middle is said."""
    text = text.strip()
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    cut = len(text) - head - tail
    return f"{text[:head].rstrip()} [... {cut} characters ...] {text[-tail:].lstrip()}"
