"""`redline audit`: what survives, worst first, and the calls that broke an active rule.

Exit status 1 where something required is lost.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redline.cli.advice_json import breach_json
from redline.cli.output import SCHEMA, console, note, print_json
from redline.cli.workplace import asks_for_plan, choice_of, workplace
from redline.errors import RedlineError
from redline.text import counted, one_line

if TYPE_CHECKING:
    from redline.compaction.breaches import Breach
    from redline.handoff.audit import Audit


def run(options: argparse.Namespace) -> int:
    from redline.compaction.breaches import breaches
    from redline.handoff.auditing import audit
    from redline.handoff.past import audit_compaction
    from redline.model import CompactionKind

    place = workplace()
    session = place.opened(options)
    broken = breaches(session, place.ledger_store().load(session))
    if options.handoff:
        text = _read(Path(options.handoff))
        default = None if asks_for_plan(options) else "fresh"
        choice = choice_of(options, place, session, default=default)
        review = place.review(session, choice, tokens=False)
        found = audit(session, review.plan, text, review.ledger, review.facts)
    else:
        whole = [past for past in session.compactions if past.kind is not CompactionKind.MICRO]
        if not whole:
            note("redline: this session was never compacted by its agent")
            note("  audit a handoff with --handoff FILE")
            _only_breaches(broken, json=options.json)
            return 1
        ledger, facts = place.ledger_store().load(session), place.facts(session)
        found = audit_compaction(session, whole[-1], ledger, facts)
    if options.json:
        print_json({**audit_json(found), "breaches": [breach_json(each) for each in broken]})
    else:
        _print(found)
        _print_breaches(broken)
    return 0 if found.ok else 1


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
    """The JSON of `commands.md`."""
    return {
        "schema": SCHEMA,
        "subject": found.subject,
        "ok": found.ok,
        "items": [
            {
                "class": item.cls.value,
                "text": item.text,
                "verdict": item.verdict.value,
                "message": item.message,
                "found": item.found,
                "where": item.where,
                "required": item.required,
            }
            for item in found.items
        ],
        "totals": {
            cls.value: {verdict.value: number for verdict, number in verdicts.items()}
            for cls, verdicts in found.totals.items()
        },
    }


def _read(path: Path) -> str:
    from redline.files import read_if_there

    data = read_if_there(path)
    if data is None:
        raise RedlineError(f"there is no handoff {path}")
    text = data.decode("utf-8", "replace")
    if path.suffix == ".json":
        from redline.handoff.json_form import load
        from redline.handoff.markdown import render

        return render(load(text))
    return text


def _print(found: Audit) -> None:
    out = console()
    for item in found.items:
        must = "!" if item.required and item.verdict.value != "word for word" else " "
        out.print(
            f"{must} {item.verdict.value:<13} {item.cls.value:<15} {one_line(item.text, 100)}"
        )
        if item.found and item.verdict.value not in ("word for word", "missing"):
            out.print(f"    found: {one_line(item.found, 110)}", style="dim")
    good = sum(item.verdict.value == "word for word" for item in found.items)
    out.print(f"\n{good} of {len(found.items)} word for word; {'ok' if found.ok else 'not ok'}")
