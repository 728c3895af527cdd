"""Whether two sentences that read alike are of two things, so that neither says the other anew.

Each names what the other does not, beside the values that differ; or the value is the thing itself
that they speak of: a file that is looked at, who did something, the kind of an export.
"""

from __future__ import annotations

import re

from redline.ledger import claim_cues as cues
from redline.ledger.sketch import Sketch, Word
from redline.ledger.updating import led
from redline.patterns import lazy

# What is asked once: it is done then, and the next one asks for something else.
_TASK = lazy(
    r"^\W*(?:(?:ok(?:ay)?|now|then|next|also|and|so|please|pls|just|first|actually|let's|lets|no"
    r"|can you|could you|would you|after that|afterwards|go ahead and|i(?:'d| would) like you to"
    r"|i want you to)[,:\s]+)*"
    r"(?:(?:have|take) (?:a|another) (?:\w+ )?look|look (?:at|into|through)|(?:go|carry|move) on"
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
_SAID_OF = lazy(r"\W*(?:for|is|are|as|will|should)\b", re.I)
_SUBJECT = lazy(
    r"\W*(?:(?:the|our|my|a|an|each|every|all)\s+)?([A-Za-z]{3,})\s+"
    r"(must|should|may|can|will|has|have|is|are|listens?|runs?|uses?|needs?)\b",
    re.I,
)
_HAN_SAID = lazy(
    r"现在|以后|改[到成为用走由叫]|换[到成为用]|不[超再能要用]|[上调升降提]到|移到|搬到|迁[移到]+|已经?|需要|必须|应该"
    r"|都|统一|默认|最多|至少|[的了是在用走放到为成从由给归找把被让把请先吧个]"
)
_HAN = lazy("[\u3400-\u9fff]")
_BEFORE = frozenset(("for", "from", "of", "by", "off", "like", "becomes", "became", "on"))
_MARKS = "`\"'"
_LITTLE = {"max", "min", "owner", "retention", "名", "号", "单"}


def only_once(older: str, newer: str) -> bool:
    """Whether both ask for something that is done once."""
    return _TASK.search(older) is not None and _TASK.search(newer) is not None


def told_apart(older: str, newer: str) -> bool:
    """Whether each has a word of its own that tells its thing from another of its kind."""
    before, after = set(_HAN_APART.findall(older)), set(_HAN_APART.findall(newer))
    return bool(before - after and after - before)


def two_things(old: Sketch, new: Sketch, values: tuple[str, str]) -> bool:
    """Whether `old` and `new` are of two things, where they differ in `values`, as written."""
    if _set_apart(old, new, values):
        return True
    shown = " ".join(values).lower()
    left = [
        {word.key for word in own if word.text.lower().strip(_MARKS) not in shown}
        for own in (_left(old, new), _left(new, old))
    ]
    if all(left) or _subjects_differ(old.text, new.text, shown):
        return True
    return _speaks_of(old, values[0]) and _speaks_of(new, values[1])


def of_two_things(older: str, newer: str) -> bool:
    """Whether two sentences are of two things, though it is not known what value they may give:
    each names what the other does not, beside one that stands where values do."""
    if only_once(older, newer):
        return True
    old, new = Sketch(older), Sketch(newer)
    if _set_apart(old, new, ("", "")):
        return True
    amounts = [{word.key for word in one.words if word.amount} for one in (old, new)]
    if cues.negated(older) and cues.negated(newer) and not all(amounts):
        return True
    if new.past & {word.key for word in old.words}:
        return False
    if _names_both(old, new):
        return False
    if _in_two_languages(older, newer) and not old.types & new.types:
        return True
    left, come = _left(old, new), _left(new, old)
    if not (amounts[0] - amounts[1] and amounts[1] - amounts[0]):
        pairs = ((one, other) for one in reversed(left) for other in reversed(come))
        values = next((pair for pair in pairs if _are_values(*pair)), None)
        if values is not None:
            left.remove(values[0])
            come.remove(values[1])
            return bool(left and come)
    return bool(left and come) or _subjects_differ(old.text, new.text, "")


def _names_both(old: Sketch, new: Sketch) -> bool:
    """Whether `new` names what `old` names, and another of its type beside it."""
    told = {word.key for word in old.words}
    again = {kind for word in new.words if word.key in told and word.named for kind in word.types}
    come = {kind for word in new.words if word.key not in told for kind in word.types}
    return bool(again & come - {"amount"})


def _are_values(before: Word, after: Word) -> bool:
    """Whether both stand where values of one thing do."""
    leads = {before.lead, after.lead}
    placed = all(led(word) or word.lead in _BEFORE for word in (before, after))
    alike = before.types & after.types
    return "person" in alike or (placed and (len(leads) == 1 or bool(alike)))


def _in_two_languages(older: str, newer: str) -> bool:
    return (_HAN.search(older) is None) != (_HAN.search(newer) is None)


def _set_apart(old: Sketch, new: Sketch, values: tuple[str, str]) -> bool:
    """Whether words that tell things of a kind apart do so."""
    if told_apart(old.text, new.text):
        return True
    own = old.apart - new.apart, new.apart - old.apart
    return all(each - set(value.lower().split()) for each, value in zip(own, values, strict=True))


def _left(one: Sketch, other: Sketch) -> list[Word]:
    """What only `one` names, but for amounts."""
    told = {word.key for word in other.words}
    return [
        word
        for word in one.words
        if word.key not in told | _LITTLE
        and word.amount is None
        and not word.past
        and word.types != {"switch"}
    ]


def _subjects_differ(older: str, newer: str, values: str) -> bool:
    """Whether they begin with another word before the same one, or name other things in Chinese."""
    subjects = _SUBJECT.match(older), _SUBJECT.match(newer)
    if subjects[0] and subjects[1]:
        (one, then), (other, after) = subjects[0].groups(), subjects[1].groups()
        if one.lower() != other.lower() and then.lower() == after.lower():
            return not {one.lower(), other.lower()} & set(values.split())
    told = [_HAN_SAID.sub("", text) for text in (older, newer)]
    han = [{each for each in text if each >= "\u3400" and each not in values} for text in told]
    return len(han[0] - han[1]) > 1 and len(han[1] - han[0]) > 1


def _speaks_of(one: Sketch, value: str) -> bool:
    """Whether a sentence speaks of its value, and does not say it of something."""
    found: Word | None = next(iter(one.words), None)
    if found is None or found.amount is not None:
        return False
    return found.text.lower() == value.lower() and not _SAID_OF.match(one.clean, found.end)
