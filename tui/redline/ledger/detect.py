"""Rules a person stated in a session, found without a model. A person confirms them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace

from redline.ledger.english import english_family, may_lift
from redline.ledger.masking import mask
from redline.ledger.objects import LANGUAGES, About, about
from redline.ledger.restated import with_restatements
from redline.ledger.revocation import lifted_by, lifts, place_of, things
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState
from redline.ledger.scope import scope_of
from redline.ledger.sentences import LONGEST, Sentence, sentences
from redline.model import Agent, Message, PartType, Session
from redline.redaction import redact

LONGEST_PROMPT = 60_000  # characters of one prompt that are searched: its start and its end
_NEAR = 50  # earlier rules about one object that a rule is held against, the newest
_AGAINST = frozenset((RuleFamily.PROHIBIT, RuleFamily.PRESERVE))
_PUNCTUATION = re.compile(r"[\s\"'`*_.,;:!?，。；：！？、“”‘’()（）]+")
_CLAUSES = re.compile(r"(.{8,}?)[,，;；]\s*(?:and\s+)?([^,，;；]+)", re.S)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LANGUAGE = "\0language"
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_NUMBER = re.compile(r"\d+")


@dataclass(slots=True)
class _Found:
    rule: Rule
    about: About
    key: str
    number: int = 0


@dataclass(slots=True)
class _Rules:
    """The rules found so far, in order, and by what one looks for them."""

    items: list[_Found] = field(default_factory=list)
    keys: dict[str, list[_Found]] = field(default_factory=dict)
    places: dict[Hashable, list[_Found]] = field(default_factory=dict)
    objects: dict[str, list[_Found]] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)

    def add(self, item: _Found, place: int | None = None) -> None:
        item.number = len(self.items)
        self.items.insert(len(self.items) if place is None else place, item)
        self.keys.setdefault(item.key, []).append(item)
        self.places.setdefault(place_of(item.about), []).append(item)
        for name in item.about.objects:
            self.objects.setdefault(_LANGUAGE if name in LANGUAGES else name, []).append(item)
        self.ids.add(item.rule.id)

    def sharing(self, subject: About) -> list[_Found]:
        """The rules about one of the same objects, or another language, the newest first."""
        names = {_LANGUAGE if name in LANGUAGES else name for name in subject.objects}
        found = {id(item): item for name in names for item in self.objects.get(name, ())[-_NEAR:]}
        return sorted(found.values(), key=lambda item: item.number, reverse=True)

    def place_of(self, item: _Found) -> int:
        return next(place for place, other in enumerate(self.items) if other is item)


def detect(session: Session) -> Ledger:
    """What looks like a rule in the prompts of the whole live branch, in the order it was said.

    States: PROPOSED; REVOKED by a later message that lifts it and names just what it is about;
    SUPERSEDED by a later rule that asks the opposite of the same object, or that says it again with
    another value or in other words.
    """
    return Ledger(tuple(with_restatements(stated(session), {})))


def stated(session: Session, known: Iterable[Rule] = ()) -> tuple[Rule, ...]:
    """The rules that the prompts state, before it is asked which say another one again.

    Only prompts are read: neither tool output nor an agent's words nor injected text can state a
    rule, and in a subagent's session nobody. What was said twice in the same words is one rule,
    unless it was revoked in between. No text of a rule holds a secret. `known` are rules from
    before the session: they come first, and its words say them again, lift them or supersede them
    like its own.
    """
    found = _Rules()
    for rule in known:
        subject = about(rule.text, mask(rule.text), against=rule.family in _AGAINST)
        found.add(_Found(replace(rule, state=RuleState.PROPOSED), subject, normal(rule.text)))
    for message in session.prompts() if not session.delegated else ():
        for part in message.prompts:
            if part.type is not PartType.TEXT:
                continue
            text = shortened(session.source.text(part))
            for sentence in sentences(text, mask(text)):
                _take(found, sentence, message, session)
    return tuple(item.rule for item in found.items)


def family_of(sentence: Sentence) -> RuleFamily | None:
    """What the sentence asks, None where it states no rule. An item of a list of rules is one."""
    masked = sentence.masked if sentence.masked.isascii() else _UNSEEN.sub("", sentence.masked)
    if len(masked) > LONGEST:
        return None
    family = None
    if _CHINESE.search(masked):
        from redline.ledger.chinese import chinese_family  # its patterns take a while to compile

        family = chinese_family(masked)
    family = family or english_family(masked)
    if (
        family is None
        and sentence.ruled
        and len(masked) >= 6
        and not masked.rstrip().endswith(("?", "？"))
    ):
        return RuleFamily.REQUIRE
    return family


def rule_id(agent: Agent, session: str, message: str | None, text: str) -> str:
    """The id of a rule: the same in every run, for the same sentence in the same message."""
    whole = "\0".join((agent.value, session, message or "", normal(text)))
    return "r" + hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def normal(text: str) -> str:
    """`text` without what two writings of one sentence may differ in: case, spaces, punctuation."""
    return _PUNCTUATION.sub(" ", text.lower()).strip()


def shortened(text: str) -> str:
    """`text`, of a very long one its start and its end."""
    if len(text) <= LONGEST_PROMPT:
        return text
    half = LONGEST_PROMPT // 2
    return f"{text[:half]}\n\n{text[-half:]}"


def _take(found: _Rules, sentence: Sentence, message: Message, session: Session) -> None:
    family = family_of(sentence)
    said = sentence.masked
    chinese = not said.isascii() and _CHINESE.search(said) is not None
    lifting = lifts(said, english=may_lift(said), chinese=chinese)
    if lifting and _lifted(found, sentence, message):
        return
    if family is None:
        return
    text = redact(sentence.text).text
    key = normal(text)
    if any(item.rule.state is RuleState.PROPOSED for item in found.keys.get(key, ())):
        return
    masked = said if text == sentence.text else mask(text)
    subject = about(text, masked, against=family in _AGAINST)
    name = rule_id(session.info.agent, session.info.id, message.id, sentence.text)
    if name in found.ids:
        return
    rule = Rule(
        id=name,
        text=text,
        family=family,
        state=RuleState.PROPOSED,
        scope=scope_of(sentence.masked),
        message=message.id,
        time=message.time,
        objects=subject.order,
    )
    new = _Found(rule, subject, key)
    for item in found.sharing(subject) if subject.verbs else ():
        if item.rule.state is not RuleState.REVOKED and conflicts(item, new):
            rest = None if item.rule.state is RuleState.SUPERSEDED else _rest(item, session)
            item.rule = replace(item.rule, state=RuleState.SUPERSEDED, by=name)
            if rest is not None and rest.rule.id not in found.ids:
                found.add(rest, found.place_of(item) + 1)
    found.add(new)


def _rest(item: _Found, session: Session) -> _Found | None:
    """What is left of a rule with a limit when only the limit was set anew: its first clause, where
    that is a rule and has no number. "Be brief, at most 60 words" leaves "Be brief"."""
    match = _CLAUSES.fullmatch(item.rule.text)
    if match is None or item.rule.family is not RuleFamily.LIMIT or not _NUMBER.search(match[2]):
        return None
    text = match[1]
    masked = mask(text)
    family = family_of(Sentence(text, masked))
    if family is None or _NUMBER.search(text):
        return None
    subject = about(text, masked, against=family in _AGAINST)
    name = rule_id(session.info.agent, session.info.id, item.rule.message, text)
    rule = replace(item.rule, id=name, text=text, family=family, objects=subject.order)
    return _Found(rule, subject, normal(text))


def _lifted(found: _Rules, sentence: Sentence, message: Message) -> bool:
    """Revoke the rules that `sentence` lifts; whether there were any. Newest words win: of several
    revocations the last one is noted."""
    said = about(sentence.text, sentence.masked, against=False)
    hit = False
    for item in found.places.get(place_of(said), ()):
        if lifted_by(item.about, said):
            item.rule = replace(item.rule, state=RuleState.REVOKED, by=message.id)
            hit = True
    return hit


def conflicts(old: _Found, new: _Found) -> bool:
    """Whether `new` asks the opposite of `old` of the same object, another limit of it, or another
    language."""
    verbs = old.about.verbs & new.about.verbs
    if not verbs:
        return False
    if old.rule.family is RuleFamily.LIMIT and new.rule.family is RuleFamily.LIMIT:
        common = things(old.about) & things(new.about)
        numbers = _NUMBER.findall(old.rule.text), _NUMBER.findall(new.rule.text)
        return bool(common) and numbers[0] != numbers[1]
    languages = old.about.objects & LANGUAGES, new.about.objects & LANGUAGES
    if all(languages) and not languages[0] & languages[1]:
        others = old.about.objects - LANGUAGES, new.about.objects - LANGUAGES
        return bool(others[0] & others[1]) or not any(others)
    return bool((old.about.wanted & new.about.unwanted) or (old.about.unwanted & new.about.wanted))
