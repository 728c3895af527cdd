"""What became of one text: the verdict, and the line it rests on.

Similarity never says that something was kept. It finds the line to look at; the verdict is read
from what must not differ: values, identifiers, negation, modality, conditions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from redline.handoff.audit import Verdict
from redline.handoff.survival import Index, Place, needle

# Thresholds of quality.md section 3.
_REWORDED = 0.9
_DENSE = 0.75
_RELATED = 0.5
_CANDIDATES = 6

_TOKEN = re.compile(r"[$€£#@]?\w[\w./:@%+#-]*\w%?|\w%?|[^\x00-\u2e80]")
_CHINESE = re.compile(r"[\u2e80-\U0003ffff]")
_SENTENCE = re.compile(r"(?<=[.!?;。！？；])\s+|(?<=[。！？；])|\s\|\s")

_NEGATION = re.compile(
    r"\b(?:not|never|no|nor|none|without|cannot|neither|avoid|refuse|forbid(?:den)?|prohibit(?:ed)?|"
    r"disallow(?:ed)?|off-limits)\b|n't\b|\bdont\b|不|别|勿|禁止|严禁|没|无需|避免|未经|拒绝"
)
_SOFT = re.compile(
    r"\b(?:should|could|might|may|try|tries|prefer(?:s|red|ably)?|preferably|ideally|avoid|consider|"
    r"generally|usually|normally|typically|mostly|often|sometimes|encouraged?|recommend(?:ed|s)?|"
    r"suggest(?:ed|s)?|optional(?:ly)?|nice to|would like|(?:if|where|when) possible|"
    r"as far as possible|aim to|attempt|careful|cautious|minimi[sz]e|reluctant|"
    r"wants?|wish(?:es)?)\b"
    r"|应该|尽量|最好|建议|可能|避免|一般|通常|原则上|尽可能|希望|倾向|谨慎|小心|少"
)
_EXCEPTION = re.compile(
    r"\b(?:unless|except|apart from|other than|but|however|if|when|until|only when|only if|for now|"
    r"temporarily|as needed|if needed|where needed|without (?:asking|approval|permission))\b"
    r"|除非|除了|但|如果|暂时|目前|必要时|例外|直到"
)
_LIFTED = re.compile(
    r"\b(?:no longer|not (?:true|valid|needed|required|in force) (?:any ?more)?|revoked|lifted|"
    r"ignored?|disregard|forget|obsolete|outdated|superseded|withdrawn|cancelled|canceled|dropped|"
    r"used to|previously|formerly|removed|missing|lost|stop following|wrong|false)\b"
    r"|作废|取消|解除|不再|忽略|忘掉|废弃|失效|曾经|以前|缺失"
)
# Whoever else says it does not make it the user's rule.
_REPORTED = re.compile(
    r"\b(?:docs?|documentation|readme|wiki|article|blog|guide|another|others?|upstream)\b"
    r".*\b(?:says?|said|states?|tells?|reads?)\b|\baccording to\b"
    r"|(?:文档|文章|别的|其他|他们|别人).*(?:说|写|要求|规定)"
)
_UNCONFIRMED = re.compile(r"\[?unconfirmed\]?|未确认")
_OPPOSITES = [
    {"before", "after"}, {"enable", "disable"}, {"enabled", "disabled"}, {"allow", "forbid"},
    {"allowed", "forbidden"}, {"include", "exclude"}, {"add", "remove"}, {"start", "stop"},
    {"above", "below"}, {"more", "less"}, {"most", "least"}, {"minimum", "maximum"},
    {"always", "never"}, {"first", "last"}, {"on", "off"}, {"true", "false"}, {"all", "none"},
    {"keep", "delete"}, {"keep", "remove"}, {"with", "without"}, {"open", "close"},
    {"increase", "decrease"}, {"up", "down"}, {"everything", "nothing"}, {"fail", "pass"},
    {"允", "禁"}, {"前", "后"}, {"多", "少"}, {"加", "删"}, {"开", "关"}, {"上", "下"},
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict with the line it was found in (None where there is no trace)."""

    verdict: Verdict
    found: str | None = None
    where: str | None = None


MISSING = Finding(Verdict.MISSING)


def tokens(text: str) -> list[str]:
    """Words, identifiers with their signs, and single Chinese characters, in lower case."""
    found: list[str] = []
    for token in _TOKEN.findall(text.lower()):
        if not token.isascii() and len(token) > 1 and _CHINESE.search(token):
            found += re.findall(r"[\u2e80-\U0003ffff]|[^\u2e80-\U0003ffff]+", token)
        else:
            found.append(token.rstrip(".:-/") if len(token) > 1 else token)
    return found


def _stems(found: list[str]) -> list[str]:
    """`found` without the endings of English words, to find the line to look at."""
    return [
        re.sub(r"(?:ing|ed|es|s|e)$", "", token) if len(token) > 4 and token.isalpha() else token
        for token in found
    ]


def anchors(text: str) -> list[str]:
    """The tokens of `text` that may not be said in another way: values, paths, identifiers."""
    found = [
        token
        for token in tokens(text)
        if token.isascii() and (re.search(r"\d", token) or re.search(r"\w[./_:@#]\w", token))
    ]
    found += [name.lower() for name in re.findall(r"\b[a-z]+[A-Z]\w*|\b[A-Z]{2,}\w*\b", text)]
    found += [name.lower() for name in re.findall(r"['\"]([\w./-]{2,40})['\"]", text)]
    return [name for name in found if name not in ("don", "isn", "doesn", "won", "can", "didn")]


@dataclass
class Candidates:
    """The sentences of an index by their tokens, for what is not there word for word."""

    index: Index
    sentences: list[tuple[str, int]] = field(default_factory=list)
    tokens: list[list[str]] = field(default_factory=list)
    stems: list[list[str]] = field(default_factory=list)
    holding: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, index: Index) -> Candidates:
        found = cls(index)
        for line, text in enumerate(index.lines):
            if text == "\x00":
                continue
            parts = [part for part in _SENTENCE.split(text) if part.strip()]
            # A text may be spread over the sentences of a line.
            for part in parts if len(parts) < 2 else [*parts, text]:
                if len(part) > 4_000:
                    continue
                own = tokens(part)
                stems = _stems(own)
                for token in set(stems):
                    found.holding.setdefault(token, []).append(len(found.sentences))
                found.sentences.append((part, line))
                found.tokens.append(own)
                found.stems.append(stems)
        return found

    def best(self, wanted: list[str]) -> Iterable[tuple[int, float, float]]:
        """Sentences that have most in common with `wanted`: (number, recall, density), best
        first. Recall is of the tokens in their order, density how much else the sentence says."""
        from rapidfuzz.distance import LCSseq  # only where something is not word for word

        counts: Counter[int] = Counter()
        wanted = _stems(wanted)
        rare = sorted(set(wanted), key=lambda token: len(self.holding.get(token, ())))
        for token in rare[:40]:
            holders = self.holding.get(token, ())
            if len(holders) <= 400:
                counts.update(holders)
        scored: list[tuple[float, float, int]] = []
        for number, _ in counts.most_common(_CANDIDATES):
            own = self.stems[number]
            common = LCSseq.similarity(wanted, own)
            scored.append((common / len(wanted), common / max(len(own), 1), number))
        for recall, density, number in sorted(scored, reverse=True):
            yield number, recall, density

    def where(self, number: int) -> str:
        return self.index.wheres[self.sentences[number][1]]


def verbatim(index: Index, text: str, *, clause: bool) -> Finding | None:
    """Where `text` stands word for word, None if it does not. `clause`: it must stand alone
    between line ends or punctuation marks, so that a longer text does not pass for it."""
    for place in index.clauses(text) if clause else index.words(text):
        return Finding(Verdict.VERBATIM, index.lines[place.line], index.wheres[place.line])
    return None


def rule_verdict(index: Index, candidates: Candidates, text: str, *, active: bool) -> Finding:
    """The verdict on a rule: word for word only where nothing beside it takes it back."""
    return stated(index, text, active=active) or graded(candidates, text)


def stated(index: Index, text: str, *, active: bool) -> Finding | None:
    """The verdict on a rule where its own words stand; None where they do not."""
    wanted = needle(text)
    worse: Finding | None = None
    for bare in dict.fromkeys((wanted, wanted.rstrip(" .!。！"))):
        for place in index.words(bare):
            verdict = _in_context(index, place, active)
            if verdict is Verdict.VERBATIM:
                return Finding(verdict, index.lines[place.line], index.wheres[place.line])
            if worse is None or verdict.value != Verdict.REWORDED.value:
                worse = Finding(verdict, index.lines[place.line], index.wheres[place.line])
    return worse


def in_prompt(index: Index, prompts: Iterable[str], rule: str) -> Place | None:
    """Where `rule` stands in a prompt (in any of its forms, `prompts`), where that stands whole."""
    for prompt in prompts:
        text = needle(prompt)
        at = text.find(rule) if rule else -1
        if at < 0:
            continue
        for place in index.whole_lines(text):
            start = place.start + at
            return Place(start, start + len(rule), index.line_at(start))
    return None


def _in_context(index: Index, place: Place, active: bool) -> Verdict:
    before, after = index.before(place).lower(), index.after(place).lower()
    if active and _UNCONFIRMED.search(before):
        return Verdict.WEAKENED
    if _LIFTED.search(_last_sentence(before)) or _LIFTED.search(_first_sentence(after)):
        return Verdict.CHANGED
    if _EXCEPTION.search(_last_sentence(before)):
        return Verdict.WEAKENED
    following = after.lstrip(" ,.;:!?-\"'()，；：。！？").lower()
    if _EXCEPTION.match(following):
        return Verdict.WEAKENED
    if not index.opens(place):
        last = _last_sentence(before)
        if _SOFT.search(last):
            return Verdict.WEAKENED
        return Verdict.CHANGED if _NEGATION.search(last) else Verdict.REWORDED
    if not index.closes(place):
        return Verdict.CHANGED
    return Verdict.REWORDED if _REPORTED.search(_last_sentence(before)) else Verdict.VERBATIM


def _last_sentence(text: str) -> str:
    return re.split(r"[.!?。！？](?:\s|$)", text.rstrip(" .!?。！？"))[-1]


def _first_sentence(text: str) -> str:
    return re.split(r"[.!?。！？](?:\s|$)", text.lstrip(" .!?。！？,;:-'\""), maxsplit=1)[0][:80]


def graded(candidates: Candidates, text: str) -> Finding:
    """The verdict on a text that is not there word for word, from the line that is nearest."""
    wanted = tokens(needle(text))
    if not wanted:
        return MISSING
    needed = set(anchors(text))
    best: Finding | None = None
    for number, recall, density in candidates.best(wanted):
        if recall < _RELATED:
            break
        sentence = candidates.sentences[number][0]
        verdict = _compared(text, sentence, needed, wanted, candidates.tokens[number])
        if verdict is Verdict.REWORDED and (recall < _REWORDED or density < _DENSE):
            verdict = Verdict.MISSING
        finding = Finding(verdict, sentence, candidates.where(number))
        if best is None or list(Verdict).index(verdict) > list(Verdict).index(best.verdict):
            best = finding
    return best or MISSING


def _compared(
    text: str, sentence: str, needed: set[str], wanted: list[str], own: list[str]
) -> Verdict:
    """What a related sentence did to `text`, before it is asked how much of it is there."""
    said, now = needle(text).lower(), sentence.lower()
    have = set(own) | set(anchors(sentence))
    if needed - have:
        return Verdict.CHANGED
    missing, new = set(wanted) - set(own), set(own) - set(wanted)
    for pair in _OPPOSITES:
        if pair & missing and pair & new:
            return Verdict.CHANGED
    softened = len(_SOFT.findall(now)) > len(_SOFT.findall(said))
    if bool(_NEGATION.search(said)) != bool(_NEGATION.search(now)) or (
        not softened and len(_NEGATION.findall(said)) % 2 != len(_NEGATION.findall(now)) % 2
    ):
        return Verdict.WEAKENED if softened and _NEGATION.search(now) else Verdict.CHANGED
    if _LIFTED.search(now) and not _LIFTED.search(said):
        return Verdict.CHANGED
    if softened or len(_EXCEPTION.findall(now)) > len(_EXCEPTION.findall(said)):
        return Verdict.WEAKENED
    if _values(new) and _values(missing):
        return Verdict.CHANGED
    return Verdict.REWORDED


def _values(found: set[str]) -> bool:
    return any(re.search(r"\d", token) for token in found)
