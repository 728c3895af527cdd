"""Rules as `redline rules` prints them, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from redline.cli.output import console, when
from redline.ledger.remark import remarks
from redline.text import one_line

if TYPE_CHECKING:
    from redline.ledger.history import Event
    from redline.ledger.rule import Rule
    from redline.targets.written_rules import Written

_SHOWN = 110  # characters of a rule in a list


def rule_json(rule: Rule) -> dict[str, Any]:
    """One rule with everything the ledger knows of it."""
    origin = rule.origin
    return {
        "id": rule.id,
        "text": rule.text,
        "family": rule.family.value,
        "state": rule.state.value,
        "scope": rule.scope.value,
        "message": rule.message,
        "time": when(rule.time),
        "by": rule.by,
        "edited": rule.edited,
        "replaces": rule.replaces,
        "may_replace": rule.may_replace,
        "may_be_lifted": rule.may_be_lifted,
        "changed": rule.changed or None,
        "from": None
        if origin is None
        else {"agent": origin.agent, "session": origin.session, "message": origin.message},
    }


def event_json(event: Event) -> dict[str, Any]:
    """One step in the life of a rule with its cause: a message, or `hand`."""
    session = event.session
    return {
        "time": when(event.time),
        "what": event.what,
        "state": event.state.value if event.state is not None else None,
        "cause": "hand" if event.by_hand else "message",
        "message": event.message,
        "session": None
        if session is None
        else {"agent": session.agent, "session": session.session},
        "detail": event.detail or None,
    }


def written_json(places: Iterable[Written]) -> list[dict[str, Any]]:
    """Which files say a rule."""
    return [{"path": str(one.path), "line": one.line, "block": one.block} for one in places]


def print_rules(rules: Iterable[Rule], *, whole: bool = False) -> None:
    """One line a rule: id, state, text and, in brackets, what is to be said beside it."""
    out = console()
    for rule in rules:
        text = " ".join(rule.text.split()) if whole else one_line(rule.text, _SHOWN)
        said = "; ".join(remarks(rule))
        line = f"{rule.id}  {rule.state.value:<10}  {text}"
        out.print(f"{line}  [{said}]" if said else line)


def print_history(events: Iterable[Event], written: Iterable[Written]) -> None:
    """What happened to a rule, and which files say it."""
    out = console()
    for event in events:
        time = f"{event.time.astimezone():%Y-%m-%d %H:%M}" if event.time else " " * 16
        cause = "by hand" if event.by_hand else f"message {event.message}"
        state = event.state.value if event.state is not None else "gone"
        detail = f"  {one_line(event.detail, _SHOWN)}" if event.detail else ""
        out.print(f"  {time}  {event.what:<10}  {state:<10}  {cause}{detail}")
    for place in written:
        block = " (redline's block)" if place.block else ""
        out.print(f"  written in {place.path}:{place.line}{block}")
