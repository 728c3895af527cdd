"""Whether two sentences that read alike are of two things by a word that tells them apart, or as
what is done once."""

from __future__ import annotations

import re

from redline.ledger.claim_tokens import concept
from redline.patterns import lazy

# What is asked once: it is done then, and the next one asks for something else.
_TASK = lazy(
    r"^\W*(?:(?:ok(?:ay)?|now|then|next|also|and|so|please|pls|just|first|actually|let's|lets|no"
    r"|can you|could you|would you|after that|afterwards|go ahead and|i(?:'d| would) like you to"
    r"|i want you to)[,:\s]+)*"
    r"(?:(?:have|take) (?:a|another) (?:\w+ )?look|look (?:at|into|through)|(?:go|carry|move) on"
    r"|keep going|go ahead|tackle|(?:switch|go) to (?:tab|window|pane|step|page) "
    r"|take care of (?=\S*[./_])|continue|proceed|resume|open (?=[`']?[\w-]*[./_])|show me"
    r"|read (?=\S*[./_])|list (?=all|me)|explain|describe|review (?=prs?\b|\S*[./#\d])|check"
    r"|inspect|fix (?!(?:\S+ ){1,3}(?:to|at) )|debug|investigate|summari[sz]e|compare|find"
    r"|search|rerun|rename \S+ to|delete|remove|refactor|implement|(?:add|write) (?:a|an|the)"
    r" (?:\w+ )?(?:tests?|check|function|method)|do)\b"
    r"|^\W*(?:(?:请|麻烦你?|现在|然后|接着|接下来|再|先|帮我?)\s*)*"
    r"(?:处理|看一?下|看看|继续|打开|检查|查看|解释|修复|审查|实现|重构|删除|接着"
    r"|做 ?[A-Za-z\d第])",
    re.I,
)
# Which of two databases, sides or releases a thing is of.
_HAN_APART = lazy(
    r"[读写主从备](?=库|端|节点)|[前后](?=端)|[新旧](?=库|版)|线上|线下|内网|外网|上行|下行|上传|下载"
    r"|输入|输出|单测|集测"
)
# When each holds; a reason ("while we are in beta") is none that another one has too.
_WHEN = lazy(
    r"\b(?:while|when(?:ever)?|if|during|unless)\s+([^,;.]+)"
    r"|([\u4e00-\u9fff]{1,6}?)(?:的时候|时(?![间长限钟刻效区候]))",
    re.I,
)
_SAYS_LITTLE = frozenset(
    "the a an is are it its we you i they be being there any some this that in on at of".split()  # noqa: SIM905
)
_BEGINS = lazy(
    r"\W*(?:(?:the|our|my|a|an|each|every|all)\s+)?([A-Za-z]{3,})\s+"
    r"(must|should|may|can|will|has|have|is|are|listens?|runs?|uses?|needs?)\b",
    re.I,
)


def only_once(older: str, newer: str) -> bool:
    """Whether both ask for something that is done once."""
    return is_task(older) and is_task(newer)


def is_task(text: str) -> bool:
    """Whether `text` asks for something that is done once."""
    return _TASK.search(text) is not None


def told_apart(older: str, newer: str) -> bool:
    """Whether each has a word of its own that tells its thing from another of its kind, or holds
    under a condition of its own."""
    before, after = set(_HAN_APART.findall(older)), set(_HAN_APART.findall(newer))
    if before - after and after - before:
        return True
    before, after = _conditions(older), _conditions(newer)
    return bool(before and after) and before.isdisjoint(after)


def _conditions(text: str) -> set[str]:
    said = " ".join(match[1] or match[2] for match in _WHEN.finditer(text))
    return {concept(word) for word in said.lower().split()} - _SAYS_LITTLE


def others_begin(older: str, newer: str, values: set[str]) -> bool:
    """Whether both begin alike but with another word: "reads are", "writes are"."""
    one, other = _BEGINS.match(older), _BEGINS.match(newer)
    if one is None or other is None or one[2].lower() != other[2].lower():
        return False
    return one[1].lower() != other[1].lower() and not {one[1], other[1]} & values
