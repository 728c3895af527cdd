"""Constraint cues of English sentences, and what only looks like one."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache

from redline.ledger.english_cues import CUES
from redline.ledger.needed import Needed, alternatives, bits, lowered
from redline.ledger.revocation import LIFTING
from redline.ledger.rule import RuleFamily
from redline.patterns import lazy

# What a command of the person may stand behind: the start of the sentence or of a clause.
_CLAUSE = lazy(
    r"(?:^|[,;:(—–!?.…\"“*]|\s-)\W*(?:(?:and|but|so|then|also|please|pls|plz|plese|pleas|plaese"
    r"|pelase|just|or|though"
    r"|however|ok|okay|btw|remember|note|important|again|no|nope|yes|yeah|well|hey|oh|now|still"
    r"|instead|as|a|reminder|rule|fyi|really|absolutely|definitely|kindly|seriously|ever|dude"
    r"|man|alright|right|sure|fine|great|cool|thanks|heads up|one more thing|lastly|finally"
    r"|first|second|third|also|actually|obviously|you should|you must|you need to|we should|we"
    r" must|i said|i told you)[,:!.]*\s+)*$|\b(?:and|but|so|then|please|just|also|or|because"
    r"|though|to)\s+(?:please\s+)?$",
    re.I,
)
_OPENER = lazy(
    r"^[^\w\ue000]*(?:and |but |also |ok |please )?(?:when|whenever|if|while|after|before|once"
    r"|for|in|on|during|as|unless|until|at|with|under)\b",
    re.I,
)
_SUBJECT = lazy(
    r"\b(?:i|we|you|they|he|she|it|who|which|that|why|these|those|there|people|users|some|most"
    r"|many|tests|things|ones)\s+(?:really|just|still|also|actually|generally|usually|simply"
    r"|definitely)?\s*$",
    re.I,
)
_THEIRS = lazy(
    r"\b(?:the |our |this |that |its |their )?(?:docs?|documentation|read ?me|error|log|logs"
    r"|message|comments?|spec|rfc|linter|compiler|reviewer|coworker|colleague|teammate|boss"
    r"|manager|he|she|they|article|guide|manual|blog|tutorial|stack ?overflow|output|warning"
    r"|tool|page|book|ticket|issue|copilot|chatgpt|gemini|codex|someone|somebody|people|customer"
    r"|client|vendor|api|claude)s?(?: also| just| always| clearly| explicitly| seems to)?"
    r" (?:says?|said|states?|stated|mentions?|claims?|claimed|warns?|warned|reads?|tells?|told"
    r"|suggests?|suggested|recommends?|recommended|wants? (?:us|you|me) to|requires?|expects?"
    r"|wrote|writes|thinks?|complains?|insists?|insisted|argues?|notes?|explains?)\b"
    r"|\b(?:someone|somebody|anyone|people)(?: \w+){1,4} (?:recommends?|suggests?|says?|claims?"
    r"|thinks?)\b"
    r"|\b(?!i\b)\w+ (?:complains?|complained|insists?|warns?|recommends?) (?:that|about|to|when"
    r"|if)\b"
    r"|\b(?:according to|apparently|i (?:read|heard|saw)(?: somewhere)?|it says|says that"
    r"|quote:)\b",
    re.I,
)
# A bug, a guess or an account of what happened.
_ACCOUNT = lazy(
    r"\b(?:can'?t|cannot|couldn'?t) (?:reproduce|repro|see|find|figure|understand|tell|remember"
    r"|believe|get|log in|login|connect|open|install|load|wait|say|think|help)\b|\b(?:this|that"
    r"|it|which) (?:should|must) ?(?:never|not|n't)? ?(?:happen|be possible|have)"
    r"|\bmust be (?:broken|wrong|missing|cached|stale|something|some|caused|due|related|because"
    r"|an? (?:bug|typo|mistake|issue|problem)|the (?:case|reason|cause|problem|issue))\b"
    r"|\bshould(?:n'?t| never| not) (?:happen|be happening|have happened)|\b(?:must|should|might"
    r"|could) have\b|\bmust'?ve\b|\bused to\b|\b(?:takes?|took|lasts?|lasted|returns?|gives?"
    r"|costs?) (?:at most|at least"
    r"|no more than|less than|up to|under|about)\b|\b(?:normally|usually|typically|on average)\W*$"
    r"|\b(?:api|service|server|endpoint|plan|tool|library|database|vendor"
    r"|provider)\b(?: \w+){0,3} has a"
    r" (?:rate )?(?:limit|cap|quota|max)\w*\b|\b(?:keeps?|kept) (?:failing|crashing|throwing"
    r"|returning|getting|saying|showing|happening)\b|\b(?:it|this|that|there|he|she|they|which)"
    r" (?:(?:only|always|never)\b|must (?:be|have)\b|should always\b)|\b(?:i|we) (?:only|always"
    r"|never) (?:got|get|had|saw|see|did|said|ran|used|tried|asked|noticed|wanted|knew|thought"
    r"|heard|made|touched|found|seen|met)\b|^[^\w\ue000]*(?:ok,? )?i (?:don'?t"
    r" )?think\b.*\b(?:doesn'?t|isn'?t|aren'?t|is|are|was|has)\b.*\bmust\b|\bno longer (?:works?"
    r"|exists?|happens?|fails?|there)\b|\b(?:does|did|(?<=\w )(?<!please )(?<!and )(?<!but )"
    r"(?<!also )(?<!just )(?<!you )(?<!then )(?<!or )(?<!so )do)(?:n'?t| not) (?:work|exist|compile"
    r"|build|pass|start|match|show|render|load|run|seem|look|appear|happen|make sense|matter"
    r"|help|respond|return|support)\b",
    re.I,
)
# What a product must do for its users is work, no rule for the agent.
_PRODUCT = lazy(
    r"\b(?:users?|admins?|customers?|guests?|visitors?|members?|clients?|players?|owners?|people"
    r"|the (?:button|field|form|page|dialog|modal|input|label|menu|user|popup|tooltip|endpoint"
    r"|cache|server|client|worker|job|queue|row|column|value|icon|header|footer|sidebar"
    r"|screen))(?: \w+){0,3} (?:can(?:not|'t)?|may|must|should|shall|will|are|is|have|has)\b",
    re.I,
)
_WORK = lazy(
    r"^[^\w\ue000]*(?:(?:please|now|ok|then|also|next|and|so|can you|could you|let'?s|i (?:want"
    r"|need) you to|we need to|i'd like you to)[, ]+)*(?:add|implement|create|build|write|make"
    r"|fix|change|update|show|display|render|extend|introduce|design|generate|rename"
    r"|refactor)\b.*?\b(?:that|which|where|who|so|when|if|because|where)\b",
    re.I,
)
# A limit that is to be built into the product.
_BUILDS = lazy(
    r"^[^\w\ue000]*(?:(?:please|now|ok|then|also|next|and|can you|could you|let's"
    r"|we need to)[, ]+)*"
    r"(?:add|implement|create|introduce|build|write|design|put in) (?:a|an|some|the)\b",
    re.I,
)
_QUESTION = lazy(
    r"\?\W*$|^[^\w\ue000]*(?:(?:and|but|so|ok|hmm+|also|wait|well)[, ]+)*(?:why|what|how|who"
    r"|where|when (?:do|did|does|should|will|is|are)|which|is|are|does|do (?:i|we|you|they)|did"
    r"|should (?:i|we|it|this|that)|would|could (?:it|this|that|we)|can (?:i|it|this|that)|shall"
    r"|has|have (?:you|we)|was|were|isn'?t|aren'?t|doesn'?t|didn'?t|won'?t|wouldn'?t|shouldn'?t"
    r" (?:we|it|this|that)|am i|don'?t (?:you|we|they))\b",
    re.I,
)
_POLITE = lazy(
    r"\b(?:can|could|would|will|may) (?:you|we|u)\b(?: please| pls| also| just| maybe| kindly|"
    r" make it so (?:that )?(?:we|you))*\s+(?:(?:try to|agree to) )?(?P<ask>not\b|never\b|only\b"
    r"|always\b|avoid\b|refrain\b|stick (?:to|with)\b|stop \w+ing\b|leave\b.{1,60}\b(?:alone|as"
    r" is|untouched|as it is)|keep\b(?!\s+(?:going|working|trying|reading)).{1,80}|(?:limit"
    r"|restrict|confine|skip)\b"
    r"|use\b.{1,50}\b(?:instead|rather|everywhere|from now on)|ask (?:me )?(?:first|before)|wait"
    r" (?:for|until)\b|hold off\b|preserve\b|respect\b|follow\b|make sure\b.{0,30}\b(?:not|never"
    r"|no|always|every|stays?|remains?)\b|ensure\b.{0,30}\b(?:not|never|no|stays?)\b"
    r"|do\b.{1,40}\bwithout\b)|\bwould you mind (?:not|keeping|leaving|using)\b|\b(?:can|could)"
    r" (?:that|this|it|these|they) (?:please )?stay\b|\bfrom now on\b|\bgoing forward\b",
    re.I,
)
_SCOLD = lazy(
    r"\b(?:did(?:n'?t| not) i|have(?:n'?t| not) i|did i not)\s+(?:already )?(?:tell|told|say"
    r"|said|ask|asked|mention)|\bhow (?:many times|often) (?:do|did|have|must) i\b|\bwhy (?:are"
    r"|did|do) you (?:still |keep |again )?.{0,40}\b(?:again|still|when i (?:said|told|asked)|i"
    r" (?:said|told you))",
    re.I,
)

_WEAK = 150  # characters of a sentence that a cue of a plain "no ..." or "again" may have
_WEAK_CUE = lazy(r"\W*(?:no|again|once again|not)\b", re.I)


# Each alternative of a cue is a pattern of its own, which is compiled once a sentence may match it.
_CUES = tuple((family, start, each) for family, start, cue in CUES for each in alternatives(cue))
_CUES_BITS = (1 << len(_CUES)) - 1
_BESIDE = {
    pattern: 1 << number
    for number, pattern in enumerate(
        (_POLITE, _SCOLD, _THEIRS, _ACCOUNT, _PRODUCT, _WORK, LIFTING), start=len(_CUES)
    )
}


@cache
def _needed() -> Needed:
    """Tells which cues, and which of what stands beside them, a sentence can match."""
    return Needed([*(cue for _, _, cue in _CUES), *(each.pattern for each in _BESIDE)])


@cache
def _compiled(cue: str) -> re.Pattern[str]:
    return re.compile(cue)  # of lower case, in which a search is half as long


@lru_cache(maxsize=16)  # asked twice of each sentence
def _may(sentence: str) -> int:
    return _needed().of(sentence)


def may_lift(sentence: str) -> bool:
    """Whether the masked `sentence` can be one that lifts a rule in English words."""
    return bool(_may(sentence) & _BESIDE[LIFTING])


@lru_cache(maxsize=4096)  # a ledger is detected anew at every change
def english_family(sentence: str) -> RuleFamily | None:
    """What the masked English `sentence` asks of the agent, None where it states no constraint."""
    may = _may(sentence)

    def found(beside: re.Pattern[str]) -> re.Match[str] | None:
        return beside.search(sentence) if may & _BESIDE[beside] else None

    polite, scold = found(_POLITE), found(_SCOLD)
    family = _cued(sentence, may & _CUES_BITS, found)
    if family is None and not polite and not scold:
        return None
    if _QUESTION.search(sentence) and not polite and not scold:
        return None
    if found(_THEIRS) or (not scold and found(_ACCOUNT)):
        return None
    if family is not None:
        return family
    return _asked(polite.group("ask") or "") if polite else RuleFamily.PROHIBIT


def _cued(
    sentence: str, may: int, found: Callable[[re.Pattern[str]], re.Match[str] | None]
) -> RuleFamily | None:
    """The family of the first cue that stands where a rule can be stated."""
    product = work = None
    looked = False
    lower = lowered(sentence)
    for at in bits(may):
        family, start, cue = _CUES[at]
        for match in _compiled(cue).finditer(lower):
            if start and not _leads(sentence[: match.start()]):
                continue
            if not looked:
                product, work, looked = found(_PRODUCT), found(_WORK), True
            if product and match.end() > product.start() and product.start() < match.end():
                continue
            if (
                work
                and match.start() >= work.end()
                and "," not in sentence[work.end() : match.start()]
            ):
                continue
            if family is RuleFamily.LIMIT and _BUILDS.match(sentence):
                continue
            if _WEAK_CUE.match(match.group()) and len(sentence) > _WEAK:
                continue
            return family
    return None


def _leads(before: str) -> bool:
    """Whether a command may start behind `before`."""
    if _CLAUSE.search(before):
        return not _SUBJECT.search(before)
    return bool(_OPENER.match(before)) and not _SUBJECT.search(before)


def _asked(what: str) -> RuleFamily:
    word = what.partition(" ")[0].lower()
    if word in ("not", "never", "avoid", "refrain", "stop"):
        return RuleFamily.PROHIBIT
    if word in ("keep", "leave", "preserve"):
        return RuleFamily.PRESERVE
    if word in ("only", "stick", "limit"):
        return RuleFamily.ONLY
    return RuleFamily.GATE if word in ("ask", "wait", "hold") else RuleFamily.REQUIRE
