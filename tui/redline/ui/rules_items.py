"""What the rules screen says: the rules of a project, and one of them with its story."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from redline.ledger.history import Event
from redline.ledger.project import ProjectRule
from redline.ledger.remark import remarks
from redline.ledger.rule import RuleState, Scope
from redline.targets.written_rules import Written
from redline.text import counted
from redline.ui.desk_items import STATE_STYLE, inside, remark_items
from redline.ui.items import Item
from redline.ui.marks import CHECK, STATE_MARK
from redline.ui.session_items import ago

_OPEN = (RuleState.PROPOSED, RuleState.ACTIVE)
_SCOPES = {Scope.SESSION: "this session only", Scope.PROJECT: "the whole project"}
_VERBS = {
    "said": "said",
    "lifted": "lifted",
    "confirm": "confirmed",
    "dismiss": "dismissed",
    "revoke": "revoked",
    "edit": "reworded",
    "add": "added",
    "supersede": "replaced",
    "superseded": "replaced",
    "scope": "scope",
    "undo": "undone",
}


def project_items(
    rules: Iterable[ProjectRule],
    written: Mapping[str, Sequence[Written]],
    name: Callable[[str], str],
) -> list[Item]:
    """The rules under their states, the proposed ones first. At the right end: which file says
    the rule already, and in how many sessions it stands; `name` gives the words of a rule."""
    items: list[Item] = []
    grouped: dict[RuleState, list[ProjectRule]] = {}
    for one in rules:
        grouped.setdefault(one.rule.state, []).append(one)
    for state, found in grouped.items():
        if items:
            items.append(Item("", inert=True))
        items.append(Item(f"{state.value} ({len(found)})", heading=True))
        for one in found:
            items.append(_row(one, written.get(one.rule.id, ())))
            items += remark_items(one.rule, name)
    return items


def _row(one: ProjectRule, places: Sequence[Written]) -> Item:
    state = one.rule.state
    right = [f"x{len(one.sessions)}"] if len(one.sessions) > 1 else []
    right += [places[0].path.name] if places else []
    return Item(
        one.rule.text,
        mark=STATE_MARK[state],
        style=STATE_STYLE[state],
        whole=state not in _OPEN,
        right=" ".join(right),
        lines=3 if state in _OPEN else 1,
        message=one.rule.message,
        key=one.rule.id,
    )


def rule_details(
    one: ProjectRule,
    places: Sequence[Written],
    events: Sequence[Event],
    name: Callable[[str], str],
    now: datetime,
) -> list[Item]:
    """One rule whole: for whom it holds, where it is written down, where it was said, and what
    happened to it. `name` gives the words of another rule by its id."""
    rule = one.rule
    items = [
        Item(rule.text, mark=STATE_MARK[rule.state], style="strong", inert=True, lines=12),
        Item("", inert=True),
        _figure("state", rule.state.value),
        _figure("holds", _SCOPES[rule.scope]),
    ]
    if rule.edited:
        items.append(_figure("words", "yours, not as they were said"))
    items += [
        Item(words, mark=">", style="warn", inert=True, lines=4)
        for words in remarks(rule, name)
        if words != _SCOPES[Scope.SESSION]
    ]
    items += [Item("", inert=True), Item("written down", heading=True)]
    project = one.sessions[0].project
    items += [
        Item(
            f"{inside(str(place.path), project)}:{place.line}",
            mark=CHECK,
            style="good",
            right="block" if place.block else "",
            ending=True,
            inert=True,
        )
        for place in places
    ]
    if not places:
        items.append(Item("in no file of the project", style="faint", whole=True, inert=True))
    items += [Item("", inert=True), Item("what happened", heading=True)]
    items += [_event(event, now) for event in events]
    items += [Item("", inert=True), Item(counted(len(one.sessions), "session"), heading=True)]
    items += [
        Item(info.title, style="faint", right=ago(info.updated, now), inert=True)
        for info in one.sessions
    ]
    return items


def _figure(word: str, text: str) -> Item:
    return Item(text, word=word, style="faint", inert=True, lines=2)


def _event(event: Event, now: datetime) -> Item:
    who = "by hand" if event.by_hand else "in your words"
    detail = f": {event.detail}" if event.detail and event.by_hand else ""
    return Item(
        f"{who}{detail}",
        word=_VERBS.get(event.what, event.what),
        style="faint",
        right=ago(event.time, now) if event.time is not None else "",
        inert=True,
        lines=3,
    )
