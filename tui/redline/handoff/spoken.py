"""What the user said, sentence by sentence, with how much of it the next agent must know.

All of it counts but what is known to be over: an order to look at something, a question, a thank
you. What a statement is called does not matter much, that it is one does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from redline.facts.fact import PromptFact
from redline.handoff.handoff import Handoff
from redline.handoff.purpose import is_command, is_passing
from redline.handoff.quoting import MARK
from redline.ledger.brevity import brief
from redline.ledger.masking import mask
from redline.ledger.resolving import resolved
from redline.ledger.sentences import Sentence, sentences
from redline.ledger.statements import StatementKind, kind_of
from redline.redaction import redact

# Values, over each other: what holds on, an order that changes something, what may be either, an
# order that is done with its answer, a question.
STATED, ORDERED, TOLD, PASSING, ASKED = 3.0, 2.6, 2.4, 0.6, 0.3
_LASTS = PASSING  # what is worth less says nothing again
_NAMED = 0.15  # more for each name or value in it, at most three
_CARRIED = 1.1  # times: what was chosen before is chosen again
_LONGEST = 400  # characters of one sentence
_MOST_OWN = 0.5  # of a sentence that is the person's words; less is pasted
_SHORT = 120  # characters of a sentence that may be little but names
_MAY_PASS = (StatementKind.REQUEST, StatementKind.FACT, None)

_POLITE = re.compile(
    r"^\W*(?:\w+[,.]\s+)?(?:can|could|would|will) (?:you|we)\s+(?:please\s+)?"
    r"(?!tell|say|explain|see|look|show|read|check)\w+(?=[^?？]*$)",
    re.I,
)
_NAME = re.compile(
    r"`[^`\n]+`|\b\w+_\w+|\b[A-Za-z]*[a-z][A-Z]\w*|[\w.~-]*/[\w./~-]+|\d[\d.,:]*|\b[A-Z]{2,}\b"
    r"|\b[\w-]+\.\w{1,5}\b"
)
_QUESTION = re.compile(r"[?？]\W*$|(?:吗|呢)[。!！]*$")
_WORDS = re.compile(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]{2,}")
_SHOWN = re.compile(
    r"[\w.]+: (?:'[^']*'|\"[^\"]*\"|-\d+),?|[\w.]+\([\w, ]*\)(?:: \S+)?"
)  # no words
STOPS = ".。 "
"""What may end a sentence and says nothing."""
_BESIDE = re.compile(
    r"(?:^| )\((newer than|perhaps newer): ((?:[^()\n]|\([^()\n]*\))+|.+?)\)(?=\s|$)",
    re.MULTILINE,
)
_JOINS = (";", "；")
_OLDER = "newer than"
_INITIAL = re.compile(r"(?:^|\s)[A-Z]\.$")
_CHATTER_WORDS = 3


@dataclass(frozen=True, slots=True)
class Spoken:
    """One sentence: `text` as written, `short` without fillers, `message` where it stands. `value`
    is how much it matters. `replaced` is the later one that took its place. `older` is an earlier
    one that it may say again, which then stands with it, `newer` a later one that may say it again.
    `carried` tells that an earlier handoff had it, `kept` that the prompt it is in stays as it is.
    `whole` is it with what a semicolon joins to it, "" where nothing is."""

    text: str
    short: str
    message: str = ""
    value: float = STATED
    carried: bool = False
    older: str = ""
    newer: str = ""
    kept: bool = False
    replaced: str = ""
    whole: str = ""

    @property
    def bare(self) -> str:
        """The short form without the stop at its end: what two that are the same share."""
        return bare(self.short)

    def told(self, text: str) -> str:
        """`text` (its own or its short form), with what it may say again or what may say it."""
        said = text.rstrip(STOPS)
        return said + self.beside if self.beside and said else text

    @property
    def beside(self) -> str:
        """What is written behind it of the earlier or the later one."""
        if self.older:
            return f" (newer than: {self.older.rstrip(STOPS)})"
        return f" (perhaps newer: {self.newer.rstrip(STOPS)})" if self.newer else ""

    def taken_out(self, text: str) -> str:
        """`text` without this sentence, and without the earlier one that stands with it."""
        before, _, after = text.partition(self.text)
        if beside := _BESIDE.match(after):
            after = after[beside.end() :]
        return before + after.lstrip(STOPS) if after[:1] in STOPS[:2] else before + after


class Apart(NamedTuple):
    """A sentence without what stands with it: an earlier one that it may say again, or a later one
    that may say it again."""

    text: str
    older: str = ""
    newer: str = ""


def spoken(
    prompts: Iterable[PromptFact],
    earlier: Handoff | None,
    rules: Sequence[str] = (),
    *,
    stays: Callable[[PromptFact], bool] = lambda _: False,
) -> tuple[Spoken, ...]:
    """What `earlier` carries of the user's words, then what `prompts` say, in order; secrets are
    taken out. `rules` are those that stand beside them: they may replace and be replaced too, and
    are given back first, one for one. A prompt that `stays` is kept as it is."""
    found = {
        text: Spoken(text, brief(text), older=older, newer=newer)
        for text, older, newer in map(apart, rules)
    }
    order = list(found)
    for rule in [found[text] for text in order if found[text].newer]:
        found.setdefault(rule.newer, Spoken(rule.newer, brief(rule.newer), carried=True))
    for said in _carried(earlier) if earlier is not None else ():
        found.setdefault(said.text, said)
    for prompt in prompts:
        if is_command(prompt.text):
            continue
        here = stays(prompt)
        for said in _sentences(redact(prompt.text).text, prompt.message):
            before = found.pop(said.text, said)  # what is said again is said now
            found[said.text] = replace(said, older=before.older, newer=before.newer, kept=here)
    told = _resolved(list(found.values()), frozenset(order))
    return (*(told[text] for text in order), *(told[text] for text in found if text not in order))


def bare(text: str) -> str:
    """A sentence without fillers and without the stop at its end."""
    return brief(text).rstrip(STOPS)


def apart(text: str) -> Apart:
    """A sentence, and what stands with it as `Spoken.told` wrote it."""
    pieces = _BESIDE.split(text)
    if len(pieces) != 4 or pieces[3]:
        return Apart(text)
    said, form, other, _ = pieces
    return Apart(said, older=other) if form == _OLDER else Apart(said, newer=other)


def _carried(earlier: Handoff) -> Iterator[Spoken]:
    goals = (*earlier.earlier_goals, *([earlier.goal] if earlier.goal else []))
    for goal in goals:
        yield Spoken(goal, brief(goal), value=STATED, carried=True)
    for words in earlier.user_words:
        pieces = _BESIDE.split(words.text)
        besides = zip([*pieces[1::3], ""], [*pieces[2::3], ""], strict=True)
        for piece, (form, other) in zip(pieces[::3], besides, strict=True):
            carried = [
                replace(said, carried=True, value=said.value * _CARRIED)
                for said in _sentences(piece, words.message)
            ]
            yield from carried[:-1]
            older, newer = (other, "") if form == _OLDER else ("", other)
            yield from (replace(said, older=older, newer=newer) for said in carried[-1:])


def _sentences(text: str, message: str) -> Iterator[Spoken]:
    for piece in MARK.split(text)[::4]:
        found = list(_joined(sentences(piece, mask(piece))))
        for place, sentence in enumerate(found):
            if len(sentence.text) <= _LONGEST and (value := _value(sentence)) > 0:
                plain = sentence.text.strip()
                yield Spoken(plain, brief(plain), message, value, whole=_whole(found, place))


def _whole(found: Sequence[Sentence], place: int) -> str:
    """The sentence at `place` with those that a semicolon joins to it; "" where it begins none."""
    texts = [found[place].text.strip()]
    joined = place > 0 and found[place - 1].text.rstrip()[-1:] in _JOINS
    while not joined and texts[-1][-1:] in _JOINS and place + len(texts) < len(found):
        texts.append(found[place + len(texts)].text.strip())
    whole = " ".join(texts)
    return brief(whole) if len(texts) > 1 and len(whole) <= _LONGEST else ""


def _joined(found: Iterable[Sentence]) -> Iterator[Sentence]:
    """Sentences, those that only an initial ended joined again: "Kim L. reviews it"."""
    begun: Sentence | None = None
    for sentence in found:
        if begun is not None:
            text, masked = f"{begun.text} {sentence.text}", f"{begun.masked} {sentence.masked}"
            sentence = replace(begun, text=text, masked=masked)
        begun = sentence if _INITIAL.search(sentence.text) else None
        if begun is None:
            yield sentence
    if begun is not None:
        yield begun


def _value(sentence: Sentence) -> float:
    """How much a sentence matters; 0 for chatter and for what is not the person's words."""
    text, masked = sentence.text, sentence.masked
    own, all_of_it = (sum(map(len, _WORDS.findall(shown))) for shown in (masked, text))
    if own < _MOST_OWN * all_of_it and (len(text) > _SHORT or not _NAME.search(text)):
        return 0.0
    names = min(3, len(_NAME.findall(text))) * _NAMED
    if _SHOWN.fullmatch(text) or (not names and len(_WORDS.findall(text)) < _CHATTER_WORDS):
        return 0.0
    kind = kind_of(sentence)
    if kind in _MAY_PASS and is_passing(text):
        return ASKED if _QUESTION.search(text) else PASSING
    match kind:
        case StatementKind.REQUEST:
            return ORDERED + names
        case None:
            if _QUESTION.search(text):
                return ASKED
            if _POLITE.match(text):
                return ORDERED + names
            return TOLD + names
        case _:
            return STATED + names


def _resolved(found: Sequence[Spoken], rules: Collection[str]) -> dict[str, Spoken]:
    """By their texts all of `found`, with what was said again later marked by what took its place.
    A rule stays where it was only worded otherwise by what is none; where it is not sure, the older
    of two stands with the newer."""
    result = {said.text: said for said in found}
    lasting = [said for said in found if said.value >= _LASTS]
    for at, again in resolved([said.whole or said.short for said in lasting]).items():
        older, newer = result[lasting[again.older].text], result[lasting[at].text]
        if older.bare == newer.bare or (
            again.restated.same and older.text in rules and newer.text not in rules
        ):
            continue
        if again.restated.sure:
            result[older.text] = replace(older, replaced=newer.whole or newer.text)
        elif not older.older and not newer.older:
            result[newer.text] = replace(newer, older=older.short)
            result[older.text] = replace(older, newer=newer.whole or newer.short)
    return result


def current(found: Iterable[Spoken]) -> Iterator[Spoken]:
    """Those that no kept message has and that nothing replaced."""
    return (said for said in found if not said.kept and not said.replaced)
