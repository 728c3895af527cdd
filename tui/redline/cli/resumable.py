"""A session in its agent's own form, shown and written for a command."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from redline.cli.output import SCHEMA, console, note, print_json, thousands
from redline.text import counted, safe

if TYPE_CHECKING:
    from redline.cli.workplace import Workplace
    from redline.targets.native.draft import Draft, Work


def written(
    work: Work,
    place: Workplace,
    options: argparse.Namespace,
    *,
    before: int,
    after: int,
    warnings: Sequence[str] = (),
    rules: Sequence[str] | None = None,
) -> int:
    """Shows (with --dry-run) or writes the session of `work`, and says how it is resumed. `before`
    and `after` are the tokens of the window then and now, `rules` those that a handoff which was
    handed in did not have. `warnings` are said with its own. Gives the exit status."""
    from redline.targets.commit import commit
    from redline.targets.native.native import NativeSession, command

    target = NativeSession(work)
    change = target.preview()
    draft = target.draft
    assert draft is not None
    warnings = (*warnings, *work.plan.warnings, *change.warnings)
    receipt = None
    if not options.dry_run:
        made = commit(
            (change,),
            session=work.session.info,
            places=place.places,
            now=datetime.now(UTC),
        )
        receipt = made.id or None
    if options.json:
        more = {"warnings": warnings, "rules_missing": rules, "receipt": receipt}
        print_json({**_report(draft, work, before, after), **more})
        return 0
    for warning in warnings:
        note(f"redline: {warning}")
    if options.dry_run:
        _show(draft, work, before, after)
        return 0
    print(safe(command(draft)))
    if receipt:
        note(f"redline: {draft.agent.value} session {draft.id} is in {draft.path}")
        if draft.in_place:
            note(f"redline: a copy of what was there is in {place.places.receipts / receipt}")
        note(f"redline: take it back with `redline undo {receipt}`")
    return 0


def _report(draft: Draft, work: Work, before: int, after: int) -> dict[str, Any]:
    from redline.targets.native.native import command

    return {
        "schema": SCHEMA,
        "agent": draft.agent.value,
        "session": draft.id,
        "path": str(draft.path),
        "in_place": draft.in_place,
        "command": command(draft),
        "argv": list(draft.argv),
        "folder": None if draft.folder is None else str(draft.folder),
        "taken_at": draft.taken_at,
        "messages": {"before": len(work.session.context), **_counts(draft)},
        "summary": bool(work.summary),
        "tokens": {"before": before, "after": after},
    }


def _counts(draft: Draft) -> dict[str, int]:
    whole = sum(stays.whole for stays in draft.stays)
    return {"kept": whole, "in_part": len(draft.stays) - whole}


def _show(draft: Draft, work: Work, before: int, after: int) -> None:
    from redline.targets.native.native import command

    out = console()
    found = _counts(draft)
    out.print(f"{draft.agent.value} session {draft.id}")
    out.print(f"  in        {draft.path}{' (the session itself)' if draft.in_place else ''}")
    out.print(f"  taken at  message {draft.taken_at}")
    said = "no summary"
    if work.summary:
        at = work.plan.summary_at or 0
        said = f"the summary behind {counted(at, 'message')}" if at else "the summary first"
    whole = f"{counted(found['kept'], 'message')} of {len(work.session.context):,} word for word"
    out.print(f"  holds     {whole}, {found['in_part']:,} in part, {said}")
    out.print(f"  weighs    ~{thousands(after)}, now {thousands(before)}")
    out.print(f"  resume    {command(draft)}")
    out.print("nothing was written")
