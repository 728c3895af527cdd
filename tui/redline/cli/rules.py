"""`redline rules`: the ledger of one session, or of its project."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from redline.cli.output import SCHEMA, as_typed, note, print_json
from redline.cli.rules_arguments import RULE_VERBS
from redline.cli.rules_shown import event_json, print_history, print_rules, rule_json, written_json
from redline.cli.workplace import workplace
from redline.errors import RedlineError

if TYPE_CHECKING:
    from redline.ledger.rule import Ledger, Rule
    from redline.ledger.store import LedgerStore
    from redline.model import Session


def run(options: argparse.Namespace) -> int:
    _checked(options)
    place = workplace()
    session = place.session(options.session)
    if options.project:
        from redline.cli.rules_of_project import show_project

        return show_project(place, session.info, options)
    store = place.ledger_store()
    match options.verb:
        case "list":
            return _list(store.load(session), options)
        case "show":
            return _show(store, session, options)
        case "undo":
            return _undo(store, session, options)
        case _:
            before = store.load(session)
            return _told(before, _changed(store, session, before, options), options)


def _checked(options: argparse.Namespace) -> None:
    """Raises RedlineError for words and flags that the verb has no use for."""
    verb, words = options.verb, options.words
    if words and verb in ("list", "undo"):
        raise RedlineError(
            f"{verb} takes no {words[0]!r}", f"the verbs are {', '.join(RULE_VERBS)}"
        )
    if options.all and verb not in ("confirm", "dismiss"):
        raise RedlineError(f"{verb} takes no --all", "confirm and dismiss do")
    if verb != "list" and (options.state or options.project):
        raise RedlineError(f"{verb} takes no {'--state' if options.state else '--project'}")


def _list(ledger: Ledger, options: argparse.Namespace) -> int:
    rules = [rule for rule in ledger.rules if not options.state or rule.state in options.state]
    if options.json:
        print_json({"schema": SCHEMA, "rules": [rule_json(rule) for rule in rules]})
    elif rules or ledger.rules:
        print_rules(rules)
    else:
        note("redline: no rules found in what the user said")
    return 0


def _show(store: LedgerStore, session: Session, options: argparse.Namespace) -> int:
    from redline.targets.written_rules import written_in

    rule = _one(options.words, store.load(session))
    events = store.history(session, rule.id)
    written = written_in(session.info.project, [(rule.id, rule.text)])[rule.id]
    if options.json:
        shown = rule_json(rule) | {
            "objects": list(rule.objects),
            "history": [event_json(event) for event in events],
            "written": written_json(written),
        }
        print_json({"schema": SCHEMA, "rule": shown})
        return 0
    print_rules([rule], whole=True)
    print_history(events, written)
    return 0


def _undo(store: LedgerStore, session: Session, options: argparse.Namespace) -> int:
    taken = store.undo(session)
    if options.json:
        rules = [rule_json(rule) for rule in taken.ledger.rules]
        undone = {"verb": taken.verb, "rules": list(taken.rules)}
        print_json({"schema": SCHEMA, "undone": undone, "rules": rules})
        return 0
    note(f"redline: took back: {taken.verb} {' '.join(taken.rules)}")
    print_rules(taken.ledger.rules)
    return 0


def _told(before: Ledger, after: Ledger, options: argparse.Namespace) -> int:
    """The ledger after a step, and on standard error what of it is other than before."""
    from redline.ledger.remark import differing, replacements

    changed = dict.fromkeys(rule.id for rule in differing(before, after))
    if options.json:
        print_json(
            {
                "schema": SCHEMA,
                "changed": list(changed),
                "rules": [rule_json(rule) for rule in after.rules],
            }
        )
        return 0
    for old, new in replacements(before, after):
        note(f"redline: {new.id} replaces {old.id}{f': {old.changed}' if old.changed else ''}")
    if not changed:
        note("redline: nothing changed, the ledger says so already")
    print_rules(after.rules)
    return 0


# -- the verbs that change something ---------------------------------------------------------------


def _changed(
    store: LedgerStore, session: Session, ledger: Ledger, options: argparse.Namespace
) -> Ledger:
    words: list[str] = options.words
    match options.verb:
        case "confirm":
            return store.confirm(session, _several(words, ledger, options))
        case "dismiss":
            return store.dismiss(session, _several(words, ledger, options))
        case "revoke":
            return store.revoke(session, _several(words, ledger, options))
        case "add":
            return store.add(session, _text(words))
        case "edit":
            if len(words) < 2:
                raise RedlineError("edit takes a rule's id and its new text")
            return store.edit(session, _one(words[:1], ledger).id, _text(words[1:]))
        case "supersede":
            if len(words) < 2:
                raise RedlineError(
                    "supersede takes the older rule's id, and the id or the text of the newer",
                    "redline rules SESSION supersede OLD NEW",
                )
            return store.supersede(session, _one(words[:1], ledger).id, _text(words[1:]))
        case _:
            return _rescoped(store, session, ledger, words)


def _rescoped(store: LedgerStore, session: Session, ledger: Ledger, words: list[str]) -> Ledger:
    from redline.ledger.rule import Scope

    scopes = [scope.value for scope in Scope]
    if len(words) < 2 or words[-1] not in scopes:
        raise RedlineError(
            f"scope takes rule ids and then one of {', '.join(scopes)}",
            "redline rules SESSION scope ID project",
        )
    return store.rescope(session, _named(words[:-1], ledger), Scope(words[-1]))


def _several(words: list[str], ledger: Ledger, options: argparse.Namespace) -> list[str]:
    """The rules that `words` name, with `--all` every proposed one."""
    return [rule.id for rule in ledger.proposed] if options.all else _named(words, ledger)


def _one(words: list[str], ledger: Ledger) -> Rule:
    from redline.ledger.store import named

    if len(words) != 1:
        raise RedlineError("which rule?", "give one id as `redline rules SESSION` lists it")
    return named(ledger, words[0])


def _named(words: list[str], ledger: Ledger) -> list[str]:
    """The rules that `words` name, by id or an id's start that fits one."""
    from redline.ledger.store import named

    if not words:
        raise RedlineError("which rule?", "give its id as `redline rules SESSION` lists it")
    return [named(ledger, word).id for word in words]


def _text(words: list[str]) -> str:
    return as_typed(" ".join(words))
