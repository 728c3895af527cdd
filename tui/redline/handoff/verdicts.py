"""What became of one text: the verdict, and the line it rests on.

Similarity never says that something was kept. It finds the line to look at; the verdict is read
from what must not differ: values, identifiers, negation, modality, conditions.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from redline.handoff.audit import Verdict
from redline.handoff.cue_words import (
    EXCEPTION,
    FREES,
    LIFTED,
    NEGATION,
    OPPOSITES,
    PERMITS,
    PIVOTS,
    SOFT,
)
from redline.handoff.standing import denied, standing
from redline.handoff.survival import Index, Place, needle

# Thresholds of quality.md section 3.
_REWORDED = 0.9
_DENSE = 0.75
_RELATED = 0.5
_CANDIDATES, _MOST_CANDIDATES = 6, 24
_CONTRARY = 0.5  # of a rule's words, but for those of its polarity, that its contrary has at least
_INTRODUCED = re.compile(r"\A[^,.:：]{1,24}[:：]\s*")  # "Update: "
_POLAR = re.compile(
    r"never|not?|do|don|don't|must|may|only|alway|always|be|the|a|to|it|is|you|now|fin|free|feel|ok|"
    r"updat|[不要必须禁止只能可以准严的先再前后无需也都更新现在]"
)
# What tells of the past lifts no rule.
_REPORTS = re.compile(r"\b(?:did|didn't|was|wasn't|were|had|has|have|haven't)\b|了")

_TOKEN = re.compile(r"[$€£#@]?\w[\w./:@%+#-]*\w%?|\w%?|[^\x00-\u2e80]")
_CHINESE = re.compile(r"[\u2e80-\U0003ffff]")
_SENTENCE = re.compile(r"(?<=[.!?;。！？；])\s+|(?<=[。！？；])|\s\|\s")


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


@lru_cache(maxsize=4_096)
def _asked(text: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The tokens of a text that is looked for, and its anchors."""
    return tuple(tokens(needle(text))), frozenset(anchors(text))


@dataclass
class Candidates:
    """The sentences of an index by their tokens, for what is not there word for word."""

    index: Index
    sentences: list[tuple[str, int]] = field(default_factory=list)
    tokens: list[list[str]] = field(default_factory=list)
    stems: list[list[str]] = field(default_factory=list)
    holding: dict[str, list[int]] = field(default_factory=dict)
    _names: dict[int, list[str]] = field(default_factory=dict)

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

    def best(
        self, wanted: list[str], most: int = _CANDIDATES
    ) -> Iterable[tuple[int, float, float]]:
        """Sentences that have most in common with `wanted`: (number, recall, density), best
        first. Recall is of the tokens in their order, density how much else the sentence says."""
        from rapidfuzz.distance import LCSseq  # only where something is not word for word

        counts: Counter[int] = Counter()
        wanted = _stems(wanted)
        rare = sorted(dict.fromkeys(wanted), key=lambda token: len(self.holding.get(token, ())))
        for token in rare[:40]:
            holders = self.holding.get(token, ())
            if len(holders) <= 400:
                counts.update(holders)
        scored: list[tuple[float, float, int]] = []
        for number, _ in counts.most_common(most):
            own = self.stems[number]
            common = LCSseq.similarity(wanted, own)
            scored.append((common / len(wanted), common / max(len(own), 1), number))
        for recall, density, number in sorted(scored, reverse=True):
            yield number, recall, density

    def anchors(self, number: int) -> list[str]:
        """Those of a sentence."""
        if number not in self._names:
            self._names[number] = anchors(self.sentences[number][0])
        return self._names[number]

    def where(self, number: int) -> str:
        return self.index.wheres[self.sentences[number][1]]


def verbatim(index: Index, text: str, *, clause: bool) -> Finding | None:
    """Where `text` stands word for word, None if it does not. `clause`: it must stand alone
    between line ends or punctuation marks, so that a longer text does not pass for it."""
    for place in index.clauses(text) if clause else index.words(text):
        return Finding(Verdict.VERBATIM, index.lines[place.line], index.wheres[place.line])
    return None


def spoken(index: Index, text: str, *, apart: bool) -> Finding | None:
    """Where a prompt stands, alone between line ends or punctuation marks; changed where what is
    beside it takes it back. `apart`: it has several lines, which may stand in several blocks."""
    worse: Finding | None = None
    for place in index.clauses(text):
        if not apart and not index.in_one_block(place):
            continue
        verdict = Verdict.CHANGED if denied(index, place) else Verdict.VERBATIM
        worse = Finding(verdict, index.lines[place.line], index.wheres[place.line])
        if verdict is Verdict.VERBATIM:
            break
    return worse


def rule_verdict(index: Index, candidates: Candidates, text: str, *, active: bool) -> Finding:
    """The verdict on a rule: word for word only where nothing beside it takes it back."""
    return stated(index, text, active=active) or graded(candidates, text)


def stated(index: Index, text: str, *, active: bool) -> Finding | None:
    """The verdict on a rule where its own words stand; None where they do not."""
    wanted, apart = needle(text), "\n" in text.strip()
    worse: Finding | None = None
    for bare in dict.fromkeys((wanted, wanted.rstrip(" .!。！"))):
        for place in index.words(bare):
            if not apart and not index.in_one_block(place):
                continue
            verdict = standing(index, place, active=active)
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


def graded(candidates: Candidates, text: str) -> Finding:
    """The verdict on a text that is not there word for word, from the line that is nearest."""
    words, needed = _asked(text)
    if not words:
        return MISSING
    wanted = list(words)
    best: Finding | None = None
    for number, recall, density in candidates.best(wanted):
        sentence, own = candidates.sentences[number][0], candidates.tokens[number]
        if turned_round(wanted, own):
            verdict = Verdict.CHANGED
        elif recall < _RELATED:
            break
        else:
            names = candidates.anchors(number)
            verdict = _compared(text, sentence, needed, wanted, own, names)
            if verdict is Verdict.REWORDED and (recall < _REWORDED or density < _DENSE):
                verdict = Verdict.MISSING
        finding = Finding(verdict, sentence, candidates.where(number))
        if best is None or list(Verdict).index(verdict) > list(Verdict).index(best.verdict):
            best = finding
    return best or MISSING


def contradicted(
    candidates: Candidates, text: str, spared: Callable[[str], bool]
) -> Finding | None:
    """The sentence that says the contrary of a rule which stands word for word elsewhere; None
    where there is none. It names all that the rule names, and is neither a report of what was done
    nor `spared` (another rule, the user's own earlier words)."""
    words, needed = _asked(text)
    wanted, said = list(words), needle(text).lower()
    content = {stem for stem in _stems(wanted) if not _POLAR.fullmatch(stem)}
    if len(content) < 2:
        return None
    own_sentences = [piece.strip(" .!。！") for piece in _SENTENCE.split(said)]

    def own_part(now: str, line: int) -> bool:
        """Whether it is a sentence of the rule, or a line of its copy that was wrapped."""
        wrapped = not all(candidates.index.fresh[line : line + 2])
        return now in own_sentences or (wrapped and now in said)

    for number, _, _ in candidates.best(wanted, _MOST_CANDIDATES):
        sentence, own = candidates.sentences[number][0], candidates.tokens[number]
        now = _INTRODUCED.sub("", sentence.lower())
        frees = bool(needed) and FREES.search(now) is not None
        theirs = {stem for stem in candidates.stems[number] if not _POLAR.fullmatch(stem)}
        least = 1 if frees else _CONTRARY * max(len(content), len(theirs))
        if sentence[0] == sentence[-1] == "'":  # an error line or a command, as code
            continue
        if len(content & theirs) < least or needed - {*own, *candidates.anchors(number)}:
            continue
        contrary = frees or turned_round(wanted, own) or any(map(_contrary, *_clauses(said, now)))
        if (
            contrary
            and not own_part(now.strip(" .!。！"), candidates.sentences[number][1])
            and len(_SENTENCE.split(sentence)) == 1
            and not _REPORTS.search(now)
            and not spared(sentence)
        ):
            return Finding(Verdict.CHANGED, sentence, candidates.where(number))
    return None


def _clauses(said: str, now: str) -> tuple[list[str], list[str]]:
    """Both sentences whole and, where they have as many of them, by their clauses."""
    ours, theirs = re.split(r"[,，]", said), re.split(r"[,，]", now)
    alike = len(ours) == len(theirs) > 1
    return ([said, *ours], [now, *theirs]) if alike else ([said], [now])


def _contrary(said: str, now: str) -> bool:
    fewer = len(NEGATION.findall(now)) < len(NEGATION.findall(said))
    permits = PERMITS.search(now) and not PERMITS.search(said)
    return bool(fewer or permits or opposed(said, now))


def turned_round(wanted: list[str], own: list[str]) -> bool:
    """Whether a sentence has all the words, and what stands behind "before", "not" or "only" is
    something else."""
    if Counter(wanted) - Counter(own) or len(own) > len(wanted) + 3:
        return False
    return any(_behind(wanted, word) - _behind(own, word) for word in PIVOTS.intersection(wanted))


def _behind(found: list[str], word: str) -> Counter[str]:
    at = found.index(word)
    return Counter(_stems(found[at + 1 : at + 4]))


def _compared(
    text: str,
    sentence: str,
    needed: frozenset[str],
    wanted: list[str],
    own: list[str],
    names: list[str],
) -> Verdict:
    """What a related sentence did to `text`, before it is asked how much of it is there."""
    said, now = needle(text).lower(), sentence.lower()
    have = {*own, *names}
    if needed - have:
        return Verdict.CHANGED
    missing, new = set(wanted) - set(own), set(own) - set(wanted)
    softened = len(SOFT.findall(now)) > len(SOFT.findall(said))
    if any(map(opposed, *_clauses(said, now))) or (
        not softened and len(NEGATION.findall(said)) % 2 != len(NEGATION.findall(now)) % 2
    ):
        return Verdict.WEAKENED if softened and NEGATION.search(now) else Verdict.CHANGED
    if softened or len(EXCEPTION.findall(now)) > len(EXCEPTION.findall(said)):
        return Verdict.WEAKENED
    if missing and any(_is_name(token) or _grown(token, missing) for token in new):
        return Verdict.CHANGED
    if _measured(wanted) - _measured(own) or _numbers(said) - _numbers(now):
        return Verdict.CHANGED
    if _CHINESE.search(said) and any(len(t) > 1 and t.isascii() for t in missing):
        return Verdict.CHANGED  # a word of another language is a name
    if [token for token in wanted if token in needed] != [t for t in own if t in needed][
        : len(wanted)
    ]:
        return Verdict.CHANGED
    return Verdict.REWORDED


def opposed(said: str, now: str) -> bool:
    """Whether `now` says the contrary of `said`: by a word for its opposite, by a negation that is
    one too many or too few, by saying that it ended."""
    wanted, own = set(tokens(said)), set(tokens(now))
    if any(pair & (wanted - own) and pair & (own - wanted) for pair in OPPOSITES):
        return True
    if bool(NEGATION.search(said)) != bool(NEGATION.search(now)):
        return True
    return bool(LIFTED.search(now) and not LIFTED.search(said))


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.,:]\d+)*", text))


def _is_name(token: str) -> bool:
    """Whether a token is a value or an identifier."""
    return re.search(r"\d|\w[./_:@#-]\w|\A[$€£#@]", token) is not None


def _grown(token: str, missing: set[str]) -> bool:
    """Whether `token` is one of those `missing` with something more, that is no ending of it."""
    return any(
        len(other) > 1 and other in token and _stems([other]) != _stems([token])
        for other in missing
    )


def _measured(found: list[str]) -> set[tuple[str, str]]:
    """The numbers with what they count."""
    return {
        (number, _stems([unit])[0])
        for number, unit in itertools.pairwise(found)
        if number[:1].isdigit() and unit.isalpha()
    }
