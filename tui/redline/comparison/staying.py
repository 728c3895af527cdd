"""What stays word for word in the messages that plans keep, for many plans at once.

By the audit's own rules, as if there were no handoff. Parts that the same plans keep are read and
looked through together, each once; what no plan keeps is not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from redline.compaction.outline import Outline
from redline.compaction.plan import Action, Plan
from redline.facts.fact import Facts
from redline.handoff.anchoring import commit_places, error_places, path_places, token_places
from redline.handoff.audit import Verdict
from redline.handoff.survival import Index, Place, joined, needle, words_of
from redline.handoff.survivors import Survivors, survivors
from redline.handoff.verdicts import in_prompt, spoken, stated
from redline.ledger.rule import Ledger, Rule, RuleState
from redline.model import Message, Part, Session


class Thing(StrEnum):
    """What is counted: rules in force or proposed, the user's prompts, changed files, errors that
    are open, and the other anchors (git commits, issues, URLs, commands)."""

    RULES = "rules"
    WORDS = "words"
    FILES = "files"
    ERRORS = "errors"
    ANCHORS = "anchors"


@dataclass(frozen=True, slots=True)
class Stays:
    """How many stay word for word: in messages that are kept, and (`quoted`) in prompts that the
    handoff quotes, where no kept message holds them. `of` are those that come from a message of
    the context."""

    kept: int = 0
    quoted: int = 0
    of: int = 0

    @property
    def both(self) -> int:
        return self.kept + self.quoted


Counted = Mapping[Thing, Stays]
_Test = Callable[[Survivors], bool]
_Find = Callable[[Index, str], Iterable[Place]]


def staying(
    session: Session,
    plans: Sequence[Plan],
    ledger: Ledger,
    facts: Facts,
    cancelled: Callable[[], bool] = lambda: False,
) -> tuple[Counted, ...] | None:
    """What stays by each of `plans`, all of one outline; None where it was `cancelled`. Raises
    RedlineError where the session's file has changed under it."""
    if not plans:
        return ()
    shape = plans[0].outline
    wanted = list(_wanted(shape, ledger, facts))
    held = [0] * len(wanted)
    for mask, kept in _held(session, shape, plans):
        for number, (_, test) in enumerate(wanted):
            if cancelled():
                return None
            if mask & ~held[number] and test(kept):
                held[number] |= mask
    return tuple(_counted(plan, wanted, held) for plan in range(len(plans)))


def _counted(plan: int, wanted: list[tuple[Thing, _Test]], held: list[int]) -> Counted:
    kept, either, of = (dict.fromkeys(Thing, 0) for _ in range(3))
    for (thing, _), mask in zip(wanted, held, strict=True):
        of[thing] += 1
        kept[thing] += bool(mask & _kept_bit(plan))
        either[thing] += bool(mask & (_kept_bit(plan) | _quoted_bit(plan)))
    return {thing: Stays(kept[thing], either[thing] - kept[thing], of[thing]) for thing in Thing}


# -- what is kept by which plans -------------------------------------------------------------------


def _kept_bit(plan: int) -> int:
    return 1 << 2 * plan


def _quoted_bit(plan: int) -> int:
    return 2 << 2 * plan


def _held(
    session: Session, shape: Outline, plans: Sequence[Plan]
) -> Iterable[tuple[int, Survivors]]:
    """The parts of the context by the plans that keep or quote them (two bits a plan)."""
    masks: dict[tuple[int, int], int] = {}
    members: dict[int, dict[int, Message]] = {}
    turned = {message for plan in plans for message, _ in plan.parts}
    columns = list(zip(*(plan.actions for plan in plans), strict=True))
    for i, message in enumerate(shape.messages):
        alike = i not in turned and _WHOLE.issuperset(columns[i])
        whole = _mask(columns[i]) if alike else 0
        for j in range(len(message.parts)):
            mask = whole if alike else _mask(plan.action_of(i, j) for plan in plans)
            if mask:
                masks[i, j] = mask
                members.setdefault(mask, {})[i] = message
    for mask, messages in members.items():

        def stays(index: int, part: Part, mask: int = mask) -> bool:
            return masks.get((index, part.index)) == mask

        yield mask, survivors(session, "", "", list(messages.items()), stays)


_WHOLE = frozenset((Action.KEEP, Action.SUMMARISE, Action.DROP))  # of all parts of a message alike


def _mask(actions: Iterable[Action]) -> int:
    found = 0
    for plan, action in enumerate(actions):
        if action is Action.KEEP:
            found |= _kept_bit(plan)
        elif action is Action.QUOTE:
            found |= _quoted_bit(plan)
    return found


# -- what is looked for ----------------------------------------------------------------------------


def _wanted(shape: Outline, ledger: Ledger, facts: Facts) -> Iterable[tuple[Thing, _Test]]:
    """Each thing once, with what tells whether parts that are kept hold it."""
    there = shape.index
    said: dict[str, list[str]] = {}
    for prompt in facts.prompts:
        said.setdefault(prompt.message, []).append(prompt.text)
    for rule in ledger.live:
        if rule.message in there:
            yield Thing.RULES, _rule(rule, said.get(rule.message or "", ()))
    prompts: dict[str, list[tuple[str, int]]] = {}
    for prompt in facts.prompts:
        if prompt.message in there and prompt.text.strip():
            prompts.setdefault(prompt.text, []).append((prompt.message, prompt.part))
    for text, places in prompts.items():
        yield Thing.WORDS, _words(text, places)
    files = {file.path for file in facts.changed if file.message in there}
    errors = {e.line for e in facts.open_errors if e.message in there and e.line.strip()}
    commits = {commit.sha for commit in facts.commits if commit.message in there}
    tokens = {one.text for one in (*facts.references, *facts.urls) if one.message in there}
    tokens |= {c.command for c in facts.commands if c.message in there and c.command.strip()}
    for thing, texts, find in (
        (Thing.FILES, files, path_places),
        (Thing.ERRORS, errors, error_places),
        (Thing.ANCHORS, commits, commit_places),
        (Thing.ANCHORS, tokens, token_places),
    ):
        for text in texts:
            yield thing, _anchor(text, find)


def _rule(rule: Rule, prompts: Iterable[str]) -> _Test:
    text = needle(rule.text)
    words = words_of(text)
    active = rule.state is RuleState.ACTIVE

    def test(held: Survivors) -> bool:
        if not text or not held.kept or not held.rules.may_hold(words):
            return False
        found = stated(held.rules, rule.text, active=active)
        if found is not None and found.verdict is Verdict.VERBATIM:
            return True
        return not rule.edited and any(in_prompt(held.rules, [one], text) for one in prompts)

    return test


def _words(text: str, places: list[tuple[str, int]]) -> _Test:
    forms = [(one, words_of(one)) for one in dict.fromkeys((needle(text), joined(text))) if one]
    apart = "\n" in text.strip()

    def test(held: Survivors) -> bool:
        if not held.kept.isdisjoint(places):
            return True
        return any(
            held.spoken.may_hold(words) and _is_spoken(held.spoken, form, apart)
            for form, words in forms
            if held.kept
        )

    return test


def _is_spoken(index: Index, form: str, apart: bool) -> bool:
    found = spoken(index, form, apart=apart)
    return found is not None and found.verdict is Verdict.VERBATIM


def _anchor(text: str, find: _Find) -> _Test:
    form = needle(text)
    words = words_of(form)

    def test(held: Survivors) -> bool:
        indexes = (held.text, held.bodies) if held.kept else (held.bodies,)
        return bool(form) and any(
            next(iter(find(index, text)), None) is not None
            for index in indexes
            if index.may_hold(words)
        )

    return test
