"""`redline audit`: what survives, worst first, and the calls that broke an active rule.

Exit status 1 where something required is lost.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redline.cli.advice_json import breach_json
from redline.cli.handoff_text import handoff_text
from redline.cli.output import SCHEMA, console, note, print_json
from redline.cli.workplace import Workplace, asks_for_plan, choice_of, workplace
from redline.errors import RedlineError
from redline.text import counted, one_line

if TYPE_CHECKING:
    from redline.compaction.breaches import Breach
    from redline.handoff.audit import Audit
    from redline.model import Session


def run(options: argparse.Namespace) -> int:
    from redline.compaction.breaches import breaches
    from redline.handoff.auditing import audit

    if options.handoff and (options.all or options.compaction):
        raise RedlineError(
            "--handoff audits a handoff, --compaction and --all the agent's own work"
        )
    if options.all and options.compaction:
        raise RedlineError("--all audits every compaction, --compaction one of them")
    place = workplace()
    session = place.opened(options)
    if options.all:
        return _all(place, session, json=options.json)
    broken = breaches(session, place.ledger_store().load(session))
    if not options.handoff:
        return _past(place, session, options.compaction, broken, json=options.json)
    text = handoff_text(Path(options.handoff))
    default = None if asks_for_plan(options) else "fresh"
    choice = choice_of(options, place, session, default=default)
    review = place.review(session, choice, tokens=False)
    found = audit(session, review.plan, text, review.ledger, review.facts)
    if options.json:
        print_json({**audit_json(found), "breaches": [breach_json(each) for each in broken]})
    else:
        print_audit(found)
        _print_breaches(broken)
    return 0 if found.ok else 1


def _past(
    place: Workplace, session: Session, name: str | None, broken: tuple[Breach, ...], *, json: bool
) -> int:
    """The agent's own compaction with that number or id; its last where none is named."""
    from redline.cli.past_audits import past_json, print_after
    from redline.facts.aftermath import aftermaths
    from redline.handoff.past import past_audits

    number = _numbered(session, name)
    if number is None:
        note("redline: this session was never compacted by its agent")
        note("  audit a handoff with --handoff FILE")
        _only_breaches(broken, json=json)
        return 1
    ledger, facts = place.ledger_store().load(session), place.facts(session)
    (found,) = past_audits(session, ledger, facts, only=(number,))
    after = next((each for each in aftermaths(session) if each.number == number), None)
    if json:
        told = {**audit_json(found.audit), "compaction": past_json(found, after)}
        print_json({**told, "breaches": [breach_json(each) for each in broken]})
    else:
        print_after(found, after)
        print_audit(found.audit)
        _print_breaches(broken)
    return 0 if found.audit.ok else 1


def _all(place: Workplace, session: Session, *, json: bool) -> int:
    """Every compaction of the session, a row each."""
    from redline.cli.past_audits import print_table, table_json
    from redline.facts.aftermath import aftermaths
    from redline.handoff.past import past_audits

    ledger, facts = place.ledger_store().load(session), place.facts(session)
    found = list(past_audits(session, ledger, facts))
    afters = {each.number: each for each in aftermaths(session)}
    if json:
        print_json(table_json(found, afters, totals_json))
    elif found:
        print_table(found, afters)
    else:
        note("redline: this session was never compacted by its agent")
    return 0 if found and all(each.audit.ok for each in found) else 1


def _numbered(session: Session, name: str | None) -> int | None:
    """The number of the compaction called `name`; of the last full one, None where there is none.
    Raises RedlineError where none has the name."""
    from redline.model import CompactionKind

    numbers = {past.id: number for number, past in enumerate(session.compactions, start=1)}
    if name is None:
        whole = [p for p in session.compactions if p.kind is not CompactionKind.MICRO]
        return numbers[whole[-1].id] if whole else None
    if name.isdecimal() and 0 < int(name) <= len(session.compactions):
        return int(name)
    found = [number for key, number in numbers.items() if key.startswith(name)]
    if len(found) != 1:
        count = counted(len(session.compactions), "compaction")
        raise RedlineError(
            f"no compaction {name!r} in this session, which has {count}",
            "name it by its number, or by the start of its id (redline inspect SESSION)",
        )
    return found[0]


def _only_breaches(broken: tuple[Breach, ...], *, json: bool) -> None:
    """Of a session that was never compacted there is nothing else to audit."""
    if json:
        listed = [breach_json(each) for each in broken]
        empty: dict[str, Any] = {"subject": None, "ok": not broken, "items": [], "totals": {}}
        print_json({"schema": SCHEMA, **empty, "breaches": listed})
    else:
        _print_breaches(broken)


def _print_breaches(broken: tuple[Breach, ...]) -> None:
    if not broken:
        return
    out = console()
    calls = len({(each.message, each.part) for each in broken})
    verb = "breaks" if calls == 1 else "break"
    out.print(f"\n{counted(calls, 'call')} {verb} an active rule", style="bold")
    for each in broken:
        out.print(f"! {each.message[:12]:<12}  {each.line}")


def audit_json(found: Audit) -> dict[str, Any]:
    """The JSON of `commands.md`, without secrets: reports are kept and passed on."""
    from redline.redaction import redact

    return {
        "schema": SCHEMA,
        "subject": found.subject,
        "ok": found.ok,
        "items": [
            {
                "class": item.cls.value,
                "text": redact(item.text).text,
                "verdict": item.verdict.value,
                "message": item.message,
                "found": redact(item.found).text if item.found else item.found,
                "where": item.where,
                "required": item.required,
                "already": item.already,
            }
            for item in found.items
        ],
        "totals": totals_json(found),
    }


def totals_json(found: Audit) -> dict[str, dict[str, int]]:
    """How often each verdict fell, by class."""
    return {
        cls.value: {verdict.value: number for verdict, number in verdicts.items()}
        for cls, verdicts in found.totals.items()
    }


def print_audit(found: Audit) -> None:
    """The audit for people, without secrets."""
    out = console()
    before = sum(item.already for item in found.items)
    for item in found.items:
        if item.already:
            continue
        must = "!" if item.required and item.verdict.value != "word for word" else " "
        out.print(
            f"{must} {item.verdict.value:<13} {item.cls.value:<15} {_safe_line(item.text, 100)}"
        )
        if item.found and item.verdict.value not in ("word for word", "missing"):
            out.print(f"    found: {_safe_line(item.found, 110)}", style="dim")
    if before:
        out.print(
            f"\n{before} more were lost by a compaction before (--json lists them)", style="dim"
        )
    good = sum(item.verdict.value == "word for word" for item in found.items)
    out.print(f"\n{good} of {len(found.items)} word for word; {'ok' if found.ok else 'not ok'}")


def _safe_line(text: str, width: int) -> str:
    """`text` in one line, without secrets."""
    from redline.redaction import redact

    return one_line(redact(text).text, width)
