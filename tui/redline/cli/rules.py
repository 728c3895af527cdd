"""`redline rules`: the ledger of one session."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from redline.cli.output import SCHEMA, as_typed, console, print_json, when
from redline.cli.workplace import workplace
from redline.errors import RedlineError
from redline.text import one_line

if TYPE_CHECKING:
    from redline.ledger.rule import Ledger, Rule


def run(options: argparse.Namespace) -> int:
    place = workplace()
    session = place.session(options.session)
    store = place.ledger_store()
    words: list[str] = options.words
    ledger = store.load(session)
    match options.verb:
        case "list":
            _none(words, "list")
        case "confirm":
            chosen = [rule.id for rule in ledger.proposed] if options.all else _ids(words, ledger)
            ledger = store.confirm(session, chosen)
        case "dismiss":
            ledger = store.dismiss(session, _ids(words, ledger))
        case "revoke":
            ledger = store.revoke(session, _ids(words, ledger))
        case "add":
            ledger = store.add(session, _text(words))
        case "edit":
            if len(words) < 2:
                raise RedlineError("edit takes a rule's id and its new text")
            ledger = store.edit(session, _ids(words[:1], ledger)[0], _text(words[1:]))
    if options.json:
        print_json({"schema": SCHEMA, "rules": [rule_json(rule) for rule in ledger.rules]})
        return 0
    if not ledger.rules:
        console().print("no rules found in what the user said")
    for rule in ledger.rules:
        console().print(f"{rule.id}  {rule.state.value:<10}  {one_line(rule.text, 110)}")
    return 0


def rule_json(rule: Rule) -> dict[str, Any]:
    """One rule with everything the ledger knows of it."""
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
    }


def _ids(words: list[str], ledger: Ledger) -> list[str]:
    """The rules that `words` name, by id or an id's start that fits one."""
    if not words:
        raise RedlineError("which rule?", "give its id as `redline rules SESSION` lists it")
    found: list[str] = []
    for word in words:
        near = [rule.id for rule in ledger.rules if rule.id.startswith(word)]
        if word in near:
            near = [word]
        if len(near) != 1:
            known = ", ".join(rule.id for rule in ledger.rules) or "none"
            raise RedlineError(f"{word!r} names no single rule", f"rules: {known}")
        found += near
    return found


def _text(words: list[str]) -> str:
    text = as_typed(" ".join(words)).strip()
    if not text:
        raise RedlineError("a rule needs a text")
    return text


def _none(words: list[str], verb: str) -> None:
    if words:
        raise RedlineError(
            f"{verb} takes no {words[0]!r}",
            "the verbs are list, confirm, edit, dismiss, add and revoke",
        )
