"""How a word-for-word copy of a rule stands: what is beside it, and what that makes of it.

The same words say something else behind "the old rule was", before "unless it is urgent", as a
question, or in what somebody else wrote. So a copy is certified only where everything in its
sentence is known to vouch for it; words nobody has thought of make it `reworded`, which a person
looks at.
"""

from __future__ import annotations

import re

from redline.handoff.audit import Verdict
from redline.handoff.cue_words import (
    EXCEPTION,
    LIFTED,
    NEGATION,
    ONCE,
    REPORTED,
    SOFT,
    adds_exception,
    takes_back,
)
from redline.handoff.survival import Index, Place

_UNCONFIRMED = re.compile(r"\[?unconfirmed\]?|未确认")
_END = re.compile(
    r"(?<!e\.g)(?<!i\.e)(?<!\bcf)(?<!\bvs)[.!?](?=[\s\"')\]*]|$)|[。！？；]|;(?=\s|$)|(?:^|\s)\|(?:\s|$)"
)
_SIGNS = " \t\"'()[]{}<>*_|:：,，、.!。！;；-#=+「」『』【】《》（）…/&"
_WORD = re.compile(r"[^\W\d\u2e80-\U0003ffff][\w'-]*|\d+|[\u2e80-\U0003ffff]+|[^\s\w]")
_NEAR = 400  # characters beside a copy that are read
_LONG = 40  # characters of a line that may have been wrapped
# All that may stand in the sentence of a rule without making another one of it.
_WORDS = (
    "a an the user users user's human human's said says say saying stated states state told asked "
    "asks requires required requirement requirements require requested requests request insists "
    "insisted instructed instructs instruction instructions rule rules constraint constraints "
    "preference preferences directive directives order orders guideline guidelines policy "
    "policies important critical crucial note nb remember reminder must mandatory hard strict "
    "explicit explicitly standing active current currently still in force is are and that as by "
    "of for from to at on this these project project's session new also always verbatim quote "
    "quoted words word exact exactly literally literal confirmed key main global workflow style "
    "code coding testing git commit commits security safety user-stated per message messages "
    "turn twice again warning attention follow respect obey observe intent feedback decision "
    "decided decisions chose choice own here remains stays valid binding kept repeated now "
    "stands prompt source everything you do next hold holds limit limits size put it r m id"
)
_VOUCHING = frozenset(_WORDS.split())
_NUMBERED = re.compile(r"[rm]\d+")  # an id
_VOUCHING_CHINESE = re.compile(
    r"(?:用户|必须|明确|要求|规则|约束|说过|说|强调|重要|注意|遵守|仍然|有效|当前|的|了|第|条|是|原话|指示|已"
    r"|确认|提出|请|务必|铁律|硬性|红线|禁令|规定|和|与|限制|偏好|如下|决定|我们|一|二|三|四|五|消息"
    r"|项目|本|会话|中|在|里|仍|生效|继续|牢记|记住|关键|提示|提醒|编码|测试|提交)+"
)


def standing(index: Index, place: Place, *, active: bool) -> Verdict:
    """VERBATIM where the copy at `place` says what the rule says; else what became of it. For an
    `active` rule a copy that is marked unconfirmed is a weaker one."""
    before, after = _before(index, place).lower(), _after(index, place).lower()
    if active and _UNCONFIRMED.search(before):
        return Verdict.WEAKENED
    if before.endswith("~~") or after.startswith("~~"):
        return Verdict.CHANGED
    earlier, ahead = _cut(before)
    if LIFTED.search(earlier):
        return Verdict.CHANGED
    verdict = _fragment(ahead, index.flat[place.start : place.end].lower(), leading=True)
    if verdict is Verdict.VERBATIM and not index.opens(place):
        verdict = Verdict.REWORDED
    return verdict if verdict is not Verdict.VERBATIM else _followed(index, place, after)


def _followed(index: Index, place: Place, after: str) -> Verdict:
    """What that which follows makes of a copy."""
    if EXCEPTION.match(after.lstrip(_SIGNS)):
        return Verdict.WEAKENED
    if not index.closes(place) or after.lstrip("\"')*")[:1] in ("?", "？"):
        return Verdict.CHANGED
    end = _END.search(after)
    ends_itself = index.flat[place.end - 1] in ".!?。！？"
    tail, rest = (
        ("", after) if ends_itself or not end else (after[: end.start()], after[end.end() :])
    )
    if not ends_itself and not end:
        tail, rest = after, ""
    verdict = _fragment(tail, "", leading=False)
    if verdict is not Verdict.VERBATIM:
        return verdict
    following = _first(rest)
    below = _first(_next_line(index, place).lower())
    apart = not index.goes_on(place)
    if takes_back(following, apart=False) or takes_back(below, apart=apart):
        return Verdict.CHANGED
    weaker = adds_exception(following) or adds_exception(below)
    return Verdict.WEAKENED if weaker else Verdict.VERBATIM


def denied(index: Index, place: Place) -> bool:
    """Whether the sentence of a copy of the user's words takes them back: nobody said them, or they
    do not count any more."""
    _, ahead = _cut(_before(index, place).lower())
    if not ahead.strip(_SIGNS):
        ahead = ""
    after = _after(index, place).lower()
    end = _END.search(after)
    tail = after[: end.start()] if end else after
    return bool(
        NEGATION.search(ahead) or LIFTED.search(ahead) or LIFTED.search(tail)
    ) and not index.is_line(place)


def _fragment(text: str, rule: str, *, leading: bool) -> Verdict:
    """What the rest of its sentence, before or behind it, makes of a copy. A word of the `rule`
    itself only says what it is about."""
    text = text.strip(_SIGNS)
    if all(_vouches(word) or _is_topic(word, rule) for word in _WORD.findall(text)):
        return Verdict.VERBATIM
    if LIFTED.search(text) or (leading and (ONCE.search(text) or REPORTED.search(text))):
        return Verdict.CHANGED
    if SOFT.search(text) or EXCEPTION.search(text):
        return Verdict.WEAKENED
    return Verdict.CHANGED if leading and NEGATION.search(text) else Verdict.REWORDED


def _vouches(word: str) -> bool:
    if word.isdecimal() or (not word.isalnum() and len(word) == 1 and word in _SIGNS):
        return True
    return (
        word in _VOUCHING
        or _NUMBERED.fullmatch(word) is not None
        or _VOUCHING_CHINESE.fullmatch(word) is not None
    )


def _is_topic(word: str, rule: str) -> bool:
    known = (NEGATION, LIFTED, SOFT, EXCEPTION, ONCE, REPORTED)
    return len(word) > 3 and word in rule and not any(cue.search(word) for cue in known)


def _cut(before: str) -> tuple[str, str]:
    """The sentence before that of the copy, and the start of its own."""
    ends = [end.span() for end in _END.finditer(before)]
    if ends and not before[ends[-1][1] :].strip(_SIGNS):  # nothing between: an end of "Note."
        earlier, ahead = before[: ends[-1][0]], ""
    else:
        earlier = before[: ends[-1][0]] if ends else ""
        ahead = before[ends[-1][1] :] if ends else before
    inner = [end.span() for end in _END.finditer(earlier)]
    return (earlier[inner[-1][1] :] if inner else earlier), ahead


def _first(text: str) -> str:
    """The first sentence, at most 80 characters of it."""
    text = text.lstrip(_SIGNS)
    end = _END.search(text)
    return (text[: end.start()] if end else text)[:80]


def _before(index: Index, place: Place) -> str:
    """What stands before the copy in its paragraph, as far as its lines may have been wrapped."""
    text, line = index.before(place)[-_NEAR:], place.line
    while line and not index.fresh[line] and len(index.lines[line - 1]) >= _LONG:
        if len(text) >= _NEAR:
            break
        line -= 1
        if index.lines[line].endswith((":", "：")):
            break
        text = f"{index.lines[line]} {text}"
    return text


def _after(index: Index, place: Place) -> str:
    """What stands behind the copy in its paragraph, as far as its lines may have been wrapped."""
    text, line = index.after(place)[:_NEAR], index.line_at(place.end - 1)
    while (
        line + 1 < len(index.lines)
        and not index.fresh[line + 1]
        and (len(index.lines[line]) >= _LONG or index.lines[line + 1][0] in "([-（")
        and len(text) < _NEAR
    ):
        line += 1
        text = f"{text} {index.lines[line]}".lstrip()
    return text


def _next_line(index: Index, place: Place) -> str:
    line = index.line_at(place.end - 1) + 1
    return index.lines[line] if line < len(index.lines) and index.lines[line] != "\x00" else ""
