"""What a person stated in a session: rules, constraints, facts, goals, preferences, decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from redline.ledger.brevity import brief
from redline.ledger.detect import family_of, rule_id, shortened
from redline.ledger.masking import FILL, mask
from redline.ledger.resolving import Resolved, resolved
from redline.ledger.rule import RuleFamily
from redline.ledger.sentences import LONGEST, Sentence, sentences
from redline.model import PartType, Session


class StatementKind(StrEnum):
    """What a statement is. A request is one order of work, which may be done by now."""

    RULE = "rule"
    CONSTRAINT = "constraint"
    PREFERENCE = "preference"
    DECISION = "decision"
    GOAL = "goal"
    FACT = "fact"
    REQUEST = "request"


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a prompt that states something.

    `id` is that of the rule where the sentence is one. `text` is as written, `short` without
    fillers. `superseded_by` is the id of the later statement that says the same with another value,
    or again in other words; `may_restate` the id of an earlier one that this may say again: it was
    not sure enough, so both stay. `value` is the value that a later statement gave, `was` the one
    it replaced, both as written.
    """

    id: str
    kind: StatementKind
    text: str
    short: str
    message: str
    superseded_by: str | None = None
    may_restate: str | None = None
    restates: str | None = None
    value: str = ""
    was: str = ""

    @property
    def current(self) -> bool:
        """Whether no later statement took its place."""
        return self.superseded_by is None


_KINDS = {
    RuleFamily.PREFER: StatementKind.PREFERENCE,
    RuleFamily.LIMIT: StatementKind.CONSTRAINT,
}
_GOAL = re.compile(
    r"\b(?:goal|aim|objective|purpose|mission|milestone|target)\b|\bi'?m after\b|\bwe(?:'re"
    r"| are) (?:building"
    r"|trying"
    r"|working|aiming|migrating|moving|going to|shipping|planning|launching)\b|\b(?:i|we)(?:'d)?"
    r" (?:want|need|would like|have|plan|hope|intend|aim) to\b|\bwe need\b|\bin order to\b"
    r"|\bso that"
    r" (?:we|users)|\bend (?:result|state)\b|\b(?:ship|launch|deliver|release|migrate|finish|reach)"
    r" (?!it\b|this\b|that\b).*\b(?:by|before|until|to|in|from)\b|目标|目的|为了|我们(?:在|正在|想"
    r"|要|打算|计划|准备)|希望|想要"
    r"|最终|里程碑|交付",
    re.I,
)
_DECISION = re.compile(
    r"\b(?:decided|decision|let'?s (?:go with|use|stick|keep|do|make|skip|drop)|we(?:'ll"
    r"| will) (?:use|go"
    r" with|keep|stick|drop|not|skip)|go(?:ing)? with|settled on|agreed|we chose|instead of"
    r"|instead\b"
    r"|rather than|opt(?:ed)? for|switch(?:ed|ing)? to|on second thought|changed my mind)|决定|就用"
    r"|改用|换成|选定|定了"
    r"|敲定|确定用|还是用|采用",
    re.I,
)
_PREFERENCE = re.compile(
    r"\b(?:prefer|i(?:'d)? (?:rather|like|love|hate|dislike|would rather|don'?t like)|favou?rite"
    r"|my style"
    r"|my taste|ideally|please (?:be|keep|write|answer|use))\b|喜欢|偏好|习惯|倾向|讨厌|最好|宁愿",
    re.I,
)
_IMPERATIVE = re.compile(
    r"^[^\w\ue000]*(?:(?:ok|okay|now|then|next|also|and|so|please|pls|just|first|can you|could you"
    r"|would you"
    r"|will you|let'?s|lets|go ahead and|try to|you should|we should|i want you to|i need you to"
    r"|i'd like you to)[,\s]+)*"
    r"(?:add|implement|create|build|write|make|fix|change|update|show|run|rerun|test|check|look"
    r"|find|search"
    r"|read|open|list|explain|describe|tell|give|move|rename|remove|delete|refactor|clean|install"
    r"|commit"
    r"|push|merge|deploy|start|stop|try|do|continue|go|review|see|investigate|debug|figure|help"
    r"|generate"
    r"|set|put|use|convert|port|migrate|upgrade|bump|revert|undo|rewrite|split|extract|replace"
    r"|document"
    r"|improve|optimi[sz]e|configure|enable|disable|verify|ensure|handle|support|summari[sz]e"
    r"|compare"
    r"|apply|include|increase|reduce|draft|design|profile|benchmark|wire|hook|finish|ship|let)\b"
    r"|^(?:请|帮我?|麻烦|给我?|把|先|再|继续|看看|看一下|加|添加|新增|实现|修|修复|改|修改|更新|删"
    r"|删除|移除|重构|重命名|写|创建|跑|运行"
    r"|执行|检查|查|找|解释|提交|推送|合并|部署|安装|测试(?!库|环境|服|的|数据|用例|代码|文件|集"
    r"|账)|优化|生成|试试|调试)",
    re.I,
)
_ASKED = re.compile(
    r"[?？]\W*$|(?:吗|呢)[。！!]*$|^(?:为什么|怎么(?!都|也)|如何|是不是|能不能|有没有|哪(?:个|里"
    r"|些))"
    r"|^[^\w\ue000]*(?:(?:and|but|so|ok|hmm+|also|wait|well)[, ]+)*(?:(?:why|what|how|who|where"
    r"|when"
    r"|which)(?:'s| (?:is|are|was|were|do|does|did|can|could|should|would|will|about|if|else"
    r"|happens"
    r"|about|exactly|the hell|on earth|would|many|much|come)\b)|(?:is|are|was|were|does|did|has"
    r"|isn't"
    r"|aren't|doesn't|didn't) (?:it|that|this|there|the|we|you|i|he|she|they|any|all)\b"
    r"|do (?:i|we|you|they)\b|(?:should|could|would|can|shall|will|may) (?:i|we|it|this|that|they"
    r"|the)\b)",
    re.I,
)
_POLITE = re.compile(
    r"^[^\w\ue000]*(?:\w+[,.]? )?(?:can|could|would|will) (?:you|we|u)(?: please| pls| also| just"
    r"| maybe)*"
    r" (?!tell|say|explain|see|think|know|remember|guess|believe)\w+|^[^\w\ue000]*(?:would"
    r"|could) it be (?:ok|possible)"
    r"|(?:能|可以|可否|能否|能不能|麻烦)(?:请)?(?:你|帮|把|先)",
    re.I,
)
_NICE = re.compile(r"\bwould be (?:nice|great|good|cool|better|best|ideal|helpful)\b", re.I)
_WORDS = re.compile(r"[A-Za-z\ue000][\w'\ue000-]*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_FEW = 2  # words of a sentence that states nothing
_CHATTER = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|sure|thanks?|thank you|thx|great|good|nice|cool"
    r"|perfect|awesome"
    r"|excellent|done|right|correct|exactly|fine|hi|hello|hey|lgtm|sounds good|looks good|go on"
    r"|go ahead|continue"
    r"|proceed|next|please|wow|hmm+|got it|i see|never ?mind|very|well|that works|it works|works"
    r"|do it|ship it|again"
    r"|try again|keep going|all good|no problem|so|much|a lot|job|work|the|for|you)\W*)+$"
    r"|^\W*(?:好的?|嗯+|是的?|对|行|可以|继续|谢谢|不错|很好|没问题|明白|了解|收到|哈+|开始吧|试试"
    r"|再试(?:一次)?|下一步|就这样|吧|了)+\W*$",
    re.I,
)


def statements(session: Session) -> tuple[Statement, ...]:
    """Every sentence of the prompts of the live branch that states something, in order. In a
    subagent's session nobody states anything: its prompts are an agent's."""
    return tuple(_resolved(list(_found(session))))


def kind_of(sentence: Sentence) -> StatementKind | None:
    """What a sentence states; None for questions, chatter and what is not the person's words."""
    masked = sentence.masked
    if len(masked) > LONGEST or not _has_words(masked):
        return None
    if _CHATTER.match(masked):
        return None
    family = family_of(sentence)
    if family is not None:
        return _KINDS.get(family, StatementKind.RULE)
    if _ASKED.search(masked):
        return StatementKind.REQUEST if _POLITE.search(masked) else None
    if _NICE.search(masked):
        return StatementKind.PREFERENCE
    if _PREFERENCE.search(masked):
        return StatementKind.PREFERENCE
    if _DECISION.search(masked):
        return StatementKind.DECISION
    if _GOAL.search(masked):
        return StatementKind.GOAL
    if _IMPERATIVE.search(masked):
        return StatementKind.REQUEST
    return StatementKind.FACT if sentence.item or _says_enough(masked) else None


def _has_words(masked: str) -> bool:
    plain = masked.replace(FILL, "").strip(" \t\n.,;:!?-*()[]")
    return len(plain) >= (4 if plain.isascii() else 2)


def _says_enough(masked: str) -> bool:
    """Whether a sentence is long enough to state something: "ok then" does not."""
    words = len(_WORDS.findall(masked)) + len(_HAN.findall(masked)) * 2 // 3
    return words > _FEW or (words > 1 and (FILL in masked or any(map(str.isdigit, masked))))


def _found(session: Session) -> Iterator[Statement]:
    seen: set[str] = set()
    for message in session.prompts() if not session.delegated else ():
        for part in message.prompts:
            if part.type is not PartType.TEXT:
                continue
            text = shortened(session.source.text(part))
            for sentence in sentences(text, mask(text)):
                kind = kind_of(sentence)
                if kind is None:
                    continue
                name = rule_id(session.info.agent, session.info.id, message.id, sentence.text)
                if name in seen:
                    continue
                seen.add(name)
                yield Statement(name, kind, sentence.text, brief(sentence.text), message.id)


def _resolved(found: Sequence[Statement]) -> Iterator[Statement]:
    """`found` with what restates what."""
    told = resolved([statement.short for statement in found])
    names = [statement.id for statement in found]
    newer: dict[int, int] = {r.older: at for at, r in told.items() if r.restated.sure}
    for at, statement in enumerate(found):
        by = names[newer[at]] if at in newer else None
        mine: Resolved | None = told.get(at)
        if mine is None:
            yield replace(statement, superseded_by=by) if by else statement
            continue
        sure = mine.restated.sure
        yield replace(
            statement,
            superseded_by=by,
            restates=names[mine.older] if sure else None,
            may_restate=None if sure else names[mine.older],
            value=mine.restated.newer_value,
            was=mine.restated.older_value,
        )
