"""A handoff made to fit a budget: the most important first.

While all that must not be lost fits as it is, only the rest is chosen from. Where it does not, the
handoff is brief: without leads, times and blank lines. A strict budget that is smaller still gets
the sentences that matter instead of whole prompts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from redline.handoff.budget import Budget
from redline.handoff.choosing import REASONS, Choice, Item, sources_of
from redline.handoff.condensing import tight
from redline.handoff.handoff import Handoff, UserWords
from redline.handoff.markdown import render
from redline.handoff.purpose import as_typed, is_command, one_line, request, short
from redline.handoff.reading import value_of
from redline.handoff.spoken import PASSING, Spoken, bare, current

COMMIT = "git commit "
_STEP, _LINE, _SUBJECT = 200, 200, 64  # characters in a brief handoff
_SHORT_STATE = 400
_NEAR_STEPS = 6
_TWO = 1.8  # times the value of a sentence that another one stands with

# How much the items of a section matter over those of others, and how much less each one is worth
# than the one before it. The newest stand last, but for those of `_NEWEST_FIRST`.
_WHOLE = {
    "next_plan": (100.0, 0.3),
    "blocked": (100.0, 0.0),
    "open_questions": (100.0, 0.0),
    "current_state": (95.0, 0.0),
    "plan": (85.0, 0.2),
    "rejected": (80.0, 0.5),
    "user_words": (79.0, 0.2),
    "done": (75.0, 0.3),
    REASONS: (72.0, 0.3),
    "decisions": (70.0, 0.4),
    "earlier_goals": (68.0, 0.5),
    "previous": (65.0, 0.0),
    "findings": (55.0, 0.5),
    "skills": (50.0, 0.2),
    "errors": (45.0, 0.5),
    "anchors.issues": (42.0, 0.3),
    "anchors.urls": (35.0, 0.5),
    "anchors.commands": (30.0, 0.5),
    "files.referenced": (25.0, 0.2),
    "anchors.commits": (10.0, 0.0),
}
_BRIEF = {
    "blocked": (2.0, 1.0),
    "open_questions": (2.0, 1.0),
    "rejected": (1.5, 0.95),
    "decisions": (1.5, 0.97),
    "findings": (1.2, 0.97),
    "plan": (1.2, 0.97),
    "done": (1.0, 0.95),
    "skills": (0.6, 1.0),
    "anchors.urls": (0.6, 0.95),
    "anchors.issues": (0.5, 0.97),
    "anchors.commands": (0.25, 0.95),
    "files.referenced": (0.25, 0.97),
    "previous": (0.2, 1.0),
}
_NEWEST_FIRST = ("next_plan", "blocked", "open_questions", "plan")


@dataclass(frozen=True, slots=True)
class Material:
    """What a handoff is made of: `whole` with everything in it, `said` what the user said (first
    the rules of `whole`, one for one), `own` how many of its last user words are of this session,
    `state` the state in a line, `project` the folder that paths begin with."""

    whole: Handoff
    said: tuple[Spoken, ...]
    own: int
    state: str = ""
    project: str = ""


def fitted(material: Material, budget: Budget) -> Handoff:
    """The handoff of `material` no longer than `budget` as Markdown."""
    whole = material.whole
    if budget.holds(render(whole)):
        return whole
    for is_brief in (False, True):
        made, complete = _whole(material, budget, brief=is_brief, carried=True)
        if complete:
            return made
    if not budget.strict:
        return _whole(material, budget, brief=True, carried=False)[0]
    items = list(_brief_items(material))
    choice = Choice(_bare(whole, budget), budget)
    choice.take(items, dense=True)
    made = choice.handoff()
    if choice.has_rules(items):
        return made
    choice = Choice(Handoff(version=whole.version, brief=True), budget)
    choice.take([item for item in items if item.is_rule], dense=True)
    return choice.handoff()


def _whole(
    material: Material, budget: Budget, *, brief: bool, carried: bool
) -> tuple[Handoff, bool]:
    """The handoff with all that must be there as it is, and whether it fits; with `carried` the
    user's words from earlier handoffs are of that."""
    items = list(_whole_items(material, budget, brief=brief, carried=carried))
    choice = Choice(_base(material.whole, brief=brief), budget)
    choice.take(items, dense=False)
    made = choice.handoff()
    there = sum(pick.item.must for pick in choice.picks) == sum(item.must for item in items)
    return made, there and budget.holds(render(made))


def _base(whole: Handoff, *, brief: bool) -> Handoff:
    """What nobody chooses from: where the originals are, and what a person put in."""
    return Handoff(
        version=whole.version,
        transcript=whole.transcript,
        focus=whole.focus,
        extra=whole.extra,
        notes=whole.notes,
        brief=brief,
    )


def _bare(whole: Handoff, budget: Budget) -> Handoff:
    base = _base(whole, brief=True)
    if budget.measure(whole.transcript) * 10 > budget.limit:
        base = replace(base, transcript=whole.transcript.replace("\\", "/").rpartition("/")[2])
    return base


# -- everything whole ------------------------------------------------------------------------------


def _whole_items(
    material: Material, budget: Budget, *, brief: bool, carried: bool
) -> Iterator[Item]:
    whole = material.whole
    committed = {text.split(" ", 3)[2].rstrip(":") for text in whole.done if _is_commit(text)}
    yield from (_must(whole, "goal", (whole.goal,)) if whole.goal else ())
    with_newer = _with_newer_rules(material) if budget.strict else set()
    for place, (rule, one) in enumerate(zip(whole.constraints, material.said, strict=False)):
        if rule.confirmed or one.short not in with_newer:
            yield _item(whole, "constraints", place, (rule,), 200, must=True)
    for place, path in enumerate(whole.files.changed):
        yield _item(whole, "files.changed", place, (path,), 200, must=True)
    for place, words in enumerate(whole.user_words):
        if budget.strict and is_command(words.text):
            continue
        own = place >= len(whole.user_words) - material.own
        form = replace(words, time="") if brief else words
        if budget.strict:
            form = _without_replaced(form, material.said)
        elif brief:
            form = replace(form, superseded="", perhaps_superseded="")
        whole_still = form.text == words.text and form.text.strip()
        if whole_still or any(map(str.isalnum, form.text)):
            value = _worth("user_words", place, len(whole.user_words))
            yield _item(whole, "user_words", place, (form,), value, must=own or carried)
    for place, error in enumerate(whole.errors):
        failure = replace(error, time="") if brief else error
        value = _worth("errors", place, len(whole.errors))
        yield _item(whole, "errors", place, (failure,), value, must=not error.resolution)
    for place, text in enumerate(whole.done):
        value = _worth("done", place, len(whole.done))
        forms = _forms(_commit(text), text) if brief and _is_commit(text) else (text,)
        yield _item(whole, "done", place, forms, value, must=_is_commit(text))
    for place, text in enumerate(whole.anchors.commits):
        told = text.split(" ", 1)[0] in committed
        value = _worth("anchors.commits", place, len(whole.anchors.commits))
        yield _item(whole, "anchors.commits", place, (text,), value, must=not told)
    for key in ("current_state", "previous"):
        if text := str(value_of(whole, key)):
            line = (material.state,) if material.state and key == "current_state" else ()
            forms = tuple(dict.fromkeys((*line, short(text, _SHORT_STATE), text)))
            must, sources = bool(line), sources_of(whole, key)
            yield Item(key, forms, _WHOLE[key][0], must=must, sources=sources)
    for place, pair in enumerate(whole.reasons.items()):
        yield Item(REASONS, (pair,), _worth(REASONS, place, len(whole.reasons)), place)
    for key in _LISTS:
        items = _tuple(whole, key)
        for place, text in enumerate(items):
            value = _worth(key, place, len(items))
            near = key == "next_plan" and place < _NEAR_STEPS
            yield _item(whole, key, place, (text,), value, must=near)


_LISTS = (
    "next_plan",
    "blocked",
    "open_questions",
    "plan",
    "rejected",
    "decisions",
    "earlier_goals",
    "findings",
    "skills",
    "anchors.issues",
    "anchors.urls",
    "anchors.commands",
    "files.referenced",
)


def _must(whole: Handoff, key: str, forms: tuple[Any, ...]) -> tuple[Item, ...]:
    return (Item(key, forms, 200, must=True, sources=sources_of(whole, key)),)


def _item(
    whole: Handoff,
    key: str,
    place: int,
    forms: tuple[Any, ...],
    value: float,
    *,
    must: bool = False,
) -> Item:
    return Item(key, forms, value, place, must, sources_of(whole, key, place))


def _worth(key: str, place: int, count: int) -> float:
    value, less = _WHOLE[key]
    return value - less * (place if key in _NEWEST_FIRST else count - 1 - place)


def _tuple(whole: Handoff, key: str) -> tuple[Any, ...]:
    value = value_of(whole, key)
    assert isinstance(value, tuple)
    return value


def _commit(text: str) -> str:
    """A git commit with the start of its subject."""
    line = one_line(text)
    return line if len(line) <= _SUBJECT else line[:_SUBJECT].rpartition(" ")[0] + " ..."


def _is_commit(text: str) -> bool:
    return text.startswith(COMMIT) and len(text.split(" ", 3)) > 2


def _without_replaced(words: UserWords, said: Sequence[Spoken]) -> UserWords:
    """A prompt without the sentences whose place a later one took; one that a later one may say
    again stands with that one."""
    text = words.text
    with_newer = {one.older for one in current(said) if one.older}
    for one in said:
        if one.text in text and (one.replaced or one.short in with_newer):
            text = one.taken_out(text)
    for one in said:
        if one.older and one.text in text and one.beside not in text:
            text = text.replace(one.text, one.told(one.text), 1)
    return replace(
        words,
        text=as_typed(text) if text != words.text else text,
        superseded="",
        perhaps_superseded="",
    )


# -- sentences -------------------------------------------------------------------------------------


def _brief_items(material: Material) -> Iterator[Item]:
    whole, rules = material.whole, len(material.whole.constraints)
    with_newer = {one.older for one in current(material.said) if one.older}
    of_rules = _with_newer_rules(material)
    yield from _brief_rules(whole, material.said[:rules], of_rules)
    told = {one.bare for one in material.said[:rules]} | set(map(bare, with_newer))
    if whole.goal:
        yield from _must(whole, "goal", (whole.goal,))
        told.add(bare(whole.goal))
    distinct = {one.bare: one for one in current(material.said[rules:])}
    beside = _beside_rules(whole, material.said, of_rules)
    words = [
        one
        for text, one in distinct.items()
        if text not in beside and (text not in told or one.older)
    ]
    for place, one in enumerate(words):
        if not whole.goal.removesuffix("...") or not one.text.startswith(
            whole.goal.removesuffix("...")
        ):
            forms = tuple(UserWords(form, one.message) for form in _told(one))
            sources = (one.message,) if one.message else ()
            value = one.value * (_TWO if one.older else 1)
            yield Item("user_words", forms, value, place, sources=sources)
    texts = told | set(distinct)
    yield from _brief_steps(whole, texts)
    if material.state:
        yield Item("current_state", (material.state,), 1.2, sources=sources_of(whole, "goal"))
    yield from _brief_evidence(material)
    for key, (value, less) in _BRIEF.items():
        items = (str(value_of(whole, key)),) if key == "previous" else _tuple(whole, key)
        for place, item in enumerate(items):
            text = item if isinstance(item, str) else item.content
            if not text or bare(text) in texts or (key == "done" and _is_commit(text)):
                continue
            after = place if key in _NEWEST_FIRST else len(items) - 1 - place
            line = short(one_line(text), _LINE)
            form = line if isinstance(item, str) else replace(item, content=line, time="", scope="")
            yield _item(whole, key, place, (form,), value * less**after)


def _with_newer_rules(material: Material) -> set[str]:
    """The rules that a newer rule may say again, and that stand with it. One that may only be said
    again by what is no rule stays a rule."""
    rules = material.said[: len(material.whole.constraints)]
    return {one.older for one in current(rules) if one.older}


def _beside_rules(whole: Handoff, said: Sequence[Spoken], with_newer: Collection[str]) -> set[str]:
    """What is no rule and may say one again, and stands with that one."""
    pairs = zip(whole.constraints, said, strict=False)
    return {
        bare(one.newer)
        for rule, one in pairs
        if not (rule.confirmed or one.older or one.replaced or one.short in with_newer)
    }


def _brief_rules(
    whole: Handoff, said: Sequence[Spoken], with_newer: Collection[str]
) -> Iterator[Item]:
    for place, (rule, one) in enumerate(zip(whole.constraints, said, strict=False)):
        bare = replace(rule, id="")
        newness = (place + 1) / len(whole.constraints) if rule.id else 0  # none: of an earlier one
        if rule.confirmed:
            yield _item(whole, "constraints", place, (bare,), newness + 10, must=True)
        elif not one.replaced and one.short not in with_newer:
            made = tuple(replace(bare, text=form) for form in _told(one))
            yield _item(whole, "constraints", place, made, newness + 6, must=True)


def _brief_steps(whole: Handoff, said: set[str]) -> Iterator[Item]:
    for place, text in enumerate(whole.next_plan):
        line = short(one_line(request(text)), _STEP)
        value = PASSING if bare(line) in said else 2.5 * 0.97**place
        yield _item(whole, "next_plan", place, (line,), value)


def _brief_evidence(material: Material) -> Iterator[Item]:
    """Files, errors and commits."""
    whole, project = material.whole, material.project.rstrip("/") + "/"
    for place, path in enumerate(whole.files.changed):
        near = path.removeprefix(project) if len(project) > 2 else path
        value = 2.5 * 0.95 ** (len(whole.files.changed) - 1 - place)
        yield _item(whole, "files.changed", place, _forms(near, path), value)
    open_errors = [error for error in whole.errors if not error.resolution]
    for place, error in enumerate(open_errors):
        value = 4.0 if place >= len(open_errors) - 3 else 2.5
        yield _item(whole, "errors", place, (replace(error, time=""),), value)
    commits = [text for text in whole.done if _is_commit(text)]
    for place, text in enumerate(commits):
        value = 2.0 * 0.95 ** (len(commits) - 1 - place)
        at = whole.done.index(text)
        yield _item(whole, "done", at, _forms(_commit(text), text), value)


def _told(one: Spoken) -> tuple[str, ...]:
    """What was said in its forms, the shortest first: with what it may say again as long as there
    is room for both."""
    less = tight(one.text)
    both = replace(one, older=tight(one.older), newer=tight(one.newer))
    alone = (less,) if one.older or not one.newer else ()
    forms = (*alone, both.told(less), one.told(one_line(one.short).rstrip(".。")))
    return tuple(dict.fromkeys(sorted(forms, key=len)))


def _forms(shorter: str, longer: str) -> tuple[str, ...]:
    line = one_line(longer)
    less = one_line(shorter)
    return (line,) if len(less) >= len(line) else (less, line)
